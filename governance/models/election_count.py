from __future__ import annotations

from functools import cached_property

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.bundle import chain
from governance.models.election import Election
from governance.recount import result
from governance.recount.outcome import Outcome


class ElectionCountManager(models.Manager["ElectionCount"]):
    """Pages tell the result; papers and bundle, which may have many megabytes, are read if asked
    for.
    """

    def get_queryset(self) -> models.QuerySet[ElectionCount]:
        return super().get_queryset().defer("papers", "bundle")


class ElectionCount(models.Model):
    """The result as it was counted, and the bundle from which anybody counts it again."""

    election = models.OneToOneField(Election, on_delete=models.PROTECT, related_name="count")
    result = models.JSONField(_("result"))
    papers = models.JSONField(_("papers"))  # by contest: how many papers, in hexadecimal, say so
    bundle = models.BinaryField(_("bundle"))
    bundle_sha256 = models.CharField(max_length=64)
    counted_at = models.DateTimeField(_("counted"))

    objects = ElectionCountManager()

    class Meta:
        base_manager_name = "objects"  # of `election.count` too
        verbose_name = _("count of an election")
        verbose_name_plural = _("counts of elections")
        ordering = ["-counted_at"]

    def __str__(self) -> str:
        return str(self.election)

    @cached_property
    def outcome(self) -> Outcome:
        """The result as the recount has it; a page that asks for it often reads it once."""
        return result.read(chain.canonical(self.result))

    def papers_of(self, contest: str) -> list[bytes]:
        """All papers of a contest by its name on the board, equal ones together."""
        found = sorted(self.papers.get(contest, {}).items())
        return [paper for text, number in found for paper in [bytes.fromhex(text)] * number]
