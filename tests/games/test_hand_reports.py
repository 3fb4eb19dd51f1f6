"""Two phones score one table: equal hands are marked as agreed, and different hands become a dispute."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.support.game import (
    CLEAN,
    bid,
    buttons,
    check,
    contents,
    notices,
    path_of,
    play,
    play_all,
    points,
    save,
    sheet,
    start,
    totals,
    undo,
)
from tests.support.game_steps import let_in, log_of, look_then_save, record_of
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

DIFFER = "Two phones disagree on hand 1. The main phone: 3 to 1. Bob's phone: 2 to 2."
"""What phones that only watch are told about a dispute."""
OPEN = "Two phones disagree on hand 1."


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, which is also a scorer of the game."""
    let_in(client, other, board, "1")
    return other


def both_at_points(client: Phone, second: Phone, board: Page) -> tuple[Page, Page]:
    """Enter Ann's bid of 3 on the first phone, and return the points step of both phones.

    The first page is from the phone `client`, and the second page is from the phone `second`.
    """
    mine = bid(client, board, 0, 3)
    theirs = second.see(board.path)
    return mine, theirs


def disputes(page: Page) -> list[str]:
    """Return the messages on the page that say that two phones disagree or agree on a hand."""
    return [words(box.findall("p")[0]) for box in page.all("div", class_="dispute")]


def versions(page: Page) -> list[tuple[str, ...]]:
    """Return both versions of the disputed hand: whose each is, what the other phone entered differently, its button.

    "tap", "reason" or "wait" comes last. It says what the button does: settle the dispute, ask for a reason, or say who
    decides.
    """
    told = []
    for box in page.one("div", class_="dispute").findall("section"):
        way = "tap" if box.find("form") is not None else "reason" if box.find("details/form") is not None else "wait"
        (button,) = (*box.findall("form/button"), *box.findall("details/summary"))
        lines = (words(part) for part in (*box.findall("b"), *box.findall("span"), button))
        told.append((*lines, way))
    return told


def settle(phone: Phone, page: Page, how: str, status: int = 303) -> Page:
    """Choose how a hand that two phones sent is settled, and return the page that follows.

    `page` shows both versions of the hand. `how` is "keep" for the version that was saved first, or "take" for the
    version that was sent later. It is "split" if the versions are two different hands, so that both count.
    """
    action = _where(page)
    return phone.submit(page, action, status, how=how)


def _where(page: Page) -> str:
    """Return the address to which the form that settles the dispute on a page is sent."""
    return next(page.one("div", class_="dispute").iter("form")).get("action", "")


def differ(client: Phone, second: Phone, board: Page) -> Page:
    """Save hand 1 as 3 to 1 on the first phone and as 2 to 2 on Bob's phone, and return the page on Bob's phone."""
    mine, theirs = both_at_points(client, second, board)
    here, there = check(client, mine, points("AAAB")), check(second, theirs, points("AABB"))
    save(client, here)
    return save(second, there, status=409)


def test_the_same_hand_from_two_phones_is_a_check(client: Phone, second: Phone, board: Page) -> None:
    """If two phones send the same hand, it is saved once and marked as agreed.

    The second phone goes on as if it had saved the hand.
    """
    mine, theirs = both_at_points(client, second, board)
    here, there = check(client, mine, points("AAAB")), check(second, theirs, points("AAAB"))
    assert totals(save(client, here)) == ["3", "1"]
    agreed = save(second, there)
    assert totals(agreed) == ["3", "1"]
    assert disputes(agreed) == ["✓ Both phones agree on hand 1."]
    assert "both phones agree" in sheet(client.see(board.path))[0]
    assert "both phones agree" in sheet(client.see(board.path.replace("games", "watch")))[0]
    assert "Bob's phone agrees on hand 1." in log_of(client, board)[0]
    assert len(record_of(client, board)["hands"]) == 1


