"""What the public reads of a text from which passages were taken out; pure."""

from collections.abc import Iterable

BLACK = "█████"


def redacted(text: str, passages: Iterable[str]) -> str:
    """The text as everybody reads it; longer passages go first, they may hold shorter ones."""
    for passage in sorted(passages, key=len, reverse=True):
        text = text.replace(passage, BLACK)
    return text
