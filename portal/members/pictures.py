"""Checks what people send as a logo; pure. SVG goes through `svg.py`, PNG is drawn anew."""

import hashlib
import io
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from portal.members.svg import SvgError, sanitise
from portal.members.svg_losses import Loss

LARGEST_FILE = 300_000  # bytes
LARGEST_SIDE = 4_000  # pixels; what Pillow may have to hold in memory: 64 MB
KEPT_SIDE = 1_200  # pixels: three times the largest place on a page
PNG_START = b"\x89PNG\r\n\x1a\n"


class PictureError(ValueError):
    """The code says what is wrong: large, format, broken, dimensions, or one of svg.py."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Picture:
    format: str
    content: bytes
    width: int
    height: int
    losses: tuple[Loss, ...] = ()  # what of a drawing was left out and may be missed

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def check(raw: bytes) -> Picture:
    """The picture in `raw`, safe to show to everybody. Raises PictureError."""
    if len(raw) > LARGEST_FILE:
        raise PictureError("large")
    if raw.startswith(PNG_START):
        return _png(raw)
    if b"<svg" in raw[:4096] or raw.lstrip().startswith(b"<?xml"):
        try:
            drawing = sanitise(raw)
        except SvgError as error:
            raise PictureError(error.code) from error
        return Picture("svg", drawing.content, drawing.width, drawing.height, drawing.losses)
    raise PictureError("format")


def _png(raw: bytes) -> Picture:
    """The same pixels in a new file: nothing that was hidden beside them survives."""
    try:
        with Image.open(io.BytesIO(raw), formats=["PNG"]) as image:
            if max(image.size) > LARGEST_SIDE:
                raise PictureError("dimensions")
            image.load()
            clean = image.convert("RGBA")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureError("dimensions") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError("broken") from error
    clean.thumbnail((KEPT_SIDE, KEPT_SIDE))
    written = io.BytesIO()
    clean.save(written, "PNG", optimize=True)
    return Picture("png", written.getvalue(), *clean.size)
