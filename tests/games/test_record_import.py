"""Imports of game records, which are checked completely because anyone can write such a record."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.services.table_file import MOST_LINES
from scorekeeper.rules.presets import PRESETS
from tests.support.game import contents, path_of, sheet, totals
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

RECORD: dict[str, Any] = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
    "hands": [
        {"bidder": 0, "bid": 3, "trump": "H", "points": {"high": 0, "low": 1, "jack": 0, "game": 0}},
        {"bidder": 1, "bid": 2, "taken": [1, 3]},
        {"calls": ["pass", 2, "pass", 3], "trump": "S", "captured": [["AS", "TS", "TH"], ["JS", "2S", "KD"]]},
    ],
}
HAND: dict[str, Any] = RECORD["hands"][0]


def bring_in(phone: Phone, text: str, status: int = 303) -> Page:
    """Paste a record into the import form on the home page, and return the page that follows.

    With status 303, the result is the new game's board. With another `status`, the result is the form with an error.
    """
    return phone.submit(phone.see("/"), "/games/import", status, text=text)


def refusal(page: Page) -> str:
    return words(page.one("p", role="alert"))


def test_a_record_becomes_a_game(client: Phone) -> None:
    """An imported game has the hands of the record and the totals that follow from them."""
    board = bring_in(client, json.dumps(RECORD))
    assert totals(board) == ["6", "1"]
    assert len(sheet(board)) == 3
    assert "Hand 4 Cid deals" in board.text


def test_a_record_that_is_too_long_is_not_read(app: Flask, client: Phone) -> None:
    """A record with more than `MOST_LINES` hands and adjustments in total is refused.

    A game with tens of thousands of thrown-in hands would slow down the server for everyone.
    """
    bidding = {"preset": "setback-21", "options": {"forced_bid": None}}
    adjusted = {"after": 0, "side": 0, "points": 1, "reason": "x"}
    for hands, adjustments in ((MOST_LINES + 1, 0), (0, MOST_LINES + 1), (MOST_LINES, 1)):
        told = {"hands": [{"passed": True}] * hands, "x_adjustments": [adjusted] * adjustments}
        refused = bring_in(client, json.dumps({**RECORD, "ruleset": bidding, **told}), 422)
        assert f"The limit is {MOST_LINES} hands and adjustments together" in refusal(refused)
    assert not contents(app)["game"]
    told = {"hands": [{"passed": True}] * (MOST_LINES - 1), "x_adjustments": [adjusted]}
    whole = {**RECORD, "ruleset": bidding, **told, "abandoned": True}
    assert "No winner" in bring_in(client, json.dumps(whole)).text
    assert contents(app)["game"]


def test_a_file_works_as_well(client: Phone) -> None:
    """A record can be imported from a file, even if a text editor added a byte order mark to the file."""
    form = client.see("/").form("/games/import").values
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        file = (io.BytesIO(json.dumps(RECORD).encode(encoding)), "game.json")
        data = {**form, "client_id": f"file-{encoding}", "record": file}
        response = client.post("/games/import", data=data, content_type="multipart/form-data")
        assert response.status_code == 303
        assert totals(client.see(response.location)) == ["6", "1"]


def test_an_imported_game_belongs_to_this_phone(client: Phone) -> None:
    """The phone that imports a game can score that game and lists it on the home page."""
    board = bring_in(client, json.dumps(RECORD))
    board.form(f"{board.path}/calls")
    assert "Ann and Cid 6" in client.see("/").text


def test_a_final_score_is_a_game_without_hands(client: Phone) -> None:
    record = {key: value for key, value in RECORD.items() if key != "hands"}
    board = bring_in(client, json.dumps(record | {"final": [21, 14]}))
    assert totals(board) == ["21", "14"]
    assert "Final score entered: 21 to 14. Ann and Cid have the high score." in board.text


def test_unknown_fields_are_kept(client: Phone) -> None:
    """A record's name, its dates and its fields that start with x_ are exported unchanged."""
    kept = {"name": "Final", "started": "2024-05-01", "x_table": {"no": [7, None, 1.5]}}
    board = bring_in(client, json.dumps(RECORD | kept))
    record = client.get(f"{board.path}/record.json").get_json()
    assert {key: record[key] for key in kept} == kept


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_records_of_every_game_can_be_imported(client: Phone, preset: str) -> None:
    """A record of any game and any number of players can be imported, and the imported game's pages open."""
    for seating in PRESETS[preset].seatings:
        players = [f"P{seat}" for seat in range(seating.players)]
        calls = {"options": {"called_partner": True}} if PRESETS[preset].may_call and seating.kind == "called" else {}
        ruleset = {"preset": preset, **calls}
        record = {"format": RECORD["format"], "ruleset": ruleset, "players": players, "first_dealer": 0}
        board = bring_in(client, json.dumps({**record, "hands": []}))
        for name in ("", "/log", "/table"):
            client.see(f"{path_of(board)}{name}")


