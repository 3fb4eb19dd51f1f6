"""A league exported as one file and imported into an empty database keeps its standings and pages."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import func, select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.cli.app import main
from scorekeeper.games.services import hands, scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.calendar import service
from scorekeeper.leagues.calendar.settings import Details, GivenAnswer
from scorekeeper.leagues.core.access import season_at
from scorekeeper.leagues.core.models import LeagueRow, PaymentRow, PersonRow, PlannedRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.nights import closing, seating, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.transfer.archive import ArchiveError, bring_in, pack, read_archive, unpack
from scorekeeper.rules.commands import EnterHand, Undo
from scorekeeper.rules.record import read_record
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.fuzz.test_offline_sync import logs_tell
from tests.support import databases
from tests.support.directors import sign_up
from tests.support.game import contents
from tests.support.league_night import DIRECTOR, NAMES, WORD, Hall, open_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

NOTE = "Bob had all four."


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with a closed and an open night.

    The league has hands, final scores, a bye, a substitute, a merged person, planned nights and payments.
    """
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    hall.check_in(*NAMES)
    hall.draw()
    with app.app_context():
        seating.set_sub(night=hall.night, person=hall.people["Ann"], regular=_added(hall, "=Zed"), device=DIRECTOR)
        for table in hall.tables():
            if table.number == 1:
                _play(hall, hall.night, table.id)
            else:
                tables.tell_result(night=hall.night, table=table.id, totals=(21, 9 + table.number), device=DIRECTOR)
                tables.tell_sets(night=hall.night, table=table.id, sets=(0, table.number), device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        people.merge_people(person=_added(hall, "Bobby"), into=hall.people["Bob"], device=DIRECTOR)
        _plan(hall)
        _pay(hall)
        second = nights.open_night(season=hall.season, day=hall.row().day.replace(day=8), device=DIRECTOR)
        nights.check_in(night=second, people=[hall.people[name] for name in NAMES[:4]], device=DIRECTOR)
        nights.draw(night=second, device=DIRECTOR, seed=3)
    return hall


def _added(hall: Hall, name: str) -> str:
    return people.add_people(league=hall.league, people=[PersonData(name=name)], device=DIRECTOR)[0]


def _plan(hall: Hall) -> None:
    """Plan two nights, enter for both that Ann sends a substitute, and cancel the second night."""
    for day in (8, 15):
        at = Details(day=date(2026, 9, day), starts=19 * 60, place="Legion Hall")
        service.plan_nights(season=hall.season, days=[at.day], told=at, zone="America/Denver", device=DIRECTOR)
        planned = db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id.desc())).first() or ""
        given, then = GivenAnswer("substitute", "Bob", "knee"), datetime(2026, 9, 1, tzinfo=UTC)
        service.answer_for(planned=planned, person=hall.people["Ann"], told=given, device=DIRECTOR, now=then)
    service.set_state(planned=planned, state="canceled", device=DIRECTOR)


def _pay(hall: Hall) -> None:
    """Enter a payment, and reverse it."""
    now = datetime(2026, 9, 2, tzinfo=UTC)
    to: dict[str, Any] = {"season": hall.season, "device": DIRECTOR, "now": now}
    payments.save_payment(**to, people=[hall.people["Ann"]], cents=500, day=now.date(), what="cash")
    payments.correct_payment(**to, payment=db.session.scalars(select(PaymentRow.id)).one())


def _play(hall: Hall, night: str, table: int) -> None:
    """Play six hands at a table, after a wrong hand that is undone, and write a note on the second hand."""
    game = tables.start_table(night=night, table=table, device=DIRECTOR, client_id="tap-of-a-table")
    hand = {"bidder": 0, "bid": 4, "points": dict.fromkeys(("high", "low", "jack", "game"), 0)}
    wrong = {"bidder": 1, "bid": 3, "points": dict.fromkeys(("high", "low", "jack", "game"), 0)}
    sharing.make_link(public_id=game, device=DIRECTOR)
    scoring.act(public_id=game, command=EnterHand(wrong), request=ClientRequest(DIRECTOR, "wrong", None))
    scoring.act(public_id=game, command=Undo(), request=ClientRequest(DIRECTOR, "undone", None))
    for number in range(6):
        told = ClientRequest(DIRECTOR, f"hand-{number}", None)
        played = scoring.act(public_id=game, command=EnterHand(hand), request=told)
    seq, sent = played.hands[1].entry.seq, ClientRequest(DIRECTOR, "noted", None)
    hands.write_note(public_id=game, seq=seq, text=NOTE, request=sent)


