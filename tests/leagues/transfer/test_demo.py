"""The demo league, which is the same each time, follows the rules, appears on all pages and can be removed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from msgspec import structs
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.cli.app import main
from scorekeeper.games.store.game_export import game_record
from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow
from scorekeeper.leagues.core.models import HandRow, LeagueEventRow, LeagueRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.money.ledger import ledger_of
from scorekeeper.leagues.money.service import settle_again
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.transfer.archive import Archive, bring_in
from scorekeeper.leagues.transfer.demo import SEASONS, Season, demo_archive, remove_demo
from scorekeeper.leagues.transfer.demo_data import LATE
from scorekeeper.rules.record import read_record
from scorekeeper.web.extensions import Model, db, writing
from tests.conftest import settings_in
from tests.support import databases
from tests.support.league_night import NAMES, open_hall
from tests.support.phone import Phone

NOW = datetime(2026, 11, 17, 20, 30, tzinfo=UTC)
SMALL = (Season("Short", 2, "rotate", StandingSettings(), MoneySettings(), 0),)


@pytest.fixture(scope="module")
def small() -> Archive:
    """Return a demo league with two nights, one closed and the other in progress."""
    return demo_archive(NOW, seasons=SMALL)


def test_demo_is_reproducible(small: Archive) -> None:
    """The demo league is the same each time it is made. If it is made on another day, only the dates differ."""
    assert demo_archive(NOW, seasons=SMALL) == small
    later = demo_archive(datetime(2027, 2, 2, 9, 0, tzinfo=UTC), seasons=SMALL)
    for part in ("people", "seats", "byes", "present"):
        assert later.parts[part] == small.parts[part]
    assert [row["points"] for row in later.parts["tables"]] == [row["points"] for row in small.parts["tables"]]


@pytest.mark.parametrize("hour", [0, 9, 20])
def test_demo_has_no_future_dates(hour: int) -> None:
    """At any hour, the last night of the demo league is in progress, and none of its hands is in the future."""
    now = NOW.replace(hour=hour)
    made = demo_archive(now, seasons=SMALL)
    hands = [line.received_at for whole in made.games.values() for line in whole.lines]
    assert max(row["at"] for row in made.parts["log"]) <= now.isoformat()
    assert now - timedelta(minutes=40) < max(hands) <= now


def test_demo_results_follow_the_rules(small: Archive) -> None:
    """If the record of a demo game is scored again, the points and the winner equal the stored result."""
    by_number = {row["game_id"]: row for row in small.parts["tables"]}
    by_hand = 0
    for number, whole in small.games.items():
        told = read_record(game_record(whole.replayed(), whole.names))
        table = by_number[number]
        closed = table["points"] is not None
        if closed:
            assert table["points"] == list(told.tally.totals)
            assert told.tally.outcome is not None
            assert table["winner"] == told.tally.outcome.winner
        if told.final is None:
            by_hand += 1
            assert sum(not scored.made for scored in told.scored) == sum(told.tally.sets)
            assert not closed or table["hands"] == len(told.hands)
    assert by_hand > 15


def test_demo_has_the_books_of_a_club(app: Flask) -> None:
    """In the demo league, most players have paid, a few owe money, and one has paid ahead.

    The cash box holds the kitty, the fees of the open night and what was paid ahead, minus what players owe.
    """
    played_for_money = structs.replace(SEASONS[-1], nights=3)
    with app.app_context():
        settle_again(league=bring_in(demo_archive(NOW, seasons=(played_for_money,))))
        ledger = ledger_of(db.session(), db.session.scalars(select(SeasonRow)).one())
    box = ledger.box
    assert box.cash == box.kitty + box.tonight + box.ahead - box.unpaid > box.kitty > 0
    owing = [account for account in ledger.accounts if account.owes > 0]
    assert LATE <= len(owing) < len(ledger.accounts) / 2
    assert sum(account.owes < 0 for account in ledger.accounts) == 1


def test_demo_shows_on_every_page_and_can_be_removed(app: Flask, client: Phone, small: Archive) -> None:
    """The demo league appears on all pages, and can be removed without touching other leagues.

    Only the removal of a demo league may delete lines of the logs. Otherwise, the database refuses to delete them.
    """
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:4])
    with app.app_context():
        before = _counts()
        assert bring_in(small) == small.head["public_id"]
        night = db.session.scalars(select(NightRow).where(NightRow.number == 2)).one()
        done = {table.number: table.done for table in tables_of(db.session(), night) if table.round == 2}
        assert set(done.values()) == {True, False}
    page = client.see(f"/leagues/{small.head['public_id']}")
    for path in (
        f"/seasons/{small.parts['seasons'][0]['public_id']}",
        f"/people/{small.parts['people'][0]['public_id']}",
        f"/nights/{small.parts['nights'][1]['public_id']}",
        f"/leagues/{small.head['public_id']}/log",
    ):
        assert client.see(path).text
    assert small.head["name"] in page.text
    with app.app_context():
        assert remove_demo() == len(small.games)
        assert _counts() == before
        assert remove_demo() is None
    assert client.see(f"/leagues/{hall.league}").text
    with app.app_context():
        bring_in(small)
        for log in ("game_event", "league_event"):
            with pytest.raises(DBAPIError, match="only grows"), writing() as session:
                session.execute(text(f"DELETE FROM {log}"))


def _counts() -> dict[str, int]:
    models: tuple[type[Model], ...] = (LeagueRow, LeagueEventRow, TableRow, HandRow, GameRow, EventRow, PlayerRow)
    return {model.__tablename__: db.session.scalar(select(func.count()).select_from(model)) or 0 for model in models}


@pytest.mark.slow
def test_demo_command_makes_one_demo_and_removes_it(app: Flask, tmp_path: Path) -> None:
    """The demo command makes one demo, refuses a second one, and can remove the demo."""
    run = CliRunner()
    env: dict[str, str | None] = {
        "SCOREKEEPER_INSTANCE": str(tmp_path),
        "SECRET_KEY": settings_in(tmp_path).secret_key,
        "DATABASE_URL": databases.url_for(tmp_path),
    }
    made = run.invoke(main, ["demo"], env=env)
    assert made.exit_code == 0, made.output
    again = run.invoke(main, ["demo"], env=env)
    assert again.exit_code == 1
    assert "already here" in again.output
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(NightRow)) == sum(one.nights for one in SEASONS)
    assert "Removed the demo" in run.invoke(main, ["demo", "--remove"], env=env).output
    assert "There is no demo" in run.invoke(main, ["demo", "--remove"], env=env).output
