"""The little YAML that the outputs need; every scalar is quoted as JSON is, which YAML reads."""

from __future__ import annotations

import json
import textwrap


def scalar(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def block(text: str, indent: int) -> str:
    """A text of several lines as a literal block, indented by so many blanks."""
    return "|\n" + textwrap.indent(text.rstrip("\n"), " " * indent)
