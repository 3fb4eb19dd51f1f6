"""Find, read and extend the event log of a game in the database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct
from sqlalchemy import bindparam, exists, func, insert, or_, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, aliased

from scorekeeper.db.database import Recent, refuse_stray_writes
from scorekeeper.games.logic.statistics.table_games import facts_of
from scorekeeper.games.store.access import ask_closers, ask_guards
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.people.models import HomeTableRow
from scorekeeper.rules.events import (
    VERSION,
    Event,
    GameAbandoned,
    GameConceded,
    GameStarted,
    HandCorrected,
    PlayerRenamed,
    PlayerReplaced,
    decode,
    encode,
)
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.ruleset import differing
from scorekeeper.web.extensions import db

MOST_EVENTS = 600
"""Maximum number of events in a log: three times as many as in a long game.

A game with this many events is still shown in well under a second, as measured by tests/bench/costly.py. A longer game,
from before there was this limit, is shown as it is.
"""
REMEMBERED = 256
"""Maximum number of games that a process keeps in memory."""


class GameHeader(Struct, frozen=True):
    """The header of a game, with its ids, the hash of the phone that started it, and the length of its log."""

    public_id: str
    id: int
    device: str
    version: int
    """Number of events in the log."""
    updated_at: datetime
    """When the last event happened (UTC): for a change made offline, by the clock of its phone."""
    unwatched_since: datetime | None
    """Time since which only phones that may score the game may see it; None if everyone with its link may watch."""
    began: datetime
    linked: bool
    """Whether the game is a rematch, or was followed by a rematch."""
    renamed: int | None
    """Number of changes to a name or a note on a hand, which add no event to the log; None if there were none."""
    elsewhere: bool | None
    """True for a game of a league night; else None."""
    side_names: list[str] | None
    """Team names by side, "" for a side without one; None if no side has one."""
    shows_odds: bool | None
    """True if the game's home table shows the chances of winning during its games."""


class LoadedGame(Struct, frozen=True):
    """A game replayed from its log. `latest` is the last event, which happened at `when` (UTC).

    `seated` has the `PlayerRow` ids of all players that the game ever had.
    """

    game: Game
    seated: frozenset[int]
    when: datetime
    latest: Event


class Logged(Struct, frozen=True):
    """An event in the log of a game, with its log position (from 1) and the time when it happened (UTC)."""

    seq: int
    event: Event
    when: datetime


# Built once: building a short query takes longer than running it.
_rematch = aliased(GameRow)
_FIND = select(
    GameRow.public_id,
    GameRow.id,
    GameRow.device,
    GameRow.version,
    GameRow.updated_at,
    GameRow.unwatched_since,
    GameRow.started_at,
    or_(GameRow.rematch_of.is_not(None), exists().where(_rematch.rematch_of == GameRow.id)),
    GameRow.renamed,
    GameRow.elsewhere,
    GameRow.side_names,
    # No join: PostgreSQL doesn't lock the rows of an outer join.
    select(HomeTableRow.shows_odds).where(HomeTableRow.id == GameRow.home_table_id).scalar_subquery(),
).where(GameRow.public_id == bindparam("public_id"), GameRow.deleted_at.is_(None))
_FIND_TO_WRITE = _FIND.with_for_update()
_EVENTS = (
    select(EventRow.seq, EventRow.kind, EventRow.format, EventRow.data, EventRow.happened_at)
    .where(EventRow.game_id == bindparam("game"), EventRow.seq.between(bindparam("since"), bindparam("until")))
    .order_by(EventRow.seq)
)
_ADD = insert(EventRow.__table__)  # type: ignore[arg-type]
_SUMMARISE = update(GameRow.__table__).where(GameRow.id == bindparam("game"))  # type: ignore[arg-type]


def find(session: Session, public_id: str, *, to_write: bool = False) -> GameHeader | None:
    """Return the header of the game with the id `public_id`, or None if there is no such game or it was deleted.

    With `to_write`, the row of the game is locked until the end of the transaction.
    """
    query = _FIND_TO_WRITE if to_write else _FIND
    row = session.connection().execute(query, {"public_id": public_id}).first()
    return None if row is None else GameHeader(*tuple(row))


def events_of(session: Session, found: GameHeader, *, since: int = 1, until: int | None = None) -> tuple[Logged, ...]:
    """Return the events of a game from log position `since` through `until`, oldest first.

    If `until` is None, the events to the end of the log are returned.
    """
    places = {"since": since, "until": found.version if until is None else until}
    rows = session.connection().execute(_EVENTS, {"game": found.id, **places})
    return tuple(Logged(seq, decode(kind, form, data), when) for seq, kind, form, data, when in rows)


