"""What the public reads of a text from which passages were taken out; pure."""

from collections.abc import Iterable

from governance.discussion.finding import over_lines

BLACK = "█████"


def redacted(text: str, passages: Iterable[str]) -> str:
    """The text as everybody reads it; longer passages go first, they may hold shorter ones."""
    for passage in sorted(passages, key=len, reverse=True):
        text = over_lines(passage).sub(BLACK, text)
    return text
