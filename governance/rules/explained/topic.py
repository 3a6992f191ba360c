from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """What a rule set says about one thing."""

    title: str
    clause: str
    sentences: list[str]
