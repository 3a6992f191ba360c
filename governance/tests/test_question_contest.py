"""A question to voters, from its draft to its result: sealed, with the real registrar and box."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from governance import clock as portal_clock
from governance.actions.candidacy import nominate
from governance.actions.election import ContestPlan, announce_election, edit_election
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.actions.election_result import declare_election
from governance.box.office import Office as BoxOffice
from governance.demonstrations.ceremony import Ceremony, credential
from governance.elections import stages
from governance.models import Body, Contest, Election, RollEntry, SeatTerm
from governance.recount import bundle
from governance.recount.check import check
from governance.refusals import Refusal
from governance.registrar.office import Office as RegistrarOffice
from governance.tests import elections as made
from governance.tests import offices
from governance.tests.conftest import DAY, HOUR, START, make_seat
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
CONTEST = "2026-board/contributors"
YES, NO, ABSTAIN = (0,), (1,), ()


@shared
def officer() -> User:
    return made.make_officer()


@dataclass
class Held:
    """A question with five voters, and the offices that take their votes."""

    ceremony: Ceremony
    registrar: RegistrarOffice
    box: BoxOffice
    clock: offices.Clock

    @property
    def election(self) -> Election:
        return Election.objects.get()

    def answer(self, *answers: tuple[int, ...]) -> Election:
        """Everybody says something, in the order of the roll; then it is counted."""
        self.ceremony.freeze(self.registrar, self.box)
        entries = RollEntry.objects.standing().filter(contest__election=self.election)
        for entry, said in zip(entries.order_by("number"), answers, strict=False):
            credential(entry, self.registrar, made.OPENS).cast(self.box, *said)
        self.clock.now = made.CLOSES
        assert close_due(box=self.box, at=made.CLOSES) == 1
        self.ceremony.election.refresh_from_db()
        self.ceremony.tell(at=made.CLOSES)
        assert count_due(registrar=self.registrar, box=self.box, at=made.CLOSES) == 1
        return self.election


@pytest.fixture
def held(
    board: Body, officer: User, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Held]:
    election = made.make_question(board, officer, **getattr(request, "param", {}))
    for name in ("cora", "carl", "cleo", "cyra", "cyd"):
        made.make_contributor(name)
    made.draw(election)
    ceremony = made.make_ceremony(election, officer)
    ceremony.make_keys()
    ceremony.split()
    clock = offices.Clock(now=made.OPENS)
    offices.keep_registrar_keys(tmp_path, [CONTEST])
    with (
        offices.registrar(tmp_path, clock) as registrar,
        offices.ballot_box(tmp_path, clock) as box,
    ):
        yield Held(ceremony, registrar, box, clock)


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("answers", "said", "carried"),
    [
        ((YES, YES, NO, ABSTAIN), f"Carried: {made.PROPOSAL}", True),
        ((YES, YES, YES, NO, NO), f"Not carried: {made.PROPOSAL}", False),  # two thirds are needed
        ((ABSTAIN,), f"Not carried: {made.PROPOSAL}", False),
    ],
)
def test_a_question_is_answered_counted_and_recounted(
    held: Held, client: Client, answers: tuple[tuple[int, ...], ...], said: str, carried: bool
) -> None:
    election = held.answer(*answers)
    page = text(client, f"{HERE}result/")
    assert said in page
    assert (f"So it stays as it is: {made.DEFAULT}." in page) is not carried
    assert "Counted with those who left" not in page
    report = check(bundle.unpack(bytes(election.count.bundle)))
    assert report.faults == []
    assert report.outcome is not None
    told = report.outcome.contest(CONTEST)
    assert (told.took_part, told.blank) == (len(answers), answers.count(ABSTAIN))
    assert told.elected == ((0,) if carried else (1,))
    for kind in ("blt", "csv", "preflib"):
        assert made.PROPOSAL in text(client, f"{HERE}result/contributors/papers.{kind}")
    assert client.get(f"{HERE}result/contributors/stages.csv").status_code == 404


@pytest.mark.parametrize("held", [{"quorum_percent": 50}], indirect=True)
def test_without_its_quorum_nothing_is_decided(held: Held, client: Client) -> None:
    held.answer(YES, YES)
    page = text(client, f"{HERE}result/")
    assert "Nothing is decided: too few took part" in page
    assert "Counted with those who left" not in page


def test_an_answer_seats_nobody(held: Held) -> None:
    election = held.answer(YES)
    terms = SeatTerm.objects.count()
    declare_election(actor=held.ceremony.runs, election=election, at=made.COMPLAINTS_END)
    assert held.election.state == "declared"
    assert SeatTerm.objects.count() == terms


def test_the_manifest_has_both_answers_the_ratio_and_the_text(held: Held) -> None:
    held.ceremony.freeze(held.registrar, held.box)
    contest = json.loads(held.election.manifest)["contests"][0]
    assert (contest["method"], contest["seats"], contest["ratio"]) == ("yes-no", 1, [2, 1])
    assert [one["name"] for one in contest["candidates"]] == [made.PROPOSAL, made.DEFAULT]
    assert len({one["statement_sha256"] for one in contest["candidates"]}) == 2


def test_the_ballot_has_yes_before_no_for_everybody(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.ceremony.freeze(held.registrar, held.box)
    monkeypatch.setattr(portal_clock, "now", lambda at=None: at or made.OPENS + HOUR)
    for entry in RollEntry.objects.all():
        page = text(sign_in(entry.voter), f"{HERE}vote/")
        assert page.index(f"Yes: {made.PROPOSAL}") < page.index(f"No: {made.DEFAULT}")
        assert page.count('type="radio"') == 2
        assert "was drawn for you" not in page


def test_its_page_has_the_question_and_no_nominations(
    board: Body, officer: User, client: Client, charlie: User
) -> None:
    election = made.make_question(board, officer)
    page = text(client, HERE)
    assert "At least" not in page
    for said in (made.PROPOSAL, made.DEFAULT, "<strong>All</strong>", "at least 2 say yes"):
        assert said in page
    assert "Nominations" not in page
    assert "Nobody stands" not in page
    assert stages.stage(election, START).word == "Announced"
    with pytest.raises(Refusal, match="nobody stands"):
        nominate(actor=charlie, contest=election.contests.get(), nominee=charlie, at=START)
    data = json.loads(text(client, HERE.removesuffix("/") + ".json"))
    assert data["calendar"][0]["window"] == "record"
    contest = data["contests"][0]
    assert (contest["seats"], contest["question"]["ratio"]) == (0, [2, 1])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"proposal": ""}, "says what is without it"),
        ({"default_option": ""}, "says what is without it"),
        ({"default_option": made.PROPOSAL}, "says what is without it"),
        ({"places": 2}, "says what is without it"),
        ({"ratio_no": 0}, "numbers from 1"),
    ],
)
def test_half_a_question_is_refused(
    board: Body, officer: User, fields: dict[str, object], why: str
) -> None:
    draft = made.make_draft(board, officer)
    whole = {"proposal": made.PROPOSAL, "default_option": made.DEFAULT}
    plan = ContestPlan({"constituency": "members", "method": "yes-no", **whole, **fields})
    with pytest.raises(ValidationError, match=why):
        edit_election(actor=officer, election=draft, changed={}, contests=[plan], at=START)


def test_a_question_is_drafted_and_changed_in_the_form(board: Body, officer: User) -> None:
    desk, made_seat = sign_in(officer), make_seat(board, 31, constituency="members")
    made.make_draft(board, officer)
    sent = {
        **desk.get(f"{HERE}edit/").context["form"].initial,
        **{name: getattr(Election.objects.get(), name) for name in made.TIMES},
        "shares_needed": 2,
        "members-included": "on",
        "members-method": "yes-no",
        "members-places": "9",
        "members-seats": [made_seat.pk],
        "members-quorum_percent": "0",
        "members-ratio_yes": "3",
        "members-ratio_no": "2",
    }
    sent = {name: value for name, value in sent.items() if value not in (None, False, "")}
    answer = desk.post(f"{HERE}edit/", sent)
    assert answer.status_code == 422
    for said in ("Write what is proposed.", "Write what is if the proposal fails."):
        assert said in answer.content.decode()
    same = sent | {"members-proposal": "Merge", "members-default_option": "Merge"}
    assert "This is what is proposed" in desk.post(f"{HERE}edit/", same).content.decode()
    right = same | {"members-default_option": "Leave it"}
    for name in ("nominations_open_at", "nominations_close_at"):
        del right[name]
    answer = desk.post(f"{HERE}edit/", right)
    assert answer.status_code == 302
    election = Election.objects.get()
    assert election.nominations_close_at == election.objections_close_at
    electing = right | {"members-method": "meek-stv", "members-places": "1"}
    assert "nominations_open_at" in desk.post(f"{HERE}edit/", electing).context["form"].errors
    contest = Contest.objects.get()
    assert (contest.places, contest.seats.count(), contest.ratio_yes) == (1, 0, 3)
    page = text(desk, f"{HERE}edit/")
    assert "Leave it" in page


def test_what_is_asked_has_no_dates_of_nominations_to_move(board: Body, officer: User) -> None:
    election, desk = made.make_question(board, officer), sign_in(officer)
    page = desk.get(f"{HERE}edit/")
    assert "nominations_open_at" not in page.content.decode()
    sooner = {name: getattr(election, name) - DAY for name in made.TIMES if "nomin" not in name}
    sent = {**page.context["form"].initial, **sooner}
    sent = {name: value for name, value in sent.items() if value not in (None, False, "")}
    assert desk.post(f"{HERE}edit/", sent).status_code == 302
    election.refresh_from_db()
    assert election.opens_at == made.OPENS - DAY
    assert election.nominations_close_at <= election.opens_at


def test_it_waits_for_no_nominations(board: Body, officer: User) -> None:
    election = made.make_question(board, officer)
    Election.objects.filter(pk=election.pk).update(state="draft", announced_at=None)
    announced = announce_election(actor=officer, election=election, at=made.NOMINATIONS_END)
    assert announced.state == "announced"
