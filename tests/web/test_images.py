"""Photos that people upload are made small, lose their metadata, and never take much work to read."""

from __future__ import annotations

import io
import random
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from werkzeug.datastructures import FileStorage

from scorekeeper.config import MAX_UPLOAD_BYTES
from scorekeeper.web.uploads import MOST_SCANS, MOST_SEGMENTS, PhotoRefusedError, photo_from, read_photo

GPS, ORIENTATION, CAMERA = 0x8825, 0x0112, 0x010F


def file_of(picture: Image.Image, kind: str = "JPEG", **how: object) -> bytes:
    """Return the bytes of an image file with `picture`, in the format `kind`. `how` are options of `Image.save`."""
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    """Return the picture in the image file `data`."""
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def png_that_claims(width: int, height: int) -> bytes:
    """Return a small PNG file whose header states this width and height."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head) - 4) + head + struct.pack(">I", zlib.crc32(head))
    body = b"IDAT" + zlib.compress(bytes(3 * 100))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def with_exif() -> bytes:
    """Return a JPEG file that is stored as 600 by 400 pixels, but must be turned by 90 degrees to be displayed.

    The metadata has a location, a camera and a comment.
    """
    exif = Image.Exif()
    exif[ORIENTATION], exif[CAMERA], exif[GPS] = 6, "Secret Camera", {1: "N", 2: (52.0, 31.0, 12.0)}
    return file_of(Image.new("RGB", (600, 400), "red"), exif=exif, comment=b"a comment")


def test_nothing_but_the_picture_is_kept() -> None:
    photo = photo_from(with_exif(), side=300)
    picture = opened(photo.data)
    assert (picture.format, picture.mode) == ("JPEG", "RGB")
    assert not picture.getexif()
    assert not {"exif", "comment", "icc_profile", "xmp"} & set(picture.info)
    assert b"Secret" not in photo.data


def test_a_photo_taken_upright_stands_upright() -> None:
    photo = photo_from(with_exif(), side=300)
    assert (photo.width, photo.height) == opened(photo.data).size == (200, 300)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_stands_upright_however_the_phone_was_held(kind: str) -> None:
    upright = Image.new("RGB", (80, 60), "white")
    upright.paste("red", (0, 0, 20, 15))
    turns = Image.Transpose
    stored = {2: turns.FLIP_LEFT_RIGHT, 3: turns.ROTATE_180, 4: turns.FLIP_TOP_BOTTOM, 5: turns.TRANSPOSE}
    stored |= {6: turns.ROTATE_90, 7: turns.TRANSVERSE, 8: turns.ROTATE_270}
    for orientation, turn in stored.items():
        exif = Image.Exif()
        exif[ORIENTATION] = orientation
        picture = opened(photo_from(file_of(upright.transpose(turn), kind, exif=exif), side=80).data)
        assert picture.size == (80, 60), orientation
        assert picture.crop((2, 2, 10, 10)).resize((1, 1)).getpixel((0, 0))[1] < 60, orientation  # type: ignore[index]


def test_a_scan_in_16_bit_gray_keeps_its_grays() -> None:
    grays = b"".join((256 * gray).to_bytes(2, "little") for gray in range(256))
    scan = Image.frombytes("I;16", (256, 1), grays).resize((256, 64))
    picture = opened(photo_from(file_of(scan, "PNG"), side=256).data).convert("L")
    assert all(abs(int(picture.getpixel((gray, 30))) - gray) < 6 for gray in range(256))  # type: ignore[arg-type]


def test_a_small_photo_stays_small() -> None:
    assert opened(photo_from(file_of(Image.new("RGB", (30, 20))), side=300).data).size == (30, 20)


@pytest.mark.parametrize("size", [(600, 400), (400, 600), (50, 20), (3000, 10)])
def test_a_square_is_cut_from_the_middle(size: tuple[int, int]) -> None:
    photo = photo_from(file_of(Image.new("RGB", size)), side=96, square=True)
    assert opened(photo.data).size == (96, 96)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "L", "1", "I;16"])
def test_what_is_transparent_becomes_white(mode: str) -> None:
    picture = opened(photo_from(file_of(Image.new(mode, (8, 8)), "PNG"), side=8).data)
    assert picture.getpixel((4, 4)) == ((255, 255, 255) if "A" in mode else (0, 0, 0))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_these_kinds_are_read(kind: str) -> None:
    assert photo_from(file_of(Image.new("RGB", (8, 8)), kind), side=8).width == 8


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "ICO", "PPM"])
def test_other_kinds_are_refused(kind: str) -> None:
    with pytest.raises(PhotoRefusedError):
        photo_from(file_of(Image.new("RGB", (16, 16)), kind), side=8)


@pytest.mark.parametrize("size", [(100_000, 100_000), (20_000, 1_000), (2**31 - 1, 1)])
def test_a_bomb_is_refused_by_its_size(size: tuple[int, int]) -> None:
    with pytest.raises(PhotoRefusedError, match="too large"):
        photo_from(png_that_claims(*size), side=8)


def test_a_photo_of_endless_scans_is_refused() -> None:
    data = file_of(Image.new("RGB", (64, 64)), progressive=True)
    scan = data.rindex(b"\xff\xda")
    with pytest.raises(PhotoRefusedError, match="too large"):
        photo_from(data[:-2] + data[scan:-2] * MOST_SCANS + data[-2:], side=8)


def test_a_photo_of_endless_segments_is_refused() -> None:
    data = file_of(Image.new("RGB", (64, 64)))
    with pytest.raises(PhotoRefusedError, match="too large"):
        photo_from(data[:2] + b"\xff\xfe\x00\x02" * MOST_SEGMENTS + data[2:], side=8)


def test_the_video_of_a_motion_photo_has_no_scans() -> None:
    """A video is like random bytes, and 4 MB of them have the marker of a scan more often than `MOST_SCANS`."""
    video = random.Random(7).randbytes(4_000_000)
    assert video.count(b"\xff\xda") > MOST_SCANS
    assert photo_from(with_exif() + video, side=300).height == 300


class Watched(io.BytesIO):
    """A file in memory. When it is closed, it stores in `furthest` how many bytes were read."""

    furthest = 0

    def close(self) -> None:
        """Store the current position in `furthest`, and close the file."""
        self.furthest = self.tell()
        super().close()


def test_a_large_file_is_refused_before_it_is_read() -> None:
    stream = Watched(bytes(MAX_UPLOAD_BYTES + 5_000_000))
    with pytest.raises(PhotoRefusedError, match="too large"):
        read_photo(FileStorage(stream))
    assert stream.furthest == MAX_UPLOAD_BYTES + 1


def test_no_file_is_no_photo() -> None:
    assert read_photo(None) == read_photo(FileStorage(io.BytesIO())) == b""


WHOLE = {
    kind: file_of(Image.radial_gradient("L").resize((40, 30)).convert("RGB"), kind) for kind in ("JPEG", "PNG", "WEBP")
}
shares = st.integers(0, 999)


@given(st.sampled_from(sorted(WHOLE)), st.tuples(shares, shares), st.binary(min_size=2, max_size=2), shares)
def test_damaged_files_are_refused_or_read(kind: str, places: tuple[int, int], wrong: bytes, end: int) -> None:
    """A photo file with wrong bytes or without its end is either read or refused, and causes no other error."""
    data = bytearray(WHOLE[kind])
    for place, byte in zip(places, wrong, strict=True):
        data[place * len(data) // 1000] = byte
    try:
        photo = photo_from(bytes(data[: len(data) if end % 2 else end * len(data) // 1000]), side=16)
    except PhotoRefusedError:
        return
    assert max(opened(photo.data).size) <= 16
