"""House rules in players' words: what each option is called, what it does, and what its values mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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


_YES_NO = {True: "yes", False: "no"}
BIDDING, POINTS, WINNING, PLAY = "Bidding", "Points", "Winning", "At the table only"

WORDS: Mapping[str, OptionWords] = {
    "target": OptionWords(WINNING, "Play to", "The score that can win.", "Played to {}."),
    "finish": OptionWords(
        WINNING,
        "Who goes out",
        "What it takes to win once somebody has the points.",
        "{}.",
        {
            "bid_out": "You must bid to go out",
            "bidder_first": "The bidder goes out first, then the highest",
            "highest": "The highest wins, bidder or not",
            "fixed_hands": "The highest after a number of hands",
        },
    ),
    "win_by": OptionWords(WINNING, "Win by", "How far ahead the winner must be.", "Win by {}."),
    "go_out": OptionWords(
        WINNING,
        "To bid out",
        "Whether the bid must also be made.",
        "To go out, {}.",
        {"make": "the bid must be made", "take": "taking the bid is enough"},
    ),
    "tie": OptionWords(
        WINNING,
        "Level at the top",
        "What happens when two are level and could win.",
        "Level at the top: {}.",
        {"play_on": "play on", "bidder": "the bidder wins", "one_more_hand": "one more hand"},
    ),
    "tie_break_round": OptionWords(
        WINNING,
        "After the extra hand",
        "Who wins the hand that breaks a tie.",
        "After the extra hand {}.",
        {"decides": "the highest score wins", "threshold": "the target is still needed"},
    ),
    "hands_limit": OptionWords(
        WINNING, "Number of hands", "After so many hands the game ends.", "The game ends after {} hands."
    ),
    "max_sets": OptionWords(
        WINNING, "Sets that lose", "A side set so many times loses at once.", "A side set {} times loses."
    ),
    "bid_min": OptionWords(BIDDING, "Lowest bid", "The least that can be bid.", "The lowest bid is {}."),
    "bid_max": OptionWords(BIDDING, "Highest bid", "The most that can be bid.", "The highest bid is {}."),
    "forced_bid": OptionWords(
        BIDDING,
        "Dealer stuck with",
        "What the dealer must bid when everyone else passes; empty: the hand is thrown in.",
        "Everyone else passed: the dealer is stuck with {}.",
    ),
    "redeal_by": OptionWords(
        BIDDING,
        "After a thrown-in hand",
        "Who deals when everyone passed.",
        "After a thrown-in hand {}.",
        {"next": "the next player deals", "same": "the same dealer deals again"},
    ),
    "auction": OptionWords(
        BIDDING,
        "The bidding goes",
        "Whether a player may bid more than once.",
        "The bidding goes {}.",
        {"once_around": "once around", "until_passed": "round and round until all others pass"},
    ),
    "stop_at_max": OptionWords(
        BIDDING,
        "The highest bid ends it",
        "Whether the highest bid ends the bidding at once.",
        "The highest bid ends the bidding: {}.",
        _YES_NO,
    ),
    "dealer_privilege": OptionWords(
        BIDDING,
        "Dealer may match",
        "Whether the dealer may take the bid without bidding more.",
        "{}.",
        {"none": "The dealer must bid more to take the bid", "match": "The dealer may take the bid by matching it"},
    ),
    "dealer_may_match_max": OptionWords(
        BIDDING,
        "Dealer may match the highest",
        "Whether the dealer may take even the highest bid.",
        "The dealer may take the highest bid: {}.",
        _YES_NO,
    ),
    "dealer_may_raise": OptionWords(
        BIDDING,
        "Dealer may raise",
        "Whether the dealer may bid more than the others.",
        "The dealer may raise: {}.",
        _YES_NO,
    ),
    "special_bid": OptionWords(
        BIDDING,
        "Above all bids",
        "A call for every point, which wins the game at once.",
        "{}.",
        {"none": "No call above the numbers", "pitch": "A pitch can be called", "moon": "A moon can be called"},
    ),
    "pitch_test": OptionWords(
        BIDDING,
        "A pitch promises",
        "What the pitcher must take.",
        "A pitch promises {}.",
        {"points": "all four points", "tricks": "four of the six tricks"},
    ),
    "set_penalty": OptionWords(
        POINTS,
        "A set costs",
        "What the bidder loses.",
        "A set costs {}.",
        {"bid": "the bid", "double_shortfall": "twice what was missing"},
    ),
    "negative": OptionWords(
        POINTS,
        "Below zero",
        "Whether a set can take a score below zero.",
        "{}.",
        {"allowed": "Scores go below zero", "floor_zero": "A set stops at zero"},
    ),
    "low": OptionWords(
        POINTS,
        "Low belongs to",
        "Who gets the point for the lowest trump.",
        "Low belongs to {}.",
        {"captured": "whoever takes it", "dealt": "whoever was dealt it"},
    ),
    "game_minimum": OptionWords(
        POINTS, "Game needs", "Card points needed for the Game point; 0: most is enough.", "Game needs {} card points."
    ),
    "game_tie": OptionWords(
        POINTS,
        "Game tied",
        "Who gets the Game point when card points are tied.",
        "A tied Game goes to {}.",
        {"nobody": "nobody", "bidder": "the bidder", "defenders": "the defenders"},
    ),
    "trump_jack_counts": OptionWords(
        POINTS,
        "Trump jack counts for Game",
        "Whether the jack of trump is 1 card point.",
        "The jack of trump counts for Game: {}.",
        _YES_NO,
    ),
    "no_trump": OptionWords(
        BIDDING, "No trump", "Whether the bidder may play without trump.", "No trump may be named: {}.", _YES_NO
    ),
    "trump_any_time": OptionWords(
        PLAY,
        "Trump at any time",
        "Whether trump may be played when you could follow suit.",
        "Trump may be played at any time: {}.",
        _YES_NO,
    ),
    "redeal": OptionWords(
        PLAY,
        "Coke hand",
        "When a player may ask for a new hand.",
        "{}.",
        {
            "none": "No new hands",
            "ten_or_two": "A new hand without a ten or higher, and without a two",
            "ten": "A new hand without a ten or higher",
        },
    ),
    "draw": OptionWords(
        PLAY,
        "Draw",
        "Whether players may change up to four cards, five with an ace.",
        "Players may draw new cards: {}.",
        _YES_NO,
    ),
}

_SEATING_WORDS = {"partners": "in partners", "alone": "each alone", "called": "with a called partner"}


def value_words(option: str, value: Any) -> str:
    """Return a value of an option as players say it."""
    if value is None:
        return "none"
    return WORDS[option].values.get(value, str(value))


def house_rules(rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each place where this table differs from the usual rules of its game."""
    return tuple(
        "The dealer may pass: then the hand is thrown in."
        if key == "forced_bid" and value is None
        else WORDS[key].line.format(value_words(key, value))
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
        return f"{rules.hands_limit} hands, the highest wins"
    ends = {"bid_out": "bid to go out", "bidder_first": "the bidder goes out first", "highest": "the highest wins"}
    parts = [f"To {rules.target}", ends[rules.finish]]
    if rules.win_by > 1 and why_unused(rules, "win_by") is None:
        parts.append(f"win by {rules.win_by}")
    if rules.special_bid != "none":
        parts.append(f"or by a {rules.special_bid}")
    return ", ".join(parts)


def players_line(rules: Ruleset) -> str:
    """Return who can play: "4 in partners, or 2 to 7 each alone"."""
    kinds: dict[str, list[int]] = {}
    for seating in rules.seatings:
        kinds.setdefault(seating.kind, []).append(seating.players)
    return ", or ".join(f"{_range(counts)} {_SEATING_WORDS[kind]}" for kind, counts in kinds.items())


def seating_words(seating: Seating) -> str:
    """Return "4 in partners" or "3 each alone"."""
    return f"{seating.players} {_SEATING_WORDS[seating.kind]}"


def _range(counts: list[int]) -> str:
    counts = sorted(counts)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))
