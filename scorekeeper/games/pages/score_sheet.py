"""The sheet on paper: hands that were played, lines for those to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.common import RaceView


@dataclass(frozen=True, slots=True)
class PaperSide:
    """One side at the head of the sheet."""

    index: int
    letter: str
    name: str
    """Empty on a blank sheet of no game: somebody writes it there."""
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One line that is filled in."""

    number: str
    """The number of the hand, "±" for points agreed on outside the hands."""
    dealer: str
    bidder: str
    bid: str
    partner: str
    trump: str
    points: tuple[str, ...]
    """Letter of the side for each point of the game, "–" where nobody took it; empty where only totals are known."""
    was_set: bool
    scores: tuple[tuple[str, str], ...]
    """For each side what it got, empty for nothing, and its total."""
    note: str
    """In place of dealer to points: why points were agreed on; or empty."""
    counts: bool


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A printable sheet, blank, filled in, or half of each."""

    title: str
    game_id: str
    """Empty for a sheet of no game."""
    preset: str
    rules: tuple[str, ...]
    """The rules in a few sentences."""
    house: tuple[str, ...]
    sides: tuple[PaperSide, ...]
    points: tuple[str, ...]
    """Names of the points of a hand; empty where a hand has one total."""
    called: bool
    """There is a column for the called partner."""
    rows: tuple[PaperRow, ...]
    blanks: int
    """Lines to write on, after the rows."""
    over: bool
    result: str = ""
    """Who won and why; empty before."""
    played: str = ""
    """When it was played, as an imported record says it."""
    started: datetime | None = None
    """When the game was started here; None for a sheet of no game, on which a date can be written."""
    race: RaceView | None = None
    others: tuple[tuple[Mapping[str, str], str, bool], ...] = ()
    """Blank sheets for other numbers of players: address, words, whether it is this one."""

    @property
    def columns(self) -> int:
        """Return the number of columns before the sides'."""
        return 6 + len(self.points) + self.called
