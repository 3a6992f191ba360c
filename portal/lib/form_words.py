"""What a form says of its fields: of one left empty, which one it is and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.core.exceptions import ValidationError
from django.forms import Field
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

# By the kind of the control, as Django calls it; every other one is typed into.
EMPTY: Final[Mapping[str, Callable[[], str]]] = {
    "checkbox": lambda: _("“%(label)s” is not ticked: tick it to go on."),
    **dict.fromkeys(
        ("radioselect", "select", "nullbooleanselect"),
        lambda: _("“%(label)s” is still open: choose one."),
    ),
    **dict.fromkeys(
        ("checkboxselectmultiple", "selectmultiple"),
        lambda: _("“%(label)s” is still open: choose at least one."),
    ),
    **dict.fromkeys(
        ("file", "clearablefile"), lambda: _("“%(label)s” is still empty: choose a file.")
    ),
}


def said(field: BoundField) -> list[str]:
    """Each fault of a field, in words that say what to do."""
    return [_words(field, error) for error in field.errors.as_data()]


def names_itself(field: BoundField) -> bool:
    """All that is said of it has its label already."""
    return all(_is_empty(error) for error in field.errors.as_data())


def _words(field: BoundField, error: ValidationError) -> str:
    if not _is_empty(error):
        return " ".join(error.messages)
    words = EMPTY.get(field.widget_type, lambda: _("“%(label)s” is still empty: fill it in."))
    return words() % {"label": field.label}


def _is_empty(error: ValidationError) -> bool:
    """Nothing came, and the field has no words of its own for that."""
    return error.code == "required" and error.message == Field.default_error_messages["required"]
