"""Settle the money of one night, so that money in equals money paid out and money kept, to the cent.

Entry fees make the night's prize fund, which is divided among the places (`MoneySettings.payout`); the rest goes into
the kitty. The charge for each set (failed bid) goes into the kitty. When the league opens the kitty, all of it,
including that night's charges for sets, is added to the night's prize fund. For pots see `pots`.
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
"""Pairs (name of a pot, cents in it), sorted by name."""


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """One amount that a person paid or received, in cents: positive if they paid, negative if they received it.

    `count` is the number of sets (failed bids), or 1 in lines of other kinds. `place` is the place of a prize, or 0 in
    lines of other kinds. `pot` is the name of a side pot, or "" in lines of other kinds.
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

    Raises `ValueError` if the money does not balance, or if the kitty or a pot ends up negative. The money balances if
    money in minus money paid out equals the change of the kitty and the pots together.
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
        """Return the total that players paid in, in cents."""
        return sum(line.cents for line in self.lines if line.cents > 0)

    @property
    def paid_out(self) -> int:
        """Return the total that was paid out to players, in cents, as a positive number."""
        return -sum(line.cents for line in self.lines if line.cents < 0)

    @property
    def kept(self) -> int:
        """Return how many cents the kitty and the pots grew by; negative if the night paid from them."""
        before = self.kitty_before + sum(cents for _, cents in self.pots_before)
        return self.kitty_after + sum(cents for _, cents in self.pots_after) - before

    @property
    def balance(self) -> int:
        """Return money in, minus money paid out, minus money kept. The result is always zero."""
        return self.taken_in - self.paid_out - self.kept


@dataclass(frozen=True, slots=True)
class Taking:
    """The players who are in a side pot tonight, and the winners of that pot, by person id."""

    entrants: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class NightTakings:
    """The input for calculating the money of a night.

    `entrants` are the ids of the people who pay the entry fee. `sets` has the number of sets (failed bids) that each
    person pays for, by person id. `shared_sets` has pairs of a side (person ids) and its number of sets with unknown
    bidders. The people of a side share the cost of these sets.

    `takings` has the players and winners of each pot, by the pot's name. `pots` has the cents in each pot before the
    night, by the pot's name. `places` is the ranking of the night. `kitty` is the number of cents in the kitty before
    the night. With `open_kitty`, all of the kitty is added to the prizes. On the `last_night` of the season, the money
    left in the pots goes into the kitty.
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
    """Calculate and return the money of a night.

    A pot that is no longer in the settings takes no more entries. Its money rolls over until somebody wins the pot or
    the season ends. Raises `RuleViolation` for an unknown pot, a winner who did not pay into the pot, or a negative
    number of sets. Raises `ValueError` if the kitty or a pot would end up negative.
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
    """Return what each person pays for sets (failed bids), as (cents, number of sets) by person id, lowest id first.

    The partners of a side divide the cents and the number of shared sets equally. If the number of cents or sets
    doesn't divide equally, the first partners of the side each get one more.
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
