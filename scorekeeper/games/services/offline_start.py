"""Start a game that a phone began offline, exactly once, under the id that the phone chose."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy import select

from scorekeeper.db.database import keyed_use_case
from scorekeeper.games.logic.reconcile import request_key, sorted_json
from scorekeeper.games.services.creation import give_to_starter
from scorekeeper.games.services.scoring import (
    ClientRequest,
    LeagueGameError,
    distinct_names,
    rematch,
    start_game,
)
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.store.event_store import read_ahead
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.tables import folded
from scorekeeper.rules.record import Record
from scorekeeper.web.extensions import db, writing

OLDEST = timedelta(days=90)
"""A start longer ago than this is dated now, because the clock of the phone must be wrong."""


class WaitingStart(Struct, frozen=True):
    """A game that a phone started offline. The server has not started it yet."""

    client_id: str
    """The id that the phone made for this start."""
    record: Record
    """A game record with the rules, names, sides and first dealer, but without hands."""
    happened: datetime
    """When the game was started, by the phone's clock."""
    after: str = ""
    """Public id of the previous game, if the player started this game with "Play again"; else empty."""

    def request(self, device: str, public_id: str, now: datetime) -> ClientRequest:
        """Return the `ClientRequest` that starts this game for the phone `device` under the id `public_id`."""
        told = [public_id, list(self.record.names), self.record.first_dealer, self.after]
        happened = self.happened if now - OLDEST < self.happened < now else now
        return ClientRequest(
            device, request_key(self.client_id, sorted_json(told)), game_id=public_id, happened=happened
        )


def is_started(public_id: str) -> bool:
    """Return whether a game with the id `public_id` exists. A deleted game counts as existing."""
    return db.session().scalar(select(GameRow.id).where(GameRow.public_id == public_id)) is not None


def start_waiting(*, public_id: str, start: WaitingStart, device: str, now: datetime | None = None) -> None:
    """Start a game that the phone `device` began offline, under the id `public_id`.

    If a game with this id exists already, no new game is started. If the existing game came from the same offline start
    (`start.client_id`), the phone becomes the main phone of that game. A phone that may already score the game, or was
    removed from it, keeps its access level.

    If the player chose "Play again", `start.after` is the id of the previous game. If the rules, sides and names are
    the same, the new game becomes a rematch of the previous game. After a game of a league night, the new game is
    independent. Raises `RuleViolation` for invalid or repeated names.
    """
    if is_started(public_id):
        _let_in(public_id=public_id, start=start, device=device, now=now)
        return
    record, request = start.record, start.request(device, public_id, now or datetime.now(UTC))
    names = distinct_names(record.names)
    if start.after and _is_same_table(start.after, record, names):
        with suppress(NoSuchGameError, NotYourGameError, LeagueGameError):
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


@keyed_use_case
def _let_in(*, public_id: str, start: WaitingStart, device: str, now: datetime | None) -> None:
    """Make the phone `device` the main phone of the existing game `public_id`, if `start` created that game.

    A phone that may already score the game, or was removed from it, keeps its access level.
    """
    with writing() as session:
        row = session.scalars(select(GameRow).where(GameRow.public_id == public_id).with_for_update()).one()
        # Without the dot anyone could name it: games of a league and imported ones have a key that can be guessed.
        if row.client_id.startswith(f"{start.client_id}."):
            give_to_starter(session, row, device, now or datetime.now(UTC))


def _is_same_table(public_id: str, record: Record, names: Sequence[str]) -> bool:
    """Return whether the game `public_id` has the rules and sides of `record` and the players `names`, by seat."""
    loaded = read_ahead(public_id)
    if loaded is None or loaded.game.table != record.table:
        return False
    players = loaded.game.players
    rows = db.session().execute(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(players)))
    known = dict(rows.all())
    return [folded(known.get(player, "")) for player in players] == [folded(name) for name in names]