_LOGS = (
    select(EventRow.game_id, EventRow.kind, EventRow.format, EventRow.data)
    .where(EventRow.game_id.in_(bindparam("games", expanding=True)))
    .order_by(EventRow.game_id, EventRow.seq)
)


def replay_many(session: Session, games: Iterable[int]) -> Iterator[Game]:
    """Yield the games with these row ids, replayed from their whole logs, in the order of the ids.

    Takes one query. The games are not cached.
    """
    rows = session.connection().execute(_LOGS, {"games": list(games)})
    for _, log in groupby(rows, key=itemgetter(0)):
        yield replay(decode(kind, form, data) for _, kind, form, data in log)


def load(session: Session, found: GameHeader, known: LoadedGame | None = None) -> LoadedGame:
    """Return the game replayed from its log.

    If the game is in this process's memory, or passed as `known`, only newer events are read. Otherwise the whole log
    is read. The whole log is also read if the last known event is no longer in the log, for example after a restore of
    the database.
    """
    loaded = _games.get(session, found.public_id) or known
    if loaded is not None and (loaded.game.version, loaded.when) == (found.version, found.updated_at):
        return loaded
    if loaded is not None:
        last, *news = events_of(session, found, since=loaded.game.version) or (None,)
        if last is None or last.when != loaded.when:
            loaded = None
    if loaded is None:
        news = list(events_of(session, found))
    loaded = _extended(loaded, news)
    _games.keep(session, found.public_id, loaded)
    return loaded


def append(
    session: Session,
    found: GameHeader,
    game: Game,
    events: Sequence[Event],
    *,
    device: str,
    client_id: str | None,
    now: datetime,
    happened: datetime | None = None,
    guarded: bool = True,
    closed: bool = True,
) -> Game:
    """Add `events` to the log of `game`, update the game's summary, and return the game afterwards.

    `device` is the phone that sent the request, and `client_id` is the request key. `happened` is the time when the
    events happened on a phone offline. If it is None, they happen now. The caller's transaction commits all events or
    none. Raises `RuleViolation` if the log would be too long, or if a guard (`games.store.hooks`) refuses the change. A
    game whose log is full can still be ended. Guards are skipped if `guarded` is False, as for events that leagues add.
    Unless `closed` is False, the events that a closer returns are added, too.
    """
    # A full game can still be ended.
    if not all(isinstance(event, GameConceded | GameAbandoned) for event in events):
        check_length(game.version + len(events))
    refuse_stray_writes(session, None, None)
    after = advance(game, events)
    if guarded and found.elsewhere:
        ask_guards(session, found.id, game, after, device, now)
    times = (happened or now,) * len(events)
    _write(session, found.id, game.version, events, device=device, client_id=client_id, now=now, times=times)
    if guarded and closed and found.elsewhere:
        more = ask_closers(session, found.id, game, after, happened or now)
        times = (happened or now,) * len(more)
        _write(session, found.id, after.version, more, device=device, client_id=None, now=now, times=times)
        after = advance(after, more)
    session.connection().execute(_SUMMARISE, {"game": found.id, "updated_at": happened or now, **summary_of(after)})
    return after


def begin(
    session: Session,
    public_id: str,
    events: Sequence[Event],
    game: Game,
    *,
    started_by: str,
    device: str,
    client_id: str,
    now: datetime,
    times: Sequence[datetime] = (),
    home: int | None = None,
    teams: Sequence[str] = (),
) -> GameRow:
    """Start the log of a new game with `events`, and return the row of the game. `game` is the state after `events`.

    The game belongs to the phone `started_by`. `device` is the phone that sent the request, and `client_id` is the
    request key. `times` has the time when each event happened, in order. If it is empty, the events happen now. `home`
    is the row id of the home table. `teams` are the team names by side, or empty. The caller's transaction
    commits the game. Raises `RuleViolation` if the log is too long.
    """
    check_length(len(events))
    row = GameRow(
        public_id=public_id,
        device=started_by,
        client_id=client_id,
        started_at=times[0] if times else now,
        updated_at=times[-1] if times else now,
        home_table_id=home,
        side_names=list(teams) or None,
        **summary_of(game),
    )
    session.add(row)
    session.flush()
    _write(session, row.id, 0, events, device=device, client_id=client_id, now=now, times=times)
    return row


def check_length(events: int) -> None:
    """Raise `RuleViolation` if `events`, the number of events in a log, is greater than `MOST_EVENTS`."""
    if events > MOST_EVENTS:
        message = Phrase("This game's history is full (%(most)s entries). Start a new game.", most=MOST_EVENTS)
        raise RuleViolation("game_long", message)


