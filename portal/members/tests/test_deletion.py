"""Deleting a person deletes nothing of an organisation, a payment or a decision."""

import pytest
from django.apps import apps
from django.db import models
from django.db.models import ProtectedError
from django.utils import timezone

from portal.accounts.models import RoleGrant, User
from portal.members.models import Cancellation
from portal.members.tests.people import make_organisation, make_term, make_tier

OURS = ("portal", "releases", "governance", "feedback", "benchmarks")
KEPT = {models.PROTECT, models.SET_NULL, models.RESTRICT}


def test_no_record_of_ours_goes_with_a_person() -> None:
    lost = [
        str(field)
        for model in apps.get_models()
        if model.__module__.split(".")[0] in OURS
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey)
        and field.related_model is User
        and field.remote_field.on_delete not in KEPT
    ]
    assert lost == []


@pytest.mark.django_db
def test_what_a_person_did_stays_when_the_person_goes(alice: User, bob: User) -> None:
    """One with a past here cannot be deleted; one without leaves an empty place."""
    acme = make_organisation(owner=alice)
    with pytest.raises(ProtectedError):
        alice.delete()
    contact = acme.contacts.create(role="technical", name="Bob", email=bob.email, user=bob)
    cancellation = Cancellation.objects.create(
        term=make_term(acme, make_tier(), timezone.now()), cancelled_by=bob
    )
    RoleGrant.objects.filter(user=bob).delete()
    User.objects.filter(pk=bob.pk).delete()
    contact.refresh_from_db()
    cancellation.refresh_from_db()
    assert (contact.user, cancellation.cancelled_by) == (None, None)
