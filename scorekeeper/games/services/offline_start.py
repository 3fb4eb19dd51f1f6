"""Start a game that a phone began without a signal, exactly once, under the id that the phone gave it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.request_key import request_key, sorted_json
from scorekeeper.games.services.creation import give_to_starter
from scorekeeper.games.services.scoring import ClientRequest, distinct_names, rematch, start_game
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.store.event_store import read_ahead
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.names import folded
from scorekeeper.rules.record import Record
from scorekeeper.web.extensions import db, writing

OLDEST = timedelta(days=90)
"""An older start is dated now, because the phone's clock must be wrong."""


@dataclass(frozen=True, slots=True)
class WaitingStart:
    """A game that a phone started without a signal."""

    client_id: str
    """The phone's id for this start."""
    record: Record
    """Rules, names, sides and first dealer; no hands."""
    happened: datetime
    """When, by the phone's clock."""
    after: str = ""
    """Public id of the game before, if this one was started with "Play again"."""

    def request(self, device: str, public_id: str, now: datetime) -> ClientRequest:
        """Return the request that starts it for the phone `device`."""
        told = [public_id, list(self.record.names), self.record.first_dealer, self.after]
        happened = self.happened if now - OLDEST < self.happened < now else now
        return ClientRequest(
            device, request_key(self.client_id, sorted_json(told)), game_id=public_id, happened=happened
        )


def is_started(public_id: str) -> bool:
    """Return whether a game has that id, even a deleted one."""
    return db.session().scalar(select(GameRow.id).where(GameRow.public_id == public_id)) is not None


def start_waiting(*, public_id: str, start: WaitingStart, device: str, now: datetime | None = None) -> None:
    """Start the game `start` for the phone `device` under this id; if a game has the id, let the phone score that one.

    A game has the id if an answer was lost, or if another phone sent the game. If it goes on with a game on the server,
    with the same rules and names, it joins the series of that game. Raises `RuleViolation` for names that are invalid
    or not distinct.
    """
    if is_started(public_id):
        _let_in(public_id=public_id, start=start, device=device, now=now)
        return
    record, request = start.record, start.request(device, public_id, now or datetime.now(UTC))
    names = distinct_names(record.names)
    if start.after and _is_same_table(start.after, record, names):
        with suppress(NoSuchGameError, NotYourGameError):
            rematch(public_id=start.after, request=request, first_dealer=record.first_dealer, now=now)
            return
    start_game(
        rules=record.table.rules,
        names=names,
        sides=record.table.sides,
        first_dealer=record.first_dealer,
        request=request,
        now=now,
    )


@use_case
def _let_in(*, public_id: str, start: WaitingStart, device: str, now: datetime | None) -> None:
    """Let the phone score the game if it started it, which it proves with the id of the start."""
    with writing() as session:
        row = session.scalars(select(GameRow).where(GameRow.public_id == public_id).with_for_update()).one()
        # Without the dot anyone could name it: games of a league and imported ones have a key that can be guessed.
        if row.client_id.startswith(f"{start.client_id}."):
            give_to_starter(session, row, device, now or datetime.now(UTC))


def _is_same_table(public_id: str, record: Record, names: Sequence[str]) -> bool:
    """Return whether the game with that id has these rules, sides and names."""
    loaded = read_ahead(public_id)
    if loaded is None or loaded.game.table != record.table:
        return False
    players = loaded.game.players
    rows = db.session().execute(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(players)))
    known = dict(rows.all())
    return [folded(known.get(player, "")) for player in players] == [folded(name) for name in names]
