"""Convert old league logs, whose lines hold names, to lines with public ids, from the newest line back.

Migration 0017 and the import of old archives use this. It must not change, and it imports nothing that may change.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]

PEOPLE: Mapping[str, Mapping[str, str]] = {
    "people_added": {"names": "people"},
    "past_brought_in": {"names": "people"},
    "checked_in": {"names": "people"},
    "checked_out": {"name": "person"},
    "person_changed": {"name": "person"},
    "made_anonymous": {"name": "person"},
    "people_merged": {"gone": "gone", "kept": "kept"},
    "sub_set": {"name": "person", "regular": "regular"},
    "pot_told": {"names": "people", "winners": "winners"},
}
"""By kind of line: old keys with names of people, and the new keys for their public ids."""
TEXTS: Mapping[str, Mapping[str, str]] = {
    "pot_told": {"pot": "pot"},
    **{kind: {"name": "called"} for kind in ("invited", "invitation_void", "joined", "role_changed")},
}
"""By kind of line: old keys with typed texts, and the keys of the texts that hold them now."""
SEASONS = frozenset(("season_opened", "season_closed", "season_reopened"))
SEATINGS = ("GameStarted", "PlayerRenamed", "PlayerReplaced")
"""Kinds of game events that seat a player."""
ASKED: Mapping[str, Sequence[str]] = {
    "season_opened": ("name",),
    "swapped": ("round", "people"),
    "cards_made": (),
    "amount_noted": ("cents",),
    "made_anonymous": (),
}
"""Kinds whose lines held the id of a form, and the data that belong to its idempotency key."""


def folded(text: str) -> str:
    """Return `text` for comparing, without differences in case or in how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


@dataclass(slots=True)
class Upcast:
    """A line in its new form. `texts` are tuples of key, text and the public id of the person with that name."""

    id: int
    data: dict[str, Any]
    request_key: str | None
    texts: list[tuple[str, str, str | None]] = field(default_factory=list)


def upcast_log(
    log: Sequence[Row], people: Iterable[Row], seasons: Iterable[Row], league: str, nights: Mapping[int, str]
) -> list[Upcast]:
    """Return the lines of a league's log, oldest first, with public ids in place of names.

    Rows come from the tables or from an archive, by column name. `league` is a public id, and `nights` are public ids
    by id. A name that matches nobody becomes a text of its line, with "?" and a number as a placeholder.
    """
    walk = _Walk(list(people), {folded(season["name"]): season["public_id"] for season in seasons}, league, nights)
    return [walk.step(line) for line in reversed(log)][::-1]


def in_place(data: Row, old: str, new: str, value: Any) -> dict[str, Any]:
    """Return the data with the key `old` replaced by `new` with `value`, in the same position."""
    return dict((new, value) if key == old else (key, each) for key, each in data.items())


class _Walk:
    """Walks back through a log and keeps track of who had which name at that time."""

    def __init__(self, people: list[Row], seasons: Mapping[str, str], league: str, nights: Mapping[int, str]) -> None:
        self.seasons, self.league, self.nights = seasons, league, nights
        self.addresses = {person["public_id"] for person in people}
        self.called = {folded(row["name"]): row["public_id"] for row in people if row["merged_into"] is None}
        # The newest first, because the walk meets it first.
        self.merged = [row for row in reversed(people) if row["merged_into"] is not None]
        self.keys: set[str] = set()

    def step(self, line: Row) -> Upcast:
        """Return a line in its new form, and move to the time before it."""
        kind, was = line["kind"], line["data"]
        if not isinstance(was, dict):
            return Upcast(line["id"], was, None)  # damaged; `scorekeeper check` reports it
        if kind == "people_merged":
            self._part(was)
        told = Upcast(line["id"], dict(was), self._key(line))
        told.data.pop("tap", None)
        if line.get("reason"):
            told.texts.append(("reason", line["reason"], None))
        for old, key in TEXTS.get(kind, {}).items():
            if isinstance(text := told.data.pop(old, None), str) and text:
                told.texts.append((key, text, None))
        for old, new in PEOPLE.get(kind, {}).items():
            self._point(told, old, new, self.called)
        if kind in SEASONS:
            self._point(told, "name", "season", self.seasons)
        if kind == "league_made":
            told.data = in_place(told.data, "name", "made", self.league)
        if kind == "person_changed" and isinstance(was.get("changed"), dict):
            self._rename(told, was)
        if kind in ("people_added", "past_brought_in") and isinstance(was.get("names"), list):
            for name in was["names"]:
                self.called.pop(folded(str(name)), None)
        return told

    def _part(self, was: Row) -> None:
        """Give a merged person back their name for the time before the merge."""
        gone, kept = (folded(str(was.get(key))) for key in ("gone", "kept"))
        row = next((row for row in self.merged if folded(row["name"]) == gone), None)
        if row is not None:
            self.merged.remove(row)
            if gone != kept:  # unless both were made anonymous later
                self.called[gone] = row["public_id"]

    def _rename(self, told: Upcast, was: Row) -> None:
        """Turn names into texts, and let the person have the old name for earlier lines."""
        person, changed = told.data.get("person"), dict(was["changed"])
        of = person if isinstance(person, str) and person in self.addresses else None
        for key in ("name", "nickname"):
            pair = changed.get(key)
            if not isinstance(pair, list) or len(pair) != 2:
                continue
            changed[key] = None
            told.texts.extend(
                (f"{key}.{place}", str(text), of) for place, text in zip(("before", "after"), pair, strict=True) if text
            )
            if key == "name" and of is not None:
                if self.called.get(folded(str(pair[1]))) == of:
                    del self.called[folded(str(pair[1]))]
                self.called[folded(str(pair[0]))] = of
        told.data["changed"] = changed

    def _point(self, told: Upcast, old: str, new: str, known: Mapping[str, str]) -> None:
        """Replace the names at key `old` with public ids at key `new`, unless that was done before."""
        if old != new and new in told.data:
            told.data.pop(old, None)
        elif old in told.data:
            told.data = in_place(told.data, old, new, self._refs(told, told.data[old], known))

    def _refs(self, told: Upcast, value: Any, known: Mapping[str, str]) -> Any:
        """Return the public id of a name, or those of a list of names."""
        if isinstance(value, list):
            return [self._refs(told, each, known) for each in value]
        if not isinstance(value, str) or value in self.addresses:
            return value
        if folded(value) in known:
            return known[folded(value)]
        place = f"?{len(told.texts) + 1}"
        told.texts.append((place, value, None))
        return place

    def _key(self, line: Row) -> str | None:
        was, asked = line["data"], ASKED.get(line["kind"])
        if asked is None or not isinstance(was.get("tap"), str) or not all(key in was for key in asked):
            return None
        night = [] if line["night_id"] is None else [self.nights[line["night_id"]]]
        said = [line["kind"], was["tap"], *night, *(was[key] for key in asked)]
        key = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        if key in self.keys:
            return None
        self.keys.add(key)
        return key


