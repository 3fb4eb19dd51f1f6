"""A score book, an archive and a phone of the version before logs held ids: everything shows as it did there.

`old_book/make.py` made them with the code of the commit that `shown.json` names.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from flask_migrate import downgrade, upgrade
from sqlalchemy import MetaData, create_engine, func, inspect, select, text

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.db.schema_version import newest_revision
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueTextRow, PersonRow, SeatRow, TableRow
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.ops.boot import boot
from scorekeeper.rules.record import read_record
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.rules.client import RULES_JS
from tests.support import databases
from tests.support.game import contents
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

BOOK = Path(__file__).parent / "old_book"
SHOWN: dict[str, Any] = json.loads((BOOK / "shown.json").read_text())
RENAMED = ("Cid", "Cid Ames")
"""Who was renamed between the two nights: a line that only says who it was has the name of now."""

pytestmark = pytest.mark.database


def put_there(folder: Path) -> None:
    """Give `folder` the score book as the older version left it, on the database that is chosen."""
    data = lzma.decompress((BOOK / "scorekeeper.db.xz").read_bytes())
    if not databases.on_postgresql():
        (folder / "scorekeeper.db").write_bytes(data)
        return
    databases.variables_for(folder)
    (folder / "source.db").write_bytes(data)
    app = create_app(settings_in(folder))
    with app.app_context():
        upgrade(revision="0016")
        source, tables = create_engine(f"sqlite:///{folder / 'source.db'}"), MetaData()
        tables.reflect(source)
        with source.connect() as there, db.engine.begin() as here:
            for table in tables.sorted_tables:
                rows = [_aware(dict(row)) for row in there.execute(select(table)).mappings()]
                if rows and table.name != "alembic_version":
                    here.execute(table.insert(), rows)
                if "id" in table.c:
                    here.execute(text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), 10000)"))
        db.engine.dispose()


def _aware(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value.replace(tzinfo=UTC) if isinstance(value, datetime) else value for key, value in row.items()}


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Flask]:
    """Yield the score book of the older version, which this one brought forward as it starts."""
    folder = tmp_path / "old"
    folder.mkdir()
    put_there(folder)
    boot(settings_in(folder))
    app = create_app(settings_in(folder))
    app.testing = True
    app.test_client_class = Phone
    yield app
    with app.app_context():
        db.engine.dispose()
    databases.drop_book(folder)


@pytest.fixture
def phone(old: Flask) -> Phone:
    """Return the phone that all of it belongs to."""
    phone = old.test_client()
    assert isinstance(phone, Phone)
    phone.set_cookie(COOKIE, SHOWN["word"])
    return phone


def read(phone: Phone, path: str) -> str:
    """Return what is at an address."""
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status)
    return str(answer.data.decode("utf-8-sig"))


def as_now(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return lines of the log as they read where somebody has another name since."""
    before, after = RENAMED
    (change,) = [number for number, line in enumerate(lines) if line["what"].startswith("Cid changed")]
    return [
        {key: re.sub(rf"\b{before}\b(?! Ames)", after, said) if number < change else said for key, said in line.items()}
        for number, line in enumerate(lines)
    ]


def test_every_game_has_its_totals_its_record_and_its_log(phone: Phone) -> None:
    """Five presets, house rules, a correction, an undo, an adjustment; and the record reads."""
    assert len(SHOWN["games"]) == 5
    for game, told in SHOWN["games"].items():
        assert json.loads(read(phone, f"/games/{game}/kit.json"))["state"]["totals"] == told["totals"]
        record = json.loads(read(phone, f"/games/{game}/record.json"))
        assert record == told["record"]
        read_record(record)
        assert json.loads(read(phone, f"/games/{game}/log.json")) == told["log"]


