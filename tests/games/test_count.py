"""The card count: it finds the winners of the points, and the cards stay with the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.game import bid, check, contents, path_of, press, save, sheet, start, totals
from tests.support.game_steps import import_record, problem, record_of, said
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

THREE = ("Ann", "Bob", "Cid")


def cards(*piles: str) -> dict[str, str]:
    """Return the fields that give each side its cards: "AS TS" for the first side, and so on."""
    return {f"card-{card}": str(side) for side, pile in enumerate(piles) for card in pile.split()}


def count(phone: Phone, board: Page, fields: Mapping[str, object], status: int = 200, *, quick: bool = False) -> Page:
    """Tap cards, then "Count cards"."""
    address = f"{path_of(board)}/count{'?quick=1' if quick else ''}"
    return phone.submit(phone.see(address), address, status, **fields)


def use(phone: Phone, counted: Page, *, quick: bool = False, status: int = 303) -> Page:
    """Tap "Use this count" and return the points step, filled in."""
    address = f"{path_of(counted)}/count{'?quick=1' if quick else ''}"
    return press(phone, counted, address, address, {"use": "1"}, status)


def told(page: Page) -> list[str]:
    """Return the sentences of the count."""
    section = page.one("section", class_="effect")
    return [words(line) for line in section.findall("p")]


def owners(page: Page) -> dict[str, str | list[str]]:
    """Return the winners filled in at the points step."""
    values = page.form(f"{path_of(page)}/hands").values
    keys = ("high", "low", "jack", "right", "left", "game")
    return {key: values[key] for key in keys if key in values}


def test_the_count_is_offered_once_the_bid_is_known(client: Phone, board: Page) -> None:
    """Without a bid in play there is no hand to count."""
    assert f"{board.path}/count" not in [a.get("href") for a in board.all("a")]
    assert client.see(f"{board.path}/count", 303).status == 303
    page = bid(client, board, 0, 3, "S")
    assert f"{board.path}/count" in [a.get("href") for a in page.all("a")]


def test_a_watcher_cannot_count(client: Phone, other: Phone, board: Page) -> None:
    bid(client, board, 0, 3, "S")
    assert "This phone can watch this game but not score it." in other.see(f"{board.path}/count", 403).text


def test_the_four_points_are_worked_out(client: Phone, board: Page) -> None:
    """High, Low and Jack to the sides that took them, Game to the most card points."""
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("AS 3S TH", "JS 2S KD"))
    assert told(page) == [
        "Card points: Ann and Cid 14 and Bob and Dee 4.",
        "High: Ann and Cid. Low: Bob and Dee. Jack: Bob and Dee. Game: Ann and Cid.",
        "Not counted yet: 16 cards.",
    ]
    assert owners(use(client, page)) == {"high": "0", "low": "1", "jack": "1", "game": "0"}


def test_an_undealt_jack_and_a_tied_game_are_nobodys(client: Phone, board: Page) -> None:
    """RULES 1: a tie at the top: nobody; and no jack of spades was taken."""
    bid(client, board, 0, 2, "S")
    page = count(client, board, cards("AS QH", "2S KH KD"))
    assert told(page)[:2] == [
        "Card points: Ann and Cid 6 and Bob and Dee 6.",
        "High: Ann and Cid. Low: Bob and Dee. Jack: nobody. Game: nobody.",
    ]
    assert owners(use(client, page)) == {"high": "0", "low": "1", "jack": "none", "game": "none"}


def test_a_lone_trump_is_high_and_low_and_jack(client: Phone, board: Page) -> None:
    """RULES 1: a lone trump is High and Low, and Jack if it is the jack."""
    bid(client, board, 0, 2, "S")
    assert owners(use(client, count(client, board, cards("JS", "TH")))) == {
        "high": "0",
        "low": "0",
        "jack": "0",
        "game": "1",
    }


def test_a_tied_game_follows_the_house_rule(client: Phone) -> None:
    """RULES 1: the Game point of a tie goes to the bidding side, or to the defenders."""
    tied = cards("AS QH", "2S KH KD")
    board = start(client, rules={"game_tie": "bidder"})
    bid(client, board, 1, 2, "S")
    assert owners(use(client, count(client, board, tied)))["game"] == "1"
    board = start(client, rules={"game_tie": "defenders"})
    bid(client, board, 1, 2, "S")
    assert owners(use(client, count(client, board, tied)))["game"] == "0"


def test_the_left_bower_is_a_trump(client: Phone) -> None:
    """RULES 3: the other jack of the color belongs to the trump suit, between jack and ten; it is a jack for Game."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("JC TH", "JS TS KD"))
    assert told(page)[:2] == [
        "Card points: Ann and Cid 11 and Bob and Dee 14.",
        "High: Bob and Dee. Low: Bob and Dee. Right: Bob and Dee. Left: Ann and Cid. Game: nobody.",
    ]
    again = start(client, preset="bowers-12")
    bid(client, again, 0, 3, "S")
    alone = count(client, again, cards("JC", "AH"))
    assert "High: Ann and Cid. Low: Ann and Cid. Right: nobody. Left: Ann and Cid." in alone.text


