"""An auction offers only legal calls. "RULES 2" means section 2 of `scorekeeper/rules/RULES.md`."""

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
    """RULES 2: the player left of the dealer calls first, and may pass or bid 2, 3 or 4."""
    page = open_auction(client, board)
    assert turn(page) == "Ann's turn No bids yet."
    assert offered(page) == ["pass", "2", "3", "4"]
    assert heard(page) == []
    assert "Ann: Pass" in buttons(page)
    assert "Ann bids 2" in buttons(page)


def test_only_higher_bids_are_offered(client: Phone, board: Page) -> None:
    """RULES 2: each player has one call, and a bid must be higher than the bids before it."""
    page = call_all(client, board, ["pass", 2])
    assert turn(page) == "Cid's turn High bid: 2 (Bob)."
    assert offered(page) == ["pass", "3", "4"]
    assert heard(page) == ["Ann pass", "Bob 2"]
    page = call(client, page, 3)
    assert turn(page) == "Dee's turn High bid: 3 (Cid). Dee deals."
    assert offered(page) == ["pass", "4"]


def test_the_dealers_call_is_the_last(client: Phone, board: Page) -> None:
    """RULES 2: the auction is over after the dealer's call, and the highest bid becomes the bid of the hand."""
    page = call_all(client, board, ["pass", 2, 3, "pass"])
    assert "A Cid bid 3" in page.text
    assert "seen" in page.form(f"{board.path}/hands").names
    assert offered(page) == []


def test_a_four_ends_the_bidding_at_once(client: Phone, board: Page) -> None:
    """RULES 2: a bid of 4 ends the auction, so later players get no call."""
    page = call_all(client, board, ["pass", 4])
    assert "B Bob bid 4" in page.text
    assert "seen" in page.form(f"{board.path}/hands").names


def test_the_dealer_is_stuck_with_two(client: Phone, board: Page) -> None:
    """RULES 2: if all others pass, the dealer must bid 2 or more and can't pass."""
    page = call_all(client, board, ["pass"] * 3)
    assert turn(page) == "Dee's turn No bids yet. Dee deals."
    assert offered(page) == ["2", "3", "4"]
    assert "Dee bids 2 stuck" in buttons(page)
    assert "B Dee bid 3" in call(client, page, 3).text


def test_a_stuck_dealer_who_may_not_raise_has_one_call(client: Phone) -> None:
    """RULES 5: if all others pass, the dealer must bid exactly 2."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, ["pass"] * 2)
    assert offered(page) == ["2"]
    assert "C Cid bid 2" in call(client, page, 2).text


def test_the_dealer_takes_the_bid_by_matching_it(client: Phone) -> None:
    """RULES 5: the dealer calls last, and may pass or match the high bid but not raise it."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, [2, 3])
    assert offered(page) == ["pass", "3"]
    assert "Cid bids 3 take it" in buttons(page)
    assert "C Cid bid 3" in call(client, page, 3).text


def test_a_four_does_not_end_it_where_the_dealer_may_match_it(client: Phone) -> None:
    """RULES 5: a bid of 4 doesn't end the auction, because the dealer may match that bid.

    After a 4, the players before the dealer can only pass.
    """
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    page = call_all(client, board, [4])
    assert turn(page) == "Bob's turn High bid: 4 (Ann)."
    assert offered(page) == ["pass"]
    page = call(client, page, "pass")
    assert offered(page) == ["pass", "4"]
    assert "C Cid bid 4" in call(client, page, 4).text


def test_a_dealer_who_may_match_may_pass(client: Phone) -> None:
    """RULES 5: a dealer who may match the high bid may also pass."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2)
    assert "A Ann bid 4" in call_all(client, board, [4, "pass", "pass"]).text


def test_the_matching_house_rule_excludes_a_four(client: Phone) -> None:
    """RULES 2: by house rule, the dealer may match a high bid of 2 or 3. A bid of 4 still ends the auction."""
    board = start(client, rules={"dealer_privilege": "match"})
    page = call_all(client, board, ["pass", "pass", 3])
    assert offered(page) == ["pass", "3", "4"]
    assert "B Dee bid 3" in call(client, page, 3).text
    again = start(client, rules={"dealer_privilege": "match"})
    assert "A Ann bid 4" in call_all(client, again, [4]).text


def test_an_open_auction_goes_round_until_all_others_passed(client: Phone) -> None:
    """RULES 3: the auction goes round and round until only one bidder is left.

    A player who has passed gets no further call.
    """
    page = call_all(client, start(client, preset="bowers-12"), [1, "pass", 2])
    assert turn(page) == "Dee's turn High bid: 2 (Cid). Dee deals."
    page = call(client, page, "pass")
    assert turn(page) == "Ann's turn High bid: 2 (Cid)."
    assert offered(page) == ["pass", "3", "4", "5"]
    page = call(client, page, 3)
    assert turn(page) == "Cid's turn High bid: 3 (Ann)."
    page = call(client, page, "pass")
    assert "A Ann bid 3" in page.text


def test_a_five_ends_an_open_auction(client: Phone) -> None:
    """RULES 3: a bid of 5 ends the auction."""
    assert "B Bob bid 5" in call_all(client, start(client, preset="bowers-12"), [1, 5]).text


def test_after_three_passes_the_last_player_may_still_bid(client: Phone) -> None:
    """RULES 3: after three passes, the last player may bid or pass, because nobody is forced to bid."""
    page = call_all(client, start(client, preset="bowers-12"), ["pass"] * 3)
    assert offered(page) == ["pass", "1", "2", "3", "4", "5"]
    assert "B Dee bid 1" in call(client, page, 1).text


def test_all_pass_and_the_hand_is_thrown_in(client: Phone) -> None:
    """RULES 3: if all pass, nobody scores, the next player deals, and the record keeps the calls."""
    board = call_all(client, start(client, preset="bowers-12"), ["pass"] * 4)
    assert "All passed: nobody scores." in board.text
    assert "Hand 2 Ann deals" in board.text
    assert sheet(board) == ["1 all passed 0 0 0 0"]
    assert record_of(client, board)["hands"] == [{"calls": ["pass"] * 4, "passed": True}]


def test_a_pitch_is_called_above_all_numbers(client: Phone) -> None:
    """RULES 4: a pitch is higher than a bid of 4, so a plain 4 doesn't end the auction."""
    board = start(client, THREE, preset="setback-7-pitch", seating="3", dealer=2)
    page = call_all(client, board, [4])
    assert offered(page) == ["pass", "pitch"]
    page = call(client, page, "pitch")
    assert offered(page) == ["pass"]
    page = call(client, page, "pass")
    assert "B Bob bid a pitch" in page.text


