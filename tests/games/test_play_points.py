"""The points step asks who won each point, shows the effect, and saves the hand to the score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, check, contents, notices, play, points, save, sheet, start, totals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

LOW_A = points("AABB")


@pytest.fixture
def open_hand(client: Phone, board: Page) -> Page:
    """Return the board at the points step, after Ann bid 3."""
    return bid(client, board, 0, 3)


def said(page: Page) -> str:
    """Return the effect of the hand, or the error, that is shown in the form that asks who won each point."""
    return "".join(page.all("output")[0].itertext()).strip()


def said_taken(page: Page) -> str:
    """Return the effect of the hand, or the error, that is shown in the form that asks only for each side's points."""
    return "".join(page.all("output")[1].itertext()).strip()


def main_button(page: Page) -> str:
    return "".join(page.all("button", name="mode")[0].itertext())


def test_a_hand_is_reviewed_before_it_is_saved(client: Phone, app: Flask, open_hand: Page) -> None:
    """The review of a hand shows its effect and stores nothing; "Save" then stores the hand with that effect."""
    before = contents(app)
    page = check(client, open_hand, points("AB-A"))
    assert said(page) == "Set! Ann and Cid lose 3, from 0 to −3. Bob and Dee score 1, from 0 to 1."
    assert main_button(page) == "Save"
    assert contents(app) == before
    after = save(client, page)
    assert totals(after) == ["−3", "1"]
    assert "Set! Ann and Cid lose 3, from 0 to −3. Bob and Dee score 1, from 0 to 1." in after.text
    assert "Hand 2 Ann deals Bob bids first" in after.text
    assert sheet(after) == ["1 A Ann 3 SetHigh: A, Low: B, Jack: –, Game: A −3 −3 +1 1"]


def test_a_changed_choice_is_reviewed_again(client: Phone, app: Flask, open_hand: Page) -> None:
    """If a hand was changed after its review, the page shows a new review and saves nothing."""
    page = check(client, open_hand, points("AAAB"))
    before = contents(app)
    changed = save(client, page, {"jack": "1"}, 200)
    assert said(changed) == "Set! Ann and Cid lose 3, from 0 to −3. Bob and Dee score 2, from 0 to 2."
    assert main_button(changed) == "Save"
    assert contents(app) == before
    assert totals(save(client, changed)) == ["−3", "2"]


@pytest.mark.parametrize("seen", ["1", "true", "0" * 16, "²", ""])
def test_a_wrong_digest_saves_nothing(client: Phone, app: Flask, open_hand: Page, seen: str) -> None:
    """A hand is saved only if the form has the digest from the hand's review, a hash of the choices that were reviewed.

    Otherwise the page shows a new review.
    """
    before = contents(app)
    assert main_button(check(client, open_hand, {**LOW_A, "seen": seen})) == "Save"
    assert contents(app) == before


def test_the_effect_that_the_phone_worked_out_counts_as_a_review(client: Phone, app: Flask, open_hand: Page) -> None:
    """If the phone's sentences are the server's, one tap saves the hand. Otherwise the page shows the server's."""
    told = said(check(client, open_hand, LOW_A))
    before = contents(app)
    differs = check(client, open_hand, {**LOW_A, "seen": told.replace("−3", "−4")})
    assert (said(differs), main_button(differs)) == (told, "Save")
    assert contents(app) == before
    assert totals(save(client, open_hand, {**LOW_A, "seen": told})) == ["−3", "2"]


