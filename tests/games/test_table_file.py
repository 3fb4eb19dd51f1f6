"""The home table's file, which one phone exports and another phone imports without changing any numbers."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.services.table_file import MOST_BYTES, MOST_MARKS, pack, read_table
from scorekeeper.games.services.table_transfer import import_table
from scorekeeper.games.store.models import GameRow
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.games.test_new_game_people import start_teams
from tests.games.test_our_table_count import Evenings
from tests.support.game import CLEAN, contents, path_of, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def exported(phone: Phone) -> bytes:
    """Export the phone's home table, and return the exported file."""
    return bytes(phone.get("/table/export").data)


def preview(phone: Phone, data: bytes, status: int = 200) -> Page:
    """Choose a file to import, and return the preview of the import."""
    return phone.submit(
        phone.see("/table/import"), "/table/import", status, table=(io.BytesIO(data), "our-table.jsonl.gz")
    )


def numbers(phone: Phone) -> list[str]:
    """Return the text of the home table's page, followed by the text of each player's page, in order of the names."""
    page = phone.see("/table")
    players = sorted(
        (words(each), str(each.get("href"))) for each in page.one("table", class_="numbers").findall("tbody/tr/th/a")
    )
    return [words(page.one("main")), *(words(phone.see(address).one("main")) for _name, address in players)]


@pytest.mark.slow
def test_an_imported_table_has_the_same_numbers(app: Flask, client: Phone, other: Phone) -> None:
    """An imported home table has the same numbers as the exported one.

    The games include one with a substitute, one conceded, one stopped, one hidden and one in progress.
    """
    Evenings(app, client)
    data = exported(client)
    page = preview(other, data)
    assert "24 games will be added." in page.text
    other.submit(page, "/table/import")
    assert numbers(other) == numbers(client)
    assert read_table(exported(other)).games == read_table(data).games
    hidden = [
        [each.get("href") for each in phone.see("/table/games?show=hidden").all("a", class_="game")]
        for phone in (client, other)
    ]
    assert [len(each) for each in hidden] == [1, 1]


def test_importing_again_adds_only_what_is_new(app: Flask, client: Phone, other: Phone) -> None:
    play_all(client, start(client), CLEAN)
    other.submit(preview(other, exported(client)), "/table/import")
    before = contents(app)
    page = preview(other, exported(client))
    assert "All players and games in this file are already here." in page.text
    assert contents(app) == before
    other.submit(page, "/table/import")
    preview(client, exported(client))
    client.submit(preview(client, exported(client)), "/table/import")
    after = contents(app)
    for table in ("game", "game_event", "player", "home_person", "home_table"):
        assert after[table] == before[table], table
    play_all(client, start(client, ("Ann", "Bob", "Cid", "Eve")), CLEAN)
    other.submit(preview(other, exported(client)), "/table/import")
    assert numbers(other) == numbers(client)


def test_a_series_and_looks_survive(app: Flask, client: Phone, other: Phone) -> None:
    board = play_all(client, start(client), CLEAN)
    board = play_all(client, client.submit(board, f"{board.path}/rematch"), CLEAN)
    ann = next(str(each.get("href")) for each in client.see("/table/people").all("a") if "Ann" in words(each))
    client.submit(client.see(ann), ann, name="Anna", color="blue", emoji="🦊")
    other.submit(preview(other, exported(client)), "/table/import")
    assert "won: Anna and Cid 1, Bob and Dee 0" in other.see("/table").text
    assert read_table(exported(other)).people == read_table(exported(client)).people


def test_notes_teams_substitutes_and_new_names_survive(client: Phone, other: Phone) -> None:
    """Notes, team names, substitutes and changed names survive an export and import of the home table."""
    board = play_all(client, start_teams(client), CLEAN[:2])
    game = path_of(board)
    client.submit(client.see(f"{game}/hands/3/note"), f"{game}/hands/3/note", note="the deuce!")
    board = client.submit(client.see(f"{game}/table"), f"{game}/seats", seat=1, name="Eve")
    board = play_all(client, board, CLEAN[2:])
    dee = next(str(each.get("href")) for each in client.see("/table/people").all("a") if "Dee" in words(each))
    client.submit(client.see(dee), dee, name="Deirdre")
    data = exported(client)
    other.submit(preview(other, data), "/table/import")
    assert read_table(exported(other)) == read_table(data)
    (copied,) = [path_of(other.see(str(each.get("href")))) for each in other.see("/table").all("a", class_="game")]
    here = client.get(f"{game}/record.json").get_json()
    assert here["players"] == ["Ann", "Eve", "Cid", "Deirdre"]
    assert [each["note"] for each in here["x_hand_notes"]] == ["the deuce!"]
    there = other.get(f"{copied}/record.json").get_json()
    assert there == here
    assert numbers(other) == numbers(client)


