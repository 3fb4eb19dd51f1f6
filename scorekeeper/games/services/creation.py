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
"""How long after the last change of a game a rematch still belongs to the same series."""


def seat_players(
    session: Session, names: Sequence[str], people: Sequence[int | None] = (), at_home: Sequence[int | None] = ()
) -> tuple[int, ...]:
    """Add new players with these names, and return their ids in the same order.

    `people` are the players' person ids in a league, and `at_home` their person ids at a home table. An id is None for
    a player who has no such person.
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
    times: Sequence[datetime] = (),
    home: int | None = None,
    teams: Sequence[str] = (),
) -> GameRow:
    """Start a game with `events` and return its row. The caller must commit the transaction.

    The game belongs to the phone `owner`. `device` is the phone that sent the request, and `client_id` is the request
    key. `game` is the game after these events, if it was replayed already. The game gets the id `public_id`, if that id
    is free. `times` has the time when each event happened, or is empty if they happen now. `home` is the row id of its
    home table, and `teams` are its team names by side.
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
        times=times,
        home=home,
        teams=teams,
    )


def _free(session: Session, public_id: str) -> str:
    """Return `public_id` if no game has this id, otherwise ""."""
    taken = public_id and session.scalar(select(exists().where(GameRow.public_id == public_id)))
    return "" if taken else public_id


def give_to_starter(session: Session, row: GameRow, device: str, now: datetime) -> None:
    """Make the phone `device`, which sent the start of a game, the main phone of that game.

    The previous main phone can still keep score. Call this function if the starting phone lost its first cookie,
    because the server then doesn't recognize that phone. Also call this function if another phone sent the start of the
    game.

    Nothing changes if `device` is the main phone already, is a scorer, or was removed. The caller must check that
    `device` knows the id of the request that started the game. The caller must also commit.
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
    """Start a rematch of the game `before` for the same phones, and return the public id of the rematch.

    The caller must commit the transaction. `happened` is when it was started on a phone without a signal, or None if it
    starts now. The other parameters are the same as for `open_game`.
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
        times=[happened] * len(events) if happened else (),
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
