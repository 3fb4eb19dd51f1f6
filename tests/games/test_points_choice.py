"""House rules choose the points of a hand, such as one for taking all the tricks. All pages have just these points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.forms.house_rules import option_values
from scorekeeper.games.presenters.new_game import option_fields
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.rules.parts import POINTS, SLAM
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from tests.support.game import bid, check, press, save, start, totals
from tests.support.game_steps import import_record, look_then_save, record_of
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

NEW = "/games/new"
SMEAR_7 = ["high", "low", "jack", "off_jack", "high_joker", "low_joker", "game"]
NAMES = {str(category.label) for category in (*POINTS.values(), SLAM)}
FIVE = ["high", "low", "jack", "off_jack", "game"]


def asked(page: Page) -> list[str]:
    """Return the names of the points that a form asks for."""
    return [words(legend) for legend in page.all("legend") if words(legend) in NAMES]


def values(page: Page) -> dict[str, object]:
    return dict(page.form(NEW).values)


def test_the_form_shows_the_usual_points_and_offers_those_of_the_deck(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, choose="bowers-12")
    assert values(page)["rule-points"] == ["high", "low", "right", "left", "game"]
    boxes = [box.get("value") for box in page.all("input", type="checkbox", name="rule-points")]
    assert "ace" in boxes
    assert not {"jack", "three", "slam"} & {*boxes}
    page = client.submit(page, NEW, 200, choose="somerset-66")
    assert "rule-points" not in values(page)


def test_the_highest_bid_follows_from_the_points(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, choose="smear-52")
    page = client.submit(page, NEW, 200, rule_points=SMEAR_7)
    assert (values(page)["rule-points"], values(page)["rule-bid_max"]) == (SMEAR_7, "7")
    told = [words(line) for line in page.one("div", class_="differs").iter("li")]
    assert told == ["Points in a hand: High, Low, Jack, Off jack, High joker, Low joker, Game."]


def test_a_highest_bid_that_was_chosen_stays(client: Phone) -> None:
    """The highest bid equals the number of points until the player sets another highest bid.

    With five points, the highest bid becomes 5. Once the player sets it to 4, it stays 4 even if a point is added.
    """
    page = client.submit(client.see(NEW), NEW, 200, choose="setback-21")
    page = client.submit(page, NEW, 200, rule_points=FIVE)
    assert values(page)["rule-bid_max"] == "5"
    page = client.submit(page, NEW, 200, **{"rule-bid_max": "4"})
    assert values(page)["rule-bid_max"] == "4"
    page = client.submit(page, NEW, 200, rule_points=[*FIVE, "five"])
    assert values(page)["rule-bid_max"] == "4"


@pytest.mark.parametrize(
    ("preset", "fields", "wrong", "says"),
    [
        (
            "smear-52",
            {"rule-points": SMEAR_7, "rule-bid_max": "9"},
            "bid_max",
            "A hand has only 7 points, so the highest bid allowed can't be 9.",
        ),
        (
            "setback-21",
            {"rule-points": ["high", "low", "joker", "high_joker", "low_joker"]},
            "points",
            "High joker and Joker are the same card. Choose one of them.",
        ),
        (
            "setback-21",
            {"rule-points": ["high", "hearts"]},
            "points",
            "“Points in a hand” must name some of these: high, low,",
        ),
    ],
)
def test_points_that_cannot_be_played_are_refused_at_their_field(
    client: Phone, preset: str, fields: dict[str, object], wrong: str, says: str
) -> None:
    page = client.submit(client.see(NEW), NEW, 200, choose=preset)
    seats = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"))}
    page = press(client, page, NEW, "/games", {**seats, **fields}, status=422)
    errors = {str(each.get("id")): words(each) for each in page.all("p", role="alert")}
    assert says in errors[f"error-rule-{wrong}"]


def test_nothing_ticked_means_the_usual_points() -> None:
    shown = {"shown-points": "high low jack game", "rule-bid_max": "4"}
    assert option_values(shown, PRESETS["setback-21"]) == {}
    assert option_values({**shown, "rule-points": " "}, PRESETS["setback-21"]) == {}


def test_a_hand_asks_only_for_the_points_that_are_played(client: Phone) -> None:
    """A hand asks only for the points that the house rules chose.

    The board, the record and an imported game have only these points, too.
    """
    board = start(client, preset="smear-5", rules={"points": ["high", "low", "jack", "joker", "game"]})
    page = bid(client, board, 0, 3)
    assert asked(page) == ["High", "Low", "Jack", "Joker", "Game"]
    told = {"high": "0", "low": "1", "jack": "none", "joker": "0", "game": "0"}
    board = save(client, check(client, page, told))
    assert totals(board) == ["3", "1"]
    assert "Off jack" not in board.text
    record = record_of(client, board)
    assert record["ruleset"]["options"] == {"points": ["high", "low", "jack", "joker", "game"]}
    assert totals(import_record(client, record)) == ["3", "1"]


def test_saved_points_start_a_game_without_a_signal_by_exactly_their_form(client: Phone) -> None:
    """A kit, the data for starting one kind of game offline, has the same rules as the fields of the new-game form.

    In the kit, the names of the chosen points are joined with spaces. `exactKit` in `static/sw-games.js` finds the kit
    for a form by comparing the kit's rules with the form's fields.
    """
    chosen = ["high", "low", "jack", "joker", "game"]
    page = client.submit(client.see(NEW), NEW, 200, choose="smear-5")
    press(client, page, NEW, "/house-rules", {"rules_name": "Joker", "rule-points": chosen}, 200)
    page = client.see(NEW)
    page = client.submit(page, NEW, 200, use_rules=page.one("button", name="use_rules").get("value"))
    form = {key: value for key, value in values(page).items() if key.startswith("rule-")}
    sent = {key: " ".join(value) if isinstance(value, list) else value for key, value in form.items()}
    kits = json.loads(client.get("/games/kits.json").data)["kits"]
    (saved,) = [kit for kit in kits if kit["saved"]]
    assert saved["options"] == {"rule-points": " ".join(chosen)}
    assert {key: saved["rules"][key] for key in sent} == sent
    (usual,) = [kit for kit in kits if kit["preset"] == "setback-21" and kit["seating"] == "4p"]
    page = client.submit(page, NEW, 200, choose="setback-21")
    assert usual["rules"]["rule-points"] == " ".join(values(page)["rule-points"])  # type: ignore[arg-type]


def test_the_rule_card_follows_from_the_points() -> None:
    rules = with_options(PRESETS["smear-6"], {"points": SMEAR_7})
    lines = {line.text: line for section in rule_card(rules).sections for line in section.lines}
    assert "A standard 52-card deck and two jokers, one high and one low." in lines
    assert not [text for text in lines if text.startswith("The joker")]
    assert lines["Bid from 3 to 7, or pass."].usual == "Bid from 3 to 6, or pass."
    (house,) = rule_card(rules).house
    assert house.usual == "Points in a hand: High, Low, Jack, Off jack, Joker, Game."
    joker = with_options(PRESETS["bowers-12"], {"points": ["high", "low", "right", "joker", "game"]})
    lines = {line.text: line for section in rule_card(joker).sections for line in section.lines}
    assert [text for text in lines if text.endswith("Add a joker.")]
    assert "The joker is a trump. It ranks between the jacks and the ten." in lines


def test_only_a_card_of_five_says_what_all_the_tricks_do() -> None:
    rules = with_options(PRESETS["smudge"], {"slam": True})
    texts = [line.text for section in rule_card(rules).sections for line in section.lines]
    assert [text for text in texts if "all 5 points, one of them for taking all the tricks" in text]
    assert "If a pitch fails, you lose 5. It also fails if fewer than 5 points are in play." in texts


def test_the_fields_of_other_points_compare_with_the_bids_of_those_points() -> None:
    fields = {field.key: field for field in option_fields(PRESETS["smear-52"], {"points": " ".join(SMEAR_7)})}
    assert (fields["rule-bid_max"].value, fields["rule-bid_max"].says) == ("7", "")
    assert fields["rule-points"].says == "Points in a hand: High, Low, Jack, Off jack, High joker, Low joker, Game."


def test_a_pitch_asks_for_all_the_tricks_and_another_bid_does_not(client: Phone) -> None:
    board = start(client, preset="smudge", seating="4", rules={"slam": "yes", "target": "21"})
    page = bid(client, board, 0, 4)
    assert "All the tricks" not in asked(page)
    all_four = dict.fromkeys(("high", "low", "jack", "game"), "0")
    board = save(client, check(client, page, all_four))
    assert totals(board) == ["4", "0", "0", "0"]
    assert "All the tricks" not in board.text.partition("Hands")[2].partition("Smudge")[0]
    page = bid(client, board, 1, "pitch")
    assert asked(page)[-1] == "All the tricks"
    told = dict.fromkeys(("high", "low", "jack", "game"), "1")
    board = save(client, check(client, page, {**told, "slam": "none"}))
    assert totals(board) == ["4", "−5", "0", "0"]
    # A correction may change the bid, so it asks always: the 4 was a pitch, and all the tricks were Ann's.
    first = next(str(link.get("href")) for link in reversed(board.all("a")) if "/correction" in str(link.get("href")))
    board = look_then_save(client, first, bid="pitch", slam="0")
    assert totals(board) == ["5", "0", "0", "0"]
    assert "Ann wins" in board.text
