"""Minutes as PDF."""

from __future__ import annotations

from django.conf import settings
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from governance.meetings.words import in_words
from governance.models import Minutes
from portal.lib.pdf import Document
from portal.lib.pdf_markdown import write_markdown


def write(minutes: Minutes, *, closed: bool) -> bytes:
    """The text that was put before the body, and what the body made of it."""
    meeting = minutes.meeting
    named = {"title": meeting.title, "day": in_words(meeting.begins_at)}
    title = _("Minutes: %(title)s, %(day)s") % named
    foot = _("%(name)s, version %(number)s") % {"name": title, "number": minutes.number}
    document = Document(title=title, author=settings.FOUNDATION_NAME, foot=foot)
    document.rows(_facts(minutes))
    text = minutes.text_for(closed=closed)
    write_markdown(document, text.partition("\n")[2])  # its title is that of the file
    return document.written()


def _facts(minutes: Minutes) -> list[tuple[str, str]]:
    rows = [(_("Version"), str(minutes.number)), (_("State"), str(minutes.state.label))]
    if minutes.approved_at and minutes.motion:
        day = formats.date_format(timezone.localtime(minutes.approved_at), "j F Y")
        rows.append((_("Approved"), f"{day}, {minutes.motion.resolution}"))
    if minutes.note:
        rows.append((_("What changed"), minutes.note))
    return [*rows, (_hash_of(minutes), minutes.text_sha256)]


def _hash_of(minutes: Minutes) -> str:
    return _("SHA-256") if minutes.is_sealed else _("SHA-256 of the whole text")
