"""The auction, call by call: turns, legal calls, and the resulting bid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, buttons, check, contents, notices, path_of, play, points, save, sheet, start, totals
from tests.support.game_steps import (
    call,
    call_all,
    heard,
    import_record,
    log_of,
    offered,
    open_auction,
    record_of,
    take_back,
    turn,
)

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

THREE = ("Ann", "Bob", "Cid")


def test_the_player_left_of_the_dealer_calls_first(client: Phone, board: Page) -> None:
    """RULES 2: left of the dealer first; bids pass, 2, 3, 4."""
    page = open_auction(client, board)
    assert turn(page) == "Ann’s turn No bids yet."
    assert offered(page) == ["pass", "2", "3", "4"]
    assert heard(page) == []
    assert "Ann: Pass" in buttons(page)
    assert "Ann bids 2" in buttons(page)


def test_only_higher_bids_are_offered(client: Phone, board: Page) -> None:
    """RULES 2: one call each, each must exceed the last."""
    page = call_all(client, board, ["pass", 2])
    assert turn(page) == "Cid’s turn High bid: 2 (Bob)."
    assert offered(page) == ["pass", "3", "4"]
    assert heard(page) == ["Ann pass", "Bob 2"]
    page = call(client, page, 3)
    assert turn(page) == "Dee’s turn High bid: 3 (Cid). Dee deals."
    assert offered(page) == ["pass", "4"]


def test_the_dealers_call_is_the_last(client: Phone, board: Page) -> None:
    """RULES 2: one call each; the high bid becomes the bid of the hand."""
    page = call_all(client, board, ["pass", 2, 3, "pass"])
    assert "A Cid bid 3" in page.text
    assert "seen" in page.form(f"{board.path}/hands").names
    assert offered(page) == []


def test_a_four_ends_the_bidding_at_once(client: Phone, board: Page) -> None:
    """RULES 2: a 4 ends the auction; the dealer gets no call."""
    page = call_all(client, board, ["pass", 4])
    assert "B Bob bid 4" in page.text
    assert "seen" in page.form(f"{board.path}/hands").names


def test_the_dealer_is_stuck_with_two(client: Phone, board: Page) -> None:
    """RULES 2: if all others pass, the dealer must bid 2, and may bid more; passing is not offered."""
    page = call_all(client, board, ["pass"] * 3)
    assert turn(page) == "Dee’s turn No bids yet. Dee deals."
    assert offered(page) == ["2", "3", "4"]
    assert "Dee bids 2 stuck" in buttons(page)
    assert "B Dee bid 3" in call(client, page, 3).text


def test_a_stuck_dealer_who_may_not_raise_has_one_call(client: Phone) -> None:
    """RULES 5: all others passed: must bid exactly 2."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, ["pass"] * 2)
    assert offered(page) == ["2"]
    assert "C Cid bid 2" in call(client, page, 2).text


def test_the_dealer_takes_the_bid_by_matching_it(client: Phone) -> None:
    """RULES 5: the dealer, last, may pass or match the high bid, a 4 too, and may not raise."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, [2, 3])
    assert offered(page) == ["pass", "3"]
    assert "Cid bids 3 take it" in buttons(page)
    assert "C Cid bid 3" in call(client, page, 3).text


def test_a_four_does_not_end_it_where_the_dealer_may_match_it(client: Phone) -> None:
    """RULES 5: a 4 too; all others can only pass."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, [4])
    assert turn(page) == "Bob’s turn High bid: 4 (Ann)."
    assert offered(page) == ["pass"]
    page = call(client, page, "pass")
    assert offered(page) == ["pass", "4"]
    assert "C Cid bid 4" in call(client, page, 4).text


