"""Whose application it is: the account's that began it, and the browser's that holds its key.

The key comes into a session when the draft is made there, or through the signed link of a letter.
"""

from datetime import timedelta
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import links
from portal.sponsors.letters import RESUME
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationQuerySet, ApplicationState

SESSION_KEY = "applications"
MOST = 20
LINK_LASTS = timedelta(days=30)


def account(request: HttpRequest) -> User | None:
    """The account behind the request, where there is one: signing up asks for none."""
    return request.user if isinstance(request.user, User) else None


def mine(request: HttpRequest) -> ApplicationQuerySet:
    """The applications that this visitor may open."""
    kept = [UUID(value) for value in request.session.get(SESSION_KEY, [])]
    found = Application.objects.open_to(request.user, kept, timezone.now())
    known = found.select_related("tier__kind", "order", "agreement", "organisation", "logo")
    return known.select_related("renews", "replaces")


def draft_or_404(request: HttpRequest, reference: UUID) -> Application:
    """A draft of this visitor; one that was sent cannot be edited any more."""
    drafts = mine(request).filter(state=ApplicationState.DRAFT, reference=reference)
    draft = drafts.prefetch_related("tier__prices").first()
    if draft is None:
        raise Http404
    return draft


def remember(request: HttpRequest, application: Application) -> None:
    kept = [str(application.reference), *request.session.get(SESSION_KEY, [])]
    request.session[SESSION_KEY] = list(dict.fromkeys(kept))[:MOST]


def resumed(token: str) -> Application | None:
    """The application that a letter's link names, unless it is too old or was changed."""
    reference = links.unsign(token, purpose=RESUME, max_age=LINK_LASTS)
    return Application.objects.filter(reference=reference).first() if reference else None
