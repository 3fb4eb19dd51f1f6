"""The payments of the demo league: fees at the door, payments for sets, and a few people who still owe money."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from scorekeeper.leagues.money.payments import FEE, PAYMENT
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.transfer.archive_rows import Row
from scorekeeper.leagues.transfer.demo_making import DemoMaking

LATE = 3
"""How many people have not paid their fee yet on the night in progress."""
EVERY = 4
"""4 means: after the last closed night, one in four of the people who owe for sets (failed bids) hasn't paid yet."""
AHEAD = 1000
"""Cents that one person paid ahead."""


def pay_at_the_door(making: DemoMaking, night: Row, doors: datetime, people: Sequence[int], *, is_closed: bool) -> None:
    """Add the payments of the entry fee for a night to the demo. `people` are the numbers of the people who play.

    If the night is still in progress, the last `LATE` people haven't paid yet.
    """
    season = making.parts["seasons"][night["season_id"] - 1]
    fee = MoneySettings.from_json(season["money"]).entry_fee
    paid = people if is_closed else people[:-LATE]
    if not fee:
        return
    for person in paid:
        _pay(making, night["season_id"], person, FEE, fee, night["day"], night=night["id"])
    making.note("fees_paid", doors, night, people=_addresses(making, paid), cents=fee)


def pay_for_sets(making: DemoMaking, season: Row, night: Row, money: MoneySettings, *, is_last: bool) -> None:
    """Add the payments for sets (failed bids) on a closed night to the demo, and clear the counts in `making.sets`.

    On the last closed night, a few people don't pay yet, and one person pays ahead.
    """
    owed: defaultdict[int, list[int]] = defaultdict(list)
    for place, (person, sets) in enumerate(sorted(making.sets.items())):
        if money.per_set and not (is_last and place % EVERY == 0):
            owed[sets * money.per_set].append(person)
    if is_last and money.entry_fee:
        owed[AHEAD].append(next(iter(sorted(making.sets))))
    for cents, people in sorted(owed.items()):
        for person in people:
            _pay(making, season["id"], person, PAYMENT, cents, night["day"])
        data = {"season": season["public_id"], "people": _addresses(making, people), "cents": cents}
        making.note("payment_saved", datetime.fromisoformat(night["closed_at"]), **data, day=night["day"])
    making.sets.clear()


def _pay(
    making: DemoMaking, season: int, person: int, kind: str, cents: int, day: str, night: int | None = None
) -> None:
    row = {"season_id": season, "night_id": night, "person_id": person, "kind": kind, "cents": cents, "day": day}
    making.add("payments", **row, what="", corrects=None)


def _addresses(making: DemoMaking, people: Sequence[int]) -> list[str]:
    """Return the public ids of people. `people` are their numbers in the archive."""
    return [making.parts["people"][person - 1]["public_id"] for person in people]
