"""Nothing in a bundle can be changed unseen, also by who makes everything else agree with it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest

from governance.recount import bundle, files
from governance.recount.bundle import SUMS, BundleError
from governance.recount.check import check
from governance.recount.code import FOLDER, PROGRAM, README
from governance.recount.parts import Left
from governance.tests import finished_election as finished
from governance.tests.finished_election import Files
from governance.tests.sealed_election import CONTRIBUTORS, NAME
from governance.tests.tampering import Path, altered, flipped, hidden, places

GONE = Left(CONTRIBUTORS, 1, "withdrew", "2026-11-10", "moved away")
# What somebody says and nobody could check by arithmetic: who got a signature, when and why
# somebody left. The sums name these files, and so does the published result.
SAID: dict[str, Callable[[Path], bool]] = {
    files.ISSUED: lambda _path: True,
    files.VOTED: lambda _path: True,
    files.LEFT: lambda path: path[-1] in {"on", "reason"},
}
Change = Callable[[Files, str, bytes], Files]
SIGNED = (files.MANIFEST, files.SIGNATURES, files.BLOCKS, files.BALLOTS, files.OPENING)


@pytest.fixture(scope="module", params=["sealed", "confidential"])
def texts(request: pytest.FixtureRequest) -> Files:
    made = finished.with_a_change().parts(left=(GONE,))
    if request.param == "confidential":
        made = finished.confidential()
    return finished.contents(made)


@pytest.fixture(scope="module")
def sealed() -> Files:
    return finished.contents(finished.with_a_change().parts(left=(GONE,)))


@pytest.fixture(scope="module")
def packed(sealed: Files) -> bytes:
    return bundle.pack(sealed, NAME)


def complaints(packed: bytes) -> list[str]:
    try:
        return check(bundle.unpack(packed)).faults
    except BundleError as error:
        return [str(error)]


def data_files(texts: Files) -> list[str]:
    return [name for name in texts if not name.startswith(FOLDER)]


# --- bytes ---


def test_a_flipped_byte_of_the_archive_is_found(packed: bytes) -> None:
    chosen = Random(7)
    at = [0, len(packed) - 1, *chosen.sample(range(len(packed)), 60)]
    assert [one for one in at if not complaints(flipped(packed, one, chosen.randrange(8)))] == []


@pytest.mark.proof
def test_every_byte_between_the_files_is_found(packed: bytes, sealed: Files) -> None:
    """All that no sum of a file speaks of: names, times, sizes, attributes, the directory."""
    between = _between(packed, sealed)
    assert len(between) > 80 * len(sealed)
    chosen = Random(8)
    unseen = [one for one in between if not complaints(flipped(packed, one, chosen.randrange(8)))]
    assert unseen == []


def _between(packed: bytes, sealed: Files) -> list[int]:
    inside: set[int] = set()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for info in archive.infolist():
            begin = info.header_offset + 30 + len(info.filename)
            inside |= set(range(begin, begin + info.file_size))
    return [one for one in range(len(packed)) if one not in inside]


@pytest.mark.proof
def test_a_flipped_byte_of_every_file_is_found_by_its_name(texts: Files) -> None:
    chosen = Random(9)
    for name, data in texts.items():
        for at in {0, len(data) - 1, chosen.randrange(len(data))} if data else ():
            found = check({**texts, name: flipped(data, at, chosen.randrange(8))}).faults
            assert found, f"byte {at} of {name}"
            assert name == SUMS or name in found[0]


def test_bytes_of_some_classes_are_found(texts: Files) -> None:
    """Below keys that are drawn: of the key, of a value, of a mark."""
    assert list(_unseen(texts, 1, _changed, some=6)) == []


@pytest.mark.proof
def test_bytes_of_every_class_are_found(texts: Files) -> None:
    assert list(_unseen(texts, 3, _changed)) == []


@pytest.mark.proof
def test_bytes_are_found_by_the_published_result_where_the_sums_were_made_anew(
    texts: Files,
) -> None:
    """Somebody has all sums agree, but for those in a result that others have read."""
    unseen = [*_unseen(texts, 1, _with_new_sums)]
    assert [one for one in unseen if one[0] not in {README, PROGRAM}] == []


@pytest.mark.proof
def test_bytes_of_what_is_signed_are_found_though_everything_else_agrees(sealed: Files) -> None:
    """The result too is made to agree: signatures, hashes and commitments alone are left."""
    assert list(_unseen(sealed, 2, hidden, of=SIGNED)) == []


def _changed(texts: Files, name: str, data: bytes) -> Files:
    return {**texts, name: data}


def _with_new_sums(texts: Files, name: str, data: bytes) -> Files:
    return bundle.summed({**texts, name: data}) if name != SUMS else {**texts, name: data}


def _unseen(
    texts: Files,
    most: int,
    change: Change,
    *,
    some: int | None = None,
    of: Sequence[str] | None = None,
) -> Iterator[tuple[str, int, int]]:
    """Flipped bits of which no check says anything; `most` in each class of a file."""
    chosen = Random(10)
    for name in of or data_files(texts):
        at = list(places(texts[name], chosen, most))
        for one in at if some is None else chosen.sample(at, min(some, len(at))):
            bit = chosen.randrange(8)
            if not check(change(texts, name, flipped(texts[name], one, bit))).faults:
                yield name, one, bit


# --- values ---


def test_some_other_values_are_found_though_everything_that_nobody_signed_agrees(
    texts: Files,
) -> None:
    assert _unseen_values(texts, some=8) == []


@pytest.mark.proof
def test_every_other_value_is_found_though_everything_that_nobody_signed_agrees(
    texts: Files,
) -> None:
    """Each value of each document, one after another; but for what is only said."""
    assert _unseen_values(texts) == []


def _unseen_values(texts: Files, some: int | None = None) -> list[tuple[str, Path]]:
    chosen, unseen = Random(11), []
    for name in data_files(texts):
        if not name.endswith((".json", ".jsonl")):
            continue
        others = list(altered(texts[name], name))
        for path, data in others if some is None else chosen.sample(others, min(some, len(others))):
            said = name in SAID and SAID[name](path)
            if not said and not check(hidden(texts, name, data)).faults:
                unseen.append((name, path))
    return unseen


def test_every_value_is_found_by_the_sums_and_by_the_published_result(texts: Files) -> None:
    """What is only said as well."""
    for name in (files.ISSUED, files.VOTED, files.LEFT):
        for path, data in altered(texts[name], name) if name in texts else ():
            found = check({**texts, name: data}).faults
            assert found[0] == f"{name} is not the file that {SUMS} names: it was changed"
            anew = check(bundle.summed({**texts, name: data})).faults
            assert anew, path
            if "cannot be" not in " ".join(anew):
                assert any(f"result.json: inputs.{name} says" in fault for fault in anew), path


@pytest.mark.proof
def test_every_other_value_of_the_result_is_named_by_its_field(texts: Files) -> None:
    for path, data in altered(texts[files.RESULT], files.RESULT):
        faults = check(bundle.summed({**texts, files.RESULT: data})).faults
        field = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)[1:]
        assert len(faults) == 1, path
        assert faults[0].startswith(f"{files.RESULT}: {field}"), faults


# --- files ---


def test_a_file_that_is_missing_is_named(texts: Files) -> None:
    for name in texts:
        without = {each: data for each, data in texts.items() if each != name}
        assert f"{name} is missing" in check(without).faults
        if not name.startswith(FOLDER) and name != SUMS:
            assert f"{name} is missing" in check(bundle.summed(without)).faults


def test_a_file_that_was_added_is_named(texts: Files) -> None:
    more = {**texts, "note.txt": b"I was here"}
    assert check(more).faults[0] == "note.txt does not belong here"
    assert check(bundle.summed(more)).faults == ["note.txt belongs to no bundle of this kind"]


def test_files_that_changed_their_places_are_named(texts: Files) -> None:
    names = data_files(texts)
    for one, other in pairwise(names):
        found = check({**texts, one: texts[other], other: texts[one]}).faults
        assert any(fault.startswith(one) for fault in found)
        if not {one, other} <= {README, PROGRAM, SUMS}:
            assert check(bundle.summed({**texts, one: texts[other], other: texts[one]})).faults


def test_an_archive_that_was_packed_anew_is_refused(sealed: Files) -> None:
    anew = io.BytesIO()
    with zipfile.ZipFile(anew, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sealed.items():
            archive.writestr(f"{NAME}/{name}", data)
    assert "not as it was packed" in complaints(anew.getvalue())[0]


@pytest.mark.parametrize("junk", [b"", b"PK", b"\x00" * 100, b"PK\x05\x06" + bytes(18)])
def test_what_is_no_archive_is_refused(junk: bytes) -> None:
    with pytest.raises(BundleError):
        bundle.unpack(junk)


def test_nothing_at_all_is_told_as_such() -> None:
    assert check({}).faults[:2] == ["SHA256SUMS is missing", "manifest.json is missing"]


@pytest.mark.parametrize("junk", [b"", b"[]", b"{}", b"null", b"\xff", b"[" * 10**5, b'"\\ud800"'])
def test_garbage_in_any_file_is_a_fault_and_no_accident(texts: Files, junk: bytes) -> None:
    for name in data_files(texts):
        report = check(hidden(texts, name, junk) if name != SUMS else {**texts, SUMS: junk})
        if name not in {README, PROGRAM} and texts[name] != junk:
            assert report.faults or (name, junk) in EMPTY, (name, junk)


EMPTY = {(files.LEFT, b"[]")}
