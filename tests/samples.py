"""One address for every named view, for tests that walk the whole site.

A view without parameters needs nothing here. For one with parameters its app says in
`<app>/tests/samples.py` where a sample stands, as

    def announcement() -> str:
        return Announcement.objects.published(timezone.now())[0].get_absolute_url()

    SAMPLES = {"news:detail": announcement}

The functions are called with the demonstration data in the database. `sample_paths` gives the
path of every named view of the site; one that nobody gave a sample for has an empty path.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

APPS = (
    "portal.cards",
    "portal.accounts",
    "portal.payments",
    "portal.news",
    "portal.members",
    "portal.sponsors",
    "portal.donations",
    "portal.books",
    "portal.newsroom",
    "releases",
    "governance",
    "feedback",
    "benchmarks",
)
ELSEWHERE = {"admin", "api"}  # `admin_paths`; the API has one page


def samples() -> dict[str, Callable[[], str]]:
    """What the apps registered, by the name of the view."""
    found: dict[str, Callable[[], str]] = {}
    for app in APPS:
        module = f"{app}.tests.samples"
        if find_spec(module):
            found.update(import_module(module).SAMPLES)
    return found


def sample_paths() -> dict[str, str]:
    """The name of every named view, and where one of its pages stands."""
    registered = samples()
    paths = {"api:docs": "/api/v1/docs"}
    for name in view_names():
        if name in registered:
            paths[name] = registered[name]()
            continue
        try:
            paths[name] = reverse(name)
        except NoReverseMatch:
            paths[name] = ""
    return paths


def view_names() -> list[str]:
    """Every named view with its namespace, in the order of the table of contents."""
    return list(dict.fromkeys(_names(get_resolver(), ())))


def _names(resolver: URLResolver, namespaces: tuple[str, ...]) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace in ELSEWHERE:
                continue
            inner = (*namespaces, entry.namespace) if entry.namespace else namespaces
            yield from _names(entry, inner)
        elif isinstance(entry, URLPattern) and entry.name:
            yield ":".join([*namespaces, entry.name])


def admin_paths() -> list[str]:
    """The staff pages: index, and list and form of everything that is registered."""
    from django.contrib import admin

    pages = [reverse("admin:index")]
    for model in admin.site._registry:
        place = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages += [reverse(f"{place}_changelist"), reverse(f"{place}_add")]
    return pages
