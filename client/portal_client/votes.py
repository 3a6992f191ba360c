"""`portal votes`: where one's own vote is missing. Votes are cast on the site alone."""

from __future__ import annotations

import json
from argparse import Namespace

from portal_client import asking
from portal_client.errors import OK
from portal_client.settings import with_token


def open_votes(options: Namespace) -> int:
    """List them, what ends first at the top, each with its page."""
    found = asking.get(with_token(options, "votes:read"), "/api/v1/votes")
    if options.json:
        print(json.dumps(found))
        return OK
    for vote in found["votes"]:
        until = f"until {vote['until'][:16].replace('T', ' ')} UTC" if vote["until"] else "no end"
        print(f"{vote['act']}: {vote['title']}")
        print(f"  {vote['body']}, {until}" + (f"; {vote['note']}" if vote["note"] else ""))
        print(f"  {vote['address']}")
    if not found["votes"]:
        print("No vote of yours is open.")
    return OK
