"""Make photos like those that phones send."""

from __future__ import annotations

import io

from PIL import Image

PLACE = b"somewhere at home"


def photo(size: tuple[int, int] = (80, 60), form: str = "JPEG") -> bytes:
    """Return a picture file whose left half is red; the file's EXIF data contains a location and a camera.

    `size` is in pixels, and `form` is the file format.
    """
    picture = Image.new("RGB", size, "white")
    picture.paste("red", (0, 0, size[0] // 2, size[1]))
    exif = picture.getexif()
    exif[0x010E], exif[0x010F] = PLACE.decode(), "Camera"
    out = io.BytesIO()
    picture.save(out, form, exif=exif, comment=PLACE)
    return out.getvalue()
