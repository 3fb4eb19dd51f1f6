"""A game is started with a choice of the game, the seats and the house rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.new_game import OFFERED
from scorekeeper.rules.presets import PRESETS
from tests.support.game import FOUR, contents, play, press, start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

SEVEN = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")


def names_in(page: Page) -> list[str]:
    """Return the values of the name fields, in seat order."""
    return [str(field.get("value")) for field in page.all("input", list="known-names")]


def refused(phone: Phone, fields: Mapping[str, object]) -> Page:
    """Send the new-game form with `fields`, check that it is refused, and return the page."""
    return press(phone, phone.see("/games/new"), "/games/new", "/games", fields, status=422)


def seats(*names: str) -> dict[str, object]:
    return {f"name-{seat}": name for seat, name in enumerate(names)}


def error_at(page: Page, field: str) -> str:
    """Return the error message of the form field `field`, and check that the field is marked as invalid."""
    control = next(element for element in page.tree.iter() if element.get("name") == field)
    assert control.get("aria-invalid") == "true"
    told = control.get("aria-describedby" if field.startswith("name-") else "aria-errormessage")
    return "".join(page.one("p", id=str(told)).itertext())


@pytest.mark.parametrize("preset", OFFERED)
def test_every_game_is_offered_and_can_be_started(client: Phone, preset: str) -> None:
    """Every game on the new-game page can be started with its usual seating."""
    page = client.submit(client.see("/games/new"), "/games/new", 200, choose=preset)
    pressed = page.one("button", name="choose", value=preset)
    assert pressed.get("aria-pressed") == "true"
    fields = seats(*SEVEN[: len(names_in(page))])
    board = press(client, page, "/games/new", "/games", fields)
    assert PRESETS[preset].name in board.text
    assert "Hand 1 Ann deals Bob bids first" in board.text


def test_choosing_another_game_or_seating_keeps_the_typed_names(client: Phone) -> None:
    page = client.submit(client.see("/games/new"), "/games/new", 200, **seats(*FOUR), first_dealer="2")
    page = client.submit(page, "/games/new", 200, seating_choice="6", rule_target="31")
    assert names_in(page) == [*FOUR, "", ""]
    assert page.form("/games/new").values["first_dealer"] == "2"
    assert page.form("/games/new").values["rule-target"] == "31"
    page = client.submit(page, "/games/new", 200, choose="pitch-11")
    assert names_in(page)[:3] == ["Ann", "Bob", "Cid"]
    assert page.form("/games/new").values["rule-target"] == "11", "another game starts with its own rules"


def test_choosing_a_game_starts_nothing(client: Phone, app: Flask) -> None:
    """Choosing a game on the new-game page stores nothing."""
    before = contents(app)
    client.submit(client.see("/games/new"), "/games/new", 200, choose="setback-7", **seats(*FOUR))
    assert contents(app) == before


def test_partners_are_visible(client: Phone) -> None:
    """Each seat says which seat its partner has, unless everyone plays solo."""
    page = client.see("/games/new")
    assert "Seat 1 (partner: seat 3)" in page.text
    assert "partner:" not in client.submit(page, "/games/new", 200, seating_choice="4").text


def test_seven_can_play(client: Phone) -> None:
    """Seven players can play solo at one table, and the seat after the dealer bids first."""
    board = start(client, SEVEN, seating="7", dealer=0)
    assert board.h1 == ", ".join(f"{name} 0" for name in SEVEN)
    assert "Bob bids first" in board.text


def test_the_names_of_this_phone_are_offered_next_time(client: Phone) -> None:
    """The name fields already have the players of the phone's last game.

    The names from all games of the phone are suggested for each field.
    """
    start(client, ("Eve", "Fay"), seating="2")
    start(client, dealer=1)
    page = client.see("/games/new")
    assert names_in(page) == list(FOUR)
    offered = [option.get("value") for option in page.one("datalist", id="known-names")]
    assert offered == [*FOUR, "Eve", "Fay"]


def test_a_new_game_starts_with_the_usual_rules(client: Phone) -> None:
    """After a game with house rules, a new game starts with the usual rules. A rematch keeps the house rules."""
    board = start(client, rules={"target": "31"})
    play(client, board, 0, 3, "AAAB")
    assert client.see("/games/new").form("/games/new").values["rule-target"] == "21"
    assert "Played to 31." in client.submit(client.see("/"), "/games/again").text


def test_the_board_lists_house_rules(client: Phone) -> None:
    board = start(client, rules={"target": "31", "dealer_privilege": "match"})
    assert "To 31, bid to go out, win by 2" in board.text
    assert "Played to 31." in board.text
    assert "The dealer may match the high bid." in board.text


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("target", "0", "“Play to” must be a whole number from 1 to 1000000."),
        ("target", "99999999999999999999", "“Play to” must be a whole number from 1 to 1000000."),
        ("target", "-5", "“Play to” must be a whole number from 1 to 1000000."),
        ("target", "²", "“Play to” must be a whole number from 1 to 1000000."),
        ("target", "", "“Play to” must be a whole number from 1 to 1000000."),
        ("low", "stolen", "“Low goes to” must be captured or dealt."),
        ("bid_max", "5", "A hand has only 4 points, so the highest bid allowed can't be 5."),
        ("finish", "fixed_hands", "Enter the number of hands."),
        (
            "redeal_by",
            "same",
            "“If all pass” can't be changed here: the dealer must bid if the others pass, so there is always a bid.",
        ),
    ],
)
def test_a_bad_house_rule_is_refused_at_its_field(client: Phone, app: Flask, field: str, value: str, says: str) -> None:
    """An invalid house rule is refused with an error at its field.

    The collapsed rules are expanded, and the typed names stay.
    """
    before = contents(app)
    page = refused(client, {**seats(*FOUR), f"rule-{field}": value})
    at = "hands_limit" if field == "finish" else field
    assert error_at(page, f"rule-{at}") == says
    fold = next(fold for fold in page.all("details") if "House rules" in "".join(fold.itertext()))
    assert "open" in fold.attrib
    assert names_in(page) == list(FOUR)
    assert contents(app) == before


def test_an_error_in_a_rule_without_a_field_is_shown_at_the_top(client: Phone) -> None:
    """If a tampered form sets a rule that has no field in this game, the error is shown at the top."""
    page = refused(client, {**seats(*FOUR), "rule-no_trump": "yes"})
    assert "every hand of this game has a trump suit" in "".join(page.one("p", class_="error").itertext())


@pytest.mark.parametrize(
    ("names", "seat", "says"),
    [
        (("Ann", "", "Cid", "Dee"), 1, "Every seat needs a name."),
        (("Ann", " \t\u3000", "Cid", "Dee"), 1, "Every seat needs a name."),
        (("Ann", "Bob", "ann ", "Dee"), 2, "Two players are named ann. Add an initial."),
        (("Ann", "Bob", "Cid", "D" * 41), 3, "A name can have at most 40 characters."),
        (("\x00", "Bob", "Cid", "Dee"), 0, "Every seat needs a name."),
    ],
)
def test_a_bad_name_is_refused_at_its_seat(
    client: Phone, app: Flask, names: tuple[str, ...], seat: int, says: str
) -> None:
    """An invalid name is refused with an error at its seat, and nothing is stored."""
    before = contents(app)
    assert error_at(refused(client, seats(*names)), f"name-{seat}") == says
    assert contents(app) == before


def test_a_missing_seat_is_asked_for(client: Phone) -> None:
    """A form without the fourth name is refused instead of starting a game of three."""
    page = refused(client, {**seats("Ann", "Bob", "Cid"), "name-3": []})
    assert error_at(page, "name-3") == "Every seat needs a name."


@pytest.mark.parametrize(
    "name",
    [
        "D" * 40,
        "  Dee  ",
        "  " + "D" * 40 + "  ",
        "👩‍👩‍👧‍👦",
        "דנה",
        "عبد الرحمن",
        "Zoë O’Hara-Nuñez",
        "{side} %s {{ 7*7 }}",
        "<b>Dee</b>",
        "\"'><script>alert(1)</script>",
    ],
)
def test_a_name_stays_as_it_was_typed_on_every_page(client: Phone, name: str) -> None:
    """A name in any script, or with HTML in it, is shown as typed on every page.

    Only spaces at the ends of the name are removed.
    """
    board = start(client, ("Ann", "Bob", "Cid", name))
    shown = name.strip()
    for page in ("", "/table", "/log"):
        seen = client.see(f"{board.path}{page}")
        text = seen.text + " ".join(str(field.get("value")) for field in seen.all("input"))
        assert " ".join(shown.split()) in text
    assert shown in client.get(f"{board.path}/record.json").get_json()["players"]
    assert shown in client.see("/").text
    assert shown in names_in(client.see("/games/new"))


def test_a_right_to_left_name_keeps_to_itself(client: Phone) -> None:
    """A right-to-left name doesn't change the order of the words around it.

    In sentences, special characters isolate the name. Elsewhere, an HTML element does.
    """
    board = start(client, ("Ann", "Bob", "Cid", "דנה"))
    assert "Bob and \u2068דנה\u2069 0" in board.h1
    assert any("".join(element.itertext()) == "דנה" for element in board.all("bdi"))


def test_a_control_character_becomes_a_space(client: Phone) -> None:
    """A control character in a name, such as a pasted tab, is replaced by a space.

    A NUL character in a house rule is removed from the form.
    """
    board = start(client, ("Ann\tB.", "Bob\r\n", "C\x00id", "\x9bDee"))
    assert board.h1 == "Ann B. and C id 0, Bob and Dee 0"
    page = refused(client, {**seats(*FOUR), "rule-target": "\x00", "rule-low": "\x1b"})
    assert page.form("/games/new").values["rule-target"] == ""


@pytest.mark.parametrize("dealer", ["4", "-1", "²", "9" * 5000, "Ann", ""])
def test_the_first_seat_deals_if_the_dealer_is_unknown(client: Phone, dealer: str) -> None:
    board = press(client, client.see("/games/new"), "/games/new", "/games", {**seats(*FOUR), "first_dealer": dealer})
    assert "Ann deals" in board.text


@pytest.mark.parametrize(
    "fields", [{"preset": "chess"}, {"seating": "12"}, {"choose": "\x00"}, {"seating_choice": "²p"}]
)
def test_an_unknown_game_or_seating_changes_nothing(client: Phone, fields: dict[str, object]) -> None:
    """If a tampered form chooses an unknown game or seating, the previous choice stays."""
    page = press(client, client.see("/games/new"), "/games/new", "/games/new", {**seats(*FOUR), **fields}, status=200)
    assert page.form("/games/new").values["preset"] == "setback-21"
    assert names_in(page) == list(FOUR)


def test_a_form_sent_twice_starts_one_game(client: Phone, app: Flask) -> None:
    """If a form is sent twice because the first response was lost, only one game starts."""
    page = client.see("/games/new")
    first = press(client, page, "/games/new", "/games", seats(*FOUR))
    assert press(client, page, "/games/new", "/games", seats(*FOUR)).path == first.path
    assert len(contents(app)["game"]) == 1


def test_going_back_and_correcting_a_name_starts_another_game(client: Phone) -> None:
    """If a player goes back to the form, corrects a name and sends the form again, another game starts.

    Such a form has a used request key but new content.
    """
    page = client.see("/games/new")
    first = press(client, page, "/games/new", "/games", seats("Ann", "Bob", "Cid", "De"))
    mended = press(client, page, "/games/new", "/games", {**seats(*FOUR), "sure": "Dee"})
    assert mended.path != first.path
    assert mended.h1 == "Ann and Cid 0, Bob and Dee 0"


@pytest.mark.parametrize("tap", [None, "", "short", "with space", "x" * 65, "ä" * 10, "tap-0001\n"])
def test_a_form_without_its_request_key_is_refused(client: Phone, app: Flask, tap: str | None) -> None:
    """A form without a valid request key is refused. Without the key, a repeated request couldn't be recognized."""
    before = contents(app)
    page = press(
        client, client.see("/games/new"), "/games/new", "/games", {**seats(*FOUR), "client_id": tap or []}, 422
    )
    assert "That form was incomplete, so nothing was changed. Reload the page and try again." in page.text
    assert contents(app) == before


def test_a_long_name_is_shown_as_typed_with_its_error(client: Phone) -> None:
    """A name that is too long is shown in full with an error, not silently shortened."""
    name = "A" * 41
    assert client.see("/games/new").one("input", name="name-0").get("maxlength") is None
    page = refused(client, seats(name, "Bob", "Cid", "Dee"))
    assert page.one("input", name="name-0").get("value") == name
    assert page.one("input", name="name-0").get("aria-invalid") == "true"
