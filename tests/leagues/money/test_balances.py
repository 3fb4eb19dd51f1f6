"""The balances of a season, which always fit the cash box: the cash is all money paid in minus all money paid out."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from scorekeeper.leagues.money.balances import Item, accounts, cash_box
from scorekeeper.leagues.money.takings import NightMoney, settle_night
from tests.leagues.money.test_takings import CENTS, PEOPLE, evenings

law = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
DAY = date(2026, 9, 1)


def _item(person: int, kind: str, cents: int, payment: int = 0, corrects: int = 0) -> Item:
    return Item(person, DAY, 1, kind, cents, payment=payment, corrects=corrects)  # type: ignore[arg-type]


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[NightMoney], list[Item]]:
    """Draw a season's money: up to three nights in order, and a list of fees, payments and charges.

    Some of the fees, payments and charges are reversed by a later entry.
    """
    nights: list[NightMoney] = []
    kitty = 0
    pots: dict[str, int] = {}
    for _night in range(draw(st.integers(0, 3))):
        hall, evening = draw(evenings())
        there = {*pots, *(pot.name for pot in hall.pots)}
        takings = {name: taking for name, taking in evening.takings.items() if name in there}
        nights.append(settle_night(hall, structs.replace(evening, kitty=kitty, pots=pots, takings=takings)))
        kitty, pots = nights[-1].kitty_after, dict(nights[-1].pots_after)
    told: list[Item] = []
    for number in range(1, draw(st.integers(1, 12))):
        kind, cents = draw(st.sampled_from(("fee", "payment", "charge"))), draw(CENTS) * draw(st.sampled_from((1, -1)))
        told.append(_item(draw(PEOPLE), kind, cents, payment=number))
        if draw(st.booleans()):
            told.append(told[-1]._replace(cents=-cents, payment=100 + number, corrects=number))
    return nights, told


@pytest.mark.slow
@law
@given(seasons())
def test_the_cash_box_holds_what_came_in_less_what_went_out(told: tuple[list[NightMoney], list[Item]]) -> None:
    """The cash in the cash box equals the sum of all money that changed hands, which the test adds up separately."""
    nights, payments = told
    charges = [
        _item(line.person, line.kind, line.cents)
        for night in nights
        for line in night.lines
        if line.kind in ("entry", "sets")
    ]
    listed = accounts([*charges, *payments])
    last = nights[-1] if nights else None
    box = cash_box(
        listed,
        kitty=last.kitty_after if last else 0,
        pots=sum(cents for _, cents in last.pots_after) if last else 0,
        tonight=0,
    )
    handed_over = sum(item.cents for item in payments if item.kind != "charge")
    in_pots = sum(line.cents for night in nights for line in night.lines if line.kind in ("pot_entry", "pot_prize"))
    prizes = sum(line.cents for night in nights for line in night.lines if line.kind == "prize")
    assert box.cash == handed_over + in_pots + prizes
    assert box.unpaid - box.ahead == sum(account.owes for account in listed)
    assert sum(account.charged for account in listed) == sum(line.cents for line in charges) + box.dues


@law
@given(seasons())
def test_a_payment_that_is_taken_back_leaves_no_cent(told: tuple[list[NightMoney], list[Item]]) -> None:
    """After a payment is reversed, all balances are the same as without the payment.

    The payment and the reversing entry stay listed.
    """
    _nights, payments = told
    gone = {item.corrects for item in payments if item.corrects}
    kept = [item for item in payments if not item.corrects and item.payment not in gone]
    expected = {account.person: account.owes for account in accounts(kept)}
    listed = accounts(payments)
    assert {account.person: account.owes for account in listed if account.owes} == {
        person: cents for person, cents in expected.items() if cents
    }
    assert sum(len(account.items) for account in listed) == len(payments)


def test_an_account_worked_by_hand() -> None:
    """A player's balance matches a balance calculated by hand.

    The charges are two entry fees of 5.00, three sets (lost bids) at 0.25 each, and dues of 10.00. The payments are
    5.00, 12.00, and a payment of 2.00 that was entered by mistake and reversed.
    """
    items = [
        _item(7, "entry", 500),
        _item(7, "entry", 500),
        _item(7, "sets", 75),
        _item(7, "charge", 1000),
        _item(7, "fee", 500, payment=1),
        _item(7, "payment", 1200, payment=2),
        _item(7, "payment", 200, payment=3),
        _item(7, "payment", -200, payment=4, corrects=3),
        _item(8, "payment", 100, payment=5),
    ]
    seven, eight = accounts(items)
    assert (seven.charged, seven.paid, seven.owes) == (2075, 1700, 375)
    assert (eight.charged, eight.paid, eight.owes) == (0, 100, -100)
    box = cash_box((seven, eight), kitty=1075, pots=0, tonight=0)
    assert (box.dues, box.unpaid, box.ahead, box.cash) == (1000, 375, 100, 1800)
