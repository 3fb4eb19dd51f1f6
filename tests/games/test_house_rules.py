"""House rules that a phone keeps under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.games.services.house_rules import save_house_rules
from scorekeeper.games.store.models import HouseRulesRow
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.web.extensions import db
from tests.support.game import FOUR, contents, press, start
from tests.support.game_steps import import_record, problem, record_of, seats
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NEW = "/games/new"


def keep(phone: Phone, name: str, rules: Mapping[str, object], status: int = 200, preset: str = "setback-21") -> Page:
    """Set house rules and keep them under a name; return the page that says so."""
    page = phone.submit(phone.see(NEW), NEW, 200, choose=preset)
    options = {f"rule-{key}": value for key, value in rules.items()}
    return press(phone, page, NEW, "/house-rules", {"rules_name": name, **options}, status)


def kept(page: Page) -> dict[str, str]:
    """Return the names and the lines of the house rules that the page offers."""
    return {
        words(button.find("b")): words(button.find("small"))  # type: ignore[arg-type]
        for button in page.all("button", name="use_rules")
    }


def use(phone: Phone, page: Page, name: str) -> Page:
    """Tap house rules that are kept."""
    button = next(b for b in page.all("button", name="use_rules") if words(b.find("b")) == name)  # type: ignore[arg-type]
    return phone.submit(page, NEW, 200, use_rules=button.get("value"))


def throw_away(phone: Phone, page: Page, name: str) -> Page:
    """Tap the button that throws house rules away."""
    return press(phone, page, NEW, deletion(page, name), status=200)


def deletion(page: Page, name: str) -> str:
    """Return where the button leads that throws house rules away."""
    ways = {words(button): str(button.get("formaction")) for button in page.all("button")}
    return ways[f"Delete {name}"]


def notice(page: Page) -> str:
    """Return what the page says was done."""
    return words(page.one("p", role="status"))


def test_house_rules_are_kept_under_a_name(client: Phone, app: Flask) -> None:
    """The page says what was kept, in players' words, and starts nothing."""
    page = keep(client, "  Tuesday  ", {"target": "31", "dealer_privilege": "match"})
    assert notice(page) == "Saved on this phone as “Tuesday”."
    assert kept(page) == {"Tuesday": "Setback. The dealer may match the high bid. Played to 31."}
    assert "Tuesday" in client.see(NEW).text
    assert contents(app)["game"] == []


def test_kept_rules_are_used_for_a_game(client: Phone) -> None:
    """One tap fills them in, whatever game was chosen, and the names stay."""
    keep(client, "Tuesday", {"target": "31", "dealer_privilege": "match"})
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
    """Return the games and kept rules that are marked as chosen."""
    cards = [card for card in page.all("button", class_="choice") if card.get("name") in ("choose", "use_rules")]
    return [words(card[0]) for card in cards if card.get("aria-pressed") == "true"]


def test_house_rules_do_not_stick_to_the_next_game(client: Phone) -> None:
    """They come back by their name; one card is marked, and a tap on the game means that game."""
    keep(client, "Tuesday", {"target": "31"})
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


def test_kept_rules_bring_their_seats(client: Phone) -> None:
    """A game that is not played by seven gets as many seats as it has."""
    keep(client, "Bower night", {"target": "15"}, preset="bowers-12")
    page = client.submit(client.see(NEW), NEW, 200, choose="setback-7")
    page = client.submit(page, NEW, 200, seating_choice="7")
    page = use(client, page, "Bower night")
    assert len([box for box in page.all("input") if str(box.get("name")).startswith("name-")]) == 4
    assert page.form(NEW).values["seating"] == "4p"


def test_the_same_name_is_replaced(client: Phone) -> None:
    """Tuesday's rules changed: there is one Tuesday."""
    keep(client, "Tuesday", {"target": "31"})
    page = keep(client, "Tuesday", {"target": "41"})
    assert kept(page) == {"Tuesday": "Setback. Played to 41."}


def test_kept_rules_do_not_reach_a_game_that_began(client: Phone) -> None:
    """A later edit of house rules never rescores an old game."""
    keep(client, "Tuesday", {"target": "31"})
    board = press(client, use(client, client.see(NEW), "Tuesday"), NEW, "/games", seats(FOUR))
    keep(client, "Tuesday", {"target": "5"})
    assert "Played to 31." in client.see(board.path).text


def test_rules_are_thrown_away(client: Phone) -> None:
    """Gone from this phone, and said so."""
    keep(client, "Tuesday", {"target": "31"})
    page = keep(client, "Friday", {"target": "41"})
    page = throw_away(client, page, "Tuesday")
    assert notice(page) == "House rules deleted from this phone."
    assert kept(page) == {"Friday": "Setback. Played to 41."}
    assert kept(client.see(NEW)) == {"Friday": "Setback. Played to 41."}


def test_rules_that_were_thrown_away_before_are_not_there(client: Phone) -> None:
    """The back button brings the button up again."""
    page = keep(client, "Tuesday", {"target": "31"})
    way = deletion(page, "Tuesday")
    throw_away(client, page, "Tuesday")
    gone = press(client, page, NEW, way, status=404)
    assert "Those house rules aren't saved on this phone." in gone.text


