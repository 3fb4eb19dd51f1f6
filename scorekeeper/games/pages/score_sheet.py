"""Models of the printed score sheet, which has the hands played and blank lines for later hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.common import RaceView


@dataclass(frozen=True, slots=True)
class PaperSide:
    """A team (side) that plays in the game, as named at the top of the score sheet."""

    index: int
    letter: str
    name: str
    """Name of the side; empty on a blank sheet, to be written by hand."""
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A line of the score sheet that is filled in."""

    number: str
    """The number of the hand, "±" for an adjustment."""
    dealer: str
    bidder: str
    bid: str
    partner: str
    trump: str
    points: tuple[str, ...]
    """Letter of the side for each point of the game, "–" if nobody took it; empty if only sums are known."""
    was_set: bool
    scores: tuple[tuple[str, str], ...]
    """For each side, its points in the hand (empty for none) and its total."""
    note: str
    """The reason for an adjustment, in place of the columns from dealer to points; else empty."""
    counts: bool


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A score sheet to print: blank, filled in, or both."""

    title: str
    game_id: str
    """Public id of the game; empty for a blank sheet without a game."""
    preset: str
    rules: tuple[str, ...]
    """The rules in a few sentences."""
    house: tuple[str, ...]
    sides: tuple[PaperSide, ...]
    points: tuple[str, ...]
    """Names of the points of a hand; empty if a hand has just a total."""
    called: bool
    """Whether there is a column for the called partner."""
    rows: tuple[PaperRow, ...]
    blanks: int
    """Number of blank lines after the rows."""
    over: bool
    result: str = ""
    """The winner and why, in a sentence; empty before the end."""
    played: str = ""
    """The league night, as text; empty for any other sheet."""
    started: datetime | None = None
    """When the game was started; None for a blank sheet, which has room for a date."""
    bids: bool = True
    """Whether there are columns for bidder, bid and sets; if not, the turned-up card takes the place of trump."""
    race: RaceView | None = None
    remarks: tuple[tuple[str, str], ...] = ()
    """The notes on hands, as pairs such as ("Hand 3", text)."""
    others: tuple[tuple[Mapping[str, str], str, bool], ...] = ()
    """Blank sheets for all seatings of the game, as (query fields, label, whether it is the sheet shown)."""

    @property
    def columns(self) -> int:
        """Return the number of columns to the left of the sides' columns."""
        return (6 if self.bids else 3) + len(self.points) + self.called
