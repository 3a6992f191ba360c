"""Where a page of each view of bylaws stands, with the demonstration data loaded."""

from django.urls import reverse

from governance.models import ClauseComment, Proposal, Typo


def _proposal(name: str) -> str:
    """Of the change that is discussed."""
    comment = ClauseComment.objects.filter(hidden_at__isnull=True)[0]
    commented = name in {"clause_comment_hide", "clause_comment_show"}
    slug = comment.proposal.motion.slug
    return reverse(f"governance:{name}", args=[slug, comment.pk] if commented else [slug])


def _text(name: str, *args: int) -> str:
    return reverse(f"governance:{name}", args=["foundation", *args])


SAMPLES = {
    "governance:bylaws_feed": lambda: reverse("governance:bylaws_feed", args=["atom"]),
    "governance:bylaws": lambda: _text("bylaws"),
    "governance:bylaws_json": lambda: _text("bylaws_json"),
    "governance:bylaws_changes": lambda: _text("bylaws_changes"),
    "governance:bylaws_version": lambda: _text("bylaws_version", 1),
    "governance:bylaws_pdf": lambda: _text("bylaws_pdf", 1),
    "governance:bylaws_markdown": lambda: _text("bylaws_markdown", 1),
    "governance:typo_new": lambda: _text("typo_new", 1),
    "governance:typo_decide": lambda: reverse(
        "governance:typo_decide", args=[Typo.objects.waiting()[0].pk]
    ),
    "governance:proposal_new": lambda: _text("proposal_new"),
    "governance:proposal": lambda: _proposal("proposal"),
    "governance:proposal_edit": lambda: _proposal("proposal_edit"),
    "governance:proposal_rebase": lambda: reverse(
        "governance:proposal_rebase",
        args=[Proposal.objects.get(base__number=2, motion__state="draft").motion.slug],
    ),
    "governance:clause_comment_new": lambda: _proposal("clause_comment_new"),
    "governance:clause_comment_hide": lambda: _proposal("clause_comment_hide"),
    "governance:clause_comment_show": lambda: _proposal("clause_comment_show"),
}
