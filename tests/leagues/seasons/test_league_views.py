"""The forms that create a league and start, close and reopen its seasons, and the people who may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.audit import queries
from scorekeeper.leagues.core.blueprint import NOTES
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.nights.closing import close_night
from scorekeeper.web.extensions import db
from tests.support.league import Hall, make_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def other(new_phone: object) -> Phone:
    """Return a phone without a role in the league."""
    return new_phone()  # type: ignore[operator,no-any-return]


def test_a_repeated_form_creates_one_league(app: Flask, client: Phone) -> None:
    """Sending the form for a new league twice creates one league, which the list of leagues shows."""
    assert "/leagues" in [link.get("href") for link in client.see("/").all("a")]
    form = client.see("/leagues")
    made = client.submit(form, "/leagues", name="  Fire Hall ")
    assert client.submit(form, "/leagues", name="Fire Hall").path == made.path
    assert made.h1 == "Fire Hall"
    assert [link.get("href") for link in client.see("/leagues").all("a", class_="game")] == [made.path]
    with app.app_context():
        assert len(db.session.scalars(select(LeagueRow)).all()) == 1


def test_a_league_needs_a_name(client: Phone) -> None:
    page = client.submit(client.see("/leagues"), "/leagues", 422, name="  ")
    assert "Enter a name for the league." in page.text
    assert client.submit(page, "/leagues", 422, name="x" * 41).one("input", id="league-name").get("value") == "x" * 41


def test_a_new_season_has_the_settings_of_its_form(hall: Hall) -> None:
    """A new season has the house rules, the settings for standings and the plan for nights that its form had.

    The form for the next season starts with the same settings.
    """
    path = f"{hall.league}/seasons"
    form = hall.phone.see(path)
    shown = hall.phone.submit(form, path, 200, preset="ten-point-52", name="Spring", show="1")
    assert shown.one("input", name="of").get("value") == "ten-point-52"
    assert "A game takes about 12 hands." in words(shown.one("div", class_="facts"))
    fields: dict[str, Any] = {
        "rule-target": "15",
        # Without the three, and bids to the total of the others.
        "rule-points": ["ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "two"],
        "count-order": "points",
        "count-drop_nights": "2",
        "count-tie-0": "head_to_head",
        "count-tie-1": "",
        "count-tie-2": "",
        "count-tie-3": "",
        "count-tie-4": "",
        "count-reapply": "False",
        "night-format": "fixed_hands",
        "option-fixed_hands-hands": "12",
        "size-1": "6",
        "pairs": "1",
    }
    season = hall.phone.submit(shown, path, **fields)
    assert season.h1 == "Spring"
    assert [words(line) for line in season.one("ul", class_="rules")][1:5] == [
        "Ranked by total points.",
        "Tie-breakers, in order: head to head.",
        "If two of the tied players never met, head to head is skipped.",
        "Each player's lowest 2 nights are dropped. "
        "Nights are compared by total points. If two are equal, the one with fewer points is dropped; if those are "
        "equal too, the earlier one. Missed nights count as the lowest, so they are dropped first.",
    ]
    with hall.app.app_context():
        row = db.session.scalars(select(SeasonRow).where(SeasonRow.name == "Spring")).one()
    assert (row.preset, row.options) == (
        "ten-point-52",
        {"target": 15, "points": "ace jack off_jack high_joker low_joker ten two"},
    )
    assert row.plan["options"]["hands"] == 12
    assert (row.plan["sizes"], row.plan["pairs"]) == ([4, 6], True)
    again = hall.phone.see(path).form(path).values
    assert (again["preset"], again["rule-target"], again["count-tie-0"]) == ("ten-point-52", "15", "head_to_head")
    assert (again["rule-points"][-1], again["rule-bid_max"]) == ("two", "7")
    assert (again["size-1"], again["pairs"]) == ("6", "1")


def test_house_rules_of_another_game_are_ignored(hall: Hall) -> None:
    """If another game is chosen in the form for a new season, house rules entered for the first game are ignored.

    The new season has the standard rules of the chosen game.
    """
    path = f"{hall.league}/seasons"
    fields: dict[str, Any] = {"rule-target": "31", "preset": "pitch-11", "name": "Spring"}
    hall.phone.submit(hall.phone.see(path), path, **fields)
    with hall.app.app_context():
        row = db.session.scalars(select(SeasonRow).where(SeasonRow.name == "Spring")).one()
    assert (row.preset, row.options) == ("pitch-11", {})


def test_a_repeated_form_starts_one_season(hall: Hall) -> None:
    """Sending the same form twice starts only one season. A new form with the name of that season is refused."""
    path = f"{hall.league}/seasons"
    form = hall.phone.see(path)
    first, second = (hall.phone.submit(form, path, name="Spring") for _request in range(2))
    assert (second.path, second.h1) == (first.path, "Spring")
    again = hall.phone.submit(hall.phone.see(path), path, 422, name="Spring")
    assert "There's already a season named “Spring”." in again.text
    assert hall.phone.see(f"{hall.league}/log").text.count("started the season “Spring”.") == 1


WRONG = (
    ({"name": ""}, "Enter a name for the season.", "season-name"),
    ({"name": "2026/27"}, "There's already a season named “2026/27”.", "season-name"),
    ({"rule-target": "x"}, "", "field-rule-target"),
    ({"rule-hands_limit": "9"}, "“Number of hands” can't be changed here", "field-rule-hands_limit"),
    (
        {"count-min_games": "-1"},
        "Minimum games to be ranked: enter a whole number from 0 to 1000.",
        "field-count-min_games",
    ),
    ({"count-tie-1": "wins"}, "The same tie-breaker is chosen twice.", "field-count-tie-0"),
    ({"night-rounds": "21"}, "Rounds: enter a whole number from 1 to 20.", "field-night-rounds"),
    ({"size-0": "5"}, "4, 6 or 8 players", "field-size-0"),
    ({"night-format": "timed", "option-timed-minutes": "1"}, "5 to 180", "field-option-timed-minutes"),
    ({"night-format": "progressive", "night-together": "fixed"}, "Progressive", "field-night-together"),
    ({"night-format": "golf"}, "", "field-night-format"),
    ({"night-format": "team_match", "preset": "setback-7"}, "Team matches need two against two", "field-night-format"),
)


def test_an_invalid_season_is_refused_at_its_field(hall: Hall) -> None:
    """If a setting of a new season is invalid, the page marks that field, and only that field, with a message.

    The message doesn't contain the setting's internal name.
    """
    path = f"{hall.league}/seasons"
    form = hall.phone.see(path)
    for fields, message, field in WRONG:
        typed: dict[str, Any] = {"name": "Spring", **fields}
        page = hall.phone.submit(form, path, 422, **typed)
        assert message in page.text
        assert "hands_limit" not in page.text, "no name of an option on a page"
        assert [each.get("id") for each in page.tree.iter() if each.get("aria-invalid")] == [field], message
    assert "Spring" not in hall.phone.see(hall.league).text


def test_closing_and_reopening_a_season(hall: Hall) -> None:
    """A season with an open night can't be closed. Reopening a season needs a reason, which the history shows."""
    made = hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)), close=False)
    closing = f"{hall.season}/closing"
    assert "Night 1 is still open. Close it first." in hall.phone.submit(hall.standings(), closing, 422).text
    with hall.app.app_context():
        close_night(night=made, device=hall.device)
    assert "Closed" in hall.phone.submit(hall.standings(), closing).text
    assert "Past seasons" in hall.phone.see(hall.league).text
    reopening = f"{hall.season}/reopening"
    assert "Enter a reason" in hall.phone.submit(hall.standings(), reopening, 422, reason=" ").text
    page = hall.phone.submit(hall.standings(), reopening, reason="one more night")
    assert "Close season" in page.text
    assert "one more night" in hall.phone.see(f"{hall.league}/log").text


