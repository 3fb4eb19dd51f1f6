"""The table of games in section 7 of `rules/RULES.md`, read as it stands there: the games as people wrote them down."""

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
    "bid_min": None,
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
}
"""Every option, and its value in a game that does not name it; None too where every game names it."""


@dataclass(frozen=True)
class BookGame:
    """A line of the table: who sits down, what a hand is worth by point or by players, and all options."""

    name: str
    seatings: list[tuple[str, list[int]]]
    cards_each: int
    tricks: int
    worth: dict[str, int]
    totals: dict[int, int]
    options: dict[str, Any]


def _number(told: str) -> Any:
    return int(told) if told.isdigit() else {"yes": True, "no": False, "none": None}.get(told, told)


def _players(told: str) -> list[int]:
    if ends := re.fullmatch(r"(\d) to (\d)", told):
        return list(range(int(ends[1]), int(ends[2]) + 1))
    return [int(each) for each in told.split(" or ")]


def _game(name: str, seats: str, cards: str, points: str, options: str) -> BookGame:
    by_players = re.findall(r"(\d+) with (\d)", points)
    worth = [] if by_players else [f"{each} 1".split(" ")[:2] for each in points.split(", ")]
    told = dict(each.split(" ") for each in options.split(", "))
    assert set(told) <= set(NEUTRAL), set(told) - set(NEUTRAL)
    return BookGame(
        name,
        [(kind, _players(players)) for kind, players in (each.split(" ", 1) for each in seats.split("; "))],
        0 if cards == "all" else int(cards.split(", keep ")[0]),
        0 if cards == "all" else int(cards.split(", keep ")[-1]),
        {key: int(value) for key, value in worth},
        {int(players): int(total) for total, players in by_players},
        NEUTRAL | {key: _number(value) for key, value in told.items()},
    )


def _read() -> dict[str, BookGame]:
    lines = (line.strip("| ").split(" | ") for line in RULES.read_text().splitlines() if line.startswith("| `"))
    return {cells[0].strip("`"): _game(*cells[1:]) for cells in lines if len(cells) == 6}


GAMES = _read()
