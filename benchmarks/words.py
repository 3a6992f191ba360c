"""What the portal says about benchmarks, in words: keys of the database and of the arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any, Final

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from benchmarks.documents import SECONDS
from benchmarks.statistics.judge import SMALLEST

TIME_METRICS: Final = frozenset(
    {"throughput", "latency", "duration", "cpu_time", "rows_per_second"}
)

REASONS: Final[Mapping[str, StrOrPromise]] = {
    "few": gettext_lazy("fewer than five processes on a side"),
    "summary": gettext_lazy("no samples on a side, only a summary"),
    "machine": gettext_lazy("measured on different machines"),
    "machine_unknown": gettext_lazy("two runs, and a machine is not known"),
    "server": gettext_lazy("different server series"),
    "parameters": gettext_lazy("CPU placement, TLS or threads differ"),
    "definition": gettext_lazy("the definition of the case changed between them"),
    "few_to_rank": gettext_lazy("fewer than ten processes: no place in an order"),
    "placement": gettext_lazy("CPU placement is not known: no place in an order"),
}

METRICS: Final[Mapping[str, StrOrPromise]] = {
    "throughput": gettext_lazy("operations a second"),
    "rows_per_second": gettext_lazy("rows a second"),
    "latency": gettext_lazy("time of an operation"),
    "duration": gettext_lazy("time of the whole"),
    "ratio": gettext_lazy("ratio"),
    "cpu_time": gettext_lazy("processor time"),
    "memory": gettext_lazy("memory"),
    "bytes": gettext_lazy("bytes"),
    "count": gettext_lazy("a count"),
}

NOISE: Final[Mapping[str, StrOrPromise]] = {
    # xgettext:no-python-format
    "A": gettext_lazy("A: processes differ by 1 % or less"),
    "B": gettext_lazy("B: processes differ by up to 3 %"),
    "C": gettext_lazy("C: processes differ by up to 10 %"),
    "D": gettext_lazy("D: processes differ by up to 20 %"),
    "E": gettext_lazy("E: processes differ by more than 20 %"),
}

CONDITIONS: Final[Mapping[str, StrOrPromise]] = {
    "metric": gettext_lazy("metric"),
    "server": gettext_lazy("server"),
    "machine": gettext_lazy("machine"),
    "cpu_placement": gettext_lazy("CPU placement"),
    "tls": gettext_lazy("TLS"),
    "threads": gettext_lazy("threads"),
}

FLAGS: Final[Mapping[str, StrOrPromise]] = {
    "few_processes": gettext_lazy("fewer than five processes: no interval, no verdict"),
    "wild": gettext_lazy("varies by more than 20 % between processes"),
    "too_fast": gettext_lazy("faster than a round trip can be: something was not sent"),
    "summary_only": gettext_lazy("no samples, only what the tool summed up"),
    "debug_build": gettext_lazy("a library was built for debugging"),
    "warm_up": gettext_lazy("slower at the beginning of its processes: not warmed up"),
    "slows_down": gettext_lazy("slower at the end of its processes than at their beginning"),
    "two_levels": gettext_lazy("stands on two levels: the median may lie on either"),
    "unstable": gettext_lazy("the tool itself marked this as unstable"),
    "sequential": gettext_lazy("measured one after the other: a slow hour falls on one of them"),
    "foreign_cpu": gettext_lazy("other programs took more than 20 % of the processor"),
    "steal": gettext_lazy("the host took more than 2 % of the processor away"),
    "questions": gettext_lazy("the server counted another number of questions than operations"),
    "not_prepared": gettext_lazy("claimed prepared, server saw text"),
    "was_prepared": gettext_lazy("claimed text, server saw prepared statements"),
    "identical_samples": gettext_lazy("the same samples to the last digit: no clock measures so"),
    "outlier": gettext_lazy("far from the other runs of its key (robust z above 6)"),
    "duplicate": gettext_lazy("the same numbers were uploaded before"),
    "tuned": gettext_lazy("the server is not configured as it comes"),
}

EFFECTS: Final[Mapping[str, StrOrPromise]] = {
    "negligible": gettext_lazy("negligible"),
    "small": gettext_lazy("small"),
    "medium": gettext_lazy("medium"),
    "large": gettext_lazy("large"),
}

ORDERS: Final[Mapping[str, StrOrPromise]] = {
    "interleaved": gettext_lazy("interleaved"),
    "sequential": gettext_lazy("one after the other"),
    "unknown": gettext_lazy("not told"),
}

PLACEMENTS: Final[Mapping[str, StrOrPromise]] = {
    "same": gettext_lazy("client and server on the same CPU"),
    "different": gettext_lazy("client and server on different CPUs"),
    "free": gettext_lazy("not pinned"),
    "unknown": gettext_lazy("CPU placement not told"),
}

FIRST: Final = ("transport", "prepare", "threads")
_TIME_STEPS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_RATES: Final[Mapping[str, str]] = {
    "op/s": "/s",
    "row/s": "rows/s",
    "B/s": "B/s",
    "1": "",
    "%": "%",
}


def measure(value: float | None, unit: str) -> str:
    """A measurement with its unit as people read it: 0.0149 s as "14.9 ms"."""
    if value is None:
        return "—"
    if unit in SECONDS and value > 0:
        seconds = value * SECONDS[unit]
        step, name = next((one for one in _TIME_STEPS if seconds >= one[0]), _TIME_STEPS[-1])
        return f"{_significant(seconds / step)} {name}"
    if unit == "%":
        return percent(value / 100)
    return f"{_significant(value)} {_RATES.get(unit, unit)}".strip()


def _significant(value: float, digits: int = 3) -> str:
    """At least three significant digits, whole numbers in full."""
    places = 0 if value == 0 else max(0, digits - 1 - floor(log10(abs(value))))
    if value == round(value):
        places = 0
    text = formats.number_format(round(value, places), decimal_pos=places, force_grouping=True)
    return text.replace("-", "−")


def percent(share: float | None, *, signed: bool = False) -> str:
    """A share as percent: 0.034 as "3.4 %"."""
    if share is None:
        return "—"
    amount = round(100 * share, 9)  # 1.05 - 1 is not 0.05
    places = 0 if abs(amount) >= 100 or amount == round(amount) else 1
    text = formats.number_format(round(amount, places), decimal_pos=places)
    return f"{'+' if signed and amount > 0 else ''}{text.replace('-', '−')} %"


def params_in_words(params: Mapping[str, Any]) -> str:
    """ "tcp, prepare server, 4 threads": the parameters of a result in one line."""
    parts = []
    for name, value in sorted(params.items(), key=lambda item: _place(item[0])):
        if name == "transport":
            parts.append(str(value))
        elif name == "threads":
            parts.append(_("one thread") if str(value) == "1" else _("%s threads") % value)
        else:
            parts.append(f"{name.replace('_', ' ')} {_plain(value)}")
    return ", ".join(parts)


def _place(name: str) -> tuple[int, str]:
    """What tells most stands first, the rest by name."""
    return (FIRST.index(name) if name in FIRST else len(FIRST)), name


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


def lines(facts: object, name: str = "") -> list[tuple[str, str]]:
    """Nested facts as lines: "cpu model", "server variables query cache type"."""
    if isinstance(facts, dict):
        return [
            line
            for key, item in facts.items()
            for line in lines(item, f"{name} {str(key).replace('_', ' ')}".strip())
        ]
    if isinstance(facts, list):
        return [(name, ", ".join(_plain(item) for item in facts))]
    return [(name, _plain(facts))]


def verdict(row: Mapping[str, Any]) -> str:
    """The finding of one row of a comparison as a sentence part."""
    timed = row["metric"] in TIME_METRICS
    if row["verdict"] == "better":
        return _("faster") if timed else _("better")
    if row["verdict"] == "worse":
        return _("slower") if timed else _("worse")
    if row["verdict"] == "not_shown":
        return _("no difference shown")
    return _("no verdict")


def verdict_note(row: Mapping[str, Any]) -> str:
    """What stands behind the word: how far it could be, or why nothing is said."""
    if row["reason"]:
        return str(REASONS[row["reason"]])
    if row["verdict"] == "not_shown":
        return _not_shown_note(row)
    if row["verdict"] == "none":
        return _("a median is zero")
    return _("effect: %s") % EFFECTS[row["effect"]]


def _not_shown_note(row: Mapping[str, Any]) -> str:
    """How far apart they could be, and what it would take to know better."""
    parts = [
        _("could be from %(low)s to %(high)s")
        % {
            "low": percent(row["low"] - 1, signed=True),
            "high": percent(row["high"] - 1, signed=True),
        }
    ]
    seen = {"seen": percent(row["detectable"]), "smallest": percent(SMALLEST)}
    if row["sure"]:
        parts.append(_("surely there, but not above %(smallest)s or the noise") % seen)
    elif row["detectable"] > SMALLEST:
        parts.append(
            _("%(seen)s would have been seen; %(smallest)s takes about %(needed)s processes a side")
            % {**seen, "needed": formats.number_format(row["needed"], force_grouping=True)}
        )
    return "; ".join(parts)


def step(ratio: float, *, direction: str, metric: str) -> str:
    """A change of level as a sentence part: "faster, 1.20×"; the ratio is new to old."""
    times = ratio if direction == "higher" else 1 / ratio
    said = {"times": formats.number_format(times, decimal_pos=2)}
    if metric in TIME_METRICS:
        return (_("faster, %(times)s×") if times > 1 else _("slower, %(times)s×")) % said
    return (_("better, %(times)s×") if times > 1 else _("worse, %(times)s×")) % said


TONES: Final = {"better": "good", "worse": "warn", "not_shown": "", "none": "open"}
