"""What was left out of a stranger's drawing and may be missed by its owner; pure.

Working data of drawing programs, which nobody sees, is not told.
"""

from enum import StrEnum

from portal.members.svg_vocabulary import XLINK_HREF


class Loss(StrEnum):
    SCRIPT = "script"
    PICTURE = "picture"
    LINK = "link"
    ELSEWHERE = "elsewhere"
    FOREIGN = "foreign"
    MOVEMENT = "movement"
    EFFECT = "effect"
    STYLE = "style"
    OTHER = "other"


UNSEEN = {"", "switch", "metadata", "style", "font", "view", "cursor"}
KNOWN = {
    "script": Loss.SCRIPT,
    "image": Loss.PICTURE,
    "a": Loss.LINK,
    "foreignObject": Loss.FOREIGN,
    **dict.fromkeys(("animate", "animateMotion", "animateTransform", "set"), Loss.MOVEMENT),
    **dict.fromkeys(("filter", "pattern", "marker"), Loss.EFFECT),
}
EFFECTS = {"filter", "marker", "marker-start", "marker-mid", "marker-end", "mix-blend-mode"}
PLAIN = {"none", "normal", "inherit"}


def of_element(name: str, attributes: dict[str, str]) -> Loss | None:
    """Of an element that was not copied; one that only its own program reads is not missed."""
    if name in UNSEEN or name.startswith("fe") or "requiredExtensions" in attributes:
        return None
    return KNOWN.get(name, Loss.OTHER)


def of_attribute(name: str, value: str) -> Loss | None:
    """Of an attribute or declaration that is not on the list."""
    if name.lower().startswith("on"):
        return Loss.SCRIPT
    return Loss.EFFECT if name in EFFECTS and value.strip() not in PLAIN else None


def of_value(name: str, value: str) -> Loss:
    """Of a value that was refused."""
    lowered = value.lower()
    if "javascript:" in lowered:
        return Loss.SCRIPT
    loads = name in {"href", XLINK_HREF} or "url(" in lowered or "//" in lowered
    return Loss.ELSEWHERE if loads else Loss.OTHER


def of_sheets(sheets: str, others: bool) -> set[Loss]:
    """Of style sheets; `others`: rules that are not of a class."""
    lowered = sheets.lower()
    found = {Loss.ELSEWHERE} if "@import" in lowered or "@font-face" in lowered else set()
    return found | ({Loss.STYLE} if others else set())
