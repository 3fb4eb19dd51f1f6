"""Find or create the home table of a phone, and assign games to home tables.

Games of a league and their rematches have no home table, because their players are people of the league.

Create games in the database, within the caller's transaction.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.services.recovery import add_code
from scorekeeper.games.services.sharing import copy_scorers, seat_phone
from scorekeeper.games.store.access import started_by
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import GameHeader, begin
from scorekeeper.games.store.game_export import players_by_game
from scorekeeper.games.store.models import GameRow, PlayerRow, ScorerRow
from scorekeeper.people.tables import current_table, folded, make_table, people_called, scores_at, use_table
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.replay import replay

AT_ONCE = 500
"""Maximum number of ids in one query."""


def home_table(session: Session, device: str, now: datetime) -> int:
    """Return the row id of the home table for the next game of the phone `device`.

    A phone that may not score at any home table gets a new one. The games that the phone started before are added to
    the new table. The caller's transaction commits the changes.
    """
    table = current_table(session, device, to_score=True)
    if table is None:
        table = make_table(session, device, now)
        adopt_games(session, table, device, now)
    else:
        use_table(session, table, device, now)
    return table


def table_of_rematch(session: Session, game: int, now: datetime) -> int | None:
    """Return the row id of the home table for a rematch of `game` (row id), or None for a game of a league.

    A rematch stays at the home table of `game`. If the phone that started `game` may no longer score there, the rematch
    goes to that phone's current home table instead.
    """
    row = session.execute(
        select(GameRow.home_table_id, GameRow.device, GameRow.elsewhere, GameRow.players).where(GameRow.id == game)
    ).one()
    home: int | None = row.home_table_id
    if row.elsewhere or _in_leagues(session, row.players) or (home and scores_at(session, home, row.device)):
        return home
    table = home_table(session, row.device, now)
    adopt_games(session, table, row.device, now)  # a game that was taken over from a phone without a table
    return table


def adopt_games(session: Session, table: int, device: str, now: datetime) -> int:
    """Move games without a home table to the home table `table` (row id), and return the number of games moved.

    Only games that the phone `device` started are moved. Games of a league are left alone. The players of the moved
    games become people of the home table, matched by name.
    """
    lonely = select(GameRow.id).where(started_by(device), GameRow.elsewhere.is_(None), GameRow.home_table_id.is_(None))
    games = session.scalars(lonely.order_by(GameRow.id)).all()
    seated = {game: players for some in _some(games) for game, players in players_by_game(session, some).items()}
    in_leagues = _in_leagues(session, {player for players in seated.values() for player in players})
    ours = [game for game, players in seated.items() if in_leagues.isdisjoint(players)]
    for some in _some(ours):
        session.execute(update(GameRow).where(GameRow.id.in_(some)).values(home_table_id=table))
    _adopt_players(session, table, {player for game in ours for player in seated[game]}, now)
    return len(ours)


def _adopt_players(session: Session, table: int, players: Collection[int], now: datetime) -> None:
    names: dict[str, str] = {}
    named: dict[str, list[int]] = {}
    for some in _some(players):
        for player, name in session.execute(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(some))):
            names.setdefault(folded(name), name)
            named.setdefault(folded(name), []).append(player)
    people = people_called(session, table, list(names.values()), now)
    for person, key in zip(people, names, strict=True):
        for some in _some(named[key]):
            session.execute(update(PlayerRow).where(PlayerRow.id.in_(some)).values(home_person_id=person.id))


def _in_leagues(session: Session, players: Collection[int]) -> set[int]:
    """Return the ids in `players` (`PlayerRow` ids) that belong to people of a league."""
    query = select(PlayerRow.id).where(PlayerRow.person_id.is_not(None))
    return {player for some in _some(players) for player in session.scalars(query.where(PlayerRow.id.in_(some)))}


def _some(ids: Collection[int]) -> Iterator[Sequence[int]]:
    ordered = sorted(ids)
    for first in range(0, len(ordered), AT_ONCE):
        yield ordered[first : first + AT_ONCE]


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
    add_code(session, row.id, now, before.id)
    return row.public_id
