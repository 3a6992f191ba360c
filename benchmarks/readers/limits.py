"""What no upload may exceed, whoever wrote it; each refusal names the place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final

from benchmarks.documents import DIRECTIONS, METRICS, UNITS, Document, Measured, RefusedError

RESULTS: Final = 2000
PROCESSES: Final = 200
SAMPLES: Final = 10_000  # of one process
ALL_SAMPLES: Final = 200_000  # of one file: what the worker describes in seconds
NAME: Final = 300
PARAMETERS: Final = 30
MOMENTS: Final[Mapping[str, Mapping[str, str]]] = {  # where a format says when
    "native": {"started_at": "/run/started_at", "finished_at": "/run/finished_at"},
    "pytest-benchmark": {"started_at": "/datetime"},
}
AHEAD: Final = dt.timedelta(minutes=10)  # a clock may go a little wrong


def check(document: Document, *, now: dt.datetime) -> None:
    """Raises `RefusedError` for the first thing that cannot be kept."""
    if not document.results:
        raise RefusedError("", "The file holds no result.")
    if len(document.results) > RESULTS:
        raise RefusedError("", f"The file holds more than {RESULTS} results.")
    if not document.title.isprintable():
        raise RefusedError("/run/title", "The title holds a line break or a control character.")
    for name in ("started_at", "finished_at"):
        moment: dt.datetime | None = getattr(document, name)
        if moment is not None and moment > now + AHEAD:
            raise RefusedError(
                MOMENTS.get(document.format, {}).get(name, ""),
                f"The file says {moment:%Y-%m-%d %H:%M} UTC, which is in the future.",
            )
    if sum(len(process) for one in document.results for process in one.samples) > ALL_SAMPLES:
        raise RefusedError("", f"The file holds more than {ALL_SAMPLES} samples.")
    for one in document.results:
        _check_names(one)
        _check_samples(one)


def _check_names(one: Measured) -> None:
    if one.metric not in METRICS:
        raise RefusedError(one.place, f"“{one.metric}” is not a metric: {', '.join(METRICS)}.")
    if one.unit not in UNITS:
        raise RefusedError(one.place, f"“{one.unit}” is not a unit: {', '.join(UNITS)}.")
    if one.direction not in DIRECTIONS:
        raise RefusedError(one.place, "The direction is neither “higher” nor “lower”.")
    if not one.subject.name.strip():
        raise RefusedError(one.place, "A result needs a name.")
    if len(one.params) > PARAMETERS:
        raise RefusedError(one.place, f"A result has at most {PARAMETERS} parameters.")
    subject = one.subject
    texts = [one.case, subject.name, subject.version, subject.implementation]
    texts += [subject.package, subject.runtime, *_words(one.params)]
    for text in texts:
        if len(text) > NAME:
            raise RefusedError(one.place, f"A name is longer than {NAME} characters.")
        if not text.isprintable():
            raise RefusedError(one.place, "A name holds a line break or a control character.")


def _words(params: Mapping[str, object]) -> list[str]:
    return [word for name, value in params.items() for word in (name, str(value))]


def _check_samples(one: Measured) -> None:
    if not one.samples and not one.summary and not one.error:
        raise RefusedError(one.place, "A result needs samples, a summary or an error.")
    if len(one.samples) > PROCESSES:
        raise RefusedError(one.place, f"A result has more than {PROCESSES} processes.")
    for process in one.samples:
        if len(process) > SAMPLES:
            raise RefusedError(one.place, f"A process has more than {SAMPLES} samples.")
