"""An election behind the page of a ballot, without the portal's own: registrar and box in memory.

`DESK` is what a test looks at and makes fail. The page is the component that the portal shows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import engines
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from governance.sealed import ballot, blind, board, envelope, manifest, paper, wire
from governance.sealed.wire import to_bytes, to_text
from governance.tests import sealed_election as made
from portal.urls import urlpatterns as portal_urls

CONTEST: Final = made.MEMBERS
PAGE: Final = "/test-election/vote/"
SHOWN: Final = (2, 0, 1)  # the order that was drawn
TEMPLATE: Final = """
{% extends "base.html" %}{% load static %}
{% block title %}Vote{% endblock %}
{% block head_extra %}
<script type="module" src="{% static "js/election/vote_page.js" %}"></script>{% endblock %}
{% block content %}<div class="page pagehead"><h1>Elect the board</h1></div>
<div class="page body">{% include "governance/elections/_vote.html" %}
<h2>What this can and cannot do</h2>
{% include "governance/elections/_threats.html" with voters=7 level="sealed" %}
</div>{% endblock %}
"""


@dataclass
class Desk:
    """The registrar, the box, and what they have seen."""

    private: made.Keys = field(default_factory=made.keys)
    method: str = "scottish-stv"
    failures: list[tuple[str, int, str]] = field(default_factory=list)  # (where, status, code)
    blinded: list[str] = field(default_factory=list)
    cast: list[bytes] = field(default_factory=list)  # as they came
    blocks: list[board.Block] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)  # that came with ballots
    receipts: Any = board.receipt
    is_told: bool = False  # by the page that the credential was given

    def __post_init__(self) -> None:
        self.election = made.made(self.private)
        contests = [replace(one, method=self.method) for one in self.election.contests]
        self.election = replace(self.election, contests=tuple(contests))
        self.text = manifest.write(self.election)

    def failure(self, where: str) -> JsonResponse | None:
        if not self.failures or self.failures[0][0] != where:
            return None
        _, status, code = self.failures.pop(0)
        return JsonResponse({"code": code, "message": ""}, status=status)

    @property
    def papers(self) -> list[bytes]:
        """What counts, opened as the scrutineers do."""
        contest = self.election.contest(CONTEST)
        found = []
        for one in ballot.standing([wire.read_ballot(line) for line in self.cast]):
            ballot.check(one, contest=contest.name, registrar=contest.registrar, size=contest.size)
            bound = ballot.bound_to(contest.name, one.pseudonym.point)
            text = envelope.open_envelope(one.envelope, key=self.private.election, bound=bound)
            found.append(paper.read(text, method=contest.method, candidates=3, seats=1))
        return found


DESK: list[Desk] = []


def page(request: HttpRequest) -> HttpResponse:
    desk = DESK[0]
    contest = desk.election.contest(CONTEST)
    kind = {"schulze": "ranks", "approval": "marks"}.get(desk.method, "order")
    rows = [{"place": n, "name": contest.candidates[n].name} for n in SHOWN]
    vote = {
        "election": desk.election.election,
        "contest": CONTEST,
        "number": 1,
        "manifest_url": "/test-election/manifest.json",
        "manifest_sha256": manifest.digest(desk.text),
        "credential_url": "/test-election/credential/",
        "ballots_url": "/test-election/ballots/",
        "board_url": "/test-election/blocks.jsonl",
        "sign_in_url": f"/accounts/login/?next={PAGE}",
        "client_url": "/vote.py",
        "closes": "15 Nov 2026, 12:00 UTC",
        "is_issued": desk.is_told and bool(desk.blinded),
    }
    shown = {"kind": kind, "title": "Members", "most": 3, "rows": rows, "prefix": "", "action": ""}
    template = engines["django"].from_string(TEMPLATE)
    return HttpResponse(template.render({"vote": vote, "ballot": shown}, request))


def served_manifest(request: HttpRequest) -> HttpResponse:
    return HttpResponse(DESK[0].text, content_type="application/json")


def credential(request: HttpRequest) -> HttpResponse:
    desk = DESK[0]
    if failed := desk.failure("credential"):
        return failed
    asked = json.loads(request.body)
    assert asked.keys() == {"contest", "number", "blinded"}
    if desk.blinded and desk.blinded[0] != asked["blinded"]:
        return JsonResponse({"code": "taken", "message": ""}, status=409)
    desk.blinded[:] = [asked["blinded"]]
    signed = blind.sign(made.registrar_key(asked["contest"]), to_bytes(asked["blinded"]))
    answer = JsonResponse({"blind_signature": to_text(signed)})
    return desk.failure("credential-answer") or answer


@csrf_exempt
def ballots(request: HttpRequest) -> HttpResponse:
    desk = DESK[0]
    desk.cookies += request.COOKIES
    if failed := desk.failure("ballots"):
        return failed
    found = wire.read_ballot(request.body)
    desk.cast.append(request.body)
    receipt = desk.receipts(desk.election.election, found.digest, desk.private.box)
    answer = JsonResponse({"digest": found.digest, "receipt": to_text(receipt)})
    return desk.failure("ballots-answer") or answer


def served_board(request: HttpRequest) -> HttpResponse:
    DESK[0].cookies += request.COOKIES
    lines = [wire.write_block(block) + b"\n" for block in DESK[0].blocks]
    return HttpResponse(b"".join(lines), content_type="application/jsonl")


urlpatterns = [
    path("test-election/blocks.jsonl", served_board),
    path("test-election/vote/", page),
    path("test-election/manifest.json", served_manifest),
    path("test-election/credential/", credential),
    path("test-election/ballots/", ballots),
    *portal_urls,
]
