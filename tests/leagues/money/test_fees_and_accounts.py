"""A fee that was paid through the accounts is paid at the desk, on the receipt and in the cash box, and never twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.leagues.core.models import PaymentRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.money.balances import fees_covered
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, open_hall
from tests.support.page import Page, words
from tests.support.phone import Phone

FEE = 500
NOW = datetime(2026, 9, 2, tzinfo=UTC)
COVERED = "Already paid in the accounts, so nothing was taken"
CENTS = st.integers(0, 700)


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with an entry fee of 5.00 at which Ann has paid, and Bob and Cid haven't."""
    hall = open_hall(app, client, money={"entry_fee": FEE})
    hall.check_in("Ann", "Bob", "Cid")
    _tap(hall, "Ann")
    return hall


def _tap(hall: Hall, name: str) -> Page:
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=[hall.people[name]])


def _close(hall: Hall) -> None:
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)


def _next_night(hall: Hall, *names: str) -> Hall:
    with hall.app.app_context():
        night = nights.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
    second = replace(hall, night=night)
    second.check_in(*names)
    return second


def _enter(hall: Hall, name: str, cents: int, *, charge: bool = False) -> int:
    """Enter a payment, or a charge, on the season's money page, and return the id of its row."""
    with hall.app.app_context():
        payments.save_payment(
            season=hall.season,
            people=[hall.people[name]],
            cents=cents,
            day=NOW.date(),
            device=DIRECTOR,
            charge=charge,
            now=NOW,
        )
        return db.session.scalars(select(PaymentRow.id).order_by(PaymentRow.id.desc())).first() or 0


def _void(hall: Hall, payment: int) -> None:
    with hall.app.app_context():
        payments.correct_payment(season=hall.season, payment=payment, device=DIRECTOR, now=NOW)


def _fees(page: Page) -> list[str]:
    """Return the summary of the entry fees at the desk, and then each row."""
    section = page.one("section", id="fees")
    rows = [words(row) for row in section.iter("span") if row.get("data-row")]
    return [words(next(section.iter("summary"))), *rows]


def _accounts(hall: Hall) -> tuple[list[str], str]:
    """Return who owes what on the season's money page, and the expected cash."""
    page = hall.desk.see(f"/seasons/{hall.season}/money")
    rows = [" ".join(words(next(row.iter(tag))) for tag in ("a", "b")) for row in page.all("li", class_="account")]
    return sorted(rows), words(page.one("section", **{"aria-labelledby": "box"}).findall(".//tr[last()]/td")[0])


def _taken(hall: Hall) -> int:
    with hall.app.app_context():
        return sum(db.session.scalars(select(PaymentRow.cents).where(PaymentRow.kind != "charge")))


def test_a_fee_paid_on_the_money_page_is_paid_everywhere_and_once(hall: Hall) -> None:
    """Bob's fee is paid with "Paid" in the accounts after the night was closed; nothing asks for it again."""
    _close(hall)
    assert "even the 10.00 that is still due" in hall.desk.see(f"{hall.path}/money").text
    path, bob = f"/seasons/{hall.season}/money", hall.people["Bob"]
    hall.desk.submit(hall.desk.see(path), f"{path}/payments", settle=f"{bob} {FEE}")
    assert _fees(hall.at_desk()) == [
        "Entry fees: 2 of 3 paid 5.00 due",
        "Ann paid Undo Ann",
        "Bob paid in the accounts Account Bob",
        "Cid",
    ]
    assert "even the 5.00 that is still due" in hall.desk.see(f"{hall.path}/money").text
    page = _tap(hall, "Bob")
    assert words(page.one("p", class_="told")) == f"{COVERED}: Bob"
    assert _taken(hall) == 2 * FEE
    assert _accounts(hall) == (["Ann all paid", "Bob all paid", "Cid owes 5.00"], "10.00")
    _tap(hall, "Cid")
    assert "still due" not in hall.desk.see(f"{hall.path}/money").text
    assert _accounts(hall) == (["Ann all paid", "Bob all paid", "Cid all paid"], "15.00")
    # The desk can't undo what it didn't take.
    hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", undo=[bob])
    assert _taken(hall) == 3 * FEE


def test_a_voided_payment_leaves_the_fee_due_again(hall: Hall) -> None:
    payment = _enter(hall, "Bob", FEE)
    assert _fees(hall.at_desk())[0] == "Entry fees: 2 of 3 paid 5.00 due"
    _void(hall, payment)
    assert _fees(hall.at_desk())[0] == "Entry fees: 1 of 3 paid 10.00 due"
    assert _fees(_tap(hall, "Bob"))[2] == "Bob paid Undo Bob"
    assert _accounts(hall)[0] == ["Ann all paid", "Bob all paid", "Cid owes 5.00"]


def test_of_a_fee_paid_in_part_the_desk_takes_the_rest(hall: Hall) -> None:
    _enter(hall, "Bob", 200)
    assert _fees(hall.at_desk()) == [
        "Entry fees: 1 of 3 paid 8.00 due",
        "Ann paid Undo Ann",
        "Bob 3.00 due",
        "Cid",
    ]
    page = _tap(hall, "Bob")
    assert _fees(page)[2] == "Bob paid Undo Bob"
    assert _taken(hall) == 2 * FEE
    page = hall.desk.submit(page, f"{hall.path}/fees", undo=[hall.people["Bob"]])
    assert _fees(page)[2] == "Bob 3.00 due"
    _close(hall)
    assert "even the 8.00 that is still due" in hall.desk.see(f"{hall.path}/money").text
    assert _accounts(hall) == (["Ann all paid", "Bob owes 3.00", "Cid owes 5.00"], "7.00")


