"""Recording bylaws that were adopted before, and making a proposal that was carried a version."""

import hashlib
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.bylaws import words as bylaws_words
from governance.bylaws.text import UnreadableError, read
from governance.models import Bylaws, Motion, Proposal, Version
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def save_bylaws(*, actor: User | None, bylaws: Bylaws) -> Bylaws:
    """Keep what a text is called, how it is cited and who changes it."""
    is_new = bylaws.pk is None
    bylaws.save()
    audit.record(actor=actor, verb="bylaws.made" if is_new else "bylaws.changed", subject=bylaws)
    return bylaws


@transaction.atomic
def record_version(
    *,
    actor: User | None,
    bylaws: Bylaws,
    text: str,
    adopted_on: date,
    effective_on: date,
    note: str = "",
) -> Version:
    """Keep the next version that was adopted elsewhere, the oldest first.

    Refuses once a version was adopted here: from then on a vote is the only way.
    """
    bylaws = Bylaws.objects.select_for_update().get(pk=bylaws.pk)
    refusal = not_to_record(bylaws, adopted_on, effective_on)
    if refusal is not None:
        raise refusal
    check_text(text)
    return _keep(actor, bylaws, _clean(text), adopted_on, effective_on, note=note)


def not_to_record(bylaws: Bylaws, adopted_on: date, effective_on: date) -> Refusal | None:
    """Why no version of these days can be recorded; None when one can."""
    if bylaws.versions.filter(adopted_by__isnull=False).exists():
        return Refusal(_("A version was adopted here by a vote. Propose a change instead."))
    last = bylaws.versions.first()
    if effective_on < adopted_on or (last is not None and effective_on < last.effective_on):
        return Refusal(
            _("A version is in force after it was adopted, and after the version before it.")
        )
    return None


def adopt(proposal: Proposal, at: datetime) -> Version:
    """Make the text that was carried the next version.

    It is in force from the day the motion takes effect, and never before the version it replaces.
    """
    bylaws = Bylaws.objects.select_for_update().get(pk=proposal.bylaws_id)
    day = timezone.localdate(at)
    effective_on = _effective_on(bylaws, proposal.motion, day)
    carried = proposal.motion
    return _keep(None, bylaws, carried.text, day, effective_on, motion=carried, note=carried.title)


def hold_bylaws(motion: Motion) -> None:
    """Keep the bylaws that a motion changes as they are until the caller's transaction ends."""
    list(Bylaws.objects.select_for_update().filter(proposals__motion=motion))


def check_text(text: str) -> None:
    """Refuse a text of which the articles cannot be read, with the line."""
    try:
        read(text)
    except UnreadableError as error:
        raise Refusal(bylaws_words.fault(error)) from error


def _keep(
    actor: User | None,
    bylaws: Bylaws,
    text: str,
    adopted_on: date,
    effective_on: date,
    *,
    motion: Motion | None = None,
    note: str,
) -> Version:
    last = bylaws.versions.first()
    version = Version.objects.create(
        bylaws=bylaws,
        number=last.number + 1 if last else 1,
        text=text,
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        adopted_by=motion,
        adopted_on=adopted_on,
        effective_on=effective_on,
        note=note,
    )
    audit.record(
        actor=actor,
        verb="bylaws.version",
        subject=version,
        effective_on=effective_on.isoformat(),
        motion=motion.reference if motion else None,
    )
    return version


def _effective_on(bylaws: Bylaws, motion: Motion, decided_on: date) -> date:
    """The latest of what rules, proposal and the version before it ask for."""
    days = [decided_on]
    if motion.rule_set is not None:
        days.append(motion.rule_set.bylaw_change.effective_on(decided_on))
    if motion.takes_effect_on is not None:
        days.append(motion.takes_effect_on)
    last = bylaws.versions.first()
    return max([*days, last.effective_on] if last else days)


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").strip() + "\n"