def test_a_dealer_who_may_match_may_pass(client: Phone) -> None:
    """RULES 5: may pass or match."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    assert "A Ann bid 4" in call_all(client, board, [4, "pass", "pass"]).text


def test_the_matching_house_rule_excludes_a_four(client: Phone) -> None:
    """RULES 2: the dealer may take the bid without overbidding; a 4 still ends the auction."""
    board = start(client, rules={"dealer_privilege": "match"})
    page = call_all(client, board, ["pass", "pass", 3])
    assert offered(page) == ["pass", "3", "4"]
    assert "B Dee bid 3" in call(client, page, 3).text
    again = start(client, rules={"dealer_privilege": "match"})
    assert "A Ann bid 4" in call_all(client, again, [4]).text


def test_an_open_auction_goes_round_until_all_others_passed(client: Phone) -> None:
    """RULES 3: round and round; a player who passed is out; it ends when one bidder is left."""
    page = call_all(client, start(client, preset="bowers-12"), [1, "pass", 2])
    assert turn(page) == "Dee’s turn High bid: 2 (Cid). Dee deals."
    page = call(client, page, "pass")
    assert turn(page) == "Ann’s turn High bid: 2 (Cid)."
    assert offered(page) == ["pass", "3", "4", "5"]
    page = call(client, page, 3)
    assert turn(page) == "Cid’s turn High bid: 3 (Ann)."
    page = call(client, page, "pass")
    assert "A Ann bid 3" in page.text


def test_a_five_ends_an_open_auction(client: Phone) -> None:
    """RULES 3: it ends when someone bids 5."""
    assert "B Bob bid 5" in call_all(client, start(client, preset="bowers-12"), [1, 5]).text


def test_after_three_passes_the_last_player_may_still_bid(client: Phone) -> None:
    """RULES 3: and may pass, since nobody is forced."""
    page = call_all(client, start(client, preset="bowers-12"), ["pass"] * 3)
    assert offered(page) == ["pass", "1", "2", "3", "4", "5"]
    assert "B Dee bid 1" in call(client, page, 1).text


def test_all_pass_and_the_hand_is_thrown_in(client: Phone) -> None:
    """RULES 3: all pass: redeal; the deal moves on, and the calls are in the record."""
    board = call_all(client, start(client, preset="bowers-12"), ["pass"] * 4)
    assert "Everyone passed: nobody scores." in board.text
    assert "Hand 2 Ann deals" in board.text
    assert sheet(board) == ["1 thrown in 0 0 0 0"]
    assert record_of(client, board)["hands"] == [{"calls": ["pass"] * 4, "passed": True}]


def test_a_pitch_is_called_above_all_numbers(client: Phone) -> None:
    """RULES 4: a call above 4; a plain 4 does not end the bidding."""
    board = start(client, THREE, preset="setback-7-pitch", seating="3", dealer=2)
    page = call_all(client, board, [4])
    assert offered(page) == ["pass", "pitch"]
    page = call(client, page, "pitch")
    assert offered(page) == ["pass"]
    page = call(client, page, "pass")
    assert "B Bob bid pitch" in page.text


def test_a_reload_shows_the_auction_again(client: Phone, board: Page) -> None:
    """Every call is stored."""
    call_all(client, board, ["pass", 2])
    again = client.see(board.path)
    assert turn(again) == "Cid’s turn High bid: 2 (Bob)."
    assert heard(again) == ["Ann pass", "Bob 2"]


def test_a_watcher_follows_the_auction_and_cannot_call(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    """Another phone that has the address may watch, no more."""
    page = call_all(client, board, ["pass"])
    assert offered(other.see(f"{board.path}?entry=auction")) == []
    before = contents(app)
    form = page.form(f"{board.path}/calls").values | {"call": "2"}
    other.see("/games/new")
    assert other.post(f"{board.path}/calls", data=form).status_code in (400, 403)
    assert contents(app) == before


def test_undo_the_last_call(client: Phone, board: Page) -> None:
    """A slip costs one tap; then it is that player's turn again."""
    page = take_back(client, call_all(client, board, ["pass", 2]))
    assert turn(page) == "Bob’s turn No bids yet."
    assert heard(page) == ["Ann pass"]
    page = take_back(client, page)
    assert [label for label in buttons(page) if label.startswith("Ann bids")] == [
        "Ann bids 2",
        "Ann bids 3",
        "Ann bids 4",
    ]
    assert log_of(client, page)[0].endswith("Last call undone.")


