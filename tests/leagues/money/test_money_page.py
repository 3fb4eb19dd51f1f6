"""The money page of a night, with the receipt, pots, kitty and other money, before and after closing."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.access import NotAllowedError, night_at
from scorekeeper.leagues.core.models import MoneyRow, PersonRow, SeasonRow
from scorekeeper.leagues.money import service as money_service
from scorekeeper.leagues.money.forms import read_money, typed_money
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.nights import closing, seating, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, open_hall
from tests.support.page import Page, words
from tests.support.phone import Phone

MONEY = {"entry_fee": "5.00", "per_set": "0.25", "payout": "50%\n30%\n20%", "pots": "High hand 1.00"}
FOUR = ("Ann", "Bob", "Cid", "Dee")


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night of a season played for money, with four people seated at one table."""
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    with app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="For money",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(rounds=1),
            money=read_money(MONEY).to_json(),
            device=DIRECTOR,
        )
    return _night(Hall(app, client, hall.league, season, "", hall.people), date(2026, 9, 1))


def _night(hall: Hall, day: date) -> Hall:
    """Open a night on `day`, check in the four players in `FOUR`, seat them at a table, and return the night."""
    with hall.app.app_context():
        night = nights.open_night(season=hall.season, day=day, device=DIRECTOR)
        after = Hall(hall.app, hall.desk, hall.league, hall.season, night, hall.people)
        after.check_in(*FOUR)
        nights.draw(night=night, device=DIRECTOR, seed=1)
    return after


def _play(hall: Hall) -> tuple[str, ...]:
    """Play the table's game, close the night, and return the players' names in order of the seats.

    The player in seat 1 fails to make two bids, and the side of seat 0 wins. Seats count from 0.
    """
    with hall.app.app_context():
        (table,) = tables_of(db.session(), night_at(db.session(), hall.night))
        game = tables.start_table(night=hall.night, table=table.id, device=DIRECTOR, client_id=f"tap-{hall.night}")
        keys = ("high", "low", "jack", "game")
        hands = [{"bidder": 1, "bid": 4, "points": dict.fromkeys(keys, 0)}] * 2
        hands += [{"bidder": 0, "bid": 4, "points": dict.fromkeys(keys, 0)}] * 4
        for number, hand in enumerate(hands):
            scoring.act(
                public_id=game, command=EnterHand(hand), request=ClientRequest(DIRECTOR, f"{number}-{game}", None)
            )
        closing.close_night(night=hall.night, device=DIRECTOR)
        names = dict(db.session.execute(select(PersonRow.id, PersonRow.name)).all())
        return tuple(names[person] for person in table.seats)


def _rows(page: Page, heading: str) -> list[list[str]]:
    (section,) = [one for one in page.all("section") if one.get("aria-labelledby") == heading]
    return [[words(cell) for cell in row] for row in section.iter("tr")][1:]


def test_the_receipt_balances_and_names_the_winners(hall: Hall) -> None:
    """The receipt of a night adds up, and names the winner of each prize.

    Four players pay fees of 5.00, and two sets cost 0.25 each. The two winners share the first and second prizes.
    """
    seats = _play(hall)
    page = hall.desk.see(f"{hall.path}/money")
    winners, losers = sorted(seats[0::2]), sorted(seats[1::2])
    lines = _rows(page, "receipt")
    assert [*lines[:3], *sorted(lines[3:7]), *lines[7:]] == [
        ["Entry fees", "4", "20.00"],
        ["Sets", "2", "0.50"],
        ["Money in", "", "20.50"],
        *([f"1st place prize {name}", "", "8.00"] for name in sorted(winners)),
        *([f"3rd place prize {name}", "", "2.00"] for name in sorted(losers)),
        ["Paid out", "", "20.00"],
        ["Into the kitty", "", "0.50"],
        ["Kept", "", "0.50"],
    ]
    with hall.app.app_context():
        paid = select(PersonRow.name).join(MoneyRow, MoneyRow.person_id == PersonRow.id).where(MoneyRow.kind == "sets")
        assert db.session.scalars(paid).all() == [seats[1]]


