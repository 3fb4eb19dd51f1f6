"""Replay a finished game with other rules of scoring and winning: who would have won, and after how many hands.

The hands stay as they were played. Only rules that leave every recorded hand legal are tried, so rules about bids and
points are not among them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from msgspec import Struct

from scorekeeper.rules.game import Game
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing, why_unused, with_options
from scorekeeper.rules.scoring import Hand, Tally, add_hand, leaders_of, new_tally
from scorekeeper.rules.table import Table, set_table

TARGETS = (7, 11, 15, 21, 31, 42, 52)
"""Scores to which people play. Of these, the nearest below and the nearest above the game's own target are tried."""
TRIED: Mapping[str, tuple[Any, ...]] = {
    "finish": ("bid_out", "bidder_first", "highest"),
    "win_by": (1, 2),
    "bidder_lead": (0, 2),
    "go_out": ("make", "take"),
    "tie": ("play_on", "bidder", "one_more_hand"),
    "target": TARGETS,
    "set_penalty": ("bid", "double_shortfall"),
    "made_scores": ("taken", "bid"),
    "defenders_score": (True, False),
    "negative": ("allowed", "floor_zero"),
    "max_sets": (None, 3),
    "lose_at_minus": (None, 11),
}
"""The options that are changed, one at a time, and the values that are tried, in the order of the page."""

FINISHED = (0.5, 0.75, 0.9)
"""Shares of games that come to their end with the time limits that are tried."""


class PlayedHands(NamedTuple):
    """The hands of a game, without what the rules made of them.

    `start` holds the points that each side got by adjustments before the first hand. `hands` has a pair for each hand:
    the hand, and the points that each side got by adjustments after it, or None without adjustments.
    """

    start: tuple[int, ...]
    hands: tuple[tuple[Hand, tuple[int, ...] | None], ...]


class OtherRule(Struct, frozen=True):
    """A rule that differs from a game's own rules: the key of the option, its value, and the table with this value."""

    option: str
    value: Any
    table: Table


class Ending(NamedTuple):
    """The score when a game ended or its recorded hands ran out, and the number of the last hand that counts, from 1.

    Without an outcome in `tally`, the recorded hands don't decide the game.
    """

    tally: Tally
    hands: int


class Comparison(Struct):
    """How several games end with one rule: the key of the option and its value, or "" and None for their own rules.

    `rules` are the rules of the first of these games, with that option changed.

    Of the `games`, `another` would have had a different winner, `nobody` would have ended without one, and `undecided`
    would not be over after the recorded hands. `hands` is the number of hands of all games together, without those in
    which everyone passed, and `longest` that of the longest game; the undecided games would have needed more. In
    `dealer_won` games, the side of the first dealer would have won.
    """

    option: str
    value: Any
    rules: Ruleset
    games: int = 0
    another: int = 0
    nobody: int = 0
    undecided: int = 0
    hands: int = 0
    longest: int = 0
    dealer_won: int = 0

    def add(self, end: Ending, ours: int | None, dealer: int) -> None:
        """Count a game that ends with `end`. In fact the side `ours` won it. The side `dealer` dealt first."""
        self.games += 1
        self.hands += end.tally.hands
        self.longest = max(self.longest, end.tally.hands)
        if end.tally.outcome is None:
            self.undecided += 1
            return
        winner = end.tally.outcome.winner
        self.nobody += winner is None
        self.another += winner not in (None, ours)
        self.dealer_won += winner == dealer


def other_rules(table: Table) -> Iterator[OtherRule]:
    """Yield the rules by which a game at `table` can be replayed, in the order of `TRIED`.

    Each differs from the table's rules in one option. Another option is back at its usual value if it has no effect
    together with the changed one: without bid to go out or high score, for example, nobody wins by 2.
    """
    rules = table.rules
    for option, values in TRIED.items():
        now = getattr(rules, option)
        if now in OPTIONS[option].own or why_unused(rules, option) is not None:
            continue
        if option == "target" and rules.finish == "fixed_hands":
            continue  # no score ends such a game
        for value in _nearest(rules.target) if option == "target" else values:
            other = None if value == now else _changed(table, option, value)
            if other is not None:
                yield OtherRule(option, value, other)


