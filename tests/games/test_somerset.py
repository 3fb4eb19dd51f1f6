"""Some'R'Set for three to six players, and games with special pages, such as ten-point pitch and smear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, check, contents, points, save, sheet, start, totals
from tests.support.game_steps import effect, import_record, look, pad_bid, problem, record_of, said, take

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

THREE = ("Ann", "Bob", "Cid")
FIVE = ("Ann", "Bob", "Cid", "Dee", "Eve")
SIX = (*FIVE, "Fay")
SUITS = ["0", "2", "4", "6", "8", "10", "12"]


def somerset(phone: Phone, names: tuple[str, ...] = FIVE, preset: str = "somerset-66", **rules: object) -> Page:
    """Start a game in which the last player deals first, and return its board.

    `rules` are the options that differ from the preset.
    """
    seating = f"{len(names)}{'p' if len(names) in (4, 6) else ''}"
    return start(phone, names, preset=preset, seating=seating, dealer=len(names) - 1, rules=rules)


def values(page: Page, field: str) -> list[str]:
    """Return the values that the input fields named `field` offer."""
    return [str(box.get("value")) for box in page.all("input", name=field)]


def chosen(page: Page, field: str) -> list[str]:
    """Return the values of the checked radio buttons named `field`, as a list with at most one value."""
    return [str(box.get("value")) for box in page.all("input", name=field) if "checked" in box.attrib]


def bids(page: Page) -> list[int]:
    """Return the bids that the board's buttons offer."""
    return [int(str(button.get("value"))) for button in page.all("button", name="bid")]


def correction(phone: Phone, board: Page, number: int = 1) -> Page:
    """Return the page that corrects hand `number`."""
    links = [str(a.get("href")) for a in board.all("a") if "/correction" in str(a.get("href"))]
    return phone.see(links[-number])


def mend(phone: Phone, page: Page, **fields: object) -> Page:
    """Change `fields` on a correction page, save after the review, and return the board."""
    return phone.submit(phone.submit(page, page.path, 200, mode="taken", **fields), page.path, mode="taken")


@pytest.mark.parametrize(
    ("names", "total", "sides"),
    [(THREE, 28, 3), (FIVE[:4], 24, 2), (FIVE, 22, 5), (SIX, 20, 2)],
)
def test_the_total_depends_on_the_players(client: Phone, names: tuple[str, ...], total: int, sides: int) -> None:
    """RULES 6: a hand has 28 points for three players, 24 for four, 22 for five and 20 for six.

    Bids go from 1 to that total, and points from 0.
    """
    board = somerset(client, names)
    assert len(totals(board)) == sides
    assert bids(board) == list(range(1, total + 1))
    page = pad_bid(client, board, 0, 5)
    assert values(page, "taken-0") == [str(number) for number in range(total + 1)]


def test_the_trump_is_one_of_seven_suits_or_none(client: Phone) -> None:
    """RULES 6: trump is one of seven suits, or a hand has no trump.

    In the variant "Horsley Rules", every hand has a trump suit.
    """
    assert values(somerset(client), "trump") == [*SUITS, "none"]
    assert values(somerset(client, preset="horsley-66"), "trump") == SUITS
    board = somerset(client, preset="horsley-66")
    assert problem(pad_bid(client, board, 0, 5, "none", 422)) == "You can't play without trump in this game."
    assert problem(pad_bid(client, board, 0, 5, "14", 422)) == "Trump must be one of 0 2 4 6 8 10 12."


def test_four_in_partners(client: Phone) -> None:
    """RULES 6: with four players, the bidding side's points are entered, and the other side gets the rest of 24.

    A side that makes its bid scores all the points it took.
    """
    page = pad_bid(client, somerset(client, FIVE[:4]), 1, 14, "12")
    assert "Bob bid 14 12s" in page.text
    assert "Ann and Cid get the rest of the 24." in page.text
    assert values(page, "taken-0") == []
    board = take(client, page, taken_1="15")
    assert totals(board) == ["9", "15"]


def test_a_set_costs_twice_what_was_missing(client: Phone) -> None:
    """RULES 6: a set costs the bidder twice the number of missing points. The defenders score the points they took.

    Here a bid of 14 with 11 points taken costs 6, and the defenders score 13.
    """
    board = take(client, pad_bid(client, somerset(client, FIVE[:4]), 0, 14), taken_0="11")
    assert totals(board) == ["−6", "13"]


