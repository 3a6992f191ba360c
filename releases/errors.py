"""What an action refuses. The message is for the person who asked, and says what to do."""


class RefusedError(Exception):
    """The action was not done."""


class WrongOffsetError(RefusedError):
    """A chunk does not begin where the upload stands; `offset` is where it does."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset
