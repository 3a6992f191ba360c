"""The rows of a comparison, those of the same conditions together: a plot and a table for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from benchmarks import words
from portal.lib import plot

LONGEST_LABEL: Final = 46
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows that were measured under the same conditions; ``title`` is empty when all were."""

    title: str
    rows: Sequence[Row]
    drawing: str


def panels(rows: Sequence[Row], *, a: str, b: str, answer: str) -> list[Panel]:
    """Each row gets ``own``, its parameters without those that all rows share, and ``versus``, what
    the other side has instead.
    """
    common = shared([row["params"] for row in rows])
    found: dict[str, list[Row]] = {}
    for row in rows:
        row["own"] = own(row["params"], common)
        row["versus"] = row.get("against", {})
        found.setdefault(str(sorted(row.get("panel", {}).items())), []).append(row)
    groups = list(found.values())
    title = _("Speed of %(a)s relative to %(b)s") % {"a": a, "b": b}
    apart = _apart([group[0].get("panel", {}) for group in groups])
    return [
        Panel(name, group, _drawing(group, f"{title}: {name}" if name else title, answer))
        for name, group in ((_title(group[0].get("panel", {}), apart), group) for group in groups)
    ]


def shared(each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The parameters that are the same in all of these: told once.

    >>> shared([{"transport": "tcp", "tls": False}, {"transport": "unix", "tls": False}])
    {'tls': False}
    """
    first, *others = each or [{}]
    return {
        name: value
        for name, value in first.items()
        if all(name in params and params[name] == value for params in others)
    }


def own(params: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters without those that all share."""
    return {name: value for name, value in params.items() if name not in common}


def _apart(conditions: Sequence[Mapping[str, Sequence[str]]]) -> list[str]:
    """The conditions that tell panels from each other, and those in which the sides differ."""
    first = conditions[0] if conditions else {}
    return [
        name
        for name in first
        if any(one[name] != first[name] or len(one[name]) > 1 for one in conditions)
    ]


def _title(panel: Mapping[str, Sequence[str]], apart: Sequence[str]) -> str:
    """ "CPU placement same, threads 1 against 4"."""
    parts = []
    for name in apart:
        values = [value[:8] if name == "machine" else value for value in panel[name]]
        values = [str(words.METRICS.get(value, value)) for value in values]
        said = _(" against ").join(value or _("not told") for value in values)
        parts.append(f"{words.CONDITIONS.get(name, name)} {said}")
    return ", ".join(parts)


def _drawing(rows: Sequence[Row], title: str, answer: str) -> str:
    ratios = [
        plot.Ratio(
            _label(row),
            row["low"] or row["ratio"],
            row["ratio"],
            row["high"] or row["ratio"],
            shown=row["verdict"] in {"better", "worse"},
        )
        for row in rows
    ]
    return plot.forest(plot.Text(title, answer), ratios)


def _label(row: Mapping[str, Any]) -> str:
    sides = [words.params_in_words(row["own"]), words.params_in_words(row["versus"])]
    params = _(" against ").join(side for side in sides if side)
    label = f"{row['name']}, {params}" if params else row["name"]
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