def _with(**fields: Any) -> dict[str, Any]:
    return RECORD | fields


def _hand(**fields: Any) -> dict[str, Any]:
    return _with(hands=[HAND, HAND | fields])


LIES: list[tuple[Any, str]] = [
    ([], "This isn't a game saved by Scorekeeper. Choose a file that “Download game” made."),
    (
        _with(format="scorekeeper-game/2"),
        "This isn't a game saved by Scorekeeper. Choose a file that “Download game” made.",
    ),
    (_with(extra=1), "A saved game has no field “extra”."),
    (_with(**{"<script>": 1}), "A saved game has no field “<script>”."),
    (_with(ruleset={"preset": "chess"}), "There is no game named “chess”."),
    (_with(ruleset={"preset": "setback-21", "options": {"target": 0}}), "“target” must be a whole number from 1 to"),
    (_with(ruleset={"preset": "setback-21", "options": {"target": True}}), "“target” must be a whole number from 1 to"),
    (_with(players=["Ann", "Bob", "Cid", ""]), "Every seat needs a name."),
    (_with(players=["Ann", "Bob", "Cid", "D" * 41]), "A name can have at most 40 characters."),
    (_with(players=["Ann", "Bob", "Cid", 4]), "Every seat needs a name."),
    (_with(players=["Ann"]), "Setback is for 2 to 7 players, not 1."),
    (_with(players=[["Ann"]] * 4), "Every seat needs a name."),
    (_with(sides=[[0, 1], [2, 3]]), "With 4 players, Setback isn't played with these sides."),
    (_with(first_dealer=4), "The first dealer must be a seat from 0 to 3."),
    (_with(first_dealer=True), "The first dealer must be a seat from 0 to 3."),
    (_with(final=[21, 14]), "A saved game has hands or a final score, not both."),
    (_with(hands={}), "A saved game needs a list of hands."),
    (_hand(bid=5), "Hand 2: Bids go from 2 to 4."),
    (_hand(bid=10**30), "Hand 2: Bids go from 2 to 4."),
    (_hand(bidder=7), "Hand 2: “bidder” must be a seat from 0 to 3."),
    (_hand(points={"high": 0}), "Hand 2: Choose who took Low."),
    (_hand(taken=[4, 1]), "Hand 2: Enter the points only one way."),
    (
        _with(hands=[{"bidder": 0, "bid": 3, "taken": [3, 2]}]),
        "Hand 1: A hand has at most 4 points, but these add up to 5.",
    ),
    (_with(hands=[{"passed": True}]), "Hand 1: The dealer can't pass here and must bid 2."),
    (_with(hands=[7]), "Hand 1: A hand must be a JSON object."),
    (_hand(won_by="Ann"), "Hand 2: A hand has no field “won_by”."),
    (_with(hands=[{"bidder": 0, "bid": 4, "taken": [4, 0]}] * 7), "Hand 7: The game was over before this hand."),
    (_with(hands=[*RECORD["hands"][:2], {**RECORD["hands"][2], "calls": ["pass", 3, 3]}]), "Hand 3: "),
]