def test_money_paid_ahead_pays_the_fee_at_the_door(hall: Hall) -> None:
    """Someone who has paid ahead pays nothing at check-in; what the money doesn't cover is due."""
    _enter(hall, "Dee", 800)
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people", paying=[hall.people["Dee"]])
    assert words(page.one("p", class_="told")) == f"{COVERED}: Dee"
    assert _fees(page)[-1] == "Dee paid in the accounts Account Dee"
    _enter(hall, "Eve", 100)
    page = hall.desk.submit(page, f"{hall.path}/people/new", name="Eve", paid=None)
    assert words(page.one("div", id="came").findall("p")[0]) == "Eve is checked in. Entry fee: 4.00 due."
    _close(hall)
    hall = _next_night(hall, "Dee")
    assert _fees(hall.at_desk()) == ["Entry fees: 0 of 1 paid 2.00 due", "Dee 2.00 due"]
    _tap(hall, "Dee")
    assert "Dee all paid" in _accounts(hall)[0]


def test_several_nights_are_paid_oldest_first(hall: Hall) -> None:
    """Money from the accounts pays fees before dues. What a desk took stays with its night."""
    _enter(hall, "Bob", 2000, charge=True)
    _close(hall)
    second = _next_night(hall, "Bob", "Cid")
    _tap(second, "Cid")
    _enter(hall, "Bob", FEE)
    _enter(hall, "Cid", 100)
    assert _fees(second.at_desk()) == ["Entry fees: 1 of 2 paid 5.00 due", "Bob", "Cid paid Undo Cid"]
    assert _fees(hall.at_desk())[2:] == ["Bob paid in the accounts Account Bob", "Cid 4.00 due"]
    _tap(second, "Bob")
    assert _accounts(hall)[0] == ["Ann all paid", "Bob owes 20.00", "Cid owes 4.00"]


def test_a_refund_through_the_accounts_makes_the_fee_due(hall: Hall) -> None:
    _enter(hall, "Ann", -FEE)
    assert _fees(hall.at_desk())[:2] == ["Entry fees: 0 of 3 paid 15.00 due", "Ann"]
    _tap(hall, "Ann")
    assert "Ann all paid" in _accounts(hall)[0]


def test_the_end_of_the_night_takes_a_fee_with_one_tap(hall: Hall) -> None:
    def unpaid(page: Page) -> list[str]:
        rows = [row for row in page.one("details", id="unpaid").iter("span") if row.get("data-row")]
        return [words(row.findall("button")[0]) for row in rows]

    action = f"{hall.path}/fees?at=unpaid"
    page = hall.at_desk()
    assert unpaid(page) == ["Bob", "Cid"]
    page = hall.desk.submit(page, action, person=[hall.people["Bob"]])
    assert words(page.one("p", class_="told")) == "Paid: Bob"
    assert unpaid(page) == ["Cid"]
    assert page.one("details", id="unpaid").get("open") is not None
    page = hall.desk.submit(page, action, person=[hall.people["Cid"]])
    assert not page.all("details", id="unpaid")
    assert _fees(page)[0] == "Entry fees: 3 of 3 paid"


def test_quick_taps_that_undo_and_pay_are_both_saved(hall: Hall) -> None:
    told = {"undo": [hall.people["Ann"]], "person": [hall.people["Bob"]]}
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", undo=told["undo"], person=told["person"])
    assert _fees(page)[1:] == ["Ann", "Bob paid Undo Bob", "Cid"]


def test_merged_people_pay_once(hall: Hall) -> None:
    """Money that was entered for the name that is gone pays the fee, and its own fee can be taken back."""
    _enter(hall, "Bob", 200)
    _close(hall)
    with hall.app.app_context():
        people.merge_people(person=hall.people["Bob"], into=hall.people["Eve"], device=DIRECTOR)
        people.merge_people(person=hall.people["Ann"], into=hall.people["Fay"], device=DIRECTOR)
    assert _fees(hall.at_desk())[1:] == ["Cid", "Eve 3.00 due", "Fay paid Undo Fay"]
    assert _fees(_tap(hall, "Eve"))[2] == "Eve paid Undo Eve"
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", undo=[hall.people["Fay"]])
    assert _fees(page)[-1] == "Fay"
    assert _accounts(hall)[0] == ["Cid owes 5.00", "Eve all paid", "Fay owes 5.00"]


def test_a_night_without_fees_taken_can_be_removed(hall: Hall) -> None:
    """Money in the accounts doesn't keep a night, because removing the night leaves it paid ahead."""
    _enter(hall, "Bob", FEE)
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", undo=[hall.people["Ann"]])
    assert _fees(page)[0] == "Entry fees: 1 of 3 paid 10.00 due"
    assert "A night with money" not in page.text
    hall.desk.submit(page, f"{hall.path}/removal")
    assert "Bob 5.00 paid ahead" in _accounts(hall)[0]


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(CENTS, CENTS), max_size=4), st.integers(-900, 2000), CENTS)
def test_fees_due_never_add_up_to_more_than_the_account_owes(told: list[tuple[int, int]], paid: int, dues: int) -> None:
    due = {night: fee for night, (fee, _taken) in enumerate(told)}
    at_desk = {night: taken for night, (_fee, taken) in enumerate(told)}
    covered = fees_covered(due, at_desk, paid)
    assert all(0 <= covered[night] <= due[night] for night in due)
    left = sum(due.values()) - sum(covered.values())
    came = paid + sum(at_desk.values())
    assert left == min(sum(due.values()), max(0, sum(due.values()) - came))
    assert left <= max(0, sum(due.values()) + dues - came)
