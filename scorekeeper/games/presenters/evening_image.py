"""Draw an evening of games as a picture, in the same size and style as the picture of a score."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.games import pages
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
from scorekeeper.i18n.catalog import ngettext

ROWS = 6
GREY = "#555c54"


@dataclass(frozen=True, slots=True)
class EveningCard:
    """The contents of the picture of an evening. Equal contents are drawn only once.

    Each row is (number, winner, game, score).
    """

    title: str
    tally: str
    rows: tuple[tuple[str, str, str, str], ...]
    line: str


def card_of(page: pages.EveningPage) -> EveningCard:
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
def draw(card: EveningCard) -> bytes:
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
    for place, (number, winner, game, score) in enumerate(card.rows):
        y = top + place * height
        pen.box(40, y, wide - 80, height - 8, 14, CARD)
        middle = y + (height - 8) / 2
        pen.text(64, middle, number, 32, GREY, 60, anchor="lm")
        pen.text(124, middle, winner, 38, INK, 480, anchor="lm")
        pen.text(630, middle, game, 26, GREY, 270, anchor="lm")
        pen.text(wide - 64, middle, score, 38, INK, 220, anchor="rm")
    pen.text(wide / 2, high - 32, card.line, 30, ON_FELT, 1120)
    out = io.BytesIO()
    picture.reduce(FINER).save(out, "PNG", compress_level=6)
    return out.getvalue()
