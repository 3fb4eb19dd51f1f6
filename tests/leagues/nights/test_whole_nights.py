"""Whole nights in every format, from the plan to closing, run only with the pages of the director's desk."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services import hands, scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.money.forms import read_money
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights import tables
from scorekeeper.leagues.nights.tables import card_word, rules_of
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.rows import Nights, StandingRow, tally_people
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.rules.commands import Abandon, EnterHand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.standings.games import bye
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MORE = ("Jan", "Kit", "Lou", "Meg", "Ned", "Oz", "Pat", "Ray", "Sue", "Tom", "Una")
EVERYBODY = (*NAMES, *MORE)


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return an open night of a league of twenty, with nobody checked in."""
    hall = open_hall(app, client)
    with app.app_context():
        told = [PersonData(name=name) for name in MORE]
        hall.people.update(zip(MORE, people.add_people(league=hall.league, people=told, device=DIRECTOR), strict=True))
    return hall


def plan(hall: Hall, form: str, **fields: Any) -> Page:
    """Choose the format `form` for the night at the desk, and return the desk.

    `fields` are more settings of the night's plan.
    """
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", format=form, **fields)


def pair(hall: Hall, names: Sequence[str], size: int = 2) -> None:
    """Make fixed teams at the desk from consecutive `names`, each of `size` players."""
    for first in range(0, len(names), size):
        team = names[first : first + size]
        hall.desk.submit(hall.at_desk(), f"{hall.path}/partners", person=[hall.people[name] for name in team])


def draw(hall: Hall, status: int = 303) -> Page:
    """Make the seating at the desk, and return the page that follows."""
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/draw", status)


def score(hall: Hall, number: int, scores: Sequence[tuple[int, int]], status: int = 303, *, answer: str = "") -> Page:
    """Type the scores of round `number` at the desk, in order of the tables, and return the desk.

    If `answer` isn't "", the desk is expected to ask how games ended, and each question gets this answer.
    """
    at = [table.id for table in hall.tables() if table.round == number]
    fields: dict[str, Any] = {
        f"points-{table}-{side}": str(points)
        for table, told in zip(at, scores, strict=True)
        for side, points in enumerate(told)
    }
    action = f"{hall.path}/rounds/{number}/results"
    if not answer:
        return hall.desk.submit(hall.at_desk(f"?round={number}"), action, status, **fields)
    asked = hall.desk.submit(hall.at_desk(f"?round={number}"), action, 422, **fields)
    endings = {name: answer for name in asked.form(action).names if name.startswith("ending-")}
    return hall.desk.submit(asked, action, status, **endings)


def tables_in(hall: Hall, number: int) -> int:
    """Return the number of tables in a round."""
    return sum(table.round == number for table in hall.tables())


def usual(count: int, number: int) -> list[tuple[int, int]]:
    """Return scores for the `count` tables of round `number`.

    The first side wins at every second table, and the second side wins at the other tables.
    """
    return [(21, 10 + index) if (index + number) % 2 else (8 + index, 22) for index in range(count)]


def close(hall: Hall) -> Page:
    """Close the night at the desk, and return the page that follows."""
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/closing")


@pytest.mark.parametrize(
    ("form", "count", "fields"),
    [
        ("to_target", 8, {}),
        ("to_target", 14, {}),
        ("fixed_hands", 12, {"fixed_hands-hands": "6"}),
        ("timed", 16, {}),
    ],
)
def test_a_night_seated_ahead(hall: Hall, form: str, count: int, fields: dict[str, Any]) -> None:
    plan(hall, form, rounds="3", **fields)
    hall.check_in(*EVERYBODY[:count])
    draw(hall)
    for number in (1, 2, 3):
        page = score(hall, number, usual(tables_in(hall, number), number))
        assert "all done" in page.text
    page = close(hall)
    assert "This night is closed" in page.text


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["0", "8"])
@pytest.mark.parametrize("count", [8, 13])
def test_a_progressive_night(hall: Hall, hands: str, count: int) -> None:
    plan(hall, "progressive", rounds="3", **{"progressive-hands": hands})
    hall.check_in(*EVERYBODY[:count])
    for number in (1, 2, 3):
        draw(hall)
        page = score(hall, number, usual(tables_in(hall, number), number))
        assert "all done" in page.text
    assert "Every table has a score." in page.text
    assert "This night is closed" in close(hall).text


