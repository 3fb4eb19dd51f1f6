"""Convert old league logs, which have people's names, to the current format with public ids.

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
"""Maps each kind of log line to a dict from old keys, for people's names, to new keys, for their public ids."""
TEXTS: Mapping[str, Mapping[str, str]] = {
    "pot_told": {"pot": "pot"},
    **{kind: {"name": "called"} for kind in ("invited", "invitation_void", "joined", "role_changed")},
}
"""Maps each kind of log line to a dict from old keys, for typed texts, to the keys of these texts in `Upcast.texts`."""
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
"""Maps kinds of log lines to keys of their data, whose values become part of the line's request key.

The request key is a hash that also includes the idempotency key ("tap") of the line.
"""


def folded(text: str) -> str:
    """Return `text` in a form for comparing, without differences in case or in how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


@dataclass(slots=True)
class Upcast:
    """A converted line of the log.

    `texts` has everything in the line that a user typed, as triples (key, text, person). The third item is a public id
    if the text is that person's name, otherwise None.
    """

    id: int
    data: dict[str, Any]
    request_key: str | None
    texts: list[tuple[str, str, str | None]] = field(default_factory=list)


def upcast_log(
    log: Sequence[Row], people: Iterable[Row], seasons: Iterable[Row], league: str, nights: Mapping[int, str]
) -> list[Upcast]:
    """Convert the lines of a league's log, oldest first, so that they have public ids instead of names.

    `log`, `people` and `seasons` are rows by column name, from the database or from an archive. `league` is the
    league's public id. `nights` has the public id of each night by row id.

    If a name matches nobody, it is replaced by a placeholder ("?1", "?2" …). The name is saved in `Upcast.texts`.
    """
    walk = _Walk(list(people), {folded(season["name"]): season["public_id"] for season in seasons}, league, nights)
    return [walk.step(line) for line in reversed(log)][::-1]


def in_place(data: Row, old: str, new: str, value: Any) -> dict[str, Any]:
    """Return a copy of `data` in which the key `new` with `value` takes the position of the key `old`."""
    return dict((new, value) if key == old else (key, each) for key, each in data.items())


class _Walk:
    """Goes through a log from the last line to the first, and keeps track of the names that people had at each line."""

    def __init__(self, people: list[Row], seasons: Mapping[str, str], league: str, nights: Mapping[int, str]) -> None:
        self.seasons, self.league, self.nights = seasons, league, nights
        self.addresses = {person["public_id"] for person in people}
        self.called = {folded(row["name"]): row["public_id"] for row in people if row["merged_into"] is None}
        # The newest first, because the walk meets it first.
        self.merged = [row for row in reversed(people) if row["merged_into"] is not None]
        self.keys: set[str] = set()

    def step(self, line: Row) -> Upcast:
        """Convert a line of the log, and return the result.

        If the line changed somebody's name, the old name is used for all earlier lines.
        """
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
        """Let the name of a merged person refer to that person in all lines before the merge.

        `was` is the data of the line about the merge.
        """
        gone, kept = (folded(str(was.get(key))) for key in ("gone", "kept"))
        row = next((row for row in self.merged if folded(row["name"]) == gone), None)
        if row is not None:
            self.merged.remove(row)
            if gone != kept:  # unless both were made anonymous later
                self.called[gone] = row["public_id"]

    def _rename(self, told: Upcast, was: Row) -> None:
        """Convert a line about a change of name, and use the old name for all earlier lines.

        The names are moved to `told.texts`. `told` is the converted line, and `was` is the line's original data.
        """
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
        """Replace the names under the key `old` in a line's data with public ids under the key `new`.

        If the line already has the key `new`, the key `old` is only removed. `told` is the line, which is changed in
        place. `known` has public ids by folded name.
        """
        if old != new and new in told.data:
            told.data.pop(old, None)
        elif old in told.data:
            told.data = in_place(told.data, old, new, self._refs(told, told.data[old], known))

    def _refs(self, told: Upcast, value: Any, known: Mapping[str, str]) -> Any:
        """Return the public id for the name `value`, or a list of public ids for a list of names.

        A name that isn't in `known` is moved to `told.texts`. A placeholder such as "?1" is returned in its place.
        """
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
    """Yield (player id, person id) for each player in a league's games who can be matched with a person.

    `seats` has, by game, the ids of the people at its table in seat order. `seatings` has the events that seat players,
    in order, as (game, kind, data). `named` has, by player id, the id of a person with the same name. A player who
    replaced another player can be matched only with `named`.
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
    """Return the id of the person that each name means, by folded name. A name that several people had is left out.

    Both current names and earlier names that are in `lines` are included. A merged person counts as the person they
    were merged into.
    """
    who = {row["public_id"]: row["merged_into"] or row["id"] for row in people}
    called = [(who[row["public_id"]], name) for row in people for name in (row["name"], row["nickname"])]
    called += [(who[of], text) for line in lines for _key, text, of in line.texts if of is not None]
    found: defaultdict[str, set[int]] = defaultdict(set)
    for person, name in called:
        found[folded(name)].add(person)
    return {name: ids.pop() for name, ids in found.items() if name and len(ids) == 1}


def bring_forward(told: dict[str, Any], games: Sequence[dict[str, Any]]) -> None:
    """Convert an old archive to the current format, by changing its data.

    `told` has the league, and `games` has its games.
    """
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
    """Return the ids of the people at each table in seat order, by the number of the game.

    `told` is the league of an archive.
    """
    games = {table["id"]: table["game_id"] for table in told["tables"] if table["game_id"] is not None}
    seats: defaultdict[int, list[int | None]] = defaultdict(list)
    for seat in sorted(told["seats"], key=lambda row: (row["table_id"], row["seat"])):
        if seat["table_id"] in games:
            seats[games[seat["table_id"]]].append(seat["person_id"])
    return seats
