"""The German catalogue says everything, with the placeholders of the English text.

That it says all that the code says now is compared by `make lint`.
"""

import gettext
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

CATALOGUE = Path(settings.LOCALE_PATHS[0]) / "de" / "LC_MESSAGES" / "django.po"
COMPILED = CATALOGUE.with_suffix(".mo")
NAMED = re.compile(r"%\(\w+\)[sd]")
TAG = re.compile(r"</?[a-z][^>]*>")
needs_gettext = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="needs GNU gettext")

Said = dict[str | tuple[str, int], str]


def said(compiled: Path) -> Said:
    with compiled.open("rb") as file:
        texts: Said = vars(gettext.GNUTranslations(file))["_catalog"]
    return texts


def single() -> Iterator[tuple[str, str]]:
    """Texts without a plural, each without its context."""
    for key, german in said(COMPILED).items():
        if isinstance(key, str) and key:
            yield key.rpartition("\x04")[2], german


def test_german_is_offered_and_there() -> None:
    assert dict(settings.LANGUAGES)["de"] == "Deutsch"
    assert len(list(single())) > 8000


def test_placeholders_and_markup_are_those_of_the_english_text() -> None:
    for english, german in single():
        assert set(NAMED.findall(german)) == set(NAMED.findall(english)), english
        assert sorted(TAG.findall(german)) == sorted(TAG.findall(english)), english


def test_a_text_begins_and_ends_as_the_english_one() -> None:
    """Some are parts of a line, with a space at an end."""
    for english, german in single():
        assert (german[:1].isspace(), german[-1:].isspace()) == (
            english[:1].isspace(),
            english[-1:].isspace(),
        ), english


@needs_gettext
def test_what_is_compiled_is_what_is_written_and_nothing_is_left_open(tmp_path: Path) -> None:
    target = tmp_path / "django.mo"
    run = subprocess.run(
        ["msgfmt", "--check", "--statistics", "-o", str(target), str(CATALOGUE)],
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/usr/local/bin:/bin"},
    )
    assert re.search(r"^\d+ translated messages\.$", run.stderr, re.MULTILINE), run.stderr
    assert said(target) == said(COMPILED)