def test_a_progressive_table_is_scored_on_a_phone_hand_by_hand(hall: Hall) -> None:
    """In the progressive format, the first table plays a full game by default, which can be scored hand by hand."""
    plan(hall, "progressive", rounds="3")
    hall.check_in(*EVERYBODY[:8])
    draw(hall)
    table = hall.tables()[0].id
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/games", table=str(table))
    assert page.path.startswith("/g"), page.path


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"rounds": ""}, "“Rounds” must be a whole number"),
        ({"rounds": "21"}, "“Rounds” must be a whole number"),
        ({"sizes": "four"}, "“Players per table” must be a whole number"),
        ({"progressive-hands": "41"}, "Hands at the head table (0 = full game): enter 0 to 40."),
    ],
)
def test_an_invalid_plan_is_refused_in_the_words_of_the_page(hall: Hall, fields: dict[str, Any], says: str) -> None:
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 422, format="progressive", **fields)
    assert says in page.text


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_game_can_be_played_in_every_format(preset: str, form: str) -> None:
    plan = NightPlan.from_json({"format": form})
    if plan.options.get("hands") and not PRESETS[preset].has_bids:
        with pytest.raises(RuleViolation, match="Choose another format"):
            plan.check_game(PRESETS[preset])
        return
    rules = rules_of(SeasonRow(preset=preset, options={}), NightRow(plan=plan.to_json()))
    assert rules.hands_limit == (plan.options.get("hands") or PRESETS[preset].hands_limit)


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "free"), [(8, 0), (10, 6)])
def test_a_knockout(hall: Hall, teams: int, free: int) -> None:
    names = EVERYBODY[: 2 * teams]
    plan(hall, "knockout", together="fixed")
    hall.check_in(*names)
    pair(hall, names)
    page = hall.at_desk()
    assert "Teams are seeded in the order they were made." in page.text
    assert ("have a bye in the first round" in page.text) == bool(free)
    left = teams
    number = 0
    while left > 1:
        number += 1
        page = draw(hall)
        assert "no seat yet" not in page.text
        count = tables_in(hall, number)
        page = score(hall, number, [(21, 10 + table) for table in range(count)])
        left -= count
        assert ("Champions: Ann and Bob" in page.text) == (left == 1)
    assert number == (3 if teams == 8 else 4)
    assert f"{hall.path}/draw" not in [form.get("action") for form in page.all("form")]
    for path in ("", "/tv", "/rotation"):
        assert "Champions: Ann and Bob" in hall.desk.see(f"{hall.path}{path}").text
    page = close(hall)
    assert "Champions: Ann and Bob" in page.text
    for path in ("", "/tv", "/rotation"):
        assert "Champions: Ann and Bob" in hall.desk.see(f"{hall.path}{path}").text
    assert "Champions: Ann and Bob" not in hall.desk.see(f"/seasons/{hall.season}").text, "the season goes on"


@pytest.mark.slow
def test_losers_who_leave_do_not_change_the_bracket(hall: Hall) -> None:
    names = EVERYBODY[:16]
    plan(hall, "knockout", together="fixed")
    hall.check_in(*names)
    pair(hall, names)
    draw(hall)
    score(hall, 1, [(21, 3), (3, 21), (21, 3), (3, 21)])
    winners = {person for table in hall.tables() for person in table.plan.sides[table.verdict.winner or 0]}  # type: ignore[union-attr]
    lost = [name for name in names if hall.people[name] not in public_ids(hall, winners)]
    assert len(lost) == 8
    for name in lost:
        hall.desk.submit(hall.at_desk(), f"{hall.path}/people/leaving", person=hall.people[name])
    draw(hall)
    assert {person for table in hall.tables() if table.round == 2 for person in table.seats} == winners


def test_no_round_follows_the_final(hall: Hall) -> None:
    page = finished(hall)
    token = page.form(f"{hall.path}/closing").values["csrf_token"]
    sent = hall.desk.post(f"{hall.path}/draw", data={"csrf_token": token, "seed": "1"})
    assert sent.status_code == 422
    assert "The knockout is over" in sent.text


@pytest.mark.slow
def test_the_bracket_is_fixed_once_it_has_started(hall: Hall) -> None:
    names = EVERYBODY[:8]
    plan(hall, "knockout", together="fixed")
    hall.check_in(*names, "Ida")
    pair(hall, names)
    page = draw(hall)
    assert "Ida has no seat yet" not in page.text
    score(hall, 1, [(21, 3), (21, 4)])
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/partners", 422, person=hall.people["Ann"])
    assert "The knockout has started" in page.text
    # Ida replaces Bob, who leaves; the team keeps seed 1.
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people/leaving", person=hall.people["Bob"])
    token = page.form(f"{hall.path}/closing").values["csrf_token"]
    two = [hall.people["Ann"], hall.people["Ida"]]
    sent = hall.desk.post(f"{hall.path}/partners", data={"csrf_token": token, "person": two})
    assert sent.status_code == 303
    draw(hall)
    (final,) = [table for table in hall.tables() if table.round == 2]
    assert {hall.people["Ann"], hall.people["Ida"]} <= public_ids(hall, final.seats)
    assert "Champions: Ann and Ida" in score(hall, 2, [(21, 9)]).text


