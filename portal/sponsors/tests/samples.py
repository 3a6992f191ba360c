"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from functools import partial

from django.urls import reverse
from django.utils import timezone

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.members.models import Term, Tier
from portal.payments.actions.invoice import issue_invoice
from portal.sponsors.actions.application import (
    accept_agreement,
    save_organisation,
    submit_application,
)
from portal.sponsors.letters import resume_url
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.renewal_letters import renewal_url
from tests.supporters import VALUES


def draft() -> Application:
    """A draft of alice with an accepted agreement and, of a supporter, the logo."""
    alice = User.objects.get(email=people.address(people.ALICE))
    found = Application.objects.filter(applicant=alice, state=ApplicationState.DRAFT).first()
    if found is not None:
        return found
    tier = Tier.objects.offered()[0]
    made = save_organisation(
        actor=alice, application=None, tier=tier, currency="EUR", values=VALUES
    )
    now = timezone.now()
    agreement = Agreement.objects.current(now)
    assert agreement is not None
    accept_agreement(
        actor=alice, application=made, agreement=agreement, accepted_by="Alice", at=now
    )
    logo = Application.objects.exclude(logo=None)[0].logo
    Application.objects.filter(pk=made.pk).update(logo=logo)
    return made


def unpaid() -> Application:
    """The same, sent: it waits for its payment."""
    sent = Application.objects.filter(state=ApplicationState.PAYMENT).first()
    return sent or submit_application(actor=None, application=draft(), at=timezone.now())


def invoice_file() -> str:
    order = unpaid().order
    assert order is not None
    issue_invoice(actor=None, order=order, at=timezone.now())
    return reverse("sponsors:invoice_file", args=[unpaid().reference])


def alices_term() -> Term:
    """The newest of her organisation's."""
    own = Term.objects.filter(organisation__contacts__email=people.address(people.ALICE))
    return own.order_by("-ends_at")[0]


def step(name: str) -> str:
    return reverse(f"sponsors:{name}", args=[draft().reference])


def supported(name: str) -> str:
    """The application of a supporter, with its logo."""
    found = Application.objects.exclude(logo=None).filter(state=ApplicationState.ACTIVE)[0]
    return reverse(f"sponsors:{name}", args=[found.reference])


STEPS = ("tier", "organisation", "logo", "logo_file", "agreement", "agreement_file", "payment")
SAMPLES = {
    "sponsors:another_tier": lambda: reverse(
        "sponsors:another_tier", args=[alices_term().organisation.slug]
    ),
    "sponsors:renew": lambda: reverse(
        "sponsors:renew", args=[alices_term().organisation.slug, alices_term().pk]
    ),
    "sponsors:renew_by_link": lambda: (
        "/join/renew/" + renewal_url(alices_term()).partition("/join/renew/")[2]
    ),
    **{f"sponsors:{name}": partial(step, name) for name in STEPS},
    **{
        f"sponsors:{name}": partial(supported, name)
        for name in ("application_review", "application_logo")
    },
    "sponsors:badge": lambda: reverse("sponsors:badge", args=["northwind-data"]),
    "sponsors:invoice_file": invoice_file,
    "sponsors:withdraw": lambda: reverse("sponsors:withdraw", args=[unpaid().reference]),
    "sponsors:status": lambda: unpaid().get_absolute_url(),
    "sponsors:returned": lambda: reverse("sponsors:returned", args=[unpaid().reference]),
    "sponsors:pay": lambda: reverse("sponsors:pay", args=[unpaid().reference]),
    "sponsors:resume": lambda: "/join/" + resume_url(draft()).partition("/join/")[2],
    "sponsors:organisation_new": lambda: reverse(
        "sponsors:organisation_new", args=[Tier.objects.offered()[0].key]
    ),
}
