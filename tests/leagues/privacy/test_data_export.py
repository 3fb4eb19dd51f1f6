"""The export of a player's data, which is complete and names nobody else."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import LeagueEventRow, LeagueTextRow, PersonRow
from scorekeeper.leagues.money import service as purse
from scorekeeper.leagues.nights import closing, seating, service
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.web.extensions import db
from tests.support.known_person import CALLED, NAMES, everything, well_known
from tests.support.league import make_hall

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

NAMES_OF_THEIRS = frozenset(("league_event_text.person_id", "player.person_id"))
"""Database columns that refer to a person in rows that only store a copy of the person's name.

The exported file has each name once, not once for each such row.
"""
POINTS_TO_PEOPLE = {
    "bye.person_id": "byes",
    "bye.sub_for": "byes",
    "league_event_text.person_id": "log",
    "league_money.person_id": "money",
    "league_payment.person_id": "payments",
    "league_seat.person_id": "games",
    "league_seat.sub_for": "games",
    "league_total.person_id": "totals",
    "league_total.sub_for": "totals",
    "lineup.person_id": "teams",
    "night_answer.person_id": "answers",
    "night_answer.sub_id": "answers",
    "person.merged_into": "person",
    "personal_link.person_id": "links",
    "player.person_id": "games",
    "present.person_id": "nights",
    "present.sub_for": "nights",
    "squad_person.person_id": "teams",
}
"""Every column that refers to a person, and the key of the exported data that has its rows."""
NAMES_PEOPLE = {
    "game_event.data": "mentions",
    "league_event_text.text": "log",
    "league_invitation.called": "mentions",
    "league_money.what": "mentions",
    "league_payment.what": "mentions",
    "person.name": "person",
    "person.nickname": "person",
    "person.notes": "person",
    "player.name": "called",
    "season.money": "mentions",
}
"""Every column that may hold a person's name, and the key of the exported data that has its texts."""


def test_every_reference_to_a_person_is_covered(app: Flask) -> None:
    """Every database column that refers to a person is listed in `POINTS_TO_PEOPLE`."""
    with app.app_context():
        pointing = {
            f"{column.table.name}.{column.name}"
            for table in db.metadata.sorted_tables
            for column in table.columns
            for key in column.foreign_keys
            if key.column.table.name == "person"
        }
    assert pointing == set(POINTS_TO_PEOPLE)


