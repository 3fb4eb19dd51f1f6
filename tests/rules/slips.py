"""Make hands with mistakes that no form of the app posts: each is a valid hand with one random change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from scorekeeper.rules.hands import most_tricks
from scorekeeper.rules.table import Table

Data = dict[str, Any]
_Slip = Callable[[Table, Data, Random], Data]


def slip(table: Table, data: Data, chance: Random) -> Data:
    """Return the valid hand `data` with one random change; the rules may still accept the changed hand."""
    return chance.choice(_SLIPS)(table, data, chance)


def _other_value(table: Table, data: Data, chance: Random) -> Data:
    key = chance.choice(tuple(_VALUES))
    return {**data, key: chance.choice(_VALUES[key](table))}


def _other_bid(table: Table, data: Data, chance: Random) -> Data:
    """Return the hand `data` with a random bidder and a random bid, even if no auction could end that way."""
    return {**data, "bidder": chance.randrange(table.players), "bid": chance.choice(table.bids or (2,))}


def _left_out(table: Table, data: Data, chance: Random) -> Data:
    gone = chance.choice(tuple(data))
    return {key: value for key, value in data.items() if key != gone}


def _special_left_out(table: Table, data: Data, chance: Random) -> Data:
    return {key: value for key, value in data.items() if key not in ("partner", "tricks")}


def _other_points(table: Table, data: Data, chance: Random) -> Data:
    points = {category.key: chance.randrange(table.parties) for category in table.rules.points_of("pitch")}
    key = chance.choice([*points, "hearts"])
    wrong = {**points, key: chance.choice((None, -1, table.parties, "0", True))}
    short = {other: side for other, side in points.items() if other != key}
    return _told(data, points=chance.choice((wrong, wrong, short)))


def _other_taken(table: Table, data: Data, chance: Random) -> Data:
    parts = table.parties + chance.choice((0, 0, 0, 0, 0, 0, -1, 1))
    return _told(data, taken=[chance.randint(-1, table.most + 1) for _ in range(parts)])


def _near_taken(table: Table, data: Data, chance: Random) -> Data:
    """Return the hand `data` with a different number of points for each side.

    The sum of the new points is impossible in this game, or it is the lowest possible sum.
    """
    never = sorted({*range(table.least - 1, table.most + 2)} - {*table.sums})
    taken = [0] * table.parties
    for points in (chance.choice((table.least, *never)) - 1, 1):
        taken[chance.randrange(len(taken))] += points
    return _told(data, taken=taken)


def _told_twice(table: Table, data: Data, chance: Random) -> Data:
    return {**data, "taken": [table.most, *[0] * (table.parties - 1)], "points": {}}


def _told(data: Data, **won: Any) -> Data:
    return {key: value for key, value in data.items() if key not in ("points", "taken")} | won


_SLIPS: tuple[_Slip, ...] = (
    *[_other_value] * 4,
    *[_other_bid] * 2,
    *[_left_out] * 3,
    _special_left_out,
    *[_other_points] * 2,
    _other_taken,
    _near_taken,
    _told_twice,
)


def _seats(table: Table) -> tuple[Any, ...]:
    return (*range(-1, table.players + 1), "0", True, None)


_VALUES: Mapping[str, Callable[[Table], tuple[Any, ...]]] = {
    "dealer": _seats,
    "bidder": _seats,
    "partner": _seats,
    "bid": lambda table: (*table.bids, table.top_bid + 1, 0, -1, "2", "pass", "pitch", "moon", True, 2.5, None),
    "trump": lambda table: ("C", "S", "12", "none", "X", "", 2, None),
    "tricks": lambda table: (*range(-1, most_tricks(table.rules) + 2), "3", True, None),
    "passed": lambda table: (True, True, False, "yes", 1, None),
    "points": lambda table: ({}, [], "x", None),
    "taken": lambda table: ([], "x", None, [table.most], ["1", 1], [True, 1], [0.5, 1.5]),
    "note": lambda table: (1,),
    "turned_up": lambda table: ("6C", "6", "AH", "J", "JD", "T", "RJ", "1X", "", 6, None),
    "jack_hung": lambda table: (True, True, False, 1, "yes", None),
    "revoked": _seats,
    "conceded": lambda table: (True, True, False, 1, "yes"),
}
