"""What a supporter has afterwards: its own pages, its logo, its receipts, its place on the wall."""

import io
import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from portal.accounts.models import RoleGrant, User
from portal.lib.models import OutboxMail
from portal.members.actions.contact import take_contact
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.actions.tier import save_tier, sentences
from portal.members.correspondence import letters_of
from portal.members.models import Contact, Organisation, Term
from portal.members.pictures import check
from portal.payments.models import Order
from tests.shared import shared
from tests.supporters import (
    LOGO,
    make_application,
    make_tier,
    may_open,
    post_event,
    refund_event,
    session_event,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_webhooks")]
SignIn = Callable[[User], Client]


def text(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined,no-any-return]


@shared
def acme(client: Client, signed_webhooks: None) -> Organisation:
    """A paid member; its owner is named by alice's address, its billing contact by charlie's."""
    application = make_application(
        make_tier(), billing_name="Charlie", billing_email="charlie@example.org"
    )
    post_event(client, session_event(application))
    return Organisation.objects.get()


def test_the_owner_sees_everything(acme: Organisation, alice: User, client_for: SignIn) -> None:
    page = text(client_for(alice).get("/organisation/acme/"))
    for part in ("Invoices", "Letters", "Contacts", "One vote", "Add a logo"):
        assert part in page


def test_the_page_of_contacts_offers_the_role_to_whom_they_name(
    acme: Organisation, charlie: User, client_for: SignIn
) -> None:
    client = client_for(charlie)
    assert "Acme named you: Billing contact" in text(client.get("/organisation/"))
    contact = Contact.objects.get(role="billing")
    assert client.post(f"/organisation/contacts/{contact.pk}/take/").status_code == 302
    grant = RoleGrant.objects.get(user=charlie)
    assert (grant.role, grant.scope_slug) == ("billing", "acme")
    owner = Contact.objects.get(role="owner")
    with pytest.raises(PermissionError):
        take_contact(user=charlie, contact=owner)


def test_a_stranger_is_told_how_to_get_there(charlie: User, client_for: SignIn) -> None:
    assert "No organisation yet" in text(client_for(charlie).get("/organisation/"))


def test_an_owner_is_led_to_the_only_organisation(
    acme: Organisation, bob: User, client_for: SignIn
) -> None:
    Contact.objects.filter(role="owner").update(email=bob.email)
    take_contact(user=bob, contact=Contact.objects.get(role="owner"))
    answer = client_for(bob).get("/organisation/")
    assert answer.headers["Location"] == "/organisation/acme/"


def test_a_receipt_is_a_pdf(acme: Organisation, alice: User, client_for: SignIn) -> None:
    number = Order.objects.get().receipt_number
    receipt = client_for(alice).get(f"/organisation/acme/receipts/{number}.pdf")
    assert receipt.content.startswith(b"%PDF-")
    assert receipt["Cache-Control"] == "private, no-store"
    assert client_for(alice).get("/organisation/acme/receipts/2026-9999.pdf").status_code == 404


def test_another_logo_is_shown_at_once_under_another_address(
    acme: Organisation, alice: User, client: Client, client_for: SignIn
) -> None:
    path = "/organisation/acme/logo/"
    owner = client_for(alice)
    assert owner.get(path).status_code == 200
    refused = owner.post(path, {"logo": SimpleUploadedFile("a.txt", b"words")})
    assert "neither PNG nor SVG" in text(refused)
    assert owner.post(path, {"logo": SimpleUploadedFile("a.svg", LOGO)}).status_code == 302
    acme.refresh_from_db()
    assert acme.logo is not None
    address = acme.logo.get_absolute_url()
    assert address in text(client.get("/supporters/"))
    drawn = client.get(address)
    assert drawn["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert drawn["Content-Type"] == "image/svg+xml"


def test_a_logo_leaves_the_public_with_its_supporter(
    acme: Organisation, alice: User, client: Client, client_for: SignIn
) -> None:
    change_logo(actor=alice, organisation=acme, logo=keep_logo(picture=check(LOGO)))
    address = keep_logo(picture=check(LOGO)).get_absolute_url()
    assert client.get(address).status_code == 200
    application = acme.applications.get()
    post_event(client, refund_event(application, 20_000_00))
    assert client.get(address).status_code == 404
    assert client_for(alice).get(address).status_code == 200


def test_an_organisation_may_stop_being_named(
    acme: Organisation, alice: User, client: Client, client_for: SignIn
) -> None:
    owner = client_for(alice)
    owner.post("/organisation/acme/listing/", {"listed": "no"})
    assert "Acme" not in text(client.get("/supporters/"))
    assert Organisation.objects.members_on(timezone.now()).exists()
    owner.post("/organisation/acme/listing/", {"listed": "yes"})
    assert "Acme" in text(client.get("/supporters/"))


def test_a_refunded_organisation_is_told_how_to_go_on(
    acme: Organisation, alice: User, client: Client, client_for: SignIn
) -> None:
    application = acme.applications.get()
    post_event(client, refund_event(application, 20_000_00))
    assert "is not a supporter now" in text(client_for(alice).get("/organisation/acme/"))
    may_open(client, application)
    assert "Your payment was refunded" in text(client.get(f"/join/{application.reference}/"))


def test_a_term_keeps_what_was_bought(acme: Organisation) -> None:
    term = Term.objects.get()
    tier = term.tier
    tier.name, tier.logo_size = "Brass", "low"
    save_tier(actor=None, tier=tier, benefits=sentences("A badge"))
    term.refresh_from_db()
    assert (term.tier_name, term.benefits, term.logo_size) == ("Gold", ["One vote"], "mid")
    assert Term.objects.active_on(term.starts_at).exists()
    assert Term.objects.active_on(term.ends_at).exists()  # in its grace
    assert not Term.objects.active_on(term.grace_until).exists()


def test_the_list_for_other_sites_is_open_and_has_an_etag(
    acme: Organisation, client: Client
) -> None:
    for path in ("/supporters.json", "/supporters/wall.svg"):
        first = client.get(path)
        assert first["Access-Control-Allow-Origin"] == "*"
        again = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304
    [supporter] = json.loads(client.get("/supporters.json").content)["supporters"]
    assert supporter["name"] == "Acme"
    assert supporter["tier"] == "Gold"


def test_the_wall_holds_names_drawings_and_pictures(
    acme: Organisation, alice: User, client: Client
) -> None:
    assert "<text" in text(client.get("/supporters/wall.svg"))
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "green").save(file, "PNG")
    for raw, sign in ((LOGO, "M0 0h40v20z"), (file.getvalue(), "data:image/png;base64,")):
        change_logo(actor=alice, organisation=acme, logo=keep_logo(picture=check(raw)))
        wall = client.get("/supporters/wall.svg")
        assert sign in text(wall)
        assert "sandbox" in wall["Content-Security-Policy"]


def test_members_are_in_the_directory_and_sponsors_are_not(
    acme: Organisation, client: Client
) -> None:
    assert "Acme" in text(client.get("/members/"))
    sponsor = make_application(make_tier("silver", member=False), legal_name="Sol", name="Sol")
    post_event(client, session_event(sponsor))
    assert "Sol" in text(client.get("/supporters/"))
    assert "Sol<" not in text(client.get("/members/"))


def test_two_organisations_of_one_name_have_two_addresses(
    acme: Organisation, client: Client
) -> None:
    second = make_application(make_tier("silver", member=False))
    post_event(client, session_event(second))
    assert set(Organisation.objects.values_list("slug", flat=True)) == {"acme", "acme-2"}


def test_every_letter_of_a_sign_up_is_in_the_history(acme: Organisation, client: Client) -> None:
    post_event(client, refund_event(acme.applications.get(), 20_000_00))
    subjects = letters_of(acme).values_list("subject", flat=True)
    assert set(subjects) == set(OutboxMail.objects.values_list("subject", flat=True))
    assert len(subjects) == 7  # the refund is told to owner and billing contact
