"""The receipt of a night as data: lines with amounts in cents, and sums that readers can check by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.leagues.money.takings import Kind, MoneyLine, NightMoney
from scorekeeper.rules.phrase import Phrase

_PLACES = {1: Phrase("1st place prize"), 2: Phrase("2nd place prize"), 3: Phrase("3rd place prize")}


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A line of a receipt, with an amount in cents.

    `count` is the number of fees or sets (failed bids) that the amount covers; None for other lines. `person` is the id
    of the player who was paid, None for other lines. `is_sum` marks the sum of the lines above.
    """

    what: Phrase
    cents: int
    count: int | None = None
    person: int | None = None
    is_sum: bool = False


def receipt(night: NightMoney) -> tuple[ReceiptLine, ...]:
    """Return the lines of a receipt in three groups: money in, money paid out, and money kept.

    Each group ends with a line for its sum. The money in equals the money paid out plus the money kept. If the kitty or
    a pot shrank, its line in the last group is negative.
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
    """Return a receipt line for each prize or pot that was paid to a player, in positive cents."""
    return tuple(
        ReceiptLine(_prize(line), -line.cents, person=line.person)
        for line in lines
        if line.kind in ("prize", "pot_prize")
    )


def _prize(line: MoneyLine) -> Phrase:
    if line.kind == "pot_prize":
        return Phrase("Pot “%(pot)s”", pot=line.pot)
    if line.place in _PLACES:
        return _PLACES[line.place]
    return Phrase("Prize for place %(place)s", place=line.place)


def _together(what: Phrase, lines: Iterable[MoneyLine], kind: Kind, pot: str = "") -> ReceiptLine:
    added = [line for line in lines if line.kind == kind and line.pot == pot]
    return ReceiptLine(what, sum(line.cents for line in added), sum(line.count for line in added))
