"""What every format is given, what it answers, and how a game counts for the night that was played out or stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, Unit
from scorekeeper.leagues.schedule.rotation import ByeCredit, Rotation
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night as far as it was played.

    `people` are here now. `past` are the rounds that were played, as they were drawn, and `results` what came of each,
    round by round: the seats of a result are those of who sat there, substitutes too.
    `rounds` is how many the night has in all; a knock-out does not read it, and a round robin takes 0 for everybody
    against everybody. `teams` are the entrants of a round robin or a knock-out, the best seed first.
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
class GameVerdict:
    """How a game counts for the night; `why` says so.

    It is "playing" on, "won" by side `winner`, "level", or "tied" where the night asks who won.
    """

    state: Literal["playing", "won", "level", "tied"]
    winner: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number that a league sets for a format, from `least` to `most`; of 0 and 1, 1 is yes."""

    key: str
    name: str
    default: int
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to spend a night.

    `line` says it in a sentence. `next_rounds` draws anew whenever it is asked: who asked keeps what is on the wall
    until somebody comes or goes. `ahead`: the rounds can be drawn before the first result; otherwise `next_rounds`
    gives one at a time, and none when the night is over. `teams`: the entrants are fixed teams. `bell`: what ends a
    round that is not over by itself. `settings`: what a league can set. `counts_hands`: a game lasts as many hands as
    the setting `hands` says. `new_partners`: it puts people together itself, new partners each round at tables of four,
    whatever else the night says. `needs_winner`: somebody has to win each game, so a game that ended level counts once
    this question is answered.
    """

    key: str
    name: str
    line: str
    ahead: bool
    teams: bool
    bell: Literal["none", "clock", "head_table"]
    next_rounds: Callable[[Night], tuple[RoundPlan, ...]]
    settings: tuple[Option, ...] = ()
    counts_hands: bool = False
    new_partners: bool = False
    needs_winner: str = ""

    def judge(self, stand: Stand, options: Mapping[str, int]) -> GameVerdict:
        """Return how a game counts, with the question where it needs a winner and has none."""
        verdict = self.counts(stand, options)
        is_tied = self.needs_winner and verdict.state == "level"
        return GameVerdict("tied", None, self.needs_winner) if is_tied else verdict

    def counts(self, stand: Stand, options: Mapping[str, int]) -> GameVerdict:
        """Return how a game counts by its points.

        What the rules of the game say is over is over. Else the game goes on until the bell, or for its number of
        hands; a hand that was dealt when the bell rings is played out. Then most points win. Level: one more hand, and
        another while it stays level, where the setting `one_more` says so or somebody has to win; else nobody has won.
        """
        if stand.over:
            if stand.winner is None:
                return GameVerdict("level", None, Phrase("Ended without a winner"))
            return GameVerdict("won", stand.winner, Phrase("Final"))
        if stand.bell and stand.open_hand:
            return GameVerdict("playing", None, Phrase("Finishing the last hand"))
        if not stand.bell and (not self.counts_hands or stand.hands < options["hands"]):
            return GameVerdict("playing", None, Phrase("Still playing"))
        best = max(stand.points)
        if stand.points.count(best) == 1:
            return GameVerdict("won", stand.points.index(best), Phrase("Most points at the end"))
        if options.get("one_more", self.needs_winner):
            return GameVerdict("playing", None, Phrase("Tied: one more hand"))
        return GameVerdict("level", None, Phrase("Tied at the end, no winner"))

    @property
    def options(self) -> dict[str, int]:
        """Return what `counts` reads where a league sets nothing."""
        return {option.key: option.default for option in self.settings}


def without_winner(table: int) -> RuleViolation:
    """Return what keeps the next round waiting: a table of the last one has no winner."""
    return RuleViolation("results", Phrase("Table %(number)s has no winner yet. Enter who won first.", number=table))


def read_options(form: Format, given: Mapping[str, int]) -> dict[str, int]:
    """Return a value for each option of a format: the one given, else the default.

    Raises `RuleViolation` ("option") for an option it has not and for a number out of range.
    """
    known = {option.key: option for option in form.settings}
    for key, value in given.items():
        option = known.get(key)
        if option is None:
            raise RuleViolation("option", Phrase("That setting doesn't apply to this format."), field=key)
        if type(value) is not int or not option.least <= value <= option.most:
            message = Phrase(
                "%(name)s: enter %(least)s to %(most)s.", name=option.name, least=option.least, most=option.most
            )
            raise RuleViolation("option", message, field=key)
    return {key: given.get(key, option.default) for key, option in known.items()}
