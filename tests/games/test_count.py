"""The card count finds who won each point. "RULES 1" means section 1 of `scorekeeper/rules/RULES.md`."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.forms.start import seating_value
from scorekeeper.games.presenters.card_count import card_text
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import table_at
from tests.rules import book, judge
from tests.support.game import bid, check, contents, path_of, press, save, sheet, start, totals
from tests.support.game_steps import import_record, problem, record_of, said
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

THREE = ("Ann", "Bob", "Cid")
EIGHT = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


def cards(*piles: str) -> dict[str, str]:
    """Return form fields for the cards that each side took.

    Each of `piles` lists the cards of one side, such as "AS TS".
    """
    return {f"card-{card}": str(side) for side, pile in enumerate(piles) for card in pile.split()}


def count(phone: Phone, board: Page, fields: Mapping[str, object], status: int = 200, *, quick: bool = False) -> Page:
    """Open the counting page, enter `fields`, tap "Count cards", and return the page that follows.

    `quick` opens the short form, which works out only who won the point Game.
    """
    address = f"{path_of(board)}/count{'?quick=1' if quick else ''}"
    return phone.submit(phone.see(address), address, status, **fields)


def use(phone: Phone, counted: Page, *, quick: bool = False, status: int = 303) -> Page:
    """Tap "Use this count", and return the page that follows.

    That page is the points step filled in with the count, or an error if `status` is 422. `quick` says that the count
    was made with the short form, which works out only who won the point Game.
    """
    address = f"{path_of(counted)}/count{'?quick=1' if quick else ''}"
    return press(phone, counted, address, address, {"use": "1"}, status)


def told(page: Page) -> list[str]:
    """Return the sentences in which the page gives the result of the count."""
    section = page.one("section", class_="effect")
    return [words(line) for line in section.findall("p")]


def owners(page: Page) -> dict[str, str | list[str]]:
    """Return a dict of the winners that are filled in on the points step, by the key of the point, such as "high".

    A winner is the index of a side, such as "0", or "none" if nobody got the point.
    """
    values = page.form(f"{path_of(page)}/hands").values
    keys = ("high", "low", "jack", "right", "left", "game")
    return {key: values[key] for key in keys if key in values}


def test_the_count_is_offered_once_the_bid_is_known(client: Phone, board: Page) -> None:
    """The card count is offered only while a bid is in play."""
    assert f"{board.path}/count" not in [a.get("href") for a in board.all("a")]
    assert client.see(f"{board.path}/count", 303).status == 303
    page = bid(client, board, 0, 3, "S")
    assert f"{board.path}/count" in [a.get("href") for a in page.all("a")]


def test_a_watcher_cannot_count(client: Phone, other: Phone, board: Page) -> None:
    bid(client, board, 0, 3, "S")
    assert "This phone can watch this game but not score it." in other.see(f"{board.path}/count", 403).text


def test_the_four_points_are_worked_out(client: Phone, board: Page) -> None:
    """The card count gives High, Low and Jack to the sides that took these cards.

    It gives Game to the side with the most card points.
    The count also names the cards that decide High, Low and Jack.
    """
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("AS 3S TH", "JS 2S KD"))
    assert told(page) == [
        "Card points: Ann and Cid 14, Bob and Dee 4.",
        "High (A♠): Ann and Cid. Low (2♠): Bob and Dee. Jack (J♠): Bob and Dee. Game: Ann and Cid.",
        "Nobody took: 16 cards.",
    ]
    assert owners(use(client, page)) == {"high": "0", "low": "1", "jack": "1", "game": "0"}


def test_an_undealt_jack_and_a_tied_game_are_nobodys(client: Phone, board: Page) -> None:
    """RULES 1: nobody gets Game if card points are tied, and nobody gets Jack if the jack of trump wasn't taken."""
    bid(client, board, 0, 2, "S")
    page = count(client, board, cards("AS QH", "2S KH KD"))
    assert told(page)[:2] == [
        "Card points: Ann and Cid 6, Bob and Dee 6.",
        "High (A♠): Ann and Cid. Low (2♠): Bob and Dee. Jack (J♠): nobody. Game: nobody.",
    ]
    assert owners(use(client, page)) == {"high": "0", "low": "1", "jack": "none", "game": "none"}


