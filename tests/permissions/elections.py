from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from governance.actions.candidacy import nominate
from governance.actions.complaint import complain
from governance.actions.election import ContestPlan, announce_election, draft_election
from governance.models import Candidacy, Complaint, Election, Objection, RollEntry
from portal.members.models import Contributor, Standing
from tests.permissions import EVERYBODY, SIGNED_IN, Cast, Page, Place
from tests.permissions.governance import board

RUN_BY = {"frank", "officer", "secretary"}
ALL = "/governance/elections/"
HERE = f"{ALL}2026-board/"


def draft(cast: Cast) -> Election:
    """Of two constituencies, with every window open at once: rows then say who gets in alone."""
    now, day = timezone.now(), timedelta(days=1)
    return draft_election(
        actor=cast["officer"],
        election=Election(
            body=board(cast),
            name="2026-board",
            title="Election of the board",
            nominations_open_at=now - day,
            nominations_close_at=now + day,
            record_at=now - day,
            objections_close_at=now + day,
            opens_at=now + 2 * day,
            closes_at=now + 3 * day,
            complaints_close_at=now + 4 * day,
        ),
        contests=[ContestPlan({"constituency": "contributors"})],
    )


class Announced(NamedTuple):
    """With the contributor on its roll as a candidate, an objection by and to them, a complaint."""

    candidacy: Candidacy
    objection: Objection
    complaint: Complaint


def announced(cast: Cast) -> Announced:
    now, voter = timezone.now(), cast["contributor"]
    person = Contributor.objects.create(
        email=voter.email, name=voter.name, user=voter, accepted_at=now - timedelta(days=3)
    )
    Standing.objects.create(
        contributor=person,
        starts_at=now - timedelta(days=3),
        ends_at=now + timedelta(days=300),
    )
    election = announce_election(actor=cast["officer"], election=draft(cast))
    contest = election.contests.get()
    entry = RollEntry.objects.create(
        contest=contest,
        key=f"contributor:{person.pk}",
        name=voter.name,
        voter=voter,
        voter_name=voter.name,
    )
    Election.objects.filter(pk=election.pk).update(roll_drawn_at=now)
    objection = Objection.objects.create(
        contest=contest,
        kind="remove",
        key=entry.key,
        name=entry.name,
        text="Why.",
        made_by=cast["charlie"],
        made_at=now,
    )
    return Announced(
        nominate(actor=voter, contest=contest, nominee=voter, statement="I want to."),
        objection,
        complain(actor=cast["charlie"], election=election, text="It was late."),
    )


def drafted(path: str = "") -> Place:
    return Place(draft, lambda made: f"{HERE}{path}")


def at(path: str = "") -> Place:
    return Place(announced, lambda made: f"{HERE}{path}")


def of(part: str, folder: str, path: str = "") -> Place:
    return Place(announced, lambda made: f"{HERE}{folder}/{getattr(made, part).pk}/{path}")


def _objecting() -> Callable[[Announced], str]:
    return lambda made: f"{HERE}roll/contributors/object/?kind=remove&key={made.objection.key}"


PAGES = {
    "governance:elections": Page(EVERYBODY),
    "governance:election_new": Page(RUN_BY, sample=Place(draft, lambda made: f"{ALL}new/")),
    "governance:elections_feed": Page(
        EVERYBODY, sample=lambda cast: "/governance/elections/feed.atom"
    ),
    "governance:election": Page(RUN_BY, sample=drafted()),
    "governance:election_json": Page(
        EVERYBODY, sample=Place(announced, lambda made: f"{ALL}2026-board.json")
    ),
    "governance:election_ics": Page(
        EVERYBODY, sample=Place(announced, lambda made: f"{ALL}2026-board.ics")
    ),
    "governance:election_edit": Page(RUN_BY, sample=at("edit/")),
    "governance:election_announce": Page(RUN_BY, sample=drafted("announce/"), method="POST"),
    "governance:election_cancel": Page(RUN_BY, sample=at("cancel/"), method="POST"),
    "governance:election_letters": Page(RUN_BY, sample=at("letters/")),
    "governance:nominate": Page(SIGNED_IN, sample=at("nominate/contributors/")),
    "governance:candidacy": Page(EVERYBODY, sample=of("candidacy", "candidates")),
    # Whoever is signed in is sent back to the page of the person with the reason.
    "governance:candidacy_answer": Page(
        SIGNED_IN, sample=of("candidacy", "candidates", "answer/"), method="POST"
    ),
    "governance:candidacy_second": Page(
        SIGNED_IN, sample=of("candidacy", "candidates", "second/"), method="POST"
    ),
    "governance:candidacy_leave": Page(
        SIGNED_IN, sample=of("candidacy", "candidates", "leave/"), method="POST"
    ),
    "governance:candidacy_disqualify": Page(
        RUN_BY, sample=of("candidacy", "candidates", "disqualify/"), method="POST"
    ),
    "governance:election_roll": Page(EVERYBODY, sample=at("roll/contributors/")),
    "governance:own_standing": Page(SIGNED_IN, sample=at("roll/mine/")),
    "governance:roll_object": Page(SIGNED_IN, sample=Place(announced, _objecting())),
    "governance:objection": Page(
        RUN_BY, sample=of("objection", "objections"), method="POST", data={"answer": ""}
    ),
    "governance:complaints": Page(
        SIGNED_IN, sample=at("complaints/"), method="POST", data={"text": ""}
    ),
    "governance:complaint": Page(RUN_BY, sample=of("complaint", "complaints")),
}
