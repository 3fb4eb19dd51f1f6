"""Settle the money of one night, so that money in equals money paid out and money kept, to the cent.

Entry fees make the night's prize fund, which the payout template divides among the places; the rest goes into the
kitty. Every set puts its amount into the kitty. When the league opens the kitty, all of it, including the night's sets,
is added to that night's prize fund. For pots see `pots`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.money.payout import Places, divided, pay_out
from scorekeeper.leagues.money.pots import PotNight, settle_pot
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.rules.violation import RuleViolation

Kind = Literal["entry", "sets", "pot_entry", "prize", "pot_prize"]

Till = tuple[tuple[str, int], ...]
"""Cents by pot, sorted by name."""


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """One amount of one person, in cents: positive if it came in, negative if it was paid out.

    `count` is the number of sets, `place` the place of a prize, `pot` the name of a pot.
    """

    kind: Kind
    person: int
    cents: int
    count: int = 1
    place: int = 0
    pot: str = ""


@dataclass(frozen=True, slots=True)
class NightMoney:
    """The money of one night.

    Raises `ValueError` if it does not balance: money in, less money out, must be the change of the kitty and the pots
    together, and none of them may be negative.
    """

    lines: tuple[MoneyLine, ...]
    kitty_before: int
    kitty_after: int
    pots_before: Till
    pots_after: Till

    def __post_init__(self) -> None:
        if self.balance:
            raise ValueError(f"the night is out by {self.balance} cents")
        if self.kitty_after < 0 or any(cents < 0 for _, cents in self.pots_after):
            raise ValueError("more was paid than there was")

    @property
    def taken_in(self) -> int:
        """Return the total that came in."""
        return sum(line.cents for line in self.lines if line.cents > 0)

    @property
    def paid_out(self) -> int:
        """Return the total paid out, as a positive number."""
        return -sum(line.cents for line in self.lines if line.cents < 0)

    @property
    def kept(self) -> int:
        """Return how much the kitty and the pots grew; negative if the night paid from them."""
        before = self.kitty_before + sum(cents for _, cents in self.pots_before)
        return self.kitty_after + sum(cents for _, cents in self.pots_after) - before

    @property
    def balance(self) -> int:
        """Return money in less money out and money kept; always zero."""
        return self.taken_in - self.paid_out - self.kept


@dataclass(frozen=True, slots=True)
class Taking:
    """The players in a pot tonight, and its winners."""

    entrants: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class NightTakings:
    """The input for calculating the money of a night.

    `entrants` pay the entry fee; `sets` counts the sets each person pays for, `shared_sets` those that the people of a
    side share, because the bidders are unknown. `takings` has the players of each pot, and `pots` its cents before the
    night, both by name of the pot. `places` holds the ranking of the night.
    """

    entrants: frozenset[int] = frozenset()
    sets: Mapping[int, int] = field(default_factory=dict)
    shared_sets: Sequence[tuple[Unit, int]] = ()
    takings: Mapping[str, Taking] = field(default_factory=dict)
    places: Places = ()
    kitty: int = 0
    pots: Mapping[str, int] = field(default_factory=dict)
    open_kitty: bool = False
    last_night: bool = False


def settle_night(settings: MoneySettings, evening: NightTakings) -> NightMoney:
    """Return the money of the night.

    A pot that is no longer in the settings takes nothing in, and rolls over until it is won or the season ends.
    Raises `RuleViolation` for an unknown pot, for a winner who did not pay into the pot, and for a negative number of
    sets.
    """
    entries = {pot.name: pot.entry for pot in settings.pots}
    for name in evening.takings:
        if name not in entries and name not in evening.pots:
            raise RuleViolation("pot_unknown", "This season doesn't have that pot.", field="pots")
    if any(count < 0 for count in (*evening.sets.values(), *(count for _side, count in evening.shared_sets))):
        raise RuleViolation("sets_below_zero", "Sets can't be negative.", field="sets")
    nights = {name: _pot_night(name, evening, entries) for name in sorted({*entries, *evening.pots})}
    fees = [MoneyLine("entry", person, settings.entry_fee) for person in sorted(evening.entrants)]
    sets = [
        MoneyLine("sets", person, cents, count)
        for person, (cents, count) in set_shares(settings.per_set, evening).items()
    ]
    kitty = evening.kitty + _sum(sets) + sum(night.to_kitty for night in nights.values())
    fund = _sum(fees) + (kitty if evening.open_kitty else 0)
    payout = pay_out(fund, settings.payout, evening.places)
    prizes = [
        MoneyLine("prize", person, -cents, place=prize.place)
        for prize in payout.prizes
        for person, cents in zip(prize.unit, divided(prize.cents, len(prize.unit)), strict=True)
    ]
    in_pots = [line for name, night in nights.items() for line in _pot_lines(name, night, evening, entries)]
    return NightMoney(
        lines=tuple(line for line in (*fees, *sets, *in_pots, *prizes) if line.cents),
        kitty_before=evening.kitty,
        kitty_after=payout.kept + (0 if evening.open_kitty else kitty),
        pots_before=tuple((name, night.before) for name, night in nights.items()),
        pots_after=tuple((name, night.after) for name, night in nights.items()),
    )


def set_shares(per_set: int, evening: NightTakings) -> Mapping[int, tuple[int, int]]:
    """Return the cents and the number of sets that each person pays for, lowest id first.

    Partners divide the cents of a shared set equally, and the sets too; the one listed first has what doesn't divide.
    """
    owed = {person: (per_set * count, count) for person, count in evening.sets.items()}
    for side, count in evening.shared_sets:
        shares = zip(side, divided(per_set * count, len(side)), divided(count, len(side)), strict=True)
        for person, cents, part in shares:
            before = owed.get(person, (0, 0))
            owed[person] = (before[0] + cents, before[1] + part)
    return dict(sorted(owed.items()))


def _pot_night(name: str, evening: NightTakings, entries: Mapping[str, int]) -> PotNight:
    taking = evening.takings.get(name, Taking())
    before, entry = evening.pots.get(name, 0), entries.get(name, 0)
    return settle_pot(before, entry, taking.entrants, taking.winners, last_night=evening.last_night)


def _pot_lines(name: str, night: PotNight, evening: NightTakings, entries: Mapping[str, int]) -> Iterable[MoneyLine]:
    for person in sorted(evening.takings.get(name, Taking()).entrants):
        yield MoneyLine("pot_entry", person, entries.get(name, 0), pot=name)
    for person in night.winners:
        yield MoneyLine("pot_prize", person, -night.paid, pot=name)


def _sum(lines: Iterable[MoneyLine]) -> int:
    return sum(line.cents for line in lines)
