"""House rules in players' words: what each option is called, what it does, and what its values mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from scorekeeper.i18n.catalog import N_, _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, Seating, differing, why_unused


@dataclass(frozen=True, slots=True)
class OptionWords:
    """One option: `line` says a changed value on its own, with `{}` for the value's words."""

    group: str
    label: str
    help: str
    line: str
    values: Mapping[Any, str] = field(default_factory=dict)


_YES_NO = {True: N_("yes"), False: N_("no")}
BIDDING, POINTS, WINNING, PLAY = N_("Bidding"), N_("Points"), N_("Winning"), N_("At the table only")

WORDS: Mapping[str, OptionWords] = {
    "target": OptionWords(WINNING, N_("Play to"), N_("The score that can win."), N_("Played to {}.")),
    "finish": OptionWords(
        WINNING,
        N_("Who goes out"),
        N_("What it takes to win once somebody has the points."),
        "{}.",
        {
            "bid_out": N_("You must bid to go out"),
            "bidder_first": N_("The bidder goes out first, then the highest"),
            "highest": N_("The highest wins, bidder or not"),
            "fixed_hands": N_("The highest after a number of hands"),
        },
    ),
    "win_by": OptionWords(WINNING, N_("Win by"), N_("How far ahead the winner must be."), N_("Win by {}.")),
    "go_out": OptionWords(
        WINNING,
        N_("To bid out"),
        N_("Whether the bid must also be made."),
        N_("To go out, {}."),
        {"make": N_("the bid must be made"), "take": N_("taking the bid is enough")},
    ),
    "tie": OptionWords(
        WINNING,
        N_("Tied at the top"),
        N_("What happens when two are tied and could win."),
        N_("Tied at the top: {}."),
        {"play_on": N_("play on"), "bidder": N_("the bidder wins"), "one_more_hand": N_("one more hand")},
    ),
    "tie_break_round": OptionWords(
        WINNING,
        N_("After the extra hand"),
        N_("Who wins the hand that breaks a tie."),
        N_("After the extra hand {}."),
        {"decides": N_("the highest score wins"), "threshold": N_("the target is still needed")},
    ),
    "hands_limit": OptionWords(
        WINNING, N_("Number of hands"), N_("After so many hands the game ends."), N_("The game ends after {} hands.")
    ),
    "max_sets": OptionWords(
        WINNING, N_("Sets that lose"), N_("A side set so many times loses at once."), N_("A side set {} times loses.")
    ),
    "bid_min": OptionWords(BIDDING, N_("Lowest bid"), N_("The least that can be bid."), N_("The lowest bid is {}.")),
    "bid_max": OptionWords(BIDDING, N_("Highest bid"), N_("The most that can be bid."), N_("The highest bid is {}.")),
    "forced_bid": OptionWords(
        BIDDING,
        N_("Dealer stuck with"),
        N_("What the dealer must bid when everyone else passes; empty: the hand is thrown in."),
        N_("Everyone else passed: the dealer is stuck with {}."),
    ),
    "forced_bid_exact": OptionWords(
        BIDDING,
        N_("A stuck dealer"),
        N_("Whether a dealer who has to bid may bid more than that."),
        "{}.",
        {
            None: N_("A stuck dealer bids more only where the dealer may raise"),
            True: N_("A stuck dealer bids exactly that"),
            False: N_("A stuck dealer may bid more"),
        },
    ),
    "redeal_by": OptionWords(
        BIDDING,
        N_("After a thrown-in hand"),
        N_("Who deals when everyone passed."),
        N_("After a thrown-in hand {}."),
        {"next": N_("the next player deals"), "same": N_("the same dealer deals again")},
    ),
    "auction": OptionWords(
        BIDDING,
        N_("The bidding goes"),
        N_("Whether a player may bid more than once."),
        N_("The bidding goes {}."),
        {"once_around": N_("once around"), "until_passed": N_("round and round until all others pass")},
    ),
    "stop_at_max": OptionWords(
        BIDDING,
        N_("The highest bid ends it"),
        N_("Whether the highest bid ends the bidding at once."),
        N_("The highest bid ends the bidding: {}."),
        _YES_NO,
    ),
    "dealer_privilege": OptionWords(
        BIDDING,
        N_("Dealer may match"),
        N_("Whether the dealer may take the bid without bidding more."),
        "{}.",
        {
            "none": N_("The dealer must bid more to take the bid"),
            "match": N_("The dealer may take the bid by matching it"),
        },
    ),
    "dealer_may_match_max": OptionWords(
        BIDDING,
        N_("Dealer may match the highest"),
        N_("Whether the dealer may take even the highest bid."),
        N_("The dealer may take the highest bid: {}."),
        _YES_NO,
    ),
    "dealer_may_raise": OptionWords(
        BIDDING,
        N_("Dealer may raise"),
        N_("Whether the dealer may bid more than the others."),
        N_("The dealer may raise: {}."),
        _YES_NO,
    ),
    "special_bid": OptionWords(
        BIDDING,
        N_("Above all bids"),
        N_("A call for every point, which wins the game at once."),
        "{}.",
        {
            "none": N_("No call above the numbers"),
            "pitch": N_("A pitch can be called"),
            "moon": N_("A moon can be called"),
        },
    ),
    "pitch_test": OptionWords(
        BIDDING,
        N_("A pitch promises"),
        N_("What the pitcher must take."),
        N_("A pitch promises {}."),
        {
            "points": N_("every point of the hand"),
            "tricks": N_("four of the six tricks"),
            "tricks_all": N_("all six tricks"),
        },
    ),
    "set_penalty": OptionWords(
        POINTS,
        N_("A set costs"),
        N_("What the bidder loses."),
        N_("A set costs {}."),
        {"bid": N_("the bid"), "double_shortfall": N_("twice what was missing")},
    ),
    "negative": OptionWords(
        POINTS,
        N_("Below zero"),
        N_("Whether a set can take a score below zero."),
        "{}.",
        {"allowed": N_("Scores go below zero"), "floor_zero": N_("A set cannot take you below zero")},
    ),
    "low": OptionWords(
        POINTS,
        N_("Low belongs to"),
        N_("Who gets the point for the lowest trump."),
        N_("Low belongs to {}."),
        {"captured": N_("whoever takes it"), "dealt": N_("whoever was dealt it")},
    ),
    "game_minimum": OptionWords(
        POINTS,
        N_("Game needs"),
        N_("Card points needed for the Game point; 0: most is enough."),
        N_("Game needs {} card points."),
    ),
    "game_tie": OptionWords(
        POINTS,
        N_("Game tied"),
        N_("Who gets the Game point when card points are tied."),
        N_("A tied Game goes to {}."),
        {"nobody": N_("nobody"), "bidder": N_("the bidder"), "defenders": N_("the defenders")},
    ),
    "trump_jack_counts": OptionWords(
        POINTS,
        N_("Trump jack counts for Game"),
        N_("Whether the jack of trump is 1 card point."),
        N_("The jack of trump counts for Game: {}."),
        _YES_NO,
    ),
    "no_trump": OptionWords(
        BIDDING,
        N_("No trump"),
        N_("Whether the bidder may play without trump."),
        N_("No trump may be named: {}."),
        _YES_NO,
    ),
    "trump_any_time": OptionWords(
        PLAY,
        N_("Trump at any time"),
        N_("Whether trump may be played when you could follow suit."),
        N_("Trump may be played at any time: {}."),
        _YES_NO,
    ),
    "redeal": OptionWords(
        PLAY,
        N_("Coke hand"),
        N_("When a player may ask for a new hand."),
        "{}.",
        {
            "none": N_("No new hands"),
            "ten_or_two": N_("A new hand without a ten or higher, and without a two"),
            "ten": N_("A new hand without a ten or higher"),
        },
    ),
    "draw": OptionWords(
        PLAY,
        N_("Draw"),
        N_("Whether players may change up to four cards, five with an ace."),
        N_("Players may draw new cards: {}."),
        _YES_NO,
    ),
}

