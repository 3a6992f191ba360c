"""The transfer chart: a lane for each candidate, a column for each stage, the quota across.

Pure: a count in, SVG text out. A bar is what somebody has at the end of a stage; its dark end came
in at that stage, and a dashed outline is what went on to others. So each column shows from whom
votes went to whom, with as many candidates and stages as there are, and on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from governance.elections.movements import End, Fate, Movement, fates, in_order, movements
from governance.tally.stages import Stage, Tally
from portal.lib.plot.drawing import GLYPH, SMALL, WIDE, Drawing, Text, both, number

BAR: Final = 34  # height of a lane's largest bar
MARK: Final = 14  # room above it for the mark of an election
WIDEST: Final = 76  # of a column
NARROWEST_LABEL: Final = 17
HIGH: Final = 7  # lanes above which the numbers of the stages stand below too
LETTERS: Final = 24  # of a name beside its lane
BROAD: Final = 9.0  # width of a letter of a name, which may be a capital


@dataclass(frozen=True, slots=True)
class Lane:
    """What is written beside the bars of a candidate, or of votes that nobody has any more."""

    name: str
    votes: str  # the most recent
    end: str  # elected, stage 3


@dataclass(frozen=True, slots=True)
class _Bars:
    """The bars of one lane: what it has at each stage, and the change."""

    votes: tuple[int, ...]
    changes: tuple[int, ...]
    fate: Fate | None


def transfer_chart(tally: Tally, lanes: Sequence[Lane], text: Text) -> str:
    """`lanes` has one for each candidate in their order, and one more for votes without anybody.

    Candidates whose lane has no end did not stand and are not drawn.
    """
    if not tally.stages:
        return ""
    absent = [one for one in range(len(lanes) - 1) if not lanes[one].end]
    shown = [one for one in in_order(tally, absent) if one not in absent]
    bars = _all_bars(tally, absent)
    rows = [(lanes[one], bars[one]) for one in (*shown, len(lanes) - 1)]
    most = max(
        (votes + max(0, -change))
        for _lane, row in rows
        for votes, change in zip(row.votes, row.changes, strict=True)
    )
    scale = BAR / max(most, tally.stages[0].quota, 1)

    def draw(small: bool) -> Drawing:
        return _drawn(tally, rows, scale, small=small)

    return both(draw, text)


def _all_bars(tally: Tally, absent: Sequence[int]) -> list[_Bars]:
    moves = movements(tally)
    ends = fates(tally, absent)
    found = [
        _Bars(
            tuple(stage.votes[one] for stage in tally.stages),
            (0, *(move.changes[one] for move in moves)),
            fate,
        )
        for one, fate in enumerate(ends)
    ]
    return [*found, _with_nobody(tally.stages, moves)]


def _with_nobody(stages: Sequence[Stage], moves: Sequence[Movement]) -> _Bars:
    return _Bars(
        tuple(stage.exhausted + stage.lost for stage in stages),
        (0, *(move.exhausted + move.lost for move in moves)),
        None,
    )


def _drawn(
    tally: Tally, rows: Sequence[tuple[Lane, _Bars]], scale: float, *, small: bool
) -> Drawing:
    names = 12 + BROAD * max(len(_short(lane.name)) for lane, _ in rows)
    left = 0.0 if small else names
    right = 8.0 if small else 24 + GLYPH * max(len(f"{it.votes} {it.end}") for it, _ in rows)
    step = MARK + BAR + (24 if small else 10)
    below = 22 if len(rows) > HIGH else 4
    width = SMALL if small else WIDE
    canvas = Drawing(width, 22 + step * len(rows) + below, left, right, 22, below, small)
    column = min((canvas.x_end - left) / len(tally.stages), WIDEST)
    _numbers(canvas, len(tally.stages), column, 13)
    for at, (lane, bars) in enumerate(rows):
        base = canvas.top + step * (at + 1) - 4
        _words(canvas, lane, base, left + column * len(tally.stages))
        _quota(canvas, tally, bars, base, column, scale)
        for stage in range(len(tally.stages)):
            _bar(canvas, bars, stage, (left + column * stage, base, column), scale)
        canvas.line("grid", left, base, left + column * len(tally.stages), base)
    if below > 4:
        _numbers(canvas, len(tally.stages), column, canvas.height - 6)
    return canvas


def _numbers(canvas: Drawing, stages: int, column: float, y: float) -> None:
    """As many as fit beside each other."""
    every = 1 if column >= NARROWEST_LABEL else 2
    for at in range(0, stages, every):
        canvas.text(canvas.left + column * (at + 0.5), y, at + 1, "axis", "middle")


def _words(canvas: Drawing, lane: Lane, base: float, end: float) -> None:
    if canvas.small:
        above = base - BAR - MARK
        canvas.text(0, above, _short(lane.name))
        canvas.text(canvas.x_end, above, lane.end or lane.votes, "axis", "end")
    else:
        canvas.text(0, base - 6, _short(lane.name))
        canvas.pair(end + 12, base - 6, lane.votes, lane.end, "axis")


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _quota(
    canvas: Drawing, tally: Tally, bars: _Bars, base: float, column: float, scale: float
) -> None:
    """Across the lane of a candidate; with Meek's method it falls from stage to stage."""
    if bars.fate is None:
        return
    for at, stage in enumerate(tally.stages):
        y, x = base - stage.quota * scale, canvas.left + column * at
        ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(x + column)}" y2="{number(y)}"'
        canvas.pieces.append(f'<line class="c5" stroke-dasharray="2 3" {ends}/>')


def _bar(
    canvas: Drawing, bars: _Bars, at: int, place: tuple[float, float, float], scale: float
) -> None:
    x, base, column = place
    wide = max(column * 0.7, 4)
    x += (column - wide) / 2
    votes, change = bars.votes[at], bars.changes[at]
    kept, gained = votes - max(change, 0), max(change, 0)
    pale, dark = _shades(bars.fate, at + 1)
    if kept > 0:
        canvas.rect(pale, x, base - kept * scale, wide, kept * scale)
    if gained > 0:
        canvas.rect(dark, x, base - votes * scale, wide, max(gained * scale, 1))
    if change < 0:
        _gone(canvas, x, base - votes * scale, wide, -change * scale)
    if bars.fate is not None and bars.fate.stage == at + 1:
        _mark(canvas, bars.fate, x + wide / 2, base - max(votes, votes - change) * scale)


def _shades(fate: Fate | None, stage: int) -> tuple[str, str]:
    """The class of what was there, and of what came in; green once somebody is elected."""
    if fate is not None and fate.end is End.ELECTED and stage >= fate.stage:
        return "o3", "o1"
    return "o5", "f5"


def _gone(canvas: Drawing, x: float, base: float, wide: float, high: float) -> None:
    size = f'width="{number(wide)}" height="{number(max(high, 1))}"'
    box = f'x="{number(x)}" y="{number(base - high)}" {size}'
    canvas.pieces.append(
        f'<rect class="c5" fill="none" stroke-width="1.25" stroke-dasharray="2 2" {box}/>'
    )


def _mark(canvas: Drawing, fate: Fate, x: float, top: float) -> None:
    """A tick where somebody is elected, a cross where somebody leaves."""
    if fate.end is End.LEFT_OUT:
        return
    sign = "✓" if fate.end is End.ELECTED else "✗"
    canvas.text(x, top - 3, sign, "b", "middle")
