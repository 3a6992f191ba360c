"""The form of a proposal: clause by clause, or as one text for who moves much of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from governance.bylaws import page as bylaws_page
from governance.bylaws.text import UnreadableError, read
from governance.forms.bylaws import ProposalForm
from governance.forms.clauses import ClausesForm
from governance.models import Bylaws, Proposal, Version
from governance.refusals import Refusal

Form = ProposalForm | ClausesForm


def form_of(request: HttpRequest, base: Version, written: dict[str, object]) -> Form:
    """The form that was sent or asked for; by clause, where nothing was said."""
    if request.method != "POST":
        return _fresh(request.GET.get("by") != "text", base, written)
    by_clause = request.POST.get("by") == "clauses"
    sent: Form = ProposalForm(request.POST)
    if by_clause:
        sent = ClausesForm(request.POST, base=base.items(), initial=written)
    if "turn" not in request.POST:
        return sent
    turned = _fresh(not by_clause, base, _typed(request, sent))
    return sent if turned.by == sent.by else turned


def _fresh(by_clause: bool, base: Version, written: dict[str, object]) -> Form:
    """As one text too where it cannot be read by clause."""
    try:
        if by_clause:
            return ClausesForm(base=base.items(), initial=written)
    except UnreadableError:
        pass
    return ProposalForm(initial=written)


def _typed(request: HttpRequest, sent: Form) -> dict[str, object]:
    """All that stands in a form, complete or not, for the other form to begin with."""
    names = ("title", "summary", "effective_on")
    text = sent.text if isinstance(sent, ClausesForm) else request.POST.get("text", "")
    typed: dict[str, object] = {name: request.POST.get(name, "") for name in names}
    return typed | {"text": text}


def is_sent(request: HttpRequest, form: Form) -> bool:
    return form.is_bound and form.is_valid() and "preview" not in request.POST


def words_of(form: Form) -> dict[str, Any]:
    """What the actions ask for."""
    names = ("title", "summary", "effective_on")
    return {name: form.cleaned_data[name] for name in names} | {"text": _text(form)}


def refuse(form: Form, refusal: Refusal) -> None:
    """Beside the text, or above the pieces of which none is at fault alone."""
    form.add_error("text" if isinstance(form, ProposalForm) else None, str(refusal))


def form_page(
    request: HttpRequest,
    form: Form,
    bylaws: Bylaws,
    base: Version,
    proposal: Proposal | None = None,
) -> HttpResponse:
    preview = None
    if "preview" in request.POST and form.is_bound and form.is_valid():
        preview = bylaws_page.redline(base.items(), read(_text(form)))
    context = {
        "form": form,
        "typed": request.method == "POST",
        "bylaws": bylaws,
        "base": base,
        "proposal": proposal,
        "preview": preview,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "governance/proposal_form.html", context, status=status)


def _text(form: Form) -> str:
    return form.text if isinstance(form, ClausesForm) else str(form.cleaned_data["text"])
