"""What the page of a ballot shows to a voter."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections import options
from governance.elections.options import Option
from governance.models import Contest, Credential, Election, RollEntry

KINDS = {Contest.Method.SCHULZE: "ranks"}
KINDS |= dict.fromkeys(
    (Contest.Method.APPROVAL, Contest.Method.PLURALITY, Contest.Method.QUESTION), "marks"
)
ONE_OF_THEM = {Contest.Method.PLURALITY, Contest.Method.QUESTION}  # not more marks than seats


def not_to_vote(election: Election, entries: Sequence[RollEntry], at: datetime) -> str:
    """Why there is no ballot for the person now, in words."""
    if election.state == Election.State.FROZEN and at < election.opens_at:
        return _("Voting opens on %(when)s.") % {"when": in_words(election.opens_at)}
    if at >= election.closes_at:
        return _("Voting closed on %(when)s.") % {"when": in_words(election.closes_at)}
    if not election.takes_votes(at):
        return _("Voting is not open.")
    return _("You are not on the roll of this election. Its page says why.")


def page_of(entry: RollEntry, *, shown_to: str) -> dict[str, Any]:
    """`vote` and `ballot` as the templates of the ballot have them. The order of candidates is
    drawn for each voter and stays the same for them; yes stands before no for everybody.
    """
    contest = entry.contest
    election = contest.election
    rows = options.on_the_ballot(contest)
    if not contest.is_question:
        rows = sorted(rows, key=lambda one: _lot(shown_to, contest, one))
    name = election.name
    return {
        "vote": {
            "election": name,
            "contest": contest.id_on_the_board,
            "number": entry.number,
            "manifest_url": reverse("governance:election_manifest", args=[name]),
            "manifest_sha256": election.manifest_sha256,
            "credential_url": reverse("governance:credential", args=[name]),
            "ballots_url": reverse("governance:ballots", args=[name]),
            "board_url": reverse("governance:election_blocks", args=[name]),
            "sign_in_url": _sign_in_url(name),
            "client_url": reverse("governance:vote_client"),
            "closes": in_words(election.closes_at),
            "is_issued": Credential.objects.filter(entry=entry).exists(),
        },
        "ballot": {
            "title": contest.title,
            "kind": KINDS.get(Contest.Method(contest.method), "order"),
            "most": contest.places if contest.method in ONE_OF_THEM else len(rows),
            "is_question": contest.is_question,
            "action": reverse("governance:vote", args=[name]),
            "rows": [_row(one) for one in rows],
        },
    }


def _row(one: Option) -> dict[str, Any]:
    return {
        "place": one.number,
        "name": one.name,
        "affiliation": one.affiliation,
        "statement": one.statement,
        "note": one.note,
    }


def _lot(shown_to: str, contest: Contest, one: Option) -> bytes:
    text = f"{shown_to}:{contest.id_on_the_board}:{one.number}"
    return hashlib.sha256(text.encode()).digest()


def _sign_in_url(name: str) -> str:
    return f"{reverse('account_reauthenticate')}?next={reverse('governance:vote', args=[name])}"
