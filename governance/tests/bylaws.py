"""Bylaws for the tests: two short articles, a proposal to change one clause."""

from datetime import date, datetime
from typing import Any

from governance.actions.bylaws import record_version, save_bylaws
from governance.actions.discussion import open_discussion
from governance.actions.motion import second_motion
from governance.actions.proposal import draft_proposal
from governance.models import Body, Bylaws, Proposal, Version
from governance.tests.conftest import DAY, FOUNDED, HOUR, START, make_rules
from portal.accounts.models import User

TEXT = """\
## 1. Name

It is called Example.

## 4. Board

4.1 The board has seven directors.

4.2 No more than one half may come form one company.

4.3 They serve for two years.
"""
CHANGED = TEXT.replace("one half", "one third")


def make_bylaws(body: Body, slug: str = "foundation", **rules: Any) -> Bylaws:
    """With the rules for their change, and no version."""
    make_rules(body, subject="bylaws", name="Bylaw changes", **rules)
    bylaws = Bylaws(slug=slug, name="Bylaws", cited_as="Bylaw", body=body, subject="bylaws")
    return save_bylaws(actor=None, bylaws=bylaws)


def make_version(bylaws: Bylaws, text: str = TEXT, day: date = FOUNDED) -> Version:
    return record_version(
        actor=None, bylaws=bylaws, text=text, adopted_on=day, effective_on=day, note="Founded."
    )


def make_proposal(
    bylaws: Bylaws, author: User, text: str = CHANGED, at: datetime = START - DAY, **fields: Any
) -> Proposal:
    """A draft that is not seconded."""
    words = {"title": "One third at most", "summary": "Fewer from one company."}
    return draft_proposal(actor=author, bylaws=bylaws, text=text, at=at, **(words | fields))


def discuss(proposal: Proposal, people: list[User], at: datetime = START - HOUR) -> Proposal:
    """The first, who wrote it, opens its discussion; the second seconds it."""
    author, other = people[:2]
    second_motion(actor=other, motion=proposal.motion, at=at)
    open_discussion(actor=author, motion=proposal.motion, at=at)
    proposal.motion.refresh_from_db()
    return proposal
