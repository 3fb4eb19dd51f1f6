"""The log of a game in the database: read it, add to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.models import EventRow, GameRow
from scorekeeper.rules.events import VERSION, Event, decode, encode
from scorekeeper.rules.game import Game, evolve, replay
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import differing


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of a log, with its place and the moment it was received (UTC)."""

    seq: int
    event: Event
    when: datetime


def events_of(session: Session, row: GameRow) -> tuple[Logged, ...]:
    """Return the whole log of a game, oldest first."""
    query = (
        select(EventRow.seq, EventRow.kind, EventRow.format, EventRow.data, EventRow.received_at)
        .where(EventRow.game_id == row.id)
        .order_by(EventRow.seq)
    )
    return tuple(Logged(seq, decode(kind, form, data), when) for seq, kind, form, data, when in session.execute(query))


def load(session: Session, row: GameRow) -> Game:
    """Return the game as its log tells it."""
    return replay(logged.event for logged in events_of(session, row))


def append(
    session: Session,
    row: GameRow,
    game: Game | None,
    events: Sequence[Event],
    *,
    device: str,
    client_id: str | None,
    now: datetime,
) -> Game:
    """Add `events` after the state `game` to the log, write the summary from the new state, and return it.

    Raises `ValueError` for no events. The caller's transaction commits all of it or nothing.
    """
    for place, event in enumerate(events):
        kind, data = encode(event)
        game = evolve(game, event)
        session.add(
            EventRow(
                game_id=row.id,
                seq=game.version,
                kind=kind,
                format=VERSION,
                data=data,
                client_id=None if place else client_id,
                device=device,
                received_at=now,
                happened_at=now,
            )
        )
    if game is None:
        raise ValueError("nothing happened")
    summarise(row, game)
    row.updated_at = now
    return game


def summarise(row: GameRow, game: Game) -> None:
    """Write what lists show of `game` into its row."""
    outcome = game.outcome
    row.preset = game.table.rules.preset
    row.ruleset = differing(PRESETS[game.table.rules.preset], game.table.rules)
    row.players = list(game.players)
    row.sides = [list(side) for side in game.table.sides]
    row.version = game.version
    row.hands = len(game.hands)
    row.dealer = game.dealer
    row.totals = list(game.tally.totals)
    row.over = outcome is not None
    row.winner = outcome.winner if outcome else None
    row.ended_by = outcome.rule if outcome else None


def seen_before(session: Session, row: GameRow, client_ids: Iterable[str]) -> bool:
    """Return whether the log holds an event that one of these taps caused."""
    query = select(EventRow.id).where(EventRow.game_id == row.id, EventRow.client_id.in_(list(client_ids)))
    return session.execute(query).first() is not None
