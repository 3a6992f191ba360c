"""System checks: settings that would fail later are named at start, with a hint.

Errors stop every command; what is only unwise for a public site is asked by
`check --deploy`. Each id stands once, docs/settings.md names the settings.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004
from django.core.exceptions import ImproperlyConfigured

from benchmarks.ci_keys import SOURCES
from portal.lib.countries import COUNTRIES
from releases.reading import gpgv

SECRET_LENGTH = 32
GENERATE = "python -c 'import secrets; print(secrets.token_urlsafe(48))' prints a good one."

Check = Callable[[], Iterator[CheckMessage]]


def secrets_are_set() -> Iterator[CheckMessage]:
    for identity, name in [("portal.E001", "SECRET_KEY"), ("portal.E002", "FEEDBACK_PEPPER")]:
        try:
            value = getattr(settings, name)
        except ImproperlyConfigured:
            value = ""
        if len(value) < SECRET_LENGTH:
            yield Error(
                f"{name} is missing or shorter than {SECRET_LENGTH} characters.",
                hint=f"Set {name} or {name}_FILE. {GENERATE}",
                id=identity,
            )


def services_are_named() -> Iterator[CheckMessage]:
    for identity, name in [("portal.E003", "DATABASE_URL"), ("portal.E004", "REDIS_URL")]:
        if not getattr(settings, name):
            yield Error(
                f"{name} is not set.",
                hint=f"Set {name} or {name}_FILE; `make run` brings a server of its own instead.",
                id=identity,
            )


def addresses_agree() -> Iterator[CheckMessage]:
    parts = urlsplit(settings.BASE_URL)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        yield Error(
            f"BASE_URL is {settings.BASE_URL!r}, not the address of a site.",
            hint="It has a scheme and a host and no path: https://portal.example.org",
            id="portal.E005",
        )
    elif parts.hostname not in settings.ALLOWED_HOSTS:
        yield Error(
            f"ALLOWED_HOSTS lacks {parts.hostname}, the host of BASE_URL.",
            hint="Add it, or leave ALLOWED_HOSTS unset: it then is the host of BASE_URL.",
            id="portal.E006",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield Error(
            "ALLOWED_HOSTS allows every host, so letters could carry links to a stranger's site.",
            hint="Name the hosts of this site.",
            id="portal.E007",
        )


def stripe_keys_are_a_pair() -> Iterator[CheckMessage]:
    if settings.STRIPE_SECRET_KEY and not settings.STRIPE_WEBHOOK_SECRET:
        yield Error(
            "STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRET: no payment would arrive.",
            hint="Stripe shows it (whsec_...) beside the endpoint /webhooks/stripe/.",
            id="portal.E008",
        )


def the_seller_is_somewhere() -> Iterator[CheckMessage]:
    if settings.SELLER_COUNTRY not in {"", *dict(COUNTRIES)} or (
        settings.SELLER_VAT_RATE_BP and not settings.SELLER_COUNTRY
    ):
        yield Error(
            f"SELLER_COUNTRY is {settings.SELLER_COUNTRY!r}: it decides who pays which VAT.",
            hint="Two letters such as FI; leave it and SELLER_VAT_RATE unset to charge no VAT.",
            id="portal.E010",
        )


def cis_are_known() -> Iterator[CheckMessage]:
    strange = sorted(set(settings.BENCHMARK_CI_KEYS) - SOURCES.keys())
    if strange:
        yield Error(
            f"BENCHMARK_CI_KEYS names {', '.join(strange)}, a CI that the portal does not know.",
            hint=f"Known: {', '.join(SOURCES)}. Leave it unset to fetch no keys.",
            id="portal.E011",
        )


def state_folder_is_writable() -> Iterator[CheckMessage]:
    folder = settings.STATE_DIR
    nearest = next(path for path in [folder, *folder.parents] if path.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK)):
        yield Error(
            f"STATE_DIR {folder} cannot be written.",
            hint="Give the folder to the account of the portal, or set STATE_DIR to another.",
            id="portal.E009",
        )


def a_public_site_is_real() -> Iterator[CheckMessage]:
    if not settings.BASE_URL.startswith("https://"):
        yield Warning(
            "BASE_URL is plain http: cookies and logins could be read on the way.",
            hint="Set BASE_URL=https://...; docs/operations.md has a reverse proxy.",
            id="portal.W001",
        )
    if not settings.EMAIL_HOST:
        yield Warning(
            "EMAIL_HOST is not set: letters are written to a folder instead of sent.",
            hint="Set EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD.",
            id="portal.W002",
        )
    if settings.DEMONSTRATION:
        yield Warning(
            "DEMONSTRATION is on: invented people with one common password may sign in.",
            hint="Leave DEMONSTRATION unset and use an empty database.",
            id="portal.W003",
        )
    if not settings.STRIPE_SECRET_KEY:
        yield Warning(
            "STRIPE_SECRET_KEY is not set: nobody can pay with real money.",
            hint="Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.",
            id="portal.W004",
        )
    if settings.DEBUG:
        yield Warning("DEBUG is on.", hint="Leave DEBUG unset.", id="portal.W005")
    if gpgv.program() is None:
        yield Warning(
            "gpgv is not installed: repositories are not read back as clients do.",
            hint="Install it where the worker runs; Debian's package is called gpgv.",
            id="portal.W006",
        )


ALWAYS: list[Check] = [
    secrets_are_set,
    services_are_named,
    addresses_agree,
    stripe_keys_are_a_pair,
    the_seller_is_somewhere,
    cis_are_known,
    state_folder_is_writable,
]


@register(Tags.security)
def settings_work(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Everything without which the portal would fail later."""
    return [message for check in ALWAYS for message in check()]


@register(Tags.security, deploy=True)
def settings_suit_a_public_site(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """What `check --deploy` asks on top."""
    return list(a_public_site_is_real())
