"""The money of a night, to the cent. All money paid in is paid out or kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.games.logic.statistics.hands import Played, Unit
from scorekeeper.leagues.money.settings import MoneySettings, Pot, Share
from scorekeeper.leagues.money.takings import (
    NightMoney,
    NightTakings,
    Taking,
    pay_out,
    places_of,
    receipt,
    settle_night,
    settle_pot,
)
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings
from scorekeeper.rules.money import MOST_CENTS
from scorekeeper.rules.phrase import RuleViolation

money = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
HALF_THIRD_REST = (Share(percent=50), Share(percent=30), Share(percent=20))
ANN, BOB, CID, DEE, EVE = ((person,) for person in range(1, 6))

WORKED: list[tuple[str, int, tuple[Share, ...], list[list[Unit]], dict[Unit, int], int]] = [
    ("three places", 1000, HALF_THIRD_REST, [[ANN], [BOB], [CID], [DEE]], {ANN: 500, BOB: 300, CID: 200}, 0),
    # 500.5, 300.3 and 200.2: one cent is left.
    ("a cent of rounding", 1001, HALF_THIRD_REST, [[ANN], [BOB], [CID]], {ANN: 501, BOB: 300, CID: 200}, 0),
    ("two share the second place", 1000, HALF_THIRD_REST, [[ANN], [BOB, CID]], {ANN: 500, BOB: 250, CID: 250}, 0),
    ("two share the third place", 1000, HALF_THIRD_REST, [[ANN], [BOB], [CID, DEE]],
     {ANN: 500, BOB: 300, CID: 100, DEE: 100}, 0),
    # Of 1001 they have 500 and 300 together, and the cent of rounding.
    ("two share the first place", 1001, HALF_THIRD_REST, [[BOB, ANN], [CID]], {BOB: 401, ANN: 400, CID: 200}, 0),
    # A third of 200 is 66, and two cents are left for the first.
    ("left-over cents go to first place", 1000, HALF_THIRD_REST, [[ANN], [BOB], [CID, DEE, EVE]],
     {ANN: 502, BOB: 300, CID: 66, DEE: 66, EVE: 66}, 0),
    ("an empty place's prize goes to first place", 1000, HALF_THIRD_REST, [[ANN], [BOB]], {ANN: 700, BOB: 300}, 0),
    ("the unassigned percentage is kept", 999, (Share(percent=60), Share(percent=30)), [[ANN], [BOB]],
     # 90 percent of 999 are 899.1, of which 599.4 and 299.7 are whole cents 599 and 299.
     {ANN: 600, BOB: 299}, 100),
    ("fixed amounts first, percentages of the rest", 2000, (Share(percent=75), Share(percent=25), Share(fixed=400)),
     [[ANN], [BOB], [CID]], {ANN: 1200, BOB: 400, CID: 400}, 0),
    ("fixed amounts as far as the money goes", 700, (Share(fixed=500), Share(fixed=500)), [[ANN], [BOB]],
     {ANN: 500, BOB: 200}, 0),
    ("fixed amounts leave some", 1200, (Share(fixed=500), Share(fixed=500)), [[ANN], [BOB]], {ANN: 500, BOB: 500}, 200),
    ("nobody placed", 1000, HALF_THIRD_REST, [], {}, 1000),
    ("no prizes", 1000, (), [[ANN]], {}, 1000),
    ("no money", 0, HALF_THIRD_REST, [[ANN]], {}, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fund", "shares", "places", "paid", "kept"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED]
)
def test_payout_worked_by_hand(
    fund: int, shares: tuple[Share, ...], places: list[list[Unit]], paid: dict[Unit, int], kept: int
) -> None:
    payout = pay_out(fund, shares, places)
    assert {prize.unit: prize.cents for prize in payout.prizes} == paid
    assert payout.kept == kept


def test_places_come_from_the_standings() -> None:
    """After two players who share first place, the next player gets the prize for third place.

    An unranked player gets no prize.
    """
    played = [
        Played(1, game, 1, game, person, points=points)
        for game, (person, points) in enumerate([(1, 5), (1, 5), (2, 5), (2, 5), (3, 4), (3, 4), (4, 9)])
    ]
    rows = standings(played, StandingSettings(min_games=2, ties=()), season="")
    assert [set(group) for group in places_of(rows)] == [{ANN, BOB}, {CID}]
    prizes = pay_out(100, HALF_THIRD_REST, places_of(rows)).prizes
    assert [(prize.place, prize.cents) for prize in prizes] == [(1, 40), (1, 40), (3, 20)]


POTS: list[tuple[int, int, set[int], set[int], bool, tuple[int, int, int]]] = [
    # Five dollars from four players, no winner: it rolls over.
    (300, 50, {1, 2, 3, 4}, set(), False, (0, 500, 0)),
    (300, 50, {1, 2, 3, 4}, {2}, False, (500, 0, 0)),
    # Three winners of 5.00: 1.66 each, two cents stay.
    (300, 50, {1, 2, 3, 4}, {1, 2, 3}, False, (166, 2, 0)),
    (300, 50, {1, 2, 3, 4}, {1, 2, 3}, True, (166, 0, 2)),
    (300, 50, {1, 2}, set(), True, (0, 0, 400)),
    (0, 50, set(), set(), False, (0, 0, 0)),
]


@pytest.mark.parametrize(("before", "entry", "entrants", "winners", "last", "expected"), POTS)
def test_pot_worked_by_hand(
    before: int, entry: int, entrants: set[int], winners: set[int], last: bool, expected: tuple[int, int, int]
) -> None:
    """The payout of a pot matches a payout calculated by hand.

    `before` is the money in the pot at the start of the night, and `entry` is the price of one entry. `entrants` and
    `winners` are ids of players. `last` says whether this is the season's last night. `expected` has three amounts:
    what each winner gets, what stays in the pot, and what is added to the kitty. All amounts are in cents.
    """
    night = settle_pot(before, entry, frozenset(entrants), frozenset(winners), last_night=last)
    assert (night.paid, night.after, night.to_kitty) == expected


def test_only_players_in_a_pot_can_win_it() -> None:
    with pytest.raises(RuleViolation) as refused:
        settle_pot(100, 50, frozenset({1}), frozenset({2}), last_night=False)
    assert refused.value.code == "pot_winner"


HALL = MoneySettings(
    entry_fee=500, per_set=25, pots=(Pot("Highest game", 100),), payout=(Share(percent=60), Share(percent=30))
)
EVENING = NightTakings(
    entrants=frozenset({1, 2, 3, 4}),
    sets={1: 3, 2: 0, 4: 1},
    takings={"Highest game": Taking(frozenset({1, 2, 3}), frozenset({3}))},
    places=[[(1, 3)], [(2, 4)]],
    kitty=1000,
    pots={"Highest game": 250, "Old pot": 75},
)


def test_night_worked_by_hand() -> None:
    """The money of a night matches a calculation by hand.

    Players pay 20.00 in entry fees, 1.00 for sets (lost bids), and 3.00 into a pot that had 2.50 before. Prizes of
    12.00 and 6.00 are each shared by two partners. The winner of the pot gets 5.50.
    """
    night = settle_night(HALL, EVENING)
    assert (night.taken_in, night.paid_out, night.kept, night.balance) == (2400, 1800 + 550, 50, 0)
    # The kitty: 10.00, 1.00 of sets, and a tenth of the fees.
    assert (night.kitty_before, night.kitty_after) == (1000, 1300)
    assert night.pots_after == (("Highest game", 0), ("Old pot", 75))
    assert [(line.kind, line.cents, line.place) for line in night.lines if line.person == 3] == [
        ("entry", 500, 0),
        ("pot_entry", 100, 0),
        ("pot_prize", -550, 0),
        ("prize", -600, 1),
    ]
    assert [(line.what, line.cents, line.count, line.person, line.is_sum) for line in receipt(night)] == [
        ("Entry fees", 2000, 4, None, False),
        ("Sets", 100, 4, None, False),
        ("Pot “Highest game”", 300, 3, None, False),
        ("Money in", 2400, None, None, True),
        ("Pot “Highest game”", 550, None, 3, False),
        ("1st place prize", 600, None, 1, False),
        ("1st place prize", 600, None, 3, False),
        ("2nd place prize", 300, None, 2, False),
        ("2nd place prize", 300, None, 4, False),
        ("Paid out", 2350, None, None, True),
        ("Into the kitty", 300, None, None, False),
        ("Into the pot “Highest game”", -250, None, None, False),
        ("Kept", 50, None, None, True),
    ]


def test_partners_share_the_sets_of_a_table_without_hands() -> None:
    """If nobody recorded which partner bid, partners share the price of their sets (lost bids).

    For three sets at 0.25, one partner pays 0.38 and the other partner pays 0.37. If it is known who bid, the bidder
    alone pays for the set.
    """
    evening = NightTakings(sets={2: 1}, shared_sets=(((1, 3), 3), ((2, 4), 2)))
    lines = settle_night(MoneySettings(per_set=25), evening).lines
    assert [(line.person, line.cents, line.count) for line in lines] == [(1, 38, 2), (2, 50, 2), (3, 37, 1), (4, 25, 1)]


def test_the_last_night_pays_out_the_kitty() -> None:
    """On the last night, the kitty and an old pot are paid out together with the night's own money.

    The kitty of 10.00, the sets of 1.00, the old pot of 0.75 and the fees of 20.00 add up to 31.75. A tenth of this
    stays in the kitty.
    """
    evening = NightTakings(
        entrants=EVENING.entrants,
        sets=EVENING.sets,
        places=EVENING.places,
        kitty=1000,
        pots={"Old pot": 75},
        open_kitty=True,
        last_night=True,
    )
    night = settle_night(HALL, evening)
    # 60 and 30 percent of 3175 are 1905 and 952½; 90 percent are 2857½, so 2857 are paid.
    assert [line.cents for line in night.lines if line.kind == "prize"] == [-953, -952, -476, -476]
    assert (night.kitty_after, night.pots_after) == (318, (("Highest game", 0), ("Old pot", 0)))


def test_a_night_that_does_not_balance_raises() -> None:
    night = settle_night(HALL, EVENING)
    with pytest.raises(ValueError, match="out by -1 cents"):
        NightMoney(night.lines, night.kitty_before, night.kitty_after + 1, night.pots_before, night.pots_after)
    with pytest.raises(ValueError, match="more was paid than there was"):
        NightMoney((), -5, -5, (), ())


@pytest.mark.parametrize(
    ("evening", "code"),
    [
        (NightTakings(takings={"Raffle": Taking(frozenset({1}))}), "pot_unknown"),
        (NightTakings(takings={"Highest game": Taking(frozenset({1}), frozenset({2}))}), "pot_winner"),
        (NightTakings(sets={1: -1}), "sets_below_zero"),
        (NightTakings(shared_sets=(((1, 3), -1),)), "sets_below_zero"),
    ],
)
def test_invalid_takings_are_refused(evening: NightTakings, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        settle_night(HALL, evening)
    assert refused.value.code == code


CENTS = st.integers(0, 2000) | st.sampled_from((0, 1, MOST_CENTS))
PEOPLE = st.integers(1, 12)
SHARED = st.tuples(st.sampled_from(((1,), (1, 3), (2, 4, 6))), st.integers(0, 9))


@st.composite
def templates(draw: st.DrawFn) -> tuple[Share, ...]:
    """Draw a tuple of prizes. Each prize is a percentage or a fixed amount. The percentages add up to at most 100."""
    left, shares = 100, []
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.booleans()):
            shares.append(Share(fixed=draw(CENTS)))
        else:
            shares.append(Share(percent=draw(st.integers(0, left))))
            left -= shares[-1].percent
    return tuple(shares)


@st.composite
def places(draw: st.DrawFn) -> list[list[Unit]]:
    """Draw a list of places, from first to last. Each place is a list of single players or of pairs of partners."""
    order: list[int] = draw(st.permutations(range(1, 13)))
    groups: list[list[Unit]] = []
    for _ in range(draw(st.integers(0, 6))):
        partners = draw(st.integers(1, 2))
        count = draw(st.integers(1, 3))
        group: list[Unit] = []
        for _each in range(count):
            unit: Unit = tuple(sorted(order[:partners]))
            order = order[partners:]
            if unit:
                group.append(unit)
        groups.append(group)
    return groups


@st.composite
def evenings(draw: st.DrawFn) -> tuple[MoneySettings, NightTakings]:
    """Draw the money settings of a season, and the takings of a night to which those settings apply."""
    names = draw(st.lists(st.sampled_from(("Highest game", "Nine", "Raffle")), unique=True))
    hall = MoneySettings(
        entry_fee=draw(CENTS),
        per_set=draw(CENTS),
        pots=tuple(Pot(name, draw(CENTS)) for name in names),
        payout=draw(templates()),
    )
    pots = draw(st.dictionaries(st.sampled_from(("Highest game", "Nine", "Gone")), CENTS))
    takings = {}
    for name in draw(st.lists(st.sampled_from(sorted({*names, *pots, ""})), unique=True)):
        entrants = draw(st.frozensets(PEOPLE))
        if name:
            takings[name] = Taking(entrants, draw(st.frozensets(st.sampled_from(sorted(entrants or {1})))) & entrants)
    return hall, NightTakings(
        entrants=draw(st.frozensets(PEOPLE)),
        sets=draw(st.dictionaries(PEOPLE, st.integers(0, 9))),
        shared_sets=draw(st.lists(SHARED, max_size=4)),
        takings=takings,
        places=draw(places()),
        kitty=draw(CENTS),
        pots=pots,
        open_kitty=draw(st.booleans()),
        last_night=draw(st.booleans()),
    )


@money
@given(evenings())
def test_every_night_balances_to_the_cent(told: tuple[MoneySettings, NightTakings]) -> None:
    """On any night, all money paid in is paid out, or it is added to the kitty and the pots.

    The sums on the receipt add up as well.
    """
    hall, evening = told
    night = settle_night(hall, evening)
    into = sum(line.cents for line in night.lines if line.kind in ("entry", "sets", "pot_entry"))
    out = sum(line.cents for line in night.lines if line.kind in ("prize", "pot_prize"))
    held = evening.kitty + sum(evening.pots.values())
    assert held + into + out == night.kitty_after + sum(cents for _, cents in night.pots_after)
    assert into == night.taken_in >= 0
    assert -out == night.paid_out >= 0
    assert into == (
        hall.entry_fee * len(evening.entrants)
        + hall.per_set * (sum(evening.sets.values()) + sum(count for _side, count in evening.shared_sets))
        + sum(pot.entry * len(evening.takings.get(pot.name, Taking()).entrants) for pot in hall.pots)
    )
    assert night.kitty_after >= 0
    assert sum(line.cents for line in night.lines) == into + out
    # On the receipt each sum adds up the lines above it, and the first sum is the other two together.
    sums, running = [], 0
    for line in receipt(night):
        if line.is_sum:
            assert line.cents == running
            sums.append(line.cents)
            running = 0
        else:
            running += line.cents
    assert sums[0] == sums[1] + sums[2]
    if evening.last_night:
        assert not any(cents for _, cents in night.pots_after)
    if not evening.open_kitty:
        assert night.kitty_after >= evening.kitty


@money
@given(st.integers(0, 100_000), templates(), places())
def test_a_payout_pays_exactly_the_fund(fund: int, shares: tuple[Share, ...], told: list[list[Unit]]) -> None:
    """The prizes of a payout, together with the rest that is kept, add up to exactly the fund in cents.

    Players or pairs who share a place get equal amounts, except that amounts in first place may differ by a cent.
    """
    payout = pay_out(fund, shares, told)
    assert sum(prize.cents for prize in payout.prizes) + payout.kept == fund
    assert all(prize.cents > 0 for prize in payout.prizes)
    paid = {prize.unit: prize.cents for prize in payout.prizes}
    groups = [[paid.get(unit, 0) for unit in group] for group in told if group]
    for index, group in enumerate(groups):
        assert max(group) - min(group) <= (index == 0)
    if groups and sum(share.percent for share in shares) == 100:
        assert payout.kept == 0


def test_money_settings_round_trip_through_json() -> None:
    hall = MoneySettings(
        entry_fee=500,
        per_set=25,
        pots=(Pot("Nine", 100), Pot("Größtes Spiel", 0)),
        payout=(Share(percent=60), Share(fixed=250), Share()),
    )
    for each in (hall, MoneySettings()):
        assert MoneySettings.from_json(json.loads(json.dumps(each.to_json()))) == each


@pytest.mark.parametrize(
    ("data", "field", "sentence"),
    [
        (7, None, "These settings can't be read. Reload the page and try again."),
        ({"entry_fee": 2.5}, "entry_fee", "“entry_fee” must be a whole number from 0 to 1000000."),
        ({"pots": {}}, "pots", "“pots” can have at most 10 entries."),
        ({"pots": [{"entry": 5}]}, "pots", "Give each pot a name of at most 40 characters."),
        ({"pots": [{"name": " "}]}, "pots", "Give each pot a name of at most 40 characters."),
        ({"pots": [{"name": "Nine"}, {"name": " nine"}]}, "pots", "Two pots are named “nine”. Give each its own name."),
        ({"payout": [{"percent": 50, "fixed": 5}]}, "payout", "Each prize is either a percentage or a fixed amount."),
        ({"payout": [{"percent": 60}, {"percent": 41}]}, "payout", "The prizes add up to more than 100 percent."),
        ({"payout": [{"share": 60}]}, "share", "There is no setting called “share”."),
    ],
)
def test_invalid_money_settings_are_refused(data: Any, field: str | None, sentence: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        MoneySettings.from_json(data)
    assert (refused.value.field, refused.value.message) == (field, sentence)
