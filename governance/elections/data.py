"""An election as data for programs: the same that everybody reads on its page."""

from datetime import datetime
from typing import Any

from governance.elections import lineup, rules_in_words, stages, whole
from governance.models import Contest, Election


def of_election(election: Election, at: datetime) -> dict[str, Any]:
    whole.read_people(election)
    return {
        "election": election.name,
        "title": election.title,
        "body": election.body.slug,
        "level": election.level,
        "rehearsal": election.is_rehearsal,
        "state": election.state,
        "stage": stages.stage(election, at).word,
        "cancelled_because": election.cancelled_because or None,
        "calendar": [
            {"window": each.name, "begins": each.begins, "ends": each.ends}
            for each in stages.calendar(election)
        ],
        "seconds_needed": election.seconds_needed,
        "manifest_sha256": election.manifest_sha256 or None,
        "contests": [_contest(each) for each in election.contests.all()],
    }


def _contest(contest: Contest) -> dict[str, Any]:
    return {
        "contest": contest.id_on_the_board,
        "constituency": contest.constituency,
        "method": contest.method,
        "seats": 0 if contest.is_question else contest.places,
        "most_of_one_affiliation": contest.most_of_one_affiliation,
        "quorum_percent": contest.quorum_percent,
        "question": _question(contest) if contest.is_question else None,
        "rules": list(rules_in_words.of_contest(contest)),
        "on_the_roll": contest.on_the_roll if contest.election.roll_drawn_at else None,
        "candidates": [_candidate(each) for each in lineup.people_of(contest)],
    }


def _question(contest: Contest) -> dict[str, Any]:
    return {
        "proposal": contest.proposal,
        "text": contest.proposal_text,
        "default_option": contest.default_option,
        "ratio": [contest.ratio_yes, contest.ratio_no],
    }


def _candidate(person: lineup.Person) -> dict[str, Any]:
    candidacy = person.candidacy
    return {
        "name": candidacy.name,
        "affiliation": candidacy.affiliation or None,
        "statement": candidacy.statement,
        "state": person.state,
        "left": candidacy.leaving or None,
        "left_reason": candidacy.leaving_reason or None,
    }
