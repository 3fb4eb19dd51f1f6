"""Choose the contents of a score picture, for link previews and for saving."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games import pages
from scorekeeper.i18n.catalog import _


@dataclass(frozen=True, slots=True)
class CardSide:
    """A side on the score picture."""

    index: int
    letter: str
    name: str
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class SocialCard:
    """The contents of a score picture. Equal contents are drawn only once."""

    game_name: str
    headline: str
    """The winner, or the number of the hand in play."""
    sides: tuple[CardSide, ...]
    line: str
    """Why the game ended. For a game in progress, the status line of its page, or else the goal of the game."""
    over: bool


def card_of(board: pages.BoardPage) -> SocialCard:
    """Return the contents of the picture for a game, from its live page."""
    if board.outcome:
        headline, line = board.outcome.headline, board.outcome.reason
    else:
        headline = _("Hand %(number)s", number=board.hand_number)
        line = board.last or board.rules_line
    sides = tuple(CardSide(side.index, side.letter, side.name, side.total, side.won) for side in board.sides)
    return SocialCard(board.game_name, headline, sides, line, board.outcome is not None)
