"""The letters of a sign-up. Each has a key of its own, so that none is sent twice."""

from django.conf import settings

from portal.lib import links, outbox
from portal.lib.models import OutboxMail
from portal.payments.models import Checkout, LedgerEntry
from portal.sponsors.models import Application

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
        to=to or application.owner_email, template=f"sponsors/{template}", context=context, key=key
    )


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


def approved(application: Application) -> None:
    send(application, "approved", key=f"application.approved:{application.reference}")


def rejected(application: Application) -> None:
    send(application, "rejected", key=f"application.rejected:{application.reference}")


def released(application: Application) -> None:
    send(application, "released", key=f"application.released:{application.reference}")


def paid(application: Application) -> None:
    """To the owner, and the receipt to the billing contact where there is another one."""
    key = f"application.paid:{application.reference}"
    send(application, "paid", key=key)
    billing = application.billing_email
    if billing and billing.lower() != application.owner_email.lower():
        send(application, "receipt", key=f"{key}:billing", to=billing)


def refunded(application: Application, entry: LedgerEntry) -> None:
    key = f"application.refunded:{entry.provider}:{entry.provider_ref}"
    send(application, "refunded", key=key, amount=-entry.amount)


def payment_failed(application: Application, checkout: Checkout) -> None:
    key = f"application.failed:{checkout.provider}:{checkout.session_id}"
    send(application, "failed", key=key)