def test_different_winners_with_equal_sums_are_a_dispute(client: Phone, second: Phone, board: Page) -> None:
    """If two phones send different winners for a hand, there is a dispute, even if each side has as many points."""
    mine, theirs = both_at_points(client, second, board)
    save(client, check(client, mine, points("AAAB")))
    refused = check(second, theirs, points("AABA"), status=409)
    assert versions(refused) == [
        ("The main phone", "Jack: Ann and Cid", "Game: Bob and Dee", "Use this one: The main phone", "tap"),
        ("This phone", "Jack: Bob and Dee", "Game: Ann and Cid", "Use this one: This phone", "wait"),
    ]
    assert "two phones disagree" in sheet(refused)[0]
    taken = settle(client, client.see(board.path), "take")
    assert record_of(client, board)["hands"][0]["points"] == {"high": 0, "low": 0, "jack": 1, "game": 0}
    assert totals(taken) == ["3", "1"]


def test_a_phone_is_the_main_phone_only_if_it_is(client: Phone, other: Phone, board: Page) -> None:
    """If a scorer who named no seat saved the hand first, the main phone's version is the other one."""
    let_in(client, other, board)
    mine, theirs = both_at_points(client, other, board)
    save(other, check(other, theirs, points("AAAB")))
    refused = check(client, mine, points("AABB"), status=409)
    assert [version[0] for version in versions(refused)] == ["Another phone", "This phone"]
    assert [version[0] for version in versions(other.see(board.path))] == ["This phone", "The main phone"]
    watched = client.get(board.path.replace("games", "watch")).text
    assert "Two phones disagree on hand 1. Another phone: 3 to 1. The main phone: 2 to 2." in watched
    assert "A phone: " in " ".join(log_of(client, board))


def test_equal_sums_without_winners_agree(client: Phone, second: Phone, board: Page) -> None:
    mine, theirs = both_at_points(client, second, board)
    save(client, check(client, mine, points("AAAB")))
    address = f"{board.path}/hands"
    there = second.submit(theirs, address, 303, **{"mode": "taken", "taken-0": "3", "taken-1": "1", "seen": ""})
    assert disputes(there) == ["✓ Both phones agree on hand 1."]


def test_an_agreement_makes_no_page_old(client: Phone, second: Phone, board: Page) -> None:
    """If the second phone sends the same hand as the first phone, the first phone can go on with its open page."""
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points("AAAB"))
    next_hand = save(client, check(client, mine, points("AAAB")))
    save(second, there)
    looked = check(client, bid(client, next_hand, 1, 2), points("BBAA"))
    assert totals(save(client, looked)) == ["5", "3"]


def test_the_preview_shows_the_other_phones_hand(client: Phone, second: Phone, board: Page) -> None:
    """If the first phone already saved a hand, the second phone's preview says so and compares the two results."""
    mine, theirs = both_at_points(client, second, board)
    save(client, check(client, mine, points("AAAB")))
    version = theirs.form(f"{board.path}/hands").values["version"]

    def told(took: str) -> dict[str, object]:
        asked = urlencode({"mode": "points", "version": version, "number": 1, **points(took)})
        answer: dict[str, object] = json.loads(second.get(f"{board.path}/preview?{asked}").text)
        return answer

    assert told("AAAB")["text"] == "The main phone already saved hand 1 with the same result."
    assert told("AABB")["text"] == "The main phone already saved hand 1 as 3 to 1. You entered 2 to 2."
    assert told("AABB")["ok"] is True


def test_different_hands_are_both_shown(client: Phone, second: Phone, board: Page) -> None:
    """If the second phone sends a different hand, it gets status 409, and both hands are stored.

    All phones show both hands. Until the dispute is settled, the hand that was saved first counts.
    """
    refused = differ(client, second, board)
    assert totals(refused) == ["3", "1"]
    assert disputes(refused) == disputes(client.see(board.path)) == [OPEN]
    watched = client.see(board.path.replace("games", "watch"))
    assert notices(watched)[0] == DIFFER
    assert "two phones disagree" in sheet(watched)[0]
    assert DIFFER in client.see(f"{board.path.replace('games', 'watch')}/tv").text
    assert "Bob's phone disagrees on hand 1." in log_of(client, board)[0]
    assert totals(play(client, client.see(board.path), 1, 2, "BBAA")) == ["5", "3"]
    assert disputes(client.see(board.path)) == [OPEN]


