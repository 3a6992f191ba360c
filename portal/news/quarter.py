"""A quarter of a year, in UTC; pure."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    year: int
    number: int  # 1 to 4

    def __str__(self) -> str:
        return f"{self.year} Q{self.number}"

    @property
    def first_day(self) -> dt.date:
        return dt.date(self.year, 3 * self.number - 2, 1)

    @property
    def last_day(self) -> dt.date:
        return self.next().first_day - dt.timedelta(days=1)

    @property
    def start(self) -> dt.datetime:
        return dt.datetime.combine(self.first_day, dt.time(), dt.UTC)

    @property
    def end(self) -> dt.datetime:
        """The first moment that is not in it any more."""
        return self.next().start

    @property
    def months(self) -> list[dt.date]:
        """The first days of its three months."""
        return [dt.date(self.year, 3 * self.number - 2 + n, 1) for n in range(3)]

    def next(self) -> Quarter:
        return (
            Quarter(self.year + 1, 1) if self.number == 4 else Quarter(self.year, self.number + 1)
        )

    def previous(self) -> Quarter:
        return (
            Quarter(self.year - 1, 4) if self.number == 1 else Quarter(self.year, self.number - 1)
        )

    @classmethod
    def of(cls, day: dt.date) -> Quarter:
        return cls(day.year, (day.month + 2) // 3)
