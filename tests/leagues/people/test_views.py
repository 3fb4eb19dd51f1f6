"""The pages for a league's players, on which players are added, found, changed, retired and merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.league import Hall, table
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page


def names_on(page: Page) -> list[str]:
    return [words(line.find("a")) for line in page.all("ul", class_="people-list")[0]]  # type: ignore[arg-type]


def test_names_are_added_once(hall: Hall) -> None:
    """Names are added one per line. Empty lines and names that are already in the league are skipped.

    Upper and lower case make no difference. The page says how many names were already in the league.
    """
    path = f"{hall.league}/people"
    page = hall.phone.submit(hall.phone.see(path), path, names="Eve\n\n  ann \nÉloïse\r\neve\n")
    assert "2 players added. 1 was already in the league." in page.text
    page = hall.phone.see(path)
    assert names_on(page) == ["Ann", "Bob", "Cid", "Dee", "Eve", "Éloïse"]
    assert len(page.all("option")) == 6


def test_name_that_looks_alike_is_asked_about(hall: Hall) -> None:
    """Spaces that nobody sees make no second player, and a name that looks like another is added only on request."""
    path = f"{hall.league}/people"
    page = hall.phone.submit(hall.phone.see(path), path, names="Ann Baker")
    page = hall.phone.submit(hall.phone.see(path), path, names="Ann\u00a0 Ba\u200bker")
    assert "1 was already in the league." in page.text
    page = hall.phone.submit(hall.phone.see(path), path, 422, names="Anne Baker\nZoltan")
    assert "“Anne Baker” looks like Ann Baker" in page.text
    hall.phone.submit(page, path, names="Anne Baker\nZoltan", another="1")
    assert {"Ann Baker", "Anne Baker", "Zoltan"} < set(names_on(hall.phone.see(path)))


def test_invalid_name_adds_nobody(hall: Hall) -> None:
    path = f"{hall.league}/people"
    page = hall.phone.submit(hall.phone.see(path), path, 422, names=f"Eve\n{'x' * 41}")
    assert "A name can have at most 40 characters. Nobody was added." in page.text
    assert words(page.one("textarea")).startswith("Eve")
    assert "Eve" not in names_on(hall.phone.see(path))
    assert "Enter at least one name, one per line." in hall.phone.submit(page, path, 422, names=" \n").text


def test_players_are_found_by_part_of_their_name(hall: Hall) -> None:
    """The list of players can be searched for part of a name, without JavaScript."""
    page = hall.phone.see(f"{hall.league}/people?find=%20AN")
    assert names_on(page) == ["Ann"]
    assert "1 player matches “AN”." in page.text


def test_renamed_player_keeps_their_results(hall: Hall) -> None:
    """After a player is renamed, the standings have the new name, and the history still has the old one."""
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    details = f"{hall.person('Ann')}/details"
    page = hall.phone.submit(hall.phone.see(details), details, name="Anna", nickname="Nan", notes="Owes 2 dollars")
    assert page.h1 == "Anna"
    assert "Owes 2 dollars" in page.text
    standings = hall.standings()
    assert "Anna" in standings.text
    assert "Ann " not in standings.text
    log = hall.phone.see(f"{hall.league}/log").text
    assert "changed Ann: name from “Ann” to “Anna”, nickname from – to “Nan”." in log
    assert "Owes" not in log


def test_retired_player_is_listed_separately(hall: Hall) -> None:
    details = f"{hall.person('Bob')}/details"
    hall.phone.submit(hall.phone.see(details), details, retired="yes", guest="yes")
    lists = hall.phone.see(f"{hall.league}/people").all("ul", class_="people-list")
    assert [len(each) for each in lists] == [3, 1]
    assert "Bob guest" in words(lists[1])
    back = hall.phone.submit(hall.phone.see(details), details, retired=None)
    assert "retired" not in back.text


def test_invalid_details_are_not_saved(hall: Hall) -> None:
    """Invalid details of a player aren't saved, and the wrong field is marked."""
    details = f"{hall.person('Ann')}/details"
    form = hall.phone.see(details)
    for field, value, says in (
        ("name", " ", "A player needs a name."),
        ("name", "bob", "Bob is already in this league. Add an initial."),
        ("nickname", "x" * 41, "A name can have at most 40 characters."),
        ("notes", "x" * 501, "Notes can have at most 500 characters."),
    ):
        told: dict[str, Any] = {field: value}
        page = hall.phone.submit(form, details, 422, **told)
        assert says in page.text
        assert [each.get("id") for each in page.tree.iter() if each.get("aria-invalid")] == [field]
    assert hall.phone.see(details).h1 == "Ann"


def test_merge_is_reviewed_first(hall: Hall) -> None:
    """The page shows a merge for review before it is saved. After the merge, all games count for the remaining player.

    The address of the merged player leads to the page of the remaining player.
    """
    path = f"{hall.league}/people"
    hall.phone.submit(hall.phone.see(path), path, names="Anne\nEve", another="1")
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    hall.night((("Anne", "Bob", "Cid", "Dee"), (10, 21)))
    gone, kept = hall.person("Anne"), hall.person("Ann")
    merge = f"{gone}/merge"
    shown = hall.phone.see(f"{merge}?into=ann")
    assert "Merge Anne into Ann" in shown.text
    assert "2026/27: 1 game played by Anne will count for Ann." in shown.text
    assert [row for row in hall.standings().text.split() if row == "Anne"], "a review changes nothing"
    page = hall.phone.submit(shown, merge)
    assert page.path == kept
    assert "also entered as Anne" in page.text
    assert hall.phone.get(gone).location == kept
    standings = hall.standings()
    assert "Anne" not in standings.text
    assert ["Ann", "15.50", "31", "2", "1–1"] in [row[1:] for row in table(standings)]
    assert "merged Anne into Ann." in hall.phone.see(f"{hall.league}/log").text


def test_players_of_one_night_are_not_merged(hall: Hall) -> None:
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    merge = f"{hall.person('Ann')}/merge"
    page = hall.phone.submit(hall.phone.see(f"{merge}?into=Bob"), merge, 422)
    assert "Ann and Bob were there on the same night" in page.text
    assert "There's no other player named Zed in this league." in hall.phone.see(f"{merge}?into=Zed", 422).text
