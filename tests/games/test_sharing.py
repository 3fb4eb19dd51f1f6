"""The link that adds a scorer: how it works, what is stored, and how scorers are removed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services import sharing
from scorekeeper.games.services.sharing import LINK_LASTS, SECRET_BYTES, DeadLinkError
from scorekeeper.games.store.models import ScoreLinkRow
from scorekeeper.web.extensions import writing
from scorekeeper.web.request_log import without_secrets
from tests.e2e.imported_games import hand, record
from tests.support.game import bid, contents, path_of, start
from tests.support.game_steps import import_record, let_in, log_of, score_link, send_away
from tests.support.page import Page, words
from tests.support.phone import at_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

DEAD = "This link no longer works"
HALL = "192.168.1.5"
"""The address of the server for other phones; the tests use "localhost"."""


def phones(phone: Phone, board: Page) -> list[str]:
    """Return the names of the other scorers' phones that the game menu lists."""
    table = phone.see(f"{path_of(board)}/table")
    return [words(item).split(" since ")[0] for item in table.all("b") if "phone" in words(item)]


def test_a_score_link_adds_one_phone(client: Phone, other: Phone, board: Page) -> None:
    """A score link asks for confirmation, then adds the phone as a scorer and leads to the board.

    The page with the board doesn't contain the link's token.
    """
    link = score_link(client, board)
    page = other.see(link)
    assert page.h1 == "Keep score on this phone?"
    assert "Ann and Cid 0" in page.text
    assert "Bob and Dee 0" in page.text
    joined = other.submit(page, "/score", seat="1")
    assert joined.path == board.path
    assert link.split("/")[-1] not in joined.response.text
    bid(other, joined, 0, 2)
    assert "Ann bid 2" in client.see(board.path).text
    assert phones(client, board) == ["Bob's phone"]
    assert other.see("/").one("a", class_="game").get("href") == board.path