@pytest.mark.parametrize(("record", "says"), LIES)
def test_a_contradictory_record_is_refused(client: Phone, app: Flask, record: Any, says: str) -> None:
    """A record with a contradiction is refused with status 422 and the reason, and nothing is stored."""
    before = contents(app)
    page = bring_in(client, json.dumps(record), 422)
    assert refusal(page).startswith(says)
    assert refusal(page).endswith("Nothing was imported.")
    assert contents(app) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "Ann 21, Bob 14",
        "{",
        "\x00",
        "²",
        '{"format"' + ":" * 1000,
        "[" * 100_000,
        '{"a":' * 20_000,
        "9" * 5_000,
    ],
)
def test_other_texts_are_refused(client: Phone, app: Flask, text: str) -> None:
    before = contents(app)
    assert refusal(bring_in(client, text, 422)).endswith("Nothing was imported.")
    assert contents(app) == before


@pytest.mark.parametrize(
    "field",
    [
        '"x_half": "\\ud800"',
        '"name": "\\udc00"',
        '"\\ud800": 1',
        '"x_\\ud800": 1',
        '"x_endless": NaN',
        '"x_endless": 1e999',
        '"x_endless": -Infinity',
        '"x_deep": ' + "[" * 60 + "]" * 60,
        '"x_deep": ' + "[" * 950 + "]" * 950,
        '"x_deep": ' + '{"a":' * 60 + "1" + "}" * 60,
    ],
)
def test_records_that_could_not_be_exported_are_refused(client: Phone, app: Flask, field: str) -> None:
    """A record with NaN, an infinite number, half of a surrogate pair or deep nesting is refused.

    If such values were imported, the game's record could not be exported again.
    """
    before = contents(app)
    text = json.dumps(RECORD)[:-1] + f", {field}}}"
    assert refusal(bring_in(client, text, 422)).endswith("Nothing was imported.")
    assert contents(app) == before


def test_a_repeated_import_imports_one_game(client: Phone, app: Flask) -> None:
    """If the import form is sent twice with the same record, only one game is made.

    A different record makes another game.
    """
    home = client.see("/")
    first = client.submit(home, "/games/import", text=json.dumps(RECORD))
    assert client.submit(home, "/games/import", text=json.dumps(RECORD)).path == first.path
    other = client.submit(home, "/games/import", text=json.dumps(_with(hands=[])))
    assert totals(other) == ["0", "0"]
    assert len(contents(app)["game"]) == 2


def test_a_record_that_is_too_large_is_refused(client: Phone, app: Flask) -> None:
    """A request with a record of two million characters is refused with status 413, and nothing is stored."""
    before = contents(app)
    page = bring_in(client, json.dumps(RECORD | {"x_": "x" * 2_000_000}), 413)
    assert "That's more than one page can send." in page.text
    assert contents(app) == before


def test_two_players_of_one_name_are_imported(client: Phone) -> None:
    """A record in which two players have the same name can be imported."""
    board = bring_in(client, json.dumps(_with(players=["Ann", "Ann", "Cid", "Dee"])))
    assert board.h1 == "Ann and Cid 6, Ann and Dee 1"


def test_extra_fields_survive_a_round_trip(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A game that is exported, imported and exported again keeps all its extra fields.

    Some of these fields are from other programs. The app's own extra fields are notes, team names and adjustments.
    """
    hands: list[dict[str, Any]] = [*RECORD["hands"]]
    hands[0] = {**hands[0], "x_light": "dim"}
    ours = {"x_hand_notes": [{"hand": 1, "note": "misdealt"}], "x_side_names": ["Felt", "Table"]}
    own = {"x_adjustments": [{"after": 1, "side": 1, "points": -1, "reason": "a revoke"}], **ours}
    told = _with(hands=hands, x_club={"no": [7, None, 1.5]}, **own)
    first = json.loads(client.get(f"{path_of(bring_in(client, json.dumps(told)))}/record.json").text)
    assert {key: first[key] for key in ("x_club", *own)} == {"x_club": {"no": [7, None, 1.5]}, **own}
    assert first["hands"][0]["x_light"] == "dim"
    second = new_phone()
    assert json.loads(second.get(f"{path_of(bring_in(second, json.dumps(first)))}/record.json").text) == first
