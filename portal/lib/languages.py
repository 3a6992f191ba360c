"""The languages that people choose from, and the one that documents of record are written in.

What is signed, published, stored or printed as a document of the foundation is in its own
language, whoever presses the button: see docs/decisions/0218.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

P = ParamSpec("P")
R = TypeVar("R")
YEAR: Final = 365 * 24 * 3600


def offered(code: str) -> bool:
    """Whether a person can choose it."""
    return code in dict(settings.LANGUAGES)


def keep(request: HttpRequest, response: HttpResponseBase, language: str) -> None:
    """In a cookie, so that every later page comes in this language."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=YEAR,
        samesite="Lax",
        secure=request.is_secure(),
        httponly=True,
    )


def of_addresses(addresses: Iterable[str]) -> dict[str, str]:
    """The languages of those who have an account and chose one, by address in lower case."""
    wanted = {address.lower() for address in addresses}
    people = get_user_model().objects.annotate(address=Lower("email")).filter(address__in=wanted)
    known = people.exclude(language="").values_list("address", "language")
    return {address: language for address, language in known if offered(language)}


def of_record() -> AbstractContextManager[None]:
    """`with of_record():` what is said in it is in the foundation's language."""
    return translation.override(settings.LANGUAGE_CODE)


def for_the_record(function: Callable[P, R]) -> Callable[P, R]:
    """A function that words what is kept: all of it is said in the foundation's language."""

    @wraps(function)
    def said(*args: P.args, **kwargs: P.kwargs) -> R:
        with of_record():
            return function(*args, **kwargs)

    return said


def of_reader(language: str) -> AbstractContextManager[None]:
    """`with of_reader(user.language):` in theirs; the foundation's while it is not known."""
    return translation.override(language if offered(language) else settings.LANGUAGE_CODE)
