"""Files that nobody should take, built when they are needed: each with the words of its refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hostile:
    """One bad file. `words` stand in the reason that its sender reads."""

    what: str
    words: str
    build: Callable[[], bytes]
    name: str = "exampledb-server_12.3.0_amd64.deb"
    announced: dict[str, object] = field(default_factory=dict)

    @property
    def distributions(self) -> list[str]:
        return ["rhel-9"] if self.name.endswith(".rpm") else ["debian-12"]

    def __str__(self) -> str:
        return self.what
