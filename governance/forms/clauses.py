"""A proposal that is written clause by clause: a field for each piece of the bylaws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from governance.bylaws import words as bylaws_words
from governance.bylaws.pieces import (
    NEW_ARTICLE,
    PLACE,
    Piece,
    as_kept,
    at_line,
    joined,
    next_number,
    pieces,
)
from governance.bylaws.text import Fault, Item, UnreadableError, read
from governance.discussion.amending import tidy
from governance.forms.bylaws import LONGEST, WordsForm

MOST: Final = 900  # Django takes a thousand fields; a longer text is written as one
LINE: Final = 36  # letters in a line of a telephone


@dataclass(frozen=True, slots=True)
class Group:
    """The fields of one article, that fold away together."""

    heading: str
    fields: list[BoundField]
    is_open: bool


class ClausesForm(WordsForm):
    """What is typed in the pieces is one text in the end, read as if it was written as one."""

    by = "clauses"
    places = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, base: Sequence[Item], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self._before = {item.anchor: item.flowing_source for item in base}
        kept = _written(str(self.initial["text"]), is_shown=data is None)
        self._shown = pieces(kept) if data is None else _sent(data)
        self._parts = as_kept(self._shown, kept, base)
        self.initial["places"] = " ".join(part.place for part in self._shown)
        for part in self._shown:
            self.fields[_name(part.place)] = _field(part, self._shown)
            self.initial[_name(part.place)] = part.text

    @property
    def groups(self) -> list[Group]:
        """The articles in their order; those with a change or a fault are open."""
        found: list[list[Piece]] = []
        for part in self._shown:
            if part.is_title or part.place == NEW_ARTICLE or not found:
                found.append([])
            found[-1].append(part)
        return [self._group(parts) for parts in found]

    @property
    def text(self) -> str:
        """What the pieces make together, readable or not."""
        return joined(self._parts)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if len(self.text) > LONGEST:
            self.add_error(None, _("The text is too long."))
        for part in self._parts:
            if not part.begins_as_it_should:
                self.add_error(_name(part.place), _beginning(part, self._parts))
        if not self.errors:
            self._read()
        return cleaned

    def _read(self) -> None:
        """As the whole; what makes no sense is told at the piece in which it stands."""
        try:
            read(self.text)
        except UnreadableError as error:
            place, line = at_line(self._parts, error.line)
            told = bylaws_words.fault(UnreadableError(error.fault, line, error.number))
            self.add_error(None if error.fault is Fault.EMPTY else _name(place), told)

    def _group(self, parts: list[Piece]) -> Group:
        fields = [self[_name(part.place)] for part in parts]
        changed = any(part.text != self._before.get(part.place, "") for part in parts)
        return Group(_heading(parts[0]), fields, changed or any(each.errors for each in fields))


def _written(text: str, *, is_shown: bool) -> list[Item]:
    """What stands in the draft; who sends another text needs not be able to read that one."""
    try:
        return read(text)
    except UnreadableError:
        if is_shown:
            raise
        return []


def _sent(data: Any) -> list[Piece]:
    """The pieces as they came, in the order that came with them; others are passed over."""
    known = dict.fromkeys(filter(PLACE.fullmatch, str(data.get("places", "")).split()[:MOST]))
    return [Piece(place, tidy(str(data.get(_name(place), "")))) for place in known]


def _name(place: str) -> str:
    return f"at-{place}"


def _field(part: Piece, parts: list[Piece]) -> forms.CharField:
    rows = sum(1 + len(line) // LINE for line in part.text.split("\n"))
    attrs: dict[str, Any] = {"class": "mono grow", "rows": min(max(rows, 2), 14)}
    if part.is_title:
        attrs["rows"] = 1
    return forms.CharField(
        label=_label(part, parts),
        required=False,
        max_length=LONGEST,
        strip=False,
        widget=forms.Textarea(attrs=attrs),
    )


def _label(part: Piece, parts: list[Piece]) -> str:
    if part.place == NEW_ARTICLE:
        return _("A further article")
    if part.place.startswith("more-"):
        number = next_number(parts, part.place.removeprefix("more-"))
        return _("A further clause, such as %(number)s") % {"number": number}
    if part.is_title:
        return _("Heading")
    words = bylaws_words.place(part.place)
    return words[:1].upper() + words[1:]


def _heading(part: Piece) -> str:
    """Above the fields of an article; it may have lost its own."""
    if part.is_title:
        number = part.place.removeprefix("a")
        return part.text.lstrip("# ") or _("Article %(number)s") % {"number": number}
    return _("Preamble") if part.place == "preamble" else _("Something new")


def _beginning(part: Piece, parts: list[Piece]) -> str:
    if part.is_title or part.place == NEW_ARTICLE:
        return _("Begin with a line such as “## 4. The board”.")
    if part.place.startswith("more-"):
        number = next_number(parts, part.place.removeprefix("more-"))
    else:
        number = part.place.removeprefix("c")
    return _("Begin with the number of the clause, such as “%(number)s”.") % {"number": number}
