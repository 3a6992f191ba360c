"""What a section of the bundle is asked for: all of it, or what has no record and was touched."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Exists, Q, QuerySet

from governance.models import Record

Found = TypeVar("Found", bound=QuerySet[Any])


@dataclass(frozen=True, slots=True)
class Asked:
    """`motions` are the keys of those to which something was done since they were written."""

    at: datetime
    whole: bool = True
    motions: frozenset[int] = frozenset()

    def missing(self, found: Found, *name: str, touched: Collection[int] = ()) -> Found:
        """Those of the rows that are to be written. `name` says what the record of a row is called,
        as `Record.objects.named` takes it.
        """
        if self.whole:
            return found
        return found.filter(~Exists(Record.objects.named(*name)) | Q(pk__in=touched))
