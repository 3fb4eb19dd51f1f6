"""Create games in the database, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.services.home_table import adopt_games, home_table
from scorekeeper.games.services.recovery import add_code
from scorekeeper.games.services.sharing import copy_scorers, seat_phone
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import GameHeader, begin
from scorekeeper.games.store.models import GameRow, PlayerRow, ScorerRow
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.replay import replay

NIGHT = timedelta(hours=12)
"""A rematch later than that starts another series."""


def seat_players(
    session: Session, names: Sequence[str], people: Sequence[int | None] = (), at_home: Sequence[int | None] = ()
) -> tuple[int, ...]:
    """Return the ids of new players with these names, in order.

    `people` are their ids in a league, or None outside one; `at_home` their ids at a home table.
    """
    nobody = (None,) * len(names)
    players = [
        PlayerRow(name=name, person_id=person, home_person_id=home)
        for name, person, home in zip(names, people or nobody, at_home or nobody, strict=True)
    ]
    session.add_all(players)
    session.flush()
    return tuple(player.id for player in players)


def open_game(
    session: Session,
    events: Sequence[Event],
    *,
    owner: str,
    device: str,
    client_id: str,
    now: datetime,
    game: Game | None = None,
    public_id: str = "",
    happened: datetime | None = None,
    home: int | None = None,
    teams: Sequence[str] = (),
) -> GameRow:
    """Start a game with `events` in the caller's transaction, which commits it, and return its row.

    The game belongs to the phone `owner`; `device` sent the request, and `client_id` is its idempotency key. `game` is
    the game after these events, if it was replayed already. It gets the id `public_id`, if that is free. `happened` is
    when it was started on a phone without a signal; None if just now. `home` is its home table and
    `teams` its team names by side.
    """
    return begin(
        session,
        _free(session, public_id) or new_public_id(),
        events,
        game or replay(events),
        started_by=owner,
        device=device,
        client_id=client_id,
        now=now,
        happened=happened,
        home=home,
        teams=teams,
    )


def _free(session: Session, public_id: str) -> str:
    """Return that id if no game has it, else an empty text."""
    taken = public_id and session.scalar(select(exists().where(GameRow.public_id == public_id)))
    return "" if taken else public_id


def give_to_starter(session: Session, row: GameRow, device: str, now: datetime) -> None:
    """Give a game to the phone that sent its start, unless that phone scores it already or was removed.

    The server doesn't know the phone any more if its first cookie was lost with the answer, or if another phone sent
    the game; that other phone can go on scoring. The caller checks that `device` knows the id of the start, and its
    transaction commits it.
    """
    known = session.scalar(select(ScorerRow.id).where(ScorerRow.game_id == row.id, ScorerRow.device == device))
    if row.device == device or known is not None:
        return
    seat_phone(session, row.id, row.device, None, now)
    row.device, row.home_table_id = device, None
    session.flush()
    adopt_games(session, home_table(session, device, now), device, now)
    note(session, row.id, "started_here", device=device, now=now)


def play_again(
    session: Session,
    before: GameHeader,
    events: Sequence[Event],
    *,
    device: str,
    client_id: str,
    now: datetime,
    public_id: str = "",
    happened: datetime | None = None,
    home: int | None = None,
) -> str:
    """Start a rematch of `before`, for the same phones, and return its public id.

    `public_id`, `happened` and `home` are as in `open_game`.
    """
    teams = before.side_names or ()
    row = open_game(
        session,
        events,
        owner=before.device,
        device=device,
        client_id=client_id,
        now=now,
        public_id=public_id,
        happened=happened,
        home=home,
        teams=teams,
    )
    if before.unwatched_since:
        row.unwatched_since = now
        note(session, row.id, "watching_off", device=device, now=now)
    row.rematch_of = before.id if (happened or now) - before.updated_at < NIGHT else None
    copy_scorers(session, before.id, row.id, device, now)
    add_code(session, row.id, now)
    return row.public_id
