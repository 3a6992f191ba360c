"""Whatever happens to a repository, its indices are those of a full rebuild."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.accounts.models import User
from releases.actions import publication as actions
from releases.actions.rebuild import rebucket_repository, rebuild_repository
from releases.actions.repository import queue_publication
from releases.models import Package
from releases.signer.local import LocalSigner
from releases.tests.shelf import EITHER, START, Shelf

NAMES = [f"exampledb-{word}" for word in ("server", "client", "backup", "dbgsym", "a", "b", "c")]
System = tuple[str, str]
Steps = list[tuple[str, object]]
FEW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("toggle"), st.sets(st.integers(0, 2 * len(NAMES) - 1), min_size=1)),
        st.tuples(st.just("roll back"), st.integers(1, 9)),
        st.tuples(st.just("rebucket"), st.integers(1, 40)),
        st.tuples(st.just("fail"), st.none()),
        st.tuples(st.just("nothing"), st.none()),
    ),
    min_size=1,
    max_size=6,
)


@EITHER
@settings(FEW, max_examples=4)
@given(steps=STEPS)
def test_a_history_ends_in_the_bytes_of_a_full_rebuild(
    dana: User, signer: LocalSigner, tmp_path: Path, system: System, steps: Steps
) -> None:
    with rolled_back():
        live_through(Shelf(dana, system, signer), tmp_path, steps)


@pytest.mark.proof
@EITHER
@settings(FEW, max_examples=100)
@given(steps=STEPS)
def test_a_hundred_histories_end_in_the_bytes_of_a_full_rebuild(
    dana: User, signer: LocalSigner, tmp_path: Path, system: System, steps: Steps
) -> None:
    with rolled_back():
        live_through(Shelf(dana, system, signer), tmp_path, steps)


def live_through(shelf: Shelf, folder: Path, steps: Steps) -> None:
    shelf.signer.open_log(folder / f"log{len(list(folder.iterdir()))}")
    packages = shelf.named(*NAMES) + shelf.named(*NAMES, version="12.3.1")
    for kind, value in steps:
        take_step(shelf, packages, kind, value)
        shelf.publish()
    incremental = shelf.files()
    rebuild_repository(actor=None, repository=shelf.repository)
    assert shelf.publish().full
    assert shelf.files() == incremental


def take_step(shelf: Shelf, packages: list[Package], kind: str, value: object) -> None:
    held = {m.package_id for m in shelf.repository.memberships.filter(until_serial=None)}
    if kind == "toggle":
        chosen = [packages[number] for number in value]  # type: ignore[attr-defined]
        shelf.remove([package for package in chosen if package.pk in held])
        shelf.add([package for package in chosen if package.pk not in held])
    elif kind == "roll back":
        then = {m.package_id for m in shelf.repository.memberships.in_publication(value)}  # type: ignore[arg-type]
        shelf.remove([package for package in packages if package.pk in held - then])
        shelf.add([package for package in packages if package.pk in then - held])
    elif kind == "rebucket":
        rebucket_repository(actor=None, repository=shelf.repository, buckets=value)  # type: ignore[arg-type]
    elif kind == "fail":
        publication = queue_publication(repository=shelf.repository)
        at = START + dt.timedelta(seconds=2 * publication.serial)
        actions.build_publication(publication_id=publication.pk, at=at)
        actions.fail_publication(publication_id=publication.pk, reason="a test")


@contextmanager
def rolled_back() -> Iterator[None]:
    """Nothing of an example is seen by the next."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
