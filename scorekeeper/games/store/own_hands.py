"""Read the hands that were played lately in games which one phone started."""

from __future__ import annotations

from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.access import started_by
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.rules.events import decode
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.replay import replay
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table

LATEST = 60
"""Games of which the hands are read: about 1,000 hands, and half a year of a table that meets every week."""


def own_hands(session: Session, device: str, table: Table) -> tuple[Hand, ...]:
    """Return the hands, as corrected, of the latest games of the same kind as `table` that a phone started.

    These are games with the same preset, number of players and sides, and owner of Low. Deleted games are left out.
    """
    query = select(GameRow.id, GameRow.players, GameRow.sides, GameRow.ruleset)
    query = query.where(started_by(device), GameRow.preset == table.rules.preset, GameRow.deleted_at.is_(None))
    rows = session.execute(query.order_by(GameRow.updated_at.desc()).limit(LATEST))
    usual = preset_named(table.rules.preset).low
    games = [
        game
        for game, players, sides, options in rows
        if (len(players), len(sides)) == (table.players, len(table.sides))
        and options.get("low", usual) == table.rules.low
    ]
    logs = select(EventRow.game_id, EventRow.kind, EventRow.format, EventRow.data)
    logs = logs.where(EventRow.game_id.in_(games)).order_by(EventRow.game_id, EventRow.seq)
    return tuple(
        line.entry.hand
        for _game, events in groupby(session.execute(logs), key=lambda row: row.game_id)
        for line in replay(decode(kind, form, data) for _, kind, form, data in events).hands
    )