@pytest.mark.slow
def test_export_is_complete_and_names_nobody_else(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A player's export has every row about the player and everything written about the player, and names nobody else.

    Only owners can download the export.
    """
    hall = well_known(app, client)
    path = f"{hall.person(NAMES[0])}/data.zip"
    assert new_phone().get(path).status_code == 403
    link = client.see(f"{hall.person(NAMES[0])}/details").one("a", href=path)
    assert "download" in link.attrib
    response = client.get(path)
    assert response.mimetype == "application/zip"
    data, tables = unpacked(response.data)
    named = {where for where, text in everything(hall) if any(name.casefold() in text.casefold() for name in CALLED)}
    assert named - {"league.name", "season.name"} <= set(NAMES_PEOPLE), "another column holds names"
    for where, count in rows_about(app).items():
        if where in NAMES_OF_THEIRS:
            continue
        part = POINTS_TO_PEOPLE[where]
        told = [row for row in data[part] if where != "person.merged_into" or row["merged"]]
        told = [row for row in told if not where.endswith("sub_for") or not row["there"]]
        assert len(told) == count, where
    assert data["called"] == sorted(sorted((*CALLED, NAMES[0].upper())), key=str.casefold)
    assert {row["nickname"] for row in data["person"]} == {"Zuzu", ""}
    assert data["person"][0]["notes"] == "Zuzu sits by the window"
    assert {mention["text"] for mention in data["mentions"]} >= {
        "zuzu’s round",
        "Zuzu showed a card, not …",
        "comes with ZUZU",
        "Zuzu’s pot",
    }
    with app.app_context():
        own = db.session.scalars(select(PersonRow.public_id).where(PersonRow.name.in_(CALLED))).all()
        texts = select(LeagueTextRow.text).where(LeagueTextRow.event_id == LeagueEventRow.id).order_by(LeagueTextRow.id)
        lines = []
        for row in db.session.scalars(select(LeagueEventRow).order_by(LeagueEventRow.id)):
            written = db.session.scalars(texts.where(LeagueEventRow.id == row.id)).all()
            if any(address in json.dumps(row.data) for address in own) or names_them(" ".join(written)):
                lines.append(row.kind)
    assert [line["kind"] for line in data["log"]] == lines
    assert [game["hands"] or len(game["hands_played"]) for game in data["games"]] == [0, 0, 6]
    assert data["statistics"][0]["games"]["games"] == 3
    text = json.dumps(data, ensure_ascii=False) + "".join(tables.values())
    for other in ("Bob", "Cid", "Dee", NAMES[4]):
        assert other not in text, other
    assert len(list(csv.reader(io.StringIO(tables["hands.csv"])))) == 7
    assert [row["season"] for row in csv.DictReader(io.StringIO(tables["games.csv"]))] == ["2026/27"] * 3


def test_export_leaves_out_the_ids_of_others(app: Flask, client: Phone) -> None:
    """In the log lines of a player's export, the ids of partners and substitutes become "…"."""
    hall = make_hall(app, client, ("Ann", "Bob", "Cid", "Dee", "Eve"))
    with hall.book() as who:
        season = hall.season.rpartition("/")[2]
        night = service.open_night(season=season, day=date(2026, 9, 1), device=hall.device)
        service.check_in(night=night, people=list(who.values()), device=hall.device)
        for partner in ("Bob", "Cid"):
            service.set_team(night=night, people=[who["Ann"], who[partner]], device=hall.device)
        service.check_out(night=night, person=who["Ann"], device=hall.device)
        seating.set_sub(night=night, person=who["Eve"], regular=who["Ann"], device=hall.device)
        seating.set_sub(night=night, person=who["Eve"], regular=None, device=hall.device)
    data, tables = unpacked(client.get(f"{hall.person('Ann')}/data.zip").data)
    text = json.dumps(data) + "".join(tables.values())
    assert [name for name, address in who.items() if address in text] == ["Ann"]
    told = {line["kind"]: line["data"] for line in data["log"]}
    assert told["team_set"] == {"people": [who["Ann"], "…"], "before": [[who["Ann"], "…"]]}
    assert [line["kind"] for line in data["log"]].count("sub_set") == 2


@pytest.mark.slow
def test_export_has_the_table_that_they_keep(app: Flask, client: Phone) -> None:
    """A player's export says which table the player keeps for a whole night, but not which tables others keep."""
    hall = make_hall(app, client, ("Ann", "Bob", "Cid", "Dee"))
    with hall.book() as who:
        season = hall.season.rpartition("/")[2]
        night = service.open_night(season=season, day=date(2026, 9, 1), device=hall.device)
        service.check_in(night=night, people=list(who.values()), device=hall.device)
        for name, number in (("Ann", 1), ("Bob", 2)):
            seating.keep_table(night=night, person=who[name], table=number, device=hall.device)
    kept = {}
    for name in ("Ann", "Bob", "Cid"):
        data, _tables = unpacked(client.get(f"{hall.person(name)}/data.zip").data)
        kept[name] = [there["keeps_table"] for there in data["nights"]]
        assert [line["kind"] for line in data["log"]].count("table_kept") == len(kept[name]) - kept[name].count(None)
    assert kept == {"Ann": [1], "Bob": [2], "Cid": [None]}


def test_exported_texts_name_nobody_else(app: Flask, client: Phone) -> None:
    """In a player's export, other players' names become "…" in notes, reasons and names of side pots."""
    fields = {"money-entry_fee": "5", "money-pots": "Bob’s pot 1"}
    hall = make_hall(app, client, ("Ann", "Bob", "Cid", "Dee"), **fields)
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 3)), close=False)
    with hall.book() as who:
        ann, device = who["Ann"], hall.device
        both = [ann, who["Bob"]]
        people.change_person(person=ann, told=PersonData(name="Ann", notes="comes with Bob"), device=device)
        purse.save_pot(night=night, pot="Bob’s pot", entrants=both, winners=[ann], device=device)
        purse.note_amount(night=night, cents=100, reason="Ann lent it to Bob", device=device, tap="noted")
        closing.close_night(night=night, device=device, anyway=True)
    data, tables = unpacked(client.get(f"{hall.person('Ann')}/data.zip").data)
    assert "Bob" not in json.dumps(data) + "".join(tables.values())
    assert data["person"][0]["notes"] == "comes with …"
    assert {"…’s pot"} < {money["what"] for money in data["money"]}
    log = {line["kind"]: line for line in data["log"]}
    assert log["pot_told"]["data"]["pot"] == "…’s pot"
    assert log["amount_noted"]["reason"] == "Ann lent it to …"


def names_them(text: str) -> bool:
    """Return True if the text contains one of the exported player's names.

    Another player's similar name doesn't count.
    """
    return any(name.casefold() in text.replace(NAMES[4], "").casefold() for name in CALLED)


def rows_about(app: Flask) -> dict[str, int]:
    """Return a dict of the number of rows that refer to the exported player or to the merged duplicate.

    The keys are the database columns that refer to people, in the form "table.column".
    """
    with app.app_context():
        first = db.session.scalars(select(PersonRow.id).where(PersonRow.nickname == "Zuzu")).one()
        ids = db.session.scalars(
            select(PersonRow.id).where((PersonRow.id == first) | (PersonRow.merged_into == first))
        ).all()
        assert len(ids) == 2
        tables = db.metadata.tables
        columns = {where: tables[where.partition(".")[0]].c[where.partition(".")[2]] for where in POINTS_TO_PEOPLE}
        return {
            where: len(db.session.execute(select(column).where(column.in_(ids))).all())
            for where, column in columns.items()
        }


def test_exported_cells_are_not_formulas(app: Flask, client: Phone) -> None:
    """In the export's CSV files, a name that looks like a formula gets an apostrophe.

    The player hasn't played a game, so the export has empty lists of games and statistics.
    """
    hall = make_hall(app, client, ("=1+1", "Bob", "Cid", "Dee"))
    data, tables = unpacked(client.get(f"{hall.person('=1+1')}/data.zip").data)
    assert data["person"][0]["name"] == "=1+1"
    cells = [cell for text in tables.values() for line in csv.reader(io.StringIO(text)) for cell in line]
    assert not [cell for cell in cells if cell.startswith("=")]
    assert data["games"] == data["statistics"] == []


def unpacked(file: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the JSON data of an exported file, and a dict of the content of its CSV files by file name."""
    with zipfile.ZipFile(io.BytesIO(file)) as packed:
        texts = {name: packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    data: dict[str, Any] = json.loads(texts.pop("person.json"))
    assert data["format"] == "scorekeeper-person/1"
    return data, texts