def test_a_reload_shows_the_auction_again(client: Phone, board: Page) -> None:
    """An auction continues after a reload, because every call is stored."""
    call_all(client, board, ["pass", 2])
    again = client.see(board.path)
    assert turn(again) == "Cid's turn High bid: 2 (Bob)."
    assert heard(again) == ["Ann pass", "Bob 2"]


def test_the_next_hand_is_bid_in_the_same_way(client: Phone, board: Page) -> None:
    """After a hand that was bid player by player, the next one is, until a winning bid is entered directly."""
    shown = call_all(client, board, [3, "pass", "pass", "pass"])
    saved = save(client, check(client, shown, points("AAAB")))
    assert turn(saved) == "Bob's turn No bids yet."
    saved = play(client, client.see(f"{board.path}?entry=bid"), 1, 2, "BBAA")
    assert "'s turn" not in saved.text


def test_a_watcher_follows_the_auction_and_cannot_call(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    """A phone that only watches gets no buttons for calls, and its forged call is refused."""
    page = call_all(client, board, ["pass"])
    assert offered(other.see(f"{board.path}?entry=auction")) == []
    before = contents(app)
    form = page.form(f"{board.path}/calls").values | {"call": "2"}
    other.see("/games/new")
    assert other.post(f"{board.path}/calls", data=form).status_code in (400, 403)
    assert contents(app) == before


def test_undo_the_last_call(client: Phone, board: Page) -> None:
    """One tap undoes the last call, and then it is the turn of the player who made that call."""
    page = take_back(client, call_all(client, board, ["pass", 2]))
    assert turn(page) == "Bob's turn No bids yet."
    assert heard(page) == ["Ann pass"]
    page = take_back(client, page)
    assert [label for label in buttons(page) if label.startswith("Ann bids")] == [
        "Ann bids 2",
        "Ann bids 3",
        "Ann bids 4",
    ]
    assert log_of(client, page)[0].endswith("Last bid undone.")


def test_undo_the_call_that_ended_the_auction(client: Phone, board: Page) -> None:
    """If the call that ended the auction is undone, the player who made that call can call again.

    The earlier calls stay.
    """
    page = call_all(client, board, ["pass", 2, 3, "pass"])
    assert "Undo last bid" in buttons(page)
    page = take_back(client, page)
    assert turn(page) == "Dee's turn High bid: 3 (Cid). Dee deals."
    assert "B Dee bid 4" in call(client, page, 4).text


def test_a_directly_entered_bid_has_no_call_to_undo(client: Phone, board: Page) -> None:
    assert "Undo last bid" not in buttons(bid(client, board, 0, 3))


def test_during_an_auction_undo_names_the_call(client: Phone, board: Page) -> None:
    page = call_all(client, play(client, board, 0, 3, "AAAB"), ["pass"])
    assert not [label for label in buttons(page) if label.startswith("Undo hand")]
    assert not [label for label in buttons(client.see(f"{board.path}?entry=bid")) if label.startswith("Undo hand")]
    page = take_back(client, page)
    assert "Undo hand 1" in buttons(page)


def test_enter_the_winning_bid_during_an_auction(client: Phone, board: Page) -> None:
    """During an auction, a player can skip the remaining calls and enter the winning bid directly.

    The calls made so far are dropped, and the hand's record has only the bid.
    """
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
    """After a misdeal the same dealer deals again, and a new auction starts without the earlier calls."""
    call_all(client, board, ["pass", 2])
    table = client.see(f"{board.path}/table")
    client.submit(table, f"{board.path}/misdeal")
    assert turn(open_auction(client, board)) == "Ann's turn No bids yet."


def test_the_calls_stay_in_the_record(client: Phone, other: Phone, board: Page) -> None:
    """A hand's record has the calls and the bid that resulted from them.

    Another phone that imports the record gets the same score.
    """
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
    """Correct the first hand by changing `fields` of the form, and return this hand from the game's record."""
    link = next(str(a.get("href")) for a in board.all("a") if "/correction" in str(a.get("href")))
    looked = client.submit(client.see(link), link, 200, mode="points", **fields)
    after = client.submit(looked, link, mode="points")
    hand: dict[str, object] = record_of(client, after)["hands"][0]
    return hand


def test_the_calls_stay_through_a_correction_of_the_points(client: Phone, board: Page) -> None:
    """A hand keeps its calls if only the winners of its points are corrected."""
    page = call_all(client, board, ["pass", 2, "pass", "pass"])
    after = save(client, check(client, page, points("ABBB")))
    hand = corrected(client, after, low="0")
    assert hand["calls"] == ["pass", 2, "pass", "pass"]
    assert hand["points"] == {"high": 0, "low": 0, "jack": 1, "game": 1}


@pytest.mark.parametrize("changed", [{"bidder": "0"}, {"bid": "3"}, {"dealer": "2"}])
def test_calls_that_a_correction_contradicts_are_dropped(client: Phone, board: Page, changed: dict[str, str]) -> None:
    """If a hand's bidder, bid or dealer is corrected, the hand's calls are removed, because they no longer fit."""
    page = call_all(client, board, ["pass", 2, "pass", "pass"])
    after = save(client, check(client, page, points("ABBB")))
    assert "calls" not in corrected(client, after, **changed)


def test_the_log_names_every_call(client: Phone, board: Page) -> None:
    """The log has an entry for each call, with the player's name."""
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
    """A forged call is refused with the reason, and the auction doesn't change."""
    page = call_all(client, board, [3])
    before = contents(app)
    refused = call(client, page, value, 422)
    assert says in notices(refused)
    assert turn(refused) == "Bob's turn High bid: 3 (Ann)."
    assert contents(app) == before


def test_a_forced_dealer_cannot_pass(client: Phone, app: Flask, board: Page) -> None:
    """A dealer who is forced to bid can't pass: a forged form is refused with the reason."""
    page = call_all(client, board, ["pass"] * 3)
    before = contents(app)
    assert "Everyone else passed, so the dealer must bid 2." in notices(call(client, page, "pass", 422))
    assert contents(app) == before


def test_a_call_from_an_older_page_is_late(client: Phone, app: Flask, board: Page) -> None:
    """A call from an older page is refused.

    In this test, an older page shows Ann's turn again, and a bid of 3 on that page must not become Bob's call.
    """
    first = open_auction(client, board)
    call(client, first, 2)
    before = contents(app)
    late = call(client, first, 3, 409)
    assert "This page was out of date" in late.text
    assert turn(late) == "Bob's turn High bid: 2 (Ann)."
    assert contents(app) == before


def test_a_repeated_call_counts_once(client: Phone, app: Flask, board: Page) -> None:
    """If the form for a pass is sent twice, it counts as one pass, not also as the next player's pass."""
    first = open_auction(client, board)
    call(client, first, "pass")
    before = contents(app)
    assert turn(call(client, first, "pass")) == "Bob's turn No bids yet."
    assert contents(app) == before


def test_no_call_after_the_bid(client: Phone, app: Flask, board: Page) -> None:
    """If the winning bid was entered without an auction, a forged call is refused and changes nothing."""
    page = bid(client, board, 0, 3)
    before = contents(app)
    form = page.form(f"{board.path}/hands").values | {"call": "4"}
    response = client.post(f"{board.path}/calls", data=form)
    assert response.status_code == 422
    assert "The bid is already entered." in response.text
    assert contents(app) == before


def test_nothing_to_undo_before_the_first_call(client: Phone, board: Page) -> None:
    """A forged request to undo a call before the first call is refused with a message."""
    response = client.post(f"{board.path}/calls/void", data=board.form(f"{board.path}/bid").values)
    assert response.status_code == 422
    assert "No bid to undo." in response.text


def test_a_change_of_rules_ends_the_auction(client: Phone, board: Page) -> None:
    """If the house rules change during an auction, the bidding starts again, because the calls followed other rules."""
    call_all(client, board, ["pass", 2])
    address = f"{path_of(board)}/house-rules"
    looked = client.submit(client.see(address), address, 200, **{"rule-bid_min": "3", "rule-forced_bid": "3"})
    page = open_auction(client, client.submit(looked, address))
    assert turn(page) == "Ann's turn No bids yet."
    assert offered(page) == ["pass", "3", "4"]


def test_a_dealer_who_may_match_is_not_called_stuck(client: Phone) -> None:
    matches = start(client, preset="pitch-11", seating="3", names=("Ann", "Bob", "Cid"), dealer=2)
    assert "stuck" not in matches.text
    may_not = start(client)
    assert "stuck" in may_not.text
