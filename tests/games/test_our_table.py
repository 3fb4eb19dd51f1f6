"""The home table has a page, a history, and a page for each player. The home page has a line about the home table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from scorekeeper.games.presenters.snapshot import bids_text
from scorekeeper.games.services.deletion import UNUSED, delete_unused_games
from scorekeeper.games.store.models import GameRow
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import table_at
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, contents, path_of, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

LOST = ((1, 4, "BBBB"),) * 6


def ids(page: Page) -> list[str]:
    """Return the public ids of the games that a page lists."""
    return [str(each.get("href")).rsplit("/", 1)[-1] for each in page.all("a", class_="game")]


def id_of(board: Page) -> str:
    """Return the public id of a game."""
    return path_of(board).rsplit("/", 1)[-1]


def change(app: Flask, **values: object) -> None:
    """Set the columns named in `values` in the rows of all games."""
    with app.app_context(), writing() as session:
        session.execute(update(GameRow).values(**values))


def other_phone(app: Flask) -> Phone:
    """Return a phone without any cookie."""
    return app.test_client()  # type: ignore[return-value]


@pytest.mark.parametrize(
    "address", ["/table", "/table/games", "/table?game=x&people=y", "/table/games?of=won:x&before=y"]
)
def test_without_a_table_there_is_nothing_to_see(client: Phone, address: str) -> None:
    assert ids(client.see(address)) == []


@pytest.mark.slow
def test_the_home_page_says_who_won_the_last_evening(client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    play_all(client, start(client), LOST)
    play_all(client, start(client), CLEAN)
    start(client)
    (line,) = client.see("/").all("a", class_="evening")
    assert line.get("href") == "/table"
    assert words(line).startswith("Today Ann and Cid won 2 games to 1")


def test_the_evening_is_named_by_its_weekday(app: Flask, client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    days_ago = datetime.now(UTC) - timedelta(days=4)
    change(app, started_at=days_ago)
    weekday = (days_ago - timedelta(hours=8)).strftime("%A")
    assert f"Last {weekday}" in words(client.see("/").one("a", class_="evening"))


def test_a_hidden_game_counts_nowhere_until_it_is_shown_again(client: Phone) -> None:
    game = id_of(play_all(client, start(client), CLEAN))
    client.submit(client.see("/table/games?pick=1"), "/table/games", game=game, do="hide")
    assert ids(client.see("/table/games")) == ids(client.see("/table")) == []
    assert not client.see("/").all("a", class_="evening")
    client.submit(client.see("/table/games?pick=1&show=hidden"), "/table/games", game=game, do="show")
    assert ids(client.see("/table/games")) == [game]


def test_a_deleted_game_can_be_restored_from_the_history(client: Phone) -> None:
    game = id_of(play_all(client, start(client), CLEAN))
    client.submit(client.see("/table/games?pick=1"), "/table/games", game=game, do="delete")
    assert ids(client.see("/table/games")) == []
    assert client.get(f"/games/{game}").status_code == 404
    client.submit(client.see("/table/games?pick=1&show=deleted"), "/table/games", game=game, do="restore")
    assert ids(client.see("/table/games")) == [game]


def test_another_phone_changes_no_game(app: Flask, client: Phone) -> None:
    game = id_of(play_all(client, start(client), CLEAN))
    stranger = other_phone(app)
    start(stranger)
    before = contents(app)["game"]
    page = stranger.see("/table/games?pick=1")
    stranger.submit(page, "/table/games", game=game, do="delete")
    assert contents(app)["game"] == before


def test_an_unknown_action_is_refused(client: Phone) -> None:
    start(client)
    client.submit(client.see("/table/games?pick=1"), "/table/games", 422, do="burn")


def test_the_history_finds_games_by_player_and_date(app: Flask, client: Phone) -> None:
    old = id_of(play_all(client, start(client), CLEAN))
    change(app, started_at=datetime(2026, 11, 12, 1, tzinfo=UTC))
    new = id_of(play_all(client, start(client, ("Ann", "Bob", "Cid", "Zoé")), CLEAN))
    assert ids(client.see("/table/games?who=zoe")) == [new]
    assert ids(client.see("/table/games?who=nobody")) == []
    # On Wednesday evening in New York: four hours behind, and an evening lasts until 5.
    wednesday = "since=2026-11-11&until=2026-11-11&offset=-600"
    assert ids(client.see(f"/table/games?{wednesday}")) == [old]
    assert ids(client.see("/table/games?since=2026-11-12&until=2026-11-12&offset=-600")) == []
    assert ids(client.see("/table/games?since=tomorrow&offset=99999")) == [new, old]


def test_the_history_goes_on_with_older_games(app: Flask, client: Phone) -> None:
    board = start(client)
    with app.app_context(), writing() as session:
        row = session.scalars(select(GameRow)).one()
        columns = {key: getattr(row, key) for key in GameRow.__table__.columns.keys() if key != "id"}  # noqa: SIM118
        for number in range(34):
            own = {"public_id": f"copy{number}", "client_id": f"copy{number}"}
            session.add(GameRow(**columns | own | {"started_at": row.started_at - timedelta(hours=number + 1)}))
    first = client.see("/table/games")
    assert (len(ids(first)), ids(first)[0]) == (30, id_of(board))
    (older,) = [each.get("href") for each in first.all("a") if words(each) == "Older games"]
    assert ids(client.see(str(older))) == [f"copy{number}" for number in range(29, 34)]


@pytest.mark.slow
def test_the_filter_counts_only_its_games(client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    other = start(client, ("Ann", "Bob"), preset="setback-21", seating="2", dealer=1)
    play_all(client, other, ((0, 4, "AAAA"),) * 6)
    page = client.see("/table")
    ann, dee = (next(str(each.get("href")) for each in page.all("a") if words(each) == name) for name in ("Ann", "Dee"))
    with_dee = f"people={dee.rsplit('/', 1)[-1]}"
    rows = client.see(f"/table?{with_dee}").one("table", class_="numbers").findall("tbody/tr")
    assert {words(row.findall("td")[0]) for row in rows} == {"1"}
    assert words(client.see(f"{ann}?{with_dee}").one("dl").findall("div/dd")[0]) == "Games 1"


def test_a_person_of_another_table_has_no_page(app: Flask, client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    page = client.see("/table")
    link = next(str(each.get("href")) for each in page.all("a") if words(each) == "Dee")
    stranger = other_phone(app)
    start(stranger)
    assert stranger.get(link).status_code == 404


def test_only_games_that_nobody_touched_clear_themselves_away(app: Flask, client: Phone) -> None:
    unused, played, bidding = start(client), play(client, start(client), 0, 3, "AAAB"), start(client)
    client.submit(bidding, f"{path_of(bidding)}/bid", call="0:3")
    now = datetime.now(UTC)
    with app.app_context():
        assert delete_unused_games(now=now + UNUSED - timedelta(minutes=1)) == 0
        assert delete_unused_games(now=now + UNUSED + timedelta(minutes=1)) == 1
    assert ids(client.see("/table/games")) == [id_of(bidding), id_of(played)]
    client.submit(client.see("/table/games?pick=1&show=deleted"), "/table/games", game=id_of(unused), do="restore")
    assert id_of(unused) in ids(client.see("/table/games"))


def test_an_unused_game_that_somebody_restored_is_kept(app: Flask, client: Phone) -> None:
    """The next cleanup doesn't delete an unused game again that was just restored."""
    unused = start(client)
    change(app, updated_at=datetime.now(UTC) - 2 * UNUSED)
    with app.app_context():
        assert delete_unused_games() == 1
    client.submit(client.see("/table/games?pick=1&show=deleted"), "/table/games", game=id_of(unused), do="restore")
    with app.app_context():
        assert delete_unused_games() == 0
    assert ids(client.see("/table/games")) == [id_of(unused)]


def test_the_bids_of_an_amount_are_named() -> None:
    """Bids of a number of points are named by it, and special bids by their kind."""
    every = {bid for rules in PRESETS.values() for seating in rules.seatings for bid in table_at(rules, seating).bids}
    special = {bid for bid in every if isinstance(bid, str)}
    assert {bids_text(bid) for bid in special} == {"Pitch bids", "Moon bids"}
    assert bids_text(3) == "Bids of 3"
