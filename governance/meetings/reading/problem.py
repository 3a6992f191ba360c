"""What can be wrong with the text of a record, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Fault(StrEnum):
    """What can be wrong with a line."""

    NO_TITLE = "no_title"
    MISSING = "missing"
    NOT_A_MOMENT = "not_a_moment"
    NOT_A_TIME = "not_a_time"
    NOT_A_NUMBER = "not_a_number"
    NOT_A_SESSION = "not_a_session"
    NOT_A_SALT = "not_a_salt"
    NOT_A_SEAL = "not_a_seal"
    NOT_A_SPAN = "not_a_span"
    ENDS_FIRST = "ends_first"
    NOT_A_ROW = "not_a_row"
    NOT_A_KIND = "not_a_kind"
    NOT_FILED = "not_filed"
    ABSENT_WITH_TIMES = "absent_with_times"
    TWICE = "twice"
    NOT_A_TASK = "not_a_task"
    NOT_A_DATE = "not_a_date"
    HEADING = "heading"
    OPEN_CODE = "open_code"
    STRAY = "stray"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    line: int
    fault: Fault
    value: str = ""


class ReadingError(Exception):
    """The text is no record of a meeting; `problems` say where and why."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = sorted(problems)


@dataclass(slots=True)
class Reader:
    """Collects what is wrong while the parts are read."""

    problems: list[Problem] = field(default_factory=list)

    def wrong(self, line: int, fault: Fault, value: str = "") -> None:
        self.problems.append(Problem(line, fault, value))
