"""Finding the people behind the names in old logs, from the newest line back."""

from __future__ import annotations

from typing import Any

from scorekeeper.migrations.old_log import Upcast, people_at_tables, upcast_log


def person(number: int, name: str, merged_into: int | None = None, nickname: str = "") -> dict[str, Any]:
    """Return the row of a person with the public id "p1", "p2" …"""
    return {"id": number, "public_id": f"p{number}", "name": name, "nickname": nickname, "merged_into": merged_into}


def upcast(people: list[dict[str, Any]], *lines: tuple[str, dict[str, Any]], reason: str = "") -> list[Upcast]:
    """Return the lines in their present form."""
    log = [
        {"id": number, "night_id": None, "kind": kind, "data": data, "reason": reason}
        for number, (kind, data) in enumerate(lines, start=1)
    ]
    return upcast_log(log, people, [{"name": "2026/27", "public_id": "s1"}], "league", {})


def renamed(before: str, after: str) -> tuple[str, dict[str, Any]]:
    """Return the old line of a renaming."""
    return "person_changed", {"name": after, "changed": {"name": [before, after]}}


def test_name_means_the_person_of_that_time() -> None:
    """Ann became Anne, and another Ann came later. Case and accents do not matter."""
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


def test_merged_person_has_the_name_until_the_merge() -> None:
    early, merged, late = upcast(
        [person(1, "Ann"), person(2, "Annie", merged_into=1), person(3, "Annie")],
        ("checked_in", {"names": ["Annie"], "from_round": 1}),
        ("people_merged", {"gone": "Annie", "kept": "Ann"}),
        ("checked_in", {"names": ["Annie"], "from_round": 1}),
    )
    assert (early.data["people"], late.data["people"]) == (["p2"], ["p3"])
    assert merged.data == {"gone": "p2", "kept": "p1"}


def test_anonymous_person_keeps_the_anonymous_name() -> None:
    """Their old lines, and those of people merged into them, had been rewritten."""
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


def test_unknown_name_becomes_a_text() -> None:
    (sub, opened) = upcast(
        [person(1, "Ann")],
        ("sub_set", {"name": "Ann", "regular": "Nobody", "person": "p1", "before": None}),
        ("season_opened", {"name": "2025/26"}),
        reason="why",
    )
    assert sub.data == {"person": "p1", "regular": "?2", "before": None}
    assert sub.texts == [("reason", "why", None), ("?2", "Nobody", None)]
    assert opened.data == {"season": "?2"}


def test_malformed_lines_do_not_fail() -> None:
    """An imported file may have been written by hand."""
    odd = {"name": 7, "names": 7, "people": 7, "changed": 1, "gone": [], "tap": 5}
    for kind in ("people_added", "checked_out", "person_changed", "people_merged", "swapped", "joined", "no_kind"):
        (line,) = upcast([person(1, "Ann")], (kind, dict(odd)))
        assert line.request_key is None, kind
    damaged: tuple[Any, ...] = ({"changed": {"name": [1, 2]}}, {"name": ["Ann"], "changed": {"name": ["", 1]}}, [])
    for data in damaged:
        upcast([person(1, "Ann")], ("person_changed", data))


def test_repeated_form_has_one_key() -> None:
    """If two lines have the id of one form, only the last gets the key."""
    noted = ("amount_noted", {"cents": 100, "tap": "a-tap"})
    first, second, other = upcast([], noted, noted, ("amount_noted", {"cents": 200, "tap": "a-tap"}))
    assert first.request_key is None
    assert second.request_key not in (None, other.request_key)


def test_players_are_found_by_their_seats() -> None:
    """A renamed player stays the same person unless the name is another person's. A replacement is found by name."""
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
