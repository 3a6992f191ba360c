"""A file that a mirror may have, as the redirect needs to know it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from releases.models import Blob, Package, Product, Publication, Repository


@dataclass(frozen=True)
class Carried:
    """A file that mirrors may have: where, and from which publication or moment on."""

    product: Product
    part: str
    path: str  # below the address of a mirror
    blob: Blob
    repositories: tuple[Repository, ...] = ()
    package: Package | None = None
    publication: Publication | None = None
    since: dt.datetime | None = None
