"""The game log has entries about scorers, watching, backup codes and deletion."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.store.models import NoteRow
from scorekeeper.web.extensions import db
from tests.support.game import bid, contents, play, start
from tests.support.game_steps import let_in, log_of, score_link, send_away
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MINE = "Main phone"


def told(phone: Phone, board: Page) -> list[tuple[str, str]]:
    """Return (name of the phone that made the change, text) for each entry of the game log, oldest first."""
    items = phone.see(f"{board.path}/log").one("ol", class_="log").findall("li")
    return [(words(item[0]).rpartition(" · ")[2], words(item[1])) for item in reversed(items)]


def test_the_log_shows_scorers(client: Phone, other: Phone, board: Page) -> None:
    """The log says which score links were created, removed and used, and which phone was removed.

    The log also says which phone entered a bid.
    """
    score_link(client, board)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/score-links/void")
    joined = let_in(client, other, board, "1")
    bid(other, joined, 0, 2)
    send_away(client, board)
    assert told(client, board)[1:] == [
        (MINE, "Score link created."),
        (MINE, "Unused score link removed."),
        (MINE, "Score link created."),
        ("Bob's phone", "Bob's phone joined with a score link."),
        ("Bob's phone", "Ann bid 2."),
        (MINE, "Bob's phone was removed and can no longer score."),
    ]
    assert told(client, board)[0][0] == MINE


def test_a_new_link_replaces_the_old_one(client: Phone, board: Page) -> None:
    score_link(client, board)
    score_link(client, board)
    assert [what for _who, what in told(client, board)[1:]] == [
        "Score link created.",
        "Unused score link removed.",
        "Score link created.",
    ]


def test_unknown_phones_are_numbered(client: Phone, other: Phone, new_phone: Callable[[], Phone], board: Page) -> None:
    third = new_phone()
    let_in(client, other, board)
    let_in(client, third, board)
    bid(other, other.see(board.path), 0, 2)
    who = [who for who, _what in told(client, board)]
    assert [name for name in who if name != MINE] == ["Another phone (1)", "Another phone (2)", "Another phone (1)"]


def test_the_log_shows_watching_codes_and_deletion(app: Flask, client: Phone, board: Page) -> None:
    """The log has an entry each time that watching is turned on or off, a backup code is made, or the game is deleted.

    If a button is tapped twice, there is still only one entry.
    """
    table = client.see(f"{board.path}/table")
    for _tap in range(2):
        client.submit(table, f"{board.path}/watching/void")
    shut = client.see(f"{board.path}/table")
    for _tap in range(2):
        client.submit(shut, f"{board.path}/watching")
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/recovery")
    for _tap in range(2):
        client.submit(table, f"{board.path}/deletion")
    with app.app_context():
        assert db.session.scalars(select(NoteRow.kind).order_by(NoteRow.id)).all()[-1] == "deleted"
    home = client.see("/")
    for _tap in range(2):
        client.submit(home, f"{board.path}/deletion/void")
    assert told(client, board)[1:] == [
        (MINE, "Watching turned off."),
        (MINE, "Watching turned on."),
        (MINE, "New backup code created. The old one no longer works."),
        (MINE, "Game deleted."),
        (MINE, "Game restored."),
    ]


def test_everybody_who_sees_the_game_sees_its_log(
    client: Phone, other: Phone, new_phone: Callable[[], Phone], board: Page
) -> None:
    """All scorers and watchers see the same log.

    With watching turned off, only scorers see the log.
    """
    let_in(client, other, board, "1")
    watcher = new_phone()
    assert log_of(watcher, board) == log_of(other, board) == log_of(client, board)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching/void")
    assert log_of(other, board) == log_of(client, board)
    watcher.see(f"{board.path}/log", 404)


def test_the_log_shows_no_hash(client: Phone, other: Phone, board: Page) -> None:
    let_in(client, other, board)
    text = client.see(f"{board.path}/log").response.text
    for phone in (client, other):
        cookie = phone.get_cookie(COOKIE)
        assert cookie is not None
        assert hashlib.sha256(cookie.value.encode()).hexdigest() not in text
        assert cookie.value not in text


def test_notes_make_no_page_old(app: Flask, client: Phone) -> None:
    """If a score link is created, a page of the game that was opened before is still up to date.

    The log has an entry about the link, but this entry doesn't change the game's version, so forms still work.
    """
    board = start(client)
    version = contents(app)["game"]
    score_link(client, board)
    assert contents(app)["game"] == version
    play(client, board, 0, 2, "ABAB")
