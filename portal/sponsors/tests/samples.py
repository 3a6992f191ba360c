"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from django.urls import reverse

from portal.members.models import Tier
from portal.sponsors.models import Application


def status() -> str:
    return Application.objects.latest("pk").get_absolute_url()


def new() -> str:
    return reverse("sponsors:organisation_new", args=[Tier.objects.offered()[0].key])


SAMPLES = {"sponsors:status": status, "sponsors:organisation_new": new}
