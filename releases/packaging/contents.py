from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class PackagedFile:
    """A file that a package installs for everybody to read; `path` begins with a slash."""

    path: str
    data: bytes
    is_config: bool = False  # what an administrator changed stays as it is

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0] + "/"

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]
