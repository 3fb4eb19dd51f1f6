"""What every format is given, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, Unit
from scorekeeper.leagues.schedule.rotation import ByeCredit, Rotation


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night as far as it was played.

    `people` are here now. `past` are the rounds that were played, `results` what came of each, round by round.
    `rounds` is how many the night has in all; a knock-out does not read it. `teams` are the entrants of a round
    robin or a knock-out, the best seed first.
    """

    people: tuple[int, ...] = ()
    past: tuple[RoundPlan, ...] = ()
    results: tuple[RoundResults, ...] = ()
    rounds: int = 0
    rotation: Rotation = field(default_factory=Rotation)
    teams: tuple[Unit, ...] = ()
    bye_credit: ByeCredit = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """What a table shows when it is asked: points by side and hands scored.

    `over` and `winner` are what the rules of the game say of those hands. `bell`: it has rung. `open_hand`: a hand
    was dealt and is not scored yet.
    """

    points: tuple[int, ...]
    hands: int
    over: bool = False
    winner: int | None = None
    bell: bool = False
    open_hand: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game counts for the night: "playing" on, "won" by side `winner`, or "level"; `why` says so."""

    state: Literal["playing", "won", "level"]
    winner: int | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to spend a night.

    `ahead`: the rounds can be drawn before the first result; otherwise `next_rounds` gives one at a time, and none
    when the night is over. `teams`: entrants are fixed teams. `options` are the numbers `counts` reads, with their
    defaults.
    """

    key: str
    name: str
    line: str
    ahead: bool
    teams: bool
    next_rounds: Callable[[Night], tuple[RoundPlan, ...]]
    counts: Callable[[Stand, Mapping[str, int]], Verdict]
    options: Mapping[str, int] = field(default_factory=dict)
