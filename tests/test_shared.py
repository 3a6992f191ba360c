"""What `@shared` (tests/shared.py) promises: made once, seen by each test as it was made."""

from pathlib import Path

import pytest
from django.db import connection

from portal.members.models import Organisation
from tests.database import empty_what_has_rows
from tests.shared import shared

TURNS = pytest.mark.parametrize("turn", range(3))
made: list[str] = []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "papers"


@shared
def acme() -> Organisation:
    made.append("acme")
    return Organisation.objects.create(slug="acme", name="Acme")


@shared(keeps="folder")
def both(acme: Organisation, folder: Path) -> list[Organisation]:
    """Acme, which this renames, and Bolt; the folder holds a letter."""
    made.append("both")
    acme.name = "Acme and daughters"
    acme.save()
    folder.mkdir()
    (folder / "letter").write_text("Dear all")
    return [acme, Organisation.objects.create(slug="bolt", name="Bolt")]


def names() -> set[str]:
    return set(Organisation.objects.values_list("name", flat=True))


@TURNS
def test_a_row_is_made_once_and_every_test_finds_it_unchanged(
    acme: Organisation, turn: int
) -> None:
    assert (acme.name, names()) == ("Acme", {"Acme"})
    acme.name = f"Changed {turn}"
    acme.save()
    assert made == ["acme"]


@TURNS
def test_layers_lie_on_each_other_and_keep_their_files(
    acme: Organisation, both: list[Organisation], folder: Path, turn: int
) -> None:
    assert both[0] is acme
    assert names() == {"Acme and daughters", "Bolt"}
    letter = folder / "letter"
    assert letter.read_text() == "Dear all"
    letter.unlink()
    Organisation.objects.all().delete()
    assert made == ["acme", "both"]


def test_who_asks_for_nothing_sees_nothing(db: None) -> None:
    assert names() == set()


def test_who_commits_makes_it_alone(transactional_db: None, acme: Organisation) -> None:
    assert not connection.in_atomic_block
    assert made == ["acme", "both", "acme"]


def test_the_tables_are_emptied_after_who_commits(transactional_db: None) -> None:
    assert names() == set()
    Organisation.objects.create(slug="acme", name="Acme")
    empty_what_has_rows()
    assert names() == set()
