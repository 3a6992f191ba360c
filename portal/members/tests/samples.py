"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from functools import partial
from urllib.parse import urlsplit

from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.members.actions.data_export import ask_for_export, make_export
from portal.members.advisory_letters import unsubscribe_url
from portal.members.correspondence import letters_of
from portal.members.demonstration import load_more
from portal.members.models import (
    Contact,
    Contributor,
    Entitlement,
    Logo,
    Mailing,
    Nomination,
    Organisation,
    Subscriber,
    Term,
    Tier,
)
from portal.members.papers import orders_of
from portal.members.tests.people import make_credit_note
from portal.payments.actions.invoice import issue_invoice


def own() -> Organisation:
    """The organisation of the demonstration that alice owns."""
    return Organisation.objects.get(slug="northwind-data")


def page(name: str) -> str:
    return reverse(f"members:{name}", args=[own().slug])


def ticket() -> Entitlement:
    return Entitlement.objects.filter(term__organisation=own())[0]


def receipt() -> str:
    order = Term.objects.filter(organisation=own()).select_related("order")[0].order
    return reverse("members:receipt", args=[own().slug, order.receipt_number])


def logo() -> str:
    return Logo.objects.all()[0].get_absolute_url()


def seat() -> Subscriber:
    """One of the members' seats; the larger demonstration data comes with them."""
    if not Subscriber.objects.exists():
        list(
            load_more(actor=User.objects.get(email=people.address(people.FRANK)), at=timezone.now())
        )
    return Subscriber.objects.filter(organisation=own())[0]


def contact(name: str) -> str:
    return reverse(f"members:{name}", args=[own().slug, own().contacts.all()[0].pk])


def letter(name: str) -> str:
    """What was sent, and for what is done with drafts the draft."""
    seat()
    sent = name in ("mailing", "mailing_edit")
    found = Mailing.objects.sent() if sent else Mailing.objects.drafts()
    return reverse(f"members:{name}", args=[found[0].pk])


def numbered(name: str, model: type[Model]) -> str:
    """The page of the first of its kind."""
    return reverse(f"members:{name}", args=[model._default_manager.all()[0].pk])


def own_letter() -> str:
    number = letters_of(own())[0].pk
    return reverse("members:letter", args=[own().slug, number])


def this_year(name: str) -> str:
    return reverse(f"members:{name}", args=[Tier.objects.all()[0].year])


def invoice() -> str:
    found = issue_invoice(actor=None, order=orders_of(own())[0], at=timezone.now())
    return reverse("members:invoice", args=[own().slug, found.number])


def made_export() -> str:
    alice = User.objects.get(email=people.address(people.ALICE))
    asked = ask_for_export(actor=alice, organisation=own(), at=timezone.now())
    make_export(export_pk=asked.pk, at=timezone.now())
    return reverse("members:export_file", args=[own().slug, asked.key])


def credit_note() -> str:
    number = make_credit_note(orders_of(own())[0]).number
    return reverse("members:credit_note", args=[own().slug, number])


OWN_PAGES = (
    "details",
    "payment_method",
    "organisation",
    "change_logo",
    "listing",
    "letters",
    "papers",
    "export",
    "ending",
    "ending_undo",
    "renewing",
    "benefits",
    "register_detail",
    "logo_down",
)
SAMPLES = {
    "members:benefit_use": lambda: reverse("members:benefit_use", args=[own().slug, ticket().pk]),
    "members:benefit_take_back": lambda: reverse(
        "members:benefit_take_back", args=[own().slug, 1]
    ),  # nothing of it was used in the demonstration
    "members:current_logo": lambda: reverse("members:current_logo", args=[own().slug]),
    "members:logo_again": lambda: reverse(
        "members:logo_again", args=[own().slug, own().logo_changes.all()[0].logo_id]
    ),
    "members:invoice": invoice,
    "members:export_file": made_export,
    "members:credit_note": credit_note,
    "members:letter": own_letter,
    "members:logo": logo,
    "members:contact_take": lambda: reverse(
        "members:contact_take", args=[Contact.objects.all()[0].pk]
    ),
    "members:receipt": receipt,
    **{
        f"members:{name}": partial(numbered, name, Nomination)
        for name in ("nomination", "nomination_withdraw", "nomination_review")
    },
    **{
        f"members:{name}": partial(numbered, name, Contributor)
        for name in ("contributor_record", "contributor_accept", "contributor_decline")
    },
    **{
        f"members:{name}": partial(page, name)
        for name in ("seats", "contacts", "transfer", "transfer_withdraw")
    },
    **{
        f"members:{name}": partial(contact, name)
        for name in ("contact", "contact_remove", "contact_remind")
    },
    "members:contact_decline": lambda: reverse(
        "members:contact_decline", args=[Contact.objects.all()[0].pk]
    ),
    # acts of the named person alone: nobody of the demonstration is offered an organisation
    "members:transfer_accept": lambda: reverse("members:transfer_accept", args=[1]),
    "members:transfer_decline": lambda: reverse("members:transfer_decline", args=[1]),
    **{
        f"members:{name}": partial(letter, name)
        for name in ("mailing", "mailing_edit", "mailing_try", "mailing_drop", "mailing_send")
    },
    "members:tier_edit": partial(numbered, "tier_edit", Tier),
    **{f"members:{name}": partial(this_year, name) for name in ("tier_clone", "tier_offer")},
    "members:seat_end": lambda: reverse("members:seat_end", args=[own().slug, seat().pk]),
    "members:unsubscribe": lambda: urlsplit(unsubscribe_url(seat())).path,
    "members:electorate_detail": lambda: reverse(
        "members:electorate_detail", args=[f"organisation:{own().slug}"]
    ),
    **{f"members:{name}": partial(page, name) for name in OWN_PAGES},
}