def test_knockout_prizes_follow_the_bracket(hall: Hall) -> None:
    """The prizes of a knockout follow the bracket, not the points.

    Here the runners-up and a pair that lost in round 1 have more points per game than the champions.
    """
    with hall.app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="For money",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(),
            money=read_money({"entry_fee": "5.00", "per_set": "", "payout": "50%\n30%\n20%", "pots": ""}).to_json(),
            device=DIRECTOR,
        )
        night = nights.open_night(season=season, day=date(2026, 9, 8), device=DIRECTOR)
    finished(paid := replace(hall, season=season, night=night), ((22, 20), (24, 5)), (21, 19))
    close(paid)
    page = paid.desk.see(f"{paid.path}/money")
    assert "the losing semifinalists share 3rd and 4th" in page.text
    prizes = [[words(cell) for cell in row] for row in page.all("tr") if "place prize" in words(row)]
    assert sorted((row[0], row[-1]) for row in prizes) == [
        ("1st place prize Ann", "10.00"),
        ("1st place prize Bob", "10.00"),
        ("2nd place prize Cid", "6.00"),
        ("2nd place prize Dee", "6.00"),
        ("3rd place prize Eve", "2.00"),
        ("3rd place prize Fay", "2.00"),
        ("3rd place prize Gus", "2.00"),
        ("3rd place prize Hal", "2.00"),
    ]


def finished(
    hall: Hall,
    first: Sequence[tuple[int, int]] = ((21, 3), (21, 4)),
    final: tuple[int, int] = (21, 19),
    *,
    answer: str = "",
) -> Page:
    """Play a knockout of four pairs, and return the desk after the final.

    `first` has the scores of the two tables in round 1, and `final` the score of the final. If `answer` isn't "", the
    desk is expected to ask how the final ended, and gets this answer.
    """
    names = EVERYBODY[:8]
    plan(hall, "knockout", together="fixed")
    hall.check_in(*names)
    pair(hall, names)
    draw(hall)
    score(hall, 1, first)
    draw(hall)
    return score(hall, 2, [final], answer=answer)


def public_ids(hall: Hall, people: Iterable[int]) -> set[str]:
    """Return the public ids of the people with these database ids."""
    with hall.app.app_context():
        return set(db.session.scalars(select(PersonRow.public_id).where(PersonRow.id.in_(people))))


def test_a_round_robin_says_how_many_rounds_it_takes(hall: Hall) -> None:
    plan(hall, "round_robin", rounds="4", together="fixed")
    hall.check_in(*EVERYBODY[:10])
    page = hall.at_desk()
    assert "Choose them first" in page.text
    assert page.all("a", href=f"{hall.path}/desk?open=here#teams")
    pair(hall, EVERYBODY[:10])
    page = hall.at_desk()
    assert "Choose them first" not in page.text
    assert "5 teams play each other once in 5 rounds. With the rounds planned, 2 matches won't be played." in page.text
    page = plan(hall, "round_robin", rounds="6", together="fixed")
    assert "some teams meet twice" in page.text


@pytest.mark.parametrize(("teams", "rounds"), [(4, 3), (5, 5)])
def test_a_round_robin(hall: Hall, teams: int, rounds: int) -> None:
    plan(hall, "round_robin", rounds=str(rounds), together="fixed")
    hall.check_in(*EVERYBODY[: 2 * teams])
    pair(hall, EVERYBODY[: 2 * teams])
    page = draw(hall)
    assert "won't be played" not in page.text
    for number in range(1, rounds + 1):
        score(hall, number, usual(tables_in(hall, number), number))
    met = [frozenset(table.plan.sides) for table in hall.tables()]
    assert len(set(met)) == len(met) == teams * (teams - 1) // 2
    assert "Every table has a score." in hall.at_desk().text
    assert "This night is closed" in close(hall).text
    assert "repeated" not in hall.desk.see(f"{hall.path}/rotation").text


