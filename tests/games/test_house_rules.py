"""A phone saves house rules under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.games.services.house_rules import save_house_rules
from scorekeeper.games.store.models import HouseRulesRow
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.web.extensions import db
from tests.support.game import FOUR, buttons, contents, press, start
from tests.support.game_steps import import_record, problem, record_of, seats
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NEW = "/games/new"


def save(phone: Phone, name: str, rules: Mapping[str, object], status: int = 200, preset: str = "setback-21") -> Page:
    """Choose a game, set house rules, save them as `name`, and return the page that follows.

    `rules` are the options that differ from `preset`, without the prefix "rule-".
    """
    page = phone.submit(phone.see(NEW), NEW, 200, choose=preset)
    options = {f"rule-{key}": value for key, value in rules.items()}
    return press(phone, page, NEW, "/house-rules", {"rules_name": name, **options}, status)


def saved(page: Page) -> dict[str, str]:
    """Return the saved rules that the page offers, as a mapping from name to description."""
    return {
        words(button.find("b")): words(button.find("small"))  # type: ignore[arg-type]
        for button in page.all("button", name="use_rules")
    }


def use(phone: Phone, page: Page, name: str) -> Page:
    """Tap the saved house rules called `name`, and return the new-game page with them."""
    button = next(b for b in page.all("button", name="use_rules") if words(b.find("b")) == name)  # type: ignore[arg-type]
    return phone.submit(page, NEW, 200, use_rules=button.get("value"))


def delete(phone: Phone, page: Page, name: str) -> Page:
    """Tap the button that deletes the saved rules called `name`, and return the page that follows."""
    return press(phone, page, NEW, deletion(page, name), status=200)


def deletion(page: Page, name: str) -> str:
    """Return the address to which the form for deleting the rules called `name` is sent."""
    ways = {words(button): str(button.get("formaction")) for button in page.all("button")}
    return ways[f"Delete {name}"]


def notice(page: Page) -> str:
    """Return the notice on the page."""
    return words(page.one("p", class_="notice"))


def test_house_rules_are_saved_under_a_name(client: Phone, app: Flask) -> None:
    """Saved house rules are listed with a description in plain words. Saving rules doesn't start a game."""
    page = save(client, "  Tuesday  ", {"target": "31", "dealer_privilege": "match"})
    assert notice(page) == "Saved on this phone as “Tuesday”."
    assert saved(page) == {"Tuesday": "Setback. The dealer may match the high bid. Played to 31."}
    assert "Tuesday" in client.see(NEW).text
    assert contents(app)["game"] == []


def test_saved_rules_are_used_for_a_game(client: Phone) -> None:
    """One tap on saved rules fills in their game and rules, even if another game was chosen before.

    Names that were already typed stay.
    """
    save(client, "Tuesday", {"target": "31", "dealer_privilege": "match"})
    page = client.submit(client.see(NEW), NEW, 200, choose="bowers-12", **seats(FOUR))
    page = use(client, page, "Tuesday")
    values = page.form(NEW).values
    assert (values["preset"], values["rule-target"], values["rule-dealer_privilege"]) == ("setback-21", "31", "match")
    assert [values[f"name-{seat}"] for seat in range(4)] == list(FOUR)
    assert page.one("button", name="use_rules").get("aria-pressed") == "true"
    board = press(client, page, NEW, "/games")
    assert "Played to 31." in board.text
    assert record_of(client, board)["ruleset"] == {
        "preset": "setback-21",
        "options": {"dealer_privilege": "match", "target": 31},
    }


def pressed(page: Page) -> list[str]:
    """Return the names of the games and saved rules that are marked as chosen."""
    cards = [card for card in page.all("button", class_="choice") if card.get("name") in ("choose", "use_rules")]
    return [words(card[0]) for card in cards if card.get("aria-pressed") == "true"]


def test_house_rules_do_not_stick_to_the_next_game(client: Phone) -> None:
    """A new game starts with the usual rules. House rules from the last game must be chosen again by their name."""
    save(client, "Tuesday", {"target": "31"})
    page = use(client, client.submit(client.see(NEW), NEW, 200, **seats(FOUR)), "Tuesday")
    assert pressed(page) == ["Tuesday"]
    press(client, page, NEW, "/games")
    again = client.see(NEW)
    assert pressed(again) == ["Setback"]
    assert again.form(NEW).values["rule-target"] == "21"
    assert [again.form(NEW).values[f"name-{seat}"] for seat in range(4)] == list(FOUR)
    page = client.submit(use(client, again, "Tuesday"), NEW, 200, choose="setback-21")
    assert pressed(page) == ["Setback"]
    assert "Played to 31." not in press(client, page, NEW, "/games").text


LAST = "House rules of your last game"


