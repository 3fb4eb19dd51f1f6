"""Settling up is checked by examples worked out by hand, by a second, slow calculation, and by the laws of RULES 9."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.rules import money
from scorekeeper.rules.money import METHODS, USES, Finished, Rates, share
from scorekeeper.rules.table import Sides
from tests.support.each import for_each

TWO = ((0, 2), (1, 3))
SIX = ((0, 2, 4), (1, 3, 5))

WORKED: list[tuple[str, Finished, Rates, tuple[int, ...]]] = [
    # The average of 21 and 14 is 17.5: three and a half points at ten cents.
    ("vs_average", Finished((21, 14), (0, 0), 0), Rates(rate=10), (35, -35)),
    ("vs_average", Finished((14, 21), (0, 0), 1), Rates(rate=10), (-35, 35)),
    # The average is 4, no cent is left.
    ("vs_average", Finished((7, 5, 0), (0, 0, 0), 0), Rates(rate=5), (15, 5, -20)),
    # 36⅔, 6⅔ and -43⅓: rounded down 36, 6 and -44, and the two cents left go to the highest.
    ("vs_average", Finished((8, 5, 0), (0, 0, 0), 0), Rates(rate=10), (38, 6, -44)),
    ("vs_average", Finished((0, 5, 8), (0, 0, 0), 2), Rates(rate=10), (-44, 6, 38)),
    # 106¼ twice, -68¾, -143¾: one cent is left, and the first of the two tied sides gets it.
    ("vs_average", Finished((3, 10, 10, 0), (0,) * 4, 1), Rates(rate=25), (-69, 107, 106, -144)),
    # 50 and 51 at a cent: the half cents are settled in favor of the higher score.
    ("vs_average", Finished((50, 51), (0, 0), 1), Rates(rate=1), (-1, 1)),
    # Below zero is a score like any other.
    ("vs_average", Finished((12, -3), (0, 4), 0), Rates(rate=10), (75, -75)),
    # The highest need not be the winner: the cents go by the score.
    ("vs_average", Finished((9, 8, 8), (3, 0, 0), 1), Rates(rate=1), (2, -1, -1)),
    ("pairwise", Finished((21, 14), (0, 0), 0), Rates(rate=10), (70, -70)),
    # 2 + 7, 5 - 2, -7 - 5 points at five cents.
    ("pairwise", Finished((7, 5, 0), (0, 0, 0), 0), Rates(rate=5), (45, 15, -60)),
    ("pairwise", Finished((-4, 7, 7, -10), (0,) * 4, 1), Rates(rate=1), (-16, 28, 28, -40)),
    # Each loser 1.00 and 25 cents a set; the winner's own sets cost nothing.
    ("winner_takes", Finished((21, 14), (1, 2), 0), Rates(base=100, per_set=25), (150, -150)),
    ("winner_takes", Finished((7, 2, 5), (3, 0, 1), 0), Rates(base=100, per_set=25), (225, -100, -125)),
    # Won because the other side was set three times, far behind.
    ("winner_takes", Finished((18, 5), (3, 1), 1), Rates(base=100, per_set=25), (-175, 175)),
    ("winner_takes", Finished((0, 7, 3), (0, 0, 0), 1), Rates(base=50), (-50, 100, -50)),
    # A pot of 1.50, of which 1.00 was the winner's own.
    ("pot_per_set", Finished((21, 14), (2, 1), 0), Rates(per_set=50), (50, -50)),
    ("pot_per_set", Finished((1, 2, 7), (1, 2, 0), 2), Rates(per_set=50), (-50, -100, 150)),
    ("pot_per_set", Finished((21, 14), (2, 0), 0), Rates(per_set=50), (0, 0)),
    ("pot_per_set", Finished((21, 14), (0, 0), 0), Rates(per_set=50), (0, 0)),
]


@for_each(("method", "game", "rates", "cents"), WORKED)
def test_what_each_side_gets_or_pays(method: str, game: Finished, rates: Rates, cents: tuple[int, ...]) -> None:
    """Each method of settling up gives each side the same number of cents as the example worked out by hand."""
    assert METHODS[method](game, rates) == cents


SHARED: list[tuple[tuple[int, ...], Sides, tuple[int, ...]]] = [
    ((70, -70), TWO, (35, -35, 35, -35)),
    ((35, -35), TWO, (18, -17, 17, -18)),
    # 33⅓ each.
    ((100, -100), SIX, (34, -33, 33, -33, 33, -34)),
    # Each alone: nothing to split.
    ((225, -100, -125), ((0,), (1,), (2,)), (225, -100, -125)),
    # The odd cent goes to the first seat of the side, got or not paid.
    ((25, -25), ((0, 2), (1, 3)), (13, -12, 12, -13)),
    ((3, 1, -1, -3), ((0, 4), (1, 5), (2, 6), (3, 7)), (2, 1, 0, -1, 1, 0, -1, -2)),
    ((125, -125), ((0, 2, 4), (1, 3, 5)), (42, -41, 42, -42, 41, -42)),
]


@pytest.mark.parametrize(("amounts", "sides", "cents"), SHARED)
def test_what_each_seat_gets_or_pays(amounts: tuple[int, ...], sides: Sides, cents: tuple[int, ...]) -> None:
    """A side's amount is shared among its players to the cent, and the amounts of all players sum to zero."""
    assert share(amounts, sides) == cents
    assert sum(cents) == 0


