from urllib.parse import urlsplit

from django.utils import timezone

from portal.accounts.roles import Role
from portal.members.actions.benefit import use_benefit
from portal.members.actions.contact import add_contact
from portal.members.actions.data_export import ask_for_export, make_export
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.actions.mailing import send_mailing, write_mailing
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.actions.subscriber import name_subscriber
from portal.members.actions.transfer import offer_transfer
from portal.members.advisory_letters import unsubscribe_url
from portal.members.models import (
    Contact,
    Contributor,
    Entitlement,
    Organisation,
    Subscriber,
    Transfer,
)
from portal.members.pictures import check
from portal.members.tests.people import (
    make_contributor,
    make_nomination,
    make_term,
    make_tier,
)
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page
from tests.supporters import LOGO

OWNER = {"alice"}
CATALOGUE = STAFF | {"erin"}
CONTACTS = {"alice", "billing", "technical", "marketing"}


def made_export(cast: Cast) -> str:
    """A file that alice had made."""
    path = own(cast, "data/")
    acme, now = Organisation.objects.get(slug=path.split("/")[2]), timezone.now()
    asked = ask_for_export(actor=cast["alice"], organisation=acme, at=now)
    assert make_export(export_pk=asked.pk, at=now)
    return f"{path}{asked.key}/export.zip"


def own_nomination(cast: Cast, step: str = "") -> str:
    return f"{make_nomination(cast['charlie']).get_absolute_url()}{step}"


def review(cast: Cast) -> str:
    return f"/staff/nominations/{make_nomination(cast['charlie']).pk}/"


def record(cast: Cast) -> str:
    return f"/staff/contributors/{invited(cast).pk}/"


def invited(cast: Cast) -> Contributor:
    """Charlie, whom bob nominated."""
    now = timezone.now()
    return make_contributor(cast["bob"], cast["frank"], now, email=cast["charlie"].email)


def accepted(cast: Cast) -> str:
    contributor = invited(cast)
    contributor.user, contributor.accepted_at = cast["contributor"], timezone.now()
    contributor.save()
    return "/contributors/own/leave/"


def acme_in_term(cast: Cast) -> Organisation:
    """The organisation of the contacts of the cast, a member with two seats."""
    profile = Profile(name="Acme", legal_name="Acme GmbH", country="DE", is_listed=True)
    organisation = register_organisation(actor=None, profile=profile)
    make_term(organisation, make_tier(seats=2), timezone.now())
    return organisation


def answer_of_acme(cast: Cast) -> str:
    return f"/staff/electorate/organisation:{acme_in_term(cast).slug}/"


def own(cast: Cast, page: str) -> str:
    """A page of acme's own."""
    return f"/organisation/{acme_in_term(cast).slug}/{page}"


def shown_logo(cast: Cast) -> str:
    organisation = acme_in_term(cast)
    change_logo(actor=None, organisation=organisation, logo=keep_logo(picture=check(LOGO)))
    return f"/supporters/logos/{organisation.slug}/"


def earlier_logo(cast: Cast) -> str:
    shown_logo(cast)
    return f"/organisation/acme/logo/{keep_logo(picture=check(LOGO)).pk}/"


def registered(cast: Cast, page: str = "") -> str:
    """A page of the staff about acme, which shows a logo."""
    shown_logo(cast)
    return f"/staff/organisations/acme/{page}"


def tickets(cast: Cast) -> Entitlement:
    term = acme_in_term(cast).terms.get()
    return term.entitlements.create(kind="tickets", quantity=2, use_by=term.ends_at)


def bought(cast: Cast) -> str:
    return f"/staff/organisations/acme/benefits/{tickets(cast).pk}/"


def used(cast: Cast) -> str:
    use = use_benefit(
        actor=cast["frank"], entitlement=tickets(cast), quantity=1, note="", at=timezone.now()
    )
    return f"/staff/organisations/acme/uses/{use.pk}/take-back/"


def seats_of(organisation: Organisation) -> str:
    return f"/organisation/{organisation.slug}/advisory-list/"


def seated(cast: Cast) -> Subscriber:
    """Bob, whom alice sends."""
    return name_subscriber(
        actor=cast["alice"],
        organisation=acme_in_term(cast),
        name="Bob",
        email="bob.at.work@example.org",
        at=timezone.now(),
    )


def a_seat(cast: Cast) -> str:
    subscriber = seated(cast)
    return f"{seats_of(subscriber.organisation)}{subscriber.pk}/end/"


def unsubscribe_link(cast: Cast) -> str:
    return urlsplit(unsubscribe_url(seated(cast))).path


def contacts_of(organisation: Organisation) -> str:
    return f"/organisation/{organisation.slug}/contacts/"


def named(cast: Cast) -> Contact:
    """Charlie, whom acme names."""
    return add_contact(
        actor=cast["alice"],
        organisation=acme_in_term(cast),
        role=Role.TECHNICAL,
        name="Charlie",
        email=cast["charlie"].email,
    )


def contact(cast: Cast, step: str = "") -> str:
    found = named(cast)
    return f"{contacts_of(found.organisation)}{found.pk}/{step}"


def declined(cast: Cast) -> str:
    return f"/organisation/contacts/{named(cast).pk}/decline/"


def offer(cast: Cast) -> Transfer:
    """Alice offers acme to charlie."""
    return offer_transfer(
        actor=cast["alice"],
        organisation=acme_in_term(cast),
        name="Charlie",
        email=cast["charlie"].email,
        stays_as="",
        at=timezone.now(),
    )