def test_a_lone_trump_is_high_and_low_and_jack(client: Phone, board: Page) -> None:
    """RULES 1: a lone trump is both High and Low, and also Jack if it is the jack."""
    bid(client, board, 0, 2, "S")
    assert owners(use(client, count(client, board, cards("JS", "TH")))) == {
        "high": "0",
        "low": "0",
        "jack": "0",
        "game": "1",
    }


def test_a_tied_game_follows_the_house_rule(client: Phone) -> None:
    """RULES 1: by house rule, a tied Game goes to the bidding side, to the defenders, or to the dealer's side."""
    tied = cards("AS QH", "2S KH KD")
    board = start(client, rules={"game_tie": "bidder"})
    bid(client, board, 1, 2, "S")
    assert owners(use(client, count(client, board, tied)))["game"] == "1"
    board = start(client, rules={"game_tie": "defenders"})
    bid(client, board, 1, 2, "S")
    assert owners(use(client, count(client, board, tied)))["game"] == "0"
    for dealer in (0, 3):
        board = start(client, rules={"game_tie": "dealer"}, dealer=dealer)
        bid(client, board, 1, 2, "S")
        assert owners(use(client, count(client, board, tied)))["game"] == f"{dealer % 2}"


def test_the_left_bower_is_a_trump(client: Phone) -> None:
    """RULES 3: the left bower, the other jack of the same color, is a trump between the jack and the ten.

    For Game, the left bower counts as a jack.
    """
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("JC TH", "JS TS KD"))
    assert told(page)[:2] == [
        "Card points: Ann and Cid 11, Bob and Dee 14.",
        "High (J♠): Bob and Dee. Low (10♠): Bob and Dee. Right (J♠): Bob and Dee. Left (J♣): Ann and Cid. "
        "Game: nobody.",
    ]
    again = start(client, preset="bowers-12")
    bid(client, again, 0, 3, "S")
    alone = count(client, again, cards("JC", "AH"))
    assert "High (J♣): Ann and Cid. Low (J♣): Ann and Cid. Right (J♠): nobody. Left (J♣): Ann and Cid." in alone.text


@pytest.mark.parametrize(("trump", "left"), [("S", "JC"), ("C", "JS"), ("H", "JD"), ("D", "JH")])
def test_the_left_bower_is_the_other_jack_of_the_color(client: Phone, trump: str, left: str) -> None:
    """RULES 3: the left bower is the other jack of trump's color, and the page marks it as a trump."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, trump)
    page = count(client, board, cards(f"A{trump} {left}", f"9{trump}"))
    assert f"Left ({card_text(left)}): Ann and Cid." in page.text
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
    """RULES 3: Game needs at least 41 card points. If players discarded cards, perhaps no side has so many."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards(ours.format("H"), "AS AH"))
    assert f"Game: {game}." in page.text


def test_forty_each_is_nobodys_game(client: Phone) -> None:
    """RULES 3: with 40 of the 80 card points each, nobody gets Game."""
    board = start(client, preset="bowers-12")
    bid(client, board, 0, 3, "S")
    page = count(client, board, cards("TS TH TC TD", "AS AH AC AD KS KH KC KD QS QH QC QD JS JH JC JD"))
    assert told(page) == [
        "Card points: Ann and Cid 40, Bob and Dee 40.",
        "High (A♠): Bob and Dee. Low (10♠): Ann and Cid. Right (J♠): Bob and Dee. Left (J♣): Bob and Dee. "
        "Game: nobody.",
    ]


def test_the_jack_of_trump_may_count_nothing(client: Phone) -> None:
    """RULES 4: the jack of trump has no card points for Game, unless a house rule says so."""
    tapped = cards("JS AH", "2S KH JD", "3S")
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2)
    bid(client, board, 0, 2, "S")
    page = count(client, board, tapped)
    assert "Card points: Ann 4, Bob 4, Cid 0." in page.text
    assert "Jack (J♠): Ann. Game: nobody." in page.text
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2, rules={"trump_jack_counts": "yes"})
    bid(client, board, 0, 2, "S")
    page = count(client, board, tapped)
    assert "Card points: Ann 5, Bob 4, Cid 0." in page.text
    assert "Jack (J♠): Ann. Game: Ann." in page.text