def test_undo_the_call_that_ended_the_auction(client: Phone, board: Page) -> None:
    """The earlier calls stay."""
    page = call_all(client, board, ["pass", 2, 3, "pass"])
    assert "Undo last call" in buttons(page)
    page = take_back(client, page)
    assert turn(page) == "Dee’s turn High bid: 3 (Cid). Dee deals."
    assert "B Dee bid 4" in call(client, page, 4).text


def test_a_directly_entered_bid_has_no_call_to_undo(client: Phone, board: Page) -> None:
    assert "Undo last call" not in buttons(bid(client, board, 0, 3))


def test_during_an_auction_undo_names_the_call(client: Phone, board: Page) -> None:
    page = call_all(client, play(client, board, 0, 3, "AAAB"), ["pass"])
    assert not [label for label in buttons(page) if label.startswith("Undo hand")]
    assert not [label for label in buttons(client.see(f"{board.path}?entry=bid")) if label.startswith("Undo hand")]
    page = take_back(client, page)
    assert "Undo hand 1" in buttons(page)


def test_enter_the_winning_bid_during_an_auction(client: Phone, board: Page) -> None:
    """The calls made so far are not part of the hand."""
    call_all(client, board, ["pass", 2])
    direct = client.see(f"{board.path}?entry=bid")
    assert "Cid bids 2" in buttons(direct)
    page = bid(client, direct, 0, 2)
    assert "A Ann bid 2" in page.text
    after = save(client, check(client, page, points("AA--")))
    assert record_of(client, after)["hands"] == [
        {"bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": None, "game": None}}
    ]


def test_a_misdeal_ends_the_auction(client: Phone, board: Page) -> None:
    """The same dealer deals again, and nobody has called."""
    call_all(client, board, ["pass", 2])
    table = client.see(f"{board.path}/table")
    client.submit(table, f"{board.path}/misdeal")
    assert turn(open_auction(client, board)) == "Ann’s turn No bids yet."


def test_the_calls_stay_in_the_record(client: Phone, other: Phone, board: Page) -> None:
    """The result becomes the hand's bid and the calls stay in the record, which scores the same elsewhere."""
    page = call_all(client, board, ["pass", 2, "pass", "pass"])
    after = save(client, check(client, page, {**points("ABBB"), "trump": "H"}))
    assert totals(after) == ["1", "3"]
    record = record_of(client, after)
    assert record["hands"] == [
        {
            "calls": ["pass", 2, "pass", "pass"],
            "bidder": 1,
            "bid": 2,
            "trump": "H",
            "points": {"high": 0, "low": 1, "jack": 1, "game": 1},
        }
    ]
    brought = import_record(other, record)
    assert totals(brought) == ["1", "3"]
    assert record_of(other, brought)["hands"] == record["hands"]


def corrected(client: Phone, board: Page, **fields: object) -> dict[str, object]:
    """Correct the first hand and return it as the record tells it."""
    link = next(str(a.get("href")) for a in board.all("a") if "/correction" in str(a.get("href")))
    looked = client.submit(client.see(link), link, 200, mode="points", **fields)
    after = client.submit(looked, link, mode="points")
    hand: dict[str, object] = record_of(client, after)["hands"][0]
    return hand


def test_the_calls_stay_through_a_correction_of_the_points(client: Phone, board: Page) -> None:
    """The winner of Low does not affect the calls."""
    page = call_all(client, board, ["pass", 2, "pass", "pass"])
    after = save(client, check(client, page, points("ABBB")))
    hand = corrected(client, after, low="0")
    assert hand["calls"] == ["pass", 2, "pass", "pass"]
    assert hand["points"] == {"high": 0, "low": 0, "jack": 1, "game": 1}


@pytest.mark.parametrize("changed", [{"bidder": "0"}, {"bid": "3"}, {"dealer": "2"}])
def test_calls_that_a_correction_contradicts_are_dropped(client: Phone, board: Page, changed: dict[str, str]) -> None:
    """Another bidder, bid or dealer does not fit the calls."""
    page = call_all(client, board, ["pass", 2, "pass", "pass"])
    after = save(client, check(client, page, points("ABBB")))
    assert "calls" not in corrected(client, after, **changed)


