"""Minutes that a body approved: their text without closed sessions, who was there, the vote that
approved them, and what they correct.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from governance.bundle import minutes as checked
from governance.meetings.document import Document
from governance.meetings.sealing import published
from governance.meetings.writing import write
from governance.models import Minutes
from governance.sections.asked import Asked
from governance.sections.motion import moment


def name_of(minutes: Minutes) -> str:
    return f"minutes/{minutes.meeting.slug}-{minutes.number}"


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every version that was approved until then, of meetings that were made known."""
    known = Minutes.objects.filter(meeting__announced_at__isnull=False)
    approved = known.approved(asked.at)
    found = asked.missing(approved, "minutes/", "meeting__slug", "-", "number")
    others = Prefetch("meeting__minutes", Minutes.objects.select_related("motion"))
    found = found.select_related("meeting__body", "motion", "submitted_by")
    for minutes in found.prefetch_related(others).order_by("motion__decided_at", "pk"):
        yield name_of(minutes), _document(minutes)


def _document(minutes: Minutes) -> dict[str, Any]:
    meeting, public = minutes.meeting, published(minutes.document)
    motion = minutes.motion
    return {
        "kind": "minutes",
        "meeting": meeting.slug,
        "body": {"slug": meeting.body.slug, "name": meeting.body.name},
        "number": minutes.number,
        "text": write(public) if public != minutes.document else minutes.text,
        "text_sha256": minutes.text_sha256,
        "note": minutes.note,
        "submitted": moment(minutes.submitted_at),
        "submitted_by": str(minutes.submitted_by) if minutes.submitted_by else None,
        "motion": f"motions/{motion.slug}" if motion else None,
        "approved": moment(minutes.approved_at),
        "history": _history(minutes),
        **_parts(public),
    }


def _parts(public: Document) -> dict[str, Any]:
    """What of the text is told apart from it."""
    return {name: tell(public) for name, tell in checked.PARTS.items()}


def _history(minutes: Minutes) -> list[dict[str, Any]]:
    """Every version before, oldest first, with the motion that was to approve it."""
    before = [each for each in minutes.meeting.minutes.all() if each.number < minutes.number]
    return [
        {
            "number": each.number,
            "text_sha256": each.text_sha256,
            "submitted": moment(each.submitted_at),
            "motion": f"motions/{each.motion.slug}" if each.motion else None,
            "state": each.state.value,
        }
        for each in sorted(before, key=lambda each: each.number)
    ]
