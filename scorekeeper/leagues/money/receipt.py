"""The receipt of a night as data: lines in cents, with sums that can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.leagues.money.takings import Kind, MoneyLine, NightMoney
from scorekeeper.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A line of a receipt, in cents.

    `count` is how many fees or sets it adds up, if any; `person` is the id of the player paid, if any; `is_sum` marks
    the sum of the lines above.
    """

    what: Phrase
    cents: int
    count: int | None = None
    person: int | None = None
    is_sum: bool = False


def receipt(night: NightMoney) -> tuple[ReceiptLine, ...]:
    """Return the lines for money in, paid out and kept, each with its sum; money in equals the other two sums.

    If the kitty or a pot holds less than before, its line under "kept" is negative.
    """
    pots = [name for name, _ in night.pots_before]
    after = dict(night.pots_after)
    lines = [
        _together(Phrase("Entry fees"), night.lines, "entry"),
        _together(Phrase("Sets"), night.lines, "sets"),
        *(_together(Phrase("Pot “%(pot)s”", pot=name), night.lines, "pot_entry", name) for name in pots),
        ReceiptLine(Phrase("Money in"), night.taken_in, is_sum=True),
        *prizes(night.lines),
        ReceiptLine(Phrase("Paid out"), night.paid_out, is_sum=True),
        ReceiptLine(Phrase("Into the kitty"), night.kitty_after - night.kitty_before),
        *(
            ReceiptLine(Phrase("Into the pot “%(pot)s”", pot=name), after[name] - before)
            for name, before in night.pots_before
        ),
        ReceiptLine(Phrase("Kept"), night.kept, is_sum=True),
    ]
    return tuple(line for line in lines if line.cents or line.is_sum)


def prizes(lines: Iterable[MoneyLine]) -> tuple[ReceiptLine, ...]:
    """Return the lines for prizes and pots won, each with what it is for."""
    return tuple(
        ReceiptLine(_prize(line), -line.cents, person=line.person)
        for line in lines
        if line.kind in ("prize", "pot_prize")
    )


def _prize(line: MoneyLine) -> Phrase:
    if line.kind == "pot_prize":
        return Phrase("Pot “%(pot)s”", pot=line.pot)
    return Phrase("Prize, place %(place)s", place=line.place)


def _together(what: Phrase, lines: Iterable[MoneyLine], kind: Kind, pot: str = "") -> ReceiptLine:
    added = [line for line in lines if line.kind == kind and line.pot == pot]
    return ReceiptLine(what, sum(line.cents for line in added), sum(line.count for line in added))