def test_a_dispute_settled_for_the_first(client: Phone, second: Phone, board: Page) -> None:
    """Bob's phone can settle a dispute by accepting the hand that was saved first."""
    refused = differ(client, second, board)
    settled = settle(second, refused, "keep")
    assert totals(settled) == ["3", "1"]
    assert disputes(settled) == []
    assert "two phones" not in sheet(settled)[0]
    assert "Settled: hand 1 stays as first saved." in log_of(client, board)[0]


def test_a_dispute_settled_for_the_second_is_a_correction(client: Phone, second: Phone, board: Page) -> None:
    """If the first phone accepts Bob's hand in place of its own, the first phone's hand counts as corrected.

    The log still shows the first phone's hand.
    """
    differ(client, second, board)
    settled = settle(client, client.see(board.path), "take")
    assert totals(settled) == ["−3", "2"]
    assert disputes(settled) == []
    assert "corrected" in sheet(settled)[0]
    assert "3 to 1" in " ".join(log_of(client, board))


def ways(page: Page) -> list[str]:
    """Return what the buttons of the two versions of a hand do: "tap", "reason" or "wait", as in `versions`."""
    return [version[-1] for version in versions(page)]


def test_both_phones_show_what_differs(client: Phone, second: Phone, board: Page) -> None:
    """The phone that started the game may decide for its own hand with a reason. The other phone can only accept."""
    refused = differ(client, second, board)
    assert versions(refused) == [
        ("The main phone", "Jack: Ann and Cid", "Use 3 to 1: The main phone", "tap"),
        ("This phone", "Jack: Bob and Dee", "Use 2 to 2: This phone", "wait"),
    ]
    assert versions(client.see(board.path)) == [
        ("This phone", "Jack: Ann and Cid", "Use 3 to 1: This phone", "reason"),
        ("Bob's phone", "Jack: Bob and Dee", "Use 2 to 2: Bob's phone", "tap"),
    ]


