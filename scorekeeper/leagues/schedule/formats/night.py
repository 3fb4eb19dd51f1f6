"""The input and output of a format, and how a finished or stopped game counts for the night."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, Unit
from scorekeeper.leagues.schedule.repeats import Met, Pair
from scorekeeper.leagues.schedule.rotation import ByeCredit, Rotation
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night so far, as its format sees it.

    `people` are here now. `past` are the started rounds, and `results` their results, round by round; the seats of a
    result hold the people who actually played, substitutes included. `rounds` is the total number of rounds; a knockout
    ignores it, and 0 means a full round robin. `teams` are the teams of a round robin or knockout, top seed first.
    `matches` are those of a team night: the pairs of each side, home team first. `options` are the format's settings.
    """

    people: tuple[int, ...] = ()
    past: tuple[RoundPlan, ...] = ()
    results: tuple[RoundResults, ...] = ()
    rounds: int = 0
    rotation: Rotation = field(default_factory=Rotation)
    teams: tuple[Unit, ...] = ()
    bye_credit: ByeCredit = field(default_factory=dict)
    earlier: Mapping[Pair, Met] = field(default_factory=dict)
    """How often each two met on the season's earlier nights; the last one counts double."""
    seed: int = 0
    matches: tuple[tuple[tuple[Unit, ...], tuple[Unit, ...]], ...] = ()
    options: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """The state of a table's game: points by side and number of scored hands.

    `over` and `winner` are by the rules of the game. `bell`: it has rung. `open_hand`: a hand was dealt and is not
    scored yet.
    """

    points: tuple[int, ...]
    hands: int
    over: bool = False
    winner: int | None = None
    bell: bool = False
    open_hand: bool = False


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """How a game counts for the night, with `why` as a label.

    The state is "playing", "won" (by side `winner`), "level" (no winner), or "tied" if the format still needs a winner.
    """

    state: Literal["playing", "won", "level", "tied"]
    winner: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number from `least` to `most` that a league sets for a format; from 0 to 1 it means no or yes."""

    key: str
    name: str
    default: int
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of a league night.

    `line` describes it in a sentence or two. `next_rounds` computes the rounds anew on each call; the caller keeps the
    ones it has until people come or go. `ahead`: all rounds can be seated before the first result; otherwise
    `next_rounds` returns one at a time, and () when the night is over. `teams`: it is played by fixed teams. `bell` is
    the way to end a round that does not end by itself. `settings` are those that a league can change. `counts_hands`: a
    game lasts as many hands as the setting `hands`. `new_partners`: it makes new partners each round at tables of four,
    whatever the plan says. `keeps_tables`: someone can stay at one table all night. `needs_winner`: each game needs a
    winner, so a tied game counts only once this question is answered.
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
    keeps_tables: bool = False

    def judge(self, stand: Stand, options: Mapping[str, int]) -> GameVerdict:
        """Return how a game counts; "tied" with the question if it still needs a winner."""
        verdict = self.counts(stand, options)
        is_tied = self.needs_winner and verdict.state == "level"
        return GameVerdict("tied", None, self.needs_winner) if is_tied else verdict

    def counts(self, stand: Stand, options: Mapping[str, int]) -> GameVerdict:
        """Return how a game counts by its points.

        A game that is over by the rules is over. Otherwise it goes on until the bell or for its number of hands; a hand
        in progress at the bell is finished. Then most points wins. If tied, another hand is played while the setting
        `one_more` or `needs_winner` asks for it; else there is no winner.
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
        """Return the default settings."""
        return {option.key: option.default for option in self.settings}


def without_winner(table: int) -> RuleViolation:
    """Return the error for a table of the last round that has no winner."""
    return RuleViolation("results", Phrase("Table %(number)s has no winner yet. Enter who won first.", number=table))


def read_options(form: Format, given: Mapping[str, int]) -> dict[str, int]:
    """Return a value for each setting of a format: the given one, else the default.

    Raises `RuleViolation` ("option") for an unknown setting or a number out of range.
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
