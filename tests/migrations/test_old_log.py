"""Find the people behind the names in old logs, from the newest line back."""

from __future__ import annotations

from typing import Any

from scorekeeper.migrations.old_log import Upcast, people_at_tables, upcast_log


def person(number: int, name: str, merged_into: int | None = None, nickname: str = "") -> dict[str, Any]:
    """Return the database row of a person; the person with the `number` 1 has the public id "p1".

    `merged_into` is the number of the person who remains after a merge, or None.
    """
    return {"id": number, "public_id": f"p{number}", "name": name, "nickname": nickname, "merged_into": merged_into}


def upcast(people: list[dict[str, Any]], *lines: tuple[str, dict[str, Any]], reason: str = "") -> list[Upcast]:
    """Convert lines of a league's old log to the current format.

    Each of the `lines` is a pair (kind, data). The lines get the ids 1, 2 and so on, and all have the same `reason`.
    """
    log = [
        {"id": number, "night_id": None, "kind": kind, "data": data, "reason": reason}
        for number, (kind, data) in enumerate(lines, start=1)
    ]
    return upcast_log(log, people, [{"name": "2026/27", "public_id": "s1"}], "league", {})


def renamed(before: str, after: str) -> tuple[str, dict[str, Any]]:
    """Return the (kind, data) of an old log line that says that a person was renamed from `before` to `after`."""
    return "person_changed", {"name": after, "changed": {"name": [before, after]}}


def test_name_means_the_person_of_that_time() -> None:
    """A name in an old log line means the person who had that name when the line was written, in upper or lower case.

    Here Ann was renamed to Anne, and another Ann was added later.
    """
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
    """Old log lines that contain only an anonymous name are linked to the right person.

    When a person is made anonymous, all old log lines about that person get the anonymous name. People who were merged
    into that person get the same anonymous name.
    """
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
    """Lines with data of the wrong type are converted without an error.

    An imported file may have been written by hand.
    """
    odd = {"name": 7, "names": 7, "people": 7, "changed": 1, "gone": [], "tap": 5}
    for kind in ("people_added", "checked_out", "person_changed", "people_merged", "swapped", "joined", "no_kind"):
        (line,) = upcast([person(1, "Ann")], (kind, dict(odd)))
        assert line.request_key is None, kind
    damaged: tuple[Any, ...] = ({"changed": {"name": [1, 2]}}, {"name": ["Ann"], "changed": {"name": ["", 1]}}, [])
    for data in damaged:
        upcast([person(1, "Ann")], ("person_changed", data))


def test_repeated_form_has_one_key() -> None:
    """If the log has the same posted form twice, only the second log line gets a request key."""
    noted = ("amount_noted", {"cents": 100, "tap": "a-tap"})
    first, second, other = upcast([], noted, noted, ("amount_noted", {"cents": 200, "tap": "a-tap"}))
    assert first.request_key is None
    assert second.request_key not in (None, other.request_key)


def test_players_are_found_by_their_seats() -> None:
    """If a player is renamed during a game, the new name belongs to the person in the same seat.

    If another person in the league already has the new name, the player is that person instead. A player who replaced
    another player during a game is also found by name.
    """
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
