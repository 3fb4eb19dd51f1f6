"""Models of the page that shows how the win probability changed during a game."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Moment


@dataclass(frozen=True, slots=True)
class OddsRow:
    """The row of one hand in the list: what was bid, and the win probability of each side after the hand."""

    number: int
    side: int | None
    """The bidder's side; None if everyone passed."""
    letter: str
    """Letter of the bidder's side; empty if everyone passed."""
    bidder: str
    """Name of the bidder; empty if everyone passed."""
    bid: str
    was_set: bool
    score: str
    """Score after the hand, such as "12 to 9"."""
    win: tuple[str, ...]
    """Win probability of each side after the hand, such as "62%"."""
    swing: str
    """The side that gained, and by how many percentage points, such as "A +24"; empty if nothing changed."""
    turning: bool
    """Whether this is the hand that changed the win probabilities most."""
    luck: str
    """The side for which the hand was better than average, such as "B +5"; empty if it can't be compared."""
    more: str
    """What a bid of one more would have been worth to the bidder's side, such as "−6 ± 2"; empty if unknown."""
    passed: str
    """What a pass would have been worth to the bidder's side; empty if unknown."""


@dataclass(frozen=True, slots=True)
class OddsChart:
    """The drawing of the win probability of the first side, as SVG path data, and a description of it in words."""

    path: str
    marks: str
    turning: str
    """Mark at the hand that changed the win probabilities most; empty if none changed them."""
    hands: tuple[tuple[float, int], ...]
    """Ticks of the horizontal axis, as pairs (position, number of the hand)."""
    told: str


@dataclass(frozen=True, slots=True)
class OddsView:
    """The win probabilities of a game that is over, in short: the chart, and the turning point as a sentence."""

    sides: tuple[tuple[int, str, str], ...]
    """Each side as (index, letter, name)."""
    chart: OddsChart
    turned: str
    """The hand that changed the win probabilities most, in a sentence; empty if none changed them."""


@dataclass(frozen=True, slots=True)
class OddsPage:
    """The win probability before and after each hand of a game that is over."""

    game_id: str
    sides: tuple[tuple[int, str, str], ...]
    """Each side as (index, letter, name)."""
    ended: str
    """The winner and why, in a sentence or two; empty before the end."""
    chart: OddsChart | None
    """None if the game has no win probabilities; then `missing` says why."""
    moments: tuple[Moment, ...]
    rows: tuple[OddsRow, ...]
    start: tuple[str, ...]
    """Win probability of each side before the first hand."""
    model: str
    """Sentence that says from which hands the probabilities come."""
    missing: str = ""
    compared: bool = False
    """Whether `moments` says which side did better than average."""
