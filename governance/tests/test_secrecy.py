"""Nothing that is kept or said links a voter to a ballot: every table of the portal and of both
offices, every line of the logs, and every order in which rows could be read.

The offices' own tables are looked at closer in `test_box_order`.
"""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.test import Client
from psycopg import sql

from governance import clock as portal_clock
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.box.office import Office as BoxOffice
from governance.demonstrations.ceremony import Ceremony, Voter, voter
from governance.elections import offices as this_site
from governance.models import Body, Election, RollEntry
from governance.registrar.office import Office as RegistrarOffice
from governance.sealed import wire
from governance.sealed.wire import to_bytes, to_text
from governance.tests import elections as made
from governance.tests import offices
from governance.tests.conftest import HOUR, make_seat
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
CONTESTS = ("2026-board/contributors", "2026-board/members")
VOTERS = 12
Row = dict[str, str]


@dataclass
class Site:
    ceremony: Ceremony
    registrar: RegistrarOffice
    box: BoxOffice
    clock: offices.Clock

    @property
    def election(self) -> Election:
        return Election.objects.get()

    def rows(self) -> dict[str, list[Row]]:
        """Of all tables of the portal, the registrar and the box, with where each row lies."""
        found = _rows("portal", connection.connection)
        for name, office in (("registrar", self.registrar), ("box", self.box)):
            with office._database.read() as its:
                found |= _rows(name, its)
        return found


def _rows(whose: str, database: psycopg.Connection[tuple[object, ...]]) -> dict[str, list[Row]]:
    found = {}
    query = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    for (table,) in database.execute(query).fetchall():
        rows = sql.SQL("SELECT ctid, xmin, t.* FROM {} t ORDER BY ctid")
        cursor = database.execute(rows.format(sql.Identifier(str(table))))
        names = [column.name for column in cursor.description or []]
        found[f"{whose} {table}"] = [
            dict(zip(names, map(_text, row), strict=True)) for row in cursor
        ]
    return found


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


