"""Side pots, whose money rolls over to the next night until somebody wins it.

Players pay the entry to be in a pot for a night, and only they can win it that night. The league decides what wins it:
the highest game, a rare hand, a number drawn. The winner gets the whole pot, including what earlier nights left, and
the next night starts at zero. A pot that nobody wins rolls over. Several winners divide it equally, and the cents that
don't divide stay in it. After the last night of the season, what is left in a pot goes into the kitty.

Divide a prize fund among places.

A list of shares gives the prize of each place. Fixed amounts are paid first, from first place down, as far as the money
goes; percentages are taken of the rest and rounded down to a cent. Units (people or teams of partners) that share a
place pool the prizes of all the places they fill and divide them equally: two that share second place get half of the
second and third prizes each. Cents lost to rounding, and the prizes of places that nobody has, go to first place; if
several share first place, the cents that don't divide go one each to the units listed first. If the percentages add up
to less than 100, the rest is kept. Partners divide their prize equally; cents that don't divide go one each, lowest id
first.

Settle the money of one night, so that money in equals money paid out and money kept, to the cent.

Entry fees make the night's prize fund, which is divided among the places (`MoneySettings.payout`); the rest goes into
the kitty. The charge for each set (failed bid) goes into the kitty. When the league opens the kitty, all of it,
including that night's charges for sets, is added to the night's prize fund. For pots see `pots`.

The receipt of a night as data: lines with amounts in cents, and sums that readers can check by hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct, field

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.rules.phrase import Phrase, RuleViolation


class PotNight(Struct, frozen=True):
    """The amounts of one side pot on one night, in cents.

    The pot holds `before` at the start, and the entries add `taken`. Each winner gets `paid`. The remainder, `after`,
    rolls over to the next night. On the last night, the remainder goes into the kitty instead, as `to_kitty`.
    """

    before: int
    taken: int
    winners: tuple[int, ...]
    paid: int
    after: int
    to_kitty: int


def settle_pot(
    before: int, entry: int, entrants: frozenset[int], winners: frozenset[int], *, last_night: bool
) -> PotNight:
    """Return the amounts of a side pot on one night.

    `before` is the amount in the pot at the start of the night, and `entry` is the price to enter, both in cents.
    `entrants` and `winners` are the person ids of the players who entered and won. Raises `RuleViolation` if a winner
    did not pay into the pot.
    """
    if not winners <= entrants:
        raise RuleViolation("pot_winner", "Only someone who paid into the pot tonight can win it.", field="pots")
    taken = entry * len(entrants)
    whole = before + taken
    paid = whole // len(winners) if winners else 0
    left = whole - paid * len(winners)
    after, to_kitty = (0, left) if last_night else (left, 0)
    return PotNight(before, taken, tuple(sorted(winners)), paid, after, to_kitty)


Places = Sequence[Sequence[Unit]]
"""The people or teams in first place, in the next place, and so on; several of them if they share a place."""


class Prize(Struct, frozen=True):
    """The prize that a person or a team of partners gets, in cents.

    `unit` has their person ids, and `place` is their place in the ranking, from 1.
    """

    place: int
    unit: Unit
    cents: int


class Payout(Struct, frozen=True):
    """The prizes paid from a prize fund, best place first, and the cents of the fund that are not paid out."""

    prizes: tuple[Prize, ...]
    kept: int


def places_of(rows: Iterable[StandingRow]) -> tuple[tuple[Unit, ...], ...]:
    """Return the people or teams in each place of the standings, first place first. Omit unranked people and teams."""
    placed = (row for row in rows if row.place is not None)
    return tuple(tuple(row.unit for row in group) for _, group in groupby(placed, key=lambda row: row.place))


def pay_out(fund: int, shares: Sequence[Share], places: Places) -> Payout:
    """Divide `fund` cents among the people or teams in `places`. Return the prizes and the cents not paid out.

    `shares` has the share of each place, first place first. Prizes of 0 cents are left out.
    """
    groups = [group for group in places if group]
    if not groups or not shares:
        return Payout((), fund)
    amounts, kept = _amounts(fund, shares)
    pools: list[int] = []
    above = 0
    for group in groups:
        pools.append(sum(amounts[above : above + len(group)]))
        above += len(group)
    each = [pool // len(group) for pool, group in zip(pools, groups, strict=True)]
    first = fund - kept - sum(cents * len(group) for cents, group in zip(each[1:], groups[1:], strict=True))
    prizes: list[Prize] = []
    place = 1
    for cents, group in zip(each, groups, strict=True):
        paid = divided(first, len(group)) if place == 1 else [cents] * len(group)
        prizes += (Prize(place, unit, amount) for unit, amount in zip(group, paid, strict=True) if amount)
        place += len(group)
    return Payout(tuple(prizes), kept)


def divided(cents: int, among: int) -> list[int]:
    """Return `cents` divided into `among` nearly equal parts; the first parts get the remainder, one cent each."""
    part, left = divmod(cents, among)
    return [part + (index < left) for index in range(among)]


def _amounts(fund: int, shares: Sequence[Share]) -> tuple[list[int], int]:
    """Return the prize of each place in `shares`, and the part of the fund that isn't paid out, all in cents.

    Part of the fund isn't paid out if the percentages add up to less than 100. Because of rounding, the prizes and that
    part can add up to a few cents less than the fund.
    """
    left = fund
    amounts = []
    for share in shares:
        paid = min(share.fixed, left)
        left -= paid
        amounts.append(paid)
    percent = sum(share.percent for share in shares)
    kept = left - left * percent // 100
    return [paid + left * share.percent // 100 for paid, share in zip(amounts, shares, strict=True)], kept


Kind = Literal["entry", "sets", "pot_entry", "prize", "pot_prize"]

Till = tuple[tuple[str, int], ...]
"""Pairs (name of a pot, cents in it), sorted by name."""


class MoneyLine(Struct, frozen=True):
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


class NightMoney(Struct, frozen=True):
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


class Taking(Struct, frozen=True):
    """The players who are in a side pot tonight, and the winners of that pot, by person id."""

    entrants: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()


class NightTakings(Struct, frozen=True, kw_only=True):
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


_PLACES = {1: Phrase("1st place prize"), 2: Phrase("2nd place prize"), 3: Phrase("3rd place prize")}


class ReceiptLine(Struct, frozen=True):
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
