"""What was decided by a vote: the text, who could vote, every vote, and the arithmetic."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from governance.bundle import motion as checked
from governance.bundle import plain
from governance.models import Motion, RosterSeat
from governance.models.motion_queryset import MotionQuerySet
from governance.motions import results, rolls
from governance.sections import rules
from governance.sections.asked import Asked


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    found = decided(asked, Motion.Way.VOTE, Motion.Way.MEETING)
    for motion in found.iterator(chunk_size=200):
        yield f"motions/{motion.slug}", _document(motion)


def decided(asked: Asked, *ways: Motion.Way) -> MotionQuerySet:
    """Motions that were decided in these ways, in the order in which they were, and that are to be
    written: for the first time, or because something was done to them later.
    """
    found = Motion.objects.filter(decided_at__lte=asked.at, way__in=ways).with_votes()
    found = asked.missing(found, "motions/", "slug", touched=asked.motions)
    return found.select_related("rule_set__body", "meeting").order_by("decided_at", "pk")


def _document(motion: Motion) -> dict[str, Any]:
    if motion.rule_set is None:
        raise ValueError(f"{motion.slug} was decided by no rules")
    return about(motion) | {
        "kind": "motion",
        "way": motion.way,
        "rules": rules.name_of(motion.rule_set),
        "deadline": moment(motion.deadline),
        "closed_early": motion.closed_early,
        "roster": roster_of(motion),
        "votes": _votes(motion, rolls.roster(motion)),
        "lot": _lot(motion),
        "result": checked.result(results.report(motion)),
        **_meeting(motion),
    }


def _meeting(motion: Motion) -> dict[str, Any]:
    """The meeting in which it was voted on, if that is on record."""
    if motion.meeting is None:
        return {}
    return {"meeting": {"slug": motion.meeting.slug, "began": moment(motion.meeting.begins_at)}}


def about(motion: Motion) -> dict[str, Any]:
    """What is told of a motion, however it was decided; as the public reads it."""
    replaced = motion.superseded_by
    return {
        "resolution": motion.resolution,
        "state": motion.state,
        "title": motion.title,
        "summary": motion.public_summary,
        "text": motion.public_text,
        "text_sha256": motion.text_sha256,
        "redactions": [
            {
                "sha256": each.passage_sha256,
                "because": each.because,
                "at": moment(each.redacted_at),
            }
            for each in motion.redactions.all()
        ],
        "body": {"slug": motion.body.slug, "name": motion.body.name},
        "electorate": motion.electorate,
        "amendment": motion.amendment_id is not None,
        "proposed_by": str(motion.proposed_by),
        "seconded_by": str(motion.seconded_by) if motion.seconded_by else None,
        "opened_by": str(motion.opened_by),
        "drafted": moment(motion.drafted_at),
        "seconded": moment(motion.seconded_at),
        "opened": moment(motion.opened_at),
        "decided": moment(motion.decided_at),
        "in_force_since": motion.in_force_from.isoformat() if motion.in_force_from else None,
        "superseded_by": replaced.resolution if replaced else None,
    }


def roster_of(motion: Motion) -> list[dict[str, Any]]:
    """Who could vote or sign, as it was frozen."""
    roster = rolls.roster(motion)
    return [
        {"name": seat.name, "affiliation": seat.affiliation} | plain.dump(place)
        for seat, place in zip(roster, results.places(roster), strict=True)
    ]


def moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _lot(motion: Motion) -> dict[str, str] | None:
    """What was drawn before the vote, if the rules break a tie by lot; it is no secret any more."""
    if not results.lot_seed(motion):
        return None
    return {"nonce": motion.lot.nonce, "commitment": motion.lot.commitment}


def _votes(motion: Motion, roster: list[RosterSeat]) -> list[dict[str, Any]]:
    """Every act of voting, in the order in which they were done."""
    acts = sorted(
        ((vote, seat) for seat in roster for vote in seat.votes.all()), key=lambda act: act[0].pk
    )
    return [
        {
            "seat": seat.number,
            "sequence": sequence,
            "choice": vote.choice,
            "reason": motion.as_public(vote.reason),
            "cast": moment(vote.cast_at),
        }
        for sequence, (vote, seat) in enumerate(acts, start=1)
    ]
