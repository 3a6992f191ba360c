"""A motion as data: the row of the CSV and the JSON of a result. Names here are public."""

from datetime import datetime
from typing import Any

from governance.models import Amendment, Motion
from governance.motions import results, rolls

COLUMNS = [
    *("reference", "title", "body", "state", "proposed_by", "opened", "deadline", "decided"),
    *("electorate", "way", "effective", "superseded", "superseded_by"),
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
        "electorate": motion.electorate,
        "way": motion.way,
        "effective": motion.in_force_from,
        "superseded": motion.superseded_on,
        "superseded_by": motion.superseded_by.resolution if motion.superseded_by else None,
    }
    if motion.is_decided and motion.is_counted:
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
        **{key: value for key, value in row(motion).items() if key in COLUMNS[:13]},
        "summary": motion.public_summary,
        "meeting": motion.meeting.slug if motion.meeting and motion.meeting.announced_at else None,
        "text": motion.public_text,
        "text_sha256": motion.text_sha256 or None,
        "seconded_by": str(motion.seconded_by) if motion.seconded_by else None,
        "seconds": [str(second.user) for second in motion.seconds.select_related("user")],
        "discussed": _iso(motion.discussed_at),
        "amendments": [_amendment(each) for each in motion.amendments.in_order()],
        "redactions": [
            {"sha256": each.passage_sha256, "because": each.because, "at": _iso(each.redacted_at)}
            for each in motion.redactions.all()
        ],
    }
    if motion.opened_at is None or not motion.is_counted:
        return data
    if not motion.is_decided:
        data["has_voted"] = rolls.has_voted(motion)
        return data
    data["count"] = _numbers(motion)
    data["closed_early"] = motion.closed_early
    data["roll_call"] = rolls.roll_call(motion)
    return data


def _amendment(amendment: Amendment) -> dict[str, Any]:
    public = amendment.motion.as_public
    return {
        "number": amendment.number,
        "amends": amendment.parent.number if amendment.parent else None,
        "proposed_by": str(amendment.proposed_by),
        "proposed": _iso(amendment.proposed_at),
        "passage": public(amendment.passage) or None,
        "replacement": public(amendment.replacement),
        "reason": public(amendment.reason),
        "state": amendment.state,
        "because": public(amendment.because) or None,
        "decided": _iso(amendment.decided_at),
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
