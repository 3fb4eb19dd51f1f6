"""Upgrading an older version's database loses nothing, and an archive and a phone of that version still work.

That version wrote people's names instead of their ids into the logs. `old_book/make.py` made the older version's files
in the folder `old_book`, with the code of the commit named in `shown.json`.
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
ADDED_SINCE: tuple[str, ...] = ("Random draw",)
"""Headings in CSV files (`Column.name`) of the columns that the older version didn't have."""
RENAMED = ("Cid", "Cid Ames")
"""Old and new name of a player who was renamed between the two nights. The upgraded log shows only the new name."""
FACTS = re.compile(
    r"\b(?:Fire Hall|2026/27|Old|High set|N\. N\. 1|Cid Ames|Ann|Annie|Bob|Cid|Dee|Eve|Fay|Gus|Hal|Ida|Moe|Xia|Max|Ivy"
    r"|helper|director)(?!\w)|\d+"
)
"""The names, roles and numbers in a sentence of the history."""

pytestmark = pytest.mark.database


def put_there(folder: Path) -> None:
    """Write the older version's database into `folder`, or load it into PostgreSQL if the tests run on PostgreSQL."""
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
    """Yield an app that has upgraded the older version's database at startup."""
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
    """Return the phone that owns the games and the league."""
    phone = old.test_client()
    assert isinstance(phone, Phone)
    phone.set_cookie(COOKIE, SHOWN["word"])
    return phone


def read(phone: Phone, path: str) -> str:
    """Return the content of the page or file at `path`."""
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status)
    return str(answer.data.decode("utf-8-sig"))


def facts(line: dict[str, str]) -> tuple[str, ...]:
    """Return the parts of a log line that stay the same even if the line's wording changes.

    These are the time, the reason and the night, and the names, roles and numbers in the rest of the line.
    """
    found = (sorted(set(FACTS.findall(line[key]))) for key in ("what", "before", "after"))
    return line["at"], line["why"], line["night"], *map(str, found)


def numbers(line: dict[str, str]) -> tuple[str, list[str], list[str]]:
    """Return (time, numbers before the change, numbers after the change) for a line of a game's history.

    The numbers are all numbers in the text of that line, as strings.
    """
    return line["at"], re.findall(r"\d+", line["before"]), re.findall(r"\d+", line["after"])


