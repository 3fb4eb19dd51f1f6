"""What the picture of a score says: on the card of a link in a chat, and to keep."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games import pages
from scorekeeper.i18n.catalog import _


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side on the picture."""

    index: int
    letter: str
    name: str
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class SocialCard:
    """The picture of a score: all that decides what it looks like, so that the same is drawn once."""

    game_name: str
    headline: str
    """Who won, or which hand is played."""
    sides: tuple[CardSide, ...]
    line: str
    """Why it is over, or what was bid or happened last; may be empty."""
    over: bool


def card_of(board: pages.BoardPage) -> SocialCard:
    """Return the picture for a game as its board shows it."""
    if board.outcome:
        headline, line = board.outcome.headline, board.outcome.reason
    else:
        headline = _("Hand %(number)s", number=board.hand_number)
        line = board.last or board.rules_line
    sides = tuple(CardSide(side.index, side.letter, side.name, side.total, side.won) for side in board.sides)
    return SocialCard(board.game_name, headline, sides, line, board.outcome is not None)
