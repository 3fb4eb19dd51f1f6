"""Read a game record from an imported file or text. The content can't be trusted.

Read and write the file of a home table: JSON lines, usually compressed with gzip. A file can't be trusted.

The first line is the table. Its people come next, and then its games in the order of play. A game is a record
(`scorekeeper-game/1`) with additional data: its people, substitutes, times, and the game before it.
"""

import base64
import binascii
import gzip
import io
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec import Struct

from scorekeeper.games.store.event_store import MOST_EVENTS
from scorekeeper.i18n.catalog import N_
from scorekeeper.people.tables import check_color, check_emoji, folded
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import ADJUSTMENTS, Record, check_name, read_record
from scorekeeper.rules.record import FORMAT as RECORD_FORMAT

MOST_LINES = MOST_EVENTS - 2
"""Maximum number of hands and adjustments together; start and end of the game take two more entries of the log."""
DEEPEST = 40
"""Deepest nesting of lists and objects in fields that the app does not use."""

NOT_A_GAME = N_("This isn't a game saved by Scorekeeper. Choose a file that “Download game” made.")


def read_text(text: bytes) -> Record:
    """Return the game record in `text` (JSON).

    Raises `RuleViolation` if `text` is not a game record, or if the record contradicts itself.
    """
    if not text.strip():
        raise RuleViolation("record_empty", "Choose a saved game file, or paste its text.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RuleViolation("not_json", NOT_A_GAME) from None
    fields = data if isinstance(data, dict) else {}
    if sum(len(fields[key]) for key in ("hands", ADJUSTMENTS) if isinstance(fields.get(key), list)) > MOST_LINES:
        message = Phrase(
            "That game is too long. The limit is %(most)s hands and adjustments together.", most=MOST_LINES
        )
        raise RuleViolation("hands_many", message)
    if not _can_be_kept(data):
        raise RuleViolation("not_json", "That file has something in it that Scorekeeper can't save.")
    if fields.get("format") != RECORD_FORMAT:
        raise RuleViolation("format", NOT_A_GAME, field="format")
    return read_record(data)


def _can_be_kept(data: Any) -> bool:
    """Return whether `data` can be saved as JSON.

    Data with lone surrogates, infinite numbers or deep nesting can't be saved.
    """
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            break
    else:
        return False
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


FORMAT = "scorekeeper-table/1"
MOST_BYTES = 60_000_000
"""Maximum number of bytes of a file without compression: 3,000 games, and photos of 500 people."""
MOST_PACKED = 5_000_000
"""Maximum number of bytes of a file as it is sent; the preview sends it again as text, which is a third longer."""
MOST_GAMES = 3_000
MOST_HANDS = 60_000
"""Maximum number of hands of all games together: importing that many takes about ten seconds."""
MOST_MARKS = 2_000_000
"""Maximum number of brackets and commas in a file: twice as many as `MOST_HANDS` and `MOST_PEOPLE` need.

Data with that many brackets and commas takes 150 MB of memory.
"""
MOST_PEOPLE = 500
PUBLIC_ID = 16
"""Maximum number of characters of a public id."""
_NOT_ONE = Phrase("That isn't a saved table. Choose a file made with Export table.")


class FilePerson(Struct, frozen=True):
    """A person in the file of a home table.

    `id` is the person's public id in the database that made the file. If the person was merged into another person,
    `joined_into` is the id of that other person; otherwise it is None. `photo` is an image file, or empty.
    """

    id: str
    name: str
    color: str = ""
    emoji: str = ""
    hidden: bool = False
    joined_into: str | None = None
    photo: bytes = b""


class FileChange(NamedTuple):
    """A substitution in a game. After hand number `hand`, a new player took over a seat.

    `name` and `person` are the name and the file id of the player who left the seat.
    """

    hand: int
    seat: int
    name: str
    person: str


class FileGame(Struct, frozen=True):
    """A game in the file of a home table.

    `people` are the file ids of the players at the end of the game, by seat. If the game is a rematch, `rematch_of` is
    the file id of the previous game. Otherwise `rematch_of` is None.
    """

    id: str
    record: Record
    started_at: datetime
    updated_at: datetime
    people: tuple[str, ...]
    changes: tuple[FileChange, ...] = ()
    rematch_of: str | None = None
    hidden: bool = False
    side_names: tuple[str, ...] | None = None


class TableFile(Struct, frozen=True):
    """The content of the file of a home table."""

    id: str
    name: str
    people: tuple[FilePerson, ...]
    games: tuple[FileGame, ...]


def pack(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the lines of a file as compressed bytes. The same lines always give the same bytes."""
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n"
    return gzip.compress(text.encode(), mtime=0)


def person_line(person: FilePerson) -> dict[str, Any]:
    """Return the line that describes a person in a file, as a JSON object."""
    return {
        "person": person.id,
        "name": person.name,
        "color": person.color,
        "emoji": person.emoji,
        "hidden": person.hidden,
        "joined_into": person.joined_into,
        "photo": base64.b64encode(person.photo).decode(),
    }


def read_table(data: bytes) -> TableFile:
    """Return the home table in a file. Raises `RuleViolation` if the data is not the file of a home table."""
    if not data.strip():
        raise RuleViolation("table_empty", "Choose a saved table file.")
    if len(data) > MOST_PACKED:
        raise RuleViolation("table_large", "That file is too large to import.")
    lines = _lines(_unpacked(data))
    try:
        return _read(lines)
    except RuleViolation:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError, binascii.Error):
        raise RuleViolation("table_shape", _NOT_ONE) from None


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            text = packed.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise RuleViolation("table_shape", "That file is damaged. Export the table again.") from None
    if len(text) > MOST_BYTES:
        raise RuleViolation("table_large", "That file is too large to import.")
    return text


def _lines(text: bytes) -> list[dict[str, Any]]:
    # An empty list takes two bytes of text, and thirty times as many in memory.
    if sum(text.count(mark) for mark in (b"[", b"{", b",")) > MOST_MARKS:
        raise RuleViolation("table_large", "That file is too large to import.")
    try:
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise RuleViolation("table_shape", _NOT_ONE) from None
    if not lines or not all(isinstance(line, dict) for line in lines) or lines[0].get("format") != FORMAT:
        raise RuleViolation("table_shape", _NOT_ONE)
    return lines


def _read(lines: Sequence[Mapping[str, Any]]) -> TableFile:
    head = lines[0]
    people = [line for line in lines[1:] if "person" in line]
    games = [line for line in lines[1:] if "game" in line]
    hands = sum(len(line["record"].get("hands") or ()) for line in games)
    if len(games) > MOST_GAMES or len(people) > MOST_PEOPLE or hands > MOST_HANDS:
        message = Phrase(
            "That table is too large to import. The limit is %(games)s games and %(people)s players.",
            games=MOST_GAMES,
            people=MOST_PEOPLE,
        )
        raise RuleViolation("table_large", message)
    read = tuple(map(_person, people))
    known = {person.id for person in read}
    roots = {person.id for person in read if person.joined_into is None}
    names = [folded(person.name) for person in read if person.joined_into is None]
    if len(known) != len(read) or len(set(names)) != len(names):
        raise RuleViolation("table_people", "That file lists the same player twice. Export the table again.")
    if not {person.joined_into for person in read if person.joined_into} <= roots:
        raise ValueError(head)
    found = tuple(_game(line, place, known) for place, line in enumerate(games, start=1))
    if len({game.id for game in found}) != len(found):
        raise ValueError(head)
    return TableFile(_word(head["table"]), check_name(head["name"]) if head["name"] else "", read, found)


def _person(line: Mapping[str, Any]) -> FilePerson:
    return FilePerson(
        id=_word(line["person"]),
        name=check_name(line["name"]),
        color=check_color(_text(line["color"])),
        emoji=check_emoji(_text(line["emoji"])),
        hidden=line["hidden"] is True,
        joined_into=None if line["joined_into"] is None else _word(line["joined_into"]),
        photo=base64.b64decode(line["photo"], validate=True),
    )


def _game(line: Mapping[str, Any], place: int, known: set[str]) -> FileGame:
    try:
        record = read_text(json.dumps(line["record"]).encode())
    except RuleViolation as violation:
        message = Phrase("Game %(place)s in that file: %(problem)s", place=place, problem=violation.message)
        raise RuleViolation(violation.code, message) from None
    people = tuple(map(_word, line["people"]))
    changes = tuple(_change(each, record, known) for each in line["changes"])
    sides = line["side_names"]
    side_names = None if sides is None else tuple(check_name(name) if name else "" for name in sides)
    started, updated = _moment(line["started_at"]), _moment(line["updated_at"])
    strange = len(people) != len(record.names) or len(set(people)) != len(people) or not known.issuperset(people)
    if strange or updated < started or (side_names is not None and len(side_names) != len(record.table.sides)):
        raise ValueError(place)
    return FileGame(
        id=_word(line["game"]),
        record=record,
        started_at=started,
        updated_at=updated,
        people=people,
        changes=changes,
        rematch_of=None if line["rematch_of"] is None else _word(line["rematch_of"]),
        hidden=line["hidden"] is True,
        side_names=side_names,
    )


def _change(data: Sequence[Any], record: Record, known: set[str]) -> FileChange:
    hand, seat, name, person = data
    if type(hand) is not int or type(seat) is not int or person not in known:
        raise ValueError(data)
    if not (0 <= hand <= len(record.hands) and 0 <= seat < len(record.names)):
        raise ValueError(data)
    return FileChange(hand, seat, check_name(name), person)


def _word(value: object) -> str:
    """Return `value` if it is a public id. Raises `ValueError` for anything else."""
    if not isinstance(value, str) or not 1 <= len(value) <= PUBLIC_ID or not (value.isascii() and value.isalnum()):
        raise ValueError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _moment(text: str) -> datetime:
    """Return the time in `text`, in UTC. Raises `ValueError` for a missing time zone or an impossible time."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not 2000 <= moment.year <= 2200:
        raise ValueError(text)
    return moment.astimezone(UTC)
