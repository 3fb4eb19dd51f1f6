"""Final scores that look wrong or have an unclear winner, which must be explained before they are saved."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import update

from scorekeeper.games.services import deletion
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.nights import closing, removal, service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.archive import read_archive
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db, writing
from tests.leagues.nights.test_card import card
from tests.leagues.nights.test_table_disputes import at, log, sent, tell
from tests.support.game import path_of, start
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night of Pitch to 11 with eight people seated at two tables for two rounds.

    If both sides reach the target in the same hand, the bidder's side wins.
    """
    return pitch(open_hall(app, client), NightPlan(rounds=2))


@pytest.fixture
def guest(new_phone: Callable[[], Phone]) -> Phone:
    """Return the phone of a player who has no role in the league."""
    return new_phone()


def pitch(hall: Hall, plan: NightPlan, preset: str = "pitch-11") -> Hall:
    """Start a season of the game `preset` in the same league, and return its first night with eight people seated."""
    with hall.app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="Pitch",
            rules=PRESETS[preset],
            counting=StandingSettings(),
            plan=plan,
            device=DIRECTOR,
        )
        night = service.open_night(season=season, day=date(2026, 10, 1), device=DIRECTOR)
    other = Hall(hall.app, hall.desk, hall.league, season, night, hall.people)
    other.check_in(*NAMES[:8])
    other.draw()
    return other


def enter(hall: Hall, page: Page, scores: dict[int, str], status: int = 303, **fields: Any) -> Page:
    """Type final scores of round 1 at the desk, save them, and return the page that follows.

    `scores` maps a table's index to a score like "21 13". `fields` are more fields of the form.
    """
    told = {
        f"points-{hall.tables()[index].id}-{side}": points
        for index, score in scores.items()
        for side, points in enumerate(score.split(" "))
    }
    return hall.desk.submit(page, f"{hall.path}/rounds/1/results", status, **told, **fields)


def answered(hall: Hall, score: str, ending: str) -> dict[str, Any]:
    """Return the fields of the form that says how the game at the first table ended.

    `score` is the final score in question, like "11,12". `ending` has the reason for the end and the index of the
    winning side, like "time:0".
    """
    points = {f"points-{side}": told for side, told in enumerate(score.split(","))}
    return {"table": hall.tables()[0].id, "act": "final", "asked": score, "ending": ending, **points}


def won(hall: Hall, index: int = 0) -> int | None:
    """Return the index of the winning side at a table, or None if there is no winner."""
    verdict = hall.tables()[index].verdict
    return None if verdict is None else verdict.winner


def test_the_desk_asks_who_won_and_saves_the_others(hall: Hall) -> None:
    """In a game to 11, the director's desk page asks who won if the final score is 11 to 12.

    The side with 11 points may have won if it was the bidding side. The scores of other tables are saved at once.
    """
    page = enter(hall, hall.at_desk(), {0: "11 12", 1: "11 4"}, 422)
    assert [table.points for table in hall.tables()[:2]] == [(), (11, 4)]
    assert "Who won?" in page.text
    table = hall.tables()[0].id
    options = [words(each) for each in page.one("select", name=f"ending-{table}").iter("option")]
    assert [each.endswith("won") for each in options[1:3]] == [True, True]
    enter(hall, page, {}, 303, **{f"ending-{table}": "target:0"})
    assert hall.tables()[0].points == (11, 12)
    assert won(hall) == 0
    line = log(hall, "result_told")[-1]
    assert (line.data["winner"], line.data["ended_by"]) == (0, "target")
    standings = hall.desk.see(f"/seasons/{hall.season}")
    assert standings.status == 200
    assert enter(hall, hall.at_desk("?round=1"), {}).status == 200
    assert len(log(hall, "result_told")) == 2, "an unchanged score is not saved again"


