"""The demonstration foundation: which app loads what, in which order.

An app joins in with a module `demonstration` that has

    load(*, actor: User, at: datetime) -> None
        what the first pages need; at most a second or two
    load_more(*, actor: User, at: datetime) -> Iterator[str]          (optional)
        the larger rest, in steps that are committed one by one; each yields a line that
        says how far it is

Both call the actions that users' requests call, and change nothing when they run again:
`at` is the same moment every time, the one at which the demonstration was first loaded.
"""

from collections.abc import Iterator
from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from portal.accounts import demonstration as people
from portal.accounts.models import User

APPS = [
    "portal.accounts",
    "portal.members",
    "portal.sponsors",
    "portal.donations",
    "portal.news",
    "governance",
    "releases",
    "benchmarks",
    "feedback",
    "portal.newsroom",
]


def allowed() -> bool:
    """Only an installation that says so, and whose people are those of the demonstration."""
    staff = User.objects.filter(email=people.address(people.FRANK))
    return settings.DEMONSTRATION and (staff.exists() or not User.objects.exists())


def load() -> None:
    """What the first pages need."""
    if not settings.DEMONSTRATION_PASSWORD:
        raise ImproperlyConfigured("Set DEMONSTRATION_PASSWORD: the demonstration's people use it.")
    at = _first_loaded()
    people.load(actor=None, at=at)
    actor = people.person(people.FRANK)
    for module in _modules():
        if module is not people:
            module.load(actor=actor, at=at)


def load_more() -> Iterator[str]:
    """The larger rest; yields a line after each step."""
    at = _first_loaded()
    actor = people.person(people.FRANK)
    for module in _modules():
        if hasattr(module, "load_more"):
            yield from module.load_more(actor=actor, at=at)


def _first_loaded() -> datetime:
    staff = User.objects.filter(email=people.address(people.FRANK)).first()
    return staff.joined_at if staff else timezone.now()


def _modules() -> list[ModuleType]:
    names = [f"{app}.demonstration" for app in APPS]
    return [import_module(name) for name in names if find_spec(name)]
