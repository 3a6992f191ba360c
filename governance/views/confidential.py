"""Voting in a confidential election: fill in, review, cast, receipt; forms that need no script.

The receipt is the answer to the post and is kept nowhere: who loads that page again casts again.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from governance.actions import confidential_ballot as actions
from governance.elections import filled, signed, told_paper, voting
from governance.models import ConfidentialBallot, Election, RollEntry
from governance.refusals import Refusal
from governance.sealed import line, paper
from governance.sealed.paper import PaperError
from portal.accounts.access import authenticated_recently, signed_in

PAGE = "governance/elections/vote_confidential.html"


def confidential_vote(
    request: HttpRequest, election: Election, entries: Sequence[RollEntry]
) -> HttpResponse:
    """The ballot of one of the person's votes; what they have cast is shown to nobody else."""
    if not authenticated_recently(request):
        raise ReauthenticationRequired
    asked = request.POST.get("entry", request.GET.get("entry", ""))
    entry = next((each for each in entries if str(each.pk) == asked), entries[0])
    entry.contest.election = election
    page = _Page(request, entry, entries)
    steps = {"review": page.review, "edit": page.edit, "cast": page.cast}
    if request.method == "POST":
        return steps.get(request.POST.get("step", ""), page.review)()
    return page.begin()


class _Page:
    """One ballot and what a person does with it."""

    def __init__(
        self, request: HttpRequest, entry: RollEntry, entries: Sequence[RollEntry]
    ) -> None:
        self.request, self.entry, self.entries = request, entry, entries
        self.fixed = signed.contest_of(entry.contest)
        self.kept = ConfidentialBallot.objects.filter(entry=entry).first()
        self.shown = voting.page_of(entry, shown_to=str(entry.voter_id))
        self.kind, self.most = self.shown["ballot"]["kind"], self.shown["ballot"]["most"]

    def begin(self) -> HttpResponse:
        """With what stands, to be changed."""
        rows = filled.refill(bytes(self.kept.paper), self.kind) if self.kept else {}
        return self._ballot(rows)

    def edit(self) -> HttpResponse:
        """Back from the review."""
        return self._ballot(filled.refill(self._sent(), self.kind))

    def review(self) -> HttpResponse:
        names = [candidate.name for candidate in self.fixed.candidates]
        found = filled.read(self.request.POST, self.kind, names=names, most=self.most)
        if not found.is_sound:
            return self._ballot(found.rows, status=422, says_nothing=found.says_nothing)
        return self._review(found.paper)

    def cast(self) -> HttpResponse:
        vote = self._sent()
        try:
            receipt = actions.cast_confidential(
                actor=signed_in(self.request),
                entry=self.entry,
                vote=vote,
                words=self.request.POST.get("words", ""),
            )
        except Refusal as refusal:
            return self._review(vote, refused=str(refusal))
        record = json.dumps(receipt.as_record(), ensure_ascii=False)
        return self._shown(
            "receipt",
            lines=self._told(vote),
            receipt=receipt,
            record=record,
            as_file=f"data:application/json;charset=utf-8,{quote(record)}",
        )

    def _sent(self) -> bytes:
        """The paper that came back from the review; blank where it was tampered with."""
        try:
            vote = bytes.fromhex(self.request.POST.get("paper", ""))
            return self.fixed.read_paper(paper.write(vote))
        except (ValueError, PaperError):
            return paper.BLANK

    def _review(self, vote: bytes, refused: str = "") -> HttpResponse:
        words = self.request.POST.get("words", "")
        more = {"paper": vote.hex(), "words": words, "refused": refused}
        return self._shown("review", lines=self._told(vote), status=422 if refused else 200, **more)

    def _ballot(
        self, rows: dict[int, filled.Row], *, status: int = 200, says_nothing: bool = False
    ) -> HttpResponse:
        ballot = self.shown["ballot"]
        ballot["rows"] = [row | rows.get(row["place"], {}) for row in ballot["rows"]]
        ballot |= {"is_posted": True, "entry": self.entry.pk, "says_nothing": says_nothing}
        kept = self._told(bytes(self.kept.paper)) if self.kept else []
        return self._shown("ballot", kept_lines=kept, status=status)

    def _told(self, vote: bytes) -> list[str]:
        return told_paper.lines(vote, self.fixed)

    def _shown(self, step: str, *, status: int = 200, **more: Any) -> HttpResponse:
        contest = self.entry.contest
        context = {
            "election": contest.election,
            "contest": contest,
            "entry": self.entry,
            "choices": [(each, f"?entry={each.pk}", each == self.entry) for each in self.entries],
            "voters": len(self.fixed.roll),
            "step": step,
            "kept": self.kept,
            "fewest": line.FEWEST,
            "most_words": line.MOST,
            **self.shown,
            **more,
        }
        return render(self.request, PAGE, context, status=status)