@pytest.mark.parametrize(("trump", "left"), [("S", "JC"), ("C", "JS"), ("H", "JD"), ("D", "JH")])
def test_the_left_bower_is_the_other_jack_of_the_color(client: Phone, trump: str, left: str) -> None:
    """RULES 3, and the page marks it as a trump."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, trump)
    page = count(client, board, cards(f"A{trump} {left}", f"9{trump}"))
    assert "Left: Ann and Cid." in page.text
    marked = {str(box.get("name")) for card in page.all("fieldset", class_="trump") for box in card.iter("input")}
    assert marked == {f"card-{left}", *(f"card-{rank}{trump}" for rank in "29TJQKA")}


@pytest.mark.parametrize(
    ("ours", "game"),
    [
        ("TS TH TC TD J{}", "Ann and Cid"),  # 40 + 1
        ("TS TH TC TD", "nobody"),  # 40
    ],
)
def test_game_needs_41_of_80(client: Phone, ours: str, game: str) -> None:
    """RULES 3: Game needs at least 41 card points; with cards buried nobody may have them."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards(ours.format("H"), "AS AH"))
    assert f"Game: {game}." in page.text


def test_forty_each_is_nobodys_game(client: Phone) -> None:
    """RULES 3: 40 to 40 of 80."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("TS TH TC TD", "AS AH AC AD KS KH KC KD QS QH QC QD JS JH JC JD"))
    assert told(page) == [
        "Card points: Ann and Cid 40 and Bob and Dee 40.",
        "High: Bob and Dee. Low: Ann and Cid. Right: Bob and Dee. Left: Bob and Dee. Game: nobody.",
    ]


def test_the_jack_of_trump_may_count_nothing(client: Phone) -> None:
    """RULES 4: only non-trump jacks count toward Game."""
    tapped = cards("JS AH", "2S KH JD", "3S")
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2)
    bid(client, board, 0, 2, "S")
    page = count(client, board, tapped)
    assert "Card points: Ann 4, Bob 4 and Cid 0." in page.text
    assert "Jack: Ann. Game: nobody." in page.text
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2, rules={"trump_jack_counts": "yes"})
    bid(client, board, 0, 2, "S")
    page = count(client, board, tapped)
    assert "Card points: Ann 5, Bob 4 and Cid 0." in page.text
    assert "Jack: Ann. Game: Ann." in page.text


def test_cards_show_their_value(client: Phone) -> None:
    """RULES 4: the running points leave out the jack of trump too, as does the quick count."""
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2)
    bid(client, board, 0, 2, "S")
    page = client.see(f"{board.path}/count")
    worth = {str(card.get("data-card")): card.get("data-points") for card in page.all("fieldset", class_="card")}
    assert [worth[card] for card in ("J♠", "J♣", "J♥", "10♠", "A♠", "K♠", "Q♠", "9♠")] == [*"011", "10", *"4320"]
    assert "Jacks (not the jack of trump) 1 each" in client.see(f"{board.path}/count?quick=1").text


def test_low_for_the_player_dealt_it_is_not_counted(client: Phone) -> None:
    """RULES 5: Low is captured or dealt, chosen at the start; the cards in the tricks do not show who was dealt it."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2, rules={"low": "dealt"})
    bid(client, board, 0, 2, "S")
    page = count(client, board, cards("AS 2S", "JS TD", "KH"))
    assert told(page)[1:3] == [
        "High: Ann. Jack: Bob. Game: Bob.",
        "Low goes to the player who was dealt it. Tap that side yourself.",
    ]
    points_step = use(client, page)
    assert owners(points_step) == {"high": "0", "jack": "1", "game": "1"}
    refused = check(client, points_step, {}, 422)
    assert said(refused) == "Who gets Low? The cards don't show it, so choose."
    after = save(client, check(client, refused, {"low": "2"}))
    assert totals(after) == ["−2", "2", "1"]
    assert record_of(client, after)["hands"][0]["captured"] == [["2S", "AS"], ["JS", "TD"], ["KH"]]