def test_by_horsley_rules_a_set_costs_the_bid(client: Phone) -> None:
    """RULES 6: in the variant "Horsley Rules", a set costs the amount of the bid."""
    board = take(client, pad_bid(client, somerset(client, FIVE[:4], "horsley-66"), 0, 14), taken_0="11")
    assert totals(board) == ["−14", "13"]


def test_three_solo_enter_two_totals(client: Phone) -> None:
    """RULES 6: with three players, two totals are entered, and the third player gets the rest of 28."""
    page = pad_bid(client, somerset(client, THREE), 1, 12, "0")
    assert (values(page, "taken-0")[:1], values(page, "taken-1")[:1], values(page, "taken-2")) == (["0"], ["0"], [])
    assert "Cid gets the rest of the 28." in page.text
    board = take(client, page, taken_1="13", taken_0="9")
    assert totals(board) == ["9", "13", "6"]


def test_too_many_points_for_three_are_refused(client: Phone, app: Flask) -> None:
    """RULES 1: with three players, two entered totals that add up to more than 28 are refused with the reason."""
    page = pad_bid(client, somerset(client, THREE), 1, 12)
    before = contents(app)
    assert said(look(client, page, 422, taken_1="20", taken_0="9")) == (
        "A hand has exactly 28 points, but these add up to 29."
    )
    assert contents(app) == before


def test_half_an_entry_is_refused(client: Phone, app: Flask) -> None:
    """With three sides, two totals must be entered. A form with only one total is refused."""
    page = pad_bid(client, somerset(client, THREE), 1, 12)
    before = contents(app)
    assert said(look(client, page, 422, taken_1="20")) == "Enter how many points they took."
    assert contents(app) == before


def test_the_called_partner_shares_the_score(client: Phone) -> None:
    """RULES 6: the bidder and the called partner each get the bidding side's score.

    Each of the other players gets the defenders' total.
    """
    page = pad_bid(client, somerset(client), 0, 12, "4")
    assert values(page, "partner") == ["1", "2", "3", "4", "alone"]
    assert "Ann and partner" in page.text
    board = take(client, page, partner="2", taken_0="14")
    assert totals(board) == ["14", "8", "14", "8", "8"]
    assert record_of(client, board)["hands"] == [{"bidder": 0, "bid": 12, "trump": "4", "partner": 2, "taken": [14, 8]}]


def test_the_called_partner_shares_the_penalty(client: Phone) -> None:
    """RULES 6: after a set, the bidder and the called partner each lose the full penalty, here 2 × (12 − 9)."""
    board = take(client, pad_bid(client, somerset(client), 0, 12), partner="2", taken_0="9")
    assert totals(board) == ["−6", "13", "−6", "13", "13"]


def test_a_bidder_may_play_alone(client: Phone) -> None:
    """RULES 6: a bidder who calls no partner plays alone against the other four players."""
    board = take(client, pad_bid(client, somerset(client), 3, 10), partner="alone", taken_0="11")
    assert totals(board) == ["11", "11", "11", "11", "11"]
    assert record_of(client, board)["hands"][0]["partner"] is None
    board = take(client, pad_bid(client, board, 4, 10), partner="alone", taken_0="8")
    assert totals(board) == ["25", "25", "25", "25", "7"]


@pytest.mark.parametrize(
    ("partner", "says"),
    [
        ("0", "The bidder can't be the called partner. Choose someone else, or tap “alone” instead."),
        (None, "Choose the called partner, or tap “alone” if the bidder played alone."),
        ("5", "“partner” must be a seat from 0 to 4."),
        ("Cid", "“partner” must be a seat from 0 to 4."),
        ("", "“partner” must be a seat from 0 to 4."),
    ],
)
def test_an_impossible_partner_is_refused(client: Phone, app: Flask, partner: str | None, says: str) -> None:
    """The page doesn't offer the bidder as called partner. A forged form with an impossible partner is refused."""
    page = pad_bid(client, somerset(client), 0, 12)
    assert "0" not in values(page, "partner")
    before = contents(app)
    assert said(look(client, page, 422, partner=partner, taken_0="14")) == says
    assert contents(app) == before


@pytest.mark.parametrize("number", [0, 23, 29, "-1", "x", "²", ""])
def test_a_bid_off_the_pad_is_refused(client: Phone, app: Flask, number: object) -> None:
    """RULES 6: with five players, a bid that isn't from 1 to 22 is refused."""
    board = somerset(client)
    before = contents(app)
    page = client.submit(board, f"{board.path}/bid", 422, bidder="0", bid=number)
    assert problem(page) == "Bids go from 1 to 22."
    assert chosen(page, "bidder") == ["0"]
    assert contents(app) == before


