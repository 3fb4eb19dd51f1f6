"""A player's page: one season of somebody, from the standings down to each game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flask import url_for
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.extensions import db
from scorekeeper.games.forms import read_bid
from scorekeeper.games.log import find, load
from scorekeeper.games.models import GameRow
from scorekeeper.language import _, spoken
from scorekeeper.leagues.access import person_at
from scorekeeper.leagues.closing import hand_rows
from scorekeeper.leagues.days import day_text
from scorekeeper.leagues.models import HandRow, LeagueRow, NightRow, PersonRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.pages.person import GameLine, NightGames, PersonPage
from scorekeeper.leagues.pages.standings import NamedLink
from scorekeeper.leagues.people import all_of
from scorekeeper.leagues.queries.facts import statistics_view
from scorekeeper.leagues.queries.league import head_of
from scorekeeper.leagues.queries.reckoned import Reckoned, reckon
from scorekeeper.leagues.queries.standings import person_url, standing_line
from scorekeeper.leagues.standings.credit import credited
from scorekeeper.leagues.standings.played import Played, told_in_order
from scorekeeper.leagues.standings.rows import NightScore
from scorekeeper.leagues.standings.words import decimal
from scorekeeper.leagues.statistics.games import games_of
from scorekeeper.leagues.statistics.hand import HandPlayed
from scorekeeper.leagues.statistics.hands import hands_of
from scorekeeper.wording import number


def resolved(person_id: str) -> str:
    """Return the address of the person at an address, or of whom they turned out to be."""
    session = db.session()
    row = person_at(session, person_id)
    return row.public_id if row.merged_into is None else session.get_one(PersonRow, row.merged_into).public_id


def person_page(person_id: str, device: str | None, season_id: str = "") -> PersonPage:
    """Return somebody's page for the season at `season_id`, else for the last one they played in.

    Raises `NoSuchLeagueError`. Who was merged is shown under whom they turned out to be.
    """
    session = db.session()
    row = person_at(session, person_id)
    league = session.get_one(LeagueRow, row.league_id)
    head = head_of(league, device)
    ids = all_of(session, row)
    was = [] if len(ids) == 1 else session.scalars(select(PersonRow.name).where(PersonRow.merged_into == row.id)).all()
    seasons = _seasons(session, ids)
    season = next((each for each in seasons if each.public_id == season_id), seasons[0] if seasons else None)
    told = None if season is None else reckon(session, season)
    own = next((each for each in told.people if each.person == row.id), None) if told else None
    nights: tuple[NightGames, ...] = ()
    statistics = None
    if season is not None and told is not None:
        games = games_at_tables(session, season, ids)
        sat = [game for game in told.played if game.person == row.id]
        scores = {} if own is None else {score.night: score for score in own.nights}
        counted = sat + [game for game in told.played if game.sub_for == row.id]
        nights = _nights(told, season, counted, scores, games, row.id)
        hands = [*_hands(session, season, ids, sat), *_open_hands(session, sat, told, games)]
        links = {who.id: NamedLink(who.name, person_url(told, season, who.id)) for who in told.book.people.values()}
        statistics = statistics_view(games_of(row.id, sat), hands_of(hands), links)
    return PersonPage(
        league=head,
        id=row.public_id,
        name=row.name,
        nickname=row.nickname,
        guest=row.guest,
        retired=not row.active,
        was=tuple(was),
        notes=row.notes if head.directed else "",
        season="" if season is None else season.name,
        season_url="" if season is None else url_for("leagues.season", season_id=season.public_id),
        seasons=tuple(
            NamedLink(each.name, url_for("leagues.person", person_id=row.public_id, season=each.public_id))
            for each in seasons
            if each is not season
        ),
        line=None if own is None or told is None or season is None else standing_line(own, told, season),
        nights=nights,
        statistics=statistics,
    )


def _seasons(session: Session, ids: Sequence[int]) -> Sequence[SeasonRow]:
    """The seasons that somebody sat in, or had somebody sit for them, the newest first."""
    sat = (
        select(NightRow.season_id)
        .join(TableRow, TableRow.night_id == NightRow.id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)))
    )
    return session.scalars(select(SeasonRow).where(SeasonRow.id.in_(sat)).order_by(SeasonRow.id.desc())).all()


def games_at_tables(session: Session, season: SeasonRow, ids: Sequence[int]) -> Mapping[int, tuple[str, Sequence[int]]]:
    """Return the address of the game and its totals for each table somebody, or their substitute, sat at."""
    query = (
        select(TableRow.id, GameRow.public_id, GameRow.totals)
        .join(GameRow, GameRow.id == TableRow.game_id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(NightRow.season_id == season.id, or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)))
    )
    return {table: (game, totals) for table, game, totals in session.execute(query)}


def _nights(
    told: Reckoned,
    season: SeasonRow,
    played: Sequence[Played],
    scores: Mapping[int, NightScore],
    games: Mapping[int, tuple[str, Sequence[int]]],
    person: int,
) -> tuple[NightGames, ...]:
    by_night: dict[int, list[Played]] = {}
    for game in sorted(played, key=told_in_order, reverse=True):
        by_night.setdefault(game.night, []).append(game)
    links = {who.id: NamedLink(who.name, person_url(told, season, who.id)) for who in told.book.people.values()}
    shown = []
    for night_number, lines in by_night.items():
        night, score = told.nights[night_number], scores.get(night_number)
        shown.append(
            NightGames(
                number=night.number,
                day=day_text(night.day),
                url=url_for("leagues.night", night_id=night.public_id),
                points="–" if score is None else spoken(decimal(score.points)),
                per_game="–" if score is None or not score.games else spoken(decimal(score.points / score.games)),
                wins=0 if score is None else score.wins,
                games=0 if score is None else score.games,
                handicap=0 if score is None else score.handicap,
                dropped=score is not None and not score.counts,
                lines=tuple(_game(game, links, games, told, person) for game in reversed(lines)),
            )
        )
    return tuple(shown)


def _game(
    game: Played,
    links: Mapping[int, NamedLink],
    games: Mapping[int, tuple[str, Sequence[int]]],
    told: Reckoned,
    person: int,
) -> GameLine:
    where = games.get(game.game) if isinstance(game.game, int) else None
    regular, sat = "", ""
    if game.person != person:
        sat = told.book.named(game.person)
    elif game.sub_for is not None:
        regular = told.book.named(game.sub_for)
    return GameLine(
        round=game.round,
        table=game.table,
        partners=tuple(links[mate] for mate in game.partners),
        opponents=tuple(links[mate] for mate in game.opponents),
        score="" if game.bye else f"{number(game.points)}–{number(game.points_against)}",
        result=_result(game),
        won=game.won,
        sets=game.sets,
        url="" if where is None else url_for("games.board", game_id=where[0]),
        sub_for=regular,
        sub=sat,
        counts=person in credited(game.person, game.sub_for, told.settings.subs),
    )


def _result(game: Played) -> str:
    if game.bye:
        return _("sat out")
    if game.drawn:
        return _("nobody won")
    return _("won") if game.won else _("lost")


def _hands(session: Session, season: SeasonRow, ids: Sequence[int], played: Iterable[Played]) -> Iterable[HandPlayed]:
    """The hands of closed nights; one query."""
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
            HandRow.bidding,
            HandRow.delta,
        )
        .join(TableRow, TableRow.id == HandRow.table_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(SeatRow.person_id.in_(ids), NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    )
    for table, night, hand, seat, dealer, bidder, bid, made, bidding, delta in session.connection().execute(query):
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
            tuple(bidding),
            tuple(delta),
            seat % len(delta),
        )


def _open_hands(
    session: Session, played: Sequence[Played], told: Reckoned, games: Mapping[int, tuple[str, Sequence[int]]]
) -> Iterable[HandPlayed]:
    """The hands of nights that are open, from the logs of their games."""
    now = [game for game in played if not game.bye and not told.nights[game.night].closed]
    if not now:
        return
    tables = [game.game for game in now]
    query = select(SeatRow.table_id, SeatRow.seat, SeatRow.person_id).where(SeatRow.table_id.in_(tables))
    seat_of = {(table, told.book.merged.get(person, person)): seat for table, seat, person in session.execute(query)}
    seats = _seats_at(now)
    for game in now:
        assert isinstance(game.game, int)
        found = find(session, games[game.game][0])
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
    """How many sat at each table."""
    return {game.game: 1 + len(game.partners) + len(game.opponents) for game in played}