def test_looking_does_not_use_up_a_link(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    """Opening a score link without joining doesn't use it up, because chat programs open links for previews."""
    link = score_link(client, board)
    before = contents(app)
    for _ in range(3):
        assert COOKIE not in str(other.get(link).headers.getlist("Set-Cookie"))
    assert contents(app) == before
    other.submit(other.see(link), "/score").form(f"{board.path}/bid")


def test_a_link_works_once(client: Phone, other: Phone, new_phone: Callable[[], Phone], board: Page) -> None:
    """A score link can be used by one phone only. All other phones are then refused.

    If the phone that used the link opens it again, the link leads to the board.
    """
    link = score_link(client, board)
    third = new_phone()
    asked = third.see(link)
    other.submit(other.see(link), "/score")
    assert other.get(link).location == board.path
    assert third.see(link, 404).h1 == DEAD
    assert third.submit(asked, "/score", 404).h1 == DEAD
    assert third.get_cookie(COOKIE) is None
    third.see(f"{board.path}/table", 403)


def test_a_repeated_request_joins_once(client: Phone, other: Phone, board: Page) -> None:
    page = other.see(score_link(client, board))
    for _ in range(2):
        assert other.submit(page, "/score", seat="3").path == board.path
    assert phones(client, board) == ["Dee's phone"]


def test_the_main_phone_needs_no_link(client: Phone, board: Page) -> None:
    """If the phone that started the game opens a score link, it is led to the board, and the link stays unused."""
    link = score_link(client, board)
    assert client.get(link).location == board.path
    assert "Unused link" in client.see(f"{board.path}/table").text


def test_a_replaced_or_removed_link_no_longer_works(client: Phone, other: Phone, board: Page) -> None:
    first, second = score_link(client, board), score_link(client, board)
    assert first != second
    other.see(first, 404)
    page = other.see(second)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/score-links/void")
    other.submit(page, "/score", 404)
    assert phones(client, board) == []


def test_a_link_expires_after_a_day(app: Flask, client: Phone, other: Phone, board: Page) -> None:
    link = score_link(client, board)
    with app.app_context(), writing() as session:
        (row,) = session.query(ScoreLinkRow).all()
        row.made_at = datetime.now(UTC) - LINK_LASTS + timedelta(minutes=1)
    page = other.see(link)
    with app.app_context(), writing() as session:
        (row,) = session.query(ScoreLinkRow).all()
        row.made_at = datetime.now(UTC) - LINK_LASTS
    other.see(link, 404)
    other.submit(page, "/score", 404)


def test_the_link_of_a_deleted_game_no_longer_works(client: Phone, other: Phone, board: Page) -> None:
    link = score_link(client, board)
    page = other.see(link)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    other.see(link, 404)
    other.submit(page, "/score", 404)


def test_a_game_deleted_before_the_link_is_used(app: Flask, client: Phone, board: Page) -> None:
    """A phone can't join with a score link if the game was deleted after the phone opened the link."""
    link = score_link(client, board)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    with app.app_context(), pytest.raises(DeadLinkError):
        sharing.join_game(secret=link.rpartition("/")[2], device="p" * 64, seat=None)
    assert not contents(app)["scorer"]


@pytest.mark.parametrize("secret", ["", "x", "é", "a" * 3000, "' or 1=1 --", "%00"])
def test_a_made_up_link_does_not_work(client: Phone, other: Phone, board: Page, secret: str) -> None:
    page = other.see(score_link(client, board))
    assert other.submit(page, "/score", 404, secret=secret).h1 == DEAD


def test_only_hashes_are_stored(app: Flask, client: Phone, other: Phone, board: Page) -> None:
    """Neither a link's token nor a phone's cookie is in the database. A token has at least 128 random bits."""
    secret = score_link(client, board).split("/")[-1]
    assert SECRET_BYTES * 8 >= 128
    assert len(secret) == SECRET_BYTES * 4 // 3
    other.submit(other.see(f"/score/{secret}"), "/score")
    cookie = other.get_cookie(COOKIE)
    assert cookie is not None
    book = str(contents(app))
    assert secret not in book
    assert cookie.value not in book


def test_a_log_line_has_no_token() -> None:
    assert without_secrets('"GET /score/ab-C_9 HTTP/1.1" "http://h/score/ab-C_9?x=1"') == (
        '"GET /score/... HTTP/1.1" "http://h/score/...?x=1"'
    )


def test_a_link_is_shown_once(client: Phone, board: Page) -> None:
    table = client.see(f"{board.path}/table")
    page = client.submit(table, f"{board.path}/score-links", 200)
    assert page.response.headers["Cache-Control"] == "no-store"
    assert len(list(page.one("div", class_="code"))) == 1, "the QR code"
    secret = str(page.one("input", type="url").get("value")).split("/")[-1]
    assert secret not in client.see(f"{board.path}/table").response.text


def test_a_removed_phone_can_join_again(client: Phone, other: Phone, board: Page) -> None:
    joined = let_in(client, other, board, "1")
    assert phones(client, send_away(client, board)) == []
    other.submit(joined, f"{board.path}/bid", 403, call="0:2")
    assert other.see("/").all("a", class_="game") == []
    let_in(client, other, board)
    assert phones(client, board) == ["A phone"]
    other.submit(joined, f"{board.path}/bid", call="0:2")


def test_only_the_main_phone_manages_scorers(client: Phone, other: Phone, board: Page) -> None:
    """Only the phone that started the game can manage links and scorers, and delete or hide the game."""
    let_in(client, other, board)
    table = other.see(f"{board.path}/table")
    mine = client.see(f"{board.path}/table")
    for part in ("score-links", "phones/1/void", "watching/void", "deletion"):
        action = f"{board.path}/{part}"
        assert any(form.get("action") == action for form in mine.all("form")), action
        assert not any(form.get("action") == action for form in table.all("form")), action


def test_no_scorer_sees_a_dead_watch_link(client: Phone, other: Phone, board: Page) -> None:
    """With watching turned off, no scorer sees the watch link or its QR code, which would lead to "Page not found".

    Every scorer is told that watching is off, but only the phone that started the game can turn it on.
    """
    let_in(client, other, board)
    link, code = f"/watch/{board.path.split('/')[2]}", "code.svg"
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching/void")
    for phone in (client, other):
        table = phone.see(f"{board.path}/table")
        assert "Watching is off." in table.text
        assert link not in table.response.text
        turns_on = any(form.get("action") == f"{board.path}/watching" for form in table.all("form"))
        assert turns_on is (phone is client)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching")
    for phone in (client, other):
        html = at_address(phone, HALL).get(f"{board.path}/table", headers={"Host": HALL}).text
        assert f'{link}"' in html
        assert f"{link}/{code}" in html


def test_phones_of_another_game_are_not_touched(client: Phone, other: Phone, new_phone: Callable[[], Phone]) -> None:
    """A forged form with the number of another game's phone doesn't remove that phone."""
    mine, theirs, guest = start(client), start(other, ("Eve", "Fay", "Gus", "Hal")), new_phone()
    let_in(client, other, mine)
    joined = let_in(other, guest, theirs)
    table = client.see(f"{mine.path}/table")
    form = table.form(f"{mine.path}/phones/1/void").values
    assert client.post(f"{mine.path}/phones/2/void", data=form).status_code == 303
    bid(guest, joined, 0, 2)


def test_a_rematch_has_the_same_phones(client: Phone, other: Phone) -> None:
    """Any scorer can start a rematch, and a second tap leads to the same rematch.

    The rematch has the same scorers. If watching was turned off for the first game, it is off for the rematch.
    """
    over = import_record(client, record([hand(0, 4, 0, 0, 0, 0)] * 6))
    let_in(client, other, over, "1")
    client.submit(client.see(f"{over.path}/table"), f"{over.path}/watching/void")
    end = other.see(over.path)
    again = other.submit(end, f"{over.path}/rematch")
    assert other.submit(end, f"{over.path}/rematch").path == again.path
    assert again.path != over.path
    assert phones(client, again) == ["Bob's phone"]
    bid(other, again, 0, 2)
    assert client.get(again.path.replace("/games/", "/watch/")).status_code == 404


def test_a_removed_phone_does_not_join_a_rematch(client: Phone, other: Phone) -> None:
    over = import_record(client, record([hand(0, 4, 0, 0, 0, 0)] * 6))
    let_in(client, other, over, "1")
    send_away(client, over)
    again = client.submit(client.see(over.path), f"{over.path}/rematch")
    assert phones(client, again) == []
    assert not other.see(again.path).all("form", method="post")


def test_the_main_phone_is_offered_a_rematch(client: Phone, other: Phone, board: Page) -> None:
    """On a phone that joined a game by a score link, the home page offers no rematch.

    When that phone starts a new game, the form doesn't suggest the players' names, either.
    """
    let_in(client, other, board)
    assert not [form for form in other.see("/").all("form") if form.get("action") == "/games/again"]
    assert "Ann" not in str(other.see("/games/new").one("datalist").findall("option"))


def test_two_phones_share_one_log(client: Phone, other: Phone, board: Page) -> None:
    """If another phone has saved a change since a page was opened, a change sent from that page is refused with 409.

    The saved change stays.
    """
    behind = let_in(client, other, board)
    bid(client, board, 0, 2)
    other.submit(behind, f"{board.path}/bid", 409, call="1:3")
    assert "Ann bid 2." in log_of(client, board)[0]