def test_a_bid_without_a_bidder_is_refused(client: Phone, app: Flask) -> None:
    board = somerset(client)
    before = contents(app)
    refused = client.submit(board, f"{board.path}/bid", 422, bid="9")
    assert problem(refused) == "Choose the bidder, then tap the bid."
    assert [button.get("value") for button in refused.all("button") if button.get("aria-pressed")] == ["9"]
    assert contents(app) == before


def test_all_pass_is_thrown_in(client: Phone) -> None:
    """RULES 6: if everyone passes, the hand is thrown in and the next player deals."""
    board = somerset(client)
    board = client.submit(board, f"{board.path}/bid", call="passed")
    assert sheet(board)[0].startswith("1 all passed")
    assert "Hand 2 Ann deals" in board.text


def six_at(client: Phone, ours: int, theirs: int) -> Page:
    """Return the board of a game of six with the scores `ours` and `theirs`.

    Every hand so far had 20 points, and every bid was made.
    """
    hands = []
    while ours or theirs:
        took = min(ours, 20 if ours >= theirs else 20 - min(theirs, 20))
        rest = 20 - took
        hands.append({"bidder": 0 if took >= rest else 1, "bid": 1, "taken": [took, rest]})
        ours, theirs = ours - took, theirs - rest
    return import_record(
        client,
        {
            "format": "scorekeeper-game/1",
            "ruleset": {"preset": "somerset-66"},
            "players": list(SIX),
            "first_dealer": 5,
            "hands": hands,
        },
    )


def test_six_play_two_against_two_of_three(client: Phone) -> None:
    """RULES 6: six players form two sides of three, seated alternately, and a hand has 20 points."""
    board = take(client, pad_bid(client, somerset(client, SIX), 0, 10), taken_0="12")
    assert totals(board) == ["12", "8"]
    assert "A Ann, Cid and Eve" in board.text
    assert "B Bob, Dee and Fay" in board.text


def test_the_highest_at_66_wins_bidder_or_not(client: Phone) -> None:
    """RULES 6: the side with the highest score of 66 or more wins, even if the other side was the bidder.

    At 60 to 60, Bob bids 9 and takes 9. Ann's side takes 11 and wins.
    """
    board = six_at(client, 60, 60)
    assert totals(board) == ["60", "60"]
    over = take(client, pad_bid(client, board, 1, 9), taken_1="9")
    assert totals(over) == ["71", "69"]
    assert "Ann, Cid and Eve win" in over.text
    assert "Ann, Cid and Eve have the high score, 71." in over.text


def test_a_tie_at_the_top_needs_another_hand(client: Phone) -> None:
    """RULES 6: if sides at 66 or more are tied for the lead, more hands are played until one side alone leads."""
    board = take(client, pad_bid(client, six_at(client, 60, 60), 0, 10), taken_0="10")
    assert totals(board) == ["70", "70"]
    assert "Tied at 70. One more hand, and high score wins." in board.text
    assert "High score after this hand wins." in board.text
    level = take(client, pad_bid(client, board, 1, 10), taken_1="10")
    assert totals(level) == ["80", "80"]
    assert "Tied at 80. One more hand" in level.text
    # Ann bids 20 and takes none: −40 for them, 20 for Bob's side.
    over = take(client, pad_bid(client, level, 0, 20), taken_0="0")
    assert totals(over) == ["40", "100"]
    assert "Bob, Dee and Fay have the high score after the tie-break hand, 100." in over.text


def two_at_66(client: Phone, **options: object) -> Page:
    """Return the board of a game of five in which Ann and Bob are tied at 66 after three hands as partners.

    `options` are the options that differ from the usual rules.
    """
    return import_record(
        client,
        {
            "format": "scorekeeper-game/1",
            "ruleset": {"preset": "somerset-66", "options": options},
            "players": list(FIVE),
            "first_dealer": 4,
            "hands": [{"bidder": 0, "bid": 1, "partner": 1, "taken": [22, 0]}] * 3,
        },
    )