def test_another_phone_reaches_none_of_it(client: Phone, other: Phone, app: Flask) -> None:
    """Not shown, not used, not thrown away, not replaced."""
    page = keep(client, "Tuesday", {"target": "31"})
    rules_id = str(page.one("button", name="use_rules").get("value"))
    assert kept(other.see(NEW)) == {}
    before = contents(app)
    tried = other.submit(other.see(NEW), NEW, 200, use_rules=rules_id)
    assert tried.form(NEW).values["rule-target"] == "21"
    assert press(other, other.see(NEW), NEW, f"/house-rules/{rules_id}/deletion", status=404).status == 404
    assert contents(app) == before
    assert kept(keep(other, "Tuesday", {"target": "41"})) == {"Tuesday": "Setback. Played to 41."}
    assert kept(client.see(NEW)) == {"Tuesday": "Setback. Played to 31."}


def fill(phone: Phone, app: Flask) -> None:
    """Keep "Rules 0" to "Rules 29" on a phone that keeps none yet."""
    keep(phone, "Rules 0", {"target": "30"})
    with app.app_context():
        device = db.session.scalars(select(HouseRulesRow.device)).one()
        for number in range(1, 30):
            rules = with_options(PRESETS["setback-21"], {"target": 30 + number})
            save_house_rules(device=device, name=f"Rules {number}", rules=rules)


def test_a_phone_keeps_thirty(client: Phone, app: Flask) -> None:
    """More are refused, one of the thirty can still be replaced."""
    fill(client, app)
    assert len(kept(client.see(NEW))) == 30
    before = contents(app)
    refused = keep(client, "One more", {"target": "99"}, 422)
    assert problem(refused) == "You already have 30 sets of house rules on this phone. Delete one first."
    assert contents(app) == before
    assert kept(keep(client, "Rules 7", {"target": "99"}))["Rules 7"] == "Setback. Played to 99."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Name these rules."),
        ("   ", "Name these rules."),
        ("x" * 41, "A name can have at most 40 characters."),
        ("x" * 200_000, "A name can have at most 40 characters."),
    ],
)
def test_a_name_that_cannot_be_is_refused(client: Phone, app: Flask, name: str, says: str) -> None:
    """Where the person is looking; what was set stays in the form."""
    client.see(NEW)
    before = contents(app)
    page = keep(client, name, {"target": "31"}, 422)
    assert problem(page) == says
    assert page.form(NEW).values["rule-target"] == "31"
    assert contents(app) == before


def test_names_of_any_script_are_kept_as_typed(client: Phone) -> None:
    """Emoji and right-to-left are names as well, and markup is text."""
    for name in ("ليلة الثلاثاء", "🂡 night", "<b>Bold</b>"):
        assert name in kept(keep(client, name, {"target": "31"}))


def test_rules_that_cannot_be_played_are_not_kept(client: Phone, app: Flask) -> None:
    """The reason stands at the option."""
    client.see(NEW)
    before = contents(app)
    page = keep(client, "Odd", {"bid_min": "4", "bid_max": "3", "forced_bid": ""}, 422)
    assert "The lowest bid, 4, is above the top bid, 3." in page.text
    assert contents(app) == before


def test_the_usual_rules_can_be_kept_too(client: Phone) -> None:
    """A quick way to a game: nothing differs."""
    assert kept(keep(client, "Plain", {})) == {"Plain": "Setback."}


def test_kept_rules_travel_with_a_record(client: Phone, other: Phone) -> None:
    """The record carries the name they have on this phone, and another phone keeps them when it brings it in."""
    keep(client, "Tuesday", {"target": "31", "max_sets": "3"})
    board = press(client, use(client, client.see(NEW), "Tuesday"), NEW, "/games", seats(FOUR))
    record = record_of(client, board)
    assert record["x_house_rules"] == "Tuesday"
    import_record(other, record)
    assert kept(other.see(NEW)) == {"Tuesday": "Setback. Played to 31. Sets that lose the game: 3."}


def test_a_record_of_rules_that_are_not_kept_carries_no_name(client: Phone, other: Phone) -> None:
    """Nothing is kept that nobody named."""
    board = start(client, rules={"target": "31"})
    record = record_of(client, board)
    assert "x_house_rules" not in record
    import_record(other, record)
    assert kept(other.see(NEW)) == {}


@pytest.mark.parametrize("name", ["", "x" * 41, 7, None, ["Tuesday"], {"a": 1}])
def test_a_record_with_a_name_that_cannot_be_is_still_a_game(client: Phone, other: Phone, name: object) -> None:
    """It is no reason to refuse the game."""
    record = record_of(client, start(client, rules={"target": "31"})) | {"x_house_rules": name}
    assert "Played to 31." in import_record(other, record).text
    assert kept(other.see(NEW)) == {}


def test_a_full_phone_still_brings_a_record_in(client: Phone, other: Phone, app: Flask) -> None:
    """Thirty are kept: the game comes in, its rules are not kept."""
    record = record_of(client, start(client, rules={"target": "55"})) | {"x_house_rules": "Travelled"}
    fill(other, app)
    assert "Played to 55." in import_record(other, record).text
    assert "Travelled" not in kept(other.see(NEW))


def test_names_are_offered_again_after_any_game(client: Phone) -> None:
    """The last table is remembered for the folded-away games too."""
    start(client, preset="smear-52", names=("Eve", "Fay", "Gus", "Hal"), rules={"target": "40"})
    values = client.see(NEW).form(NEW).values
    assert [values[f"name-{seat}"] for seat in range(4)] == ["Eve", "Fay", "Gus", "Hal"]
    assert (values["preset"], values["rule-target"]) == ("smear-52", "52")
