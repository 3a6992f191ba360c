"""Signed links that expire: for letters, drafts and downloads without a login."""

import re
from datetime import timedelta
from typing import Final

from django.core import signing

# A value, the moment in base 62 and the signature, as `sign` joins them.
TOKEN: Final = re.compile(r"[^\s/:]+:[0-9A-Za-z]{5,8}:[\w-]{43}(?![\w-])")


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


def without_tokens(text: str, *, instead: str) -> str:
    """`text` for others than its recipient: what opens without a login is left out."""
    return TOKEN.sub(instead, text)