def people_at_tables(
    seats: Mapping[int, Sequence[int | None]], seatings: Iterable[tuple[int, str, Row]], named: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the player and the person (both ids) for each player who can be linked to a person.

    `seats` has the people at the tables of a league by game and seat. `seatings` are the events that seat players, in
    order: game, kind, data. `named` has the person with the name of a player, which is all that is known about a
    replacement.
    """
    known: dict[int, int] = {}
    at: dict[tuple[int, int], int | None] = {}
    for game, kind, data in seatings:
        if kind == "GameStarted":
            there = seats.get(game) or [known.get(player) for player in data["players"]]
            came = list(zip(data["players"], there, strict=False))
        else:
            before = at.get((game, data["seat"])) if kind == "PlayerRenamed" else None
            came = [(data["player"], named.get(data["player"], before))]
        for seat, (player, person) in enumerate(came, start=data.get("seat", 0)):
            at[game, seat] = person
            if person is not None and player not in known:
                known[player] = person
                yield player, person


def whom_names_mean(people: Sequence[Row], lines: Iterable[Upcast]) -> Mapping[str, int]:
    """Return the id of the only person with each folded name, now or in these lines."""
    who = {row["public_id"]: row["merged_into"] or row["id"] for row in people}
    called = [(who[row["public_id"]], name) for row in people for name in (row["name"], row["nickname"])]
    called += [(who[of], text) for line in lines for _key, text, of in line.texts if of is not None]
    found: defaultdict[str, set[int]] = defaultdict(set)
    for person, name in called:
        found[folded(name)].add(person)
    return {name: ids.pop() for name, ids in found.items() if name and len(ids) == 1}


def bring_forward(told: dict[str, Any], games: Sequence[dict[str, Any]]) -> None:
    """Convert the league and games of an old archive to the present format, in place."""
    people, numbers = told["people"], {person["public_id"]: person["id"] for person in told["people"]}
    nights = {night["id"]: night["public_id"] for night in told["nights"]}
    lines = upcast_log(told["log"], people, told["seasons"], told["league"]["public_id"], nights)
    texts = told["texts"] = []
    for row, line in zip(told["log"], lines, strict=True):
        row.pop("reason")
        row["data"], row["request_key"] = line.data, line.request_key
        for key, text, of in line.texts:
            person = None if of is None else numbers[of]
            texts.append({"id": len(texts) + 1, "event_id": row["id"], "person_id": person, "key": key, "text": text})
    called = whom_names_mean(people, lines)
    seats = _seats(told)
    for game in games:
        named = {player: called[folded(name)] for player, name in enumerate(game["names"]) if folded(name) in called}
        seatings = ((game["number"], line["kind"], line["data"]) for line in game["log"] if line["kind"] in SEATINGS)
        known = dict(people_at_tables(seats, seatings, named))
        game["people"] = [known.get(player) for player in range(len(game["names"]))]


def _seats(told: Row) -> Mapping[int, Sequence[int | None]]:
    """Return the people at the tables of an archive by the number of the game."""
    games = {table["id"]: table["game_id"] for table in told["tables"] if table["game_id"] is not None}
    seats: defaultdict[int, list[int | None]] = defaultdict(list)
    for seat in sorted(told["seats"], key=lambda row: (row["table_id"], row["seat"])):
        if seat["table_id"] in games:
            seats[games[seat["table_id"]]].append(seat["person_id"])
    return seats