def test_the_receipt_says_why_each_prize_went_where_it_did(hall: Hall) -> None:
    """The money page gives the reason for each prize, for example that tied partners share a rank.

    If a substitute wins a prize, the reason names the player for whom the substitute played.
    """
    with hall.app.app_context():
        regular, substitute = hall.people["Eve"], hall.people["Ann"]
        seating.set_sub(night=hall.night, person=substitute, regular=regular, device=DIRECTOR)
    seats = _play(hall)
    page = hall.desk.see(f"{hall.path}/money")
    (section,) = page.all("section", **{"aria-labelledby": "reasons"})
    places = [words(each) for each in section.iter("dt")]
    assert [place.partition(":")[0] for place in places] == ["Place 1", "Place 3"]
    assert all(name in places[0] for name in seats[0::2])
    why = [words(each) for each in section.iter("dd")]
    assert "They share a rank." in why[0]
    told = why[0] if "Ann" in seats[0::2] else why[1]
    assert "Ann played for Eve. The prize goes to the player who was there." in told
    assert "In the standings, a substitute's game counts for the regular." in told
    prizes = hall.desk.see(f"{hall.path}/results").one("ul", class_="prizes")
    assert [line.partition(". ")[2] for each in prizes.iter("small") if ". " in (line := words(each))] == why


def test_reopening_a_night_removes_its_money(hall: Hall) -> None:
    """Reopening a night removes all of the night's money entries except those for pots.

    Closing the night again gives the same receipt.
    """
    ann, bob = (hall.people[name] for name in ("Ann", "Bob"))
    page = hall.desk.see(f"{hall.path}/money")
    page = hall.desk.submit(page, f"{hall.path}/money/pots", paid=[ann, bob], won=[bob])
    assert [words(each) for each in page.one("section", id="pots").iter("p") if each.get("role") == "status"] == [
        "Saved."
    ]
    _play(hall)
    closed = _rows(hall.desk.see(f"{hall.path}/money"), "receipt")
    assert ["Pot “High hand”", "2", "2.00"] in closed
    assert ["Pot “High hand” Bob", "", "2.00"] in closed
    text = hall.desk.see(f"{hall.path}/results").one("textarea").text or ""
    *_ranking, prizes, pot = text.splitlines()
    assert prizes.startswith("Prizes: ")
    assert pot == "Pot “High hand”: Bob 2.00"
    with hall.app.app_context():
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="a mistake")
        assert db.session.scalar(select(func.sum(MoneyRow.cents))) == 200
        closing.close_night(night=hall.night, device=DIRECTOR)
    assert _rows(hall.desk.see(f"{hall.path}/money"), "receipt") == closed


def test_a_corrected_night_says_who_was_paid_before_and_who_is_due_now(hall: Hall) -> None:
    """The differences add up to the change of what is paid out, and are gone if the first result comes back."""
    with hall.app.app_context():
        (table,) = tables_of(db.session(), night_at(db.session(), hall.night))
        names = dict(db.session.execute(select(PersonRow.id, PersonRow.name)).all())
        first, second = (sorted(names[person] for person in side) for side in table.plan.sides)

        def close_with(*totals: int) -> Page:
            told: Any = {"night": hall.night, "device": DIRECTOR}
            tables.tell_result(**told, table=table.id, totals=totals, reason="misread")
            closing.close_night(**told)
            return hall.desk.see(f"{hall.path}/money")

        assert not close_with(21, 13).all("section", **{"aria-labelledby": "corrected"})
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="misread")
        assert sorted(_rows(close_with(13, 21), "corrected")) == sorted(
            [
                *([f"{name} gives back 6.00", "8.00", "2.00"] for name in first),
                *([f"{name} gets 6.00", "2.00", "8.00"] for name in second),
            ]
        )
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="it was right")
        assert ["gets" in row[0] for row in sorted(_rows(close_with(21, 13), "corrected"))] == [
            name in first for name in sorted([*first, *second])
        ]
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="again")
        assert not close_with(21, 13).all("section", **{"aria-labelledby": "corrected"})