def played_hands(game: Game) -> PlayedHands:
    """Return the hands and adjustments of a game, including hands after the end of the game."""
    nothing = (0,) * len(game.table.sides)
    start, hands = nothing, list[tuple[Hand, tuple[int, ...] | None]]()
    for line in game.lines:
        what = line.entry.what
        if isinstance(what, Hand):
            hands.append((what, None))
            continue
        change = tuple(what.points if side == what.side else 0 for side in range(len(nothing)))
        if hands:
            hand, before = hands[-1]
            hands[-1] = hand, _sum(before or nothing, change)
        else:
            start = _sum(start, change)
    return PlayedHands(start, tuple(hands))


def ending(table: Table, played: PlayedHands) -> Ending:
    """Return how the hands in `played` end by the rules of `table`, which must have the same seats and points."""
    tally = new_tally(table)._replace(totals=played.start)
    for number, (hand, adjusted) in enumerate(played.hands, 1):
        tally, _ = add_hand(table, tally, hand, adjusted)
        if tally.outcome is not None:
            return Ending(tally, number)
    return Ending(tally, len(played.hands))


def compare(games: Iterable[tuple[Table, PlayedHands]]) -> tuple[Comparison, ...]:
    """Return how games ended by their own rules, and then how they would have ended with each of the other rules.

    Each game is its table and its hands; all have the same rules, apart from seats. Games that their hands didn't end
    are left out, such as conceded games. The result is () if there are no others. The other rules are in the order of
    `TRIED`. A rule that can't be tried at a game's table leaves out this game.
    """
    sums: dict[tuple[str, Any], Comparison] = {}
    rules: dict[Table, tuple[OtherRule, ...]] = {}
    for table, played in games:
        own = ending(table, played)
        if own.tally.outcome is None:
            continue
        if table not in rules:
            rules[table] = (OtherRule("", None, table), *other_rules(table))
        dealer = table.side_of[played.hands[0][0].dealer]
        for rule in rules[table]:
            key = rule.option, rule.value
            if key not in sums:
                sums[key] = Comparison(*key, rule.table.rules)
            sums[key].add(ending(rule.table, played), own.tally.outcome.winner, dealer)
    order = ("", *TRIED)
    return tuple(sorted(sums.values(), key=lambda each: order.index(each.option)))


class TimeLimit(Struct, frozen=True):
    """How games end if a clock stops each of them after `hands` hands, unless it is over before.

    It stops `stopped` games. Then the side that is ahead wins: in `another` games not the side that won in fact. In
    `level` games, no side is ahead.
    """

    hands: int
    stopped: int
    another: int
    level: int


def time_limits(games: Sequence[tuple[Table, PlayedHands]]) -> tuple[TimeLimit, ...]:
    """Return what clocks would have done that let half, three quarters and nine tenths of the games come to their end.

    Games that their hands didn't end are left out. The result is () without others.
    """
    ends = [(table, played, end) for table, played in games if (end := ending(table, played)).tally.outcome is not None]
    lengths = sorted(end.hands for _table, _played, end in ends)
    found = []
    for hands in sorted({lengths[ceil(share * len(lengths)) - 1] for share in FINISHED if lengths}):
        stopped = [
            (leaders_of(ending(table, PlayedHands(played.start, played.hands[:hands])).tally.totals), end.tally.outcome)
            for table, played, end in ends
            if end.hands > hands
        ]
        ahead = [(leaders[0], outcome) for leaders, outcome in stopped if len(leaders) == 1]
        another = sum(outcome is not None and outcome.winner not in (None, leader) for leader, outcome in ahead)
        found.append(TimeLimit(hands, len(stopped), another, len(stopped) - len(ahead)))
    return tuple(found)


def _nearest(target: int) -> tuple[int, ...]:
    below = [each for each in TARGETS if each < target][-1:]
    return (*below, *[each for each in TARGETS if each > target][:1])


def _changed(table: Table, option: str, value: Any) -> Table | None:
    """Return `table` with the `value` for an option, or None if nobody can play by these rules at this table."""
    preset = PRESETS[table.rules.preset]
    options = differing(preset, table.rules) | {option: value}
    while True:
        try:
            rules: Ruleset = with_options(preset, options)
            return set_table(rules, table.players, table.sides)
        except RuleViolation as violation:
            if violation.field == option or violation.field not in options:
                return None
            del options[violation.field]


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, one, other))
