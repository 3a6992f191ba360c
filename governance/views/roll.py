"""Everybody who votes or signs on a motion, in pages, by name; before it opens, who would."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from governance import words
from governance.actions.roster import would_vote
from governance.discussion import discussing
from governance.forms.roll import RollForm
from governance.models import Consent, Motion, RosterSeat
from governance.motions import rolls
from governance.tally.rollcall import Standing
from governance.views.fetch import counting, moment, visible_motion
from portal.accounts.models import User
from portal.members.electorate import Candidate

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Row:
    """A place on the roll as the page shows it."""

    name: str
    speaks_for: str
    word: str
    tone: str


@require_safe
def motion_roll(request: HttpRequest, reference: str) -> HttpResponse:
    at = moment()
    motion = visible_motion(request, reference, at, with_votes=False)
    form = RollForm(request.GET)
    form.is_valid()
    found, rows = _found(request, motion, form, at)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "motion": motion,
        "form": form,
        "page": page,
        "rows": [rows(each) for each in page.object_list],
        "filtered": any(request.GET.get(name) for name in form.fields),
        **_turnout(motion, at),
    }
    return render(request, "governance/motion_roll.html", context)


def _found(request: HttpRequest, motion: Motion, form: RollForm, at: datetime) -> tuple[Any, Any]:
    """What the query asks for, and how each of it is shown."""
    asked = form.cleaned_data
    if motion.opened_at is None:
        return _who_would_vote(request, motion, asked.get("q", ""), at), _candidate
    state = asked.get("state")
    missing = None if not state else state == "missing"
    consent: Consent | None = getattr(motion, "consent", None)
    if consent is not None:
        return _signers(consent, asked.get("q", ""), missing, at), _signer
    return rolls.found(motion, words=asked.get("q", ""), missing=missing), _voter(motion)


def _who_would_vote(
    request: HttpRequest, motion: Motion, asked: str, at: datetime
) -> Sequence[Candidate]:
    """Only the body looks at it before the vote opens."""
    user, rules = request.user, counting(motion, at)
    inside = isinstance(user, User) and discussing.belongs(user, motion.body, at)
    if not inside or rules is None or motion.electorate == Motion.Electorate.BODY:
        raise Http404
    return [each for each in would_vote(motion, rules, at) if _says(each, asked)]


def _says(candidate: Candidate, asked: str) -> bool:
    told = f"{candidate.name} {candidate.answer.voter_name}".casefold()
    return asked.casefold() in told


def _candidate(candidate: Candidate) -> Row:
    speaker = candidate.answer.voter_name
    return Row(candidate.name, speaker if speaker != candidate.name else "", "", "")


def _signers(consent: Consent, asked: str, missing: bool | None, at: datetime) -> Any:
    signed = consent.signatures.standing(consent.motion.decided_at or at).values("voter")
    rows = rolls.signing(consent.motion, signed, words=asked)
    return (
        rows if missing is None else rows.filter(~Q(pk__in=signed) if missing else Q(pk__in=signed))
    )


def _signer(row: RosterSeat) -> Row:
    has_signed: bool = getattr(row, "has_signed", False)
    word, tone = (_("signed"), "good") if has_signed else (_("not yet"), "open")
    return Row(row.label, "", word, tone)


def _voter(motion: Motion) -> Any:
    def shown(row: RosterSeat) -> Row:
        stand = rolls.stands(row)
        if motion.is_decided:
            tones = {Standing.YES: "good", Standing.NO: "bad", Standing.ABSENT: "open"}
            return Row(row.label, "", str(words.standing(stand)), tones.get(stand, ""))
        if stand is Standing.ABSENT:
            return Row(row.label, "", _("not yet"), "open")
        return Row(row.label, "", _("voted"), "good")

    return shown


def _turnout(motion: Motion, at: datetime) -> dict[str, Any]:
    """How many are on it and took part."""
    if motion.opened_at is None:
        return {}
    consent: Consent | None = getattr(motion, "consent", None)
    if consent is not None:
        size = motion.roster.exclude(user=None).count()
        took_part = consent.signatures.standing(motion.decided_at or at).count()
    else:
        counted = rolls.count(motion)
        size, took_part = counted.filled, counted.voted + counted.recused
    return {"size": size, "took_part": took_part, "is_signed": consent is not None}