def test_the_log_names_every_call(client: Phone, board: Page) -> None:
    """With time and player."""
    page = call_all(client, board, ["pass", 2, 3, "pass"])
    told = [line.split(" ", 1)[1] if line[0].isdigit() else line for line in log_of(client, page)]
    newest = [
        next(s for s in ("Ann passed.", "Bob bid 2.", "Cid bid 3.", "Dee passed.") if s in line) for line in told[1:5]
    ]
    assert newest == ["Dee passed.", "Cid bid 3.", "Bob bid 2.", "Ann passed."]
    assert "Cid bid 3." in told[0]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("2", "A bid must be higher than 3."),
        ("3", "A bid must be higher than 3."),
        ("5", "Bids go from 2 to 4."),
        ("pitch", "You can't bid a pitch in this game."),
        ("", "Bids go from 2 to 4."),
        ("PASS", "Bids go from 2 to 4."),
        ("9" * 5000, "Bids go from 2 to 4."),
        ("<script>", "Bids go from 2 to 4."),
        ("٤", "Bids go from 2 to 4."),
        (None, "Bids go from 2 to 4."),
    ],
)
def test_a_forged_call_is_refused(client: Phone, app: Flask, board: Page, value: str | None, says: str) -> None:
    """The auction stays as it is, with the reason."""
    page = call_all(client, board, [3])
    before = contents(app)
    refused = call(client, page, value, 422)
    assert says in notices(refused)
    assert turn(refused) == "Bob’s turn High bid: 3 (Ann)."
    assert contents(app) == before


def test_a_forced_dealer_cannot_pass(client: Phone, app: Flask, board: Page) -> None:
    """There is no button, and a forged form is refused with the reason."""
    page = call_all(client, board, ["pass"] * 3)
    before = contents(app)
    assert "Everyone else passed, so the dealer must bid 2." in notices(call(client, page, "pass", 422))
    assert contents(app) == before


def test_a_call_from_an_older_page_is_late(client: Phone, app: Flask, board: Page) -> None:
    """The back button shows Ann's turn again: her 3 must not become Bob's."""
    first = open_auction(client, board)
    call(client, first, 2)
    before = contents(app)
    late = call(client, first, 3, 409)
    assert "This page already saved something else" in late.text
    assert turn(late) == "Bob’s turn High bid: 2 (Ann)."
    assert contents(app) == before


def test_a_repeated_call_counts_once(client: Phone, app: Flask, board: Page) -> None:
    """A repeated pass is not passed on to the next player."""
    first = open_auction(client, board)
    call(client, first, "pass")
    before = contents(app)
    assert turn(call(client, first, "pass")) == "Bob’s turn No bids yet."
    assert contents(app) == before


def test_no_call_after_the_bid(client: Phone, app: Flask, board: Page) -> None:
    """The bid was entered directly; a forged call changes nothing."""
    page = bid(client, board, 0, 3)
    before = contents(app)
    form = page.form(f"{board.path}/hands").values | {"call": "4"}
    response = client.post(f"{board.path}/calls", data=form)
    assert response.status_code == 422
    assert "The bid is already entered." in response.text
    assert contents(app) == before


def test_nothing_to_undo_before_the_first_call(client: Phone, board: Page) -> None:
    """A forged form is refused in words."""
    response = client.post(f"{board.path}/calls/void", data=board.form(f"{board.path}/bid").values)
    assert response.status_code == 422
    assert "No call to undo." in response.text


def test_a_change_of_rules_ends_the_auction(client: Phone, board: Page) -> None:
    """The calls were made under other rules; the bidding starts again."""
    call_all(client, board, ["pass", 2])
    address = f"{path_of(board)}/house-rules"
    looked = client.submit(client.see(address), address, 200, **{"rule-bid_min": "3", "rule-forced_bid": "3"})
    page = open_auction(client, client.submit(looked, address))
    assert turn(page) == "Ann’s turn No bids yet."
    assert offered(page) == ["pass", "3", "4"]


def test_a_dealer_who_may_match_is_not_called_stuck(client: Phone) -> None:
    matches = start(client, preset="pitch-11", seating="3", names=("Ann", "Bob", "Cid"), dealer=2)
    assert "stuck" not in matches.text
    may_not = start(client)
    assert "stuck" in may_not.text