@pytest.mark.parametrize(("after", "ends"), [("decides", True), ("threshold", False)])
def test_a_tie_break_hand_may_decide_below_66(client: Phone, after: str, ends: bool) -> None:
    """RULES 6: after a tie-break hand, the highest score wins even below 66.

    If the option `tie_break_round` is "threshold", 66 is still needed.
    """
    board = two_at_66(client, **({} if ends else {"tie_break_round": after}))
    assert totals(board) == ["66", "66", "0", "0", "0"]
    # Ann and Bob are set by 2 and stay tied: another hand.
    board = take(client, pad_bid(client, board, 0, 20), partner="1", taken_0="18")
    assert totals(board) == ["62", "62", "4", "4", "4"]
    assert board.all("button", name="bid")
    # Ann is set by 2 with Cid: Bob is ahead with 64.
    board = take(client, pad_bid(client, board, 0, 22), partner="2", taken_0="20")
    assert totals(board) == ["58", "64", "0", "6", "6"]
    assert ("Bob has the high score after the tie-break hand, 64." in board.text) is ends
    assert bool(board.all("button", name="bid")) is not ends


def test_a_correction_of_the_partner(client: Phone) -> None:
    """A wrong called partner can be corrected, and the page shows the new scores before the correction is saved."""
    board = take(client, pad_bid(client, somerset(client), 0, 12), partner="2", taken_0="14")
    page = correction(client, board)
    assert "Ann bid 12 with Cid." in page.text
    assert chosen(page, "partner") == ["2"]
    assert chosen(page, "taken-0") == ["14"]
    looked = client.submit(page, page.path, 200, mode="taken", partner="3")
    assert effect(looked) == [
        "1 14, 8, 14, 8 and 8 14, 8, 8, 14 and 8",
        "New score: 14, 8, 8, 14 and 8. Game continues.",
    ]
    assert totals(client.submit(looked, page.path, mode="taken")) == ["14", "8", "8", "14", "8"]


def test_a_correction_to_alone_and_back(client: Phone) -> None:
    """A hand with a called partner can be corrected to a hand that the bidder played alone, and back."""
    board = take(client, pad_bid(client, somerset(client), 0, 12), partner="2", taken_0="14")
    board = mend(client, correction(client, board), partner="alone")
    assert totals(board) == ["14", "8", "8", "8", "8"]
    page = correction(client, board)
    assert "Ann bid 12 alone." in page.text
    assert chosen(page, "partner") == ["alone"]
    assert totals(mend(client, page, partner="4")) == ["14", "8", "8", "8", "14"]


def test_a_correction_to_the_partner_as_bidder_is_refused_until_another_is_named(client: Phone, app: Flask) -> None:
    """A correction that makes the called partner the bidder is refused until somebody else is the called partner.

    The hand was entered with Ann as bidder and Cid as called partner, but in fact Cid was the bidder and called Ann.
    """
    board = take(client, pad_bid(client, somerset(client), 0, 12), partner="2", taken_0="14")
    page = correction(client, board)
    before = contents(app)
    refused = client.submit(page, page.path, 422, mode="taken", bidder="2")
    assert problem(refused) == "The bidder can't be the called partner. Choose someone else, or tap “alone” instead."
    assert contents(app) == before
    assert totals(mend(client, refused, partner="0")) == ["14", "8", "14", "8", "8"]


def test_a_correction_of_the_bidder_keeps_the_points(client: Phone) -> None:
    """When only the bidder is corrected, each side's points stay as entered, here 14 and 10."""
    board = take(client, pad_bid(client, somerset(client, FIVE[:4]), 0, 12), taken_0="14")
    assert totals(board) == ["14", "10"]
    page = correction(client, board)
    looked = client.submit(page, page.path, 200, mode="taken", bidder="1")
    assert effect(looked) == ["1 14 to 10 14 to −4", "New score: 14 to −4. Game continues."]
    after = client.submit(looked, page.path, mode="taken")
    assert totals(after) == ["14", "−4"]


def test_a_correction_of_the_points_of_three(client: Phone) -> None:
    """With three players, a correction changes one of the two totals entered, and the third player's total follows."""
    board = take(client, pad_bid(client, somerset(client, THREE), 1, 12), taken_1="13", taken_0="9")
    page = correction(client, board)
    assert (chosen(page, "taken-1"), chosen(page, "taken-0")) == (["13"], ["9"])
    assert totals(mend(client, page, taken_0="5")) == ["5", "13", "10"]


def test_a_hand_becomes_thrown_in_and_back(client: Phone) -> None:
    board = take(client, pad_bid(client, somerset(client), 0, 12), partner="2", taken_0="14")
    page = correction(client, board)
    looked = client.submit(page, page.path, 200, mode="passed")
    board = client.submit(looked, page.path, mode="passed")
    assert totals(board) == ["0"] * 5
    again = mend(client, correction(client, board), bidder="0", bid="12", partner="2", taken_0="14")
    assert totals(again) == ["14", "8", "14", "8", "8"]