def test_the_kitty_and_an_unclaimed_pot_roll_over(hall: Hall) -> None:
    """The kitty and a pot that nobody won carry over to the next night.

    On the last night, that pot is added to the kitty, and the kitty is paid out as prizes.
    """
    ann = hall.people["Ann"]
    with hall.app.app_context():
        money_service.save_pot(night=hall.night, pot="High hand", entrants=[ann], winners=[], device=DIRECTOR)
    _play(hall)
    second = _night(hall, date(2026, 9, 8))
    page = second.desk.see(f"{second.path}/money")
    assert _rows(page, "till") == [["Kitty", "0.50", "0.50"], ["Pot “High hand”", "1.00", "1.00"]]
    second.desk.submit(page, f"{second.path}/money/jar", opened="1", last="1")
    _play(second)
    page = second.desk.see(f"{second.path}/money")
    assert _rows(page, "till") == [["Kitty", "0.50", "0.00"], ["Pot “High hand”", "1.00", "0.00"]]
    lines = _rows(page, "receipt")
    assert ["Paid out", "", "22.00"] in lines
    assert ["Money in", "", "20.50"] in lines
    assert lines[-1] == ["Kept", "", "−1.50"]


def test_no_later_night_is_closed_while_a_night_has_paid_a_pot_that_an_earlier_one_paid_too(hall: Hall) -> None:
    """Otherwise, who wins the pot next would have to pay for it. Closing says which night to reopen and close."""
    ann, bob = (hall.people[name] for name in ("Ann", "Bob"))
    told: dict[str, Any] = {"pot": "High hand", "device": DIRECTOR}
    with hall.app.app_context():
        money_service.save_pot(night=hall.night, entrants=[ann, bob], winners=[], **told)
    _play(hall)
    second = _night(hall, date(2026, 9, 8))
    with hall.app.app_context():
        money_service.save_pot(night=second.night, entrants=[ann, bob], winners=[ann], **told)
    _play(second)
    third = _night(hall, date(2026, 9, 15))
    with hall.app.app_context():
        money_service.save_pot(night=third.night, entrants=[bob], winners=[bob], **told)
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="Bob had the highest hand")
        money_service.save_pot(night=hall.night, entrants=[ann, bob], winners=[bob], **told)
        closing.close_night(night=hall.night, device=DIRECTOR)
        with pytest.raises(RuleViolation, match="Reopen night 2, then close it again"):
            closing.close_night(night=third.night, device=DIRECTOR, anyway=True)
        closing.reopen_night(night=second.night, device=DIRECTOR, reason="the pot was paid before")
        closing.close_night(night=second.night, device=DIRECTOR)
        closing.close_night(night=third.night, device=DIRECTOR, anyway=True)
        query = select(PersonRow.name, MoneyRow.cents).join(MoneyRow, MoneyRow.person_id == PersonRow.id)
        paid = db.session.execute(query.where(MoneyRow.kind == "pot_prize").order_by(MoneyRow.night_id)).all()
    assert [tuple(row) for row in paid] == [("Bob", -200), ("Ann", -200), ("Bob", -100)]


def test_a_refused_pot_keeps_what_was_chosen(hall: Hall) -> None:
    ann, bob, cid = (hall.people[name] for name in ("Ann", "Bob", "Cid"))
    page = hall.desk.see(f"{hall.path}/money")
    page = hall.desk.submit(page, f"{hall.path}/money/pots", paid=[ann, bob], won=[cid], status=422)
    assert "Only someone who paid into the pot tonight can win it." in page.text
    chosen = {(box.get("name"), box.get("value")) for box in page.all("input", type="checkbox", checked="")}
    assert chosen >= {("paid", ann), ("paid", bob), ("won", cid)}
    assert {name for name, _person in chosen if name in ("paid", "won")} == {"paid", "won"}
    assert ("paid", cid) not in chosen


