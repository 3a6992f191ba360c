"""How a choice of tier by an organisation that is known ends: with its draft, at the open step."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.drafts import remember
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState


def begin(request: HttpRequest, make: Callable[[], Application]) -> HttpResponse | None:
    """On to what is still to be said; None where nothing can be begun, which a message tells."""
    try:
        application = make()
    except NotPossibleError as error:
        messages.error(request, str(error))
        return None
    remember(request, application)
    if application.state != ApplicationState.DRAFT:
        return redirect(application)
    step = "payment" if application.agreement_id else "agreement"
    return redirect(f"sponsors:{step}", application.reference)
