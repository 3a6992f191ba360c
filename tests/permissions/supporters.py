from django.utils import timezone

from portal.accounts.actions.role import grant_role
from portal.accounts.roles import Role, Scope
from portal.lib import outbox
from portal.lib.models import OutboxMail
from portal.members.actions.contact import add_contact
from portal.members.actions.logo import keep_logo
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.correspondence import about
from portal.members.models import Organisation
from portal.members.pictures import check
from portal.members.tests.people import make_credit_note, make_term
from portal.payments.actions.invoice import issue_invoice
from portal.payments.actions.payment import record_offline_payment
from portal.payments.models import Order
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.letters import resume_url
from portal.sponsors.models import Application
from portal.sponsors.renewal_letters import renewal_url
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page
from tests.supporters import LOGO, make_application, make_draft, make_tier

CONTACTS = {"alice", "billing", "technical", "marketing"}
PROFILE = {"alice", "marketing"}
MONEY = {"alice", "billing"}
APPLICANT = {"charlie"}


def draft(cast: Cast, step: str = "") -> str:
    application = make_draft(make_tier(), actor=cast["charlie"])
    Application.objects.update(logo=keep_logo(picture=check(LOGO)))
    return f"/join/{application.reference}/{step}"


def badge(cast: Cast) -> str:
    application = make_application()
    order = application.order
    assert order is not None
    now = timezone.now()
    paid = record_offline_payment(
        actor=cast["erin"], order=order, amount=order.amount, statement_ref="1/1", at=now
    )
    settle_order(order=paid)
    return "/supporters/badges/acme.svg"


def invoiced(cast: Cast) -> str:
    path = sent(cast, "invoice.pdf")
    order = Application.objects.get().order
    assert order is not None
    issue_invoice(actor=None, order=order, at=timezone.now())
    return path


def sent(cast: Cast, step: str = "") -> str:
    application = make_application(actor=cast["charlie"])
    Application.objects.update(applicant=cast["charlie"])
    return f"/join/{application.reference}/{step}"


def reviewed(cast: Cast, step: str = "") -> str:
    application = make_application(make_tier(needs_review=True), actor=cast["charlie"])
    Application.objects.update(logo=keep_logo(picture=check(LOGO)))
    return f"/staff/applications/{application.reference}/{step}"


def acme(cast: Cast) -> Organisation:
    """A registered organisation that alice owns and nobody pays for: its logo is not public."""
    logo = keep_logo(picture=check(LOGO))
    profile = Profile(name="Acme", legal_name="Acme GmbH", country="DE", logo=logo)
    organisation = register_organisation(actor=None, profile=profile)
    assert organisation.slug == "acme"
    return organisation


def own_logo(cast: Cast) -> str:
    logo = acme(cast).logo
    assert logo is not None
    return logo.get_absolute_url()


def named(cast: Cast) -> str:
    contact = add_contact(
        actor=None,
        organisation=acme(cast),
        role=Role.BILLING,
        name="Charlie",
        email=cast["charlie"].email,
    )
    return f"/organisation/contacts/{contact.pk}/take/"


def paid_receipt(cast: Cast) -> str:
    application = make_application()
    order = application.order
    assert order is not None
    record_offline_payment(
        actor=cast["erin"],
        order=order,
        amount=order.amount,
        statement_ref="1",
        at=order.created_at,
    )
    order.refresh_from_db()
    settle_order(order=order)
    slug = Organisation.objects.get().slug
    grant_role(
        actor=None,
        user=cast["alice"],
        role=Role.OWNER,
        scope_kind=Scope.ORGANISATION,
        scope_slug=slug,
    )
    return f"/organisation/{slug}/receipts/{order.receipt_number}.pdf"


def ordered(cast: Cast) -> Order:
    return make_term(acme(cast), make_tier(), timezone.now()).order


def own_invoice(cast: Cast) -> str:
    invoice = issue_invoice(actor=None, order=ordered(cast), at=timezone.now())
    return f"/organisation/acme/invoices/{invoice.number}.pdf"


def own_credit_note(cast: Cast) -> str:
    return f"/organisation/acme/credit-notes/{make_credit_note(ordered(cast)).number}.pdf"


def letter_to_billing(cast: Cast) -> str:
    """Alice reads it too: she owns the organisation."""
    organisation = acme(cast)
    outbox.promise(
        to=cast["billing"].email,
        subject="Paid",
        text="Thank you.",
        key="paid",
        about=about(organisation),
    )
    return f"/organisation/acme/letters/{OutboxMail.objects.get().pk}/"