def _packed(app: Flask, league: str) -> bytes:
    with app.app_context():
        return pack(read_archive(db.session(), league))


def _standings(app: Flask, season: str) -> str:
    """Return the standings as text with public ids, which can be compared between databases."""
    with app.app_context():
        standings = season_standings(db.session(), season_at(db.session(), season))
        text = repr(standings.people)
        for person in sorted(standings.roster.people, reverse=True):
            text = text.replace(f"unit=({person},)", f"unit={standings.roster.tags[person]}")
            text = text.replace(f"units=(({person},)", f"units=({standings.roster.tags[person]}")
        return text


def _import(app: Flask, data: bytes) -> str:
    with app.app_context():
        return bring_in(unpack(data))


@pytest.mark.slow
def test_imported_league_is_the_same(app: Flask, elsewhere: Flask, hall: Hall) -> None:
    """An imported league has the same standings and pages, and exporting it again gives the same bytes."""
    packed = _packed(app, hall.league)
    assert _import(elsewhere, packed) == hall.league
    assert _standings(elsewhere, hall.season) == _standings(app, hall.season)
    assert _packed(elsewhere, hall.league) == packed
    logs_tell(elsewhere)
    there = elsewhere.test_client()
    there.set_cookie(COOKIE, WORD)
    ann = f"/people/{hall.people['Ann']}"
    with app.app_context():
        game = next(table.game for table in tables_of(db.session(), hall.row()) if table.number == 1)
    log = f"/games/{game}/log"
    assert "Score link created." in _text(there.get(log))
    assert NOTE in _text(there.get(f"/games/{game}/sheet"))
    pages = (f"/seasons/{hall.season}", f"/seasons/{hall.season}/people.csv", ann, f"{hall.path}/desk", log)
    for path in (*pages, f"/games/{game}", f"/games/{game}/sheet"):
        assert _text(there.get(path)) == _text(hall.desk.get(path)), path