HANDED: list[tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]] = [
    ((0, 0, 0), ()),
    ((35, -35, 35, -35), ((1, 0, 35), (3, 2, 35))),
    ((134, -17, -117), ((2, 0, 117), (1, 0, 17))),
    # Two groups that settle among themselves: three transfers, where the highest debt to the highest claim takes four.
    ((7, -4, -3, 6, -6), ((1, 0, 4), (2, 0, 3), (4, 3, 6))),
    # Two who pay and two who get: three transfers do.
    ((-69, 107, 106, -144), ((3, 1, 107), (0, 2, 69), (3, 2, 37))),
]


@pytest.mark.parametrize(("amounts", "handed"), HANDED)
def test_who_hands_how_much_to_whom(amounts: tuple[int, ...], handed: tuple[tuple[int, int, int], ...]) -> None:
    assert money.transfers(amounts) == handed


def most_groups(amounts: Sequence[int]) -> int:
    """Return into how many groups that each add up to zero these amounts can be split at most, by trying all."""
    first, *others = amounts or (0,)
    if not others:
        return 0
    groups = [
        rest
        for chosen in range(1 << len(others))
        if first + sum(cents for at, cents in enumerate(others) if chosen >> at & 1) == 0
        for rest in [[cents for at, cents in enumerate(others) if not chosen >> at & 1]]
    ]
    return max(1 + most_groups(rest) for rest in groups)


@example([7, -4, -3, 6, -6, 5, -2, -3])
@example([3, -1, -2, 5, -5, 5, -5, 5, -5, 5, -5])
@given(st.lists(st.integers(-500, 500), min_size=1, max_size=8).map(lambda some: [*some, -sum(some)]))
def test_the_transfers_settle_every_amount_in_fewer_steps_than_people(amounts: list[int]) -> None:
    left = list(amounts)
    handed = money.transfers(amounts)
    for payer, receiver, cents in handed:
        assert cents > 0
        left[payer] += cents
        left[receiver] -= cents
    assert not any(left)
    assert len(handed) < len(amounts)
    owing = [cents for cents in amounts if cents]
    if len(owing) <= money.MOST_SORTED:
        assert len(handed) == len(owing) - most_groups(owing)


def test_the_methods_are_those_of_the_rules() -> None:
    """There are exactly four methods of settling up. By default, all rates are zero.

    The highest allowed rate is 1,000,000 cents, which is 10,000 units of the currency.
    """
    assert set(METHODS) == set(USES) == {"vs_average", "pairwise", "winner_takes", "pot_per_set"}
    assert money.MOST_CENTS == 10_000 * 100
    assert Rates() == Rates(rate=0, base=0, per_set=0)


# The second calculation.


def _exact(method: str, game: Finished, rates: Rates) -> list[Fraction]:
    """Return the exact amount in cents that each side gets by `method`, before rounding.

    To check the app's faster calculation, the amounts are added up pair by pair, loser by loser or set by set.
    """
    sides = range(len(game.totals))
    got = [Fraction(0) for _ in sides]
    for side in sides:
        for other in sides:
            difference = game.totals[side] - game.totals[other]
            if method == "vs_average":
                got[side] += Fraction(rates.rate * difference, len(sides))
            elif method == "pairwise":
                got[side] += rates.rate * difference
        paid = 0
        if method == "winner_takes" and side != game.winner:
            paid = rates.base + sum(rates.per_set for _ in range(game.sets[side]))
        elif method == "pot_per_set":
            paid = sum(rates.per_set for _ in range(game.sets[side]))
        got[side] -= paid
        got[game.winner] += paid
    return got


def _with_the_cents_left(exact: list[Fraction], lucky: list[int]) -> list[int]:
    """Return the amounts in `exact` rounded down to whole cents.

    The cents that rounding leaves over are given one by one to the sides in `lucky`, in turn.
    """
    whole = [floor(amount) for amount in exact]
    turn = 0
    while sum(whole) < 0:
        whole[lucky[turn % len(lucky)]] += 1
        turn += 1
    return whole


def _highest(totals: tuple[int, ...]) -> int:
    return max(range(len(totals)), key=lambda side: (totals[side], -side))


SCORES = st.integers(-60, 130)
CENTS = st.integers(0, 500) | st.sampled_from((0, 1, money.MOST_CENTS))
RATES = st.builds(Rates, rate=CENTS, base=CENTS, per_set=CENTS)