def renewal(cast: Cast) -> str:
    term = make_term(acme(cast), make_tier(), timezone.now())
    return f"/organisation/acme/terms/{term.pk}/renew/"


def renewal_link(cast: Cast) -> str:
    return renewal_url(make_term(acme(cast), make_tier(), timezone.now())).partition("8000")[2]


PAGES = {
    "sponsors:supporters": Page(EVERYBODY),
    "sponsors:supporters_json": Page(EVERYBODY),
    "sponsors:wall": Page(EVERYBODY),
    "sponsors:badge": Page(EVERYBODY, sample=badge),
    "sponsors:join": Page(EVERYBODY),
    "sponsors:agreement_text": Page(EVERYBODY),
    "sponsors:resume": Page(
        EVERYBODY, sample=lambda cast: resume_url(make_draft(make_tier())).partition("8000")[2]
    ),
    "sponsors:another_tier": Page(
        MONEY, sample=lambda cast: f"/organisation/{acme(cast).slug}/tiers/"
    ),
    "sponsors:renew": Page(MONEY, sample=renewal),
    "sponsors:renew_by_link": Page(EVERYBODY, sample=renewal_link),
    "sponsors:organisation_new": Page(
        EVERYBODY, sample=lambda cast: f"/join/new/{make_tier().key}/"
    ),
    "sponsors:withdraw": Page(APPLICANT, sample=lambda cast: draft(cast, "withdraw/")),
    "sponsors:status": Page(APPLICANT, sample=sent),
    "sponsors:returned": Page(EVERYBODY, sample=lambda cast: sent(cast, "back/")),
    "sponsors:tier": Page(APPLICANT, sample=lambda cast: draft(cast, "tier/")),
    "sponsors:organisation": Page(APPLICANT, sample=lambda cast: draft(cast, "organisation/")),
    "sponsors:logo": Page(APPLICANT, sample=lambda cast: draft(cast, "logo/")),
    "sponsors:logo_file": Page(APPLICANT, sample=lambda cast: draft(cast, "logo/file")),
    "sponsors:agreement": Page(APPLICANT, sample=lambda cast: draft(cast, "agreement/")),
    "sponsors:agreement_file": Page(APPLICANT, sample=lambda cast: draft(cast, "agreement.pdf")),
    "sponsors:invoice_file": Page(APPLICANT, sample=invoiced),
    "sponsors:payment": Page(APPLICANT, sample=lambda cast: draft(cast, "payment/")),
    "sponsors:applications": Page(STAFF),
    "sponsors:application_review": Page(STAFF, sample=reviewed),
    "sponsors:application_logo": Page(STAFF, sample=lambda cast: reviewed(cast, "logo")),
    "sponsors:pay": Page(APPLICANT, sample=lambda cast: sent(cast, "pay/"), method="POST"),
    "members:directory": Page(EVERYBODY),
    "members:logo": Page(CONTACTS | STAFF, sample=own_logo),
    "members:organisations": Page(SIGNED_IN),
    "members:organisation": Page(CONTACTS, sample=lambda cast: f"/organisation/{acme(cast).slug}/"),
    "members:change_logo": Page(
        PROFILE, sample=lambda cast: f"/organisation/{acme(cast).slug}/logo/"
    ),
    "members:listing": Page(
        PROFILE, sample=lambda cast: f"/organisation/{acme(cast).slug}/listing/", method="POST"
    ),
    "members:letters": Page(
        CONTACTS, sample=lambda cast: f"/organisation/{acme(cast).slug}/letters/"
    ),
    "members:letter": Page({"alice", "billing"}, sample=letter_to_billing),
    "members:contact_take": Page(APPLICANT, sample=named, method="POST"),
    "members:receipt": Page(MONEY, sample=paid_receipt),
    "members:papers": Page(MONEY, sample=lambda cast: f"/organisation/{acme(cast).slug}/invoices/"),
    "members:invoice": Page(MONEY, sample=own_invoice),
    "members:credit_note": Page(MONEY, sample=own_credit_note),
    "members:payment_method": Page(
        MONEY,
        sample=lambda cast: f"/organisation/{acme(cast).slug}/payment-method/",
        method="POST",
    ),
}

SKIPPED = {"stripe_webhook": "opens for the signature of the payment provider, not for a person"}
