"""What is looked at in a record, by its kind. To add a kind: a module beside these, a line here,
and a section in `governance/sections/` that writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from governance.bundle import bylaws, consensus, consent, minutes, motion, rules, typo

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """How records of a kind are checked, and what never changes in one."""

    word: str  # how many of them, in a sentence
    problems: Callable[[Document, Mapping[str, Document]], Iterator[str]]
    fixed: tuple[str, ...]


KINDS: dict[str, Kind] = {
    "rules": Kind("versions of rules", rules.problems, rules.FIXED),
    "motion": Kind("motions, counted again", motion.problems, motion.FIXED),
    "bylaws": Kind("versions of bylaws", bylaws.problems, bylaws.FIXED),
    "typo": Kind("corrections of spelling, made again", typo.problems, typo.FIXED),
    "minutes": Kind("approved minutes, each with its motion", minutes.problems, minutes.FIXED),
    "consent": Kind("written consents, signers compared", consent.problems, consent.FIXED),
    "consensus": Kind("decisions by consensus", consensus.problems, consensus.FIXED),
}