def test_everyone_is_in_a_pot_with_one_tap_and_single_ones_are_out_again(hall: Hall) -> None:
    """One tap enters all players in a pot, and individual players can then be taken out again.

    On the next night, one tap enters the same players, if they are checked in.
    """
    page = hall.desk.see(f"{hall.path}/money")
    assert not page.all("button", value="last")
    page = hall.desk.submit(page, f"{hall.path}/money/pots", all_in="all")
    form = page.form(f"{hall.path}/money/pots")
    (pot,) = [each for each in page.all("details") if "High hand" in words(each)]
    assert pot.get("open") is not None
    assert "4 are in" in words(pot)
    out = [hall.people[name] for name in FOUR if name != "Dee"]
    hall.desk.submit(page, f"{hall.path}/money/pots", paid=out)
    assert form.values["pot"] == "High hand"
    _play(hall)
    second = _night(hall, date(2026, 9, 8))
    with hall.app.app_context():
        nights.check_in(night=second.night, people=[hall.people["Eve"]], device=DIRECTOR)
        nights.check_out(night=second.night, person=hall.people["Cid"], device=DIRECTOR)
    page = second.desk.see(f"{second.path}/money")
    assert words(page.one("button", value="last")) == "Same as last time (2)"
    second.desk.submit(page, f"{second.path}/money/pots", all_in="last")
    with hall.app.app_context():
        tonight = select(PersonRow.name).join(MoneyRow, MoneyRow.person_id == PersonRow.id)
        row = night_at(db.session(), second.night)
        names = db.session.scalars(tonight.where(MoneyRow.night_id == row.id).order_by(PersonRow.name)).all()
        assert names == ["Ann", "Bob"]


def test_a_pot_says_what_is_in_it_and_who_won_it_before_the_night_is_closed(hall: Hall) -> None:
    """Closing the night pays the pot to the winners."""
    who = [hall.people[name] for name in ("Ann", "Bob", "Cid")]
    page = hall.desk.see(f"{hall.path}/money")
    page = hall.desk.submit(page, f"{hall.path}/money/pots", paid=who, won=who[:2])
    assert _rows(page, "till") == [["Kitty", "0.00", "0.00"], ["Pot “High hand”", "0.00", "3.00"]]
    summary = "Pot “High hand”: 1.00 each, 3 are in, 3.00 in the pot, won by Ann and Bob"
    assert words(page.one("summary")) == summary
    assert "the payout of pots" in page.text
    _play(hall)
    page = hall.desk.see(f"{hall.path}/money")
    assert _rows(page, "till")[1] == ["Pot “High hand”", "0.00", "0.00"]
    assert ["Pot “High hand” Ann", "", "1.50"] in _rows(page, "receipt")


def test_a_prize_in_the_results_is_the_prize_of_the_message_without_the_pot(hall: Hall) -> None:
    """Bob wins a pot of 4.00 and a prize for a rank. What winners were paid in all has a name of its own."""
    who = [hall.people[name] for name in FOUR]
    page = hall.desk.see(f"{hall.path}/money")
    hall.desk.submit(page, f"{hall.path}/money/pots", paid=who, won=[hall.people["Bob"]])
    seats = _play(hall)
    prize = "8.00" if "Bob" in seats[0::2] else "2.00"
    page = hall.desk.see(f"{hall.path}/results")
    (row,) = [words(each) for each in page.all("th", scope="row") if words(each).startswith("Bob")]
    assert row == f"Bob Prize: {prize}"
    told = page.one("textarea").text or ""
    assert f"Bob {prize}" in told
    assert "Pot “High hand”: Bob 4.00" in told
    file = hall.desk.get(f"{hall.path}/results.csv").get_data(as_text=True)
    rows = {line["Name"]: float(line["Prize"]) for line in csv.DictReader(io.StringIO(file))}
    assert (rows["Bob"], sum(rows.values())) == (float(prize), 20)
    assert "Paid out to winners: 24.00" in hall.desk.see(f"/seasons/{hall.season}/money").text


