"""What `backup` and `restore` refuse, and in which words."""

import datetime as dt
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import make_conninfo
from pytest_django import Settings

from portal.backup import BackupError, manifest, restoring
from portal.backup.manifest import Manifest

pytestmark = pytest.mark.django_db


def test_keys_are_not_written_without_a_pass_phrase(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="encrypted only"):
        call_command("backup", tmp_path / "copies")
    assert not (tmp_path / "copies").exists()


def test_what_is_asked_for_and_is_not_there_ends_the_run(tmp_path: Path) -> None:
    phrase = tmp_path / "phrase"
    phrase.write_text("a long pass phrase")
    words = [
        "--parts",
        "signer",
        "--passphrase-file",
        phrase,
        "--folder-of",
        f"signer={tmp_path}/x",
    ]
    with pytest.raises(CommandError, match="of the signer is not here"):
        call_command("backup", tmp_path / "copies", *words)


def test_a_short_pass_phrase_and_an_unknown_part_are_refused(tmp_path: Path) -> None:
    phrase = tmp_path / "phrase"
    phrase.write_text("short\n")
    with pytest.raises(CommandError, match="shorter than 12"):
        call_command("backup", tmp_path / "copies", "--passphrase-file", phrase)
    with pytest.raises(CommandError, match="is no part"):
        call_command("backup", tmp_path / "copies", "--parts", "everything")


def copy_of_nothing(store: Path, **fields: object) -> Path:
    folder = store / f"{dt.datetime(2026, 11, 22, tzinfo=dt.UTC):%Y-%m-%dT%H-%M-%S}Z"
    folder.mkdir(parents=True)
    told = Manifest("2026-11-22T00:00:00+00:00", "0.1.0", 18, ["files"], [], **fields)  # type: ignore[arg-type]
    (folder / "files.txt").touch()
    told.files = {"files.txt": manifest.sum_of(folder / "files.txt")}
    told.write(folder)
    return folder


def test_an_unfinished_copy_is_none(tmp_path: Path) -> None:
    copy = copy_of_nothing(tmp_path)
    assert restoring.newest(tmp_path) == copy
    (copy / "manifest.json").unlink()
    with pytest.raises(BackupError, match="no finished copy"):
        restoring.newest(tmp_path)


def test_a_damaged_copy_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    copy = copy_of_nothing(tmp_path)
    (copy / "files.txt").write_text("other bytes")
    with pytest.raises(CommandError, match="Nothing was restored"):
        call_command("restore", tmp_path)


def test_a_copy_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    copy_of_nothing(tmp_path, migrations=["lib.9999_of_the_future"])
    with pytest.raises(CommandError, match=r"newer version of the portal: lib\.9999"):
        call_command("restore", tmp_path)


def test_a_database_with_tables_is_in_the_way(tmp_path: Path, settings: Settings) -> None:
    settings.DATABASE_URL = make_conninfo(
        settings.DATABASE_URL, dbname=connection.settings_dict["NAME"]
    )
    copy_of_nothing(tmp_path, rows={"portal": {}})
    with pytest.raises(CommandError, match="database of the portal has tables"):
        call_command("restore", tmp_path)


def test_a_sound_copy_is_told_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy_of_nothing(tmp_path)
    call_command("restore", tmp_path, "--check")
    assert "sound; files of 2026-11-22" in capsys.readouterr().out
