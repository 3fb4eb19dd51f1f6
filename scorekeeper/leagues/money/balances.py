"""The accounts of a season: what each person owes and has paid, and how much cash must be in the cash box.

A night charges its entry fee, and an amount for each set (failed bid). An owner can add charges, such as the dues of a
season. Payments are subtracted from these charges. Prizes and side pots are paid in cash on the night, so they appear
only in the cash box, not in an account. A reversing entry has the kind of the entry that it reverses, and the opposite
sign.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal, NamedTuple

from msgspec import Struct

Kind = Literal["entry", "sets", "charge", "fee", "payment"]
CHARGED = frozenset(("entry", "sets", "charge"))
"""Kinds of account lines that say what a person owes. All other kinds say what the person paid."""


class Item(NamedTuple):
    """One line of a person's account, in cents.

    `person` is a row id. `night` is the number of the night, or 0 if the line belongs to no night. `sets` is the number
    of the person's own sets (failed bids) that the line charges for, or 0 if it isn't known who bid. `payment` is the
    id of the line's `PaymentRow`, or 0 if the line is calculated from a night. If the line reverses another payment,
    `corrects` is the id of that `PaymentRow`, otherwise 0.
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
        """Return the cents that this line adds to the person's charges, or 0 for a payment."""
        return self.cents if self.kind in CHARGED else 0

    @property
    def paid(self) -> int:
        """Return the cents that this line adds to the person's payments, or 0 for a charge."""
        return 0 if self.kind in CHARGED else self.cents


class Account(Struct, frozen=True):
    """The account of one person: its lines, oldest first."""

    person: int
    items: tuple[Item, ...]

    @property
    def charged(self) -> int:
        """Return the sum of all charges, in cents."""
        return sum(item.charged for item in self.items)

    @property
    def paid(self) -> int:
        """Return the sum of all payments, in cents."""
        return sum(item.paid for item in self.items)

    @property
    def owes(self) -> int:
        """Return the cents that the person owes. The result is negative if the person paid in advance."""
        return self.charged - self.paid


def accounts(items: Iterable[Item]) -> tuple[Account, ...]:
    """Return the accounts of all people with at least one line in `items`, sorted by row id of the person."""
    lines: defaultdict[int, list[Item]] = defaultdict(list)
    for item in items:
        lines[item.person].append(item)
    return tuple(
        Account(person, tuple(sorted(lines[person], key=lambda item: (item.day, item.night, item.payment))))
        for person in sorted(lines)
    )


def fees_covered(due: Mapping[int, int], at_desk: Mapping[int, int], paid: int) -> dict[int, int]:
    """Return how many cents of each entry fee a person has paid, by night, whatever page the payment was entered on.

    `due` has the fee of each night, oldest night first. `at_desk` has what the desk of each night took for its fee.
    `paid` is the sum of all other payments, less refunds. Money that a desk took pays the fee of its night. All other
    money pays the fees that are left, oldest night first, and only then other charges. If more was refunded than paid,
    the newest fees are due again. So the fees that are left never add up to more than the person owes.
    """
    covered = {night: max(0, min(at_desk.get(night, 0), cents)) for night, cents in due.items()}
    free = paid + sum(at_desk.values()) - sum(covered.values())
    for night in covered if free >= 0 else reversed(list(covered)):
        more = max(-covered[night], min(free, due[night] - covered[night]))
        covered[night] += more
        free -= more
    return covered


class CashBox(Struct, frozen=True):
    """The money in the cash box, in cents, by purpose.

    `kitty` and `pots` are the kitty and the side pots. `tonight` is the sum of the entry fees of open nights, which are
    not in the kitty yet. `dues` is the sum of the charges that were entered by hand. `unpaid` is what people owe, and
    `ahead` is what people paid in advance.
    """

    kitty: int
    pots: int
    tonight: int
    dues: int
    unpaid: int
    ahead: int
    prizes: tuple[tuple[int, int], ...] = ()
    """Pairs (number of a night, cents that it paid as prizes and from side pots).

    These cents are already subtracted from `kitty` and `pots`.
    """

    @property
    def cash(self) -> int:
        """Return the cents that must be in the cash box: everything received, minus everything paid out."""
        return self.kitty + self.pots + self.tonight + self.dues + self.ahead - self.unpaid


def cash_box(
    people: Iterable[Account], *, kitty: int, pots: int, tonight: int, prizes: Mapping[int, int] | None = None
) -> CashBox:
    """Return the cash box of a season. `people` are the accounts of the season.

    All amounts are in cents. `kitty` and `pots` are the amounts after the last night. `tonight` is the sum of the entry
    fees of open nights. `prizes` maps the number of each night to the amount that was paid out that night.
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