def test_the_rules_of_the_last_game_are_offered_again(client: Phone, other: Phone) -> None:
    """House rules without a name are offered on the same phone until a game with other rules follows."""
    page = client.submit(client.see(NEW), NEW, 200, **seats(FOUR))
    press(client, page, NEW, "/games", {"rule-target": "31"})
    again = client.see(NEW)
    assert saved(again) == {LAST: "Setback. Played to 31."}
    assert not [button for button in buttons(again) if button.startswith("Delete")]
    assert pressed(again) == ["Setback"]
    assert saved(other.see(NEW)) == {}
    page = use(client, again, LAST)
    assert pressed(page) == [LAST]
    assert "Played to 31." in press(client, page, NEW, "/games").text
    press(client, client.see(NEW), NEW, "/games")
    assert saved(client.see(NEW)) == {}


def test_a_name_that_is_typed_is_saved_when_the_game_starts(client: Phone) -> None:
    """A name is not lost if the player starts the game without pressing Save. A bad name is refused at its field."""
    page = client.submit(client.see(NEW), NEW, 200, **seats(FOUR))
    refused = press(client, page, NEW, "/games", {"rule-target": "31", "rules_name": "x" * 41}, 422)
    assert "aria-invalid" in refused.one("input", name="rules_name").attrib
    press(client, refused, NEW, "/games", {"rules_name": "Tuesday"})
    assert saved(client.see(NEW)) == {"Tuesday": "Setback. Played to 31."}


def test_a_name_is_not_given_to_the_rules_of_another_game(client: Phone) -> None:
    """After rules were saved, or another game was chosen, the name is not used again when a game starts."""
    page = save(client, "Tuesday", {"target": "31"})
    page = client.submit(page, NEW, 200, rules_name="Wednesday", choose="bowers-12", **seats(FOUR))
    assert page.form(NEW).values["rules_name"] == ""
    press(client, page, NEW, "/games")
    assert saved(client.see(NEW)) == {"Tuesday": "Setback. Played to 31."}


def test_the_rule_card_of_a_new_game_has_its_house_rules(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, **{"rule-target": "31"})
    (link,) = (each.get("href") for each in page.all("a") if words(each) == "Rule card")
    assert "At this table" in client.see(str(link)).text
    assert client.get("/rules/setback-21?rule-target=none").status_code == 422


def test_saved_rules_bring_their_seats(client: Phone) -> None:
    """Choosing saved rules for four players sets the form to four seats, even if seven were chosen before."""
    save(client, "Bower night", {"target": "15"}, preset="bowers-12")
    page = client.submit(client.see(NEW), NEW, 200, choose="setback-7")
    page = client.submit(page, NEW, 200, seating_choice="7")
    page = use(client, page, "Bower night")
    assert len([box for box in page.all("input") if str(box.get("name")).startswith("name-")]) == 4
    assert page.form(NEW).values["seating"] == "4p"


def test_rules_saved_under_a_used_name_replace_those(client: Phone) -> None:
    save(client, "Tuesday", {"target": "31"})
    page = save(client, "Tuesday", {"target": "41"})
    assert saved(page) == {"Tuesday": "Setback. Played to 41."}


def test_saved_rules_do_not_change_a_started_game(client: Phone) -> None:
    """Replacing saved rules doesn't change a game that was started with them."""
    save(client, "Tuesday", {"target": "31"})
    board = press(client, use(client, client.see(NEW), "Tuesday"), NEW, "/games", seats(FOUR))
    save(client, "Tuesday", {"target": "5"})
    assert "Played to 31." in client.see(board.path).text


def test_saved_rules_are_deleted(client: Phone) -> None:
    save(client, "Tuesday", {"target": "31"})
    page = save(client, "Friday", {"target": "41"})
    page = delete(client, page, "Tuesday")
    assert notice(page) == "House rules deleted from this phone."
    assert saved(page) == {"Friday": "Setback. Played to 41."}
    assert saved(client.see(NEW)) == {"Friday": "Setback. Played to 41."}


def test_deleted_rules_cannot_be_deleted_again(client: Phone) -> None:
    """Deleting saved rules a second time, from an old page, is answered with 404."""
    page = save(client, "Tuesday", {"target": "31"})
    way = deletion(page, "Tuesday")
    delete(client, page, "Tuesday")
    gone = press(client, page, NEW, way, status=404)
    assert "Those house rules aren't saved on this phone." in gone.text


def test_saved_rules_are_private_to_the_phone(client: Phone, other: Phone, app: Flask) -> None:
    """Another phone can't see, use, delete or replace a phone's saved rules."""
    page = save(client, "Tuesday", {"target": "31"})
    rules_id = str(page.one("button", name="use_rules").get("value"))
    assert saved(other.see(NEW)) == {}
    before = contents(app)
    tried = other.submit(other.see(NEW), NEW, 200, use_rules=rules_id)
    assert tried.form(NEW).values["rule-target"] == "21"
    assert press(other, other.see(NEW), NEW, f"/house-rules/{rules_id}/deletion", status=404).status == 404
    assert contents(app) == before
    assert saved(save(other, "Tuesday", {"target": "41"})) == {"Tuesday": "Setback. Played to 41."}
    assert saved(client.see(NEW)) == {"Tuesday": "Setback. Played to 31."}


