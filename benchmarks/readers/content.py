"""The bytes of an upload: unpacked within limits, parsed if JSON, cleaned of private words."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from benchmarks import privacy
from benchmarks.documents import RefusedError, are_numbers

PACKED_LIMIT: Final = 5_000_000
PLAIN_LIMIT: Final = 20_000_000
TEXT_LIMIT: Final = 1_000_000  # of formats that are not JSON
VALUES: Final = 400_000  # of a JSON file, whatever they are: each is looked at
NUMBERS: Final = 200_000  # that stand in lists: the samples
READ_BY_PEOPLE: Final = 500_000
GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class File:
    """A file without private words. ``data`` is the parsed JSON, None for plain text; ``kept`` is
    what is stored as the original, ``sha256`` is of the file before, unpacked: ``sent``.
    """

    text: str
    data: Any
    kept: bytes
    sha256: str
    sent: bytes


def opened(raw: bytes) -> File:
    """Unpack gzip, decode UTF-8, parse JSON, and strip what must not be stored."""
    plain = _unpacked(raw) if raw.startswith(GZIP) else raw
    if len(plain) > PLAIN_LIMIT:
        raise RefusedError("", "The file is larger than 20 MB.")
    sha256 = hashlib.sha256(plain).hexdigest()
    try:
        text = plain.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedError(f"byte {error.start}", "The file is not UTF-8 text.") from None
    if not text.strip():
        raise RefusedError("", "The file is empty.")
    if "\x00" in text or "\\u0000" in text:
        raise RefusedError("", "The file holds a NUL character.")
    if text.lstrip()[0] not in "[{":
        if len(plain) > TEXT_LIMIT:
            raise RefusedError("", "A file that is not JSON may have 1 MB at most.")
        text = privacy.clean(text)
        return File(text, None, text.encode(), sha256, plain)
    data = _parsed(text)
    _count(data)
    data = privacy.cleaned(data)
    try:
        indent = 1 if len(plain) < READ_BY_PEOPLE else None  # indenting is several times slower
        kept = json.dumps(
            _in_json(data), ensure_ascii=False, indent=indent, allow_nan=False
        ).encode()
    except UnicodeEncodeError:
        raise RefusedError("", "The file holds half of a character (a lone surrogate).") from None
    return File("", data, kept, sha256, plain)


def _unpacked(raw: bytes) -> bytes:
    if len(raw) > PACKED_LIMIT:
        raise RefusedError("", "The compressed file is larger than 5 MB.")
    stream = zlib.decompressobj(wbits=31)
    try:
        plain = stream.decompress(raw, PLAIN_LIMIT + 1)
    except zlib.error:
        raise RefusedError("", "The file is broken: it cannot be unpacked.") from None
    if not stream.eof and len(plain) <= PLAIN_LIMIT:
        raise RefusedError("", "The compressed file ends too early.")
    return plain


def _parsed(text: str) -> Any:
    if text.count(",") > VALUES:
        raise RefusedError("", f"The file holds more than {VALUES} values.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RefusedError(f"line {error.lineno}", f"This is not JSON: {error.msg}.") from None
    except RecursionError:
        raise RefusedError("", "The file is nested too deeply.") from None
    except ValueError:  # whole numbers of thousands of digits
        raise RefusedError("", "The file holds a number that is too long.") from None


def _count(data: Any) -> None:
    """Refuse more samples than a file may hold, before anything is copied."""
    numbers, waiting = 0, [data]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list) and are_numbers(here):
            numbers += len(here)
            here = []
        for item in here.values() if isinstance(here, dict) else here:
            if isinstance(item, dict | list):
                waiting.append(item)
            elif isinstance(here, list) and isinstance(item, int | float):
                numbers += 1
        if numbers > NUMBERS:
            raise RefusedError("", f"The file holds more than {NUMBERS} samples.")


def _is_finite(values: list[int | float]) -> bool:
    try:
        return isfinite(sum(values))
    except OverflowError:  # whole numbers beyond any float
        return False


def _in_json(value: Any) -> Any:
    """The same with null for NaN and infinity, which JSON does not know though tools write them."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list):
        is_plain = are_numbers(value) and _is_finite(value)
        return value if is_plain else [_in_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _in_json(item) for key, item in value.items()}
    return value
