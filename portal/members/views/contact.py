"""The owner's page of contacts: named, changed, reminded, removed. And the answer of the named."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import signed_in
from portal.accounts.roles import Role
from portal.members.actions.contact import (
    ContactExistsError,
    LastOwnerError,
    change_contact,
    decline_contact,
    invite_contact,
    remind_contact,
    remove_contact,
)
from portal.members.forms.contact import ContactForm
from portal.members.models import Contact, Organisation


def owned(request: HttpRequest, slug: str) -> Organisation:
    """The organisation, if the person owns it."""
    own = Organisation.objects.of(signed_in(request), timezone.now(), Role.OWNER)
    return get_object_or_404(own, slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def contact_list(request: HttpRequest, slug: str) -> HttpResponse:
    organisation = owned(request, slug)
    form = ContactForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _invited(request, organisation, form):
        return redirect("members:contacts", slug)
    context = {
        "organisation": organisation,
        "form": form,
        "contacts": organisation.contacts.select_related("user"),
    }
    return render(request, "members/contacts.html", context)


def _invited(request: HttpRequest, organisation: Organisation, form: ContactForm) -> bool:
    try:
        contact = invite_contact(
            actor=signed_in(request),
            organisation=organisation,
            role=Role(form.cleaned_data["role"]),
            name=form.cleaned_data["name"],
            email=form.cleaned_data["email"],
        )
    except ContactExistsError:
        form.add_error("email", _("This address is named in this role already."))
        return False
    messages.success(request, _("%(name)s gets an invitation.") % {"name": contact.name})
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def contact_detail(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    organisation = owned(request, slug)
    contact = get_object_or_404(organisation.contacts, pk=pk)
    now = {"name": contact.name, "email": contact.email, "role": contact.role}
    form = ContactForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid() and _changed(request, contact, form):
        messages.success(request, _("Saved."))
        return redirect("members:contacts", slug)
    context = {"organisation": organisation, "contact": contact, "form": form}
    return render(request, "members/contact.html", context)


def _changed(request: HttpRequest, contact: Contact, form: ContactForm) -> bool:
    try:
        change_contact(
            actor=signed_in(request),
            contact=contact,
            role=Role(form.cleaned_data["role"]),
            name=form.cleaned_data["name"],
            email=form.cleaned_data["email"],
        )
    except ContactExistsError:
        form.add_error("email", _("This address is named in this role already."))
    except LastOwnerError:
        form.add_error("role", _("This is the last owner. Name another one first."))
    return form.is_valid()


@require_POST
@login_required
def contact_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    organisation = owned(request, slug)
    contact = get_object_or_404(organisation.contacts, pk=pk)
    try:
        remove_contact(actor=signed_in(request), contact=contact)
        messages.success(request, _("Removed. The role ended, and the person gets a letter."))
    except LastOwnerError:
        messages.error(request, _("This is the last owner. Name another one first."))
    return redirect("members:contacts", slug)


@require_POST
@login_required
def contact_remind(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    organisation = owned(request, slug)
    contact = get_object_or_404(organisation.contacts.filter(user__isnull=True), pk=pk)
    remind_contact(actor=signed_in(request), contact=contact, day=timezone.localdate().isoformat())
    messages.success(request, _("The invitation is sent again, once a day at most."))
    return redirect("members:contacts", slug)


@require_POST
@login_required
def contact_decline(request: HttpRequest, pk: int) -> HttpResponse:
    """ "This is not me", or not what the person wants."""
    user = signed_in(request)
    contact = get_object_or_404(Contact.objects.offered_to(user), pk=pk)
    with suppress(PermissionError):  # answered in another window meanwhile
        decline_contact(user=user, contact=contact)
        messages.success(request, _("Declined. The organisation does not name you any more."))
    return redirect("members:organisations")