def test_an_emptied_score_is_removed(hall: Hall) -> None:
    """A score that was typed at the wrong table is removed with a reason. The table then waits for its own game."""
    enter(hall, hall.at_desk(), {0: "11 4", 1: "11 5"})
    page = enter(hall, hall.at_desk("?round=1"), {0: " 4"}, 422)
    assert "Enter points for every side." in page.text
    page = enter(hall, hall.at_desk("?round=1"), {0: " "}, 422)
    assert "Enter a reason for the correction." in page.text
    assert hall.tables()[0].points == (11, 4)
    stale = hall.at_desk("?round=1")
    page = enter(hall, page, {0: " "}, reason="wrong table")
    assert "Saved." in page.text
    first, second = hall.tables()[:2]
    assert (first.game, first.done, second.points) == ("", False, (11, 5))
    assert [page.one("input", name=f"points-{first.id}-{side}").get("value") for side in (0, 1)] == ["", ""]
    assert [line.data["before"] for line in log(hall, "result_removed")] == [[11, 4]]
    history = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "removed the final score 11 to 4 of round 1, table 1." in history
    assert "wrong table" in history
    assert enter(hall, stale, {}).status == 200
    assert hall.tables()[0].game == "", "a page that was opened before brings no score back"
    enter(hall, hall.at_desk("?round=1"), {0: "11 7"})
    assert hall.tables()[0].points == (11, 7)


def test_a_removed_score_takes_its_round_back(hall: Hall) -> None:
    """A score that was typed in the wrong round had started it. Without the score, the round hasn't begun."""
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[0].id, totals=(11, 4), device=DIRECTOR)
        begun = hall.at_desk().one("div", class_="halves").get("data-round")
        wrong = hall.tables()[2].id
        tables.tell_result(night=hall.night, table=wrong, totals=(11, 5), device=DIRECTOR)
        assert hall.at_desk().one("div", class_="halves").get("data-round") == "2"
        for _repeated in range(2):
            removal.remove_result(night=hall.night, table=wrong, reason="round 1", device=DIRECTOR)
    assert hall.at_desk().one("div", class_="halves").get("data-round") == begun == "1"
    assert len(log(hall, "result_removed")) == 1


def test_a_result_that_seated_the_next_round_stays(hall: Hall) -> None:
    """In a progressive night, round 2 is seated by the winners of round 1. A correction says which of them changed."""
    with hall.app.app_context():
        service.plan_night(
            night=hall.night, plan=NightPlan(format="progressive", options={"hands": 0}), device=DIRECTOR
        )
    hall.draw()
    for table in hall.tables():
        with hall.app.app_context():
            tables.tell_result(night=hall.night, table=table.id, totals=(11, 4), device=DIRECTOR)
    hall.draw()
    page = enter(hall, hall.at_desk("?round=1"), {0: " "}, 422, reason="oops")
    assert "The next round was seated by this result. Correct the score instead." in page.text
    assert hall.tables()[0].points == (11, 4)


def test_the_game_of_a_table_cannot_be_deleted(hall: Hall) -> None:
    """The game menu says so, with a link to the desk, and a request to delete the game changes nothing.

    That holds before the first hand, for a finished game, and after the night was closed.
    """
    table = hall.tables()[0].id
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=table, device=DIRECTOR, client_id="a first tap")

    def refused() -> None:
        menu = hall.desk.see(f"/games/{game}/table")
        assert not menu.all("form", action=f"/games/{game}/deletion")
        assert "This game belongs to a league night, so it can't be deleted." in menu.text
        assert menu.one("a", href=f"{hall.path}/desk?round=1#round") is not None
        again = hall.desk.post(f"/games/{game}/deletion", data=sent(menu, version="1"))
        assert again.status_code == 422
        assert "so it can&#39;t be deleted" in again.get_data(as_text=True)
        assert hall.desk.see(f"/games/{game}").status == 200

    refused()
    with hall.app.app_context():
        deletion.delete_unused(public_ids=[game], device=DIRECTOR)
        deletion.change_games(do="delete", public_ids=[game], device=DIRECTOR)
    refused()
    enter(hall, hall.at_desk("?round=1"), {0: "11 4"})
    refused()
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, listed={each.id for each in hall.tables()})
    refused()
    assert hall.tables()[0].points == (11, 4)


