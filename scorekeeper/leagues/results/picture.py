"""Draw the first ranks of a night as a picture, in the same size and style as the picture of a game's score."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.games.presenters.social_image import (
    BRASS,
    CARD,
    FINER,
    INK,
    KEPT,
    ON_FELT,
    ON_FELT_2,
    SIZE,
    Pen,
    drawable,
    felt,
)
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.results.pages import NightResults

ROWS = 5


@dataclass(frozen=True, slots=True)
class ResultCard:
    """The contents of a picture of results; each of `rows` is (rank, name, score).

    Equal contents share one cached picture.
    """

    league: str
    night: str
    headline: str
    rows: tuple[tuple[str, str, str], ...]
    line: str


def card_of(page: NightResults) -> ResultCard:
    """Return the contents of the picture of a night's results."""
    ranked = page.tables[0].ranked[:ROWS] if page.tables else ()
    lines = [(f"{line.rank}", line.name, line.score[0]) for line in ranked]
    if page.matches:
        lines = [("", f"{match.home} – {match.away}", match.shown) for match in page.matches[:ROWS]]
    # A name in letters that the font lacks would be a row of boxes: the rest of the picture says enough.
    rows = tuple(line for line in lines if drawable(line[1]))
    headline = page.about if drawable(page.about) else page.label
    return ResultCard(
        league=page.league if drawable(page.league) else "",
        night=_("Night %(number)s", number=page.number),
        headline=headline or page.title,
        rows=rows,
        line=page.day if page.final else page.status,
    )


@lru_cache(KEPT)
def draw(card: ResultCard) -> bytes:
    """Draw `card` and return the PNG data. The picture has the size `SIZE`."""
    picture = felt()
    pen = Pen(picture)
    wide, high = SIZE
    pen.text(40, 46, "♠", 40, BRASS, 60, anchor="lm")
    pen.text(92, 46, card.league, 34, ON_FELT_2, 780, anchor="lm")
    pen.text(wide - 40, 46, card.night, 34, ON_FELT_2, 280, anchor="rm")
    pen.text(wide / 2, 122, card.headline, 66, BRASS, 1120)
    top, height = 178, 74
    for number, (rank, name, score) in enumerate(card.rows):
        y = top + number * height
        pen.box(40, y, wide - 80, height - 8, 14, CARD)
        middle = y + (height - 8) / 2
        pen.text(64, middle, rank, 38, INK, 70, anchor="lm")
        pen.text(140, middle, name, 38, INK, 800, anchor="lm")
        pen.text(wide - 64, middle, score, 40, INK, 160, anchor="rm")
    pen.text(wide / 2, high - 40, card.line, 32, ON_FELT, 1120)
    out = io.BytesIO()
    picture.reduce(FINER).save(out, "PNG", compress_level=6)
    return out.getvalue()