def test_the_cards_stay_with_the_hand(client: Phone, other: Phone, board: Page) -> None:
    """`captured` of the record: the same cards can be counted again."""
    bid(client, board, 0, 3, "S")
    step = use(client, count(client, board, cards("AS 3S TH", "JS 2S KD")))
    after = save(client, check(client, step, {}))
    assert totals(after) == ["−3", "2"]
    record = record_of(client, after)
    assert record["hands"] == [
        {
            "bidder": 0,
            "bid": 3,
            "trump": "S",
            "captured": [["3S", "AS", "TH"], ["2S", "JS", "KD"]],
            "points": {"high": 0, "low": 1, "jack": 1, "game": 0},
        }
    ]
    del record["hands"][0]["points"]
    assert totals(import_record(other, record)) == ["−3", "2"]


def test_the_cards_stay_during_the_review(client: Phone, board: Page) -> None:
    """Without a script, review and save are two pages: hidden fields carry the cards."""
    bid(client, board, 0, 3, "S")
    looked = check(client, use(client, count(client, board, cards("AS 3S TH", "JS 2S KD"))), {})
    values = looked.form(f"{board.path}/hands").values
    assert {key: value for key, value in values.items() if key.startswith("card-")} == cards("AS 3S TH", "JS 2S KD")


def test_a_count_survives_a_reload_and_can_be_discarded(client: Phone, board: Page) -> None:
    """The address of the points step carries it; a link leads back without it."""
    board = bid(client, board, 0, 3, "S")
    step = use(client, count(client, board, cards("AS 3S TH", "JS 2S KD")))
    again = client.see(step.response.request.full_path)
    assert owners(again) == owners(step) == {"high": "0", "low": "1", "jack": "1", "game": "0"}
    (drop,) = [link for link in again.all("a") if words(link) == "Discard the count"]
    dropped = client.see(drop.get("href", ""))
    assert "Dashed = our guess." in dropped.text
    assert not [name for name in dropped.form(f"{board.path}/hands").names if name.startswith("card-")]


def test_points_must_agree_with_the_cards(client: Phone, app: Flask, board: Page) -> None:
    """The error names the point in players' words."""
    bid(client, board, 0, 3, "S")
    step = use(client, count(client, board, cards("AS 3S TH", "JS 2S KD")))
    before = contents(app)
    refused = check(client, step, {"low": "0"}, 422)
    assert said(refused) == "The captured cards don't match who took Low."
    assert contents(app) == before


def test_a_correction_keeps_the_cards_as_long_as_it_agrees(client: Phone, board: Page) -> None:
    """Another bid does not affect the cards. Another winner of Low means that the cards were wrong."""
    bid(client, board, 0, 3, "S")
    after = save(client, check(client, use(client, count(client, board, cards("AS 3S TH", "JS 2S KD"))), {}))
    link = next(str(a.get("href")) for a in after.all("a") if "/correction" in str(a.get("href")))
    kept = client.submit(client.see(link), link, 200, mode="points", bid="2")
    board = client.submit(kept, link, mode="points")
    assert totals(board) == ["2", "2"]
    assert "captured" in record_of(client, board)["hands"][0]
    dropped = client.submit(client.see(link), link, 200, mode="points", low="0")
    board = client.submit(dropped, link, mode="points")
    assert totals(board) == ["3", "1"]
    assert "captured" not in record_of(client, board)["hands"][0]


