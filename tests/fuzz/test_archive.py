"""A league file is imported completely and can be exported again unchanged, or it is refused with a sentence."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.transfer.archive import GAMES, LEAGUE, ArchiveError, bring_in, pack, read_archive, unpack
from scorekeeper.rules.commands import EnterHand, Undo
from scorekeeper.web.extensions import db
from tests.fuzz.budget import fuzz
from tests.fuzz.mutation import any_json, dumped, mutated_bytes, mutated_values
from tests.fuzz.samples import ALL
from tests.support.game import contents
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from tests.fuzz.conftest import NewBook

pytestmark = [pytest.mark.slow, pytest.mark.fuzz, pytest.mark.database]

HAND = {"bidder": 0, "bid": 4, "points": ALL}
NAMES_WITHIN = (LEAGUE, GAMES, "records.jsonl", "../league.json", "/etc/passwd", "league.json/", "x" * 300, "\u202e")
MEMBERS = (
    b"",
    b"\x00",
    b"[]",
    b"null",
    b"{}",
    b" " * 60_000_000,
    b"[" * 100_000,
    b'{"format": "scorekeeper-league/3"}',
)


def league_file(app: Flask) -> bytes:
    """Return the export file of a league.

    The league has a closed and an open night, hands, results from paper, and a person who was merged into another one.
    """
    desk = app.test_client()
    assert isinstance(desk, Phone)
    hall = open_hall(app, desk, plan=NightPlan(rounds=1))
    hall.check_in(*NAMES)
    hall.draw()
    with app.app_context():
        twin = people.add_people(league=hall.league, people=[PersonData(name="Bobby", notes="n")], device=DIRECTOR)[0]
        for table in hall.tables():
            if table.number == 1:
                _play(hall, table.id)
            else:
                tables.tell_result(night=hall.night, table=table.id, totals=(21, 9), device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        people.merge_people(person=twin, into=hall.people["Bob"], device=DIRECTOR)
        second = nights.open_night(season=hall.season, day=hall.row().day.replace(day=8), device=DIRECTOR)
        nights.check_in(night=second, people=[hall.people[name] for name in NAMES[:4]], device=DIRECTOR)
        nights.draw(night=second, device=DIRECTOR, seed=3)
        return pack(read_archive(db.session(), hall.league))


def _play(hall: Hall, table: int) -> None:
    game = tables.start_table(night=hall.night, table=table, device=DIRECTOR, client_id="tap-of-a-table")
    scoring.act(public_id=game, command=EnterHand(HAND | {"bidder": 1}), request=ClientRequest(DIRECTOR, "wrong", None))
    scoring.act(public_id=game, command=Undo(), request=ClientRequest(DIRECTOR, "undone", None))
    for number in range(6):
        scoring.act(public_id=game, command=EnterHand(HAND), request=ClientRequest(DIRECTOR, f"hand-{number}", None))


def packed(members: list[tuple[str, bytes]]) -> bytes:
    """Return a ZIP archive of files given as (name, content); the same name may occur twice."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def files(valid: bytes) -> st.SearchStrategy[bytes]:
    """Return a strategy that draws league files like `valid`, usually damaged ones."""
    with zipfile.ZipFile(io.BytesIO(valid)) as archive:
        league = json.loads(archive.read(LEAGUE))
        lines = [json.loads(line) for line in archive.read(GAMES).splitlines()]
    parts = [key for key in league if key != "format"]

    def put(key: str, value: Any) -> bytes:
        told = league | {key: value}
        return packed([(LEAGUE, dumped(told).encode()), (GAMES, _jsonl(lines))])

    def one_part(key: str) -> st.SearchStrategy[bytes]:
        return mutated_values([league[key]]).map(lambda value: put(key, value))

    def games(told: list[Any]) -> bytes:
        return packed([(LEAGUE, json.dumps(league).encode()), (GAMES, _jsonl(told))])

    return st.one_of(
        st.sampled_from(parts).flatmap(one_part),
        st.sampled_from(parts).flatmap(one_part),
        mutated_values([lines]).map(lambda told: games(told if isinstance(told, list) else [told])),
        mutated_values([league]).map(lambda told: packed([(LEAGUE, dumped(told).encode()), (GAMES, _jsonl(lines))])),
        mutated_bytes([valid]),
        st.lists(
            st.tuples(
                st.sampled_from(NAMES_WITHIN),
                st.sampled_from((*MEMBERS, json.dumps(league).encode(), _jsonl(lines)))
                | any_json.map(dumped).map(str.encode),
            ),
            max_size=4,
        ).map(packed),
        st.binary(max_size=100),
    )


def _jsonl(told: list[Any]) -> bytes:
    return b"".join(dumped(line).encode() + b"\n" for line in told)


@pytest.mark.sqlite
def test_a_league_is_brought_in_or_refused(new_book: NewBook) -> None:
    """A damaged league file is either imported, or refused with a sentence without storing anything.

    An imported league can be exported and imported again. The second export has the same bytes as the first.
    """
    with new_book() as app:
        valid = league_file(app)

    @contextmanager
    def claims() -> Iterator[Callable[[bytes], None]]:
        with new_book() as app:
            empty = contents(app)

            def claim(data: bytes) -> None:
                try:
                    with app.app_context():
                        bring_in(unpack(data))
                except ArchiveError as error:
                    assert str(error).endswith(".")
                    assert contents(app) == empty
                    return
                with app.app_context():
                    (league,) = db.session.scalars(select(LeagueRow.public_id))
                    once = pack(read_archive(db.session(), league))
                with new_book() as other, other.app_context():
                    bring_in(unpack(once))
                    assert pack(read_archive(db.session(), league)) == once
                clear(app)

            def tidy(data: bytes) -> None:
                try:
                    claim(data)
                except BaseException:
                    clear(app)
                    raise

            yield tidy

    assert fuzz(files(valid), claims)


def clear(app: Flask) -> None:
    """Delete all rows of the database except those in the tables `alembic_version` and `installation`.

    A new database has only rows in these two tables.
    """
    with app.app_context():
        engine = db.engine
        raw = engine.raw_connection()
        try:
            cursor = raw.cursor()
            cursor.execute("PRAGMA foreign_keys = OFF")
            triggers = cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _sql in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                if name not in {"alembic_version", "installation", "sqlite_sequence"}:
                    cursor.execute(f'DELETE FROM "{name}"')
            for _name, sql in triggers:
                cursor.execute(sql)
            raw.commit()
            cursor.execute("PRAGMA foreign_keys = ON")
        finally:
            raw.close()