def test_a_player_who_was_merged_tonight_is_one_person_with_one_name(hall: Hall) -> None:
    """Bob, who is in the pot and has paid the fee, turns out to be Eve. A form from before the merge still works.

    Eve can be checked out and in again, and is there once, with one fee.
    """
    ann, bob, eve = (hall.people[name] for name in ("Ann", "Bob", "Eve"))
    action = f"{hall.path}/money/pots"
    page = hall.desk.see(f"{hall.path}/money")
    before = hall.desk.submit(page, action, paid=[ann, bob], won=[bob])
    hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=[bob])
    with hall.app.app_context():
        people.merge_people(person=bob, into=eve, device=DIRECTOR)
    for page in (hall.desk.see(f"{hall.path}/money"), hall.desk.submit(before, action, paid=[ann, bob], won=[bob])):
        pot = words(page.one("table", class_="pot"))
        assert ("Bob" in pot, "Eve" in pot) == (False, True)
        chosen = {(box.get("name"), box.get("value")) for box in page.all("input", type="checkbox", checked="")}
        assert chosen == {("paid", ann), ("paid", eve), ("won", eve)}
    for leave in (nights.check_out, nights.check_in):
        with hall.app.app_context():
            who: Any = {"person": eve} if leave is nights.check_out else {"people": [eve]}
            leave(night=hall.night, device=DIRECTOR, **who)
    assert "Checked in: 4" in hall.at_desk().text
    assert "Entry fees: 1 of 4 paid 15.00 due" in words(hall.at_desk().one("section", id="fees"))


def test_a_reopened_night_has_the_people_that_its_players_were_merged_into(hall: Hall) -> None:
    bob, eve = hall.people["Bob"], hall.people["Eve"]
    _play(hall)
    with hall.app.app_context():
        people.merge_people(person=bob, into=eve, device=DIRECTOR)
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="a mistake")
    pot = words(hall.desk.see(f"{hall.path}/money").one("table", class_="pot"))
    assert ("Bob" in pot, "Eve" in pot) == (False, True)


def test_other_money_needs_a_reason(hall: Hall) -> None:
    """Money that is entered under "other money" needs a reason. It can be entered even after the night is closed.

    A payment can't be larger than the kitty.
    """
    action = f"{hall.path}/money/amounts"
    page = hall.desk.see(f"{hall.path}/money")
    assert "Enter a reason for the amount." in hall.desk.submit(page, action, 422, amount="12.50", way="in").text
    wrong = hall.desk.submit(page, action, 422, amount="a lot", reason="x", way="in")
    assert wrong.one("input", id="note-amount").get("aria-invalid") == "true"
    first = page
    for _tap in range(2):
        page = hall.desk.submit(first, action, amount="12,50", reason="Raffle", way="in")
    assert _rows(page, "noted") == [["Raffle", "+12.50"]]
    _play(hall)
    page = hall.desk.see(f"{hall.path}/money")
    page = hall.desk.submit(page, action, amount="13.00", reason="Hall rent", way="out")
    assert _rows(page, "till")[0] == ["Kitty", "0.00", "0.00"]
    assert (
        "The kitty has only 0.00. What tonight adds to it is there once the night is closed; you can enter this amount "
        "then, too." in hall.desk.submit(page, action, 422, amount="0.01", reason="Coffee", way="out").text
    )
    with hall.app.app_context():
        # Other money added after closing stays, although the kitty lacks the sets until the night is closed again.
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="a mistake")
        closing.close_night(night=hall.night, device=DIRECTOR)
    assert _rows(hall.desk.see(f"{hall.path}/money"), "receipt")[-1] == ["Kept", "", "0.50"]


