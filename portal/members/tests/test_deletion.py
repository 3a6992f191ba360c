"""Deleting a person deletes nothing of an organisation, a payment or a decision."""

from django.apps import apps
from django.db import models

from portal.accounts.models import User

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
