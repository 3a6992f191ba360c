"""What an APT repository says of itself."""

from __future__ import annotations

import datetime as dt

import pytest

from releases.repository import apt

DATE = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
FOUND = apt.Digests(9, "m" * 32, "", "s" * 64, "")


def listed() -> dict[str, apt.Listed]:
    path = apt.index_path("main/debug", "amd64")
    return {path: apt.Listed(20, "aa" * 32), f"{path}.gz": apt.Listed(7, "bb" * 32, "cc" * 16)}


def test_a_release_says_what_its_readers_need() -> None:
    text = apt.release(apt.Suite("O", "L", "c"), DATE, ["amd64", "arm64"], listed()).decode()
    assert "Date: Fri, 02 Jan 2026 03:04:05 GMT\n" in text
    assert "Architectures: amd64 arm64\nComponents: main main/debug\n" in text
    assert "Acquire-By-Hash: yes\n" in text
    assert "Valid-Until" not in text
    assert f" {'aa' * 32} 20 main/debug/binary-amd64/Packages\n" in text
    assert apt.read_listed(text)["main/debug/binary-amd64/Packages.gz"] == ("bb" * 32, 7)


def test_md5_stands_there_for_what_is_fetched_and_never_alone() -> None:
    text = apt.release(apt.Suite("O", "L", "c"), DATE, ["amd64"], listed()).decode()
    md5, sha256 = text.partition("MD5Sum:\n")[2].split("SHA256:\n")
    assert md5 == f" {'cc' * 16} 7 main/debug/binary-amd64/Packages.gz\n"
    assert sha256.count("\n") == 2


def test_a_release_may_say_until_when_it_is_good() -> None:
    until = DATE + dt.timedelta(days=7)
    text = apt.release(apt.Suite("O", "L", "c"), DATE, [], {}, valid_until=until).decode()
    assert apt.read_fields(text)["Valid-Until"] == "Fri, 09 Jan 2026 03:04:05 GMT"


def test_addresses_are_derived() -> None:
    assert apt.by_hash("main/x/Packages", "ab") == "main/x/by-hash/SHA256/ab"
    path = apt.pool_path("libpq", "libpq5", "2:1.0", "amd64")
    assert path == "pool/main/libp/libpq/libpq5_1.0_amd64.deb"


@pytest.mark.parametrize(
    ("name", "section", "component"),
    [
        ("exampledb-server", "database", "main"),
        ("exampledb-server-dbgsym", "", "main/debug"),
        ("exampledb-server-dbg", "debug", "main/debug"),
        ("symbols", "debug", "main/debug"),
        ("symbols", "non-free/debug", "main/debug"),
        ("exampledb-debuginfo", "", "main/debug"),
        ("exampledb-debugsource", "", "main/debug"),
        ("debug-tools", "devel", "main"),
    ],
)
def test_symbols_for_debuggers_have_their_component(
    name: str, section: str, component: str
) -> None:
    assert apt.component_of(name, section) == component


def test_a_stanza_is_read_as_it_was_written() -> None:
    control = "Package: a\nVersion: 1:2\nArchitecture: all\nDescription: x\n .\n Size: no field"
    text = apt.stanza(control, "pool/a.deb", FOUND)
    assert list(apt.read_stanzas(text * 2)) == 2 * [
        apt.Known("a", "1:2", "all", "pool/a.deb", 9, "s" * 64)
    ]


def test_a_stanza_without_a_digest_is_no_stanza() -> None:
    with pytest.raises(ValueError, match="lacks SHA256"):
        list(apt.read_stanzas(b"Package: a\nVersion: 1\nArchitecture: a\nFilename: f\nSize: 1\n\n"))


@pytest.mark.parametrize("label", ["L\nValid-Until: x", "L\r", "L\u2028x", "L\x00"])
def test_a_value_of_more_than_one_line_is_not_written(label: str) -> None:
    with pytest.raises(ValueError, match="has one line"):
        apt.release(apt.Suite("O", label, "c"), DATE, [], {})


@pytest.mark.parametrize("line", ["Not-Automatic: yes", "\tLabel: x", "label: x", "Label : x"])
def test_a_field_that_is_none_of_ours_is_not_read(line: str) -> None:
    text = apt.release(apt.Suite("O", "L", "c"), DATE, [], {}).decode()
    with pytest.raises(ValueError, match="has no field"):
        apt.read_fields(line + "\n" + text)