def test_the_league_has_its_standings_and_its_log_the_same_sentences(phone: Phone) -> None:
    """But that somebody who was renamed is called as they are now; the line that says so has both names."""
    assert read(phone, f"/seasons/{SHOWN['season']}/people.csv") == SHOWN["standings"]
    log = json.loads(read(phone, f"/leagues/{SHOWN['league']}/log.json"))
    assert log == as_now(SHOWN["log"])
    assert len({line["what"] for line in SHOWN["log"]}) > 35
    rows = list(csv.DictReader(io.StringIO(read(phone, f"/leagues/{SHOWN['league']}/log.csv"))))
    said = list(csv.DictReader(io.StringIO(SHOWN["log_csv"])))
    assert [row["When (UTC)"] for row in rows] == [row["When (UTC)"] for row in said]
    assert [row["What"] for row in rows] == [line["what"] for line in log]
    assert not phone.get(f"/leagues/{SHOWN['league']}/log").text.count("?1")


def test_no_line_holds_a_name_and_no_form_counts_twice(old: Flask) -> None:
    with old.app_context():
        names = db.session.scalars(select(PersonRow.name)).all()
        lines = db.session.scalars(select(LeagueEventRow)).all()
        held = json.dumps([line.data for line in lines], ensure_ascii=False)
        assert not [name for name in (*names, "Cid", "Fire Hall", "High set", "Max") if f'"{name}"' in held]
        assert not any("tap" in line.data for line in lines)
        keyed = {line.kind for line in lines if line.request_key}
        assert keyed == {"season_opened", "swapped", "cards_made", "amount_noted", "made_anonymous"}
        of_cid = select(LeagueTextRow.text).join(PersonRow, PersonRow.id == LeagueTextRow.person_id)
        assert set(db.session.scalars(of_cid.where(PersonRow.name == "Cid Ames"))) == {"Cid", "Cid Ames", "Ames"}
        unknown = select(func.count()).where(LeagueTextRow.key.startswith("?"))
        assert db.session.scalar(unknown) == 0


def test_players_at_tables_of_the_league_are_its_people(old: Flask) -> None:
    """By their seats, under another name too; who took a seat over, by name; and the same at a game played again."""
    with old.app_context():
        seats = select(SeatRow.seat, SeatRow.person_id, GameRow.id).join(TableRow, TableRow.id == SeatRow.table_id)
        played = db.session.execute(seats.join(GameRow, GameRow.id == TableRow.game_id).where(GameRow.hands > 0)).all()
        (game,) = {game for _seat, _person, game in played}
        sat = {seat: person for seat, person, _game in played}
        row = db.session.get_one(GameRow, game)
        there = [db.session.get_one(PlayerRow, player) for player in row.players]
        ids = dict(db.session.execute(select(PersonRow.name, PersonRow.id)).all())
        assert [player.name for player in there] == ["Left", "Bobby", "Eve", "Ida"]
        assert [player.person_id for player in there] == [sat[0], sat[1], ids["Eve"], ids["Ida"]]
        again = db.session.scalars(select(GameRow).where(GameRow.rematch_of == game)).one()
        assert again.players == row.players
        alone = select(GameRow).where(GameRow.public_id.in_(SHOWN["games"]))
        nobody = [player for each in db.session.scalars(alone) for player in each.players]
        assert not any(db.session.get_one(PlayerRow, player).person_id for player in nobody)


def test_somebody_of_then_is_made_anonymous_and_no_log_is_written(old: Flask, phone: Phone) -> None:
    """Ida, who was named in the log, sat at a table and took over a seat."""
    with old.app_context():
        ida = db.session.scalars(select(PersonRow.public_id).where(PersonRow.name == "Ida")).one()
        before = [
            (line.id, line.data) for line in db.session.scalars(select(LeagueEventRow).order_by(LeagueEventRow.id))
        ]
    path = f"/people/{ida}/anonymous"
    phone.submit(phone.see(path), path, reason="asked")
    with old.app_context():
        lines = db.session.scalars(select(LeagueEventRow).order_by(LeagueEventRow.id)).all()
        assert [(line.id, line.data) for line in lines][:-1] == before
        assert not db.session.scalars(select(PlayerRow).where(PlayerRow.name == "Ida")).all()[2:]
    log = read(phone, f"/leagues/{SHOWN['league']}/log.json")
    assert "N. N. 2" in log
    assert "Ida" not in log


