"""Where the change of a key stands, and what comes next. Pure questions to rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from releases.models import SigningKey

ANNOUNCED, BOTH, DONE = 2, 3, 4  # the steps: make, announce, both sign, done
COMMAND: Final = "python -m releases.signer key"
State = SigningKey.State


@dataclass(frozen=True)
class Rotation:
    """The keys of one scope that take each other's place."""

    step: int
    old: SigningKey
    new: SigningKey

    @property
    def command(self) -> str:
        """What the operator of the signer types when the step may be taken."""
        if self.step == ANNOUNCED:
            return f"{COMMAND} activate {self.new.own_name}"
        return f"{COMMAND} retire {self.old.own_name}"


def rotations(keys: Iterable[SigningKey]) -> list[Rotation]:
    """The changes that are under way, one for each scope."""
    scopes: dict[tuple[bool, str], list[SigningKey]] = {}
    for key in keys:
        scopes.setdefault((key.for_files, key.scope), []).append(key)
    found = (_rotation(group) for group in scopes.values())
    return [rotation for rotation in found if rotation is not None]


def _rotation(keys: Sequence[SigningKey]) -> Rotation | None:
    active = sorted(
        (key for key in keys if key.state == State.ACTIVE), key=lambda key: key.created_at
    )
    following = [key for key in keys if key.state == State.NEXT]
    if active and following:
        return Rotation(ANNOUNCED, active[-1], following[0])
    if len(active) > 1:
        return Rotation(BOTH, active[0], active[-1])
    return None
