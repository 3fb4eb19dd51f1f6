"""Draw the picture of a score, as cards on felt. It has 1200 by 630 pixels, the size that chat programs show."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont

from scorekeeper.config import asset_folder
from scorekeeper.games.presenters.social_card import CardSide, SocialCard
from scorekeeper.i18n.sentences import number

SIZE = (1200, 630)
FINER = 2
"""Factor by which the drawing is larger than the picture; it is scaled down in the end, for smooth edges."""
KEPT = 64
"""Maximum number of pictures that a process caches, since a link in a busy chat is requested many times."""

FELT_LIT, FELT_DEEP, ON_FELT, ON_FELT_2 = "#2b6a53", "#143d2f", "#fbf6e8", "#d3e0d3"
CARD, INK, BRASS = "#fffaef", "#1c211e", "#f2c14e"
SIDES = ("#b23a1a", "#1f57a4", "#7d5a00", "#8b2c72", "#0d6868", "#5847b3", "#4f5559", "#3f6212")
SHAPES: Mapping[int, Sequence[tuple[float, float]]] = {
    2: ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    3: ((0.5, 0), (1, 0.36), (0.88, 1), (0.12, 1), (0, 0.36)),
    4: ((0.25, 0.04), (0.75, 0.04), (1, 0.5), (0.75, 0.96), (0.25, 0.96), (0, 0.5)),
    5: ((0, 0), (1, 0), (1, 0.6), (0.5, 1), (0, 0.6)),
    6: tuple(
        (x, y)
        for x, y in (
            *((0.28, 0), (0.72, 0), (0.72, 0.14), (1, 0.14), (1, 0.86), (0.72, 0.86)),
            *((0.72, 1), (0.28, 1), (0.28, 0.86), (0, 0.86), (0, 0.14), (0.28, 0.14)),
        )
    ),
    7: ((0.18, 0), (0.82, 0), (1, 1), (0, 1)),
}
"""Corners of a side's badge, as fractions of its size, by side; the first two sides have other shapes."""
_UNKNOWN = "\U0010ffff"


@lru_cache(KEPT)
def draw(card: SocialCard) -> bytes:
    """Return `card` as a PNG picture of the size `SIZE`."""
    picture = felt()
    pen = Pen(picture)
    pen.text(40, 46, "♠", 40, BRASS, 60, anchor="lm")
    pen.text(92, 46, "Scorekeeper", 34, ON_FELT_2, 500, anchor="lm")
    pen.text(SIZE[0] - 40, 46, card.game_name, 34, ON_FELT_2, 560, anchor="rm")
    pen.text(SIZE[0] / 2, 122, _headline(card), 74 if card.over else 50, BRASS if card.over else ON_FELT, 1120)
    gap, left, top, bottom = 20, 40, 180, 520
    width = (SIZE[0] - 2 * left - gap * (len(card.sides) - 1)) / len(card.sides)
    digits = min(pen.fitting(number(side.total), 230, width - 36) for side in card.sides)
    for place, side in enumerate(card.sides):
        _draw_side(pen, side, (left + place * (width + gap), top, width, bottom - top), digits)
    if drawable(card.line):
        pen.text(SIZE[0] / 2, 575, card.line, 36, ON_FELT, 1120)
    out = io.BytesIO()
    picture.reduce(FINER).save(out, "PNG", compress_level=6)
    return out.getvalue()


def felt() -> Image.Image:
    """Return an empty picture of green felt that is darker toward the bottom.

    The picture is `FINER` times as large as the final one.
    """
    shade = Image.linear_gradient("L").resize((SIZE[0] * FINER, SIZE[1] * FINER))
    return Image.composite(Image.new("RGB", shade.size, FELT_DEEP), Image.new("RGB", shade.size, FELT_LIT), shade)


def drawable(text: str) -> bool:
    """Return whether the font has every letter of `text`. A missing letter would be drawn as a box."""
    return all(_has(char) for char in _plain(text))


