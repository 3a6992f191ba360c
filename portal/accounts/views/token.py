"""API tokens of a person: list, make, revoke."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import recently_authenticated, signed_in
from portal.accounts.actions.token import issue_token, revoke_token
from portal.accounts.forms import TokenForm
from portal.accounts.models import ApiToken
from portal.accounts.tokens import scope_words


@login_required
@require_safe
def token_list(request: HttpRequest) -> HttpResponse:
    tokens = ApiToken.objects.of(signed_in(request))
    now = timezone.now()
    rows = [(token, token.is_usable_at(now), scope_words(token)) for token in tokens]
    return render(request, "accounts/token_list.html", {"tokens": rows})


@login_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@recently_authenticated
def token_add(request: HttpRequest) -> HttpResponse:
    """Make a token. The answer to the POST is the one page that ever shows its text."""
    user = signed_in(request)
    form = TokenForm(request.POST or None, user=user, at=timezone.now())
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/token_add.html", {"form": form})
    token, raw = issue_token(actor=user, **form.wanted())
    context = {"token": token, "raw": raw, "words": scope_words(token)}
    return render(request, "accounts/token_made.html", context)


@login_required
@require_POST
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    token = get_object_or_404(ApiToken.objects.of(user), pk=pk)
    revoke_token(actor=user, token=token)
    messages.success(request, _("The token is revoked. Programs that use it are refused now."))
    return redirect("accounts:tokens")
