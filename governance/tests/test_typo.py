"""Slips of spelling: reported by anybody, decided by another, shown beside the text."""

import pytest
from django.db import IntegrityError, transaction

from governance.actions.typo import decide_typo, report_typo
from governance.models import Body, Typo, Version
from governance.refusals import NotAllowed, Refusal
from governance.tests.bylaws import make_bylaws, make_version
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def version(board: Body) -> Version:
    return make_version(make_bylaws(board))


@shared
def typo(version: Version, charlie: User) -> Typo:
    return report_typo(
        actor=charlie, version=version, clause="c4.2", wrong="come form", right="come from"
    )


def clause(version: Version, anchor: str) -> str:
    fresh = Version.objects.get(pk=version.pk)
    return next(item.text for item in fresh.items() if item.anchor == anchor)


def test_an_officer_accepts_and_pages_show_it_corrected(
    version: Version, typo: Typo, frank: User
) -> None:
    assert "come form" in clause(version, "c4.2")
    decide_typo(actor=frank, typo=typo, accept=True)
    assert "come from" in clause(version, "c4.2")
    fresh = Version.objects.get(pk=version.pk)
    assert "come form" in fresh.text
    assert [each.pk for each in Typo.objects.accepted()] == [typo.pk]


def test_what_was_corrected_later_is_not_in_an_earlier_day(
    version: Version, typo: Typo, frank: User
) -> None:
    decide_typo(actor=frank, typo=typo, accept=True, at=START + DAY)
    fresh = Version.objects.get(pk=version.pk)
    assert "come form" in str(fresh.items(START))
    assert "come from" in str(fresh.items(START + DAY))


def test_declined_with_a_reason(version: Version, typo: Typo, frank: User) -> None:
    with pytest.raises(Refusal, match="Say why"):
        decide_typo(actor=frank, typo=typo, accept=False, reason=" ")
    decided = decide_typo(actor=frank, typo=typo, accept=False, reason="It is a name.")
    assert (decided.is_accepted, decided.reason) == (False, "It is a name.")
    with pytest.raises(Refusal, match="decided already"):
        decide_typo(actor=frank, typo=typo, accept=True)


def test_nobody_decides_what_they_reported(version: Version, frank: User) -> None:
    own = report_typo(
        actor=frank, version=version, clause="c4.2", wrong="come form", right="come from"
    )
    with pytest.raises(NotAllowed, match="Another officer decides"):
        decide_typo(actor=frank, typo=own, accept=True)


def test_a_stranger_decides_nothing(typo: Typo, alice: User, directors: list[User]) -> None:
    with pytest.raises(NotAllowed, match="Staff and the officers"):
        decide_typo(actor=alice, typo=typo, accept=True)
    assert decide_typo(actor=directors[0], typo=typo, accept=True).is_accepted  # Ada is chair


def test_a_change_of_meaning_is_refused(version: Version, charlie: User) -> None:
    with pytest.raises(Refusal, match="A figure is never a typo"):
        report_typo(actor=charlie, version=version, clause="c4.3", wrong="two", right="2")
    with pytest.raises(Refusal, match="decide what a clause means"):
        report_typo(actor=charlie, version=version, clause="c4.2", wrong="No more", right="More")


def test_the_same_slip_waits_once(version: Version, typo: Typo, alice: User) -> None:
    with pytest.raises(Refusal, match="Somebody reported it already"):
        report_typo(
            actor=alice, version=version, clause="c4.2", wrong="come form", right="come fro"
        )


def test_the_database_keeps_what_was_decided(typo: Typo, frank: User) -> None:
    decide_typo(actor=frank, typo=typo, accept=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Typo.objects.filter(pk=typo.pk).update(right="come fram")
    with pytest.raises(IntegrityError), transaction.atomic():
        typo.delete()


def test_words_over_the_end_of_a_line_are_found_as_the_page_shows_them(
    board: Body, charlie: User, frank: User
) -> None:
    text = "## 4. Board\n\n4.1 Officers who\nare no directers have\nno vote.\n"
    version = make_version(make_bylaws(board), text)
    told = "who are no directers have no"
    typo = report_typo(
        actor=charlie,
        version=version,
        clause="c4.1",
        wrong=told,
        right="who are no directors have no",
    )
    assert typo.wrong == "who\nare no directers have\nno"
    decide_typo(actor=frank, typo=typo, accept=True)
    assert clause(version, "c4.1") == "Officers who\nare no directors have\nno vote."


def test_words_that_become_fewer_lose_the_end_of_their_line(board: Body, charlie: User) -> None:
    version = make_version(make_bylaws(board), "## 4. Board\n\n4.1 The the\nboard meets.\n")
    typo = report_typo(
        actor=charlie, version=version, clause="c4.1", wrong="The the board", right="The board"
    )
    assert (typo.wrong, typo.right) == ("The the\nboard", "The board")
    with pytest.raises(Refusal, match="does not read so"):
        report_typo(actor=charlie, version=version, clause="c4.1", wrong="no such", right="none")
