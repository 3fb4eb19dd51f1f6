"""Export games with their logs, import them into another database, and write the records of games.

The summary of a game is not exported. The import derives it from a replay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.play_times import IN_HAND
from scorekeeper.games.logic.statistics.table_games import renumbered_facts
from scorekeeper.games.store.audit import Note, notes_of_all, put_notes
from scorekeeper.games.store.event_store import summary_of
from scorekeeper.games.store.models import NOTE_LENGTH, EventRow, GameRow, HandNoteRow, PlayerRow
from scorekeeper.rules.events import VERSION, Event, GameStarted, PlayerRenamed, PlayerReplaced, decode, encode
from scorekeeper.rules.game import Adjustment, Game
from scorekeeper.rules.record import CONCEDED, NAME_LENGTH, Agreed, write_record
from scorekeeper.rules.replay import replay
from scorekeeper.web.locale import rfc3339

AT_ONCE = 1_000
"""Maximum number of ids in one query."""

# Inserted into the tables directly: through the classes, thousands of rows take half as long again.
_PLAYERS, _GAMES, _EVENTS = (insert(model.__table__) for model in (PlayerRow, GameRow, EventRow))  # type: ignore[arg-type]


class NewerGameError(Exception):
    """The log to import was written by a newer version of Scorekeeper."""


class ExportLine(Struct, frozen=True):
    """An event of a log for export, with its request key, the hash of its phone, and its times (UTC)."""

    event: Event
    client_id: str | None
    device: str
    received_at: datetime
    happened_at: datetime

    def to_json(self) -> dict[str, Any]:
        """Return the event as a JSON object for `from_json`."""
        kind, data = encode(self.event)
        return {
            "kind": kind,
            "format": VERSION,
            "data": data,
            "client_id": self.client_id,
            "device": self.device,
            "received_at": self.received_at.isoformat(),
            "happened_at": self.happened_at.isoformat(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ExportLine:
        """Parse an event from a JSON object made by `to_json`.

        Raises `NewerGameError` for an event in a newer format. Raises other errors for a malformed object.
        """
        if data["format"] > VERSION:
            raise NewerGameError
        return cls(
            decode(data["kind"], data["format"], data["data"]),
            None if data["client_id"] is None else _word(data["client_id"]),
            _word(data["device"]),
            _aware(data["received_at"]),
            _aware(data["happened_at"]),
        )


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole game for export, with its id, the hash of the phone that started it, its players' names, and its log.

    The log refers to players by their index in `names`.
    """

    public_id: str
    device: str
    client_id: str
    deleted_at: datetime | None
    unwatched_since: datetime | None
    names: tuple[str, ...]
    lines: tuple[ExportLine, ...]
    notes: tuple[Note, ...] = ()
    """Log entries about changes that are not part of the hands, such as added scorers."""
    people: tuple[int | None, ...] = ()
    """For each of `names`, the person in the league: a row id of the database, or a number in a file. May be empty."""
    players: tuple[int, ...] = field(default=(), compare=False)
    """For each of `names`, the `PlayerRow` id in the database that the game comes from. Not written to files."""
    hand_notes: tuple[tuple[int, str], ...] = ()
    """Notes on hands: log position of the hand, and text. Photos are left out: files would be too large."""

    @property
    def times(self) -> tuple[datetime, ...]:
        """Return when each event of the log happened."""
        return tuple(line.happened_at for line in self.lines)

    def replayed(self) -> Game:
        """Return the game replayed from its log."""
        return replay(line.event for line in self.lines)

    def to_json(self) -> dict[str, Any]:
        """Return the game as a JSON object for `from_json`."""
        return {
            "public_id": self.public_id,
            "device": self.device,
            "client_id": self.client_id,
            "deleted_at": _text(self.deleted_at),
            "unwatched_since": _text(self.unwatched_since),
            "names": list(self.names),
            "people": list(self.people),
            "log": [line.to_json() for line in self.lines],
            "notes": [note.to_json() for note in self.notes],
            "hand_notes": [list(note) for note in self.hand_notes],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Whole:
        """Parse a game from a JSON object made by `to_json`. Raises what `ExportLine.from_json` raises."""
        return cls(
            _word(data["public_id"], 16),
            _word(data["device"]),
            _word(data["client_id"]),
            _moment(data["deleted_at"]),
            _moment(data["unwatched_since"]),
            tuple(_word(name, NAME_LENGTH) for name in data["names"]),
            tuple(ExportLine.from_json(line) for line in data["log"]),
            tuple(map(Note.from_json, data.get("notes", []))),
            tuple(data.get("people", ())),
            hand_notes=_hand_notes(data.get("hand_notes", []), data.get("since", 0) + len(data["log"])),
        )


def game_record(game: Game, names: Sequence[str], times: Sequence[datetime] = ()) -> dict[str, Any]:
    """Return the record of a game, as a JSON object with the hands that count.

    If the hands don't show how the game ended, the record also says how it ended. `names` are the players' names, by
    seat. `times` has the time when each event of the log happened. With it, the record also says when the game and each
    hand were played. Dates that an imported game brought with it stay as they were.
    """
    extra = {key: value for key, value in game.extra.items() if key not in ("abandoned", CONCEDED)}
    if game.outcome is not None and game.outcome.rule == "abandoned":
        extra["abandoned"] = True
    counted = game.counted
    hands = [line.entry.hand for line in counted if line.is_hand]
    agreed = [
        Agreed(line.number, what.side, what.points, what.reason)
        for line in counted
        if isinstance(what := line.entry.what, Adjustment)
    ]
    parts = (game.table, names, game.first_dealer, hands)
    record = write_record(*parts, final=game.final, agreed=agreed, extra=extra, outcome=game.outcome)
    if not times:
        return record
    played = [times[line.entry.seq - 1] for line in counted]
    at_hands = [at for line, at in zip(counted, played, strict=True) if line.is_hand]
    for hand, at in zip(record.get("hands", ()), at_hands, strict=True):
        hand.setdefault(IN_HAND, rfc3339(at))
    record.setdefault("started", rfc3339(times[0]))
    if game.over:
        record.setdefault("finished", rfc3339(played[-1] if played and game.stopped is None else times[-1]))
    return record


def wholes_of(session: Session, games: Sequence[int]) -> Iterator[tuple[int, Whole]]:
    """Yield a (row id, whole game) pair for each of these games, in the order of the row ids."""
    for first in range(0, len(games), AT_ONCE):
        yield from _some(session, sorted(games)[first : first + AT_ONCE])


class Ready(Struct, frozen=True):
    """A game that is ready to import: it is replayed, and the rows for its log are built.

    The rows don't have the ids of this database yet.
    """

    whole: Whole
    game: Game
    """The replayed game; its players are indexes in `whole.names`."""
    rows: tuple[dict[str, Any], ...]


def make_ready(whole: Whole) -> Ready:
    """Replay a game and build the rows of its log, for `put`. This slow part needs no database.

    Raises what replaying raises. Raises `TypeError` or `ValueError` for an event that couldn't be read back.
    """
    return Ready(whole, whole.replayed(), tuple(_rows(whole)))


def _seat(session: Session, wholes: Sequence[Whole]) -> list[dict[int, int]]:
    """Insert the players of these games. Return one dict for each game, in the same order.

    Each dict maps the index of a player in `Whole.names` to the new `PlayerRow` id.
    """
    # Ids are matched by content, not by order, which would take a statement for each row.
    named = [list(zip(whole.names, whole.people or [None] * len(whole.names), strict=True)) for whole in wholes]
    names = [{"name": name, "person_id": person} for both in named for name, person in both]
    players: defaultdict[tuple[str, int | None], list[int]] = defaultdict(list)
    made = session.execute(_PLAYERS.returning(PlayerRow.id, PlayerRow.name, PlayerRow.person_id), names)
    for player, name, person in made:
        players[name, person].append(player)
    return [dict(enumerate([players[each].pop() for each in both])) for both in named]


def put(session: Session, games: Sequence[Ready]) -> list[int]:
    """Insert imported games of a league, and return their row ids in the same order.

    The caller's transaction commits the games. Raises a database error if a game with the same id already exists.
    """
    if not games:
        return []
    seated = _seat(session, [ready.whole for ready in games])
    rows = [
        {
            "public_id": ready.whole.public_id,
            "device": ready.whole.device,
            "client_id": ready.whole.client_id,
            "started_at": ready.whole.lines[0].happened_at,
            "updated_at": ready.whole.lines[-1].happened_at,
            "deleted_at": ready.whole.deleted_at,
            "unwatched_since": ready.whole.unwatched_since,
            "elsewhere": True,
            "rematch_of": None,
            "renamed": 1 if ready.whole.hand_notes else None,
            **summary,
            "players": [number[player] for player in ready.game.players],
            "facts": renumbered_facts(summary["facts"], number),
        }
        for ready, number in zip(games, seated, strict=True)
        for summary in [summary_of(ready.game)]
    ]
    by_address = dict(session.execute(_GAMES.returning(GameRow.public_id, GameRow.id), rows).all())
    ids = [by_address[ready.whole.public_id] for ready in games]
    for game, ready, number in zip(ids, games, seated, strict=True):
        for row, line in zip(ready.rows, ready.whole.lines, strict=True):
            row["game_id"] = game
            if who(line.event):
                row["data"] = encode(renumbered(line.event, number))[1]
    session.execute(_EVENTS, [row for ready in games for row in ready.rows])
    for game, ready in zip(ids, games, strict=True):
        put_notes(session, game, ready.whole.notes)
        session.add_all(HandNoteRow(game_id=game, seq=seq, text=text) for seq, text in ready.whole.hand_notes)
    return ids


def players_of(session: Session, games: Sequence[int]) -> set[int]:
    """Return the `PlayerRow` ids of all players that these games (row ids) ever had."""
    return set[int]().union(*players_by_game(session, games).values())


def players_by_game(session: Session, games: Sequence[int]) -> dict[int, set[int]]:
    """Map each of these games (row ids) to the `PlayerRow` ids of all players that the game ever had."""
    kinds = [kind.__name__ for kind in (GameStarted, PlayerRenamed, PlayerReplaced)]
    query = select(EventRow.game_id, EventRow.kind, EventRow.format, EventRow.data)
    found: dict[int, set[int]] = {}
    for game, kind, form, data in session.execute(query.where(EventRow.game_id.in_(games), EventRow.kind.in_(kinds))):
        found.setdefault(game, set()).update(who(decode(kind, form, data)))
    return found


def _some(session: Session, games: Sequence[int]) -> Iterator[tuple[int, Whole]]:
    logs: dict[int, list[ExportLine]] = {}
    query = select(EventRow).where(EventRow.game_id.in_(games)).order_by(EventRow.game_id, EventRow.seq)
    for row in session.scalars(query):
        line = ExportLine(
            decode(row.kind, row.format, row.data), row.client_id, row.device, row.received_at, row.happened_at
        )
        logs.setdefault(row.game_id, []).append(line)
    notes, hand_notes = notes_of_all(session, games), _hand_notes_of(session, games)
    seated = {player for log in logs.values() for line in log for player in who(line.event)}
    rows = {player.id: player for player in session.scalars(select(PlayerRow).where(PlayerRow.id.in_(seated)))}
    for game in session.scalars(select(GameRow).where(GameRow.id.in_(games)).order_by(GameRow.id)):
        log = logs[game.id]
        players = list(dict.fromkeys(player for line in log for player in who(line.event)))
        number = {player: index for index, player in enumerate(players)}
        yield (
            game.id,
            Whole(
                game.public_id,
                game.device,
                game.client_id,
                game.deleted_at,
                game.unwatched_since,
                tuple(rows[player].name for player in players),
                tuple(structs.replace(line, event=renumbered(line.event, number)) for line in log),
                notes.get(game.id, ()),
                tuple(rows[player].person_id for player in players),
                tuple(players),
                hand_notes.get(game.id, ()),
            ),
        )


def _hand_notes_of(session: Session, games: Sequence[int]) -> dict[int, tuple[tuple[int, str], ...]]:
    """Map games (row ids) to the notes on their hands, as (log position of the hand, text) pairs.

    Games without notes are left out.
    """
    query = select(HandNoteRow.game_id, HandNoteRow.seq, HandNoteRow.text)
    query = query.where(HandNoteRow.game_id.in_(games), HandNoteRow.text != "")
    found: dict[int, tuple[tuple[int, str], ...]] = {}
    for game, seq, text in session.execute(query.order_by(HandNoteRow.game_id, HandNoteRow.seq)):
        found[game] = (*found.get(game, ()), (seq, text))
    return found


def who(event: Event) -> tuple[int, ...]:
    """Return the `PlayerRow` ids of the players whom an event adds to the game, or () if it adds no players."""
    if isinstance(event, GameStarted):
        return event.players
    return (event.player,) if isinstance(event, PlayerRenamed | PlayerReplaced) else ()


def renumbered(event: Event, number: Mapping[int, int]) -> Event:
    """Return `event` with new ids for its players. `number` maps each old id to the new id."""
    if isinstance(event, GameStarted):
        return replace(event, players=tuple(number[player] for player in event.players))
    if isinstance(event, PlayerRenamed | PlayerReplaced):
        return replace(event, player=number[event.player])
    return event


def _rows(whole: Whole) -> Iterator[dict[str, Any]]:
    for seq, line in enumerate(whole.lines, start=1):
        kind, data = encode(line.event)
        if decode(kind, VERSION, data) != line.event:
            raise ValueError(kind)
        yield {
            "game_id": None,
            "seq": seq,
            "kind": kind,
            "format": VERSION,
            "data": data,
            "client_id": line.client_id,
            "device": line.device,
            "received_at": line.received_at,
            "happened_at": line.happened_at,
        }


def _hand_notes(told: Sequence[tuple[object, object]], events: int) -> tuple[tuple[int, str], ...]:
    """Check the notes on hands from an imported file, and return (log position of the hand, text) pairs.

    `told` has the unchecked pairs from the file. `events` is the length of the log. Raises `ValueError` for two notes
    on the same hand, or for a note outside the log.
    """
    notes = {int(seq): _word(text, NOTE_LENGTH) for seq, text in told if type(seq) is int and 1 <= seq <= events}
    if len(notes) != len(told):
        raise ValueError(told)
    return tuple(notes.items())


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else _aware(text)


def _aware(text: str) -> datetime:
    """Return the time in `text`, in UTC. Raises `ValueError` if the time zone is missing."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment.astimezone(UTC)


def _word(value: object, most: int = 64) -> str:
    """Return `value` if it is a string of at most `most` characters that a database can store.

    Raises `ValueError` for anything else.
    """
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise ValueError(value)
    return value
