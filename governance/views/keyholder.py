"""The keys of an election in the browser: who holds them, and what each has to do.

Private halves are made in browsers and stay in the files of their holders; only what everybody may
know comes here.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from governance import clock
from governance.actions import freezing, keyholder, share
from governance.elections import keeping_keys, key_page, offices, running
from governance.elections.key_page import OFFICER, SCRUTINEER
from governance.forms import keyholder as key_forms
from governance.models import Election, ElectionOfficer, Scrutineer
from governance.offices.asking import OfficeUnavailableError
from governance.refusals import Refusal
from governance.views.fetch import visible_election
from portal.accounts.access import recently_authenticated, signed_in
from portal.accounts.models import User

Act = Callable[[User, Any, dict[str, Any]], object]

SAID = {
    "make": gettext_lazy("Your key is known now. Keep the file: nobody else has the other half."),
    "confirm": gettext_lazy("You hold the share that was given out to you. Thank you."),
    "sign": gettext_lazy("You signed the manifest."),
    "tell": gettext_lazy("Thank you. What you told goes into the count."),
}


@recently_authenticated
@require_http_methods(["GET", "HEAD", "POST"])
def election_keys(request: HttpRequest, name: str) -> HttpResponse:
    """The whole ceremony: to name who holds keys, and to see what is done and what is missing."""
    user, at = signed_in(request), clock.now()
    election = visible_election(request, name, at)
    runs = running.runs(user, election.body, at)
    cards = key_page.own_cards(election, user)
    if not runs and not cards:
        raise PermissionDenied(_("Keys are shown to those who hold or run them."))
    form = key_forms.KeyHoldersForm(
        request.POST or None, initial=_named(election), is_sealed=election.is_sealed
    )
    if runs and request.method == "POST" and form.is_valid():
        try:
            keyholder.name_keyholders(actor=user, election=election, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("They are named, and find here what they have to do."))
            return redirect("governance:election_keys", name)
    context = {
        "election": election,
        "runs": runs,
        "cards": cards,
        "form": form if runs and running.not_to_edit(user, election, at) is None else None,
        "stages": list(key_page.stages(election, at)),
        "missing": keeping_keys.missing(election, at) if election.state == "announced" else [],
        "not_to_deal": keeping_keys.not_to_deal(election),
        "scrutineers": election.scrutineers.order_by("place"),
        "officers": election.officers.order_by("place"),
    }
    return render(request, "governance/elections/keys.html", context)


@require_POST
@recently_authenticated
def key_act(request: HttpRequest, name: str, role: str, place: int, act: str) -> HttpResponse:
    """What a holder of a key does: make it, confirm a share, sign, tell."""
    try:
        form_class, action = ACTS[role, act]
    except KeyError:
        raise Http404 from None
    election = visible_election(request, name, clock.now())
    holder = key_page.holder_of(election, role, place)
    if holder is None or holder.user_id != signed_in(request).pk:
        raise PermissionDenied(_("This key is held by somebody else."))
    form = form_class(request.POST)
    if not form.is_valid():
        messages.error(request, _("Something is missing. Load the page again."))
        return redirect("governance:election_keys", name)
    return _acted(
        request, election, lambda user: action(user, holder, form.cleaned_data), str(SAID[act])
    )


@require_POST
@recently_authenticated
def key_deal(request: HttpRequest, name: str) -> HttpResponse:
    """The election key was made and split in the browser of who runs the election."""
    election = _run_election(request, name)
    form = key_forms.DealForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The shares cannot be read. Load the page again."))
        return redirect("governance:election_keys", name)
    return _acted(
        request,
        election,
        lambda user: share.deal_shares(
            actor=user,
            election=election,
            election_key=form.cleaned_data["election_key"],
            shares=form.shares,
        ),
        _("The key is split. Scrutineers check their shares now."),
    )


@require_POST
@recently_authenticated
def manifest_write(request: HttpRequest, name: str) -> HttpResponse:
    """Write down what is fixed, for the officers to sign."""
    election = _run_election(request, name)
    return _acted(
        request,
        election,
        lambda user: freezing.write_manifest(
            actor=user,
            election=election,
            keys=freezing.fetch_keys(election, offices.registrar(), offices.ballot_box()),
        ),
        _("The manifest is written. Two officers sign it now."),
    )


@require_POST
@recently_authenticated
def manifest_take_back(request: HttpRequest, name: str) -> HttpResponse:
    election = _run_election(request, name)
    return _acted(
        request,
        election,
        lambda user: freezing.take_back_manifest(actor=user, election=election),
        _("The manifest is taken back. Nothing is fixed any more."),
    )


def _run_election(request: HttpRequest, name: str) -> Election:
    """The election of this name, if the visitor runs it; else 403."""
    at = clock.now()
    election = visible_election(request, name, at)
    refusal = running.not_to_run(signed_in(request), election.body, at)
    if refusal is not None:
        raise PermissionDenied(str(refusal))
    return election


def _acted(
    request: HttpRequest, election: Election, act: Callable[[User], object], said: str
) -> HttpResponse:
    try:
        act(signed_in(request))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    except OfficeUnavailableError:
        messages.error(request, _("Registrar or ballot box do not answer. Try again in a minute."))
    else:
        messages.success(request, said)
    return redirect("governance:election_keys", election.name)


def _named(election: Election) -> dict[str, str]:
    """The addresses as they are typed."""
    people = {
        "scrutineers": election.scrutineers.order_by("place").select_related("user"),
        "officers": election.officers.order_by("place").select_related("user"),
    }
    return {
        role: "\n".join(holder.user.email for holder in holders) for role, holders in people.items()
    }


def _make(user: User, holder: Any, sent: dict[str, Any]) -> object:
    return keyholder.make_key(actor=user, holder=holder, **sent)


def _confirm(user: User, holder: Scrutineer, sent: dict[str, Any]) -> object:
    return share.confirm_share(actor=user, scrutineer=holder, **sent)


def _sign(user: User, holder: ElectionOfficer, sent: dict[str, Any]) -> object:
    return freezing.sign_manifest(actor=user, officer=holder, **sent)


def _tell_share(user: User, holder: Scrutineer, sent: dict[str, Any]) -> object:
    return share.tell_share(actor=user, scrutineer=holder, **sent)


def _tell_nonce(user: User, holder: ElectionOfficer, sent: dict[str, Any]) -> object:
    return keyholder.tell_nonce(actor=user, officer=holder, **sent)


ACTS: dict[tuple[str, str], tuple[type[forms.Form], Act]] = {
    (SCRUTINEER, "make"): (key_forms.KeyForm, _make),
    (OFFICER, "make"): (key_forms.KeyForm, _make),
    (SCRUTINEER, "confirm"): (key_forms.ConfirmForm, _confirm),
    (OFFICER, "sign"): (key_forms.SignatureForm, _sign),
    (SCRUTINEER, "tell"): (key_forms.ShareForm, _tell_share),
    (OFFICER, "tell"): (key_forms.NonceForm, _tell_nonce),
}