def test_ending_without_a_winner_says_what_it_does_in_the_league(hall: Hall, guest: Phone) -> None:
    """The menu, the question before the end and the game after it say so; the question about a concession doesn't."""
    address, told = card(hall, 1), "In the league, the game counts with this score, and no side has won."
    board = guest.submit(guest.see(address), address, table=hall.tables()[0].id)
    menu = guest.see(f"{board.path}/table")
    assert told in menu.text
    assert told in guest.submit(menu, f"{board.path}/abandonment", 200).text
    assert told not in guest.submit(menu, f"{board.path}/concession", 200, winner="0").text
    assert told in guest.submit(menu, f"{board.path}/abandonment", sure="1").text
    assert (hall.tables()[0].done, won(hall)) == (True, None)


def test_a_game_that_an_older_version_let_people_delete_is_restored(hall: Hall) -> None:
    """The migration restores the games of league tables, and no other games. An import restores them, too."""
    table, other = hall.tables()[0].id, path_of(start(hall.desk)).removeprefix("/games/")
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=table, device=DIRECTOR, client_id="a first tap")
        with writing() as session:
            session.execute(update(GameRow).values(deleted_at=datetime.now(UTC)))
        archive = read_archive(db.session(), hall.league)
        assert {whole.deleted_at for whole in archive.games.values()} == {None}
        with db.engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
            import_module("scorekeeper.migrations.versions.0010_league_games").upgrade()
    assert hall.desk.see(f"/games/{game}").status == 200
    hall.desk.see(f"/games/{other}", 404)
    enter(hall, hall.at_desk(), {0: "11 4"})
    assert hall.tables()[0].points == (11, 4)


def test_an_answer_counts_only_for_the_score_it_was_given_for(hall: Hall) -> None:
    page = enter(hall, hall.at_desk(), {0: "11 12"}, 422)
    table = hall.tables()[0].id
    enter(hall, page, {0: "12 11"}, 422, **{f"ending-{table}": "target:0"})
    assert not hall.tables()[0].game


def test_the_desk_changes_who_won_with_a_reason(hall: Hall) -> None:
    table = hall.tables()[0].id
    page = enter(hall, hall.at_desk(), {0: "11 12"}, 422)
    answer: dict[str, Any] = {f"ending-{table}": "target:0"}
    enter(hall, page, {}, **answer)
    again: dict[str, Any] = {f"again-{table}": "1"}
    page = enter(hall, hall.at_desk("?round=1"), {}, 422, **again)
    assert "Who won?" in page.text
    other: dict[str, Any] = {f"ending-{table}": "target:1"}
    enter(hall, page, {}, 422, **other)
    assert won(hall) == 0
    enter(hall, page, {}, reason="the other side bid", **other)
    assert won(hall) == 1


def test_a_phone_questions_a_doubtful_final_score(hall: Hall, guest: Phone) -> None:
    """If a final score entered on a phone looks wrong, the phone asks how the game ended.

    No game is created before the answer.
    """
    page = tell(hall, guest, 9, 4, status=422)
    assert not hall.tables()[0].game
    assert "Nobody has reached 11." in page.text
    says = buttons(page)
    for begins in ("Time ran out: ", "Conceded: ", "Score is right: "):
        assert any(each.startswith(begins) for each in says)
    address = card(hall, 1)
    page = guest.submit(page, address, **answered(hall, "9,4", "time:0"))
    assert hall.tables()[0].points == (9, 4)
    assert won(hall) == 0
    with hall.app.app_context():
        assert db.session.query(GameRow).one().ended_by == "final.time"


@pytest.mark.parametrize("score", [(21, 20), (2100, 13), (12, 14), (12, 12), (-5, -9)])
def test_setback_to_21_questions_impossible_scores(
    app: Flask, client: Phone, guest: Phone, score: tuple[int, int]
) -> None:
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:4])
    hall.draw()
    page = enter(hall, hall.at_desk(), {0: f"{score[0]} {score[1]}"}, 422)
    assert len(page.all("select", name=f"ending-{hall.tables()[0].id}")) == 1
    tell(hall, guest, *score, status=422)
    assert not hall.tables()[0].game


