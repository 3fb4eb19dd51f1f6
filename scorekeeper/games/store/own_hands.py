"""Read the hands of the latest games that a phone started."""

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

SAME = ("low", "called_partner", "points")
"""Keys of the rule options that decide which points a hand has and which side gets them.

Games count as the same kind only if these options have the same values.
"""
LATEST = 60
"""Maximum number of games whose hands are read: about 1,000 hands, or half a year of weekly evenings."""


def own_hands(session: Session, device: str, table: Table) -> tuple[Hand, ...]:
    """Return the hands of a phone's latest games of the same kind as `table`. Corrections are applied.

    Only games that the phone `device` started are read. Games are of the same kind if they have the same preset, number
    of players, number of sides, and options `SAME`. Deleted games are left out.
    """
    query = select(GameRow.id, GameRow.players, GameRow.sides, GameRow.ruleset)
    query = query.where(started_by(device), GameRow.preset == table.rules.preset, GameRow.deleted_at.is_(None))
    rows = session.execute(query.order_by(GameRow.updated_at.desc()).limit(LATEST))
    usual = preset_named(table.rules.preset)
    games = [
        game
        for game, players, sides, options in rows
        if (len(players), len(sides)) == (table.players, len(table.sides))
        and all(options.get(key, getattr(usual, key)) == getattr(table.rules, key) for key in SAME)
    ]
    logs = select(EventRow.game_id, EventRow.kind, EventRow.format, EventRow.data)
    logs = logs.where(EventRow.game_id.in_(games)).order_by(EventRow.game_id, EventRow.seq)
    return tuple(
        line.entry.hand
        for _game, events in groupby(session.execute(logs), key=lambda row: row.game_id)
        for line in replay(decode(kind, form, data) for _, kind, form, data in events).hands
    )