def draft(cast: Cast, step: str = "") -> str:
    mailing = write_mailing(actor=cast["frank"], subject="Hello", text="All is well.")
    return f"/staff/mailings/{mailing.pk}/{step}"


def sent_letter(cast: Cast) -> str:
    seated(cast)
    mailing = write_mailing(actor=cast["frank"], subject="Hello", text="All is well.")
    send_mailing(actor=cast["frank"], mailing=mailing, expected=1, at=timezone.now())
    return mailing.get_absolute_url()


def year(verb: str) -> str:
    return f"/staff/tiers/{make_tier().year}/{verb}/"


PAGES = {
    "members:members_json": Page(EVERYBODY),
    "members:contributors": Page(EVERYBODY),
    "members:contributor_own": Page(SIGNED_IN),
    "members:contributor_accept": Page(
        {"charlie"},
        sample=lambda cast: f"/contributors/own/{invited(cast).pk}/accept/",
        method="POST",
    ),
    "members:contributor_decline": Page(
        {"charlie"},
        sample=lambda cast: f"/contributors/own/{invited(cast).pk}/decline/",
        method="POST",
    ),
    "members:contributor_leave": Page({"contributor"}, sample=accepted, method="POST"),
    "members:nominate": Page(SIGNED_IN),
    "members:nomination": Page({"charlie", "frank"}, sample=own_nomination),
    "members:nomination_withdraw": Page(
        {"charlie"}, sample=lambda cast: own_nomination(cast, "withdraw/"), method="POST"
    ),
    "members:nominations": Page(STAFF),
    "members:nomination_review": Page(STAFF, sample=review),
    "members:contributor_records": Page(STAFF),
    "members:contributor_record": Page(STAFF, sample=record),
    "members:voting": Page(SIGNED_IN),
    "members:electorate": Page(STAFF),
    "members:electorate_csv": Page(STAFF),
    "members:electorate_detail": Page(STAFF, sample=answer_of_acme),
    "members:advisory_list": Page(STAFF),
    "members:mailing": Page(CONTACTS | STAFF, sample=sent_letter),
    "members:unsubscribe": Page(EVERYBODY, sample=unsubscribe_link),
    "members:seats": Page(CONTACTS, sample=lambda cast: seats_of(acme_in_term(cast))),
    "members:seat_end": Page({"alice"}, sample=a_seat, method="POST"),
    "members:details": Page(CONTACTS, sample=lambda cast: own(cast, "details/")),
    "members:export": Page(OWNER, sample=lambda cast: own(cast, "data/")),
    "members:export_file": Page(OWNER, sample=made_export),
    "members:renewing": Page({"alice", "billing"}, sample=lambda cast: own(cast, "renewal/")),
    "members:ending": Page(OWNER, sample=lambda cast: own(cast, "end/")),
    "members:ending_undo": Page(OWNER, sample=lambda cast: own(cast, "end/undo/"), method="POST"),
    "members:current_logo": Page(EVERYBODY, sample=shown_logo),
    "members:logo_again": Page({"alice", "marketing"}, sample=earlier_logo, method="POST"),
    "members:benefits": Page(CONTACTS, sample=lambda cast: own(cast, "benefits/")),
    "members:register": Page(STAFF),
    "members:register_csv": Page(STAFF),
    "members:register_detail": Page(STAFF, sample=registered),
    "members:logo_down": Page(STAFF, sample=lambda cast: registered(cast, "logo/")),
    "members:benefit_use": Page(STAFF, sample=bought),
    "members:benefit_take_back": Page(STAFF, sample=used, method="POST"),
    "members:contacts": Page(OWNER, sample=lambda cast: contacts_of(acme_in_term(cast))),
    "members:contact": Page(OWNER, sample=contact),
    "members:contact_remove": Page(
        OWNER, sample=lambda cast: contact(cast, "remove/"), method="POST"
    ),
    "members:contact_remind": Page(
        OWNER, sample=lambda cast: contact(cast, "remind/"), method="POST"
    ),
    "members:contact_decline": Page({"charlie"}, sample=declined, method="POST"),
    "members:transfer": Page(
        OWNER, sample=lambda cast: f"/organisation/{acme_in_term(cast).slug}/transfer/"
    ),
    "members:transfer_withdraw": Page(
        OWNER,
        sample=lambda cast: f"/organisation/{offer(cast).organisation.slug}/transfer/withdraw/",
        method="POST",
    ),
    "members:transfer_accept": Page(
        {"charlie"},
        sample=lambda cast: f"/organisation/transfers/{offer(cast).pk}/accept/",
        method="POST",
    ),
    "members:transfer_decline": Page(
        {"charlie"},
        sample=lambda cast: f"/organisation/transfers/{offer(cast).pk}/decline/",
        method="POST",
    ),
    "members:tiers": Page(CATALOGUE),
    "members:tier_add": Page(CATALOGUE),
    "members:tier_edit": Page(CATALOGUE, sample=lambda cast: f"/staff/tiers/{make_tier().pk}/"),
    "members:tier_clone": Page(CATALOGUE, sample=lambda cast: year("clone"), method="POST"),
    "members:tier_offer": Page(CATALOGUE, sample=lambda cast: year("offer"), method="POST"),
    "members:mailings": Page(STAFF),
    "members:mailing_add": Page(STAFF),
    "members:mailing_edit": Page(STAFF, sample=draft),
    "members:mailing_try": Page(STAFF, sample=lambda cast: draft(cast, "try/"), method="POST"),
    "members:mailing_drop": Page(STAFF, sample=lambda cast: draft(cast, "drop/"), method="POST"),
    "members:mailing_send": Page(STAFF, sample=lambda cast: draft(cast, "send/")),
}
