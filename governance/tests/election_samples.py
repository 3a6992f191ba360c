"""Where a page of each view of elections stands, with the demonstration data loaded."""

from collections.abc import Callable

from django.urls import reverse

from governance.demonstrations.elections import ANNOUNCED
from governance.models import Candidacy, Complaint, Objection


def _of_election(name: str, *more: object) -> Callable[[], str]:
    return lambda: reverse(f"governance:{name}", args=[ANNOUNCED, *more])


def _of_row(name: str, row: Callable[[], Candidacy | Objection | Complaint]) -> Callable[[], str]:
    return lambda: reverse(f"governance:{name}", args=[ANNOUNCED, row().pk])


def _unanswered() -> Candidacy:
    found = Candidacy.objects.filter(contest__election__name=ANNOUNCED)
    return found.filter(accepted_at__isnull=True, left_at__isnull=True)[0]


def _standing() -> Candidacy:
    return Candidacy.objects.filter(contest__election__name=ANNOUNCED).standing()[0]


def _objection() -> Objection:
    return Objection.objects.filter(contest__election__name=ANNOUNCED)[0]


def _complaint() -> Complaint:
    return Complaint.objects.filter(election__name=ANNOUNCED)[0]


def _objecting() -> str:
    path = reverse("governance:roll_object", args=[ANNOUNCED, "contributors"])
    entry = _objection().contest.roll.standing()[0]
    return f"{path}?kind=remove&key={entry.key}"


SAMPLES: dict[str, Callable[[], str]] = {
    "governance:elections_feed": lambda: reverse("governance:elections_feed", args=["atom"]),
    "governance:election": _of_election("election"),
    "governance:election_json": _of_election("election_json"),
    "governance:election_ics": _of_election("election_ics"),
    "governance:election_edit": _of_election("election_edit"),
    "governance:election_announce": _of_election("election_announce"),
    "governance:election_cancel": _of_election("election_cancel"),
    "governance:election_letters": _of_election("election_letters"),
    "governance:nominate": _of_election("nominate", "contributors"),
    "governance:candidacy": _of_row("candidacy", _standing),
    "governance:candidacy_answer": _of_row("candidacy_answer", _unanswered),
    "governance:candidacy_second": _of_row("candidacy_second", _standing),
    "governance:candidacy_leave": _of_row("candidacy_leave", _standing),
    "governance:candidacy_disqualify": _of_row("candidacy_disqualify", _standing),
    "governance:election_roll": _of_election("election_roll", "contributors"),
    "governance:own_standing": _of_election("own_standing"),
    "governance:roll_object": _objecting,
    "governance:objection": _of_row("objection", _objection),
    "governance:complaints": _of_election("complaints"),
    "governance:complaint": _of_row("complaint", _complaint),
}
