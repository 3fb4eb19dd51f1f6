"""Read a player's games and statistics of one season, and cache them with the season's standings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from sqlalchemy import Text, and_, cast, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.forms.base import read_bid
from scorekeeper.games.logic.statistics.hands import HandPlayed, Hands, Played, hands_of, playing_order
from scorekeeper.games.logic.statistics.table_games import Games, games_of
from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import HandRow, NightRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.nights.closing import hand_rows
from scorekeeper.leagues.standings.closed_nights import byes_of
from scorekeeper.leagues.standings.counted_games import NightDone, TableDone, played_on, saved_tables, whole_numbers
from scorekeeper.leagues.standings.standings_cache import SeasonStandings
from scorekeeper.leagues.standings.table_results import FORFEITED


class PlayerSeason(Struct, frozen=True):
    """One person's season.

    `nights` has games and byes, by the number of the night, including the games of substitutes who played for the
    person. `addresses` has the public id of each game, by the row id of its table. `forfeited` are the
    row ids of the tables that a side forfeited. `games` and `hands` are statistics
    of only the games and hands that the person played themselves.
    """

    nights: Mapping[int, Sequence[Played]]
    addresses: Mapping[int, str]
    forfeited: frozenset[int]
    games: Games
    hands: Hands


def player_season(
    session: Session, season: SeasonRow, standings: SeasonStandings, person: int, ids: Sequence[int]
) -> PlayerSeason:
    """Return one person's season: the games, the byes and the statistics.

    `ids` has the row ids of `person` and of everyone merged into them. Takes no query if the result is in the cache of
    `standings`.
    """
    remembered = standings.by_person.get(person)
    if isinstance(remembered, PlayerSeason):
        return remembered
    found = _games(session, season, ids)
    addresses = {table: game for table, game, _lost in found}
    forfeited = frozenset(table for table, _game, lost in found if lost)
    games = sorted(_played(session, season, standings, person, ids), key=playing_order)
    sat = [game for game in games if game.person == person]
    nights: dict[int, list[Played]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    hands = [*_hands(session, season, ids, sat), *_open_hands(session, sat, standings, addresses)]
    own = PlayerSeason(nights, addresses, forfeited, games_of(person, sat), hands_of(hands))
    standings.by_person[person] = own
    return own


def _played(
    session: Session, season: SeasonRow, standings: SeasonStandings, person: int, ids: Sequence[int]
) -> Iterator[Played]:
    """Yield the games and byes of a person and of substitutes who played for them. Takes three queries."""
    sat = select(SeatRow.table_id).where(or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)))
    closed = and_(NightRow.season_id == season.id, NightRow.closed_at.is_not(None), TableRow.id.in_(sat))
    tables = saved_tables(session, closed)
    nights = (
        *(NightDone(night.number, tables.get(night.id, ()), ()) for night in standings.nights.values()),
        *byes_of(session, season),
        *(
            night._replace(tables=[each for each in night.tables if _sat_at(each, ids)], totals=())
            for night in standings.open
        ),
    )
    for night in nights:
        for played in played_on(night, standings.roster.merged):
            if person in (played.person, played.sub_for):
                yield played


def _sat_at(table: TableDone, ids: Sequence[int]) -> bool:
    return not set(ids).isdisjoint((*table.people, *table.subs))


def _games(session: Session, season: SeasonRow, ids: Sequence[int]) -> Sequence[tuple[int, str, bool]]:
    """Return (row id of the table, public id, forfeited) for each game that a person or a substitute for them played.

    `ids` are the row ids of the person and of everyone merged into them.
    """
    query = (
        select(
            TableRow.id, GameRow.public_id, GameRow.ended_by.in_(FORFEITED) & (GameRow.winner == 1 - TableRow.forfeit)
        )
        .join(GameRow, GameRow.id == TableRow.game_id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(NightRow.season_id == season.id, or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)))
    )
    return [(table, game, bool(lost)) for table, game, lost in session.execute(query)]


def _hands(session: Session, season: SeasonRow, ids: Sequence[int], played: Iterable[Played]) -> Iterable[HandPlayed]:
    """Yield the hands that a person played on closed nights, without those of their substitutes. Takes one query.

    `ids` are the row ids of the person and of those who were merged into them. `played` are the games that the person
    played without a substitute.
    """
    seats = _seats_at(played)
    query = (
        select(
            HandRow.table_id,
            NightRow.number,
            HandRow.number,
            SeatRow.seat,
            HandRow.dealer,
            HandRow.bidder,
            HandRow.bid,
            HandRow.made,
            cast(HandRow.bidding, Text),
            cast(HandRow.delta, Text),
        )
        .join(TableRow, TableRow.id == HandRow.table_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(SeatRow.person_id.in_(ids), NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    )
    for table, night, hand, seat, dealer, bidder, bid, made, bidding, delta in session.connection().execute(query):
        # The night was closed after its games were read: it is counted the next time.
        if table not in seats:
            continue
        yield HandPlayed(
            table,
            night,
            hand,
            seats[table],
            seat,
            dealer,
            bidder,
            None if bid is None else read_bid(bid),
            made,
            whole_numbers(bidding),
            scored := whole_numbers(delta),
            seat % len(scored),
        )


def _open_hands(
    session: Session, played: Sequence[Played], standings: SeasonStandings, addresses: Mapping[int, str]
) -> Iterable[HandPlayed]:
    """Yield the hands that a person played themselves on open nights, as read from the event logs of the games.

    `played` are the games that the person played themselves. `addresses` is as in `PlayerSeason`.
    """
    now = [game for game in played if not game.bye and not standings.nights[game.night].closed]
    if not now:
        return
    tables = [game.game for game in now]
    query = select(SeatRow.table_id, SeatRow.seat, SeatRow.person_id).where(SeatRow.table_id.in_(tables))
    seat_of = {
        (table, standings.roster.merged.get(person, person)): seat for table, seat, person in session.execute(query)
    }
    seats = _seats_at(now)
    for game in now:
        assert isinstance(game.game, int)
        found = find(session, addresses[game.game])
        seat = seat_of[game.game, game.person]
        for row in () if found is None else hand_rows(game.game, load(session, found).game):
            yield HandPlayed(
                game.game,
                game.night,
                row["number"],
                seats[game.game],
                seat,
                row["dealer"],
                row["bidder"],
                None if row["bid"] is None else read_bid(row["bid"]),
                row["made"],
                tuple(row["bidding"]),
                tuple(row["delta"]),
                seat % len(row["delta"]),
            )


def _seats_at(played: Iterable[Played]) -> Mapping[int | str, int]:
    """Return the number of players in each game. The keys are the values of `Played.game`."""
    return {game.game: 1 + len(game.partners) + len(game.opponents) for game in played}