def test_the_preview_has_the_same_text_and_digest(client: Phone, open_hand: Page) -> None:
    """The preview that JavaScript requests has the same text and digest as the review, so one tap saves the hand.

    The digest is a hash of the choices. A hand is saved only with the digest of its review or preview.
    """
    page = check(client, open_hand, LOW_A)
    form = open_hand.form(f"{open_hand.path}/hands").values
    answer = client.get(
        f"{open_hand.path}/preview", query_string={"mode": "points", "version": form["version"], **LOW_A}
    ).get_json()
    assert answer == {"ok": True, "text": said(page), "seen": page.form(f"{open_hand.path}/hands").values["seen"]}
    assert totals(save(client, open_hand, {**LOW_A, "seen": answer["seen"]})) == ["−3", "2"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({**LOW_A, "version": "1"}, "The game has changed. Reload the page to see it."),
        ({"high": "0"}, "Choose who took Low."),
        ({**LOW_A, "high": "²"}, "“high” must go to a side of this table."),
        ({"mode": "taken", "taken-0": "²", "taken-1": "0"}, "The points must be whole numbers, one for each side."),
        ({"mode": "passed"}, "The dealer can't pass here and must bid 2."),
    ],
)
def test_the_preview_has_errors(client: Phone, open_hand: Page, fields: Mapping[str, str], says: str) -> None:
    """The preview of an impossible hand has the error, but no digest (hash of the choices) for saving the hand."""
    answer = client.get(
        f"{open_hand.path}/preview", query_string={"mode": "points", "version": "2", **fields}
    ).get_json()
    assert answer == {"ok": False, "text": says, "seen": ""}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({**LOW_A, "high": None}, "Choose who took High."),
        ({**LOW_A, "low": None}, "Choose who took Low."),
        ({**LOW_A, "jack": None}, "Choose who took Jack."),
        ({**LOW_A, "game": None}, "Choose who took Game."),
        ({**LOW_A, "high": "none"}, "Someone always takes High."),
        ({**LOW_A, "low": "none"}, "Someone always takes Low."),
        ({**LOW_A, "high": "2"}, "“high” must go to a side of this table."),
        ({**LOW_A, "game": "-1"}, "“game” must go to a side of this table."),
        ({**LOW_A, "game": "1" * 5000}, "“game” must go to a side of this table."),
        ({**LOW_A, "game": "\x00"}, "“game” must go to a side of this table."),
        ({**LOW_A, "trump": "X"}, "Trump must be one of C D H S."),
        ({"mode": "taken", "taken-0": "3", "taken-1": "2"}, "A hand has at most 4 points, but these add up to 5."),
        ({"mode": "taken", "taken-0": "5", "taken-1": "0"}, "A hand has only 4 points to take."),
        (
            {"mode": "taken", "taken-0": "1", "taken-1": "0"},
            "A hand has at least 2 points (High and Low), but these add up to 1.",
        ),
        ({"mode": "taken", "taken-0": "-1", "taken-1": "4"}, "The points must be whole numbers, one for each side."),
        ({"mode": "taken", "taken-0": "2"}, "Enter how many points they took."),
        ({"mode": "taken"}, "Enter how many points they took."),
        ({"mode": "passed"}, "The dealer can't pass here and must bid 2."),
        ({**LOW_A, "bid": "5", "bidder": "0"}, "Bids go from 2 to 4."),
        ({**LOW_A, "bidder": "7"}, "“bidder” must be a seat from 0 to 3."),
        ({**LOW_A, "dealer": "²"}, "“dealer” must be a seat from 0 to 3."),
        ({**LOW_A, "tricks": "7"}, "Tricks can be from 0 to 6."),
    ],
)
def test_an_impossible_hand_is_refused(
    client: Phone, app: Flask, open_hand: Page, fields: Mapping[str, object], says: str
) -> None:
    """An impossible hand is refused with the reason, the choices stay, and nothing is stored."""
    before = contents(app)
    page = check(client, open_hand, fields, 422)
    assert (said_taken(page) if fields.get("mode") == "taken" else said(page)) == says
    values = page.form(f"{open_hand.path}/hands").values
    assert values["seen"] == ""
    for key in ("high", "low", "jack", "game", "taken-0", "taken-1"):
        if fields.get(key) in ("0", "1", "2", "3", "4") and (key.startswith("taken") or fields[key] in ("0", "1")):
            assert values[key] == fields[key]
    assert contents(app) == before


def test_points_only_is_enough(client: Phone, open_hand: Page) -> None:
    """A hand can be entered with only the points of each side, for tables that don't track each point."""
    page = client.submit(open_hand, f"{open_hand.path}/hands", 200, mode="taken", taken_0="3", taken_1="1")
    assert said_taken(page) == "Made it! Ann and Cid score 3, from 0 to 3. Bob and Dee score 1, from 0 to 1."
    after = save(client, page, {"mode": "taken"})
    assert totals(after) == ["3", "1"]
    assert sheet(after) == ["1 A Ann 3 +3 3 +1 1"]


def test_the_next_hand_is_entered_in_the_same_way(client: Phone, open_hand: Page) -> None:
    """After a hand with the points only, the next one opens there, until the winners of the points are entered."""
    page = client.submit(open_hand, f"{open_hand.path}/hands", 200, mode="taken", taken_0="3", taken_1="1")
    page = bid(client, save(client, page, {"mode": "taken"}), 1, 2)
    assert "open" in page.one("details", **{"data-mode": "taken"}).attrib
    assert "our guess" not in page.text
    page = bid(client, save(client, check(client, page, LOW_A)), 2, 2)
    assert "open" not in page.one("details", **{"data-mode": "taken"}).attrib
    assert "our guess" in page.text


def test_trump_can_be_named_or_changed_with_the_points(client: Phone, board: Page) -> None:
    after = play(client, board, 0, 3, "AAAB", trump="H")
    assert "♥" in sheet(after)[0]
    page = check(client, bid(client, after, 1, 2), {**points("BB--"), "trump": "S"})
    assert "♠" in sheet(save(client, page))[1]


def test_bowers_have_five_points(client: Phone) -> None:
    """A game with bowers has five points.

    The points Right and Left may go to nobody, because players may have discarded these two cards.
    """
    after = play(client, start(client, preset="bowers-12", dealer=3), 0, 3, "AAA-B")
    assert totals(after) == ["3", "1"]


