"""pytest plugin: what many tests look at is made once.

    @shared                                     # in place of @pytest.fixture
    def motion(board: Body, directors: list[User]) -> Motion: ...

The rows of such fixtures lie in layers, each below a savepoint of the next; what a test does is
rolled back to them. A test that starts from the same layers finds them, with copies of the values
of its own; one that starts from others has those taken away that it does not ask for. Tests of a
module are sorted so that this is rare, and each module stays in one worker of xdist.

A shared fixture makes rows and nothing else, the same ones each time: it names shared fixtures for
what it needs of the database, no `db`, no settings that a test changes. What it writes into a
folder stays as well if it says in which: `@shared(keeps="release_files")` names the arguments,
each a path, or something with a `folder` that can `reopen()`.

Tests that commit (`transactional_db`) make all for themselves.
"""

from __future__ import annotations

import inspect
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

P = ParamSpec("P")
T = TypeVar("T")
Make = Callable[..., Any]
PLAN = pytest.StashKey[dict[str, Make]]()


@overload
def shared(make: Callable[P, T]) -> Callable[P, T]: ...
@overload
def shared(*, keeps: str) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def shared(make: Make | None = None, *, keeps: str = "") -> Any:
    """A fixture whose rows stay for the tests after this one that start from the same."""
    if make is None:
        return lambda given: _fixture(given, keeps)
    return _fixture(make, keeps)


def _fixture(make: Make, keeps: str) -> Any:
    def fixture(**given: Any) -> Any:
        return GROUND.take(make, given, [given[name] for name in keeps.split()])

    fixture.__name__, fixture.__doc__, fixture.__module__ = (
        make.__name__,
        make.__doc__,
        make.__module__,
    )
    fixture.__signature__ = inspect.signature(make)  # type: ignore[attr-defined]
    fixture.make = make  # type: ignore[attr-defined]
    return pytest.fixture(fixture)


@dataclass(frozen=True)
class Layer:
    """The rows of one fixture, and the values of it and all below it as they then were."""

    make: Make
    savepoint: transaction.Atomic
    values: dict[Make, Any]
    folders: Sequence[Path]  # copies of what it keeps

    def remove(self) -> None:
        transaction.set_rollback(True)
        self.savepoint.__exit__(None, None, None)
        for folder in self.folders:
            shutil.rmtree(folder)


