"""Files of a copy: each content once, nothing that is damaged, nothing outside its folder."""

import hashlib
from pathlib import Path

import pytest

from portal.backup import BackupError, seal
from portal.backup.contents import (
    Contents,
    Line,
    check,
    gather,
    put_back,
    read_list,
    write_list,
)
from portal.backup.manifest import Sum


def blob(folder: Path, content: bytes, name: str = "") -> Path:
    name = name or hashlib.sha256(content).hexdigest()
    path = folder / "blobs" / name[:2] / name[2:4] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "releases"
    blob(folder, b"one")
    blob(folder, b"two")
    (folder / "uploads").mkdir()
    (folder / "uploads/0b1e6f52-0000-4000-8000-000000000000.part").write_bytes(b"half")
    (folder / "uploads/scratch-x1").write_bytes(b"for a moment")
    return folder


def test_contents_and_uploads_are_copied_and_what_is_for_a_moment_is_not(
    store: Path, tmp_path: Path
) -> None:
    contents = Contents(tmp_path / "contents")
    paths = {line.path.rpartition("/")[2] for line in gather({"releases": store}, contents)}
    assert len(paths) == 3
    assert "scratch-x1" not in paths


def test_a_content_that_is_there_is_not_copied_again(store: Path, tmp_path: Path) -> None:
    contents = Contents(tmp_path / "contents")
    first = list(gather({"releases": store}, contents))
    kept = [contents.path(line.sum.sha256).stat().st_ino for line in first]
    again = list(gather({"releases": store}, contents))
    assert again == first
    assert [contents.path(line.sum.sha256).stat().st_ino for line in again[:2]] == kept[:2]


def test_a_file_that_is_not_what_its_name_says_ends_the_copy(store: Path, tmp_path: Path) -> None:
    blob(store, b"flipped", name="0" * 64)
    with pytest.raises(BackupError, match="is damaged"):
        list(gather({"releases": store}, Contents(tmp_path / "contents")))
    assert list((tmp_path / "contents").glob("draft-*")) == []


def test_files_come_back_under_their_names(store: Path, tmp_path: Path) -> None:
    contents = Contents(tmp_path / "contents")
    lines = list(gather({"releases": store}, contents))
    write_list(tmp_path / "files.txt", lines)
    assert list(read_list(tmp_path / "files.txt")) == lines
    assert put_back(contents, lines, {"releases": tmp_path / "back"}) == 3
    found = {path.read_bytes() for path in (tmp_path / "back").rglob("*") if path.is_file()}
    assert found == {b"one", b"two", b"half"}


def test_damaged_and_missing_contents_are_named(store: Path, tmp_path: Path) -> None:
    contents = Contents(tmp_path / "contents")
    lines = list(gather({"releases": store}, contents))
    assert list(check(contents, lines)) == []
    contents.path(lines[0].sum.sha256).write_bytes(b"0ne")
    contents.path(lines[1].sum.sha256).unlink()
    assert sorted(text.rpartition(" is ")[2] for text in check(contents, lines)) == [
        "damaged",
        "missing",
    ]


def test_no_list_leads_out_of_the_folder(tmp_path: Path) -> None:
    write_list(tmp_path / "files.txt", [Line("releases", "../secrets", Sum("0" * 64, 1))])
    with pytest.raises(BackupError):
        list(read_list(tmp_path / "files.txt"))


def test_what_no_copy_names_is_forgotten(store: Path, tmp_path: Path) -> None:
    contents = Contents(tmp_path / "contents")
    first, *others = list(gather({"releases": store}, contents))
    assert contents.forget_all_but({first.sum.sha256}) == len(others)
    assert contents.path(first.sum.sha256).exists()


def test_a_sealed_folder_opens_with_its_pass_phrase_alone(tmp_path: Path) -> None:
    folder = tmp_path / "signer"
    (folder / "keys").mkdir(parents=True)
    (folder / "keys/secret.pem").write_bytes(b"a key")
    (folder / "log-000001.jsonl").write_bytes(b"a line\n")
    (folder / "lock").touch()
    files = seal.folder_files(folder)
    assert list(files) == ["folder/keys/secret.pem", "folder/log-000001.jsonl"], "the log is last"
    path = tmp_path / "signer.pgp"
    path.write_bytes(seal.sealed(files, "a long phrase"))
    assert b"a key" not in path.read_bytes()
    with pytest.raises(BackupError, match="does not open"):
        seal.opened(path, "another phrase")
    seal.put_folder(seal.opened(path, "a long phrase"), tmp_path / "back")
    secret = tmp_path / "back/keys/secret.pem"
    assert secret.read_bytes() == b"a key"
    assert secret.stat().st_mode & 0o777 == 0o600