@pytest.mark.parametrize(("tricks", "scores"), [("4", ["4", "0"]), ("3", ["−4", "0"])])
def test_a_pitch_by_tricks_asks_for_the_tricks(client: Phone, tricks: str, scores: list[str]) -> None:
    """If the number of tricks decides whether a pitch is made, the points step asks how many the bidder took.

    In this game, four of the six tricks make the pitch. It doesn't matter which side took High.
    """
    rules = {"pitch_test": "tricks", "target": "30"}
    board = start(client, ("Ann", "Bob"), preset="setback-7-pitch", seating="2", dealer=1, rules=rules)
    page = bid(client, board, 0, "pitch")
    told = points("AA--")
    assert said(check(client, page, told, 422)) == "Enter how many tricks the bidder took."
    assert totals(save(client, check(client, page, {**told, "tricks": tricks}))) == scores
    assert "ricks" not in bid(client, start(client, ("Eve", "Fay"), seating="2"), 0, 3).text


def test_seven_sides_fit(client: Phone) -> None:
    """The points of seven sides can be entered."""
    board = bid(client, start(client, tuple("ABCDEFG"), seating="7", dealer=6), 6, 2)
    fields = {f"taken-{side}": "0" for side in range(6)} | {"taken-6": "2", "mode": "taken"}
    assert totals(save(client, check(client, board, fields), {"mode": "taken"})) == ["0"] * 6 + ["2"]


def test_why_the_game_goes_on_is_shown(client: Phone) -> None:
    """If a side reaches the target but didn't bid, the game goes on, and the page says why.

    Without the reason, players might argue.
    """
    board = start(client, rules={"target": "4"})
    board = play(client, board, 0, 2, "AA--")
    page = check(client, bid(client, board, 1, 2), points("BBAA"))
    told = "Ann and Cid have 4 but didn't have the bid. Play on."
    assert told in said(page)
    assert notices(save(client, page)) == [told]


def test_the_end_is_shown_before_saving(client: Phone) -> None:
    board = start(client, rules={"target": "4"})
    page = check(client, bid(client, board, 0, 4), points("AAAA"))
    assert said(page) == (
        "Ann and Cid win. Ann and Cid made their bid of 4 and won 4 to 0. Made it! Ann and Cid score 4, from 0 to 4."
    )


def test_a_repeated_hand_counts_once(client: Phone, app: Flask, open_hand: Page) -> None:
    """A hand that is sent again because the response was lost is saved once, without an error."""
    page = check(client, open_hand, LOW_A)
    save(client, page)
    before = contents(app)
    assert totals(save(client, page)) == ["−3", "2"]
    assert totals(save(client, page, {"seen": ""})) == ["−3", "2"]
    assert contents(app) == before


def test_another_hand_with_a_used_id_is_late(client: Phone, app: Flask, open_hand: Page) -> None:
    """A different hand with a used request id is refused and changes nothing.

    The back button can lead to such a request.
    """
    page = check(client, open_hand, LOW_A)
    save(client, page)
    before = contents(app)
    late = save(client, page, {"jack": "0"}, 409)
    assert "This page was out of date" in notices(late)[0]
    assert totals(late) == ["−3", "2"]
    assert contents(app) == before


def test_a_hand_from_an_older_page_is_late(client: Phone, app: Flask, open_hand: Page) -> None:
    """A hand from an older page of the same phone is refused, and the response shows the current board."""
    first, second = check(client, open_hand, LOW_A), check(client, open_hand, points("BBBB"))
    save(client, first)
    before = contents(app)
    late = save(client, second, status=409)
    assert totals(late) == ["−3", "2"]
    assert "Hand 2" in late.text
    assert contents(app) == before


def test_a_hand_after_the_end_is_refused(client: Phone, app: Flask) -> None:
    """After the end of a game, a hand is refused until the last hand is undone."""
    board = start(client, rules={"target": "2"})
    play(client, board, 0, 2, "AA--")
    before = contents(app)
    form = {**board.form(f"{board.path}/bid").values, "version": "3", "client_id": "late-tap"}
    form |= {"bidder": "0", "bid": "2", **LOW_A}
    response = client.post(f"{board.path}/hands", data=form)
    assert response.status_code == 409
    assert "The game is over. Undo the last hand to go on." in response.text
    assert contents(app) == before


def test_no_hand_without_a_bid(client: Phone, app: Flask, board: Page) -> None:
    before = contents(app)
    form = board.form(f"{board.path}/bid").values
    response = client.post(f"{board.path}/hands", data={**form, "mode": "points", **LOW_A})
    assert response.status_code == 422
    assert "Choose who bid." in response.text
    assert contents(app) == before


def test_who_revoked_is_asked_where_it_costs_the_bid(client: Phone) -> None:
    """The points step asks who revoked only if a house rule says that a revoke costs the bid."""
    board = start(client, rules={"revoke_costs_bid": "yes"})
    page = bid(client, board, 0, 2)
    assert "Who reneged" in page.text
    fields = {"mode": "taken", "taken-0": "3", "taken-1": "1", "revoked": "2"}
    page = save(client, check(client, page, fields), fields)
    assert "Ann and Cid reneged, which costs the bid." in page.text
    assert "Who reneged" not in bid(client, start(client), 0, 2).text
