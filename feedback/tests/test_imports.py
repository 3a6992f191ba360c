"""Archives of reports: read whole, once, and again from where an import stopped."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from feedback import archives, imports
from feedback.actions.batch import import_part
from feedback.archives import Item, UnusableError, from_line, items, sent
from feedback.management.commands import import_feedback
from feedback.models import ImportedPart, Incoming, Intake, Report, ServerWeek
from feedback.tests.clients import lines, multipart, post

PAST = timezone.now().replace(microsecond=0) - dt.timedelta(days=40)


class Here(Executor):
    """Does at once, in this process, what is asked of it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_feedback, "processes", lambda workers: Here())


def body(number: int) -> bytes:
    return multipart(lines({"VERSION": "10.11.9-MariaDB"}, f"imported-{number}"))


def line(number: int) -> bytes:
    text = lines({"VERSION": "10.11.9-MariaDB"}, f"imported-{number}").decode()
    return json.dumps({"at": PAST.isoformat(), "report": text}).encode() + b"\n"


def folder_of(path: Path, number: int) -> Path:
    folder = path / "reports" / "deep"
    folder.mkdir(parents=True)
    for each in range(number):
        file = folder / f"{each:04}.bin"
        file.write_bytes(body(each))
        os.utime(file, (PAST.timestamp(), PAST.timestamp()))
    return folder.parent


def tar_of(path: Path, number: int) -> Path:
    with tarfile.open(path / "reports.tar.gz", "w:gz") as archive:
        archive.add(folder_of(path, number), "reports")
    return path / "reports.tar.gz"


def lines_of(path: Path, number: int) -> Path:
    file = path / "reports.ndjson"
    file.write_bytes(b"".join(line(each) for each in range(number)))
    return file


def packed_lines_of(path: Path, number: int) -> Path:
    file = path / "reports.ndjson.gz"
    file.write_bytes(gzip.compress(b"".join(line(each) for each in range(number))))
    return file


def imported(*paths: Path) -> str:
    out, err = io.StringIO(), io.StringIO()
    call_command("import_feedback", *map(str, paths), "--workers=2", stdout=out, stderr=err)
    return out.getvalue() + err.getvalue()


@pytest.mark.parametrize("make", [folder_of, tar_of, lines_of, packed_lines_of])
def test_an_archive_of_any_kind_is_taken_in_on_its_own_days(
    db: None, here: None, tmp_path: Path, make: Callable[[Path, int], Path]
) -> None:
    path = make(tmp_path, 7)
    assert "7 reports taken in" in imported(path)
    assert ServerWeek.objects.filter(first_at=PAST).count() == 7
    assert "0 reports taken in" in (again := imported(path))
    assert "1 parts were there" in again
    assert Report.objects.count() == 7
    assert Intake.objects.get().reports == 7


def test_an_import_goes_on_where_it_stopped(
    db: None, here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "PART", 2)
    path = lines_of(tmp_path, 5)
    first = next(iter(archives.parts(items(path))))
    imports.import_items(archives.digest(path), 0, first)
    assert Report.objects.count() == 2
    said = imported(path)
    assert "3 reports taken in" in said
    assert "1 parts were there" in said
    assert Report.objects.count() == 5
    assert ImportedPart.objects.count() == 3


def test_a_part_is_taken_in_once_whoever_comes_second(db: None) -> None:
    assert import_part(archive=b"a", part=0, rows=[], at=PAST)
    assert not import_part(archive=b"a", part=0, rows=[], at=PAST)
    told = imports.import_items(b"a", 0, [])
    assert (told.parts, told.skipped) == (0, 1)
    assert not Incoming.objects.exists()


def test_the_same_report_in_two_archives_counts_once(db: None, here: None, tmp_path: Path) -> None:
    assert "2 reports taken in" in imported(lines_of(tmp_path, 2))
    (tmp_path / "b").mkdir()
    assert "3 reports taken in" in imported(packed_lines_of(tmp_path / "b", 3))
    assert Report.objects.count() == 3


def test_what_is_no_report_is_named_and_stops_nothing(db: None, here: None, tmp_path: Path) -> None:
    old = json.dumps({"at": "1999-01-01", "report": "VERSION\t5.1"}).encode() + b"\n"
    path = tmp_path / "mixed.ndjson"
    path.write_bytes(b"nonsense\n\n" + line(1) + b"x" * 600_000 + b"\n" + old + line(2))
    said = imported(path)
    assert "2 reports taken in" in said
    assert "3 unusable" in said
    assert "line 1: not a line" in said
    assert "older than what is kept" in said
    assert Report.objects.count() == 2


def test_wrong_archives_are_named(db: None, here: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="not there: "):
        imported(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="above zero"):
        call_command("import_feedback", str(tmp_path), "--workers=0")
    cut = tmp_path / "cut.ndjson.gz"
    cut.write_bytes(gzip.compress(line(1) * 1000)[:-20])
    with pytest.raises(CommandError, match="cannot be read to its end"):
        imported(cut)


def test_a_request_with_its_head_tells_its_date() -> None:
    request = post(body(1)).replace(b"Accept:", b"X-Report-Date: 2026-01-02\r\nAccept:")
    found = sent(Item("a", request, is_line=False, at=PAST))
    assert found.at == dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    assert found.body == body(1)
    assert sent(Item("a", post(body(1)), is_line=False, at=PAST)).at == PAST


@pytest.mark.parametrize(
    "content",
    [
        *(b"[]", b"7", b'{"report": 7}', b'{"report": "a", "at": 7}', b'{"report": "\\n"}', b"["),
        *(b'{"report": "a", "at": "0001-01-01T00:00+23:59"}', b"[" * 100_000),
        json.dumps({"report": "x" * (archives.LIMIT + 1)}).encode(),
    ],
)
def test_a_line_that_is_no_report_says_why(content: bytes) -> None:
    with pytest.raises(UnusableError):
        from_line(content)


@pytest.mark.parametrize("content", [b"", b"POST /rest/v1/post HTTP/1.0\r\n\r\n", b"x" * 300_000])
def test_a_file_that_is_no_report_says_why(content: bytes) -> None:
    with pytest.raises(UnusableError):
        sent(Item("a", content, is_line=False))


@pytest.mark.proof
def test_processes_share_an_archive(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real processes, each with its own connection to the database of this test."""
    values = connection.get_connection_params()
    place = "{user}:{password}@{host}:{port}/{dbname}".format(**values)
    monkeypatch.setenv("DATABASE_URL", f"postgresql://{place}")
    assert "2000 reports taken in" in imported(lines_of(tmp_path, 2_000))
    assert Report.objects.count() == 2_000
    assert not Incoming.objects.exists()
