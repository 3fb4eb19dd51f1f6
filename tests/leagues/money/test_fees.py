"""Entry fees on a night's desk page, which can be paid at check-in or later, undone, and paid after the closing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from scorekeeper.games.presenters.agreements import read_cents
from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.models import LeagueEventRow, PaymentRow, PersonRow, PresentRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.nights import closing, opening
from scorekeeper.leagues.nights import service as nights
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db, writing
from tests.support.league_night import DIRECTOR, Hall, buttons, open_hall
from tests.support.page import Page, words
from tests.support.phone import Phone

FEE = 500


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with nobody checked in, in a season with an entry fee of 5.00."""
    return open_hall(app, client, money={"entry_fee": FEE})


def _rows(hall: Hall) -> list[tuple[str, int]]:
    with hall.app.app_context():
        query = select(PersonRow.name, PaymentRow.cents).join(PersonRow, PersonRow.id == PaymentRow.person_id)
        return [(name, cents) for name, cents in db.session.execute(query.order_by(PaymentRow.id))]


def _summary(page: Page) -> str:
    (section,) = page.all("section", id="fees")
    return words(next(section.iter("summary")))


def test_one_tap_checks_in_and_takes_the_fee(hall: Hall) -> None:
    """One tap checks a person in and records the entry fee as paid. A second tap doesn't record the fee again.

    A tap on the person's name, instead of the button with the fee, only checks the person in.
    """
    ann, bob = hall.people["Ann"], hall.people["Bob"]
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people", paying=[ann], person=[bob])
    buttons = page.one("section", id="here").iter("button")
    here = [words(button) for button in buttons if button.get("data-name")]
    assert here == ["Ann paid", "Bob"]
    assert _summary(page) == "Entry fees: 1 of 2 paid 5.00 due"
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people", paying=[ann])
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people", person=[ann])
    assert _rows(hall) == [("Ann", FEE)]


def test_a_new_player_can_pay_at_once(hall: Hall) -> None:
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people/new", name="Zoe", paid="1")
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people/new", name="Yan")
    assert _rows(hall) == [("Zoe", FEE)]


def test_a_fee_paid_later_is_one_tap_and_undone_by_a_reversing_entry(hall: Hall) -> None:
    """After check-in, one tap records a person's fee as paid, and undoing it adds a reversing entry.

    After a tap, the list of fees stays open for the next person, even without JavaScript.
    """
    hall.check_in("Ann", "Bob")
    ann = hall.people["Ann"]
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=[ann])
    assert _summary(page) == "Entry fees: 1 of 2 paid 5.00 due"
    (section,) = page.all("section", id="fees")
    assert next(section.iter("details")).get("open") is not None
    assert words(page.one("p", class_="told")) == "Paid: Ann"
    page = hall.desk.submit(page, f"{hall.path}/fees", undo=[ann])
    assert _summary(page) == "Entry fees: 0 of 2 paid 10.00 due"
    assert words(page.one("p", class_="told")) == "Not paid: Ann"
    page = hall.desk.submit(page, f"{hall.path}/fees", undo=[ann])
    page = hall.desk.submit(page, f"{hall.path}/fees", person=[ann])
    assert _summary(page) == "Entry fees: 1 of 2 paid 5.00 due"
    assert _rows(hall) == [("Ann", FEE), ("Ann", -FEE), ("Ann", FEE)]
    with hall.app.app_context():
        kinds = db.session.scalars(select(LeagueEventRow.kind).where(LeagueEventRow.kind.startswith("fees"))).all()
        assert kinds == ["fees_paid", "fees_undone", "fees_paid"]
        told = db.session.scalars(select(LeagueEventRow.data).where(LeagueEventRow.kind == "fees_paid")).first()
        assert told == {"people": [ann], "cents": FEE}


def test_someone_who_paid_and_goes_home_is_still_listed(hall: Hall) -> None:
    """A person who paid the fee and was then checked out stays on the list, so that the fee can be refunded.

    Until the fee is refunded, the night can't be removed.
    """
    hall.check_in("Ann", "Bob")
    ann = hall.people["Ann"]
    hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=[ann])
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people/leaving", person=[ann])
    assert _summary(page) == "Entry fees: 0 of 1 paid 5.00 due"
    (row,) = [row for row in page.one("section", id="fees").iter("span") if row.get("data-row") == ann]
    assert words(row) == "Ann owes no fee Undo Ann"
    with hall.app.app_context(), pytest.raises(RuleViolation) as refused:
        opening.remove_night(night=hall.night, device=DIRECTOR)
    assert refused.value.code == "night_played"
    assert "A night with money can't be removed. Undo its entry fees first." in page.text
    page = hall.desk.submit(page, f"{hall.path}/fees", undo=[ann])
    assert "A night with money" not in page.text
    assert "Remove night" in buttons(page)
    with hall.app.app_context():
        opening.remove_night(night=hall.night, device=DIRECTOR)


