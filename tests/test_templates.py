"""What every template keeps to: words through gettext, nothing that the policy would block."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted(
    path
    for folder in (ROOT / "templates", *ROOT.glob("*/templates"), *ROOT.glob("portal/*/templates"))
    for path in folder.rglob("*.html")
)
PAGES = [path for path in TEMPLATES if "mail" not in path.parts]

# Names and numbers that are the same in every language.
SAME_EVERYWHERE = re.compile(
    r"(?:BLT|PrefLib|SHA-256"
    r"|OpenAPI|ExampleDB|CSV|JSON|SVG|PDF|Atom|API|APT|YUM|md5|sha1|sha256|sha512|deb822|OpenPGP|REST"
    r"|Types:|Suites:|\.asc|\.pgp|deb|bookworm|sudo apt update|--)"
)
COMMENT = re.compile(r"{#.*?#}|{%\s*comment.*?{%\s*endcomment\s*%}", re.DOTALL)
TRANSLATED = re.compile(r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}", re.DOTALL)
SAMPLE = re.compile(r"{%\s*(code|command)\b.*?{%\s*end\1\s*%}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
WORDS = re.compile(r"[A-Za-zÄÖÜäöü]{2,}")
SPOKEN = {"alt", "aria-label", "placeholder", "title", "data-label"}


class Texts(HTMLParser):
    """Collects what a reader sees or hears and no translation has touched."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.silent = 0
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "code", "pre"}:
            self.silent += 1
        for name, value in attrs:
            if name in SPOKEN and value:
                self._look(f"{name}: {value}", value)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style", "code", "pre"}:
            self.silent = max(0, self.silent - 1)

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self._look(data.strip(), data)

    def _look(self, shown: str, text: str) -> None:
        if WORDS.search(SAME_EVERYWHERE.sub("", text)):
            self.found.append(shown)


def bare_texts(source: str) -> list[str]:
    plain = TAG.sub("", SAMPLE.sub("", TRANSLATED.sub("", COMMENT.sub("", source))))
    texts = Texts()
    texts.feed(plain)
    texts.close()
    return texts.found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_is_translated(path: Path) -> None:
    assert bare_texts(path.read_text()) == []


def test_the_search_for_bare_texts_finds_them() -> None:
    assert bare_texts("<p>Hello there</p>") == ["Hello there"]
    assert bare_texts('<img alt="A house">') == ["alt: A house"]
    assert bare_texts('<p>{% translate "Hello" %} 12 %</p>') == []
    assert bare_texts("{% blocktranslate %}Hello{% endblocktranslate %}{# note to us #}") == []
    assert bare_texts('<b title="{% translate "Hi" %}">{{ name }}</b>') == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_in_a_template_needs_an_exception_from_the_policy(path: Path) -> None:
    source = COMMENT.sub("", path.read_text())
    assert not re.search(r"\sstyle=|\son[a-z]+=\"|javascript:|[\"'(]data:", source)
    assert not re.search(r"<style\b", source)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", source, re.DOTALL):
        assert "src=" in attributes or "application/json" in attributes, "inline script"
        assert not body.strip() or "application/json" in attributes


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_refused_form_is_told_once(path: Path) -> None:
    """`{{ form }}` brings its own summary of what is wrong."""
    assert not re.search(r"{% form_errors (\w+) %}\s*{{ \1 }}", path.read_text())


def test_style_sheets_name_no_address_but_relative_ones() -> None:
    for sheet in (ROOT / "static" / "css").glob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(?:data:|https?:|/)", sheet.read_text()), sheet


OF_ONE_PAGE = {"styleguide.css", "staff.css"}


def weight(pattern: str) -> int:
    files = [path for path in (ROOT / "static").glob(pattern) if path.name not in OF_ONE_PAGE]
    assert files
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)


def test_the_style_and_the_scripts_of_all_pages_stay_light() -> None:
    assert weight("css/*.css") < 13_400
    assert weight("js/*.js") < 5_300
