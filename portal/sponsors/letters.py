"""The letters of a sign-up. Each has a key of its own, so that none is sent twice."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import links, outbox
from portal.lib.models import OutboxMail
from portal.members.correspondence import about
from portal.members.models import Term
from portal.payments.models import Checkout, Invoice, LedgerEntry
from portal.payments.papers import bank_lines
from portal.sponsors.models import Application
from portal.sponsors.payers import payers as contacts

RESUME = "sponsors.resume"
ADDRESSES = 3  # that the letter of one draft may go to


def resume_url(application: Application) -> str:
    """A signed address that opens this application without a login."""
    token = links.sign(str(application.reference), purpose=RESUME)
    return f"{settings.BASE_URL}/join/resume/{token}/"


def send(
    application: Application, template: str, *, key: str, to: str = "", **more: object
) -> None:
    """Promise one letter to the owner (or to `to`)."""
    context = {"application": application, "resume_url": resume_url(application), **more}
    outbox.enqueue(
        to=to or application.owner_email,
        template=f"sponsors/{template}",
        context=context,
        key=key,
        about=history_of(application),
    )


def history_of(application: Application) -> str:
    """Where its letters are found later: with the organisation, or with it until there is one."""
    if application.organisation is not None:
        return about(application.organisation)
    return f"application:{application.reference}"


def draft_saved(application: Application) -> None:
    send(application, "draft", key=_draft_key(application, application.owner_email))


def may_write(draft: Application, email: str) -> bool:
    """Whether the letter of a draft may go to this address: one of three at most."""
    written = OutboxMail.objects.filter(key__startswith=_draft_key(draft, ""))
    keys = set(written.values_list("key", flat=True))
    return _draft_key(draft, email) in keys or len(keys) < ADDRESSES


def _draft_key(draft: Application, email: str) -> str:
    return f"application.draft:{draft.reference}:{email.lower()}"


def received(application: Application) -> None:
    send(application, "received", key=f"application.received:{application.reference}")


def to_review(application: Application, *, at: datetime) -> None:
    """To all staff: somebody waits for an answer."""
    holders = RoleGrant.objects.active_on(at).filter(role=Role.STAFF).values("user_id")
    page = reverse("sponsors:application_review", args=[application.reference])
    for person in User.objects.filter(pk__in=holders, is_active=True):
        outbox.enqueue(
            to=person.email,
            template="sponsors/to_review",
            context={
                "application": application,
                "person": person.name or person.email,
                "page": settings.BASE_URL + page,
            },
            key=f"application.to_review:{application.reference}:{person.pk}",
        )


def approved(application: Application) -> None:
    send(application, "approved", key=f"application.approved:{application.reference}")


def rejected(application: Application) -> None:
    send(application, "rejected", key=f"application.rejected:{application.reference}")


def released(application: Application) -> None:
    send(application, "released", key=f"application.released:{application.reference}")


def paid(application: Application, term: Term) -> None:
    """To the owner, and the receipt to the billing contact where there is another one."""
    key = f"application.paid:{application.reference}"
    template = "paid" if term.renews_id is None else "renewed"
    send(application, template, key=key, term=term)
    for email in list(payers(application))[:1]:
        if email.lower() != application.owner_email.lower():
            send(application, "receipt", key=f"{key}:billing", to=email)


def invoice_sent(application: Application, invoice: Invoice) -> None:
    """To the billing contact, and to the owner where that is somebody else."""
    _about_invoice(application, "invoice", invoice)


def invoice_overdue(application: Application, invoice: Invoice) -> None:
    _about_invoice(application, "overdue", invoice)


def _about_invoice(application: Application, template: str, invoice: Invoice) -> None:
    key = f"application.{template}:{invoice.number}"
    more = {"invoice": invoice, "bank_lines": bank_lines()}
    for place, (email, person) in enumerate(payers(application).items()):
        send(application, template, key=f"{key}:{place}", to=email, person=person, **more)


def payers(application: Application) -> dict[str, str]:
    """Who gets what is about money, and the name: the billing contact first, each address once."""
    order = application.order
    billing = order.billing_email if order is not None else application.billing_email
    owner = application.owner_email
    if not billing or billing.lower() == owner.lower():
        return {owner: application.owner_name}
    name = application.billing_name or application.legal_name
    return {billing: name, owner: application.owner_name}


def refunded(application: Application, entry: LedgerEntry) -> None:
    key = f"application.refunded:{entry.provider}:{entry.provider_ref}"
    _about_money(application, "refunded", key=key, amount=-entry.amount)


def suspended(application: Application, entry: LedgerEntry) -> None:
    """The payer's bank took the money back."""
    key = f"application.suspended:{entry.provider}:{entry.provider_ref}"
    _about_money(application, "suspended", key=key, amount=-entry.amount)


def resumed(application: Application, entry: LedgerEntry) -> None:
    """The bank gave it to us again."""
    key = f"application.resumed:{entry.provider}:{entry.provider_ref}"
    _about_money(application, "resumed", key=key, amount=entry.amount)


def _about_money(application: Application, template: str, *, key: str, **more: object) -> None:
    """To billing contact and owner as they are by now, who need not be those of the sign-up. The
    ledger is read again with every event: whoever comes later is not told of what is long past.
    """
    if OutboxMail.objects.filter(key=key).exists():
        return
    people = {application.owner_email: application.owner_name}
    if application.organisation is not None:
        now = {contact.email: contact.name for contact in contacts(application.organisation)}
        people = now or people
    for place, (email, person) in enumerate(people.items()):
        own = f"{key}:{place}" if place else key
        send(application, template, key=own, to=email, person=person, **more)


def withdrawn(application: Application, *, at: datetime) -> None:
    key = f"application.withdrawn:{application.reference}:{at.isoformat()}"
    send(application, "withdrawn", key=key)


def payment_failed(application: Application, checkout: Checkout) -> None:
    key = f"application.failed:{checkout.provider}:{checkout.session_id}"
    send(application, "failed", key=key)
