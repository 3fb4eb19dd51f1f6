"""Allow requests that upload a file to be larger than a form.

Read uploaded photos and encode them again, so that they are small, upright and without any other data.

Phones store the place and the time in the file of a photo. These are lost, because only the colors of the pixels are
encoded again.
"""

from __future__ import annotations

import io
import re
from contextlib import closing, contextmanager, nullcontext
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING

from flask import Flask, request
from msgspec import Struct

from scorekeeper.config import AROUND_A_FILE, MAX_UPLOAD_BYTES, UPLOADS
from scorekeeper.i18n.catalog import N_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image
    from werkzeug.datastructures import FileStorage


def connect(app: Flask) -> None:
    """Give requests to `app` that upload a file a higher size limit than other requests.

    The limit is set before the form token is checked, because that check already reads the request.
    """
    app.url_value_preprocessor(_allow_file)


def _allow_file(_endpoint: str | None, _values: object) -> None:
    if UPLOADS.fullmatch(request.path):
        request.max_content_length = request.max_form_memory_size = MAX_UPLOAD_BYTES + AROUND_A_FILE


MOST_PIXELS = {"JPEG": 64_000_000, "MPO": 64_000_000, "PNG": 16_000_000, "WEBP": 8_000_000}
"""Maps each format of a photo to the maximum number of pixels that such a photo may have.

A JPEG may have more than the others, since it is scaled down while it is read.


MPO is a JPEG followed by more pictures, such as the depth map that some phones add.
"""
_ARE_JPEG = ("JPEG", "MPO")
_OPENED = ("JPEG", "PNG", "WEBP")
MOST_PIXELS_IN_SCANS = 16_000_000
"""Maximum number of pixels of a progressive JPEG, which must be in memory as a whole while it is read."""
MOST_SCANS = 32
"""Maximum number of scans (passes over the picture) in a progressive JPEG.

Decoding each scan can take as long as decoding a whole picture, but a scan may have only a few bytes in the file.
"""
MOST_SEGMENTS = 1_000
"""Maximum number of segments in a JPEG. A long one, such as a color profile, is split into segments of 64 kB."""
_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd8\xff])")
"""Marker at the start of a segment of a JPEG, or at its end. Others, such as those within a scan, are left out."""
_SCAN, _END = b"\xda", b"\xd9"
QUALITY = 80
KIND = "image/jpeg"
"""Content type of the photos that `photo_from` returns."""
_NO_PHOTO = N_("That file isn't a photo we can read. Choose a JPEG, PNG or WebP file.")
_TOO_LARGE = N_("That photo is too large. Choose one under 8 MB, or take a new one.")
_BUSY = N_("The server is busy with other photos. Try again in a moment.")
_one_at_a_time = Lock()
"""Lock held while a photo is read, so that several uploads at once need no more memory than one."""
_places = BoundedSemaphore(3)
"""Limits how many photos are handled at a time: one that is read and two that wait.

Each of them occupies a thread, and threads are also needed for saving hands.
"""


class PhotoRefusedError(Exception):
    """A file is not a photo, or is too large.

    The message is an English sentence, which pages translate for the reader.
    """


class Photo(Struct, frozen=True):
    """A photo ready to store: a JPEG without metadata, and its size in pixels."""

    data: bytes
    width: int
    height: int


def read_photo(file: FileStorage | None) -> bytes:
    """Return the content of an uploaded file, or b"" if no file was chosen.

    Raises `PhotoRefusedError` if the file has more than `MAX_UPLOAD_BYTES`, without reading the rest.
    """
    if file is None:
        return b""
    with closing(file):
        data = file.stream.read(MAX_UPLOAD_BYTES + 1)
    if len(data) > MAX_UPLOAD_BYTES:
        raise PhotoRefusedError(_TOO_LARGE)
    return data


def photo_from(data: bytes, *, side: int, square: bool = False, most_pixels: int | None = None) -> Photo:
    """Return the photo in the file content `data`, turned upright. No side is longer than `side` pixels.

    With `square`, only the middle of the photo is kept, as a square of `side` by `side` pixels. `most_pixels` is the
    size limit. If it is None, the limits of this module apply, and the call waits until no other photo is being read.

    Raises `PhotoRefusedError` if the file isn't a photo, if it has too many pixels or scans, or if too many photos are
    waiting.
    """
    # Imported on first use: Pillow takes 4 MB.
    from PIL import Image

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
    """Wait until no other photo is being read, and let no other photo be read inside the `with` block.

    Raises `PhotoRefusedError` if too many photos are waiting.
    """
    if not _places.acquire(blocking=False):
        raise PhotoRefusedError(_BUSY)
    try:
        with _one_at_a_time:
            yield
    finally:
        _places.release()


def _opened(data: bytes, side: int, most_pixels: int | None) -> Image.Image:
    """Return the picture in `data` after reading only its header.

    Raises `PhotoRefusedError` if the picture is too large.
    """
    from PIL import Image

    picture = Image.open(io.BytesIO(data), formats=_OPENED)
    in_scans = bool(picture.info.get("progressive"))
    most = most_pixels or (MOST_PIXELS_IN_SCANS if in_scans else MOST_PIXELS[picture.format or ""])
    if picture.width * picture.height > most or (picture.format in _ARE_JPEG and _has_many_scans(data)):
        raise PhotoRefusedError(_TOO_LARGE)
    picture.draft("RGB", (side, side))
    return picture


def _has_many_scans(data: bytes) -> bool:
    """Return whether the first picture in a JPEG file has more than `MOST_SCANS` scans or `MOST_SEGMENTS` segments.

    What follows that picture isn't decoded: further pictures, or the video of a motion photo (Pixel and Samsung phones
    append an MP4 file), in whose 3 MB the marker of a scan occurs 46 times by chance.
    """
    at = scans = 0
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(data, at)
        if found is None or found[1] == _END:
            return scans > MOST_SCANS
        scans += found[1] == _SCAN
        at = found.end() + max(2, int.from_bytes(data[found.end() : found.end() + 2]))
    return True


def _encoded(picture: Image.Image, side: int, *, square: bool) -> Photo:
    from PIL import Image, ImageOps

    if square:
        shorter = min(picture.size)
        scale = side / shorter
        picture.thumbnail((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
        picture = ImageOps.fit(ImageOps.exif_transpose(picture), (side, side))
    else:
        picture.thumbnail((side, side))
        picture = ImageOps.exif_transpose(picture)
    if picture.mode.startswith("I"):  # a scan in 16-bit gray
        picture = picture.point(lambda gray: gray / 256).convert("L")
    seen = Image.new("RGB", picture.size, "white")
    with_alpha = picture.convert("RGBA") if picture.has_transparency_data else None
    seen.paste(with_alpha or picture.convert("RGB"), mask=with_alpha)
    out = io.BytesIO()
    seen.save(out, "JPEG", quality=QUALITY, optimize=True, progressive=False)
    return Photo(out.getvalue(), *seen.size)
