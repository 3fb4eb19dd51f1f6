"""A phone's first game creates its home table, a list of people. The phone's later games belong to this table."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from scorekeeper.games.services.creation import home_table
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow, HomeTableRow
from scorekeeper.web.extensions import db, writing
from tests.games.test_record_import import RECORD, bring_in
from tests.support.game import CLEAN, FOUR, path_of, play_all, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def homes(app: Flask) -> list[int | None]:
    """Return the number of each game's home table, in the order of the games, or None for a game without a home table.

    Home tables are numbered from 1, in the order in which they were made.
    """
    with app.app_context():
        tables = [row.id for row in db.session.query(HomeTableRow).order_by(HomeTableRow.id)]
        games = db.session.query(GameRow).order_by(GameRow.id)
        return [None if game.home_table_id is None else 1 + tables.index(game.home_table_id) for game in games]


def people(app: Flask) -> list[str]:
    """Return the names of all people at home tables, in the order in which they were added."""
    with app.app_context():
        return [row.name for row in db.session.query(HomePersonRow).order_by(HomePersonRow.id)]


def seated(app: Flask) -> list[list[str | None]]:
    """Return a list of player names for each game, in seat order.

    The name is None for a player who isn't one of the home table's people.
    """
    with app.app_context():
        games = db.session.query(GameRow).order_by(GameRow.id).all()
        players = {row.id: row.home_person_id for row in db.session.query(PlayerRow)}
        names: dict[int | None, str] = {row.id: row.name for row in db.session.query(HomePersonRow)}
        return [[names.get(players[player]) for player in game.players] for game in games]


def forget_tables(app: Flask) -> None:
    """Remove all home tables, as in a database from before the app had them."""
    with app.app_context(), writing() as session:
        session.execute(update(GameRow).values(home_table_id=None))
        session.execute(update(PlayerRow).values(home_person_id=None))
        for table in ("home_person", "home_phone", "home_table"):
            session.connection().exec_driver_sql(f"DELETE FROM {table}")


def again(phone: Phone, board: Page) -> Page:
    """Start a rematch of the finished game `board`."""
    return phone.submit(board, f"{path_of(board)}/rematch")


def test_a_first_game_makes_a_table_of_its_people(app: Flask, client: Phone, board: Page) -> None:
    assert homes(app) == [1]
    assert people(app) == list(FOUR)
    assert seated(app) == [list(FOUR)]


def test_people_are_found_by_name_and_new_ones_added(app: Flask, client: Phone, board: Page) -> None:
    """A name typed in any case finds the person with that name, and a new name adds a person."""
    start(client, ("bob", "Eve", "ANN", "Dee"))
    assert homes(app) == [1, 1]
    assert people(app) == [*FOUR, "Eve"]
    assert seated(app) == [list(FOUR), ["Bob", "Eve", "Ann", "Dee"]]


def test_a_rematch_and_an_imported_game_are_at_the_table(app: Flask, client: Phone, board: Page) -> None:
    again(client, play_all(client, board, CLEAN))
    bring_in(client, json.dumps({**RECORD, "players": ["ann", "Bob", "Cid", "Zoe"]}))
    assert homes(app) == [1, 1, 1]
    assert seated(app) == [list(FOUR), list(FOUR), ["Ann", "Bob", "Cid", "Zoe"]]


def test_another_name_is_another_person_unless_somebody_has_it(app: Flask, client: Phone, board: Page) -> None:
    menu = client.see(f"{path_of(board)}/table")
    client.submit(menu, f"{path_of(board)}/names", name_0="Anna", name_1="Bob", name_2="Cid", name_3="Dee")
    assert seated(app) == [["Anna", "Bob", "Cid", "Dee"]]
    menu = client.see(f"{path_of(board)}/table")
    client.submit(menu, f"{path_of(board)}/seats", seat="1", name="ann")
    assert seated(app) == [["Anna", "Ann", "Cid", "Dee"]]


def test_phones_have_tables_of_their_own(app: Flask, client: Phone, board: Page) -> None:
    other: Any = app.test_client()
    start(other)
    assert homes(app) == [1, 2]
    assert people(app) == [*FOUR, *FOUR]


def test_earlier_games_come_along(app: Flask, client: Phone, board: Page) -> None:
    """After an update to a version with home tables, a phone's first new game creates its home table.

    The phone's earlier games are added to that table, and their players are matched with people by name.
    """
    start(client, ("bob", "Eve", "Ann", "Dee"))
    forget_tables(app)
    start(client, ("Cid", "Eve", "Ann", "Bob"), preset="pitch-11")
    assert homes(app) == [1, 1, 1]
    assert seated(app) == [list(FOUR), ["Bob", "Eve", "Ann", "Dee"], ["Cid", "Eve", "Ann", "Bob"]]


def test_a_rematch_brings_a_game_without_a_table(app: Flask, client: Phone, board: Page) -> None:
    """If a game without a home table gets a rematch, both games are added to the phone's home table.

    This happens when the app is updated in the middle of an evening.
    """
    over = play_all(client, board, CLEAN)
    forget_tables(app)
    again(client, over)
    assert homes(app) == [1, 1]
    assert seated(app) == [list(FOUR)] * 2


def test_games_with_people_of_a_league_stay_out(app: Flask, client: Phone, board: Page) -> None:
    """A game played by people of a league doesn't belong to a home table, and neither does its rematch."""
    over = play_all(client, board, CLEAN)
    forget_tables(app)
    with app.app_context(), writing() as session:
        session.execute(update(GameRow).values(elsewhere=True))
    again(client, over)
    assert homes(app) == [None, None]


def test_opening_the_table_twice_makes_one(app: Flask) -> None:
    with app.app_context():
        with writing() as session:
            now = datetime.now(UTC)
            assert home_table(session, "a" * 64, now) == home_table(session, "a" * 64, now)
        assert db.session.query(HomeTableRow).count() == 1
