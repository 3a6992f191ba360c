"""Every file of the hostile corpus is refused in clear words and leaves nothing behind."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from portal.accounts.models import User
from releases import sandbox
from releases.inspector.reader import answer_of, reader_of
from releases.models import Blob, File, Package, Release, Upload
from releases.repository import rpm
from releases.tests import factory
from releases.tests.hostile import Hostile, debs, rpms

CASES = [*debs.CASES, *rpms.CASES]
OnCommit = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inspector's reading without its process, to spare a start for each file."""

    def inspect(kind: str, path: Path) -> dict[str, Any]:
        with path.open("rb") as package:
            answer: dict[str, Any] = answer_of(reader_of(kind), package)
        if "refused" in answer:
            raise sandbox.PackageRefusedError(str(answer["refused"]))
        return answer

    monkeypatch.setattr(sandbox, "inspect", inspect)


def refusal(dana: User, case: Hostile, on_commit: OnCommit) -> str:
    """Send it; the reason, after nothing was found that stayed behind."""
    with on_commit(execute=True):
        settled = factory.accept(
            actor=dana,
            release=Release.objects.first() or factory.make_draft(),
            name=case.name,
            data=case.build(),
            distributions=case.distributions,
            **case.announced,
        )
    assert settled.state == Upload.State.REFUSED
    assert not File.objects.exists()
    assert not Package.objects.exists()
    assert not Blob.objects.exists()
    assert left_behind() == []
    return settled.reason


def left_behind() -> list[str]:
    from django.conf import settings

    return [name for _, _, names in os.walk(settings.RELEASE_FILES_DIR) for name in names]


@pytest.mark.usefixtures("in_place")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_hostile_package_is_refused_in_clear_words_and_leaves_nothing(
    dana: User, case: Hostile, django_capture_on_commit_callbacks: OnCommit
) -> None:
    reason = refusal(dana, case, django_capture_on_commit_callbacks)
    assert case.words in reason
    assert reason


def test_a_package_cut_off_at_any_boundary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "package"
    for kind, data, cuts in [
        ("deb", factory.deb(), debs.boundaries()),
        ("rpm", rpms.good(), rpms.boundaries()),
    ]:
        for cut in cuts:
            path.write_bytes(data[:cut])
            with path.open("rb") as package:
                assert "refused" in answer_of(reader_of(kind), package), (kind, cut)


@pytest.mark.proof
def test_the_confined_inspector_refuses_the_whole_corpus(
    dana: User, django_capture_on_commit_callbacks: OnCommit
) -> None:
    for case in CASES:
        reason = refusal(dana, case, django_capture_on_commit_callbacks)
        assert case.words in reason, case
        Upload.objects.all().delete()


@pytest.mark.proof
def test_an_rpm_with_a_flipped_bit_is_refused_or_has_the_same_content(tmp_path: Path) -> None:
    """createrepo_c alone accepts most of them. What we accept differs in its wrapping only."""
    chance, path, good = random.Random(11), tmp_path / "package.rpm", rpms.good()
    accepted = 0
    content = good[rpms.header_at() :]
    for _ in range(2_000):
        data = bytearray(good)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        with path.open("rb") as package:
            if "refused" in answer_of(reader_of("rpm"), package):
                continue
        accepted += 1
        with path.open("rb") as package:
            found = rpm.read(package)
        assert found.header + bytes(data[found.payload_at :]) == content
    assert 0 < accepted < 1_000


@pytest.mark.proof
@pytest.mark.parametrize("kind", ["deb", "rpm"])
def test_a_mutated_package_is_read_or_refused_and_nothing_else(kind: str, tmp_path: Path) -> None:
    chance, path = random.Random(12), tmp_path / "package"
    good = {"deb": factory.deb(), "rpm": rpms.good()}[kind]
    for _ in range(3_000):
        path.write_bytes(mutated(bytearray(good), chance))
        with path.open("rb") as package:
            answer = answer_of(reader_of(kind), package)
        assert "refused" in answer or answer["architecture"] in {"amd64", "x86_64"}
        assert "cannot be read" not in str(answer.get("refused", "")) or kind == "rpm"


def mutated(data: bytearray, chance: random.Random) -> bytes:
    """Some bytes set, cut out, doubled or put elsewhere."""
    for _ in range(chance.randrange(1, 6)):
        at, length = chance.randrange(len(data)), chance.randrange(1, 40)
        match chance.randrange(4):
            case 0:
                data[at : at + length] = chance.randbytes(length)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case _:
                data[at] = chance.choice([0, 0xFF, 0x7F, 0x80, ord("9"), ord("-")])
        data = data or bytearray(b"x")
    return bytes(data)