@pytest.mark.usefixtures("open_sign_up")
def test_the_history_names_directors_after_an_import(
    app: Flask, elsewhere: Flask, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """Their accounts stay behind. The names are those that the owner entered, not those of accounts."""
    hall, rita = open_hall(app, client), new_phone()
    roles = hall.desk.see(f"/leagues/{hall.league}/roles")
    made = hall.desk.submit(roles, f"/leagues/{hall.league}/invitations", 200, called="Rita", role="director")
    (link,) = [str(field.get("value")) for field in made.all("input", type="url")]
    sign_up(rita, "rita.b")
    rita.submit(rita.see(link.removeprefix("http://localhost")), "/invitations")
    rita.submit(rita.see(f"{hall.path}/desk"), f"{hall.path}/people/new", name="Zed")
    sign_up(hall.desk, "owner")
    hall.desk.submit(hall.desk.see(f"/leagues/{hall.league}"), f"/leagues/{hall.league}/account")
    packed = _packed(app, hall.league)
    _import(elsewhere, packed)
    assert _packed(elsewhere, hall.league) == packed
    log = f"/leagues/{hall.league}/log"
    (told,) = {_text(phone.get(log)) for phone in (new_phone(), elsewhere.test_client())}
    assert "Rita checked in Zed" in told
    assert "The signed-in owner saved the league to an account." in told
    assert "rita.b" not in told


def _text(response: TestResponse) -> str:
    """Return the text of a page or file, in a form that can be compared between databases."""
    from tests.support.page import Page

    assert response.status_code == 200
    return Page(response).text if response.mimetype == "text/html" else response.text


def test_archive_has_readable_game_records(app: Flask, hall: Hall) -> None:
    """An archive has one line of JSON for each game, which other programs can read."""
    with zipfile.ZipFile(io.BytesIO(_packed(app, hall.league))) as packed:
        records = [json.loads(line) for line in packed.read("records.jsonl").splitlines()]
    with app.app_context():
        assert len(records) == db.session.scalar(select(func.count()).select_from(GameRow)) == 2
    by_hand = [record for record in map(read_record, records) if record.hands]
    assert [len(record.hands) for record in by_hand] == [6]


def test_csv_cells_are_not_formulas(app: Flask, hall: Hall) -> None:
    """In the archive's CSV files, a name that looks like a formula gets an apostrophe.

    The file of results names the player in each seat.
    """
    with zipfile.ZipFile(io.BytesIO(_packed(app, hall.league))) as packed:
        players = list(csv.DictReader(io.StringIO(packed.read("players.csv").decode("utf-8-sig"))))
        results = list(csv.DictReader(io.StringIO(packed.read("results.csv").decode("utf-8-sig"))))
    assert "'=Zed" in [player["name"] for player in players]
    assert [player["same as"] for player in players if player["name"] == "Bobby"] == ["Bob"]
    assert len(results) == 2
    assert {row["points 1"] for row in results} == {"21", "24"}
    assert all(row[f"player {seat}"] in NAMES for row in results for seat in range(1, 5))


def test_league_is_not_imported_twice(app: Flask, hall: Hall) -> None:
    with pytest.raises(ArchiveError, match="“Fire Hall” is already here"):
        _import(app, _packed(app, hall.league))
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(LeagueRow)) == 1


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    middle = data.index(b"league.json") + 200
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def _told(change: Callable[[dict[str, object]], object]) -> Callable[[bytes], bytes]:
    """Return a function that takes an archive's bytes, and returns them with a changed league.

    `change` gets the data of the league and changes it in place.
    """
    return _packed_anew("league.json", lambda text: json.dumps(_changed(json.loads(text), change)))


