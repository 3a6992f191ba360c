"""What an action answers when it does not do what was asked; the text says what to do instead."""


class Refusal(Exception):  # noqa: N818 - nothing went wrong
    """Not now: the motion is not in the state for it. Nothing was changed."""


class NotAllowed(Refusal):
    """Not you: somebody else may do it."""
