from portal.accounts.actions.role import grant_role
from portal.accounts.roles import Role, Scope
from portal.members.actions.contact import add_contact
from portal.members.actions.logo import keep_logo
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.models import Organisation
from portal.members.pictures import check
from portal.payments.actions.payment import record_offline_payment
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.letters import resume_url
from portal.sponsors.models import Application
from tests.permissions import EVERYBODY, SIGNED_IN, Cast, Page
from tests.supporters import LOGO, make_application, make_draft, make_tier

CONTACTS = {"alice", "billing", "technical", "marketing"}
PROFILE = {"alice", "marketing"}
APPLICANT = {"charlie"}


def draft(cast: Cast, step: str = "") -> str:
    application = make_draft(make_tier(), actor=cast["charlie"])
    Application.objects.update(logo=keep_logo(picture=check(LOGO)))
    return f"/join/{application.reference}/{step}"


def sent(cast: Cast, step: str = "") -> str:
    application = make_application(actor=cast["charlie"])
    Application.objects.update(applicant=cast["charlie"])
    return f"/join/{application.reference}/{step}"


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


PAGES = {
    "sponsors:supporters": Page(EVERYBODY),
    "sponsors:supporters_json": Page(EVERYBODY),
    "sponsors:wall": Page(EVERYBODY),
    "sponsors:join": Page(EVERYBODY),
    "sponsors:agreement_text": Page(EVERYBODY),
    "sponsors:resume": Page(
        EVERYBODY, sample=lambda cast: resume_url(make_draft(make_tier())).partition("8000")[2]
    ),
    "sponsors:organisation_new": Page(
        EVERYBODY, sample=lambda cast: f"/join/new/{make_tier().key}/"
    ),
    "sponsors:status": Page(APPLICANT, sample=sent),
    "sponsors:tier": Page(APPLICANT, sample=lambda cast: draft(cast, "tier/")),
    "sponsors:organisation": Page(APPLICANT, sample=lambda cast: draft(cast, "organisation/")),
    "sponsors:logo": Page(APPLICANT, sample=lambda cast: draft(cast, "logo/")),
    "sponsors:logo_file": Page(APPLICANT, sample=lambda cast: draft(cast, "logo/file")),
    "sponsors:agreement": Page(APPLICANT, sample=lambda cast: draft(cast, "agreement/")),
    "sponsors:agreement_file": Page(APPLICANT, sample=lambda cast: draft(cast, "agreement.pdf")),
    "sponsors:payment": Page(APPLICANT, sample=lambda cast: draft(cast, "payment/")),
    "sponsors:pay": Page(APPLICANT, sample=lambda cast: sent(cast, "pay/"), method="POST"),
    "members:directory": Page(EVERYBODY),
    "members:logo": Page(CONTACTS, sample=own_logo),
    "members:organisations": Page(SIGNED_IN),
    "members:organisation": Page(CONTACTS, sample=lambda cast: f"/organisation/{acme(cast).slug}/"),
    "members:change_logo": Page(
        PROFILE, sample=lambda cast: f"/organisation/{acme(cast).slug}/logo/"
    ),
    "members:listing": Page(
        PROFILE, sample=lambda cast: f"/organisation/{acme(cast).slug}/listing/", method="POST"
    ),
    "members:contact_take": Page(APPLICANT, sample=named, method="POST"),
    "members:receipt": Page({"alice", "billing"}, sample=paid_receipt),
}

SKIPPED = {"stripe_webhook": "opens for the signature of the payment provider, not for a person"}