def test_without_trump_nothing_is_counted(client: Phone, app: Flask, board: Page) -> None:
    """High depends on trump; it can be named here."""
    bid(client, board, 0, 3)
    before = contents(app)
    tapped = cards("AS 3S TH", "JS 2S KD")
    page = count(client, board, tapped, 422)
    assert problem(page) == "Choose trump to count the cards."
    assert problem(use(client, page, status=422)) == "Choose trump to count the cards."
    page = count(client, board, tapped | {"trump": "S"})
    step = use(client, page)
    assert owners(step) == {"high": "0", "low": "1", "jack": "1", "game": "0"}
    assert contents(app) == before
    assert record_of(client, save(client, check(client, step, {})))["hands"][0]["trump"] == "S"


def test_missing_cards_are_named(client: Phone, board: Page) -> None:
    """Players look for a ten that nobody has counted."""
    bid(client, board, 0, 3, "S")
    all_but = " ".join(r + s for r in "AKQJT" for s in "SHDC" if r + s not in ("TH", "AD"))
    page = count(client, board, cards(all_but, "2S"))
    assert told(page)[2] == "Not counted yet: 10♥, A♦."


def test_cards_that_matter_are_shown(client: Phone, board: Page) -> None:
    """Every trump, for High and Low; of the other suits those that count toward Game."""
    bid(client, board, 0, 3, "H")
    page = client.see(f"{board.path}/count")
    shown = {str(i.get("name")) for i in page.all("input") if str(i.get("name")).startswith("card-")}
    trumps = {f"card-{rank}H" for rank in "23456789TJQKA"}
    assert shown == trumps | {f"card-{rank}{suit}" for rank in "TJQKA" for suit in "SDC"}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"card-XX": "0"}, "This game has no card “XX”."),
        ({"card-<b>": "0"}, "This game has no card “<b>”."),
        ({"card-RJ": "0"}, "This game has no card “RJ”."),
        ({"trump": "X"}, "Choose trump to count the cards."),
        ({"trump": "none"}, "Choose trump to count the cards."),
    ],
)
def test_a_forged_count_is_refused(client: Phone, app: Flask, board: Page, fields: dict[str, str], says: str) -> None:
    """In words, and nothing is stored."""
    bid(client, board, 0, 3, "S")
    before = contents(app)
    page = count(client, board, cards("AS") | fields, 422)
    assert problem(page) == says
    assert contents(app) == before


def test_an_unknown_side_takes_no_card(client: Phone, board: Page) -> None:
    bid(client, board, 0, 3, "S")
    assert (
        "Card points: Ann and Cid 4 and Bob and Dee 0."
        in count(client, board, cards("AS") | {"card-TH": "7", "card-TD": "-1", "card-TC": "²"}).text
    )


def test_the_quick_count_adds_up_ranks(client: Phone, board: Page) -> None:
    """For people who only need Game: tens 10, aces 4, kings 3, queens 2, jacks 1."""
    bid(client, board, 0, 3)
    ours = {"rank-T-0": "1", "rank-A-0": "2", "rank-K-0": "1", "rank-Q-0": "0", "rank-J-0": "2"}
    theirs = {"rank-T-1": "2", "rank-K-1": "1", "rank-J-1": "1"}
    page = count(client, board, ours | theirs, quick=True)
    assert told(page) == ["Card points: Ann and Cid 23 and Bob and Dee 24.", "Game: Bob and Dee."]
    assert owners(use(client, page, quick=True)) == {"game": "1"}