def test_the_desk_says_what_sets_cost_tonight(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Two sets cost 0.25 each. The desk says so before and after the night is closed, to those who may see accounts."""
    says = "Sets cost 0.50 tonight."
    assert says not in hall.at_desk().text
    _play(hall)
    assert says in hall.at_desk().text
    with hall.app.app_context():
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="a mistake")
    page = hall.at_desk()
    assert says in page.text
    assert f"/seasons/{hall.season}/money" in [link.get("href") for link in page.all("a")]


def test_viewers_can_see_the_money_but_not_change_it(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Everyone can see a night's money, but only an owner can change it."""
    stranger = new_phone()
    assert not stranger.see(f"{hall.path}/money").all("form")[1:]
    with hall.app.app_context():
        acts: tuple[Callable[[], None], ...] = (
            lambda: money_service.note_amount(night=hall.night, cents=1, reason="x", device="s" * 64),
            lambda: money_service.save_kitty(night=hall.night, opened=True, last=False, device="s" * 64),
            lambda: money_service.save_pot(night=hall.night, pot="High hand", entrants=[], winners=[], device="s" * 64),
        )
        for act in acts:
            with pytest.raises(NotAllowedError):
                act()
        with pytest.raises(RuleViolation, match="doesn't have that pot"):
            money_service.save_pot(night=hall.night, pot="Low hand", entrants=[], winners=[], device=DIRECTOR)


def test_a_new_season_saves_its_money_settings(hall: Hall) -> None:
    """The form for a new season starts with the last season's money settings.

    The new season saves the settings that were entered in the form. If a setting is invalid, the page says what to
    enter.
    """
    path = f"/leagues/{hall.league}/seasons"
    page = hall.desk.see(path)
    assert page.form(path).values["money-payout"] == "50%\n30%\n20%"
    wrong = hall.desk.submit(page, path, 422, name="Next", money_pots="High hand")
    assert "enter the pot's name and what it costs" in wrong.text
    none: dict[str, Any] = dict.fromkeys(("money-entry_fee", "money-per_set", "money-payout", "money-pots"), "")
    hall.desk.submit(page, path, name="Next", **none)
    fee: dict[str, Any] = {"money-entry_fee": "2.50"}
    hall.desk.submit(hall.desk.see(path), path, name="Third", **fee)
    with hall.app.app_context():
        saved: dict[str, dict[str, object]] = dict(db.session.execute(select(SeasonRow.name, SeasonRow.money)).all())
    assert saved["Next"] == {}
    assert MoneySettings.from_json(saved["Third"]).entry_fee == 250


def test_typed_money_settings_are_read_back(app: Flask) -> None:
    """Money settings can be typed as fixed amounts and percentages, and the form shows them again the same way."""
    typed = {"entry_fee": "5", "per_set": "0.25", "payout": "20.00\n60%\n40%", "pots": "High hand: 1\nLow 0,50"}
    with app.test_request_context():
        settings = read_money(typed)
        assert read_money(typed_money(settings)) == settings
    assert [(share.percent, share.fixed) for share in settings.payout] == [(0, 2000), (60, 0), (40, 0)]
    assert [(pot.name, pot.entry) for pot in settings.pots] == [("High hand", 100), ("Low", 50)]


def test_prizes_can_be_typed_with_their_places(app: Flask) -> None:
    typed = {"entry_fee": "", "per_set": "", "payout": "1st $25\n2. 10.50; 3er 60%\n4th: 5\n5", "pots": ""}
    with app.test_request_context():
        shares = read_money(typed).payout
    assert [(share.percent, share.fixed) for share in shares] == [(0, 2500), (0, 1050), (60, 0), (0, 500), (0, 500)]


@pytest.mark.parametrize(
    ("field", "lines", "wrong"),
    [
        ("payout", "25\nwinner takes all", "“winner takes all”: enter the prize for place 2 as an amount (20.00)"),
        ("payout", "2nd 25", "“2nd 25”: enter the prize for place 1"),
        ("payout", "150%", "“150%”: enter the prize for place 1"),
        ("payout", "25\n123456", "“123456”: enter the prize for place 2"),
        ("pots", "Low 1\nHigh hand 99999", "“High hand 99999”: enter the pot's name and what it costs"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(app: Flask, field: str, lines: str, wrong: str) -> None:
    typed = dict.fromkeys(("entry_fee", "per_set", "payout", "pots"), "") | {field: lines}
    with app.test_request_context(), pytest.raises(RuleViolation) as refused:
        read_money(typed)
    assert refused.value.field == field
    assert spoken(refused.value.message).startswith(wrong)
