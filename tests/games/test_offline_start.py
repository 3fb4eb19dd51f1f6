"""A game that a phone started without a signal is saved once on the server, with its hands, as it was played."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.presenters.new_game import OFFERED
from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow
from scorekeeper.games.views import offline_kits
from scorekeeper.games.views.offline_kits import packed
from scorekeeper.web.assets import SHELL, static_url
from scorekeeper.web.extensions import db
from tests.games.test_offline_sync import ALL, FIRST, SECOND, told, waits
from tests.support.game import CLEAN, FOUR, contents, path_of, play_all, press, start

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.phone import Phone

GAME = "bcdfghjkmn"
MOST = 60_000
"""The largest compressed size, in bytes, for everything that a phone stores to start games offline."""
YESTERDAY = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)


def begun(key: str = "start-made-on-the-phone", at: datetime = YESTERDAY, **more: Any) -> dict[str, Any]:
    """Return the data that a phone sends about the start of an offline game.

    `key` is the request id, and `at` is the time of the start. `more` are fields of the game's record to add or
    replace. An argument `after`, the id of the previous game of the series, is put next to the record instead.
    """
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21", "options": {}},
        "players": list(FOUR),
        "sides": [[0, 2], [1, 3]],
        "first_dealer": 3,
    }
    after = {"after": more.pop("after")} if "after" in more else {}
    return {"id": key, "at": int(at.timestamp() * 1000), "record": record | more, **after}


def send(phone: Phone, begins: Any, *hands: Any, game: str = GAME) -> TestResponse:
    """Send a game that the phone started offline, with its hands, and return the response.

    `begins` is the start of the game as `begun` returns it.
    """
    token = told(phone.get("/games/token"))["token"]
    sent = {"game": game, "version": 1, "start": begins, "hands": list(hands)}
    return phone.post(f"/games/{game}/waiting", json=sent, headers={"X-CSRFToken": token})


def games(app: Flask) -> list[tuple[str, int, list[int]]]:
    """Return (public id, number of hands, totals by side) for every game, in the order in which they were stored."""
    with app.app_context():
        rows = db.session().scalars(select(GameRow).order_by(GameRow.id))
        return [(row.public_id, row.hands, row.totals) for row in rows]


def test_game_and_hands_arrive_together(app: Flask, client: Phone) -> None:
    answer = send(client, begun(), waits(1, FIRST), waits(2, SECOND))
    assert (answer.status_code, told(answer)["saved"]) == (200, ["phone-made-1", "phone-made-2"])
    assert games(app) == [(GAME, 2, [5, 2])]
    record = json.loads(client.get(f"/games/{GAME}/record.json").text)
    assert (record["players"], record["first_dealer"]) == (list(FOUR), 3)


def test_a_game_sent_again_changes_nothing(app: Flask, client: Phone) -> None:
    first = send(client, begun(), waits(1, FIRST))
    before = contents(app)
    again = send(client, begun(), waits(1, FIRST))
    assert (again.status_code, told(again)) == (200, told(first))
    assert contents(app) == before


def test_a_game_without_hands_is_started(app: Flask, client: Phone) -> None:
    assert told(send(client, begun()))["saved"] == []
    assert told(send(client, begun(), waits(1, FIRST)))["saved"] == ["phone-made-1"]
    assert games(app) == [(GAME, 1, [4, 0])]


def test_a_game_keeps_the_time_of_its_start(app: Flask, client: Phone) -> None:
    """An offline game keeps the start time that the phone sends, unless that time is in the future or long ago.

    Such times come from a wrong clock. In their place, the server stores the time at which it received the game.
    """
    later, long_ago = datetime.now(UTC) + timedelta(hours=1), datetime(2001, 1, 1, tzinfo=UTC)
    for game, at in ((GAME, YESTERDAY), ("bcdfghjkmp", later), ("bcdfghjkmq", long_ago)):
        send(client, begun(at=at), game=game)
    with app.app_context():
        rows = db.session().execute(
            select(GameRow.started_at, EventRow.happened_at, EventRow.received_at).join(EventRow).order_by(GameRow.id)
        )
        (first, *others) = rows.all()
    assert first[:2] == (YESTERDAY, YESTERDAY)
    assert all(received - happened < timedelta(minutes=1) for _start, happened, received in others)


def test_the_next_game_continues_the_series(app: Flask, client: Phone) -> None:
    """If an offline game followed another game, it is stored as a rematch of that game.

    The first dealer is the one that the phone sent.
    """
    before = path_of(play_all(client, start(client), CLEAN)).split("/")[2]
    send(client, begun(at=datetime.now(UTC), after=before, first_dealer=1), waits(1, FIRST | {"dealer": 1}))
    with app.app_context():
        rows = list(db.session().scalars(select(GameRow).order_by(GameRow.id)))
        assert rows[1].rematch_of == rows[0].id
        assert rows[1].players == rows[0].players
        assert rows[1].dealer == 2


@pytest.mark.parametrize(
    "more", [{"after": "zzzzzzzzzz"}, {"players": ["Ann", "Bob", "Cid", "Eve"]}, {"first_dealer": 0}]
)
def test_a_game_after_none_of_its_kind_stands_alone(app: Flask, client: Phone, more: dict[str, Any]) -> None:
    before = path_of(start(client, ("Ann", "Bob"), seating="2", dealer=0)).split("/")[2]
    assert send(client, begun(**({"after": before} | more))).status_code == 200
    with app.app_context():
        assert db.session().scalars(select(GameRow).order_by(GameRow.id)).all()[1].rematch_of is None


def test_every_phone_game_belongs_to_the_home_table(app: Flask, client: Phone) -> None:
    start(client)
    send(client, begun())
    with app.app_context():
        tables = set(db.session().scalars(select(GameRow.home_table_id)))
        assert len(tables) == 1
        assert None not in tables
        people = list(db.session().scalars(select(PlayerRow.home_person_id)))
        assert len(people) == 2 * len(set(people))


def test_a_form_without_an_answer_and_the_phones_game_are_one(app: Flask, client: Phone) -> None:
    """If the server started a game but its response was lost, the phone's offline hands still reach that game.

    The phone and the server both work out the game's id from the form.
    """
    board = start(client)
    game = path_of(board).split("/")[2]
    with app.app_context():
        key = db.session().scalars(select(GameRow.client_id)).one().partition(".")[0]
    assert send(client, begun(key), waits(1, FIRST), game=game).status_code == 200
    assert games(app) == [(game, 1, [4, 0])]


def test_the_id_of_a_game_follows_from_its_form(client: Phone) -> None:
    """If the form for a new game is sent twice with the same names, only one game is started.

    If a name was changed before the form is sent again, a second game is started.
    """
    page = client.see("/games/new")
    fields = {f"name-{seat}": name for seat, name in enumerate(FOUR)}
    first = press(client, page, "/games/new", "/games", fields)
    again = press(client, page, "/games/new", "/games", fields)
    other = press(client, page, "/games/new", "/games", fields | {"name-0": "Eve"})
    assert path_of(first) == path_of(again) != path_of(other)


def test_a_phone_whose_cookie_was_lost_gets_its_game(app: Flask, client: Phone, other: Phone) -> None:
    """If a phone lost its cookie, it can still send hands of a game that it started.

    The phone proves this with the request id of the game's start, which no other phone can know. A phone that was
    removed from the scorers can't use this id anymore.
    """
    game = path_of(start(client)).split("/")[2]
    with app.app_context():
        key = db.session().scalars(select(GameRow.client_id)).one().partition(".")[0]
    assert send(other, begun("some-other-start"), waits(1, FIRST), game=game).status_code == 403
    assert games(app) == [(game, 0, [0, 0])]
    assert send(other, begun(key), waits(1, FIRST), game=game).status_code == 200
    assert games(app) == [(game, 1, [4, 0])]
    menu = other.see(f"/games/{game}/table")
    (removal,) = [form.get("action", "") for form in menu.all("form") if "/phones/" in form.get("action", "")]
    other.submit(menu, removal)
    assert send(client, begun(key), waits(1, FIRST), game=game).status_code == 403


def test_a_form_sent_again_without_the_first_cookie_starts_one_game(app: Flask, client: Phone, other: Phone) -> None:
    """If the response to a new phone's first form is lost, sending the form again starts no second game.

    The phone also missed the cookie in that response, so it gets another cookie. The phone may still score the game.
    """
    page = client.see("/games/new")
    fields = page.form("/games/new").values | {f"name-{seat}": name for seat, name in enumerate(FOUR)}
    first = client.post("/games", data=fields).location
    token = other.see("/games/new").form("/games/new").values["csrf_token"]
    again = other.post("/games", data=fields | {"csrf_token": token})
    assert (again.status_code, again.location) == (303, first)
    assert len(games(app)) == 1
    assert other.see(first).all("form"), "it may score"


BAD: list[Any] = [
    None,
    [],
    {},
    begun("short"),
    begun() | {"at": -1},
    begun() | {"at": 10**15},
    begun() | {"record": []},
    begun(players=["Ann", "Ann", "Cid", "Dee"]),
    begun(players=["", "Bob", "Cid", "Dee"]),
    begun(players=["A" * 41, "Bob", "Cid", "Dee"]),
    begun(first_dealer=4),
    begun(sides=[[0, 1], [2, 3]]),
    begun(ruleset={"preset": "setback-21", "options": {"target": -5}}),
    begun(ruleset={"preset": "nothing"}),
]


@pytest.mark.parametrize("begins", BAD)
def test_a_start_that_cannot_be_is_refused_in_words(app: Flask, client: Phone, begins: Any) -> None:
    client.get("/")
    before = contents(app)
    answer = send(client, begins, waits(1, FIRST))
    assert (answer.status_code, told(answer)["trouble"]) == (422, "start")
    assert len(told(answer)["why"]) > 10
    assert contents(app) == before


@pytest.mark.parametrize("game", ["aeiouaeiou", "short", "B" * 10, "bcdfghjkmn0"])
def test_only_ids_like_ours_are_taken(app: Flask, client: Phone, game: str) -> None:
    assert send(client, begun(), game=game).status_code == 422
    assert games(app) == []


def test_a_refused_hand_leaves_the_game_without_hands(app: Flask, client: Phone) -> None:
    bad = {"dealer": 3, "bidder": 9, "bid": 4, "points": ALL}
    assert told(send(client, begun(), waits(1, bad)))["trouble"] == "refused"
    assert told(send(client, begun(), waits(1, FIRST)))["state"]["totals"] == [4, 0]
    assert games(app) == [(GAME, 1, [4, 0])]


def test_a_deleted_game_is_not_started_again(app: Flask, client: Phone) -> None:
    send(client, begun(), waits(1, FIRST))
    menu = client.see(f"/games/{GAME}/table")
    client.submit(menu, f"/games/{GAME}/deletion")
    assert told(send(client, begun(), waits(1, FIRST)))["trouble"] == "gone"
    assert len(games(app)) == 1


@pytest.mark.slow
def test_what_starts_games_is_small(client: Phone) -> None:
    """The home page and the kits for starting games offline together have at most `MOST` bytes, compressed.

    This holds even if the phone has saved house rules and has played games with many points.
    """
    for preset in ("pedro-62", "cinch-51", "ten-point-52", "eleven-point", "thirteen-point", "smear-6", "setback-21"):
        start(client, preset=preset)
    page = client.see("/games/new")
    press(client, page, "/games/new", "/house-rules", {"rules_name": "Tuesday", "rule-target": 31}, 200)
    kits = client.get("/games/kits.json")
    size = len(gzip.compress(kits.data)) + len(gzip.compress(client.get("/").data))
    print(f"to start games: {size} of {MOST} bytes")
    assert size <= MOST
    data = told(kits)
    assert {kit["preset"] for kit in data["kits"]} >= {"setback-21", "pitch-11", "bowers-12", "somerset-66"}
    (saved,) = [kit for kit in data["kits"] if kit["saved"]]
    kit = unpacked(saved["kit"], data)
    assert (saved["options"], kit["state"]["rules"]["target"]) == ({"rule-target": "31"}, 31)


def test_a_phone_can_start_the_rare_games_that_it_played(client: Phone) -> None:
    """A phone can start the usual games offline, and a few rare ones.

    The rare ones are those that the phone played last. If it has played none, they are the most popular rare games.
    """

    def offered() -> tuple[set[str], str]:
        data = told(client.get("/games/kits.json"))
        return {kit["preset"] for kit in data["kits"]}, unpacked(data["kits"][0]["setup"], data)

    usual, page = offered()
    assert usual == {*OFFERED, *offline_kits.OTHERS}
    assert "Ten-point Pitch" in page
    assert "Pedro" not in page
    rare = ("pedro-62", "nine-point", "seven-point", "smear-4", "smear-5", "cinch-51", "thirteen-point")
    for preset in rare:
        start(client, preset=preset)
    after, page = offered()
    assert after == {*OFFERED, *rare[-offline_kits.MOST_OTHERS :]}
    assert "Cinch" in page
    assert "Ten-point Pitch" not in page


def unpacked(part: Any, data: dict[str, Any]) -> Any:
    """Return `part` of a file of packed kits, unpacked in the same way as in the service worker.

    A kit is the data for starting one kind of game offline. `data` is the whole file, which also has the lines of text
    that several kits share.
    """
    if isinstance(part, list):
        return [unpacked(each, data) for each in part]
    if not isinstance(part, dict):
        return part
    if "@" in part:
        return unpacked(data["shared"][part["@"]], data)
    if "$" not in part:
        return {name: unpacked(each, data) for name, each in part.items()}
    lines: list[str] = []
    for place, number in enumerate(part["$"]):
        first = number if number >= 0 else part["$"][place - 1] + 1
        lines += data["lines"][first : first + max(1, -number)]
    return "\n".join(lines)


def test_a_packed_kit_is_the_bundle_that_was_packed() -> None:
    """Packing and unpacking the data for starting a game offline (a kit) keeps its content.

    Only spaces and empty lines that browsers ignore are lost.
    """
    html = "<ul>\n\n" + "".join(f"  <li>{word} and what it takes</li>\n" for word in ("one", "two", "six")) + "</ul>"
    kits = [{"kit": {"html": html, "also": [html, {"names": list(FOUR)}], "n": n}, "setup": html} for n in range(2)]
    data = packed(kits)
    told = "\n".join(line.strip() for line in html.split("\n") if line.strip())
    for n, kit in enumerate(data["kits"]):
        assert unpacked(kit["kit"], data) == {"html": told, "also": [told, {"names": list(FOUR)}], "n": n}
        assert unpacked(kit["setup"], data) == told
    assert len(data["lines"]) == 5


def test_the_worker_stores_what_its_pages_load(app: Flask, client: Phone) -> None:
    """The service worker stores every style sheet and script that its pages load, except scripts marked `async`.

    Without a signal, a page would wait for a missing file and not be shown.
    """
    board = start(client)
    with app.test_request_context():
        stored = {static_url(name) for name in SHELL}
    for path in ("/", "/games/new", board.path):
        page = client.see(path)
        linked = {link.get("href", "") for link in page.all("link", rel="stylesheet")}
        needed = linked | {script.get("src", "") for script in page.all("script") if "async" not in script.attrib}
        assert needed - stored == set(), path


def test_kits_hold_no_token_or_key_of_another_phone(client: Phone, other: Phone) -> None:
    """All phones get the same data for starting games offline.

    The data has a placeholder in place of the request key.
    """
    first, again = (told(phone.get("/games/kits.json")) for phone in (client, other))
    assert [kit["kit"] for kit in first["kits"]] == [kit["kit"] for kit in again["kits"]]
    lines = "\n".join(first["lines"])
    assert offline_kits.CLIENT in lines


def test_hands_keep_the_time_when_they_were_played(app: Flask, client: Phone) -> None:
    """An evening that is sent the next morning is still of that evening, whatever the phone's clock says.

    No change is dated before an earlier one, or in the future.
    """
    late = timedelta(minutes=5), timedelta(minutes=3), timedelta(minutes=20), timedelta(days=9)
    at = [int((YESTERDAY + each).timestamp() * 1000) for each in late]
    revoke = {"id": "phone-made-9", "number": 0, "kind": "adjust", "side": 1, "points": -1, "reason": "a revoke"}
    third = waits(3, FIRST | {"dealer": 1, "bidder": 2}) | {"at": at[3]}
    hands = (waits(1, FIRST) | {"at": at[0]}, waits(2, SECOND) | {"at": at[1]}, revoke | {"at": at[2]}, third)
    assert send(client, begun(), *hands).status_code == 200
    with app.app_context():
        rows = db.session.execute(select(EventRow.happened_at, EventRow.received_at).order_by(EventRow.seq)).all()
        updated = db.session.scalar(select(GameRow.updated_at))
    happened = [row.happened_at - YESTERDAY for row in rows]
    assert happened[:4] == [timedelta(0), late[0], late[0], late[2]]
    assert rows[4].happened_at == rows[4].received_at == updated


def test_pages_show_when_hands_were_played(client: Phone) -> None:
    at = YESTERDAY + timedelta(minutes=5)
    assert send(client, begun(), waits(1, FIRST) | {"at": int(at.timestamp() * 1000)}).status_code == 200
    for page in ("/", f"/games/{GAME}/log"):
        assert at.strftime("%Y-%m-%dT%H:%M:%SZ") in [time.get("datetime") for time in client.see(page).all("time")]
