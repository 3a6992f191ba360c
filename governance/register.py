"""A motion as data: the row of the CSV and the JSON of a result. Names here are public."""

from datetime import datetime
from typing import Any

from governance import results
from governance.models import Motion
from governance.tally.rollcall import Standing

COLUMNS = [
    *("reference", "title", "body", "state", "proposed_by", "opened", "deadline", "decided"),
    *("rules", "seats", "vacant", "absent", "recused", "abstain", "no", "yes"),
    *("quorum_needed", "quorum_got", "base", "yes_needed", "yes_got"),
]


def row(motion: Motion) -> dict[str, Any]:
    row = {
        "reference": motion.reference,
        "title": motion.title,
        "body": motion.body.slug,
        "state": motion.state,
        "proposed_by": str(motion.proposed_by),
        "opened": _iso(motion.opened_at),
        "deadline": _iso(motion.deadline),
        "decided": _iso(motion.decided_at),
    }
    if motion.is_decided:
        row |= _numbers(motion)
    return row


def _numbers(motion: Motion) -> dict[str, Any]:
    report = results.report(motion)
    count = report.count
    return {
        "rules": f"{motion.rule_set.subject} {motion.rule_set.version}" if motion.rule_set else "",
        "seats": count.seats,
        "vacant": count.vacant,
        "absent": count.absent,
        "recused": count.recused,
        "abstain": count.abstain,
        "no": count.no,
        "yes": count.yes,
        "quorum_needed": report.quorum_needed,
        "quorum_got": report.quorum_got,
        "base": report.base,
        "yes_needed": report.needed,
        "yes_got": report.got,
    }


def as_data(motion: Motion) -> dict[str, Any]:
    data: dict[str, Any] = {
        **{key: value for key, value in row(motion).items() if key in COLUMNS[:8]},
        "summary": motion.summary,
        "text": motion.text,
        "text_sha256": motion.text_sha256 or None,
        "seconded_by": str(motion.seconded_by) if motion.seconded_by else None,
    }
    if motion.opened_at is None:
        return data
    stands = results.standing(motion)
    if not motion.is_decided:
        data["has_voted"] = [
            seat.number for seat, stand in stands if stand not in {Standing.ABSENT, Standing.VACANT}
        ]
        return data
    data["count"] = _numbers(motion)
    data["closed_early"] = motion.closed_early
    data["roll_call"] = [
        {"seat": seat.number, "name": seat.name or None, "vote": stand.value}
        for seat, stand in stands
    ]
    return data


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
