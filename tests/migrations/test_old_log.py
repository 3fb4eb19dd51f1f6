"""Whom the names in a league's log from before it held ids meant: found from the newest line back."""

from __future__ import annotations

from typing import Any

from scorekeeper.migrations.old_log import Upcast, people_at_tables, upcast_log


def person(number: int, name: str, merged_into: int | None = None, nickname: str = "") -> dict[str, Any]:
    """Return a row of a person at the address "p1", "p2" …"""
    return {"id": number, "public_id": f"p{number}", "name": name, "nickname": nickname, "merged_into": merged_into}


def upcast(people: list[dict[str, Any]], *lines: tuple[str, dict[str, Any]], reason: str = "") -> list[Upcast]:
    """Return the lines as they are kept now."""
    log = [
        {"id": number, "night_id": None, "kind": kind, "data": data, "reason": reason}
        for number, (kind, data) in enumerate(lines, start=1)
    ]
    return upcast_log(log, people, [{"name": "2026/27", "public_id": "s1"}], "league", {})


def renamed(before: str, after: str) -> tuple[str, dict[str, Any]]:
    """Return the line of a renaming as it was written."""
    return "person_changed", {"name": after, "changed": {"name": [before, after]}}


def test_a_name_is_whose_it_was_at_that_time() -> None:
    """Ann became Anne, and somebody else is called Ann since; capitals and accents do not matter."""
    added, out, change, more, last = upcast(
        [person(1, "Anne"), person(2, "ANN")],
        ("people_added", {"names": ["Ann"]}),
        ("checked_out", {"name": "ann", "after_round": 1}),
        renamed("Ann", "Anne"),
        ("people_added", {"names": ["Ann"]}),
        ("checked_out", {"name": "Ann", "after_round": 1}),
    )
    assert added.data == {"people": ["p1"]}
    assert out.data == {"person": "p1", "after_round": 1}
    assert change.data == {"person": "p1", "changed": {"name": None}}
    assert change.texts == [("name.before", "Ann", "p1"), ("name.after", "Anne", "p1")]
    assert more.data == {"people": ["p2"]}
    assert last.data == {"person": "p2", "after_round": 1}


def test_who_was_merged_has_the_name_until_then_and_not_after() -> None:
    early, merged, late = upcast(
        [person(1, "Ann"), person(2, "Annie", merged_into=1), person(3, "Annie")],
        ("checked_in", {"names": ["Annie"], "from_round": 1}),
        ("people_merged", {"gone": "Annie", "kept": "Ann"}),
        ("checked_in", {"names": ["Annie"], "from_round": 1}),
    )
    assert (early.data["people"], late.data["people"]) == (["p2"], ["p3"])
    assert merged.data == {"gone": "p2", "kept": "p1"}


def test_somebody_who_was_made_anonymous_before_keeps_that_name_alone() -> None:
    """Their lines had been written anew, those of who was merged into them too."""
    people = [person(1, "N. N. 1"), person(2, "N. N. 1", merged_into=1)]
    added, merged, change, made = upcast(
        people,
        ("people_added", {"names": ["N. N. 1", "N. N. 1"]}),
        ("people_merged", {"gone": "N. N. 1", "kept": "N. N. 1"}),
        ("person_changed", {"name": "N. N. 1", "changed": {"name": ["N. N. 1"] * 2, "nickname": ["", "…"]}}),
        ("made_anonymous", {"person": "p1", "name": "N. N. 1", "tap": "a-tap"}),
    )
    assert added.data == {"people": ["p1", "p1"]}
    assert merged.data == {"gone": "p1", "kept": "p1"}
    assert ("nickname.after", "…", "p1") in change.texts
    assert made.data == {"person": "p1"}
    assert made.request_key


def test_a_name_that_was_nobodys_is_a_text_of_its_line() -> None:
    (sub, opened) = upcast(
        [person(1, "Ann")],
        ("sub_set", {"name": "Ann", "regular": "Nobody", "person": "p1", "before": None}),
        ("season_opened", {"name": "2025/26"}),
        reason="why",
    )
    assert sub.data == {"person": "p1", "regular": "?2", "before": None}
    assert sub.texts == [("reason", "why", None), ("?2", "Nobody", None)]
    assert opened.data == {"season": "?2"}


def test_what_was_made_up_stays_as_it_was() -> None:
    """A log may have come with a file that somebody wrote by hand."""
    odd = {"name": 7, "names": 7, "people": 7, "changed": 1, "gone": [], "tap": 5}
    for kind in ("people_added", "checked_out", "person_changed", "people_merged", "swapped", "joined", "no_kind"):
        (line,) = upcast([person(1, "Ann")], (kind, dict(odd)))
        assert line.request_key is None, kind
    damaged: tuple[Any, ...] = ({"changed": {"name": [1, 2]}}, {"name": ["Ann"], "changed": {"name": ["", 1]}}, [])
    for data in damaged:
        upcast([person(1, "Ann")], ("person_changed", data))


def test_the_same_form_has_one_key() -> None:
    """Where a line stands twice with one tap, only the last of them has it."""
    noted = ("amount_noted", {"cents": 100, "tap": "a-tap"})
    first, second, other = upcast([], noted, noted, ("amount_noted", {"cents": 200, "tap": "a-tap"}))
    assert first.request_key is None
    assert second.request_key not in (None, other.request_key)


def test_players_are_who_sat_there_under_whatever_name() -> None:
    """A renaming stays theirs unless it is the name of another; a replacement is known by name alone."""
    events: list[tuple[int, str, dict[str, Any]]] = [
        (7, "GameStarted", {"players": [10, 11, 12]}),
        (7, "PlayerRenamed", {"seat": 0, "player": 13}),
        (7, "PlayerRenamed", {"seat": 1, "player": 14}),
        (7, "PlayerReplaced", {"seat": 2, "player": 15}),
        (7, "PlayerRenamed", {"seat": 2, "player": 16}),
        (8, "GameStarted", {"players": [13, 14, 15]}),
    ]
    found = dict(people_at_tables({7: [1, 2, 3]}, events, {14: 3, 16: 4}))
    assert found == {10: 1, 11: 2, 12: 3, 13: 1, 14: 3, 16: 4}