def test_another_phone_reads_and_changes_nothing(hall: Hall, other: Phone) -> None:
    """A phone without a role sees a league without forms and notes, and can't open or use the owner's pages."""
    details = f"{hall.person('Ann')}/details"
    hall.phone.submit(hall.phone.see(details), details, notes="a secret note")
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    paths = [hall.league, f"{hall.league}/people", f"{hall.league}/log", hall.season, hall.person("Ann")]
    for path in paths:
        page = other.see(path)
        assert "secret" not in page.text
        assert page.all("form", method="post") == []
        assert "Set-Cookie" not in page.response.headers
    for path in (details, f"{hall.person('Ann')}/merge", f"{hall.league}/seasons"):
        assert "Only an owner" in other.see(path, 403).text
    token = other.see("/leagues").form("/leagues").values["csrf_token"]
    posts = [
        (f"{hall.league}/people", {"names": "Zed"}),
        (details, {"name": "Zed"}),
        (f"{hall.person('Ann')}/merge", {"into": hall.person("Bob").removeprefix("/people/")}),
        (f"{hall.league}/seasons", {"name": "Zed"}),
        (f"{hall.season}/closing", {}),
        (f"{hall.season}/reopening", {"reason": "why not"}),
    ]
    for path, fields in posts:
        assert other.post(path, data={"csrf_token": token, **fields}).status_code == 403, path
    assert "Zed" not in other.see(f"{hall.league}/people").text


def test_unknown_addresses_are_not_found(client: Phone) -> None:
    for path in ("/leagues/none", "/leagues/none/people", "/leagues/none/log", "/people/none", "/seasons/none"):
        assert "There's no league page at this address." in client.see(path, 404).text


def test_the_history_shows_a_few_lines_at_a_time(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history shows its newest lines first, with a link to the page of older lines."""
    monkeypatch.setattr(queries, "LINES", 2)
    log = hall.phone.see(f"{hall.league}/log")
    lines = [words(line) for line in log.one("ol", class_="log")]
    assert ["season" in lines[0], " added " in lines[1], len(lines)] == [True, True, 2]
    (older,) = [link.get("href", "") for link in log.all("a") if words(link) == "Older entries"]
    told = hall.phone.see(older)
    assert "created the league “Fire Hall”." in words(told.one("ol", class_="log")[-1])
    assert "Older entries" not in told.text


def test_notes_on_people_are_kept_by_no_cache(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    assert set(app.view_functions) >= NOTES
    for path in (f"{hall.league}/people", f"{hall.league}/archive.zip"):
        assert client.get(path).headers["Cache-Control"] == "no-store"
    assert client.get(hall.league).headers["Cache-Control"] == "private, no-cache"


def test_one_button_shows_the_house_rules_of_another_game(hall: Hall) -> None:
    """After another game is chosen in the form, a button next to the house rules shows that game's house rules."""
    path = f"{hall.league}/seasons"
    form = hall.phone.see(path)
    (fold,) = form.all("details", id="house-rules")
    assert "These are the house rules of Setback." in words(fold)
    (button,) = form.all("button", name="show")
    assert button in list(fold.iter("button"))
    shown = hall.phone.submit(form, path, 200, preset="ten-point-52", show="1")
    (fold,) = shown.all("details", id="house-rules")
    assert "open" in fold.attrib
    assert "These are the house rules of Ten-point Pitch" in words(fold)