def test_a_score_below_the_target_is_not_questioned_where_a_bell_ends_games(app: Flask, client: Phone) -> None:
    hall = pitch(open_hall(app, client), NightPlan(format="timed", rounds=2))
    enter(hall, hall.at_desk(), {0: "9 4"})
    assert won(hall) == 0


def test_phones_that_disagree_only_on_the_winner_make_a_dispute(
    hall: Hall, guest: Phone, new_phone: Callable[[], Phone]
) -> None:
    other = new_phone()
    address = card(hall, 1)
    page = tell(hall, guest, 11, 12, status=422)
    guest.submit(page, address, **answered(hall, "11,12", "target:0"))
    page = tell(hall, other, 11, 12, status=422)
    other.submit(page, f"{at(hall)}/result", **answered(hall, "11,12", "target:1"))
    assert won(hall) == 0
    page = guest.see(at(hall))
    assert "11 to 12, " in words(page.one("span", role="alert"))
    guest.submit(page, f"{at(hall)}/settlement", how="take")
    assert won(hall) == 1


HEAD = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
PAST = f"{HEAD}\n2026-08-01,1,1,Ann,Bob,Cid,Dee,11,12\n2026-08-01,1,2,Eve,Fay,Gus,Hal,11,4\n"


@pytest.fixture
def pitched(app: Flask, client: Phone) -> Hall:
    """Return a league with a season of Pitch to 11 that has no nights."""
    hall = open_hall(app, client)
    with app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="Pitch",
            rules=PRESETS["pitch-11"],
            counting=StandingSettings(),
            plan=NightPlan(rounds=1),
            device=DIRECTOR,
        )
    return Hall(app, client, hall.league, season, hall.night, hall.people)


def test_doubtful_past_results_are_questioned_before_import(pitched: Hall) -> None:
    """If a past result has an unclear winner, such as 11 to 12, nothing is imported until somebody names the winner."""
    path = f"/seasons/{pitched.season}/results/import"
    page = pitched.desk.submit(pitched.desk.see(path), path, 200, text=PAST)
    (select,) = (each for each in page.all("select") if str(each.get("name")).startswith("ending-"))
    assert [words(option) for option in select.iter("option")][1:3] == ["Ann and Cid won", "Bob and Dee won"]
    page = pitched.desk.submit(page, path, 422, confirmed="1")
    assert "Answer the questions below first." in page.text
    answer: dict[str, Any] = {str(select.get("name")): "target:0"}
    season = pitched.desk.submit(page, path, confirmed="1", **answer)
    assert "Ann" in season.text
    with pitched.app.app_context():
        games = db.session.query(GameRow).order_by(GameRow.id).all()
        assert [(game.totals, game.winner) for game in games] == [([11, 12], 0), ([11, 4], 0)]


def test_an_answer_counts_only_for_the_line_it_was_given_for(pitched: Hall) -> None:
    path = f"/seasons/{pitched.season}/results/import"
    page = pitched.desk.submit(pitched.desk.see(path), path, 200, text=PAST)
    (select,) = (each for each in page.all("select") if str(each.get("name")).startswith("ending-"))
    answer: dict[str, Any] = {str(select.get("name")): "target:0"}
    pitched.desk.submit(page, path, 422, confirmed="1", text=PAST.replace("11,12", "12,11"), **answer)


@pytest.mark.parametrize(
    ("key", "one_more", "asks"),
    [
        ("fixed_hands", 0, False),
        ("fixed_hands", 1, True),
        ("timed", 0, False),
        ("timed", 1, True),
    ],
)
def test_a_tie_is_questioned_only_where_one_more_hand_is_due(
    app: Flask, client: Phone, key: str, one_more: int, asks: bool
) -> None:
    hall = open_hall(app, client, plan=NightPlan(format=key, options={"one_more": one_more}, rounds=1))
    hall.check_in(*NAMES[:4])
    hall.draw()
    page = enter(hall, hall.at_desk(), {0: "7 7"}, 422 if asks else 303)
    assert ("It's tied at 7, so the game isn't over." in page.text) == asks
    assert hall.tables()[0].done != asks