def test_an_older_phone_sends_the_hand_that_it_kept(phone: Phone) -> None:
    """What it knows of the state is what it gets now, and the hand it scored by that is written down."""
    kept, game = SHOWN["phone"]["state"], SHOWN["phone"]["game"]
    fresh = json.loads(read(phone, f"/games/{game}/kit.json"))["state"]
    for now, then in ((fresh["rules"], kept["rules"]), (fresh, kept | {"rules": fresh["rules"]})):
        assert {key: now[key] for key in then} == then, "an older phone counts on what its state holds"
    hand = {
        "dealer": kept["dealer"],
        "bidder": 0,
        "bid": 4,
        "points": dict.fromkeys(("high", "low", "jack", "game"), 0),
    }
    token = json.loads(read(phone, f"/games/{game}/waiting"))["token"]
    sent = {"version": kept["version"], "hands": [{"id": "older-phone-0001", "number": kept["number"], "hand": hand}]}
    answer = phone.post(f"/games/{game}/waiting", json=sent, headers={"X-CSRFToken": token})
    assert answer.status_code == 200, answer.text
    assert answer.json is not None
    totals = answer.json["state"]["totals"]
    assert totals == [kept["totals"][0] + 4, kept["totals"][1]]
    assert scored(kept, hand) == totals


def scored(state: dict[str, Any], hand: dict[str, Any]) -> list[int]:
    """Return the totals after a hand as the phone's script of now adds it to a state of then."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node to run the phone's script")
    code = (
        f"import {{ scoreHand }} from 'data:text/javascript,{quote(RULES_JS.read_text())}';"
        f"console.log(JSON.stringify(scoreHand({json.dumps(state)}, {json.dumps(hand)}).totals))"
    )
    done = subprocess.run([node, "--input-type=module", "-e", code], check=True, capture_output=True)
    totals: list[int] = json.loads(done.stdout)
    return totals


def test_an_archive_of_then_is_taken_in_with_the_same_log(app: Flask, phone: Phone) -> None:
    """Into a score book of its own, and what leaves it again is an archive of now, which comes in as well."""
    data = (BOOK / "league.zip").read_bytes()
    with app.app_context():
        bring_in(unpack(data))
        packed = pack(read_archive(db.session(), SHOWN["league"]))
        assert pack(unpack(packed)) == packed
        players = db.session.scalars(select(PlayerRow)).all()
        assert all(player.person_id is not None for player in players)
    reader = app.test_client()
    theirs, ours = (json.loads(reader_.get(f"/leagues/{SHOWN['league']}/log.json").text) for reader_ in (reader, phone))
    assert [line["what"] for line in theirs] == [line["what"] for line in ours]
    assert reader.get(f"/seasons/{SHOWN['season']}/people.csv").data.decode("utf-8-sig") == SHOWN["standings"]


def test_the_way_back_gives_the_lines_their_names_again(old: Flask) -> None:
    """And forward once more, the same rows; only by which form they were written is not known any more."""
    after, lines = contents(old), log_of(old)
    with old.app_context():
        db.session.remove()
        downgrade(revision="0016")
        with db.engine.connect() as connection:
            rows = connection.execute(text("SELECT kind, reason FROM league_event ORDER BY id")).all()
            columns = {column["name"] for column in inspect(connection).get_columns("league_event")}
        assert ("night_reopened", "a slip of Dee") in [tuple(row) for row in rows]
        assert "request_key" not in columns
        upgrade(revision=newest_revision())
    again = contents(old)
    assert again | {"league_event": []} == after | {"league_event": []}
    assert log_of(old) == lines


def log_of(app: Flask) -> list[tuple[Any, ...]]:
    """Return the lines of all logs of leagues, without the keys of forms."""
    query = text("SELECT id, league_id, night_id, device, account_id, kind, data FROM league_event ORDER BY id")
    with app.app_context():
        return [tuple(row) for row in db.session.execute(query)]