def test_the_quick_count_keeps_to_the_rules_of_game(client: Phone) -> None:
    """41 of 80 with bowers; a tie is nobody's."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3)
    forty = {"rank-T-0": "4"}
    assert told(count(client, board, forty, quick=True))[1] == "Game: nobody."
    assert told(count(client, board, forty | {"rank-J-0": "1"}, quick=True))[1] == "Game: Ann and Cid."
    board = start(client)
    bid(client, board, 0, 3)
    tied = {"rank-A-0": "1", "rank-K-1": "1", "rank-J-1": "1"}
    assert told(count(client, board, tied, quick=True))[1] == "Game: nobody."


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"rank-T-0": "3", "rank-T-1": "2"}, "There are only four tens in the deck."),
        ({"rank-A-0": "4", "rank-A-1": "1"}, "There are only four aces in the deck."),
        ({"rank-J-0": "5"}, "Enter 0 to 4 cards of each kind."),
        ({"rank-J-0": "-1"}, "Enter 0 to 4 cards of each kind."),
        ({"rank-J-0": "x"}, "Enter 0 to 4 cards of each kind."),
        ({"rank-J-0": "²"}, "Enter 0 to 4 cards of each kind."),
        ({"rank-J-0": "9" * 5000}, "Enter 0 to 4 cards of each kind."),
    ],
)
def test_more_cards_than_the_pack_has_are_refused(
    client: Phone, app: Flask, board: Page, fields: dict[str, str], says: str
) -> None:
    """Five tens are refused at once and not used."""
    bid(client, board, 0, 3)
    before = contents(app)
    page = count(client, board, fields, 422, quick=True)
    assert problem(page) == says
    assert problem(use(client, page, quick=True, status=422)) == says
    assert contents(app) == before


def test_jokers_and_ten_points_are_counted_too(client: Phone) -> None:
    """RULES 8: jokers are RJ (high) and BJ (low); the two belongs to the player who was dealt it."""
    board = start(client, preset="ten-point-52")
    bid(client, board, 0, 4, "H")
    page = count(client, board, cards("AH RJ 3H JD", "JH BJ TH"))
    assert told(page)[1:3] == [
        "Ace: Ann and Cid. Jack: Bob and Dee. Off jack: Ann and Cid. High joker: Ann and Cid. "
        "Low joker: Bob and Dee. Ten: Bob and Dee. Three: Ann and Cid.",
        "Two goes to the player who was dealt it. Tap that side yourself.",
    ]
    step = use(client, page)
    after = save(client, check(client, step, {"two": "1"}))
    assert totals(after) == ["6", "4"]
    assert "Ann 4 ♥" in sheet(after)[0]


def test_no_card_count_for_totals(client: Phone) -> None:
    """Some'R'Set: tricks, not cards."""
    board = start(client, preset="somerset-66")
    page = client.submit(board, f"{board.path}/bid", bidder="0", bid="12")
    assert f"{board.path}/count" not in [a.get("href") for a in page.all("a")]
    # There is no empty page either, whose button could only fail.
    assert client.see(f"{board.path}/count", 303).status == 303


def test_tricks_and_red_cards_can_be_entered_separately(client: Phone) -> None:
    """004: one point for each trick, "and however many points you won with point cards"; the others get the rest."""
    board = start(client, preset="somerset-66")
    page = client.submit(board, f"{board.path}/bid", bidder="0", bid="12")
    fields: dict[str, Any] = {"mode": "parts", "side_tricks-0": "7", "side_red-0": "9"}
    checked = client.submit(page, f"{board.path}/hands", 200, **fields)
    assert "make 16, from 0 to 16." in checked.text
    saved = client.submit(checked, f"{board.path}/hands", **fields)
    assert totals(saved) == ["16", "8"]
    (hand,) = record_of(client, board)["hands"]
    assert (hand["side_tricks"], hand["side_red"]) == ([7, 5], [9, 3])


def test_a_part_too_many_is_refused(client: Phone) -> None:
    board = start(client, preset="somerset-66")
    page = client.submit(board, f"{board.path}/bid", bidder="0", bid="12")
    fields: dict[str, Any] = {"mode": "parts", "side_tricks-0": "13", "side_red-0": "9"}
    refused = client.submit(page, f"{board.path}/hands", 422, **fields)
    assert "A hand has 12 tricks, but these add up to 13." in refused.text
