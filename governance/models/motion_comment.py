from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.comment import Comment, CommentQuerySet


class MotionComment(Comment):
    """What a member of the body says in the discussion of a motion."""

    PLACE = ("motion",)

    motion = models.ForeignKey(
        "governance.Motion", on_delete=models.PROTECT, related_name="comments"
    )

    objects = CommentQuerySet["MotionComment"].as_manager()

    class Meta(Comment.Meta):
        abstract = False
        verbose_name = _("comment on a motion")
        verbose_name_plural = _("comments on motions")
