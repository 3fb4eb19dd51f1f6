"""Read photos that people upload, and encode them again: small, upright, and without anything but the picture.

Phones write the place and the time of a photo into its file. None of that survives, because only the colors of its
pixels are written again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock

from PIL import Image, ImageOps
from werkzeug.datastructures import FileStorage

from scorekeeper.config import MAX_UPLOAD_BYTES
from scorekeeper.i18n.catalog import N_

MOST_PIXELS = {"JPEG": 64_000_000, "MPO": 64_000_000, "PNG": 16_000_000, "WEBP": 8_000_000}
"""Most pixels of a photo, by its format. A JPEG is scaled down while it is read, so it may have more.

MPO is a JPEG followed by more pictures, such as the depth map that some phones add.
"""
_ARE_JPEG = ("JPEG", "MPO")
_OPENED = ("JPEG", "PNG", "WEBP")
MOST_PIXELS_IN_SCANS = 16_000_000
"""Most pixels of a progressive JPEG, whose scans must all be in memory at once."""
MOST_SCANS = 32
"""Most scans of a JPEG. Each takes as long as the whole picture but needs only a few bytes of the file."""
QUALITY = 80
KIND = "image/jpeg"
"""Content type of what `photo_from` returns."""
_NO_PHOTO = N_("That file isn't a photo we can read. Choose a JPEG, PNG or WebP file.")
_TOO_LARGE = N_("That photo is too large. Choose one under 8 MB, or take a new one.")
_BUSY = N_("Other photos are being read right now. Try again in a moment.")
_one_at_a_time = Lock()
"""Held while a photo is read, so that many uploads at once need the memory of one."""
_places = BoundedSemaphore(3)
"""One photo that is read and two that wait: each keeps a thread, and hands need threads, too."""


class PhotoRefusedError(Exception):
    """A file is no photo, or too large; the message is a sentence for the reader, to be translated."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo as it is stored: a JPEG without metadata."""

    data: bytes
    width: int
    height: int


def read_photo(file: FileStorage | None) -> bytes:
    """Return the bytes of an uploaded file, empty if none was chosen.

    Raises `PhotoRefusedError` if it has more than `MAX_UPLOAD_BYTES`, without reading more of it.
    """
    if file is None:
        return b""
    with closing(file):
        data = file.stream.read(MAX_UPLOAD_BYTES + 1)
    if len(data) > MAX_UPLOAD_BYTES:
        raise PhotoRefusedError(_TOO_LARGE)
    return data


def photo_from(data: bytes, *, side: int, square: bool = False, most_pixels: int | None = None) -> Photo:
    """Return the photo in the file `data`, upright, with no side longer than `side` pixels.

    With `square` it is cut to its middle, `side` by `side` pixels. A photo with more pixels than `most_pixels` is
    refused, as is any unusually expensive picture, before its pixels are read. Without `most_pixels`, photos are read
    one at a time, and refused if too many are waiting. Raises `PhotoRefusedError`.
    """
    with _turn() if most_pixels is None else nullcontext():
        try:
            return _encoded(_opened(data, side, most_pixels), side, square=square)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise PhotoRefusedError(_TOO_LARGE) from None
        # Decoders raise many kinds of errors for broken files.
        except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError):
            raise PhotoRefusedError(_NO_PHOTO) from None


@contextmanager
def _turn() -> Iterator[None]:
    """Wait until no other photo is being read. Raises `PhotoRefusedError` if others are waiting."""
    if not _places.acquire(blocking=False):
        raise PhotoRefusedError(_BUSY)
    try:
        with _one_at_a_time:
            yield
    finally:
        _places.release()


def _opened(data: bytes, side: int, most_pixels: int | None) -> Image.Image:
    """Return the picture; so far, only its header was read."""
    picture = Image.open(io.BytesIO(data), formats=_OPENED)
    in_scans = bool(picture.info.get("progressive"))
    most = most_pixels or (MOST_PIXELS_IN_SCANS if in_scans else MOST_PIXELS[picture.format or ""])
    scans = data.count(b"\xff\xda") if picture.format in _ARE_JPEG else 0
    if picture.width * picture.height > most or scans > MOST_SCANS:
        raise PhotoRefusedError(_TOO_LARGE)
    picture.draft("RGB", (side, side))
    return picture


def _encoded(picture: Image.Image, side: int, *, square: bool) -> Photo:
    if square:
        shorter = min(picture.size)
        scale = side / shorter
        picture.thumbnail((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
        picture = ImageOps.fit(ImageOps.exif_transpose(picture), (side, side))
    else:
        picture.thumbnail((side, side))
        picture = ImageOps.exif_transpose(picture)
    seen = Image.new("RGB", picture.size, "white")
    with_alpha = picture.convert("RGBA") if picture.has_transparency_data else None
    seen.paste(with_alpha or picture.convert("RGB"), mask=with_alpha)
    out = io.BytesIO()
    seen.save(out, "JPEG", quality=QUALITY, optimize=True, progressive=False)
    return Photo(out.getvalue(), *seen.size)
