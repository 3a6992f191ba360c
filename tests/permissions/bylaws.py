from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from governance.actions.bylaws import record_version, save_bylaws
from governance.actions.clause_comment import comment_on_clause
from governance.actions.discussion import open_discussion
from governance.actions.proposal import draft_proposal
from governance.actions.rule_set import write_rule_set
from governance.actions.typo import report_typo
from governance.models import Bylaws, ClauseComment, Proposal, RuleSet, Version
from tests.permissions import EVERYBODY, SIGNED_IN, Cast, Page, Place
from tests.permissions.governance import BODY_AND_STAFF, board

TEXT = "## 1. Name\n\n1.1 It is called Example.\n"
CALLED = TEXT.replace("Example", "Sample")


def texts(cast: Cast) -> Version:
    """Bylaws of the board with one version."""
    body, since = board(cast), date(2020, 1, 1)
    rules = RuleSet(body=body, subject="bylaws", name="Changes", since=since, seconds_needed=0)
    write_rule_set(actor=None, rule_set=rules)
    bylaws = save_bylaws(
        actor=None,
        bylaws=Bylaws(
            slug="foundation", name="Bylaws", cited_as="Bylaw", body=body, subject="bylaws"
        ),
    )
    return record_version(
        actor=None, bylaws=bylaws, text=TEXT, adopted_on=since, effective_on=since
    )


def draft(cast: Cast) -> Proposal:
    return draft_proposal(
        actor=cast["bob"],
        bylaws=texts(cast).bylaws,
        title="Another name",
        summary="It is taken.",
        text=CALLED,
        at=timezone.now() - timedelta(days=1),
    )


def comment(cast: Cast) -> ClauseComment:
    """On a proposal in discussion."""
    proposal = draft(cast)
    open_discussion(actor=cast["bob"], motion=proposal.motion)
    proposal.motion.refresh_from_db()
    return comment_on_clause(actor=cast["bob"], proposal=proposal, clause="", text="Good.")


def typo(cast: Cast) -> str:
    slip = report_typo(
        actor=cast["bob"], version=texts(cast), clause="c1.1", wrong="calle", right="called"
    )
    return f"/governance/bylaws/typos/{slip.pk}/decide/"


def of_text(path: str) -> Place:
    return Place(texts, lambda _version: f"/governance/bylaws/foundation{path}")


def of_comment(path: str) -> Place:
    def address(found: Any) -> str:
        return str(found.proposal.get_absolute_url()) + path.format(found.pk)

    return Place(comment, address)


PAGES = {
    "governance:bylaws_list": Page(EVERYBODY),
    "governance:bylaws_feed": Page(EVERYBODY, sample=lambda cast: "/governance/bylaws/feed.atom"),
    "governance:bylaws": Page(EVERYBODY, sample=of_text("/")),
    "governance:bylaws_json": Page(EVERYBODY, sample=of_text(".json")),
    "governance:bylaws_changes": Page(EVERYBODY, sample=of_text("/changes/")),
    "governance:bylaws_version": Page(EVERYBODY, sample=of_text("/1/")),
    "governance:bylaws_pdf": Page(EVERYBODY, sample=of_text("/1.pdf")),
    "governance:bylaws_markdown": Page(EVERYBODY, sample=of_text("/1.md")),
    "governance:typo_new": Page(SIGNED_IN, sample=of_text("/1/typos/new/")),
    "governance:proposal_new": Page({"bob"}, sample=of_text("/propose/")),
    "governance:typo_decide": Page(SIGNED_IN, sample=typo, method="POST"),
    "governance:proposal": Page(
        BODY_AND_STAFF, sample=Place(draft, lambda found: found.get_absolute_url())
    ),
    "governance:proposal_edit": Page(
        BODY_AND_STAFF, sample=Place(draft, lambda found: found.get_absolute_url() + "edit/")
    ),
    "governance:proposal_rebase": Page(
        BODY_AND_STAFF, sample=Place(draft, lambda found: found.get_absolute_url() + "rebase/")
    ),
    "governance:clause_comment_new": Page(
        BODY_AND_STAFF,
        sample=of_comment("comments/"),
        method="POST",
        data={"clause": "", "text": "Why?"},
    ),
    "governance:clause_comment_hide": Page(
        SIGNED_IN, sample=of_comment("comments/{}/hide/"), method="POST"
    ),
    "governance:clause_comment_show": Page(
        SIGNED_IN, sample=of_comment("comments/{}/show/"), method="POST"
    ),
}
