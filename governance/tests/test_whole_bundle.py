"""One bundle with every kind of record: it is sound, a flipped byte of any class of file is found,
and so is every record that was forged together with the list.
"""

import hashlib
import json
import random
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from governance.bundle import archive, check_bundle
from governance.models import Minutes
from governance.tests.bundles import complaints, flipped, forged
from governance.tests.whole_bundle import whole_bundle

pytestmark = pytest.mark.django_db
Document = dict[str, Any]
FIRST, SECOND = "records/minutes/*-1.json", "records/minutes/*-2.json"
CONSENT, CONSENSUS = "records/motions/sign-it.json", "records/motions/drop-it.json"
TYPO, REDACTED = "records/typos/foundation-2-2.json", "records/motions/buy-it.2.json"
CLASSES = {
    "vote": "records/motions/sell-it.json",
    "redacted vote": REDACTED,
    "written consent": CONSENT,
    "consensus": CONSENSUS,
    "version of rules": "records/rules/board-ordinary-1.json",
    "version of bylaws": "records/bylaws/foundation-1.json",
    "adopted bylaws": "records/bylaws/foundation-2.json",
    "adoption of bylaws": "records/motions/one-third-at-most.json",
    "correction of spelling": TYPO,
    "minutes": FIRST,
    "corrected minutes": SECOND,
    "approval of minutes": "records/motions/approve-the-minutes-of-*.json",
    "list": "manifest.json",
    "signature": "manifest.json.asc",
    "key": "key.asc",
    "explanation": "README.txt",
    "checker": "checker/check_bundle.py",
    "arithmetic": "checker/governance/tally/rollcall.py",
    "reader of bylaws": "checker/governance/bylaws/text.py",
    "reader of minutes": "checker/governance/meetings/reading/document.py",
}


@pytest.fixture(scope="module")
def shelf() -> dict[str, bytes]:
    """The archive that all these tests look at, once it is made."""
    return {}


@pytest.fixture
def packed(shelf: dict[str, bytes], request: pytest.FixtureRequest) -> bytes:
    if not shelf:
        names = ("signer", "board", "directors", "frank", "charlie")
        shelf["packed"] = whole_bundle(*map(request.getfixturevalue, names))
        shelf["minutes"] = Minutes.objects.get(number=1).text.encode()
    return shelf["packed"]


@pytest.fixture
def files(packed: bytes) -> dict[str, bytes]:
    return archive.unpack(packed)


def path_of(files: dict[str, bytes], pattern: str) -> str:
    """The first file that is called so."""
    begin, _star, end = pattern.partition("*")
    return next(path for path in sorted(files) if path.startswith(begin) and path.endswith(end))


def test_it_holds_every_kind_and_is_sound(files: dict[str, bytes]) -> None:
    assert list(check_bundle.problems(files)) == []
    told = "\n".join(check_bundle.told(files))
    for line in (
        "3 versions of rules",
        "5 motions, counted again",
        "2 versions of bylaws",
        "2 corrections of spelling, made again",
        "2 approved minutes, each with its motion",
        "2 written consents, signers compared",
        "1 decisions by consensus",
        "1 of 2 effective consents filed with minutes",
    ):
        assert line in told
    assert b"Salaries rise" not in b"".join(files.values()), "a closed session stays closed"
    assert "records/motions/buy-it.json" not in files, "an edition from before a redaction"


@pytest.mark.parametrize("pattern", CLASSES.values(), ids=CLASSES)
def test_a_flipped_byte_is_found_in_every_class_of_file(
    files: dict[str, bytes], packed: bytes, pattern: str
) -> None:
    path = path_of(files, pattern)
    data, chosen = files[path], random.Random(path)
    for at in {0, len(data) - 1, *chosen.sample(range(len(data)), 4)}:
        changed = flipped(data, at, chosen.randrange(8))
        found = list(check_bundle.problems(files | {path: changed}))
        assert found, f"byte {at} of {path}"
        assert path in found[0] or "manifest.json is not signed" in found[0]
    inside = packed.index(data) + chosen.randrange(len(data))
    assert complaints(flipped(packed, inside)), f"byte {inside} of the archive"


