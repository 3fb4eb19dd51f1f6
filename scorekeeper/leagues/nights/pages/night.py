"""A league night as everybody sees it: rounds, tables, scores, and who sits where next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody on a chair."""

    name: str
    sub_for: str
    """Whom they stand in for; empty for who plays for themselves."""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of a table."""

    index: int
    letter: str
    people: tuple[Seated, ...]
    name: str
    """"Ann and Cid"."""
    total: str
    """Empty before the game is started."""
    points: int
    won: bool
    confirmed: bool
    """It said that the result is right."""
    said_by: str = ""
    """Who said so on a phone that is not this side's; empty where it was on their own."""


@dataclass(frozen=True, slots=True)
class TableView:
    """One table of one round."""

    id: int
    number: int
    round: int
    game: str
    """Public id of its game; empty before the first hand."""
    state: Literal["waiting", "playing", "done"]
    says: str
    """"Hand 4", or how it ended."""
    paper: bool
    """Only the final score is known."""
    fresh: bool
    """No hand is written down: a final score can be."""
    tied: bool
    """It ended without a winner, and the night waits to be told who won."""
    sides: tuple[TableSide, ...]
    dispute: str = ""
    """What two phones say of the result, in a sentence; empty where none says otherwise."""
    ended_by: str = ""
    """How it ended, as somebody was asked; empty where the final score says it, and for a game with hands."""
    fixed: bool = False
    """Only the desk can change the result."""

    @property
    def confirmed(self) -> bool:
        """Return whether every side said that the result is right, and no phone says otherwise."""
        return all(side.confirmed for side in self.sides) and not self.dispute

    @property
    def title(self) -> str:
        """Return every side with its score: "Ann and Cid 12, Bob and Dee 9"."""
        return ", ".join(f"{side.name} {side.total}".strip() for side in self.sides)

    @property
    def points(self) -> tuple[str, ...]:
        """Return the final score by side as it is typed, empty texts before there is one."""
        there = self.state == "done" or self.tied
        return tuple(str(side.points) if there else "" for side in self.sides)

    @property
    def answered(self) -> str:
        """Return how it ended and who won as a form sends it, "target:0", where that was asked; else nothing."""
        won = next((str(side.index) for side in self.sides if side.won), "")
        return f"{self.ended_by}:{won}" if self.ended_by else ""

    @property
    def stands(self) -> str:
        """Return the final score as `score_line` writes it; empty before there is one."""
        return score_line(self.points, self.answered) if any(self.points) else ""


def score_line(points: Sequence[str], ending: str) -> str:
    """Return a score to be compared: "21,13", or "11,12;target:0" where it was asked who won."""
    return ",".join(points) + (f";{ending}" if ending else "")


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round: `state` is "now" for the one on the tables, "next" for the one after it."""

    number: int
    state: Literal["over", "now", "next", "later"]
    begun: bool
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]

    @property
    def still(self) -> int:
        """Return how many tables have not come to their end."""
        return sum(table.state != "done" for table in self.tables)

    @property
    def tied(self) -> tuple[TableView, ...]:
        """Return the tables that wait to be told who won."""
        return tuple(table for table in self.tables if table.tied)


@dataclass(frozen=True, slots=True)
class NextSeat:
    """Where somebody goes: `table` is 0 for who sits out."""

    name: str
    table: int
    partners: tuple[str, ...]
    letter: str
    side: int


@dataclass(frozen=True, slots=True)
class NightPage:
    """The night, the same for everybody who looks."""

    id: str
    title: str
    """"Fire Hall, night 3"."""
    league: str
    league_id: str
    season: str
    season_id: str
    number: int
    day: str
    format: str
    rounds: tuple[RoundView, ...]
    now: int
    """The number of the round on the tables; 0 before anything is drawn."""
    bell: bool
    """It has rung for the round on the tables."""
    closed: bool
    seats: tuple[NextSeat, ...]
    """Of the round that comes next, by name; of the first one while nothing was played."""
    version: str
    champion: str
    """Who has won a knock-out: "Ann and Bob", or empty."""
    seeds: str
    """Where its seeds come from, and who has a bye because of them."""

    @property
    def current(self) -> RoundView | None:
        """Return the round on the tables, None before anything is drawn."""
        return next((each for each in self.rounds if each.number == self.now), None)

    @property
    def next_round(self) -> RoundView | None:
        """Return the round after that, None where none is drawn."""
        return next((each for each in self.rounds if each.state == "next"), None)