def test_a_moon_from_zero_wins(client: Phone) -> None:
    """RULES 8: if a side at zero or above makes a moon (a bid of all points), its score becomes 52, and it wins."""
    board = start(client, preset="ten-point-52")
    assert [str(button.get("value")) for button in board.all("button", name="bid")] == [*map(str, range(4, 11)), "moon"]
    over = _ten(client, client.submit(board, f"{board.path}/bid", bidder="0", bid="moon"), "A" * 8)
    assert totals(over) == ["52", "0"]
    assert "Ann and Cid shot the moon. That wins the game." in over.text


@pytest.mark.slow
def test_a_moon_that_fails_loses(client: Phone) -> None:
    """RULES 8: if a side fails to make a moon (a bid of all points), it loses 10 points, and the other side wins."""
    board = start(client, preset="ten-point-52")
    over = _ten(client, client.submit(board, f"{board.path}/bid", bidder="0", bid="moon"), "AAAAAAAB")
    assert totals(over) == ["−10", "3"]
    assert "Ann and Cid bid a moon and missed it, so Bob and Dee won." in over.text


def test_a_moon_from_below_zero_brings_the_score_to_zero(client: Phone) -> None:
    """RULES 8: if a side below zero makes a moon (a bid of all points), its score becomes 0, and the game goes on."""
    board = start(client, preset="ten-point-52")
    board = _ten(client, client.submit(board, f"{board.path}/bid", bidder="0", bid="6"), "ABBBBBBA")
    assert totals(board) == ["−6", "6"]
    assert "A moon only brings you to 0." in board.text
    board = _ten(client, client.submit(board, f"{board.path}/bid", bidder="0", bid="moon"), "A" * 8)
    assert totals(board) == ["0", "6"]
    assert board.all("button", name="bid")


def _ten(phone: Phone, page: Page, told: str) -> Page:
    """Enter the winners of the points of a hand of ten-point pitch, save the hand, and return the board.

    `told` has the letter of the side that won each point, in the order of the points in the form.
    """
    return save(phone, check(phone, page, points(told, "ten-point-52")))


def test_smear_counts_ten_points_with_a_three_for_three(client: Phone) -> None:
    """RULES 8: in smear, the three of trump counts 3 points, and the highest score at or above the target wins."""
    board = start(client, preset="smear-52", rules={"target": "8"})
    page = client.submit(board, f"{board.path}/bid", bidder="1", bid="4")
    board = save(client, check(client, page, points("ABBAA--B", "smear-52")))
    # High, Off jack, High joker: 3. Low, Jack, Three: 1 + 1 + 3.
    assert totals(board) == ["3", "5"]
    page = client.submit(board, f"{board.path}/bid", bidder="1", bid="2")
    over = save(client, check(client, page, points("AABBBA-A", "smear-52")))
    # High, Low, Low joker, Three: 6. Jack, Off jack, High joker: 3.
    assert totals(over) == ["9", "8"]
    assert "Ann and Cid have the high score, 9." in over.text


def test_a_tie_at_smear_goes_to_the_bidder(client: Phone) -> None:
    """RULES 8: in smear, the bidder wins a tie for the lead at the target."""
    board = start(client, preset="smear-52", rules={"target": "2"})
    page = client.submit(board, f"{board.path}/bid", bidder="1", bid="2")
    over = save(client, check(client, page, points("AABB----", "smear-52")))
    assert totals(over) == ["2", "2"]
    assert "Tied at 2. The tie goes to the bidder, Bob and Dee." in over.text


def test_a_pitch_tested_by_tricks_asks_for_them(client: Phone) -> None:
    """RULES 4: if the number of tricks decides whether a pitch is made, the page asks how many tricks the bidder took.

    A bidder who takes at least four of the six tricks scores 4.
    """
    board = start(
        client, THREE, preset="setback-7-pitch", seating="3", dealer=2, rules={"pitch_test": "tricks", "target": "20"}
    )
    board = save(client, check(client, bid(client, board, 0, 2), points("BBBB")))
    assert totals(board) == ["−2", "4", "0"]
    page = bid(client, board, 0, "pitch")
    assert values(page, "tricks") == [str(number) for number in range(7)]
    assert said(check(client, page, points("ABBC"), 422)) == "Enter how many tricks the bidder took."
    after = save(client, check(client, page, points("ABBC") | {"tricks": "4"}))
    assert totals(after) == ["2", "6", "1"]
    page = correction(client, after, 2)
    looked = client.submit(page, page.path, 200, mode="points", tricks="3")
    assert totals(client.submit(looked, page.path, mode="points")) == ["−6", "6", "1"]
