"""What a request is answered that cannot be done."""


class RequestError(Exception):
    """Answered with status 400 or 404 and Stripe's error object."""

    def __init__(self, message: str, status: int = 400, *, code: str = "", param: str = "") -> None:
        super().__init__(message)
        self.message, self.status, self.code, self.param = message, status, code, param


class MissingError(RequestError):
    """There is no such thing."""

    def __init__(self, kind: str, thing_id: str) -> None:
        super().__init__(f"No such {kind}: '{thing_id}'", 404, code="resource_missing", param="id")
