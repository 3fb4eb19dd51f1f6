"""Read the table of games in section 7 of `rules/RULES.md`, which people wrote by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RULES = Path(__file__).resolve().parents[2] / "scorekeeper" / "rules" / "RULES.md"
NEUTRAL: dict[str, Any] = {
    "low": "captured",
    "game_minimum": 0,
    "game_tie": "nobody",
    "trump_jack_counts": True,
    "bid_min": 1,
    "bid_max": None,
    "auction": "once_around",
    "stop_at_max": True,
    "dealer_privilege": "none",
    "dealer_may_match_max": False,
    "dealer_may_raise": True,
    "forced_bid": None,
    "forced_bid_exact": None,
    "special_bid": "none",
    "pitch_test": "points",
    "set_penalty": "bid",
    "target": None,
    "finish": None,
    "win_by": 1,
    "go_out": "make",
    "tie": "play_on",
    "tie_break_round": "decides",
    "negative": "allowed",
    "no_trump": False,
    "hands_limit": None,
    "max_sets": None,
    "redeal_by": "next",
    "trump_any_time": False,
    "redeal": "none",
    "draw": False,
    "called_partner": False,
    "hang_jack": 1,
    "turned_up_points": "none",
    "points": "",
    "slam": False,
    "made_scores": "taken",
    "defenders_score": True,
    "lose_at_minus": None,
    "bidder_lead": 0,
    "forced_concede": False,
    "revoke_costs_bid": False,
}
"""Maps every option to its neutral value, with which the option has no effect.

An option has this value in each game whose row doesn't name the option. For `target` and `finish`, which every row
names, the value is None.
"""


@dataclass(frozen=True)
class BookGame:
    """A row of the table of games: seatings, cards, the points of a hand, and every option.

    `worth` maps the key of each point to its value. If the row doesn't name the points, `worth` is empty, and `totals`
    maps each number of players to the total points of a hand.
    """

    name: str
    seatings: list[tuple[str, list[tuple[int, int]]]]
    """Each kind of seating, such as "partners", with its pairs of (players, sides)."""
    cards_each: int
    fewer_cards: dict[int, int]
    """The number of cards dealt to each player, by number of players, where that isn't `cards_each`."""
    tricks: int
    worth: dict[str, int]
    totals: dict[int, int]
    options: dict[str, Any]


def _number(told: str) -> Any:
    return int(told) if told.isdigit() else {"yes": True, "no": False, "none": None}.get(told, told)


def _seatings(kind: str, told: str) -> list[tuple[int, int]]:
    if ends := re.fullmatch(r"(\d) to (\d)", told):
        counts = [(players, "") for players in range(int(ends[1]), int(ends[2]) + 1)]
    else:
        counts = [(int(each[0]), each.removesuffix(" teams")[1:]) for each in told.split(" or ")]
    return [(players, int(teams[-1]) if teams else 2 if kind == "partners" else players) for players, teams in counts]


def _cards(told: str) -> tuple[int, int, dict[int, int]]:
    """Return (dealt, kept, exceptions) for a table cell that says how many cards are dealt, such as "9, keep 6".

    The first two are the numbers of cards that each player gets and keeps. Both are 0 if the cell says "all", which
    means that the whole pack is dealt. The last is a dict from a number of players to a different number of dealt
    cards.
    """
    if told == "all":
        return 0, 0, {}
    fewer = re.search(r" \((\d+) with (.*)\)", told)
    dealt = re.sub(r" \(.*\)", "", told).split(", keep ")
    by_players = {int(players): int(fewer[1]) for players in fewer[2].split(" or ")} if fewer else {}
    return int(dealt[0]), int(dealt[-1]), by_players


def _game(name: str, seats: str, cards: str, points: str, options: str) -> BookGame:
    by_players = re.findall(r"(\d+) with (\d)", points)
    worth = [] if by_players else [f"{each} 1".split(" ")[:2] for each in points.split(", ")]
    told = dict(each.split(" ") for each in options.split(", "))
    assert set(told) <= set(NEUTRAL), set(told) - set(NEUTRAL)
    cards_each, tricks, fewer_cards = _cards(cards)
    return BookGame(
        name,
        [(kind, _seatings(kind, players)) for kind, players in (each.split(" ", 1) for each in seats.split("; "))],
        cards_each,
        fewer_cards,
        tricks,
        {key: int(value) for key, value in worth},
        {int(players): int(total) for total, players in by_players},
        NEUTRAL | {key: value if type(NEUTRAL[key]) is str else _number(value) for key, value in told.items()},
    )


def _read() -> dict[str, BookGame]:
    lines = (line.strip("| ").split(" | ") for line in RULES.read_text().splitlines() if line.startswith("| `"))
    return {cells[0].strip("`"): _game(*cells[1:]) for cells in lines if len(cells) == 6}


GAMES = _read()