@pytest.fixture
def site(board: Body, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Voting is open for a dozen contributors."""
    officer = made.make_officer()
    election = made.make_election(board, officer)
    made.contest_of(election, "contributors").seats.set([make_seat(board, n) for n in (21, 22)])
    made.contest_of(election, "members").seats.set([make_seat(board, 23)])
    people = [made.make_contributor(f"voter{number:02}") for number in range(VOTERS)]
    _, owner = made.make_member("Acme")
    for person, friend in pairwise(people[:4]):
        made.put_forward(election, "contributors", person, seconded_by=friend)
    made.put_forward(election, "members", owner, seconded_by=made.make_member("Beta")[1])
    made.draw(election)
    ceremony = made.make_ceremony(election, officer)
    ceremony.make_keys()
    ceremony.split()
    offices.keep_registrar_keys(tmp_path, CONTESTS)
    clock = offices.Clock(now=made.OPENS)
    with (
        offices.registrar(tmp_path, clock) as registrar,
        offices.ballot_box(tmp_path, clock) as box,
    ):
        ceremony.freeze(registrar, box)
        monkeypatch.setattr(this_site, "registrar", lambda: registrar)
        monkeypatch.setattr(this_site, "ballot_box", lambda: box)
        monkeypatch.setattr(portal_clock, "now", lambda at=None: at or clock.now)
        yield Site(ceremony, registrar, box, clock)


def ask(entry: RollEntry) -> Voter:
    """As the browser of a member does who is signed in."""
    client = sign_in(entry.voter)

    def posted(blinded: bytes) -> bytes:
        asked = {"contest": CONTESTS[0], "number": entry.number, "blinded": to_text(blinded)}
        answer = client.post(f"{HERE}credential/", asked, content_type="application/json")
        assert answer.status_code == 200, answer.content
        return to_bytes(answer.json()["blind_signature"])

    return voter(entry, posted)


def cast(who: Voter, *places: int) -> str:
    """As that browser does without cookies; the digest of the ballot."""
    line = wire.write_ballot(who.ballot(*places))
    answer = Client().post(f"{HERE}ballots/", line, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return str(answer.json()["digest"])


def vote(site: Site) -> tuple[list[Voter], dict[str, Voter]]:
    """Everybody asks in one order and casts in another; two change their votes. The voters in the
    order of asking, and who cast what, in the order of casting.
    """
    chance = random.Random(11)
    entries = list(
        RollEntry.objects.standing().filter(
            contest__election=site.election, contest__constituency="contributors"
        )
    )
    chance.shuffle(entries)
    voters = [ask(entry) for entry in entries]
    casting = chance.sample(voters, len(voters))
    by_digest = {}
    for who in (*casting, *casting[:2]):
        by_digest[cast(who, chance.randrange(3))] = who
        site.clock.now += HOUR / 4
        site.box.tend()
    return voters, by_digest


def finish(site: Site) -> None:
    site.clock.now = made.CLOSES
    assert close_due(box=site.box, at=made.CLOSES) == 1
    site.ceremony.election.refresh_from_db()
    site.ceremony.tell(at=made.CLOSES)
    assert count_due(registrar=site.registrar, box=site.box, at=made.CLOSES + HOUR) == 1


def of_voter(who: Voter) -> re.Pattern[str]:
    """What names a voter: their name, their address."""
    user = who.entry.voter
    return re.compile(rf"\b{re.escape(user.email)}\b|\b{re.escape(user.name)}\b", re.IGNORECASE)


def of_ballots(by_digest: dict[str, Voter]) -> re.Pattern[str]:
    """What names a ballot: its digest, its pseudonym, the signature that lets the one vote."""
    words = [*by_digest]
    for who in set(map(id, by_digest.values())):
        found = next(each for each in by_digest.values() if id(each) == who).pseudonym
        words += [to_text(found.point), found.point.hex()]
        words += [to_text(found.signature), found.signature.hex()]
    return re.compile("|".join(map(re.escape, words)))


def test_no_row_and_no_line_names_a_voter_and_a_ballot(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    """While votes are cast. What is published in the end has the roll and the ballots, each in an
    order of its own: the next tests.
    """
    with caplog.at_level(logging.DEBUG):
        voters, by_digest = vote(site)
    ballot = of_ballots(by_digest)
    for table, rows in site.rows().items():
        holds_ballots = [row for row in rows if ballot.search(" ".join(row.values()))]
        if holds_ballots:
            assert table.startswith("box "), f"{table} knows a ballot before the close"
        for who in voters:
            name = of_voter(who)
            for row in holds_ballots:
                assert not name.search(" ".join(row.values())), (table, row)
    assert caplog.records, "something was logged, so that this can fail"
    for record in caplog.records:
        if record.name != "django.db.backends":
            said = record.getMessage() + " ".join(map(str, vars(record).values()))
            assert not ballot.search(said), record


def test_no_line_is_logged_where_a_ballot_is_cast(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    """Its time would be enough, beside that of another line."""
    who = ask(RollEntry.objects.standing().filter(contest__election=site.election)[0])
    with caplog.at_level(logging.INFO):
        cast(who, 0)
        refused = Client().post(f"{HERE}ballots/", b"{}", content_type="application/json")
    assert refused.status_code == 400
    assert caplog.records == []


def test_no_order_of_any_column_goes_from_voters_to_ballots(site: Site) -> None:
    """For every table that has a row for each voter, and every one that has a row for each ballot:
    whichever columns they are sorted by, the n-th of the one is not the n-th of the other.
    """
    voters, by_digest = vote(site)
    finish(site)
    last = {id(who): digest for digest, who in by_digest.items()}  # of those who changed it too
    of_people: dict[str, list[int]] = {}
    of_papers: dict[str, list[int]] = {}
    users = {str(who.entry.voter_id): id(who) for who in voters}
    entries = {str(who.entry.pk): id(who) for who in voters}
    numbers = {str(who.entry.number): id(who) for who in voters}
    papers = {digest: who for who, digest in last.items()}
    keys = {
        "user_id": users,
        "voter_id": users,
        "actor_id": users,
        "entry_id": entries,
        "number": numbers,
    }
    for table, rows in site.rows().items():
        for column in rows[0] if rows else ():
            for by, orders, names in (
                (keys.get(column, {}), of_people, "people"),
                (papers, of_papers, "papers"),
            ):
                ours = [row for row in rows if row[column] in by]
                if len({row[column] for row in ours}) == VOTERS:
                    for sort in ours[0]:
                        place = sorted(ours, key=lambda row, sort=sort: _place(row[sort]))  # type: ignore[misc]
                        order = list(dict.fromkeys(by[row[column]] for row in place))
                        orders[f"{names} of {table}.{column} by {sort}"] = order
    assert any("credential" in where for where in of_people), "the registrar's side was looked at"
    assert any("registrar issued" in where for where in of_people)
    assert any("box ballots" in where for where in of_papers), "and the box's"
    for where, order in of_people.items():
        for there, other in of_papers.items():
            assert order not in (other, other[::-1]), f"{where} goes as {there}"
    cast_in = list(dict.fromkeys(id(who) for who in by_digest.values()))
    for there, other in of_papers.items():
        assert other not in (cast_in, cast_in[::-1]), f"{there} goes as they were cast"


def _place(value: str) -> tuple[int, tuple[int, ...], str]:
    """Numbers, and pairs of them as in `ctid`, by their value; words by theirs."""
    if re.fullmatch(r"\(?\d+(,\d+)?\)?", value):
        return 0, tuple(map(int, value.strip("()").split(","))), ""
    return 1, (), value