_SEATING_WORDS = {
    "partners": N_("%(players)s in partners"),
    "alone": N_("%(players)s each alone"),
    "called": N_("%(players)s with a called partner"),
}
_ENDS = {
    "bid_out": N_("bid to go out"),
    "bidder_first": N_("the bidder goes out first"),
    "highest": N_("the highest wins"),
}
_SPECIAL = {"pitch": N_("or by a pitch"), "moon": N_("or by a moon")}


def value_words(option: str, value: Any) -> str:
    """Return a value of an option as players say it."""
    words = WORDS[option].values
    if value in words:
        return _(words[value])
    return _("none") if value is None else str(value)


_NO_VALUE = {
    "forced_bid": N_("The dealer may pass: then the hand is thrown in."),
    "game_minimum": N_("The most card points win Game, with no minimum."),
}
"""What an option says that is turned off, in place of its line."""


def house_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each place where this table differs from the usual rules of its game."""
    return tuple(
        _(_NO_VALUE[key]) if key in _NO_VALUE and not value else _(WORDS[key].line).format(value_words(key, value))
        for key, value in differing(PRESETS[rules.preset], rules).items()
    )


def fitting_options(preset: Ruleset) -> tuple[str, ...]:
    """Return the options that can matter in a game of this kind, grouped, in the order they are asked."""
    never = {
        key
        for key in ("low", "game_minimum", "game_tie", "trump_jack_counts", "no_trump", "special_bid")
        if why_unused(preset, key)
    }
    if preset.bid_max is None:
        never.add("bid_max")
    if preset.special_bid == "none" and "special_bid" in never:
        never.add("pitch_test")
    return tuple(key for key in WORDS if key not in never)


def rules_line(rules: Ruleset) -> str:
    """Return the goal of the game in a line: "To 21, bid to go out, win by 2"."""
    if rules.finish == "fixed_hands":
        return _("%(hands)s hands, the highest wins", hands=rules.hands_limit)
    parts = [_("To %(target)s", target=rules.target), _(_ENDS[rules.finish])]
    if rules.win_by > 1 and why_unused(rules, "win_by") is None:
        parts.append(_("win by %(points)s", points=rules.win_by))
    if rules.special_bid != "none":
        parts.append(_(_SPECIAL[rules.special_bid]))
    return ", ".join(parts)


def players_line(rules: Ruleset) -> str:
    """Return who can play: "4 in partners, or 2 to 7 each alone"."""
    kinds: dict[str, list[int]] = {}
    for seating in rules.seatings:
        kinds.setdefault(seating.kind, []).append(seating.players)
    told = [_(_SEATING_WORDS[kind], players=_range(counts)) for kind, counts in kinds.items()]
    return reduce(lambda one, other: _("%(one)s, or %(other)s", one=one, other=other), told)


def seating_words(seating: Seating) -> str:
    """Return "4 in partners" or "3 each alone"."""
    return _(_SEATING_WORDS[seating.kind], players=seating.players)


def _range(counts: list[int]) -> str:
    counts = sorted(counts)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return _("%(fewest)s to %(most)s", fewest=counts[0], most=counts[-1])
    return reduce(lambda one, other: _("%(one)s or %(other)s", one=one, other=other), map(str, counts))