def _headline(card: SocialCard) -> str:
    if drawable(card.headline):
        return card.headline
    return "  ".join(f"{side.letter} {number(side.total)}" for side in card.sides)


def _draw_side(pen: Pen, side: CardSide, where: tuple[float, float, float, float], digits: float) -> None:
    x, y, width, height = where
    colour = SIDES[side.index]
    if side.won:
        pen.box(x - 8, y - 8, width + 16, height + 16, 24, BRASS)
    pen.box(x, y, width, height, 18, colour)
    pen.box(x, y + 12, width, height - 12, 16, CARD)
    middle, wide = x + width / 2, width - 36
    named = drawable(side.name)
    size = pen.fitting(side.name, 40, wide - 62) if named else 0
    long = named and size < 26
    room = 0 if long or not named else pen.width(side.name, size) + 14
    pen.badge(middle - (room + 48) / 2, y + 30, 48 if not long else 40, side)
    if named:
        at, line = (middle, y + 92) if long else (middle + 31, y + 54)
        pen.text(at, line, side.name, 30 if long else size, INK, wide if long else wide - 58)
    pen.text(middle, y + height * 0.6, number(side.total), digits, colour, width, anchor="digits")


class Pen:
    """Draws on a picture. Coordinates and sizes are those of the final picture, and are multiplied by `FINER`."""

    def __init__(self, picture: Image.Image) -> None:
        self.paper = ImageDraw.Draw(picture)

    def box(self, x: float, y: float, width: float, height: float, radius: float, colour: str) -> None:
        """Draw a box with round corners."""
        corners = (x * FINER, y * FINER, (x + width) * FINER, (y + height) * FINER)
        self.paper.rounded_rectangle(corners, radius * FINER, fill=colour)

    def badge(self, x: float, y: float, size: float, side: CardSide) -> None:
        """Draw the badge of a side, which is its letter on its shape."""
        colour = SIDES[side.index]
        if side.index == 0:
            self.paper.ellipse([v * FINER for v in (x, y, x + size, y + size)], fill=colour)
        elif side.index == 1:
            self.box(x, y, size, size, 6, colour)
        else:
            shape = [((x + h * size) * FINER, (y + v * size) * FINER) for h, v in SHAPES[side.index]]
            self.paper.polygon(shape, fill=colour)
        self.text(x + size / 2, y + size / 2, side.letter, size * 0.6, "#fff", size)

    def width(self, text: str, size: float) -> float:
        """Return the width of `text` at the font size `size`."""
        return _font(round(size * FINER)).getlength(_plain(text)) / FINER

    def fitting(self, text: str, size: float, width: float) -> float:
        """Return the largest font size, up to `size`, at which `text` fits in `width`."""
        return min(size, size * width / max(self.width(text, size), 1))

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, width: float, *, anchor: str = "mm"
    ) -> None:
        """Write `text` at (x, y), using a smaller font if the text is wider than `width`.

        If the font would become too small, the text is cut off instead. `anchor` is an anchor of Pillow, or "digits" to
        center digits on the point. Digits need a special anchor, because they have no descenders.
        """
        plain = _plain(text)
        fit = self.fitting(plain, size, width)
        least = min(size, 22)
        if fit < least:
            fit = least
            while plain and self.width(plain + "…", fit) > width:
                plain = plain[:-1].rstrip()
            plain += "…"
        font = _font(round(fit * FINER))
        if anchor == "digits":
            anchor, y = "ms", y + fit * 0.357
        self.paper.text((x * FINER, y * FINER), plain, font=font, fill=colour, anchor=anchor)


def _plain(text: str) -> str:
    """Return `text` in Unicode normalization form NFC, without invisible formatting characters."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(char for char in composed if char not in "\u2068\u2069\ufe0e")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Basic layout is enough: this font has no script that needs more.
    return ImageFont.truetype(
        asset_folder("static") / "fonts" / "noto-serif-bold.ttf", size, layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(4096)
def _has(char: str) -> bool:
    font = _font(32)
    return char.isspace() or bytes(font.getmask(char)) != bytes(font.getmask(_UNKNOWN))
