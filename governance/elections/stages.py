"""Where an election stands, and its calendar: what is done, what goes on, what comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.models import Election

State = Election.State


@dataclass(frozen=True, slots=True)
class Stage:
    """What is going on, in a word with its tone and in a sentence."""

    word: str
    tone: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Window:
    """A line of the calendar. Without an end it is a moment."""

    name: str
    title: str
    begins: datetime
    ends: datetime | None
    note: str

    def word(self, at: datetime) -> str:
        """`done`, `now` or `later`."""
        if at < self.begins:
            return "later"
        return "now" if self.ends is not None and at < self.ends else "done"


def stage(election: Election, at: datetime) -> Stage:
    """Where it stands at that moment; by its state, and while it is announced by its windows."""
    if election.state in _SETTLED:
        word, tone, sentence = _SETTLED[State(election.state)]()
        return Stage(word, tone, sentence % _named(election))
    if election.state == State.FROZEN:
        return _frozen(election, at)
    if not election.elects_people:
        text = _("A question is put to the voters. Voting opens on %(opens)s.")
        return Stage(_("Announced"), "info", text % _named(election))
    if election.takes_nominations(at):
        text = _("Nominations are open until %(nominations_close)s.")
        return Stage(_("Nominations open"), "solid", text % _named(election))
    if at < election.nominations_open_at:
        text = _("Nominations open on %(nominations_open)s.")
        return Stage(_("Announced"), "info", text % _named(election))
    text = _(
        "Nominations are over. Keys are made and everything is fixed before voting opens on "
        "%(opens)s."
    )
    return Stage(_("Being prepared"), "info", text % _named(election))


def _frozen(election: Election, at: datetime) -> Stage:
    named = _named(election)
    if election.takes_votes(at):
        return Stage(_("Voting open"), "solid", _("Votes are taken until %(closes)s.") % named)
    if at < election.opens_at:
        text = _("Everything is fixed and signed. Voting opens on %(opens)s.")
        return Stage(_("Frozen"), "info", text % named)
    return Stage(_("Voting over"), "info", _("The last ballots are being put on the board."))


_SETTLED: dict[State, Callable[[], tuple[str, str, str]]] = {
    State.DRAFT: lambda: (_("Draft"), "open", _("Only those who run elections read it.")),
    State.PREPARED: lambda: (
        _("Being signed"),
        "info",
        _("Two officers sign what is fixed. Voting opens on %(opens)s."),
    ),
    State.CLOSED: lambda: (
        _("Being counted"),
        "info",
        _("Voting is over. The ballots are opened and counted."),
    ),
    State.COUNTED: lambda: (
        _("Counted"),
        "good",
        _("The result is published. Complaints are taken until %(complaints)s."),
    ),
    State.DECLARED: lambda: (_("Declared"), "good", _("The result stands.")),
    State.CANCELLED: lambda: (_("Called off"), "bad", _("There will be no result.")),
}


def calendar(election: Election) -> list[Window]:
    """All windows and moments, in the order of their beginnings."""
    return sorted(_windows(election), key=lambda each: (each.begins, each.ends or each.begins))


def _windows(election: Election) -> Iterator[Window]:
    if election.elects_people:
        yield Window(
            "nominations",
            _("Nominations"),
            election.nominations_open_at,
            election.nominations_close_at,
            _("Who may vote puts people forward and seconds them; nominees accept or decline."),
        )
    yield Window(
        "record",
        _("Record date"),
        election.record_at,
        None,
        _("Who may vote at this moment is on the roll, which is shown from then on."),
    )
    yield Window(
        "objections",
        _("Objections to the roll"),
        election.record_at,
        election.objections_close_at,
        _("Somebody is missing, or stands there wrongly: say so in time."),
    )
    yield Window(
        "voting",
        _("Voting"),
        election.opens_at,
        election.closes_at,
        _("A vote can be changed until the end."),
    )
    yield Window(
        "complaints",
        _("Complaints about the result"),
        election.closes_at,
        election.complaints_close_at,
        _("Every complaint is answered in public before the result is declared."),
    )


def _named(election: Election) -> dict[str, str]:
    return {
        "nominations_open": in_words(election.nominations_open_at),
        "nominations_close": in_words(election.nominations_close_at),
        "opens": in_words(election.opens_at),
        "closes": in_words(election.closes_at),
        "complaints": in_words(election.complaints_close_at),
    }
