from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.comment import Comment, CommentQuerySet
from governance.models.proposal import Proposal


class ClauseComment(Comment):
    """What a member says about one clause of a proposal, or about the whole of it."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="comments")
    clause = models.CharField(_("clause"), max_length=40, blank=True)  # its anchor: c4.2

    objects = CommentQuerySet["ClauseComment"].as_manager()

    class Meta(Comment.Meta):
        abstract = False
        verbose_name = _("comment on bylaws")
        verbose_name_plural = _("comments on bylaws")

    @property
    def place(self) -> tuple[Any, ...]:
        return (self.proposal_id, self.clause)