def test_no_phone_settles_in_its_own_favor(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """A phone that didn't start the game can't settle a dispute in favor of its own hand.

    A correction, a deletion or an undo of the disputed hand by that phone is refused, too.
    """
    refused = differ(client, second, board)
    assert ways(refused) == ["tap", "wait"]
    before = contents(app)
    told = "You can't settle this in your own favor."
    assert told in settle(second, refused, "take", 422).text
    assert told in settle(second, second.see(board.path), "take", 422).text
    address = f"{board.path}/hands/3/correction"
    looked = second.submit(second.see(address), address, 200, **points("AABB"))
    assert "Two phones disagree on this hand. Settle that first." in second.submit(looked, address, 422).text
    struck = second.submit(second.see(address), f"{board.path}/hands/3/void", 200)
    assert "Settle that first." in second.submit(struck, f"{board.path}/hands/3/void", 422).text
    assert "Settle that first." in second.submit(second.see(board.path), f"{board.path}/undos", 422).text
    assert contents(app) == before
    assert totals(client.see(board.path)) == ["3", "1"]


def test_the_main_phone_decides_with_a_reason(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    differ(client, second, board)
    mine = client.see(board.path)
    assert ways(mine) == ["reason", "tap"]
    before = contents(app)
    assert "Give a reason. It will show in the history." in settle(client, mine, "keep", 422).text
    action = _where(mine)
    assert client.submit(mine, action, 422, how="keep", reason="x" * 201).status == 422
    assert contents(app) == before
    settled = client.submit(mine, action, how="keep", reason="All  four saw the jack")
    assert (totals(settled), disputes(settled)) == (["3", "1"], [])
    assert "All four saw the jack" in log_of(client, board)[0]
    assert "All four saw the jack" in log_of(second, board)[0]


def test_the_main_phone_decides_between_two_others(
    client: Phone, second: Phone, new_phone: Callable[[], Phone], board: Page
) -> None:
    """The phone that started the game may settle a dispute between two other phones in favor of either.

    Each of those two phones may only accept the other phone's hand.
    """
    third = new_phone()
    let_in(client, third, board, "3")
    mine, theirs = third.see(board.path), second.see(board.path)
    bid(client, board, 0, 3)
    mine, theirs = third.see(board.path), second.see(board.path)
    there = check(second, theirs, points("AABB"))
    save(third, check(third, mine, points("AAAB")))
    refused = save(second, there, status=409)
    page = client.see(board.path)
    assert ways(page) == ["reason", "reason"]
    action = _where(page)
    assert ways(refused) == ["tap", "wait"]
    assert totals(client.submit(page, action, how="take", reason="Counted again")) == ["−3", "2"]


def seen_lines(page: Page) -> list[str]:
    """Return the messages on the page that say how another phone settled a dispute."""
    return [words(form.findall("span")[0]) for form in page.all("form") if form.get("action", "").endswith("/seen")]


def test_a_settled_dispute_is_shown_until_it_is_closed(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    differ(client, second, board)
    settled = settle(client, client.see(board.path), "take")
    assert seen_lines(settled) == []
    line = "Hand 1 was settled: 2 to 2, not 3 to 1."
    assert seen_lines(second.see(board.path)) == [line]
    play(client, settled, 1, 2, "BBAA")
    theirs = second.see(board.path)
    assert seen_lines(theirs) == [line]
    before = len(contents(app)["game_note"])
    again = second.submit(theirs, f"{board.path}/settled/seen")
    assert seen_lines(again) == []
    assert seen_lines(second.submit(theirs, f"{board.path}/settled/seen")) == []
    assert len(contents(app)["game_note"]) == before + 1
    assert seen_lines(second.see(board.path)) == []


def test_a_settled_dispute_names_what_differed(client: Phone, second: Phone, board: Page) -> None:
    mine, theirs = both_at_points(client, second, board)
    here, there = check(client, mine, points("AAAB")), check(second, theirs, points("BAAA"))
    save(client, here)
    save(second, there, status=409)
    settle(client, client.see(board.path), "take")
    line = "Hand 1 was settled: High: Bob and Dee, Game: Ann and Cid, not High: Ann and Cid, Game: Bob and Dee."
    assert seen_lines(second.see(board.path)) == [line]


@pytest.mark.parametrize("took", ["AAAB", "AABB"])
def test_settled_as_two_hands(client: Phone, second: Phone, board: Page, took: str) -> None:
    """If a player says that two versions of hand 1 are two different hands, the second phone's version becomes hand 2.

    This works whether the two versions are equal or not. The next dealer counts as the dealer of hand 2.
    """
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points(took))
    save(client, check(client, mine, points("AAAB")))
    page = save(second, there, status=303 if took == "AAAB" else 409)
    split = settle(second, page, "split")
    assert [hand["bidder"] for hand in record_of(client, board)["hands"]] == [0, 0]
    assert totals(split) == (["6", "2"] if took == "AAAB" else ["0", "3"])
    assert "Hand 3 Bob deals" in split.text
    assert "both phones agree" not in split.text
    assert "the other phone's version of hand 1 was a different hand" in " ".join(log_of(client, board))


def test_two_hands_are_not_offered_during_a_hand(client: Phone, second: Phone, board: Page) -> None:
    refused = differ(client, second, board)
    bid(client, client.see(board.path), 1, 2)
    assert "These are two different hands" in buttons(refused)
    shown = second.see(board.path)
    assert "These are two different hands" not in buttons(shown)
    late = settle(second, shown, "split", 409)
    assert "A hand is in progress." in notices(late)[0]
    assert "Bob bid 2" in late.text


def test_settling_twice_settles_once(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """If a request to settle a dispute is repeated, nothing changes, and the response shows the result again.

    If another phone sends a different decision later, it is refused as out of date.
    """
    refused = differ(client, second, board)
    mine = client.see(board.path)
    settle(client, mine, "take")
    before = contents(app)
    assert totals(settle(client, mine, "take")) == ["−3", "2"]
    assert totals(settle(second, refused, "keep", 409)) == ["−3", "2"]
    assert contents(app) == before


def test_impossible_ways_to_settle_are_refused(client: Phone, second: Phone, board: Page) -> None:
    """A request to settle a dispute is refused if its choice or its hand is unknown."""
    refused = differ(client, second, board)
    action = _where(refused)
    form = refused.form(action).values
    assert second.post(action, data={**form, "how": "burn"}).status_code == 422
    assert second.post(f"{action}9", data={**form, "how": "keep", "client_id": "another-tap"}).status_code == 409


def test_a_retry_after_a_lost_reply_gets_the_same_answer(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """A request that is sent again because its reply was lost gets the same response, and nothing is stored twice.

    This holds for a hand that is saved, for one that agrees with the saved hand, and for one that differs.
    """
    mine, theirs = both_at_points(client, second, board)
    here, agrees = check(client, mine, points("AAAB")), check(second, theirs, points("AAAB"))
    differs = check(second, theirs, points("AABB"))
    first = save(client, here)
    save(second, agrees)
    save(second, differs, status=409)
    before = contents(app)
    assert totals(save(client, here)) == totals(first)
    save(second, agrees)
    assert disputes(save(second, differs, status=409)) == [OPEN]
    assert contents(app) == before


def test_a_used_id_with_other_content_is_refused(client: Phone, app: Flask, board: Page) -> None:
    """A form with a used request id but different content changes nothing, and the page says that it was out of date.

    The back button can bring up a page with such a form.
    """
    looked = check(client, bid(client, board, 0, 3), points("AAAB"))
    save(client, looked)
    before = contents(app)
    late = save(client, looked, points("AABB"), status=409)
    assert "This page was out of date" in notices(late)[0]
    assert totals(late) == ["3", "1"]
    again = client.submit(board, f"{board.path}/bid", 409, call="1:4")
    assert "This page was out of date" in notices(again)[0]
    assert contents(app) == before


def test_a_used_id_with_other_content_is_refused_at_the_latest_version(client: Phone, app: Flask, board: Page) -> None:
    form = board.form(f"{board.path}/bid").values
    now = bid(client, board, 0, 3).form(f"{board.path}/hands").values["version"]
    before = contents(app)
    answer = client.post(f"{board.path}/bid", data={**form, "version": now, "call": "1:4"})
    assert answer.status_code == 409
    assert contents(app) == before


def test_two_tabs_of_one_phone_are_no_check(client: Phone, app: Flask, board: Page) -> None:
    """If two tabs of one phone send the same hand, the hand isn't marked as agreed by two phones.

    The second tab says what the first tab saved.
    """
    page = bid(client, board, 0, 3)
    one, two, three = (check(client, page, points(took)) for took in ("AAAB", "AAAB", "AABB"))
    save(client, one)
    before = contents(app)
    assert notices(save(client, two, status=409)) == ["This phone already saved hand 1 with the same result."]
    told = notices(save(client, three, status=409))
    assert told == ["This phone already saved hand 1 as 3 to 1. You entered 2 to 2."]
    assert contents(app) == before


def test_the_same_bid_on_two_phones_is_one_bid(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    theirs = second.see(board.path)
    bid(client, board, 0, 3, "H")
    before = contents(app)
    shown = bid(second, theirs, 0, 3, "H")
    shown.form(f"{board.path}/hands")
    assert contents(app) == before


def test_a_late_bid_is_told_the_first_one(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    theirs = second.see(board.path)
    bid(client, board, 0, 3)
    before = contents(app)
    late = bid(second, theirs, 1, 4, status=409)
    assert notices(late) == ["Another phone was first. Hand 1: Ann bid 3. Not saved from this phone: Bob bid 4."]
    assert contents(app) == before
    save(client, check(client, client.see(board.path), points("AAAB")))
    late = bid(second, theirs, 1, 4, status=409)
    assert notices(late)[0].startswith("Another phone was first. Hand 1: Dee dealt, Ann bid 3.")


@pytest.mark.slow
def test_both_phones_throw_a_hand_in(client: Phone, other: Phone) -> None:
    board = start(client, preset="setback-7", seating="4")
    let_in(client, other, board)
    theirs = other.see(board.path)
    client.submit(board, f"{board.path}/bid", call="passed")
    agreed = other.submit(theirs, f"{board.path}/bid", call="passed")
    assert disputes(agreed) == ["✓ Both phones agree on hand 1."]
    assert len(record_of(client, board)["hands"]) == 1


def test_a_hand_from_four_hands_ago(client: Phone, second: Phone, board: Page) -> None:
    """A hand that is sent late is compared with the saved hand of the same number, not with the last hand."""
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points("AABB"))
    now = save(client, check(client, mine, points("AAAB")))
    now = play_all(client, now, ((1, 2, "BBAA"), (2, 2, "AABB"), (3, 2, "BBAA")))
    refused = save(second, there, status=409)
    assert totals(refused) == totals(now)
    assert disputes(refused) == [OPEN]


def test_a_late_hand_without_a_saved_one(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """If the bid was undone before a phone sends the hand, the hand is refused.

    The game has no saved hand with which the late hand could be compared.
    """
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points("AABB"))
    client.submit(mine, f"{board.path}/bid/void")
    before = contents(app)
    assert "Someone else changed the game first" in notices(save(second, there, status=409))[0]
    assert contents(app) == before


def test_undo_and_a_new_hand(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """If one phone undoes a hand while another enters the next bid, only the first of the two requests counts.

    The other phone is told that the game changed.
    """
    one = play(client, board, 0, 3, "AAAB")
    theirs = second.see(board.path)
    bid(second, theirs, 1, 2)
    before = contents(app)
    late = client.submit(one, f"{board.path}/undos", 409)
    assert notices(late)[0].startswith("Someone else changed the game first")
    assert "Bob bid 2" in late.text
    assert contents(app) == before
    back = second.submit(second.see(board.path), f"{board.path}/bid/void")
    stale = client.see(board.path)
    undo(second, back)
    before = contents(app)
    assert totals(bid(client, stale, 1, 2, status=409)) == ["0", "0"]
    assert contents(app) == before


def test_undo_from_two_phones_undoes_one_hand(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    now = play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))
    theirs = second.see(board.path)
    undo(client, now)
    before = contents(app)
    late = second.submit(theirs, f"{board.path}/undos", 409)
    assert notices(late)[0].startswith("Someone else changed the game first")
    assert totals(late) == ["3", "1"]
    assert contents(app) == before


def test_an_undone_hand_is_not_compared(client: Phone, second: Phone, board: Page) -> None:
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points("AABB"))
    undo(client, save(client, check(client, mine, points("AAAB"))))
    late = save(second, there, status=409)
    assert totals(late) == ["0", "0"]
    assert disputes(late) == []


def test_after_the_end_the_same_hand_is_a_check(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """If the second phone sends the same last hand after the end of a game, the hand is marked as agreed.

    A new bid after the end is refused.
    """
    running = play_all(client, board, CLEAN[:-1])
    mine = bid(client, running, 0, 4)
    theirs = second.see(board.path)
    there = check(second, theirs, points("AAAA"))
    over = save(client, check(client, mine, points("AAAA")))
    assert "Ann and Cid win" in over.text
    assert "both phones agree" in save(second, there).text
    before = contents(app)
    form = board.form(f"{board.path}/bid").values | {"client_id": "after-the-end", "version": str(version_of(over) + 1)}
    answer = client.post(f"{board.path}/bid", data={**form, "call": "0:2"})
    assert answer.status_code == 409
    assert "The game is over." in answer.text
    assert contents(app) == before


def version_of(page: Page) -> int:
    """Return the version of the game that a page shows."""
    return int(page.one("p", class_="says").get("data-version", ""))


def test_a_dispute_about_the_hand_that_ended_the_game(client: Phone, second: Phone, board: Page) -> None:
    """A game that ended with a disputed hand goes on if the dispute is settled for a hand that doesn't end the game."""
    running = play_all(client, board, CLEAN[:-1])
    mine, theirs = bid(client, running, 0, 4), second.see(board.path)
    there = check(second, theirs, points("AAAB"))
    save(client, check(client, mine, points("AAAA")))
    refused = save(second, there, status=409)
    assert "Ann and Cid win" in refused.text
    assert "These are two different hands" not in buttons(refused)
    assert totals(settle(client, client.see(board.path), "take")) == ["16", "1"]


def test_a_correction_after_another_phones_correction(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    """A correction is refused if another phone corrected the hand first.

    The page shows the earlier correction and the phone that made it.
    """
    play(client, board, 0, 3, "AAAB")
    address = f"{path_of(board)}/hands/3/correction"
    mine = client.submit(client.see(address), address, 200, **points("AABB"))
    corrected = look_then_save(second, address, **points("AAAA"))
    assert totals(corrected) == ["4", "0"]
    before = contents(app)
    late = client.submit(mine, address, 409)
    assert totals(late) == ["4", "0"]
    assert notices(late)[0].startswith("Bob's phone corrected hand 1 first: Dee dealt, Ann bid 3. Ann and Cid: High,")
    assert notices(late)[0].endswith("This correction wasn't saved.")
    assert contents(app) == before


def test_a_late_hand_is_compared_with_the_latest_correction(client: Phone, second: Phone, board: Page) -> None:
    """A phone agrees with the phone that corrected the hand last, although it corrected the hand itself before."""
    mine, theirs = both_at_points(client, second, board)
    here, there = check(client, mine, points("AAAB")), check(second, theirs, points("AAAA"))
    save(client, here)
    address = f"{path_of(board)}/hands/3/correction"
    look_then_save(second, address, **points("AABB"))
    look_then_save(client, address, **points("AAAA"))
    assert disputes(save(second, there)) == ["✓ Both phones agree on hand 1."]


def test_a_correction_after_another_phones_deletion(client: Phone, second: Phone, app: Flask, board: Page) -> None:
    now = play(client, board, 0, 3, "AAAB")
    address = f"{path_of(board)}/hands/3/correction"
    there = second.submit(second.see(address), address, 200, **points("AABB"))
    undo(client, now)
    before = contents(app)
    late = second.submit(there, address, 409)
    assert notices(late) == ["The main phone deleted hand 1 first, so this correction wasn't saved."]
    assert contents(app) == before


def test_correcting_twice_from_two_tabs(client: Phone, app: Flask, board: Page) -> None:
    play(client, board, 0, 3, "AAAB")
    address = f"{path_of(board)}/hands/3/correction"
    there = client.submit(client.see(address), address, 200, **points("AABB"))
    look_then_save(client, address, **points("AAAA"))
    before = contents(app)
    assert notices(client.submit(there, address, 409))[0].startswith("This phone corrected hand 1 first:")
    assert contents(app) == before


def test_a_correction_waits_until_the_dispute_is_settled(client: Phone, second: Phone, board: Page) -> None:
    """A disputed hand can't be corrected until the dispute is settled. A correction would decide the dispute."""
    refused = differ(client, second, board)
    address = f"{board.path}/hands/3/correction"
    assert disputes(client.see(address)) == [OPEN]
    looked = client.submit(client.see(address), address, 200, **points("AAAA"))
    assert "Settle that first." in client.submit(looked, address, 422).text
    settle(second, refused, "keep")
    assert totals(look_then_save(client, address, **points("AAAA"))) == ["4", "0"]


def test_different_bids_are_shown(client: Phone, second: Phone, board: Page) -> None:
    """If two phones send hand 1 with different bids, the dispute shows both bids and the points that differ.

    This happens if one phone undoes the bid and enters another bid.
    """
    mine, theirs = both_at_points(client, second, board)
    there = check(second, theirs, points("AAAB"))
    play(client, client.submit(mine, f"{board.path}/bid/void"), 1, 2, "BBAA")
    assert versions(save(second, there, status=409)) == [
        (
            "The main phone",
            "Bob bid 2",
            "High: Bob and Dee",
            "Low: Bob and Dee",
            "Game: Ann and Cid",
            "Use 2 to 2: The main phone",
            "tap",
        ),
        (
            "This phone",
            "Ann bid 3",
            "High: Ann and Cid",
            "Low: Ann and Cid",
            "Game: Bob and Dee",
            "Use 3 to 1: This phone",
            "wait",
        ),
    ]
