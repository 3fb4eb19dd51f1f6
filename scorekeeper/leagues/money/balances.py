"""The accounts of a season: what each person owes and has paid, and what the cash box must hold.

A night charges its entry fee and its sets; an owner can add charges, such as the dues of a season. Payments count
against that. Prizes and side pots are paid in cash on the night, so they are in no account, only in the cash box. A
counter entry has the kind of the entry that it takes back, and the opposite sign.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

Kind = Literal["entry", "sets", "charge", "fee", "payment"]
CHARGED = frozenset(("entry", "sets", "charge"))
"""Kinds that a person owes; all others they paid."""


class Item(NamedTuple):
    """One line of an account, in cents.

    `night` is the number of a night, 0 for none. `sets` is how many sets it charges. `payment` is the id of the row
    that holds it, 0 for what a night calculates; `corrects` is the id of the row that it takes back, else 0.
    """

    person: int
    day: date
    night: int
    kind: Kind
    cents: int
    sets: int = 0
    what: str = ""
    payment: int = 0
    corrects: int = 0

    @property
    def charged(self) -> int:
        """Return the cents owed by this line; 0 for a payment."""
        return self.cents if self.kind in CHARGED else 0

    @property
    def paid(self) -> int:
        """Return the cents paid by this line; 0 for a charge."""
        return 0 if self.kind in CHARGED else self.cents


@dataclass(frozen=True, slots=True)
class Account:
    """The lines of one person, oldest first."""

    person: int
    items: tuple[Item, ...]

    @property
    def charged(self) -> int:
        """Return the cents owed in all."""
        return sum(item.charged for item in self.items)

    @property
    def paid(self) -> int:
        """Return the cents paid in all."""
        return sum(item.paid for item in self.items)

    @property
    def owes(self) -> int:
        """Return the cents still owed; below zero if they paid ahead."""
        return self.charged - self.paid


def accounts(items: Iterable[Item]) -> tuple[Account, ...]:
    """Return the account of each person who has a line, lowest id first."""
    lines: defaultdict[int, list[Item]] = defaultdict(list)
    for item in items:
        lines[item.person].append(item)
    return tuple(
        Account(person, tuple(sorted(lines[person], key=lambda item: (item.day, item.night, item.payment))))
        for person in sorted(lines)
    )


@dataclass(frozen=True, slots=True)
class CashBox:
    """What the money in the cash box is for, in cents.

    `tonight` are the entry fees of nights that are still open, which are not in the kitty yet; `dues` are the charges
    that no night calculates. `unpaid` is what people owe, `ahead` what they paid ahead.
    """

    kitty: int
    pots: int
    tonight: int
    dues: int
    unpaid: int
    ahead: int
    prizes: tuple[tuple[int, int], ...] = ()
    """Number and cents of each closed night that paid prizes or side pots; `kitty` and `pots` are what was left."""

    @property
    def cash(self) -> int:
        """Return the cents that the box must hold: all that came in, less all that was paid out."""
        return self.kitty + self.pots + self.tonight + self.dues + self.ahead - self.unpaid


def cash_box(
    people: Iterable[Account], *, kitty: int, pots: int, tonight: int, prizes: Mapping[int, int] | None = None
) -> CashBox:
    """Return the cash box of a season with these accounts, this kitty, and these pots after its last night.

    `prizes` has the cents that each night paid out, by its number.
    """
    listed = tuple(people)
    return CashBox(
        kitty,
        pots,
        tonight,
        sum(item.cents for account in listed for item in account.items if item.kind == "charge"),
        sum(max(account.owes, 0) for account in listed),
        sum(max(-account.owes, 0) for account in listed),
        tuple(sorted((prizes or {}).items())),
    )