@st.composite
def games(draw: st.DrawFn) -> Finished:
    """Draw a finished game of two to seven sides, any of which may be the winner."""
    count = draw(st.integers(2, 7))
    scores = draw(st.sampled_from((SCORES, st.integers(5, 8))))
    totals = draw(st.lists(scores, min_size=count, max_size=count))
    sets = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    return Finished(tuple(totals), tuple(sets), draw(st.integers(0, count - 1)))


METHOD = st.sampled_from(tuple(METHODS))
SEATS = st.sampled_from((1, 2, 3))


def _seated(game: Finished, each: int) -> Sides:
    count = len(game.totals)
    return tuple(tuple(side + count * row for row in range(each)) for side in range(count))


@given(METHOD, games(), RATES, SEATS)
def test_the_slow_reckoning_comes_to_the_same_cents(method: str, game: Finished, rates: Rates, each: int) -> None:
    """For each method, the slow calculation in fractions gives each side the same cents as the app does.

    The players of a side share exactly the side's amount.
    """
    top = _highest(game.totals)
    by_side = _with_the_cents_left(_exact(method, game, rates), [top])
    assert list(METHODS[method](game, rates)) == by_side
    sides = _seated(game, each)
    shared = share(by_side, sides)
    assert [sum(shared[seat] for seat in members) for members in sides] == by_side


@given(METHOD, games(), RATES, SEATS)
def test_nobody_makes_or_loses_a_cent_on_the_whole(method: str, game: Finished, rates: Rates, each: int) -> None:
    """The amounts of all sides sum to zero, and so do the amounts of all players.

    The amounts of partners differ by at most a cent.
    """
    amounts = METHODS[method](game, rates)
    sides = _seated(game, each)
    shared = share(amounts, sides)
    assert (sum(amounts), sum(shared)) == (0, 0)
    for side in sides:
        mine = [shared[seat] for seat in side]
        assert max(mine) - min(mine) <= 1


@given(METHOD, games(), RATES, st.data())
def test_the_order_of_the_sides_does_not_matter_apart_from_the_cents_left(
    method: str, game: Finished, rates: Rates, data: st.DataObject
) -> None:
    """If the sides are listed in another order, each side gets the same amount.

    The only exception is a cent left over from rounding, which may go to another of the sides tied for the lead.
    """
    order = data.draw(st.permutations(range(len(game.totals))))
    moved = Finished(
        tuple(game.totals[side] for side in order),
        tuple(game.sets[side] for side in order),
        order.index(game.winner),
    )
    was, now = METHODS[method](game, rates), METHODS[method](moved, rates)
    top = max(game.totals)
    below = [place for place, side in enumerate(order) if game.totals[side] < top or method != "vs_average"]
    assert [now[place] for place in below] == [was[order[place]] for place in below]
    assert sorted(now) == sorted(was)


@given(st.sampled_from(("vs_average", "pairwise")), games(), RATES)
def test_equal_totals_pay_nothing(method: str, game: Finished, rates: Rates) -> None:
    """If all totals are equal, nobody pays, whatever the rates and the number of bids that each side lost."""
    level = Finished((game.totals[0],) * len(game.totals), game.sets, game.winner)
    assert not any(METHODS[method](level, rates))


@given(games(), st.integers(0, 500))
def test_every_pair_pays_as_often_as_there_are_sides_what_the_average_pays(game: Finished, rate: int) -> None:
    """With n sides, settling pairwise pays n times as much as settling by the average, apart from rounding."""
    count = len(game.totals)
    rates = Rates(rate=rate * count)
    assert METHODS["pairwise"](game, rates) == tuple(count * cents for cents in METHODS["vs_average"](game, rates))


@given(st.sampled_from(("vs_average", "pairwise")), games(), RATES)
def test_a_higher_score_never_gets_less(method: str, game: Finished, rates: Rates) -> None:
    """A side with a higher score never gets less than a side with a lower score, even after rounding."""
    got = METHODS[method](game, rates)
    ranked = [cents for _, cents in sorted(zip(game.totals, got, strict=True))]
    assert ranked == sorted(got)


@given(st.sampled_from(("winner_takes", "pot_per_set")), games(), RATES)
def test_who_pays_never_gets(method: str, game: Finished, rates: Rates) -> None:
    """With the methods `winner_takes` and `pot_per_set`, the winner gets exactly what all other sides pay together."""
    got = METHODS[method](game, rates)
    others = [cents for side, cents in enumerate(got) if side != game.winner]
    assert all(cents <= 0 for cents in others)
    assert got[game.winner] == -sum(others) >= 0


@given(METHOD, games(), RATES, st.data())
def test_a_method_looks_at_its_own_rates_only(method: str, game: Finished, rates: Rates, data: st.DataObject) -> None:
    """Each method uses only its own rates, and other rates have no effect.

    If all of a method's own rates are zero, nobody pays.
    """
    told: dict[str, Any] = {key: getattr(rates, key) for key in USES[method]}
    others = {key: data.draw(CENTS) for key in ("rate", "base", "per_set") if key not in told}
    assert METHODS[method](game, Rates(**told)) == METHODS[method](game, Rates(**told, **others))
    assert not any(METHODS[method](game, Rates(**others)))