def _played(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """Return a function that takes an archive's bytes, and returns them with changed games.

    `change` gets the data of each game and changes it in place.
    """
    return _packed_anew(
        "games.jsonl",
        lambda text: "".join(json.dumps(_changed(json.loads(line), change)) + "\n" for line in text.splitlines()),
    )


def _noted(**change: object) -> Callable[[bytes], bytes]:
    """Return a function that takes an archive's bytes, and returns them with changed fields in each note on a game.

    `change` has the new values of the fields.
    """
    return _played(lambda game: [note.update(change) for note in game["notes"]])


def _changed(told: Any, change: Callable[[Any], object]) -> Any:
    change(told)
    return told


def _packed_anew(part: str, change: Callable[[bytes], str]) -> Callable[[bytes], bytes]:
    """Return a function that takes an archive's bytes, and returns them with another text in the file `part`.

    `change` gets the file's bytes and returns the new text.
    """

    def changed(data: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                text = old.read(name)
                new.writestr(name, change(text) if name == part else text)
        return out.getvalue()

    return changed


def _voided(game: dict[str, Any]) -> None:
    """Add an event to a game's log that deletes a hand without saying which hand."""
    game["log"].append({**game["log"][-1], "client_id": None, "kind": "HandVoided", "data": {"seq": None}})


def _merge_again(people: Any) -> None:
    """Mark each person who remained after a merge as merged into another person, too."""
    kept = {person["merged_into"] for person in people} - {None}
    for person in people:
        if person["id"] in kept:
            person["merged_into"] = next(other["id"] for other in people if other["id"] not in kept)


LATEST = "9999-12-31T23:59:59.999999-12:00"
BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _data: b"", "damaged"),
    "cut": (_cut, "damaged"),
    "flipped": (_flipped, "damaged"),
    "newer": (_told(lambda league: league.update(format="scorekeeper-league/3")), "newer version"),
    "older": (_told(lambda league: league.update(format="scorekeeper-league/1")), "isn't a league file"),
    "other": (_told(lambda league: league.update(format="somebody-else/1")), "isn't a league file"),
    "missing": (_told(lambda league: league.pop("seats")), "damaged"),
    "dangling": (_told(lambda league: league["seats"][0].update(person_id=999)), "damaged"),  # type: ignore[index]
    "mistyped": (_told(lambda league: league["nights"][0].update(number="one")), "damaged"),  # type: ignore[index]
    "nobody there": (_told(lambda league: league["seats"].clear()), "damaged"),  # type: ignore[attr-defined]
    "half an end": (_told(lambda league: league["tables"][0].update(sets=None)), "damaged"),  # type: ignore[index]
    "a side too many": (_told(lambda league: league["tables"][0].update(points=[1, 2, 3])), "damaged"),  # type: ignore[index]
    "nobody's win": (_told(lambda league: league["tables"][0].update(winner=2)), "damaged"),  # type: ignore[index]
    "no moment": (_noted(at="yesterday"), "damaged"),
    "no beginning": (_played(lambda game: game["log"].pop(0)), "damaged"),
    "begun twice": (_played(lambda game: game["log"].append(game["log"][0])), "damaged"),
    "beyond all time": (_told(lambda league: league["log"][0].update(at=LATEST)), "damaged"),  # type: ignore[index]
    "noted beyond it": (_noted(at=LATEST), "damaged"),
    "a note beyond it": (_played(lambda game: game.update(hand_notes=[[99, "far"]])), "damaged"),
    "two notes on a hand": (_played(lambda game: game.update(hand_notes=[[3, "one"], [3, "two"]])), "damaged"),
    "a long note": (_played(lambda game: game.update(hand_notes=[[3, "x" * 201]])), "damaged"),
    "nothing said": (_played(_voided), "damaged"),
    "no kind": (_noted(kind="x" * 41), "damaged"),
    "a control character": (_told(lambda league: league["league"].update(name="Fire\x08")), "damaged"),  # type: ignore[attr-defined]
    "two lines": (_told(lambda league: league["league"].update(name="Fire\rX:1")), "damaged"),  # type: ignore[attr-defined]
    "half a character": (_told(lambda league: league["people"][0].update(notes="\ud800")), "damaged"),  # type: ignore[index]
    "no XML": (_told(lambda league: league["people"][0].update(notes="\uffff")), "damaged"),  # type: ignore[index]
    "planned too late": (_told(lambda league: league["planned"][0].update(day="9999-05-01")), "damaged"),  # type: ignore[index]
    "planned too early": (_told(lambda league: league["planned"][0].update(day="0001-01-01")), "damaged"),  # type: ignore[index]
    "merged into themselves": (_told(lambda league: league["people"][0].update(merged_into=1)), "damaged"),  # type: ignore[index]
    "merged in a chain": (_told(lambda league: _merge_again(league["people"])), "damaged"),
    "too long": (_told(lambda league: league["people"][0].update(name="x" * 41)), "damaged"),  # type: ignore[index]
    "twice": (
        _told(lambda league: league["people"][0].update(league["people"][1], id=1)),  # type: ignore[index]
        "already here, or the file is damaged",
    ),
}


@pytest.mark.slow
def test_damaged_file_is_refused(app: Flask, elsewhere: Flask, hall: Hall) -> None:
    """A damaged archive is refused with an error message, and nothing is imported."""
    packed = _packed(app, hall.league)
    for how, (spoil, why) in BAD.items():
        with pytest.raises(ArchiveError, match=why):
            _import(elsewhere, spoil(packed))
        with elsewhere.app_context():
            left = [db.session.scalar(select(func.count()).select_from(model)) for model in (LeagueRow, GameRow)]
        assert left == [0, 0], how


def test_notes_of_several_lines_and_joined_emoji_are_imported(app: Flask, elsewhere: Flask, hall: Hall) -> None:
    """An archive can have notes with line breaks and joined emoji, because people can type these in the app."""
    notes = "555-0101\nbrings chips \U0001f469\u200d\U0001f9b0"
    change = _told(lambda league: league["people"][0].update(notes=notes))  # type: ignore[index]
    _import(elsewhere, change(_packed(app, hall.league)))
    with elsewhere.app_context():
        assert notes in db.session.scalars(select(PersonRow.notes)).all()