def test_cards_show_their_value(client: Phone) -> None:
    """RULES 4: the counting page shows that the jack of trump has 0 card points, unlike the other jacks.

    The quick count says that its jacks don't include the jack of trump.
    """
    board = start(client, THREE, preset="setback-7", seating="3", dealer=2)
    bid(client, board, 0, 2, "S")
    page = client.see(f"{board.path}/count")
    worth = {str(card.get("data-card")): card.get("data-points") for card in page.all("fieldset", class_="card")}
    assert [worth[card] for card in ("J♠", "J♣", "J♥", "10♠", "A♠", "K♠", "Q♠", "9♠")] == [*"011", "10", *"4320"]
    assert "Jacks (not the jack of trump) 1 each" in client.see(f"{board.path}/count?quick=1").text


def test_low_for_the_player_dealt_it_is_not_counted(client: Phone) -> None:
    """RULES 5: if Low goes to the player who was dealt it, the count leaves Low open.

    The cards that each side took don't show which player was dealt the lowest trump.
    """
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2, rules={"low": "dealt"})
    bid(client, board, 0, 2, "S")
    page = count(client, board, cards("AS 2S", "JS TD", "KH"))
    assert told(page)[1:3] == [
        "High (A♠): Ann. Jack (J♠): Bob. Game: Bob.",
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
    """The counted cards are saved with the hand. Its record has them in `captured`."""
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
    """Without JavaScript, the review's form has the counted cards in hidden fields, so they are saved with the hand."""
    bid(client, board, 0, 3, "S")
    looked = check(client, use(client, count(client, board, cards("AS 3S TH", "JS 2S KD"))), {})
    values = looked.form(f"{board.path}/hands").values
    assert {key: value for key, value in values.items() if key.startswith("card-")} == cards("AS 3S TH", "JS 2S KD")


def test_a_count_survives_a_reload_and_can_be_discarded(client: Phone, board: Page) -> None:
    """A card count survives a reload of the points step, because the address contains it.

    A link discards the count.
    """
    board = bid(client, board, 0, 3, "S")
    step = use(client, count(client, board, cards("AS 3S TH", "JS 2S KD")))
    again = client.see(step.response.request.full_path)
    assert owners(again) == owners(step) == {"high": "0", "low": "1", "jack": "1", "game": "0"}
    (drop,) = [link for link in again.all("a") if words(link) == "Discard the count"]
    dropped = client.see(drop.get("href", ""))
    assert "Dashed = our guess." in dropped.text
    assert not [name for name in dropped.form(f"{board.path}/hands").names if name.startswith("card-")]


def test_points_must_agree_with_the_cards(client: Phone, app: Flask, board: Page) -> None:
    """If a player chooses a winner that the counted cards contradict, the hand is refused.

    The error names the point.
    """
    bid(client, board, 0, 3, "S")
    step = use(client, count(client, board, cards("AS 3S TH", "JS 2S KD")))
    before = contents(app)
    refused = check(client, step, {"low": "0"}, 422)
    assert said(refused) == "The captured cards don't match who took Low."
    assert contents(app) == before


def test_a_correction_keeps_the_cards_as_long_as_it_agrees(client: Phone, board: Page) -> None:
    """When a counted hand is corrected, its record keeps the cards unless the correction contradicts them.

    A corrected bid keeps the cards. A corrected winner of Low drops the cards, because they must have been wrong.
    """
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
    """If trump isn't known, the counting page asks for it. Once trump is chosen on that page, the count works."""
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
    """The count lists cards that matter but that no side was given, so that players can look for them."""
    bid(client, board, 0, 3, "S")
    all_but = " ".join(r + s for r in "AKQJT" for s in "SHDC" if r + s not in ("TH", "AD"))
    page = count(client, board, cards(all_but, "2S"))
    assert told(page)[2] == "Nobody took: 10♥, A♦."


def test_cards_that_matter_are_shown(client: Phone, board: Page) -> None:
    """The counting page shows every trump, and cards of the other suits that count toward Game."""
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
    """A forged count is refused with the reason, and nothing is stored."""
    bid(client, board, 0, 3, "S")
    before = contents(app)
    page = count(client, board, cards("AS") | fields, 422)
    assert problem(page) == says
    assert contents(app) == before


def test_an_unknown_side_takes_no_card(client: Phone, board: Page) -> None:
    bid(client, board, 0, 3, "S")
    assert (
        "Card points: Ann and Cid 4, Bob and Dee 0."
        in count(client, board, cards("AS") | {"card-TH": "7", "card-TD": "-1", "card-TC": "²"}).text
    )


def test_the_quick_count_adds_up_ranks(client: Phone, board: Page) -> None:
    """The quick count works out only Game: tens count 10, aces 4, kings 3, queens 2 and jacks 1."""
    bid(client, board, 0, 3)
    ours = {"rank-T-0": "1", "rank-A-0": "2", "rank-K-0": "1", "rank-Q-0": "0", "rank-J-0": "2"}
    theirs = {"rank-T-1": "2", "rank-K-1": "1", "rank-J-1": "1"}
    page = count(client, board, ours | theirs, quick=True)
    assert told(page) == ["Card points: Ann and Cid 23, Bob and Dee 24.", "Game: Bob and Dee."]
    assert owners(use(client, page, quick=True)) == {"game": "1"}


def test_the_quick_count_keeps_to_the_rules_of_game(client: Phone) -> None:
    """The quick count follows the rules for Game.

    With bowers, Game needs 41 of the 80 card points. In Setback, nobody gets a tied Game.
    """
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
    """If a player enters more cards of a kind than the deck has, such as five tens, the quick count refuses them."""
    bid(client, board, 0, 3)
    before = contents(app)
    page = count(client, board, fields, 422, quick=True)
    assert problem(page) == says
    assert problem(use(client, page, quick=True, status=422)) == says
    assert contents(app) == before


def test_a_point_left_open_is_told_alike_on_line_and_off_line(client: Phone) -> None:
    """If the count leaves a point open, a phone without a signal says so in the same words as the server."""
    board = start(client, THREE, preset="pitch-11", seating="3", dealer=2, rules={"low": "dealt"})
    bid(client, board, 0, 2, "S")
    page = count(client, board, cards("AS 2S", "JS TD", "KH"))
    kit = client.get(f"{board.path}/kit.json").get_json(force=True)
    assert kit["pages"]["count"]["words"]["untold"].format(point="Low") in told(page)


def test_jokers_and_ten_points_are_counted_too(client: Phone) -> None:
    """RULES 8: in ten-point pitch, the count finds the winners of all points except the point for the two.

    RJ is the high joker and BJ is the low joker. The point for the two goes to the player who was dealt that card, and
    the captured cards don't show who that was.
    """
    board = start(client, preset="ten-point-52")
    bid(client, board, 0, 4, "H")
    page = count(client, board, cards("AH RJ 3H JD", "JH BJ TH"))
    assert told(page) == [
        "Ace (A♥): Ann and Cid. Jack (J♥): Bob and Dee. Off jack (J♦): Ann and Cid. High joker: Ann and Cid. "
        "Low joker: Bob and Dee. Ten (10♥): Bob and Dee. Three (3♥): Ann and Cid.",
        "Two goes to the player who was dealt it. Tap that side yourself.",
    ]
    step = use(client, page)
    after = save(client, check(client, step, {"two": "1"}))
    assert totals(after) == ["6", "4"]
    assert "Ann 4 ♥" in sheet(after)[0]


def test_only_trumps_are_counted_where_the_ten_is_game(client: Phone) -> None:
    """In Pedro, the count shows only trumps. The other five of trump's color, called the off five, is a trump too.

    Card points don't matter in Pedro. The point Low goes to the player who was dealt the lowest trump, so the count
    leaves that point open.
    """
    board = start(client, preset="pedro-62")
    bid(client, board, 0, 6, "H")
    page = client.see(f"{path_of(board)}/count?quick=1")
    assert page.h1 == "Count the cards"
    names = [words(card) for card in page.all("fieldset", class_="card")]
    assert len(names) == 14
    assert any("5 of diamonds" in name for name in names)
    assert not page.all("div", class_="running")
    counted = count(client, board, cards("AH TH 5D", "JH 5H AS"))
    assert told(counted) == [
        "High (A♥): Ann and Cid. Jack (J♥): Bob and Dee. Game (10♥): Ann and Cid. Five (5♥): Bob and Dee. "
        "Off five (5♦): Ann and Cid.",
        "Low goes to the player who was dealt it. Tap that side yourself.",
    ]
    after = save(client, check(client, use(client, counted), {"low": "1"}))
    assert totals(after) == ["7", "7"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", [key for key, rules in PRESETS.items() if rules.categories])
def test_each_game_is_counted_as_the_judge_counts_it(client: Phone, preset: str) -> None:
    """For every game, the card count agrees with `judge`, a separate program that the tests use to score hands.

    The test counts first the whole deck, then half of it. If the count names the card that decides a point, the winner
    of the point has taken that card.
    """
    rules = PRESETS[preset]
    table = table_at(rules, rules.seatings[0])
    names = EIGHT[: table.players]
    board = start(client, names, preset=preset, seating=seating_value(rules.seatings[0]), dealer=0)
    if rules.has_bids:
        bid(client, board, 0, rules.bid_min, "H")
    owned = [join_names([names[seat] for seat in side]) for side in table.sides]
    owned = ["Bidder and partner", "The others"] if table.called else owned
    written = {"RJ": "High joker", "BJ": "Low joker"} if rules.jokers > 1 else {"RJ": "Joker"}
    deck = sorted(pack_of(rules))
    Random(preset).shuffle(deck)
    for taken in (deck, deck[::2]):
        piles = [taken[party :: table.parties] for party in range(table.parties)]
        page = count(client, board, {"trump": "H"} | cards(*map(" ".join, piles)))
        found = judge.owners(preset, {key: getattr(rules, key) for key in book.NEUTRAL}, "H", piles, 0, 0)
        text = " ".join(told(page))
        owner_of = {written.get(card) or card_text(card): party for party, pile in enumerate(piles) for card in pile}
        for category in rules.categories:
            if category.key in found:
                owner = found[category.key]
                name = "nobody" if owner is None else owned[owner]
                says = re.search(rf"\b{category.label}(?: \(([^)]+)\))?: {name}\.", text)
                assert says, (category.label, name, text)
                if card := says[1]:
                    assert owner_of.get(card) == owner
            else:
                assert f"{category.label} goes to the player who was dealt it." in text


def test_no_card_count_for_totals(client: Phone) -> None:
    """Some'R'Set counts tricks, so it has no page for the card count."""
    board = start(client, preset="somerset-66")
    page = client.submit(board, f"{board.path}/bid", bidder="0", bid="12")
    assert f"{board.path}/count" not in [a.get("href") for a in page.all("a")]
    # There is no empty page either, whose button could only fail.
    assert client.see(f"{board.path}/count", 303).status == 303


def test_tricks_and_red_cards_can_be_entered_separately(client: Phone) -> None:
    """In Some'R'Set, a side's tricks and card points can be entered separately. The other side gets the rest.

    With four players, a hand has 24 points: 1 for each of the 12 tricks, and 12 on point cards (section 004 of
    `tests/rules/SOURCES.md`).
    """
    board = start(client, preset="somerset-66")
    page = client.submit(board, f"{board.path}/bid", bidder="0", bid="12")
    fields: dict[str, Any] = {"mode": "parts", "side_tricks-0": "7", "side_red-0": "9"}
    checked = client.submit(page, f"{board.path}/hands", 200, **fields)
    assert "score 16, from 0 to 16." in checked.text
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
