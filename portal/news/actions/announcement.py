"""Writing announcements: every save is a version, and nobody writes over another unseen."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, languages
from portal.news.models import RESERVED_SLUGS, Announcement, Kind, State, Version
from portal.news.models.version import TEXT_FIELDS


class NewsError(Exception):
    """It cannot be done; the argument says why, in words for the editor."""


class ChangedMeanwhileError(Exception):
    """Somebody else saved another version; `current` is the announcement as it is now."""

    def __init__(self, current: Announcement) -> None:
        super().__init__(current.version)
        self.current = current


@dataclass(frozen=True, slots=True)
class Text:
    """What an editor writes."""

    title: str
    summary: str
    body: str
    kind: str = Kind.NEWS
    slug: str = ""  # made from the title where it is empty
    byline: str = ""

    @classmethod
    def of(cls, kept: Announcement | Version) -> Text:
        return cls(**{name: getattr(kept, name) for name in TEXT_FIELDS})

    def tidy(self) -> Text:
        """As forms send it again: line ends of one kind, nothing empty around the text."""
        return replace(self, body=self.body.replace("\r\n", "\n").strip())


def locked(announcement: Announcement, *, seen: int | None = None) -> Announcement:
    """The row as it is now, ours until the transaction ends.

    `seen` is the version that the editor looked at; another one raises ChangedMeanwhileError.
    """
    current = Announcement.objects.select_for_update().get(pk=announcement.pk)
    if seen is not None and current.version != seen:
        raise ChangedMeanwhileError(current)
    return current


@transaction.atomic
def write_announcement(
    *,
    actor: User | None,
    text: Text,
    at: dt.datetime | None = None,
    published_at: dt.datetime | None = None,
) -> Announcement:
    """A new announcement, a draft where no `published_at` is given, begun `at` (now).

    Raises ValidationError for words or an address that cannot be.
    """
    announcement = Announcement(author=actor, published_at=published_at, told_at=published_at)
    announcement.published_by = actor if published_at else None
    announcement.created_at = announcement.changed_at = published_at or at or timezone.now()
    _set(announcement, replace(text, slug=text.slug or free_slug(text.title)).tidy())
    _save(announcement)
    _keep_version(announcement, actor, "")
    audit.record(
        actor=actor,
        verb="announcement.write",
        subject=announcement,
        kind=announcement.kind,
        published_at=published_at and published_at.isoformat(),
    )
    return announcement


@transaction.atomic
def change_announcement(
    *,
    actor: User | None,
    announcement: Announcement,
    text: Text,
    seen: int,
    at: dt.datetime,
    note: str = "",
) -> Announcement:
    """Save over version `seen`. Raises ChangedMeanwhileError, NewsError, ValidationError."""
    current = locked(announcement, seen=seen)
    if current.state(at) == State.DROPPED:
        raise NewsError(_("It was thrown away. Take it back before you change it."))
    text = replace(text, slug=text.slug or current.slug).tidy()
    if text == Text.of(current):
        return current
    if _has_been_public(current, at) and text.slug != current.slug:
        raise ValidationError({"slug": _("The address is public already, and stays as it is.")})
    _set(current, text)
    current.version += 1
    current.changed_at = at
    _save(current)
    _keep_version(current, actor, note)
    audit.record(
        actor=actor, verb="announcement.change", subject=current, version=current.version, note=note
    )
    return current


@transaction.atomic
def take_version(
    *, actor: User, announcement: Announcement, number: int, seen: int, at: dt.datetime
) -> Announcement:
    """Make an earlier text the current one; the address stays once it is public."""
    kept = Version.objects.get(announcement=announcement, number=number)
    text = Text.of(kept)
    current = locked(announcement, seen=seen)
    if _has_been_public(current, at):
        text = replace(text, slug=current.slug)
    with languages.of_record():
        note = _("Version %(number)s again") % {"number": number}
    return change_announcement(
        actor=actor, announcement=announcement, text=text, seen=seen, at=at, note=note
    )


@transaction.atomic
def drop_draft(*, actor: User, announcement: Announcement, at: dt.datetime) -> Announcement:
    """Throw a draft away; it can be taken back. What is scheduled or public is no draft."""
    current = locked(announcement)
    if current.state(at) == State.DROPPED:
        return current
    if current.state(at) != State.DRAFT:
        raise NewsError(_("Only a draft can be thrown away. Withdraw what is public."))
    return _noted(actor, current, "announcement.drop", dropped_at=at)


@transaction.atomic
def take_back_draft(*, actor: User, announcement: Announcement) -> Announcement:
    """Undo `drop_draft`."""
    return _noted(actor, locked(announcement), "announcement.take_back", dropped_at=None)


def free_slug(title: str) -> str:
    """An address made of the title that nothing has yet."""
    base = slugify(title.replace(".", "-"))[:70].strip("-") or timezone.now().strftime(
        "news-%Y-%m-%d"
    )
    taken = {*RESERVED_SLUGS, *_slugs_like(base)}
    names = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _slugs_like(base: str) -> set[str]:
    return set(Announcement.objects.filter(slug__startswith=base).values_list("slug", flat=True))


def _has_been_public(announcement: Announcement, at: dt.datetime) -> bool:
    return announcement.published_at is not None and announcement.published_at <= at


def _set(announcement: Announcement, text: Text) -> None:
    for name in TEXT_FIELDS:
        setattr(announcement, name, getattr(text, name))


def _save(announcement: Announcement) -> None:
    """Checked before and after: another may take the address between the two."""
    announcement.full_clean()
    try:
        with transaction.atomic():
            announcement.save()
    except IntegrityError:
        announcement.full_clean()
        raise


def _keep_version(announcement: Announcement, actor: User | None, note: str) -> None:
    Version.objects.create(
        announcement=announcement,
        number=announcement.version,
        saved_by=actor,
        saved_at=announcement.changed_at,
        note=note[:120],
        **{name: getattr(announcement, name) for name in TEXT_FIELDS},
    )


def _noted(actor: User, current: Announcement, verb: str, **changes: object) -> Announcement:
    for name, value in changes.items():
        setattr(current, name, value)
    current.save(update_fields=list(changes))
    audit.record(actor=actor, verb=verb, subject=current)
    return current
