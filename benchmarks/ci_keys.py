"""The key sets of CIs over the network: a daily copy, for those that the operator names.

Tokens are always verified against the copy. One GET over TLS to an address that stands here, never
to one that a token names; by the same rules as a probe of a mirror.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from typing import Final

from benchmarks.trust.identity import BadTokenError
from releases.mirrors.fetch import Rules, fetch

# Name in the settings: issuer as its tokens name it, address of its key set.
SOURCES: Final = {
    "github": (
        "https://token.actions.githubusercontent.com",
        "https://token.actions.githubusercontent.com/.well-known/jwks",
    ),
    "gitlab": ("https://gitlab.com", "https://gitlab.com/oauth/discovery/keys"),
}
MOST: Final = 200_000  # bytes of a key set


def fetched(name: str, context: ssl.SSLContext | None = None) -> tuple[str, object]:
    """Issuer and key set. Raises `FetchError`, or `BadTokenError` for what is no JSON."""
    issuer, address = SOURCES[name]
    rules = Rules(context or ssl.create_default_context())
    body = asyncio.run(fetch(address, rules, most=MOST))
    try:
        return issuer, json.loads(body)
    except (ValueError, RecursionError):
        raise BadTokenError("This is not JSON") from None
