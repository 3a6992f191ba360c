"""Signed links that expire: for letters, drafts and downloads without a login."""

from datetime import timedelta

from django.core import signing


def sign(value: str, *, purpose: str) -> str:
    """A token that holds `value` and is good for `purpose` only."""
    return signing.TimestampSigner(salt=f"portal.links.{purpose}").sign(value)


def unsign(token: str, *, purpose: str, max_age: timedelta) -> str | None:
    """The value of a token of `purpose` not older than `max_age`, else None."""
    try:
        return signing.TimestampSigner(salt=f"portal.links.{purpose}").unsign(
            token, max_age=max_age
        )
    except signing.BadSignature:
        return None