def test_the_desk_shows_that_it_is_making_the_seating(hall: Hall) -> None:
    hall.check_in(*NAMES[:8])
    (form,) = [each for each in hall.at_desk().all("form") if each.get("action") == f"{hall.path}/draw"]
    assert "This can take a few seconds" in words(form)


def test_the_desk_shows_that_two_phones_disagree(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    hall.check_in(*NAMES[:8])
    draw(hall)
    first, second = hall.tables()[0], hall.tables()[1]
    keys = ("high", "low", "jack", "game")
    with hall.app.app_context():
        for table in (first, second):
            game = tables.start_table(night=hall.night, table=table.id, device=DIRECTOR, client_id=f"tap-{table.id}")
            hand = EnterHand({"bidder": 0, "bid": 2, "points": dict.fromkeys(keys, 0)})
            scoring.act(public_id=game, command=hand, request=ClientRequest(DIRECTOR, f"hand-{table.id}", None))
    assert "Two phones disagree" not in hall.at_desk().text
    phone = new_phone()
    with hall.app.app_context():
        word = card_word(hall.row(), 1, str(hall.app.secret_key))
    card = phone.see(f"{hall.path}/cards/1/{word}")
    board = phone.submit(card, card.path)
    device = hashlib.sha256(phone.get_cookie(COOKIE).value.encode()).hexdigest()  # type: ignore[union-attr]
    with hall.app.app_context():
        told = EnterHand({"bidder": 0, "bid": 2, "points": {**dict.fromkeys(keys, 0), "game": 1}})
        hands.report_hand(
            public_id=board.path.split("/")[-1],
            number=1,
            command=lambda _game: told,
            request=ClientRequest(device, "other", 1),
        )
    page = hall.at_desk()
    assert page.text.count("Two phones disagree on a hand.") == 1
    assert "The other phone can accept this result, or the desk decides." in phone.see(board.path).text


def settle(hall: Hall, phone: Phone, page: Page, label: str, status: int = 303) -> Page:
    """Tap the button `label` on a page that asks who won a tied table, and return the page that follows."""
    (button,) = [each for each in page.all("button", name="tie") if label in words(each)]
    (form,) = [each for each in page.all("form") if button in list(each.iter())]
    return phone.submit(page, form.get("action") or page.path, status, tie=button.get("value"))


@pytest.mark.parametrize(("form", "asks"), [("knockout", "Tied. Who goes on?"), ("progressive", "Tied. Who moves up?")])
def test_a_tied_table_asks_who_won_and_the_next_round_waits(hall: Hall, form: str, asks: str) -> None:
    names = EVERYBODY[:8]
    plan(hall, form, **({"together": "fixed"} if form == "knockout" else {"rounds": "3"}))
    hall.check_in(*names)
    if form == "knockout":
        pair(hall, names)
    draw(hall)
    page = score(hall, 1, [(21, 3), (12, 12)], answer="agreed:" if form == "knockout" else "")
    assert asks in page.text
    assert "1 table left" in page.text
    assert "Table 2 has no winner yet" in draw(hall, 422).text
    assert "Round 1, table 2 is tied." in hall.desk.see(hall.path).text
    assert asks in hall.desk.see(f"{hall.path}/tv").text
    assert "One game has no score yet" in hall.at_desk().text
    tied = hall.tables()[1]
    ids = public_ids(hall, tied.plan.sides[1])
    side = next(name for name in names if hall.people[name] in ids)
    page = settle(hall, hall.desk, hall.at_desk("?round=1"), side)
    assert "all done" in page.text
    draw(hall)
    seated = {number: public_ids(hall, table.seats) for number, table in enumerate(hall.tables())}
    assert ids <= seated[2]  # the head table of round 2, or the final
    log = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "chose side B to go on from round 1, table 2, tied at 12 to 12" in log


def test_a_tied_final_has_no_champion_until_a_winner_is_named(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    page = finished(hall, final=(12, 12), answer="agreed:")
    assert "Champions" not in page.text
    assert "Close night anyway" in page.text
    assert f"{hall.path}/draw" not in [form.get("action") for form in page.all("form")]
    assert "Ann and Bob 12, Cid and Dee 12. Tied. Who goes on?" in page.text
    assert [field.get("value") for field in page.all("input") if field.get("data-points") is not None] == ["12", "12"]
    final = hall.tables()[-1]
    game = hall.desk.see(f"{hall.path}/tables/{final.id}")
    with hall.app.app_context():
        word = card_word(hall.row(), 1, str(hall.app.secret_key))
    phone = new_phone()
    assert not phone.see(f"{hall.path}/tables/{final.id}").all("button", name="tie")
    card = phone.see(f"{hall.path}/cards/1/{word}")
    phone.submit(card, card.path)
    page = settle(hall, phone, phone.see(f"{hall.path}/tables/{final.id}"), "Cid")
    assert not page.all("button", name="tie")
    assert "Champions: Cid and Dee" in phone.see(hall.path).text
    # An outdated page still asks; its answer is refused.
    again = settle(hall, hall.desk, game, "Ann", 422)
    assert "The score just changed" in again.text
    assert "Champions: Cid and Dee" in close(hall).text


@pytest.mark.slow
def test_a_stopped_game_of_a_knockout_asks_too(hall: Hall) -> None:
    names = EVERYBODY[:4]
    plan(hall, "knockout", together="fixed")
    hall.check_in(*names)
    pair(hall, names)
    draw(hall)
    (table,) = hall.tables()
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=table.id, device=DIRECTOR, client_id="tap-of-table")
        hand = EnterHand({"bidder": 0, "bid": 2, "points": dict.fromkeys(("high", "low", "jack", "game"), 0)})
        scoring.act(public_id=game, command=hand, request=ClientRequest(DIRECTOR, "hand-of-table", None))
        scoring.act(public_id=game, command=Abandon(), request=ClientRequest(DIRECTOR, "stop-of-table", None))
    page = settle(hall, hall.desk, hall.at_desk(), "Ann")
    assert "Champions: Ann and Bob" in page.text
    assert "The table agreed that" in hall.desk.see(f"/games/{game}").text


def test_a_night_opened_by_mistake_can_be_removed(hall: Hall) -> None:
    hall.check_in(*NAMES[:8])
    draw(hall)
    path = f"/seasons/{hall.season}"
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/removal")
    assert page.path == path
    assert "Night 1," not in page.text
    assert hall.desk.get(hall.path).status_code == 404
    assert "removed night 1. It had no results." in hall.desk.see(f"/leagues/{hall.league}/log").text
    page = hall.desk.submit(page, f"{path}/nights", day="2026-09-01")
    assert page.h1 == "Desk: Fire Hall, night 1"


def test_a_night_with_results_cannot_be_removed(hall: Hall) -> None:
    hall.check_in(*NAMES[:8])
    draw(hall)
    page = hall.at_desk()
    score(hall, 1, [(21, 3), (21, 4)])
    assert f"{hall.path}/removal" not in hall.at_desk().response.text
    refused = hall.desk.submit(page, f"{hall.path}/removal", 422)
    assert "You can't remove this night. It has results or money." in refused.text
    assert len(hall.tables()) > 1


def test_a_second_night_on_one_date_is_asked_about(hall: Hall) -> None:
    hall.check_in(*NAMES[:8])
    draw(hall)
    score(hall, 1, [(21, 3), (21, 4)])
    hall.desk.submit(hall.at_desk(), f"{hall.path}/closing")  # the page listed the missing tables
    path = f"/seasons/{hall.season}"
    page = hall.desk.submit(hall.desk.see(path), f"{path}/nights", 422, day="2026-09-01")
    assert "Night 1 already has this date. Open another one?" in page.text
    page = hall.desk.submit(page, f"{path}/nights", another="1")
    assert page.h1 == "Desk: Fire Hall, night 2"


def test_a_bye_that_counts_is_not_a_tie() -> None:
    byes = tally_people([bye(1, 1, 1)])
    nights = Nights(tuple(enumerate(byes, start=1)), {}, 10, 1, bye_wins=False)
    row = StandingRow(1, (1,), Fraction(40), Fraction(40), 3, 1, 1, 0, 0, 0, 2, 1, byes[0], nights)
    assert row.draws == 0


def test_the_header_of_the_night_has_no_link_to_the_desk(hall: Hall) -> None:
    """The night's page links to the desk below its header, and says that the desk is for helpers and directors.

    The night's page is the same for everyone, so it can't hide the link.
    """
    page = hall.desk.see(hall.path)
    header = page.one("header", class_="top")
    assert "Desk" not in words(header)
    (way,) = page.all("a", href=f"{hall.path}/desk")
    assert words(way) == "Desk (helpers and directors)"


def test_the_rotation_of_fixed_partners_says_they_stay_together(hall: Hall) -> None:
    plan(hall, "to_target", together="fixed", rounds="2")
    hall.check_in(*EVERYBODY[:8])
    pair(hall, EVERYBODY[:8])
    draw(hall)
    text = hall.desk.see(f"{hall.path}/rotation").text
    assert "Partners stay together all night." in text
    assert "repeated" not in text