def test_only_owners_export_a_league(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Only owners can export a league, because the exported file has the notes on people."""
    path = f"/leagues/{hall.league}/archive.zip"
    assert new_phone().get(path).status_code == 403
    response = hall.desk.get(path)
    assert response.mimetype == "application/zip"
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert response.headers["Content-Disposition"] == f'attachment; filename="fire-hall-{today}.zip"'
    assert unpack(response.data).head["name"] == "Fire Hall"


@pytest.mark.slow
def test_commands_move_a_league_to_another_database(
    app: Flask, elsewhere: Flask, hall: Hall, tmp_path: Path, new_phone: Callable[[], Phone]
) -> None:
    """A league can be moved to another database with the export and import commands.

    The import prints a link that gives a device the right to run the league. The link works once.
    """
    file = tmp_path / "league.zip"
    run = CliRunner()
    saved = run.invoke(main, ["export-league", hall.league, str(file)], env=_env(tmp_path))
    assert saved.exit_code == 0, saved.output
    assert "already exists" in run.invoke(main, ["export-league", hall.league, str(file)], env=_env(tmp_path)).output
    folder = tmp_path / "elsewhere"
    came = run.invoke(main, ["import-league", str(file)], env=_env(folder))
    assert came.exit_code == 0, came.output
    assert "Imported “Fire Hall”: 2 games." in came.output
    path = came.output.split("open ")[1].split(" there")[0]
    phone = elsewhere.test_client()
    assert isinstance(phone, Phone)
    page = phone.submit(phone.see(path), path)
    assert page.path == f"/leagues/{hall.league}"
    assert phone.get(f"{hall.path}/desk").status_code == 200
    assert phone.get(path).status_code == 404
    again = run.invoke(main, ["import-league", str(file)], env=_env(folder))
    assert again.exit_code == 1
    assert "is already here" in again.output


def _env(folder: Path) -> dict[str, str | None]:
    return {
        "SCOREKEEPER_INSTANCE": str(folder),
        "SECRET_KEY": settings_in(folder).secret_key,
        "DATABASE_URL": databases.url_for(folder),
    }


def _spoilt(data: bytes, part: str, key: str, value: object) -> bytes:
    """Return an archive's bytes with one value replaced by `value`.

    The value is at `key` in the first row of the list `part` of the league's data. If `part` is "game", the value is in
    the first event of the first game's log.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    if part == "game":
        first, *others = files["games.jsonl"].splitlines()
        game = json.loads(first)
        game["log"][0][key] = value
        files["games.jsonl"] = b"\n".join([json.dumps(game).encode(), *others])
    else:
        told = json.loads(files["league.json"])
        told[part][0][key] = value
        files["league.json"] = json.dumps(told).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return file.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("game", "device", ["a phone"]),
        ("game", "device", "x" * 65),
        ("game", "device", "a\0b"),
        ("game", "received_at", "2026-09-01T19:00:00"),
        ("game", "data", {"hand": {"points": [1]}}),
        ("tables", "points", ["21", 9]),
        ("tables", "sets", 1),
        ("tables", "round", 10**30),
        ("tables", "confirmed", {"0": "21"}),
        ("seats", "seat", 3),
        ("seasons", "counting", {"order": "by luck"}),
        ("seasons", "plan", []),
        ("nights", "plan", {"rounds": 0}),
        ("log", "data", "nothing"),
    ],
)
def test_file_with_a_wrong_value_is_refused(
    app: Flask, elsewhere: Flask, hall: Hall, part: str, key: str, value: object
) -> None:
    """An archive is refused if one of its values would break pages, and nothing is imported."""
    before = contents(elsewhere)
    with pytest.raises(ArchiveError, match="damaged"):
        _import(elsewhere, _spoilt(_packed(app, hall.league), part, key, value))
    assert contents(elsewhere) == before
