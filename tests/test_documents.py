"""The documents against the code: nothing that a person can set, call or open is left out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from portal import local, processes

ROOT = Path(__file__).resolve().parent.parent
OUR_APPS = ("portal", "releases", "governance", "feedback", "benchmarks")
READ_SETTING = re.compile(
    r"""environment\.(?:text|flag|numbers?|hundredths|words|secret)\(\s*["'](\w+)["']"""
)
READ_ENVIRON = re.compile(r"""environ(?:\.get\(|\[)\s*["']([A-Z_]+)["']""")
NOT_A_SETTING = {
    "DJANGO_SETTINGS_MODULE",
    "RUN_STARTED",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "PROMETHEUS_MULTIPROC_DIR",  # portal/web.py sets it
}
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)#\s]+)\)")
MOST_OF_A_PICTURE, MOST_OF_ALL_PICTURES = 100_000, 1_200_000  # bytes: every clone carries them
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def text(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def settings_read() -> set[str]:
    found = set(READ_SETTING.findall((ROOT / "portal" / "settings.py").read_text()))
    for app in OUR_APPS:
        for path in (ROOT / app).rglob("*.py"):
            if "tests" not in path.parts:
                found.update(READ_ENVIRON.findall(path.read_text()))
    found |= processes.DEFAULTS.keys() | set(local.SECRETS) | set(local.DEMONSTRATION_SECRETS)
    return {name.removesuffix("_FILE") for name in found} - NOT_A_SETTING


@pytest.mark.parametrize("name", sorted(settings_read()))
def test_every_setting_is_documented(name: str) -> None:
    assert f"`{name}`" in text("settings.md")


@pytest.mark.parametrize(
    "name",
    sorted(name for name, app in get_commands().items() if str(app).split(".")[0] in OUR_APPS),
)
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"`{name}\b", text("operations.md"))


def addresses(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for entry in resolver.url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, address)
        elif isinstance(entry, URLPattern):
            yield address


def without_names(address: str) -> str:
    """`/news/<slug:slug>/` and `/news/<slug>/` are the same place; so is a regular expression."""
    plain = re.sub(r"\(\?P(<[^>]*>)[^)]*\)", r"\1", address).translate(
        dict.fromkeys(map(ord, "^$\\"))
    )
    return re.sub(r"<[^>]*>", "<>", plain)


def test_every_public_address_is_documented() -> None:
    documented = {without_names(found) for found in re.findall(r"`(/[^`]*)`", text("urls.md"))}
    beneath = tuple(found.removesuffix("...") for found in documented if found.endswith("..."))

    missing = {
        address
        for address in addresses(get_resolver())
        if without_names(address) not in documented and not address.startswith(beneath)
    }

    assert missing == set(), "add a row to docs/urls.md"


def test_every_process_is_in_the_architecture() -> None:
    architecture = text("architecture.md")

    assert all(f"| {name} |" in architecture for name in processes.PROCESSES)


def test_every_top_folder_has_a_phrase_in_the_architecture() -> None:
    architecture = text("architecture.md")
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"}
    written_by_tools = {"var", "htmlcov", "__pycache__"}

    assert [name for name in folders - written_by_tools if f"`{name}/" not in architecture] == []


DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_between_documents_leads_somewhere(path: Path) -> None:
    targets = [path.parent / target for target in LINK.findall(path.read_text())]

    assert [str(target) for target in targets if not target.exists()] == []


def linked_from(path: Path) -> Iterator[Path]:
    """The documents that one leads to; a link to a folder leads to all that lie in it."""
    for target in LINK.findall(path.read_text()):
        found = (path.parent / target).resolve()
        yield from found.glob("*.md") if found.is_dir() else [found]


def test_every_document_is_reached_from_the_index() -> None:
    seen, waiting = set[Path](), [ROOT / "docs" / "README.md"]
    while waiting:
        path = waiting.pop()
        if path.suffix == ".md" and path not in seen:
            seen.add(path)
            waiting += linked_from(path)

    assert [str(path.relative_to(ROOT)) for path in DOCUMENTS if path not in seen] == []


PICTURES = sorted(ROOT.glob("docs/tutorials/pictures/*"))


def test_pictures_of_tutorials_are_shown_with_words_and_small() -> None:
    shown = [
        ((path.parent / target).resolve(), words)
        for path in DOCUMENTS
        for words, target in PICTURE.findall(path.read_text())
    ]

    assert [str(path) for path, words in shown if not path.exists() or len(words) < 10] == []
    assert set(PICTURES) - {path for path, _words in shown} == set(), "no document shows them"
    sizes = {path.name: path.stat().st_size for path in PICTURES}
    assert [name for name, size in sizes.items() if size > MOST_OF_A_PICTURE] == []
    assert sum(sizes.values()) < MOST_OF_ALL_PICTURES


def test_decisions_are_numbered_once_and_say_their_parts() -> None:
    records = sorted(ROOT.glob("docs/decisions/[0-9]*.md"))
    numbers = [record.name[:4] for record in records]

    assert len(numbers) == len(set(numbers)), "two records share a number"
    for record in records:
        parts = re.findall(r"^## (\w+)", record.read_text(), re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"], record.name


def test_every_test_that_a_document_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", text("faults.md"))
    missing = [
        f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text()
    ]
    assert missing == []
    assert len(named) > 20


def test_make_help_explains_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = next(line for line in makefile.splitlines() if line.startswith(".PHONY:"))

    for target in phony.split()[1:]:
        assert re.search(rf"^{target}:.* ## ", makefile, re.MULTILINE), target