@pytest.mark.slow
def test_closing_says_who_owes_and_does_not_stop(hall: Hall) -> None:
    """The form that closes a night lists who hasn't paid the fee. The night can be closed anyway.

    Fees can still be paid at the desk afterwards.
    """
    hall.check_in("Ann", "Bob", "Cid")
    hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=[hall.people["Bob"]])
    unpaid = words(hall.at_desk().one("details", id="unpaid"))
    assert "2 players haven't paid (10.00 in all)" in unpaid
    assert unpaid.partition("collect it later. ")[2].startswith("Ann")
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    page = hall.at_desk()
    assert _summary(page) == "Entry fees: 1 of 3 paid 10.00 due"
    page = hall.desk.submit(page, f"{hall.path}/fees", person=[hall.people["Ann"]])
    assert _summary(page) == "Entry fees: 2 of 3 paid 5.00 due"


def test_a_substitute_for_a_regular_who_was_there_owes_no_second_fee(hall: Hall) -> None:
    hall.check_in("Ann", "Bob", "Eve")
    assert _summary(hall.at_desk()) == "Entry fees: 0 of 3 paid 15.00 due"
    with hall.app.app_context(), writing() as session:
        query = select(PersonRow.name, PresentRow).join(PresentRow, PresentRow.person_id == PersonRow.id)
        there = {row[0]: row[1] for row in session.execute(query)}
        there["Eve"].sub_for = there["Ann"].person_id
    assert _summary(hall.at_desk()) == "Entry fees: 0 of 2 paid 10.00 due"


@pytest.mark.parametrize("text", ["5", "$5", "$ 5.00", "5 $", "5,00 €"])
def test_a_currency_sign_may_stand_beside_an_amount(text: str) -> None:
    assert read_cents(text) == FEE


def test_a_season_without_a_fee_shows_none(app: Flask, client: Phone) -> None:
    free = open_hall(app, client)
    free.check_in("Ann")
    assert not free.at_desk().all("section", id="fees")
    assert "paying" not in free.at_desk().text
    with app.app_context():
        with pytest.raises(RuleViolation) as refused:
            payments.set_fees(night=free.night, people=[free.people["Ann"]], paid=True, device=DIRECTOR)
        assert refused.value.code == "no_fee"
        with pytest.raises(RuleViolation):
            nights.check_in(night=free.night, people=[], paying=[free.people["Bob"]], device=DIRECTOR)
        # Check-in and fee are one transaction.
        assert len(db.session.scalars(select(PresentRow.id)).all()) == 1


def test_only_someone_who_is_there_can_pay(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    with hall.app.app_context():
        with pytest.raises(RuleViolation) as refused:
            payments.set_fees(night=hall.night, people=[hall.people["Ann"]], paid=True, device=DIRECTOR)
        assert refused.value.code == "not_here"
        hall.check_in("Ann")
        with pytest.raises(NotAllowedError):
            payments.set_fees(night=hall.night, people=[hall.people["Ann"]], paid=True, device="s" * 64)
    assert new_phone().get(f"{hall.path}/desk").status_code == 403
    assert "5.00 due" not in new_phone().see(f"{hall.path}/money").text


def test_who_has_paid_keeps_the_place_in_the_list(hall: Hall) -> None:
    """Each tap changes only the row that was tapped, so that the next tap can't hit a neighbor."""
    hall.check_in("Cid", "Ann", "Bob")

    def rows(page: Page) -> list[str]:
        return [words(row) for row in page.one("section", id="fees").iter("span") if row.get("data-row")]

    page = hall.at_desk()
    assert rows(page) == ["Ann", "Bob", "Cid"]
    page = hall.desk.submit(page, f"{hall.path}/fees", person=[hall.people["Ann"], hall.people["Bob"]])
    assert rows(page) == ["Ann paid Undo Ann", "Bob paid Undo Bob", "Cid"]
    assert words(page.one("p", class_="told")) == "Paid: Ann and Bob"
    page = hall.desk.submit(page, f"{hall.path}/fees", undo=[hall.people["Ann"]])
    assert rows(page) == ["Ann", "Bob paid Undo Bob", "Cid"]


def test_undoing_a_check_in_with_the_fee_gives_the_fee_back(hall: Hall) -> None:
    ann, bob = hall.people["Ann"], hall.people["Bob"]
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people", paying=[ann, bob])
    assert words(page.one("p", class_="told")) == "Checked in: Ann and Bob"
    page = hall.desk.submit(page, f"{hall.path}/people/leaving", paying=[ann])
    assert words(page.one("p", class_="told")) == "Checked out: Ann"
    assert _summary(page) == "Entry fees: 1 of 1 paid"
    assert _rows(hall) == [("Ann", FEE), ("Bob", FEE), ("Ann", -FEE)]