def as_now(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the lines of a log with the renamed player's new name in the lines from before the renaming."""
    before, after = RENAMED
    (change,) = [number for number, line in enumerate(lines) if line["what"].startswith("Cid changed")]
    return [
        {key: re.sub(rf"\b{before}\b(?! Ames)", after, said) if number < change else said for key, said in line.items()}
        for number, line in enumerate(lines)
    ]


def test_games_keep_totals_record_and_history(phone: Phone) -> None:
    """After the upgrade, all games have the same totals, records and histories.

    The games have five different rulesets, a correction, an undo and an adjustment. Records that the older version
    exported can still be imported.
    """
    assert len(SHOWN["games"]) == 5
    for game, told in SHOWN["games"].items():
        assert json.loads(read(phone, f"/games/{game}/kit.json"))["state"]["totals"] == told["totals"]
        record = json.loads(read(phone, f"/games/{game}/record.json"))
        assert record == told["record"]
        read_record(record)
        log = json.loads(read(phone, f"/games/{game}/log.json"))
        assert [numbers(line) for line in log] == [numbers(line) for line in told["log"]]


def test_league_keeps_standings_and_history(phone: Phone) -> None:
    """After the upgrade, the league has the same standings and history.

    History lines from before a player was renamed show the new name.
    """
    assert rows_of(read(phone, f"/seasons/{SHOWN['season']}/people.csv")) == rows_of(SHOWN["standings"])
    log = json.loads(read(phone, f"/leagues/{SHOWN['league']}/log.json"))
    assert [facts(line) for line in log] == [facts(line) for line in as_now(SHOWN["log"])]
    assert len({line["what"] for line in SHOWN["log"]}) > 35
    rows = list(csv.DictReader(io.StringIO(read(phone, f"/leagues/{SHOWN['league']}/log.csv"))))
    said = list(csv.DictReader(io.StringIO(SHOWN["log_csv"])))
    assert [row["When (UTC)"] for row in rows] == [row["When (UTC)"] for row in said]
    assert [row["What"] for row in rows] == [line["what"] for line in log]
    assert not phone.get(f"/leagues/{SHOWN['league']}/log").text.count("?1")


def rows_of(table: str) -> list[list[str]]:
    """Return the rows of a CSV file without the headings. `table` is the text of the file.

    Columns added since the older version are left out.
    """
    heads, *rows = csv.reader(io.StringIO(table))
    known = len(next(csv.reader(io.StringIO(SHOWN["standings"]))))
    assert len(set(heads) - set(ADDED_SINCE)) == known, "name a new column of the standings in ADDED_SINCE"
    return [[cell for head, cell in zip(heads, row, strict=True) if head not in ADDED_SINCE] for row in rows]


def test_lines_hold_ids_and_form_keys(old: Flask) -> None:
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


def test_players_are_linked_to_people(old: Flask) -> None:
    """The upgrade links players of league games to people of the league.

    Seated players are linked by their seats, and substitutes by name. A rematch has the same players as its first game.
    Players of games outside leagues are linked to nobody.
    """
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


def test_player_from_an_old_log_can_be_made_anonymous(old: Flask, phone: Phone) -> None:
    """A player who is named in the older version's logs can be made anonymous, and the stored log lines don't change.

    Ida is named in the log, sat at a table, and took over a seat.
    """
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


def test_older_phone_can_send_its_hand(phone: Phone) -> None:
    """After the upgrade, a phone that still has the state of the older version can send a hand, and the hand is saved.

    The server's new state has everything that the older state has.
    """
    kept, game = SHOWN["phone"]["state"], SHOWN["phone"]["game"]
    fresh = json.loads(read(phone, f"/games/{game}/kit.json"))["state"]
    for now, then in ((fresh["rules"], kept["rules"]), (fresh, kept | {"rules": fresh["rules"]})):
        assert holds(shape(now), shape(then)), "an older phone needs what its state holds"
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


def holds(now: Any, then: Any) -> bool:
    """Return True if the state `now` has everything that the state `then` has.

    Dicts in `now` may have more keys, and lists under the key "fields" may have more items at the end.
    """
    if isinstance(then, dict):
        known = now | {"fields": now["fields"][: len(then["fields"])]} if "fields" in then else now
        return isinstance(now, dict) and all(key in now and holds(known[key], then[key]) for key in then)
    return bool(now == then)


def shape(value: Any) -> Any:
    """Return a phone's state with "…" instead of each sentence or label, because wording may change."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return "…" if isinstance(value, str) and (" " in value or not value.islower()) else value


def scored(state: dict[str, Any], hand: dict[str, Any]) -> list[int]:
    """Return the totals by side after a hand, as the new script on a phone calculates them from an older state."""
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


def test_older_archive_is_imported_with_its_history(app: Flask, phone: Phone) -> None:
    """An archive that the older version exported can be imported with its history.

    Exported again, the archive has the new format.
    """
    data = (BOOK / "league.zip").read_bytes()
    with app.app_context():
        bring_in(unpack(data))
        packed = pack(read_archive(db.session(), SHOWN["league"]))
        assert pack(unpack(packed)) == packed
        players = db.session.scalars(select(PlayerRow)).all()
        assert all(player.person_id is not None for player in players)
    reader = app.test_client()
    theirs, ours = (json.loads(reader_.get(f"/leagues/{SHOWN['league']}/log.json").text) for reader_ in (reader, phone))
    assert [facts(line) for line in theirs] == [facts(line) for line in ours]
    standings = reader.get(f"/seasons/{SHOWN['season']}/people.csv").data.decode("utf-8-sig")
    assert rows_of(standings) == rows_of(SHOWN["standings"])


def test_downgrade_restores_names_in_the_log(old: Flask) -> None:
    """A downgrade puts people's names back into the reasons in the leagues' log.

    Upgrading again gives the same rows, except for the request keys of forms.
    """
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
    """Return the lines of all leagues' logs, without the request keys of forms."""
    query = text("SELECT id, league_id, night_id, device, account_id, kind, data FROM league_event ORDER BY id")
    with app.app_context():
        return [tuple(row) for row in db.session.execute(query)]
