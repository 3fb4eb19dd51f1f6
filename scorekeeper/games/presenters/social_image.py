"""Choose the contents of a score picture, for link previews and for saving.

Draw the picture of a score, as cards on felt. It has 1200 by 630 pixels, the size that chat programs show.

Draw an evening of games as a picture, in the same size and style as the picture of a score.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from scorekeeper.config import asset_folder
from scorekeeper.games.pages.board import BoardPage
from scorekeeper.games.presenters.evening import EveningPage
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import number

if TYPE_CHECKING:
    from PIL import Image, ImageFont


class CardSide(Struct, frozen=True):
    """A side on the score picture."""

    index: int
    letter: str
    name: str
    total: int
    won: bool


class SocialCard(Struct, frozen=True):
    """The contents of a score picture. Equal contents are drawn only once."""

    game_name: str
    headline: str
    """The winner, or the number of the hand in play."""
    sides: tuple[CardSide, ...]
    line: str
    """Why the game ended. For a game in progress, the status line of its page, or else the goal of the game."""
    over: bool


def card_of(board: BoardPage) -> SocialCard:
    """Return the contents of the picture for a game, from its live page."""
    if board.outcome:
        headline, line = board.outcome.headline, board.outcome.reason
    else:
        headline = _("Hand %(number)s", number=board.hand_number)
        line = board.last or board.rules_line
    sides = tuple(CardSide(side.index, side.letter, side.name, side.total, side.won) for side in board.sides)
    return SocialCard(board.game_name, headline, sides, line, board.outcome is not None)


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
    from PIL import Image

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
        from PIL import ImageDraw

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
    from PIL import ImageFont

    # Basic layout is enough: this font has no script that needs more.
    return ImageFont.truetype(
        asset_folder("static") / "fonts" / "noto-serif-bold.ttf", size, layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(4096)
def _has(char: str) -> bool:
    font = _font(32)
    return char.isspace() or bytes(font.getmask(char)) != bytes(font.getmask(_UNKNOWN))


ROWS = 6
GREY = "#555c54"


class EveningCard(Struct, frozen=True):
    """The contents of the picture of an evening. Equal contents are drawn only once.

    Each row is (number, winner, game, score).
    """

    title: str
    tally: str
    rows: tuple[tuple[str, str, str, str], ...]
    line: str


def evening_card_of(page: EveningPage) -> EveningCard:
    """Return the contents of the picture of an evening, with the latest games of the evening.

    A name or another piece of text is left out if the font lacks one of its letters. Such a letter would be drawn as a
    box.
    """
    rows = [(f"{game.number}", game.winner, game.game_name, game.score) for game in page.games[-ROWS:]]
    earlier = len(page.games) - len(rows)
    more = ngettext("%(num)s earlier game", "%(num)s earlier games", earlier) if earlier else ""
    line = ". ".join(part for part in (page.sets if drawable(page.sets) else "", more) if part)
    shown = tuple((each[0], *(part if drawable(part) else "" for part in each[1:])) for each in rows)
    return EveningCard(page.title, page.tally if drawable(page.tally) else "", shown, line)  # type: ignore[arg-type]


@lru_cache(KEPT)
def draw_evening(card: EveningCard) -> bytes:
    """Return `card` as a PNG picture of the size `SIZE`."""
    picture = felt()
    pen = Pen(picture)
    wide, high = SIZE
    pen.text(40, 46, "♠", 40, BRASS, 60, anchor="lm")
    pen.text(92, 46, "Scorekeeper", 34, ON_FELT_2, 500, anchor="lm")
    pen.text(wide - 40, 46, card.title, 34, ON_FELT_2, 560, anchor="rm")
    pen.text(wide / 2, 118, card.tally or card.title, 66, BRASS, 1120)
    height = min(104.0, 396 / max(len(card.rows), 1))
    top = 172 + (396 - height * len(card.rows)) / 2
    for place, (which, winner, game, score) in enumerate(card.rows):
        y = top + place * height
        pen.box(40, y, wide - 80, height - 8, 14, CARD)
        middle = y + (height - 8) / 2
        pen.text(64, middle, which, 32, GREY, 60, anchor="lm")
        pen.text(124, middle, winner, 38, INK, 480, anchor="lm")
        pen.text(630, middle, game, 26, GREY, 270, anchor="lm")
        pen.text(wide - 64, middle, score, 38, INK, 220, anchor="rm")
    pen.text(wide / 2, high - 32, card.line, 30, ON_FELT, 1120)
    out = io.BytesIO()
    picture.reduce(FINER).save(out, "PNG", compress_level=6)
    return out.getvalue()
