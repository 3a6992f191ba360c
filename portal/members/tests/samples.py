"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from functools import partial

from django.urls import reverse

from portal.members.models import Contact, Logo, Organisation, Term


def own() -> Organisation:
    """The organisation of the demonstration that alice owns."""
    return Organisation.objects.get(slug="northwind-data")


def page(name: str) -> str:
    return reverse(f"members:{name}", args=[own().slug])


def receipt() -> str:
    order = Term.objects.filter(organisation=own()).select_related("order")[0].order
    return reverse("members:receipt", args=[own().slug, order.receipt_number])


def logo() -> str:
    return Logo.objects.all()[0].get_absolute_url()


PAGES = ("organisation", "change_logo", "listing")
SAMPLES = {
    "members:logo": logo,
    "members:contact_take": lambda: reverse(
        "members:contact_take", args=[Contact.objects.all()[0].pk]
    ),
    "members:receipt": receipt,
    **{
        f"members:{name}": partial(page, name)
        for name in ("organisation", "change_logo", "listing")
    },
}