class Ground:
    """What lies below the tests of this process."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.plan: Sequence[Make] = ()  # of the test that runs
        self.values: dict[Make, Any] = {}
        self.archive = Path()
        self._numbers = count(1)

    def prepare(self, plan: Sequence[Make]) -> None:
        """For the next test: leave those layers that it would begin with."""
        fitting = 0
        for layer, make in zip(self.layers, plan, strict=False):
            if layer.make is not make:
                break
            fitting += 1
        self.leave(0 if self._is_broken() else fitting)
        self.plan = plan
        self.values = deepcopy(self.layers[-1].values) if self.layers else {}

    def leave(self, lowest: int) -> None:
        """Take all layers away but so many."""
        while len(self.layers) > lowest:
            self.layers.pop().remove()

    def take(self, make: Make, given: Mapping[str, Any], kept: Sequence[Any]) -> Any:
        """The value of a fixture for this test. What nobody could foresee is made for it alone."""
        if make not in self.plan:
            return make(**given)
        if make not in self.values:
            self._add(make, given, kept)
        elif kept:
            self._restore(make, kept)
        return self.values[make]

    def _add(self, make: Make, given: Mapping[str, Any], kept: Sequence[Any]) -> None:
        if len(connection.atomic_blocks) != len(self.layers):
            pytest.fail(f"{make.__qualname__} is shared and needs what is not, of the database")
        savepoint = transaction.atomic()
        savepoint._from_testcase = True  # type: ignore[attr-defined]  # as Django's TestCase does
        savepoint.__enter__()
        try:
            self.values[make] = make(**given)
            connection.check_constraints()
            folders = [self._copied(value) for value in kept]
        except BaseException:
            transaction.set_rollback(True)
            savepoint.__exit__(None, None, None)
            raise
        self.layers.append(Layer(make, savepoint, deepcopy(self.values), folders))

    def _copied(self, value: Any) -> Path:
        folder = self.archive / str(next(self._numbers))
        _folder(value).mkdir(parents=True, exist_ok=True)
        return shutil.copytree(_folder(value), folder)

    def _restore(self, make: Make, kept: Sequence[Any]) -> None:
        layer = next(layer for layer in self.layers if layer.make is make)
        for value, folder in zip(kept, layer.folders, strict=True):
            shutil.rmtree(_folder(value), ignore_errors=True)
            shutil.copytree(folder, _folder(value))
            if not isinstance(value, Path):
                value.reopen()

    def _is_broken(self) -> bool:
        """Whether a test closed the connection, and so took everything with it."""
        return connection.connection is None or connection.connection.closed


def _folder(value: Any) -> Path:
    return value if isinstance(value, Path) else Path(value.folder)


GROUND = Ground()


@pytest.fixture(scope="session")
def _ground(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Ground]:
    GROUND.archive = tmp_path_factory.mktemp("shared")
    yield GROUND
    with django_db_blocker.unblock():
        GROUND.leave(0)


@pytest.fixture(autouse=True)
def _shared_first(request: pytest.FixtureRequest) -> None:
    """Before what a test makes for itself alone."""
    GROUND.plan = ()
    plan = request.node.stash[PLAN]
    if not plan and not uses_database(request.node):
        return
    layers = {} if is_committing(request.node) else plan
    ground: Ground = request.getfixturevalue("_ground")
    with request.getfixturevalue("django_db_blocker").unblock():
        ground.prepare(list(layers.values()))
        for name in layers:
            request.getfixturevalue(name)
    request.getfixturevalue("db")  # which is `transactional_db` for a test that commits


@pytest.hookimpl(tryfirst=True)  # after pytest-django's, which was registered later
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Module by module; in each those first that start from little, and those last that commit."""
    names = {item: shared_names(item) for item in items}
    asked = Counter((item.path, name) for item, found in names.items() for name in found)
    for item, found in names.items():
        found.sort(key=lambda name: -asked[item.path, name])
        item.stash[PLAN] = plan_of(item, found)
    items.sort(key=lambda item: (is_committing(item), [*item.stash[PLAN]]))


def plan_of(item: pytest.Item, names: Sequence[str]) -> dict[str, Make]:
    """The shared fixtures of a test in the sequence in which they are made."""
    plan: dict[str, Make] = {}

    def visit(name: str, seen: frozenset[str] = frozenset()) -> None:
        found = definition(item, name)
        if found is None or name in seen or name in plan:
            return
        for argument in found.argnames:
            visit(argument, seen | {name})
        if hasattr(found.func, "make"):
            plan[name] = found.func.make

    for name in names:
        visit(name)
    return plan


def shared_names(item: pytest.Item) -> list[str]:
    names = getattr(item, "fixturenames", [])
    return [
        name for name in names if (found := definition(item, name)) and hasattr(found.func, "make")
    ]


def definition(item: pytest.Item, name: str) -> pytest.FixtureDef[Any] | None:
    """The fixture of that name that a test gets."""
    info = getattr(item, "_fixtureinfo", None)
    found = info.name2fixturedefs.get(name) if info else None
    return found[-1] if found else None


def uses_database(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", [])
    return "db" in names or item.get_closest_marker("django_db") is not None or is_committing(item)


def is_committing(item: pytest.Item) -> bool:
    """Whether a test works on the database without a transaction around it."""
    marker = item.get_closest_marker("django_db")
    names = getattr(item, "fixturenames", [])
    return (
        bool(marker and marker.kwargs.get("transaction"))
        or "transactional_db" in names
        or "live_server" in names
    )
