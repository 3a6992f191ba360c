"""Reporting a slip of spelling in bylaws, and deciding whether it is one."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws import typo as spelling
from governance.bylaws import words as bylaws_words
from governance.bylaws.text import Item
from governance.models import Bylaws, Typo, Version
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def report_typo(
    *,
    actor: User,
    version: Version,
    clause: str,
    wrong: str,
    right: str,
    at: datetime | None = None,
) -> Typo:
    """Tell of a slip; refuses what would change the meaning."""
    typed = spelling.Correction(clause, wrong.strip(), right.strip())
    correction = spelling.as_written(_items(version), typed)
    _check(version, correction)
    try:
        with transaction.atomic():
            typo = Typo.objects.create(
                version=version,
                clause=clause,
                wrong=correction.wrong,
                right=correction.right,
                reported_by=actor,
                reported_at=clock.now(at),
            )
    except IntegrityError as error:
        raise Refusal(_("Somebody reported it already; it waits to be decided.")) from error
    audit.record(actor=actor, verb="typo.reported", subject=typo, clause=clause)
    return typo


@transaction.atomic
def decide_typo(
    *, actor: User, typo: Typo, accept: bool, reason: str = "", at: datetime | None = None
) -> Typo:
    """Show the version with the correction from now on, or say why not."""
    Bylaws.objects.select_for_update().get(versions=typo.version_id)
    typo = Typo.objects.select_related("version__bylaws__body").get(pk=typo.pk)
    moment = clock.now(at)
    refusal = bylaws_reasons.not_to_decide_typo(actor, typo, moment)
    if refusal is not None:
        raise refusal
    if accept:
        _check(typo.version, typo.correction)
    elif not reason.strip():
        raise Refusal(_("Say why it is no typo; who reported it reads the reason."))
    typo.decided_by, typo.decided_at = actor, moment
    typo.is_accepted, typo.reason = accept, reason.strip()
    typo.save(update_fields=["decided_by", "decided_at", "is_accepted", "reason"])
    verb = "typo.accepted" if accept else "typo.declined"
    audit.record(actor=actor, verb=verb, subject=typo, clause=typo.clause)
    return typo


def _check(version: Version, correction: spelling.Correction) -> None:
    found = spelling.objection(_items(version), correction)
    if found is not None:
        raise Refusal(bylaws_words.objection(found))


def _items(version: Version) -> list[Item]:
    """As they are corrected now."""
    return Version.objects.prefetch_related("typos").get(pk=version.pk).items()