def fill(phone: Phone, app: Flask) -> None:
    """Save house rules called "Rules 0" to "Rules 29" on a phone that has none yet."""
    save(phone, "Rules 0", {"target": "30"})
    with app.app_context():
        device = db.session.scalars(select(HouseRulesRow.device)).one()
        for number in range(1, 30):
            rules = with_options(PRESETS["setback-21"], {"target": 30 + number})
            save_house_rules(device=device, name=f"Rules {number}", rules=rules)


def test_a_phone_keeps_thirty(client: Phone, app: Flask) -> None:
    """A phone can save up to thirty sets of house rules.

    A further set is refused, but a saved set can be replaced.
    """
    fill(client, app)
    assert len(saved(client.see(NEW))) == 30
    before = contents(app)
    refused = save(client, "One more", {"target": "99"}, 422)
    assert problem(refused) == "You already have 30 sets of house rules on this phone. Delete one first."
    assert contents(app) == before
    assert saved(save(client, "Rules 7", {"target": "99"}))["Rules 7"] == "Setback. Played to 99."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Name these rules."),
        ("   ", "Name these rules."),
        ("x" * 41, "A name can have at most 40 characters."),
        ("x" * 200_000, "A name can have at most 40 characters."),
    ],
)
def test_an_empty_or_long_name_is_refused(client: Phone, app: Flask, name: str, says: str) -> None:
    """Rules with an empty or too long name aren't saved.

    The error is shown at the field, and the form keeps the rules.
    """
    client.see(NEW)
    before = contents(app)
    page = save(client, name, {"target": "31"}, 422)
    assert problem(page) == says
    assert page.form(NEW).values["rule-target"] == "31"
    assert contents(app) == before


def test_names_of_any_script_are_saved_as_typed(client: Phone) -> None:
    """Names of rules may contain emoji, right-to-left text and HTML, and are saved as typed."""
    for name in ("ليلة الثلاثاء", "🂡 night", "<b>Bold</b>"):
        assert name in saved(save(client, name, {"target": "31"}))


def test_unplayable_rules_are_not_saved(client: Phone, app: Flask) -> None:
    """Rules that can't be played aren't saved, and the page says why."""
    client.see(NEW)
    before = contents(app)
    page = save(client, "Odd", {"bid_min": "4", "bid_max": "3", "forced_bid": ""}, 422)
    assert "The lowest bid allowed, 4, is above the highest, 3." in page.text
    assert contents(app) == before


def test_the_usual_rules_can_be_saved(client: Phone) -> None:
    """A game's usual rules, without any change, can also be saved under a name."""
    assert saved(save(client, "Plain", {})) == {"Plain": "Setback."}


def test_saved_rules_travel_with_a_record(client: Phone, other: Phone) -> None:
    """A game record contains the name of its saved rules. A phone that imports the record also saves the rules."""
    save(client, "Tuesday", {"target": "31", "max_sets": "3"})
    board = press(client, use(client, client.see(NEW), "Tuesday"), NEW, "/games", seats(FOUR))
    record = record_of(client, board)
    assert record["x_house_rules"] == "Tuesday"
    import_record(other, record)
    assert saved(other.see(NEW)) == {"Tuesday": "Setback. Played to 31. Lose the game after this many sets: 3."}


def test_a_record_of_unsaved_rules_carries_no_name(client: Phone, other: Phone) -> None:
    board = start(client, rules={"target": "31"})
    record = record_of(client, board)
    assert "x_house_rules" not in record
    import_record(other, record)
    assert list(saved(other.see(NEW))) == [LAST]


@pytest.mark.parametrize("name", ["", "x" * 41, 7, None, ["Tuesday"], {"a": 1}])
def test_a_record_with_a_bad_rules_name_is_imported(client: Phone, other: Phone, name: object) -> None:
    """If a record has an invalid name for its rules, the game is imported, but the rules aren't saved."""
    record = record_of(client, start(client, rules={"target": "31"})) | {"x_house_rules": name}
    assert "Played to 31." in import_record(other, record).text
    assert list(saved(other.see(NEW))) == [LAST]


def test_a_phone_with_thirty_saved_rules_imports_a_record(client: Phone, other: Phone, app: Flask) -> None:
    """A phone with thirty saved sets of rules imports a game, but doesn't save the game's rules."""
    record = record_of(client, start(client, rules={"target": "55"})) | {"x_house_rules": "Travelled"}
    fill(other, app)
    assert "Played to 55." in import_record(other, record).text
    assert "Travelled" not in saved(other.see(NEW))


def test_names_are_offered_again_after_any_game(client: Phone) -> None:
    """After any game, even a rare one, the new-game page has that game and its players' names filled in."""
    start(client, preset="smear-52", names=("Eve", "Fay", "Gus", "Hal"), rules={"target": "40"})
    values = client.see(NEW).form(NEW).values
    assert [values[f"name-{seat}"] for seat in range(4)] == ["Eve", "Fay", "Gus", "Hal"]
    assert (values["preset"], values["rule-target"]) == ("smear-52", "52")
