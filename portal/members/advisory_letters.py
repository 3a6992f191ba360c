"""The letters of the advisory list, with the way off it in each."""

from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from portal.accounts.models import User
from portal.lib import links
from portal.members.letters import send
from portal.members.models import Mailing, Subscriber

UNSUBSCRIBE: Final = "members.unsubscribe"
FOR_EVER: Final = timedelta(days=36_500)  # who finds an old letter may still take themselves off


def unsubscribe_url(subscriber: Subscriber) -> str:
    """A signed address that takes this seat off the list without a login."""
    token = links.sign(str(subscriber.pk), purpose=UNSUBSCRIBE)
    return f"{settings.BASE_URL}/advisory-list/unsubscribe/{token}/"


def advisory_named(subscriber: Subscriber) -> None:
    send(
        "advisory_named",
        to=subscriber.email,
        key=f"subscriber.named:{subscriber.pk}",
        organisation=subscriber.organisation,
        headers=_list_headers(subscriber),
        subscriber=subscriber,
        archive=f"{settings.BASE_URL}/advisory-list/",
        unsubscribe=unsubscribe_url(subscriber),
    )


def mailing(letter: Mailing, subscriber: Subscriber) -> str:
    """One copy to one seat; the key under which the outbox knows it."""
    key = f"mailing:{letter.pk}:{subscriber.pk}"
    send(
        "mailing",
        to=subscriber.email,
        key=key,
        organisation=subscriber.organisation,
        headers=_list_headers(subscriber),
        mailing=letter,
        subscriber=subscriber,
        archive=f"{settings.BASE_URL}{letter.get_absolute_url()}",
        unsubscribe=unsubscribe_url(subscriber),
    )
    return key


def mailing_test(letter: Mailing, *, person: User, key: str) -> None:
    """As it will look, to somebody who has no seat: nothing to unsubscribe from."""
    archive = f"{settings.BASE_URL}{letter.get_absolute_url()}"
    send("mailing", to=person.email, key=key, mailing=letter, is_test=True, archive=archive)


def _list_headers(subscriber: Subscriber) -> dict[str, str]:
    """One click in the mail program takes the seat off the list (RFC 8058, RFC 2369, RFC 2919)."""
    host = urlsplit(settings.BASE_URL).hostname or "localhost"
    return {
        "List-Id": f"<advisory-list.{host}>",
        "List-Unsubscribe": f"<{unsubscribe_url(subscriber)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
