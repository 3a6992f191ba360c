"""What an action answers when it does not do what was asked; the text says what to do instead."""


class Refusal(Exception):  # noqa: N818 - nothing went wrong
    """Not now: the motion is not in the state for it. Nothing was changed."""


class NotAllowed(Refusal):
    """Not you: somebody else may do it."""


class NeedsException(Refusal):
    """Not without a reason: limits are exceeded, which an exception allows."""

    def __init__(self, exceeded: list[str]) -> None:
        super().__init__(" ".join(exceeded))
        self.exceeded = exceeded


def allowed(refusal: Refusal | None) -> None:
    """Go on, or raise what speaks against it."""
    if refusal is not None:
        raise refusal
