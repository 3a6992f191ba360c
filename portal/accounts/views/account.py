"""A person's own account: overview, profile, roles, closing it."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import recently_authenticated, signed_in
from portal.accounts.actions.account import LastOfStaffError, close_account, rename_person
from portal.accounts.forms import CloseAccountForm, ProfileForm
from portal.accounts.models import ApiToken, RoleGrant


@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Everything about the account in one place."""
    user, now = signed_in(request), timezone.now()
    context = {
        "address": EmailAddress.objects.filter(user=user, primary=True).first(),
        "factors": Authenticator.objects.filter(user=user),
        "grants": RoleGrant.objects.active_on(now).of(user),
        "tokens": ApiToken.objects.of(user).usable_at(now),
        "sessions": UserSession.objects.purge_and_list(user),
    }
    return render(request, "accounts/overview.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = ProfileForm(request.POST or None, initial={"name": user.name})
    if request.method == "POST" and form.is_valid():
        rename_person(actor=user, user=user, name=form.cleaned_data["name"])
        messages.success(request, _("Your name is changed."))
        return redirect("accounts:overview")
    return render(request, "accounts/profile.html", {"form": form})


@login_required
@require_safe
def own_roles(request: HttpRequest) -> HttpResponse:
    """What the person holds, will hold and held."""
    user, now = signed_in(request), timezone.now()
    grants = RoleGrant.objects.of(user).order_by("-since")
    current = set(grants.active_on(now).values_list("pk", flat=True))
    context = {"grants": grants, "current": current, "now": now}
    return render(request, "accounts/roles.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@recently_authenticated
def close(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = CloseAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            close_account(actor=user, user=user)
        except LastOfStaffError:
            messages.error(request, _("You are the last of the staff. Give the role to another."))
            return redirect("accounts:close")
        logout(request)
        messages.success(request, _("Your account is closed. Thank you for the time with us."))
        return redirect("home")
    grants = RoleGrant.objects.active_on(timezone.now()).of(user)
    return render(request, "accounts/close.html", {"form": form, "grants": grants})