def lines_of(data: bytes) -> list[dict[str, Any]]:
    """Return the lines of an exported file, each parsed from JSON."""
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


def change(line: int, **values: object) -> Callable[[list[dict[str, Any]]], object]:
    """Return a function that sets `values` in one line of an exported file.

    `line` is the line's index. The function gets the list of all lines, each parsed from JSON.
    """
    return lambda lines: lines[line].update(values)


HOSTILE: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "another format": change(0, format="scorekeeper-table/2"),
    "no id": change(0, table=None),
    "a long name": change(1, name="x" * 41),
    "a color that is none": change(1, color="javascript"),
    "an emoji that is markup": change(1, emoji="<b>"),
    "a photo that is no base64": change(1, photo="%%%"),
    "merged into nobody": change(1, joined_into="nobody"),
    "merged into oneself": lambda lines: lines[1].update(joined_into=lines[1]["person"]),
    "one person twice": lambda lines: lines.insert(1, dict(lines[1])),
    "two people of one name": change(2, name="Ann"),
    "a stranger at the game": change(-1, people=["a", "b", "c", "d"]),
    "one person on two seats": lambda lines: lines[-1].update(people=[lines[-1]["people"][0]] * 4),
    "a time without a zone": change(-1, started_at="2026-11-19T20:00:00"),
    "a time before the start": change(-1, updated_at="2001-01-01T00:00:00+00:00"),
    "a game without hands": lambda lines: lines[-1]["record"].pop("hands"),
    "an impossible bid": lambda lines: lines[-1]["record"]["hands"][0].update(bid=99),
    "a substitute on no seat": lambda lines: lines[-1].update(changes=[[1, 9, "Eve", lines[1]["person"]]]),
    "a substitute of no shape": change(-1, changes=[[1]]),
    "team names for other sides": change(-1, side_names=["a"]),
    "one game twice": lambda lines: lines.append(dict(lines[-1])),
    "an id with a slash": change(-1, game="../../etc"),
}


@pytest.mark.slow
@pytest.mark.parametrize("spoil", HOSTILE.values(), ids=HOSTILE)
def test_a_spoiled_file_is_refused(client: Phone, spoil: Callable[[list[dict[str, Any]]], object]) -> None:
    play_all(client, start(client), CLEAN)
    lines = lines_of(exported(client))
    read_table(pack(lines))
    spoil(lines)
    with pytest.raises(RuleViolation):
        read_table(pack(lines))


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"x", b"\x1f\x8bdamaged", b"[]", b"{}", b"null\n", b"[" * 100_000),
        gzip.compress(b"0" * (MOST_BYTES + 1)),
        gzip.compress(b"[" + b"[]," * MOST_MARKS + b"[]]"),
    ],
    ids=["empty", "text", "gzip", "list", "object", "null", "deep", "bomb", "many empty lists"],
)
def test_a_file_that_is_no_table_changes_nothing(app: Flask, client: Phone, data: bytes) -> None:
    before = contents(app)
    page = preview(client, data, 422)
    assert "Nothing was imported." in page.text
    if not data:
        assert "That file is empty." in page.text
        record = client.submit(client.see("/"), "/games/import", 422, record=(io.BytesIO(), "game.json"))
        assert "That file is empty. Choose another one. Nothing was imported." in record.text
    assert contents(app) == before


def test_games_that_follow_each_other_in_a_circle_do_not(app: Flask, client: Phone, other: Phone) -> None:
    play_all(client, start(client), CLEAN)
    play_all(client, start(client), CLEAN)
    lines = lines_of(exported(client))
    one, two = (line["game"] for line in lines[-2:])
    lines[-2]["rematch_of"], lines[-1]["rematch_of"] = two, one
    with app.app_context():
        import_table(file=read_table(pack(lines)), device="somebody")
        rows = db.session.scalars(select(GameRow).where(GameRow.device == "somebody").order_by(GameRow.id)).all()
        assert [row.rematch_of for row in rows] == [None, rows[0].id]
