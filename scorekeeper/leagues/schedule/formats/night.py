"""The input and output of a format, and how a finished or stopped game counts for the night."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

from scorekeeper.leagues.schedule.plan import ByeCredit, Met, Pair, Rotation, RoundPlan, RoundResults, Unit
from scorekeeper.rules.phrase import Phrase, RuleViolation


class Night(Struct, frozen=True, kw_only=True):
    """The state of a night so far, from which the night's format makes the seating.

    `people` are the ids of the people who are here now. `past` are the rounds that have started. `results` has the
    results of each past round. A result names the people who actually played, including substitutes. `rounds` is the
    total number of rounds; 0 means a full round robin. A knockout ignores `rounds`.

    `teams` are the teams of a round robin or knockout, top seed first. `matches` are the matches of a team night. Each
    match has the pairs of its two sides, home team first. `options` are the format's settings.
    """

    people: tuple[int, ...] = ()
    past: tuple[RoundPlan, ...] = ()
    results: tuple[RoundResults, ...] = ()
    rounds: int = 0
    rotation: Rotation = field(default_factory=Rotation)
    teams: tuple[Unit, ...] = ()
    bye_credit: ByeCredit = field(default_factory=dict)
    earlier: Mapping[Pair, Met] = field(default_factory=dict)
    """How often each two people met on earlier nights of the season. Meetings on the last such night count twice."""
    seed: int = 0
    matches: tuple[tuple[tuple[Unit, ...], tuple[Unit, ...]], ...] = ()
    options: Mapping[str, int] = field(default_factory=dict)


LastHand = Literal["due", "tied", "played", ""]
"""What a game still has to do after the bell, before it is over.

"due" means that no hand was saved since the bell, so the hand in progress is the last one. "tied" means that one more
hand is due, because the game is tied. "played" means that the last hand was saved, but the players took back the end of
the game to correct that hand. The value is "" before the bell, and once the game is over.
"""


class Stand(Struct, frozen=True, kw_only=True):
    """The state of a table's game: the points of each side and the number of scored hands.

    `over` is True if the game has ended by its own rules; `winner` is then the winning side, or None if nobody won.
    `bell` is True once the bell has rung. `open_hand` is True while a hand has been dealt but not scored.
    """

    points: tuple[int, ...]
    hands: int
    over: bool = False
    winner: int | None = None
    bell: bool = False
    open_hand: bool = False


class GameVerdict(Struct, frozen=True):
    """How a game counts for the night. `why` is a short explanation for the page.

    `state` is "playing", "won" (by the side `winner`), "level" (over without a winner), or "tied" (the format still
    needs a winner).
    """

    state: Literal["playing", "won", "level", "tied"]
    winner: int | None
    why: str


class Option(Struct, frozen=True):
    """A setting of a format that a league can change: a whole number from `least` to `most`.

    A setting from 0 to 1 means no or yes.
    """

    key: str
    name: str
    default: int
    least: int
    most: int


class Format(Struct, frozen=True, kw_only=True):
    """A format of a league night. `line` describes it in a sentence or two.

    `next_rounds` computes the rounds that haven't started. If `ahead` is true, it returns all of them before the first
    result. Otherwise, it returns one round at a time, and () when the night is over. Each call computes the rounds
    anew. The caller keeps the result until people arrive or leave.

    `teams` means that fixed teams play. `new_partners` means that partners change each round, at tables of four,
    whatever the plan says. `keeps_tables` means that people can stay at one table all night. `bell` says what ends a
    round early: nothing, the clock, or the head table. `settings` are the settings that a league can change. With
    `counts_hands`, a game lasts as many hands as the setting `hands` says. `needs_winner` is the question to answer
    before a tied game counts. It is empty if a game may end in a tie.
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
        """Return how a game counts for the night.

        The result is the same as the result of `counts`, with one exception. If the game is over without a winner and
        the format needs a winner, the game is "tied". In that case, `why` is the question that must be answered.
        """
        verdict = self.counts(stand, options)
        is_tied = self.needs_winner and verdict.state == "level"
        return GameVerdict("tied", None, self.needs_winner) if is_tied else verdict

    def counts(self, stand: Stand, options: Mapping[str, int]) -> GameVerdict:
        """Return how a game counts by its points alone.

        A game that has ended by the rules of the game keeps that result. Any other game ends at the bell, or when its
        fixed number of hands has been played. A hand in progress at the bell is finished first. The side with the most
        points wins.

        If sides are tied, the setting `one_more` says whether another hand is played. In a format without that
        setting, another hand is played if `needs_winner` isn't empty. Without another hand, there is no winner.
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
        if self.plays_on(options):
            return GameVerdict("playing", None, Phrase("Tied: one more hand"))
        return GameVerdict("level", None, Phrase("Tied at the end, no winner"))

    def plays_on(self, options: Mapping[str, int]) -> bool:
        """Return whether a table that is tied at the end plays one more hand, and another while it stays tied."""
        return bool(options.get("one_more", self.needs_winner))

    @property
    def options(self) -> dict[str, int]:
        """Return the default value of each setting, by key."""
        return {option.key: option.default for option in self.settings}


def without_winner(table: int) -> RuleViolation:
    """Return the error for a table of the last round that has no winner."""
    return RuleViolation("results", Phrase("Table %(number)s has no winner yet. Enter who won first.", number=table))


def read_options(form: Format, given: Mapping[str, int]) -> dict[str, int]:
    """Return the value of each setting of a format: the value in `given`, or else the default.

    Raises `RuleViolation` with the code "option" for an unknown setting or a number out of range.
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