def test_what_the_body_keeps_of_a_closed_session_is_proved_by_what_is_public(
    files: dict[str, bytes],
    packed: bytes,
    shelf: dict[str, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bundle, text = tmp_path / "decisions.zip", tmp_path / "minutes.md"
    bundle.write_bytes(packed)
    asked = [str(bundle), "--minutes", str(text)]
    record = json.loads(files[path_of(files, FIRST)])
    text.write_text(record["text"])
    assert hashlib.sha256(text.read_bytes()).hexdigest() == record["text_sha256"]
    assert check_bundle.main(asked) == 0
    text.write_bytes(shelf["minutes"])
    assert b"Salaries rise" in shelf["minutes"]
    assert check_bundle.main(asked) == 0
    assert "is the text of minutes that were approved" in capsys.readouterr().out
    text.write_bytes(shelf["minutes"].replace(b"Salaries rise", b"Salaries fall"))
    assert check_bundle.main(asked) == 1
    assert "is not the text of any minutes" in capsys.readouterr().out
    text.write_text("Nothing.")
    assert check_bundle.main(asked) == 1
    assert "does not read as minutes" in capsys.readouterr().out


def test_every_file_belongs_to_a_class(files: dict[str, bytes]) -> None:
    """Whoever adds a kind of record adds it to the classes above."""
    folders = {path.split("/")[1] for path in files if path.startswith("records/")}
    assert folders == {
        pattern.split("/")[1] for pattern in CLASSES.values() if "records" in pattern
    }


@pytest.mark.parametrize(
    ("pattern", "change", "told"),
    [
        (FIRST, lambda d: d.update(motion="motions/none"), "is not in the b"),
        (FIRST, lambda d: d.update(motion="motions/sell-it"), "not carried"),
        (FIRST, lambda d: d.update(motion="motions/drop-it"), "another body"),
        (FIRST, lambda d: d.update(text_sha256="0" * 64), "another text"),
        (
            FIRST,
            lambda d: d.update(approved="2020-01-01T00:00:00+00:00"),
            "another time",
        ),
        (
            FIRST,
            lambda d: d.update(submitted="2999-01-01T00:00:00+00:00"),
            "before they were put before the body",
        ),
        (FIRST, lambda d: d["attendance"].pop(), "“attendance” is not what"),
        (FIRST, lambda d: d["consents"].clear(), "“consents” is not what"),
        (FIRST, lambda d: d.update(text="No minutes."), "does not read as"),
        (
            FIRST,
            lambda d: d.update(text=d["text"] + "\nSalaries rise.\n"),
            "more than its title",
        ),
        (
            FIRST,
            lambda d: d.update(text=d["text"].replace("Body: board", "Body: council")),
            "of another body",
        ),
        (
            FIRST,
            lambda d: d.update(text=d["text"].replace("- Session: closed\n", "")),
            "not the one that was approved",
        ),
        (
            FIRST,
            lambda d: d.update(text=d["text"].replace("- Sealed: ", "- Sealed: ff")),
            "does not read as",
        ),
        (
            FIRST,
            lambda d: d.update(text=re.sub("Sealed: .{64}", f"Sealed: {'0f' * 32}", d["text"])),
            "not the one that was approved",
        ),
        (SECOND, lambda d: d["history"].clear(), "version before it is not"),
        (
            SECOND,
            lambda d: d["history"][0].update(text_sha256="0" * 64),
            "version 1 had another text",
        ),
        (
            SECOND,
            lambda d: d["history"][0].update(state="refused"),
            "told as refused, which the bundle does not say",
        ),
        (TYPO, lambda d: d.update(right="They swerve"), "it leads to another text"),
        (TYPO, lambda d: d.update(wrong="nowhere"), "no correction of spelling (not_found)"),
        (TYPO, lambda d: d.update(wrong="two", right="not two"), "no correction of spelling (w"),
        (TYPO, lambda d: d.update(version="bylaws/other-1"), "is not in the bundle"),
        (TYPO, lambda d: d.update(number=3), "a correction before it is not in the bundle"),
        (TYPO, lambda d: d.update(before_sha256="0" * 64), "begin with the text before it"),
        (TYPO, lambda d: d.update(decided="2020-01-01"), "decided before it was reported"),
        (CONSENT, lambda d: d.update(text="Other."), "not the one that was signed"),
        (CONSENT, lambda d: d["acts"].pop(), "it is not carried"),
        (CONSENT, lambda d: d["acts"].pop(1), "does not follow the one before"),
        (CONSENT, lambda d: d.update(effective=None), "it is not carried"),
        (CONSENT, lambda d: d.update(needed=4), "another number of signatures"),
        (CONSENT, lambda d: d.update(rules="rules/none"), "rules/none) are not in the bundle"),
        (
            CONSENT,
            lambda d: d["acts"][0]["statement"].update(name="Zoe"),
            "the statement of Zoe is not the one that was signed",
        ),
        (
            CONSENT,
            lambda d: d["acts"][0]["statement"].update(place=99),
            "by somebody who is not on the list",
        ),
        (
            CONSENT,
            lambda d: d["acts"][0]["statement"].update(text_sha256="0"),
            "is about another text",
        ),
        (
            CONSENT,
            lambda d: d.update(opened="2999-01-01T00:00:00+00:00"),
            "made before anybody was asked",
        ),
        (CONSENT, lambda d: d.update(text_sha256="0" * 64), "says something else"),
        (CONSENT, lambda d: d.update(resolution="2026-99"), "is not in the bundle"),
        (CONSENSUS, lambda d: d.update(text="Other."), "everybody was asked about"),
        (CONSENSUS, lambda d: d["positions"][0].update(seat=9), "seat 9 spoke and was not asked"),
        (
            CONSENSUS,
            lambda d: d["positions"][0].update(said="2999-01-01T00:00:00+00:00"),
            "when nobody was asked",
        ),
        (CONSENSUS, lambda d: d["positions"][0].update(stance="object"), "it is not carried"),
        (
            CONSENSUS,
            lambda d: (
                d["positions"][0].update(stance="object")
                or d.update(resolving_until="2999-01-01T00:00:00+00:00")
            ),
            "it is not carried",
        ),
        (CONSENSUS, lambda d: d.update(needed=1), "another number of people"),
        (CONSENSUS, lambda d: d.update(rules="rules/none"), "(rules/none) are not in the bundle"),
        (REDACTED, lambda d: d["redactions"].clear(), "not the one that was put to the vote"),
    ],
)
def test_a_record_that_was_forged_with_the_list_is_found(
    files: dict[str, bytes], pattern: str, change: Callable[[Document], object], told: str
) -> None:
    found = forged(files, path_of(files, pattern), change)
    assert any(told in line for line in found), found


def test_a_consent_is_filed_once(files: dict[str, bytes]) -> None:
    """Minutes of another meeting that name it too."""
    path = path_of(files, FIRST)
    resolution = json.loads(files[CONSENT])["resolution"]
    found = forged(files, path, lambda d: d.update(meeting="board-2020-01-01"))
    assert any(
        f"{resolution} is filed with the minutes of board-2020-01-01 and" in x for x in found
    )


def test_a_consent_after_the_meeting_is_not_filed_with_it(files: dict[str, bytes]) -> None:
    later = json.loads(files["records/motions/sign-another.json"])
    named = {name: later[name] for name in ("resolution", "title", "effective", "text_sha256")}
    effective = datetime.fromisoformat(later["effective"]).replace(second=0)
    named["effective"] = effective.isoformat()
    path = path_of(files, FIRST)
    found = forged(files, path, lambda d: d["consents"].append(named))
    assert any("took effect after the meeting" in line for line in found), found
