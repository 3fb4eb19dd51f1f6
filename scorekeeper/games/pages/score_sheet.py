"""Models of the printed score sheet: played hands, and lines for those to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.common import RaceView


@dataclass(frozen=True, slots=True)
class PaperSide:
    """One side at the top of the sheet."""

    index: int
    letter: str
    name: str
    """Empty on a blank sheet, to be written by hand."""
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One filled-in line."""

    number: str
    """The number of the hand, "±" for an adjustment."""
    dealer: str
    bidder: str
    bid: str
    partner: str
    trump: str
    points: tuple[str, ...]
    """Letter of the side for each point of the game, "–" if nobody took it; empty if only totals are known."""
    was_set: bool
    scores: tuple[tuple[str, str], ...]
    """For each side its points, empty for none, and its total."""
    note: str
    """The reason of an adjustment, in place of dealer to points; or empty."""
    counts: bool


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A printable sheet: blank, filled in, or both."""

    title: str
    game_id: str
    """Empty for a blank sheet without a game."""
    preset: str
    rules: tuple[str, ...]
    """The rules in a few sentences."""
    house: tuple[str, ...]
    sides: tuple[PaperSide, ...]
    points: tuple[str, ...]
    """Names of the points of a hand; empty if a hand has just a total."""
    called: bool
    """There is a column for the called partner."""
    rows: tuple[PaperRow, ...]
    blanks: int
    """Lines to write on, after the rows."""
    over: bool
    result: str = ""
    """The winner and why; empty before the end."""
    played: str = ""
    """Date in an imported record, as text."""
    started: datetime | None = None
    """When the game was started here; None for a blank sheet, with room for a date."""
    race: RaceView | None = None
    remarks: tuple[tuple[str, str], ...] = ()
    """The notes on hands: "Hand 3" and the text."""
    others: tuple[tuple[Mapping[str, str], str, bool], ...] = ()
    """Blank sheets for other numbers of players: query fields, label, whether it is this one."""

    @property
    def columns(self) -> int:
        """Return the number of columns before the sides'."""
        return 6 + len(self.points) + self.called
