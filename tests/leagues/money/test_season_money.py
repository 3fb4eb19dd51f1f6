"""The money page of a season, with balances by night, payments, charges and corrections."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from flask import Flask
from sqlalchemy import select

from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.core.models import LeagueEventRow, PaymentRow, PersonRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import Page, words
from tests.support.phone import Phone

NOW = datetime(2026, 9, 2, tzinfo=UTC)
TODAY = date(2026, 9, 2)


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with a closed night, for which Ann paid the entry fee of 5.00 and Bob and Cid didn't.

    A second night is open. Ann paid the fee for the second night, and Dee didn't.
    """
    hall = open_hall(app, client, money={"entry_fee": 500})
    hall.check_in("Bob", "Cid")
    with app.app_context():
        nights.check_in(night=hall.night, people=[], paying=[hall.people["Ann"]], device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        second = nights.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
        nights.check_in(night=second, people=[], paying=[hall.people["Ann"]], device=DIRECTOR)
        nights.check_in(night=second, people=[hall.people["Dee"]], device=DIRECTOR)
    return hall


def _path(hall: Hall) -> str:
    return f"/seasons/{hall.season}/money"


def _balances(page: Page) -> list[str]:
    """Return the name and the balance of each account, without its buttons and entries."""
    rows = page.all("li", class_="account")
    return [" ".join(words(next(row.iter(tag))) for tag in ("a", "b")) for row in rows]


def _pay(hall: Hall, name: str, cents: int, **more: object) -> None:
    told: dict[str, object] = {"day": TODAY, "now": NOW, **more}
    payments.save_payment(
        season=hall.season, people=[hall.people[name]], cents=cents, device=DIRECTOR, **told  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_page_has_what_each_owes_and_paid_night_by_night(hall: Hall) -> None:
    page = hall.desk.see(_path(hall))
    assert _balances(page) == ["Bob owes 5.00", "Cid owes 5.00", "Dee owes 5.00", "Ann all paid"]
    assert "Owed: 15.00" in page.text
    page = hall.desk.see(f"{_path(hall)}?who={hall.people['Ann']}")
    ann = page.one("li", id=f"a-{hall.people['Ann']}")
    lines = [[words(cell).split(" Void")[0] for cell in row] for row in ann.iter("tr")][1:]
    assert sorted(lines[:-1]) == sorted(
        [
            ["Night 1: Entry fee September 1, 2026", "5.00", ""],
            ["Night 2: Entry fee September 8, 2026", "5.00", ""],
            ["Night 1: Entry fee paid September 1, 2026", "", "5.00"],
            ["Night 2: Entry fee paid September 8, 2026", "", "5.00"],
        ]
    )
    assert lines[-1] == ["Total", "10.00", "10.00"]
    (box,) = page.all("section", **{"aria-labelledby": "box"})
    assert [[words(cell) for cell in row] for row in box.iter("tr")] == [
        ["Kitty", "15.00"],
        ["Entry fees for the open night", "10.00"],
        ["Not paid yet", "−15.00"],
        ["Expected cash", "10.00"],
    ]


def test_the_account_says_whose_sets_it_charges_for(app: Flask, client: Phone) -> None:
    """Nobody knows who bid on paper, so partners share the cost, and their lines name no number of sets.

    Standings count the sets of a whole side. So a number in an account is called the person's own sets.
    """
    hall = open_hall(app, client, money={"per_set": 25})
    hall.check_in(*NAMES[:4])
    hall.draw()
    table = hall.tables()[0].id
    with app.app_context():
        tables.tell_result(night=hall.night, table=table, totals=(21, 9), device=DIRECTOR)
        tables.tell_sets(night=hall.night, table=table, sets=(0, 3), device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    rows = list(csv.reader(io.StringIO(client.get(f"{_path(hall)}.csv").data.decode("utf-8-sig"))))[1:]
    assert sorted(row[3:5] for row in rows) == [["Night 1: Share of sets", "0.37"], ["Night 1: Share of sets", "0.38"]]


def test_one_tap_pays_all_that_somebody_owes(hall: Hall) -> None:
    """One tap records a payment of all that a player owes. Sending the same form twice records one payment.

    If the player's balance has changed since the page was opened, the payment is refused.
    """
    bob, path = hall.people["Bob"], _path(hall)
    page = hall.desk.see(path)
    for _tap in range(2):
        after = hall.desk.submit(page, f"{path}/payments", settle=f"{bob} 500")
    assert "Bob all paid" in _balances(after)
    again = hall.desk.submit(after, f"{path}/payments", 422, settle=f"{bob} 500")
    assert "The balance just changed. Check it again." in again.text
    with hall.app.app_context():
        cents = db.session.scalars(select(PaymentRow.cents).where(PaymentRow.kind == "payment")).all()
    assert cents == [500]


def test_payments_dues_and_money_given_back_are_entered(hall: Hall) -> None:
    """Dues charged to everyone, a payment with a note, and a refund each change the balances."""
    path, bob = _path(hall), hall.people["Bob"]
    page = hall.desk.see(path)
    page = hall.desk.submit(page, f"{path}/payments", person="all", way="owes", amount="10", what="Dues 2026")
    assert _balances(page) == ["Ann owes 10.00", "Bob owes 15.00", "Cid owes 15.00", "Dee owes 15.00"]
    page = hall.desk.submit(
        page, f"{path}/payments", person=bob, way="paid", amount="20,00", what="check", day="2026-09-20"
    )
    assert _balances(page)[-1] == "Bob 5.00 paid ahead"
    page = hall.desk.submit(page, f"{path}/payments", person=bob, way="back", amount="5.00")
    assert _balances(page)[-1] == "Bob all paid"
    assert "September 20, 2026 · check" in hall.desk.see(f"{path}?who={bob}").text
    with hall.app.app_context():
        kinds = db.session.scalars(select(LeagueEventRow.kind).order_by(LeagueEventRow.id.desc()).limit(3)).all()
    assert kinds == ["payment_saved", "payment_saved", "charge_saved"]


def test_a_payment_is_taken_back_by_a_counter_entry(hall: Hall) -> None:
    """Voiding a payment adds a reversing entry, so nothing is deleted.

    Voiding a payment twice changes nothing more. A reversing entry can't be voided.
    """
    path = _path(hall)
    with hall.app.app_context():
        _pay(hall, "Bob", 500)
        (paid,) = db.session.scalars(select(PaymentRow.id).where(PaymentRow.kind == "payment")).all()
    bob = hall.people["Bob"]
    action = f"{path}/payments/{paid}/correction?who={bob}"
    first = hall.desk.see(f"{path}?who={bob}")
    for _tap in range(2):
        page = hall.desk.submit(first, action)
    assert words(page.one("li", id=f"a-{bob}")).startswith("Bob owes 5.00")
    assert not [form for form in page.all("form") if str(form.get("action")) == action]
    with hall.app.app_context():
        rows = db.session.execute(select(PaymentRow.id, PaymentRow.cents).where(PaymentRow.kind == "payment")).all()
        assert [cents for _id, cents in rows] == [500, -500]
        with pytest.raises(NoSuchLeagueError):
            payments.correct_payment(season=hall.season, payment=rows[1][0], device=DIRECTOR, now=NOW)


def test_what_cannot_be_is_refused_with_the_typed_values(hall: Hall) -> None:
    path, bob = _path(hall), hall.people["Bob"]
    page = hall.desk.see(path)
    wrong = hall.desk.submit(page, f"{path}/payments", 422, person=bob, amount="a lot", what="cash")
    assert "Enter an amount from 0 to" in wrong.text
    assert wrong.one("input", id="payment-what").get("value") == "cash"
    assert "Choose a player." in hall.desk.submit(page, f"{path}/payments", 422, amount="1").text
    assert "Enter an amount above zero" in hall.desk.submit(page, f"{path}/payments", 422, person=bob, amount="0").text
    with hall.app.app_context(), pytest.raises(RuleViolation) as refused:
        _pay(hall, "Bob", 100, what="x" * 121)
    assert refused.value.code == "note_long"


def test_balances_are_for_directors_and_changes_for_owners(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    stranger = new_phone()
    assert stranger.get(_path(hall)).status_code == 403
    assert stranger.get(f"{_path(hall)}.csv").status_code == 403
    assert not stranger.see(f"/seasons/{hall.season}").all("a", href=_path(hall))
    assert hall.desk.see(f"/seasons/{hall.season}").all("a", href=_path(hall))
    assert hall.desk.get(_path(hall)).headers["Cache-Control"] == "no-store"
    with hall.app.app_context(), pytest.raises(NotAllowedError):
        payments.save_payment(
            season=hall.season, people=[hall.people["Bob"]], cents=1, day=TODAY, device="s" * 64, now=NOW
        )


def test_the_file_has_every_line(hall: Hall) -> None:
    with hall.app.app_context():
        _pay(hall, "Bob", 525, what="=1+1")
    text = hall.desk.get(f"{_path(hall)}.csv").get_data(as_text=True).removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    bob = {"Name": "Bob", "Date": "2026-09-02", "Night": "", "Item": "Paid", "Owed": "", "Paid": "5.25"}
    assert bob | {"Note": "'=1+1"} in rows
    assert sum(float(row["Owed"] or 0) - float(row["Paid"] or 0) for row in rows) == 15.00 - 5.25


def test_people_who_were_merged_have_one_account(hall: Hall) -> None:
    with hall.app.app_context():
        _pay(hall, "Eve", 200)
        people.merge_people(person=hall.people["Eve"], into=hall.people["Bob"], device=DIRECTOR)
        gone = db.session.scalars(select(PersonRow.id).where(PersonRow.name == "Eve")).one()
        assert db.session.scalars(select(PaymentRow.cents).where(PaymentRow.person_id == gone)).all() == [200]
    page = hall.desk.see(_path(hall))
    assert "Bob owes 3.00" in _balances(page)
    assert not any("Eve" in line for line in _balances(page))


def test_the_cash_box_lists_the_prizes_of_each_night(app: Flask, client: Phone) -> None:
    """The cash box lists each night's prizes, and the season page lists the entry fee and the prizes."""
    hall = open_hall(app, client, money={"entry_fee": 500, "payout": [{"percent": 50}, {"percent": 30}]})
    hall.check_in("Ann", "Bob", "Cid", "Dee")
    hall.draw()
    with app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[0].id, totals=(21, 9), device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    (box,) = hall.desk.see(_path(hall)).all("section", **{"aria-labelledby": "box"})
    assert words(box.findall("h3")[0]) == "Paid out to winners: 16.00"
    assert [words(cell) for cell in box.findall("table")[1].findall("tbody/tr/*")] == ["Night 1", "16.00"]
    told = [words(line) for line in hall.desk.see(f"/seasons/{hall.season}").all("ul", class_="rules")[0]]
    assert "Entry fee: 5.00 a night." in told
    assert "Prizes, from first place down: 50%, 30%." in told
