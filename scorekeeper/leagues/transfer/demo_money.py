"""The payments of the demo league: fees at the door, sets at the end of the night, and a few people who pay later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from scorekeeper.leagues.money.payments import FEE, PAYMENT
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.transfer.archive_rows import Row
from scorekeeper.leagues.transfer.demo_making import DemoMaking

LATE = 3
"""People who have not paid their fee yet on the night in progress."""
EVERY = 4
"""Of those who owe for sets after the last closed night, each so many-th has not paid yet."""
AHEAD = 1000
"""Cents that one person paid ahead."""


def pay_at_the_door(making: DemoMaking, night: Row, doors: datetime, people: Sequence[int], *, is_closed: bool) -> None:
    """Let people (numbers) pay the entry fee of a night; on the night in progress, some have not yet."""
    season = making.parts["seasons"][night["season_id"] - 1]
    fee = MoneySettings.from_json(season["money"]).entry_fee
    paid = people if is_closed else people[:-LATE]
    if not fee:
        return
    for person in paid:
        _pay(making, night["season_id"], person, FEE, fee, night["day"], night=night["id"])
    making.note("fees_paid", doors, night, people=_addresses(making, paid), cents=fee)


def pay_for_sets(making: DemoMaking, season: Row, night: Row, money: MoneySettings, *, is_last: bool) -> None:
    """Let people pay for their sets at the end of a closed night, and forget the sets.

    After the last closed night a few have not paid yet, and one person paid ahead.
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
    """Return the public ids of people (numbers)."""
    return [making.parts["people"][person - 1]["public_id"] for person in people]