_KEYS = select(EventRow.client_id, EventRow.kind).where(
    EventRow.game_id == bindparam("game"),
    or_(
        EventRow.client_id == bindparam("stem"),
        func.substr(EventRow.client_id, 1, bindparam("length")) == bindparam("begins"),
    ),
)
"""The query of `taps_of`, built once: every request needs it, and building it takes longer than running it."""


def taps_of(session: Session, found: GameHeader, stem: str) -> Mapping[str, str]:
    """Map request keys to the kinds of the events that have these keys. Only keys with the id `stem` are included.

    Only the log of the game `found` is searched. A request key consists of an id that the phone chose and a hash of the
    request's content.
    """
    given = {"game": found.id, "stem": stem, "begins": f"{stem}.", "length": len(stem) + 1}
    return {key: kind for key, kind in session.execute(_KEYS, given) if key}


def corrections_of(session: Session, found: GameHeader) -> Mapping[int, int]:
    """Map the log position of each corrected hand to the log position of its latest correction."""
    query = select(EventRow.seq, EventRow.kind, EventRow.format, EventRow.data)
    rows = session.execute(query.where(EventRow.game_id == found.id, EventRow.kind == HandCorrected.__name__))
    corrected: dict[int, int] = {}
    for seq, kind, form, data in rows:
        event = decode(kind, form, data)
        assert isinstance(event, HandCorrected)
        hand = event.seq
        corrected[hand] = max(seq, corrected.get(hand, seq))
    return corrected


def hands_since(session: Session, game: int, state: Game, moment: datetime) -> int:
    """Return how many hands of a game (row id), in its current `state`, were played after `moment`."""
    later = set(session.scalars(select(EventRow.seq).where(EventRow.game_id == game, EventRow.happened_at > moment)))
    return sum(line.entry.seq in later for line in state.hands)


def writer_of(session: Session, found: GameHeader, seq: int) -> str | None:
    """Return the hash of the phone that sent the event at log position `seq`, or None if there is no such event."""
    return session.scalars(select(EventRow.device).where(EventRow.game_id == found.id, EventRow.seq == seq)).first()


def _write(
    session: Session,
    game: int,
    before: int,
    events: Sequence[Event],
    *,
    device: str,
    client_id: str | None,
    now: datetime,
    times: Sequence[datetime] = (),
) -> None:
    rows = []
    for place, event in enumerate(events):
        kind, data = encode(event)
        rows.append(
            {
                "game_id": game,
                "seq": before + place + 1,
                "kind": kind,
                "format": VERSION,
                "data": data,
                "client_id": None if place else client_id,
                "device": device,
                "received_at": now,
                "happened_at": times[place] if times else now,
            }
        )
    if rows:
        session.connection().execute(_ADD, rows)


def summary_of(game: Game) -> dict[str, Any]:
    """Return a dict that maps column names of `GameRow` to values calculated from `game`.

    With these values, lists can show a game without replaying its log.
    """
    outcome = game.outcome
    return {
        "preset": game.table.rules.preset,
        "ruleset": differing(PRESETS[game.table.rules.preset], game.table.rules),
        "players": list(game.players),
        "sides": [list(side) for side in game.table.sides],
        "version": game.version,
        "hands": len(game.hands),
        "dealer": game.dealer,
        "totals": list(game.tally.totals),
        "sets": list(game.tally.sets),
        "facts": facts_of(game),
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "ended_by": outcome.rule if outcome else None,
    }


def _extended(loaded: LoadedGame | None, news: Sequence[Logged]) -> LoadedGame:
    if loaded is None:
        game, seated = replay(logged.event for logged in news), frozenset[int]()
    else:
        game, seated = advance(loaded.game, (logged.event for logged in news)), loaded.seated
    joined = {player for logged in news for player in _sits_down(logged.event)}
    if news:
        return LoadedGame(game, seated | joined, news[-1].when, news[-1].event)
    assert loaded is not None
    return loaded


def _sits_down(event: Event) -> tuple[int, ...]:
    if isinstance(event, GameStarted):
        return event.players
    return (event.player,) if isinstance(event, PlayerRenamed | PlayerReplaced) else ()


_games: Recent[str, LoadedGame] = Recent(REMEMBERED)


def read_ahead(public_id: str, version: int = 0) -> LoadedGame | None:
    """Return a game from memory. If memory has only versions older than `version`, load the game from the database.

    Returns None if there is no such game. Call this before a transaction that needs the game, because other requests
    have to wait during the transaction.
    """
    session = db.session()
    loaded = _games.get(session, public_id)
    if loaded is None or loaded.game.version < version:
        try:
            found = find(session, public_id)
            loaded = None if found is None else load(session, found)
        except DBAPIError:
            session.rollback()  # so that another try takes another connection
            raise
    return loaded
