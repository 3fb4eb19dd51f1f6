"""A game that was scored on paper is added with its final score, its winner and the day on which it was played."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.games.test_play_dates import times
from tests.games.test_record_import import refusal
from tests.support.game import contents, start, totals
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

FOUR = {"name-0": "Ann", "name-1": "Bob", "name-2": "Cid", "name-3": "Dee"}


def add(phone: Phone, points: tuple[object, ...], status: int = 303, **more: object) -> Page:
    """Fill in the form for a finished game as a new user finds it, and return the page that follows."""
    scores = {f"points-{side}": total for side, total in enumerate(points)}
    return phone.submit(phone.see("/games/finished"), "/games/finished/game", status, **{**FOUR, **scores, **more})


def test_a_new_phone_adds_last_weeks_game(client: Phone) -> None:
    assert "/games/finished" in [link.get("href") for link in client.see("/").all("a")]
    board = add(client, (21, 13), day="2026-11-19", offset="-600")
    assert totals(board) == ["21", "13"]
    home = client.see("/")
    assert "Ann and Cid won. Final score only." in home.text
    assert times(home) == {"2026-11-20T01:00:00Z"}
    assert times(client.see("/table/games")) == {"2026-11-20T01:00:00Z"}
    assert "Final score entered: 21 to 13." in client.see(f"{board.path}/log").text
    assert "Head to head" in client.see("/table").text
    record = client.get(f"{board.path}/record.json").get_json()
    assert (record["started"], record["final"]) == ("2026-11-19", [21, 13])


def test_no_page_shows_a_time_that_nobody_entered(client: Phone) -> None:
    """Wherever a game appears of which only the day is known, its date has no time of day, today's game included."""
    today = datetime.now(UTC).date().isoformat()
    for day, shown in (("2026-11-19", "November 19, 2026"), (today, None)):
        board = add(client, (21, 13), day=day, offset="-600")
        for path in ("/", "/table/games", board.path, f"{board.path}/log", f"{board.path}/sheet"):
            told = [words(time) for time in client.see(path).all("time") if time.get("data-last") is None]
            assert told
            assert not [text for text in told if ":" in text], path
            assert shown is None or shown in told, path


def test_points_that_are_no_number_are_marked(client: Phone, app: Flask) -> None:
    """The sentence is at the first field that is wrong, and every wrong field is marked."""
    before = contents(app)
    for points, wrong in ((("a lot", 13), ["0"]), ((21, "x"), ["1"]), (("", "13b"), ["0", "1"])):
        page = add(client, points, 422)
        marked = [field for field in page.all("input") if field.get("aria-invalid") == "true"]
        assert [str(field.get("name")).removeprefix("points-") for field in marked] == wrong
        assert [field.get("name") for field in page.all("input") if field.get("autofocus") is not None] == [
            f"points-{wrong[0]}"
        ]
        assert {field.get("aria-describedby") for field in marked} == {"error-points"}
        assert words(page.one("p", id="error-points")) == refusal(page) == "Enter points for every side."
    assert contents(app) == before


def test_today_is_offered(client: Phone) -> None:
    page = client.see("/games/finished")
    offered = datetime.fromisoformat(str(page.form("/games/finished/game").values["day"])).replace(tzinfo=UTC)
    assert abs(datetime.now(UTC) - offered) < timedelta(days=2)
    add(client, (21, 13))
    assert "Today" in client.see("/").text


def test_it_asks_who_won_where_the_rules_do_not_tell(client: Phone, app: Flask) -> None:
    """In Pitch, the bidder may win with fewer points. The answer counts only for the score that was asked about."""
    players = {"preset": "pitch-11", "seating": "4p"}
    before = contents(app)
    asked = add(client, (11, 12), 422, **players)
    assert "Who won?" in asked.text
    assert contents(app) == before
    answers = {
        words(button): str(button.get("value")) for button in asked.all("button") if button.get("name") == "ending"
    }
    other = client.submit(asked, "/games/finished/game", 422, ending=answers["Ann and Cid won"], **{"points-1": 14})
    assert other.form("/games/finished/game").values["points-1"] == "14"
    client.submit(asked, "/games/finished/game", ending=answers["Ann and Cid won"])
    assert "Ann and Cid won. Final score only." in client.see("/").text


def test_what_cannot_be_is_refused_and_stays_in_the_form(client: Phone, app: Flask) -> None:
    before = contents(app)
    today = client.see("/games/finished").form("/games/finished/game").values["day"]
    for points, more, says in (
        ((21, ""), {}, "Enter points for every side."),
        ((21, 13), {"day": "2999-01-01"}, "This game's date is “2999-01-01”, which is after today."),
        ((21, 13), {"day": "soon"}, "This game's date is “soon”. Write it like 2024-03-02."),
        ((21, 13), {"name-3": "Ann"}, "Two players are named Ann. Add an initial."),
        ((21, 13), {"name-2": ""}, "Every seat needs a name."),
    ):
        page = add(client, points, 422, **more)
        assert refusal(page) == says
        assert page.form("/games/finished/game").values["name-1"] == "Bob"
        assert page.form("/games/finished/game").values["day"] in (more.get("day"), today)
    assert contents(app) == before


def test_the_new_game_page_leads_to_it_with_its_choices(client: Phone) -> None:
    start(client, ("Eve", "Fay", "Gus"), preset="pitch-11", seating="3", rules={"target": 15})
    new = client.see("/games/new")
    fields = {**new.form("/games/new").values, "rule-target": "15"}
    response = client.post("/games/finished", data=fields)
    assert response.status_code == 200
    page = type(new)(response)
    values = page.form("/games/finished/game").values
    assert [values[f"name-{seat}"] for seat in range(3)] == ["Eve", "Fay", "Gus"]
    board = client.submit(
        page, "/games/finished/game", **{f"points-{side}": total for side, total in enumerate((15, 3, 4))}
    )
    assert "Eve" in board.h1
    record = client.get(f"{board.path}/record.json").get_json()
    assert record["ruleset"] == {"preset": "pitch-11", "options": {"target": 15}}


def test_adding_twice_adds_one_game(client: Phone, app: Flask) -> None:
    page = client.see("/games/finished")
    sent: dict[str, Any] = {**FOUR, "points-0": 21, "points-1": 13}
    first = client.submit(page, "/games/finished/game", **sent)
    assert client.submit(page, "/games/finished/game", **sent).path == first.path
    assert len(contents(app)["game"]) == 1
