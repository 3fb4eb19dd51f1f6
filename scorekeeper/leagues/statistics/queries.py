"""Read a player's page, which shows their standings and games in one season.

Read the page that shows how the games of a season would have ended with other rules, for its directors.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

from msgspec import structs
from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.games.presenters.odds import MOST_HANDS, rule_words
from scorekeeper.games.store.event_store import replay_many
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import rules_line
from scorekeeper.i18n.sentences import points_text
from scorekeeper.insight.what_if import Comparison, TimeLimit, compare, played_hands, time_limits
from scorekeeper.leagues.core.access import NoSuchLeagueError, demand, head_of, person_at, season_at
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow, SeatRow, TableRow, TotalRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.people.service import all_of
from scorekeeper.leagues.standings.columns import standing_facts
from scorekeeper.leagues.standings.pages import NamedLink
from scorekeeper.leagues.standings.queries import page_of_person, person_link
from scorekeeper.leagues.standings.rows import NightScore
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.standings.ties import credited
from scorekeeper.leagues.standings.wording import decimal
from scorekeeper.leagues.statistics.pages import (
    GameLine,
    NightGames,
    PersonPage,
    SeasonByRule,
    SeasonByTime,
    statistics_view,
)
from scorekeeper.leagues.statistics.player_season import PlayerSeason, player_season
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import whole_number


def resolved(person_id: str) -> str:
    """Return the public id of a person or, if they were merged, of the person they were merged into."""
    session = db.session()
    row = person_at(session, person_id)
    return row.public_id if row.merged_into is None else session.get_one(PersonRow, row.merged_into).public_id


def person_page(person_id: str, device: str | None, season_id: str = "", night: str = "") -> PersonPage:
    """Return a player's page for one season. Raises `NoSuchLeagueError`.

    `season_id` is the public id of the season. If the person didn't play in that season, the page shows the last season
    in which they played. `night` is the number, as text, of the night whose games are listed, or "all" for all nights.
    By default, the games of the last night are listed.
    """
    session = db.session()
    row = person_at(session, person_id)
    head = head_of(session.get_one(LeagueRow, row.league_id), device)
    ids = all_of(session, row)
    was = [] if len(ids) == 1 else session.scalars(select(PersonRow.name).where(PersonRow.merged_into == row.id)).all()
    seasons = _seasons(session, ids)
    season = next((each for each in seasons if each.public_id == season_id), seasons[0] if seasons else None)
    page = PersonPage(
        league=head,
        id=row.public_id,
        name=row.name,
        nickname=row.nickname,
        guest=row.guest,
        retired=not row.active,
        was=tuple(name for name in was if name != row.name),
        notes=row.notes if head.owns else "",
        seasons=tuple(
            NamedLink(each.name, PageLink("leagues.person", {"person_id": row.public_id, "season": each.public_id}))
            for each in seasons
            if each is not season
        ),
    )
    return page if season is None else _in_season(session, page, season, row.id, ids, night)


def _in_season(
    session: Session, page: PersonPage, season: SeasonRow, person: int, ids: Sequence[int], night: str
) -> PersonPage:
    standings = season_standings(session, season)
    line = next((each for each in standings.people if each.person == person), None)
    own = player_season(session, season, standings, person, ids)
    scores = {} if line is None else {each.night: each for each in line.nights}
    return structs.replace(
        page,
        season=season.name,
        season_id=season.public_id,
        standing=() if line is None else standing_facts(line),
        nights=_nights(standings, season, own, scores, person, night),
        all_page=None if night == "all" else page_of_person(standings, season, person, night="all", _anchor="games"),
        statistics=statistics_view(own.games, own.hands, lambda who: person_link(standings, season, who)),
    )


def _seasons(session: Session, ids: Sequence[int]) -> Sequence[SeasonRow]:
    """Return the seasons in which a person or a substitute for them played, newest first.

    `ids` are the row ids of the person and of everyone merged into them.
    """
    sat = exists().where(
        NightRow.season_id == SeasonRow.id,
        TableRow.night_id == NightRow.id,
        SeatRow.table_id == TableRow.id,
        or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)),
    )
    scored = exists().where(
        NightRow.season_id == SeasonRow.id,
        TotalRow.night_id == NightRow.id,
        or_(TotalRow.person_id.in_(ids), TotalRow.sub_for.in_(ids)),
    )
    league = select(PersonRow.league_id).where(PersonRow.id == ids[0]).scalar_subquery()
    query = select(SeasonRow).where(SeasonRow.league_id == league, or_(sat, scored)).order_by(SeasonRow.id.desc())
    return session.scalars(query).all()


def _nights(
    standings: SeasonStandings,
    season: SeasonRow,
    own: PlayerSeason,
    scores: Mapping[int, NightScore],
    person: int,
    wanted: str,
) -> tuple[NightGames, ...]:
    # A night that was imported as totals has a score and no games.
    known = {**dict.fromkeys(scores, ()), **own.nights}
    last = max(known, default=0)
    open_one = whole_number(wanted)
    shown = []
    for nth, games in sorted(known.items(), reverse=True):
        night, score = standings.nights[nth], scores.get(nth)
        unfold = page_of_person(standings, season, person, night=nth, _anchor=f"night-{nth}")
        unfolded = wanted == "all" or nth == (open_one if open_one in known else last)
        shown.append(
            NightGames(
                number=night.number,
                day=day_text(night.day),
                page=PageLink("leagues.night", {"night_id": night.public_id}) if unfolded else unfold,
                points="–" if score is None else spoken(decimal(score.points)),
                per_game="–" if score is None or not score.games else spoken(decimal(score.points / score.games)),
                wins=0 if score is None else score.wins,
                games=0 if score is None else score.games,
                is_total=score is not None and score.unknown > 0,
                handicap=0 if score is None else score.handicap,
                dropped=score is not None and not score.counts,
                lines=tuple(_game(game, own, standings, season, person) for game in games) if unfolded else (),
            )
        )
    return tuple(shown)


def _game(game: Played, own: PlayerSeason, standings: SeasonStandings, season: SeasonRow, person: int) -> GameLine:
    where = own.addresses.get(game.game) if isinstance(game.game, int) else None
    regular, sat = "", ""
    if game.person != person:
        sat = standings.roster.named(game.person)
    elif game.sub_for is not None:
        regular = standings.roster.named(game.sub_for)
    return GameLine(
        round=game.round,
        table=game.table,
        partners=tuple(person_link(standings, season, mate) for mate in game.partners),
        opponents=tuple(person_link(standings, season, mate) for mate in game.opponents),
        score="" if game.bye else points_text(game.points, game.points_against),
        result=_result(game, forfeited=game.game in own.forfeited),
        won=game.won,
        sets=game.sets,
        page=None if where is None else PageLink("games.board", {"game_id": where}),
        sub_for=regular,
        sub=sat,
        counts=person in credited(game.person, game.sub_for, standings.settings.subs),
    )


def _result(game: Played, *, forfeited: bool) -> str:
    if game.bye:
        return _("bye")
    if forfeited:
        return _("won by forfeit") if game.won else _("forfeited")
    if game.drawn:
        return _("tie")
    return _("won") if game.won else _("lost")


MOST_EVENTS = 10_000
"""Most events in the logs of the games on one page, about 300 usual games; of more, the newest games are compared."""
ENOUGH = 20
"""Minimum number of games for a percentage."""


def other_rules_page(season_id: str, device: str | None, night_id: str = "") -> SimpleNamespace:
    """Return the page that compares a season's games with other rules.

    Games of closed nights count if their hands were recorded and ended them. If games of the season had different
    rules, only those with the most frequent rules count. `night_id` is the public id of a closed night of the season,
    or "" for all of them.

    Raises `NoSuchLeagueError`, or `NotAllowedError` if the device belongs to neither a director nor an owner.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    demand(league, device, Role.DIRECTOR)
    head = head_of(league, device)
    closed = select(NightRow).where(NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    nights = {night.public_id: night for night in session.scalars(closed.order_by(NightRow.number))}
    if night_id and night_id not in nights:
        raise NoSuchLeagueError
    games, total = _games(session, season, nights[night_id] if night_id else None)
    names = {key: _("Night %(number)s", number=night.number) for key, night in nights.items()}
    rules = Counter(_apart_from_seats(game) for game in games)
    usual = max(rules, key=lambda each: rules[each], default=None)
    played = [(game.table, played_hands(game)) for game in games if _apart_from_seats(game) == usual]
    told = compare(played)
    return SimpleNamespace(
        league=head,
        season_id=season.public_id,
        season=season.name,
        games=told[0].games if told else 0,
        total=total,
        # Minimum number of games for a percentage.
        enough=ENOUGH,
        # The games as they were played, then with each of the other rules; empty if there is nothing to compare.
        lines=tuple(_line(each) for each in told),
        limits=tuple(map(_limit, time_limits(played))),
        # The night whose games are compared, such as "Night 3"; empty for all nights of the season.
        night=names.get(night_id, ""),
        nights=tuple(names.items()),
    )


def _games(session: Session, season: SeasonRow, night: NightRow | None) -> tuple[Sequence[Game], int]:
    """Return the newest games of a season's closed nights, and how many games of these nights have recorded hands.

    If `night` is given, only its games count.
    """
    query = (
        select(GameRow.id, GameRow.hands, GameRow.version)
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(NightRow.season_id == season.id, TableRow.points.is_not(None))  # only a closed night has points
        .where(GameRow.deleted_at.is_(None), GameRow.over, GameRow.hands > 0)
    )
    if night is not None:
        query = query.where(NightRow.id == night.id)
    chosen, events = [], 0
    # Sorted here: for a sorted query, PostgreSQL may read the games of all leagues.
    found = sorted(session.execute(query), key=lambda row: row.id, reverse=True)
    for row in found:
        if row.hands <= MOST_HANDS and events + row.version <= MOST_EVENTS:
            chosen.append(row.id)
            events += row.version
    return [game for game in replay_many(session, chosen) if game.hands], len(found)


def _apart_from_seats(game: Game) -> Ruleset:
    """Return the rules of a game without what the number of players decides."""
    return replace(game.table.rules, called_partner=False)


def _line(told: Comparison) -> SeasonByRule:
    ours = not told.option
    over = told.games - told.undecided
    more = "+" if told.undecided else ""
    rule = rules_line(told.rules) if ours else rule_words(told.option, told.value, told.rules)
    return SeasonByRule(
        rule=_("As played: %(rules)s", rules=rule) if ours else rule,
        effect="" if ours else _effect(told),
        hands=f"{told.hands / told.games:.1f}{more}",
        longest=f"{told.longest}{more}",
        dealer=f"{round(100 * told.dealer_won / over)}%" if over >= ENOUGH and not told.undecided else "–",
    )


def _limit(told: TimeLimit) -> SeasonByTime:
    counts = (
        (told.another, ngettext("%(num)s different winner", "%(num)s different winners", told.another)),
        (told.level, ngettext("%(num)s tie", "%(num)s ties", told.level)),
    )
    effect = ", ".join(words for count, words in counts if count) or _("same winners")
    return SeasonByTime(told.hands, told.stopped, effect)


def _effect(told: Comparison) -> str:
    counts = (
        (told.another, ngettext("%(num)s different winner", "%(num)s different winners", told.another)),
        (told.nobody, ngettext("%(num)s without a winner", "%(num)s without a winner", told.nobody)),
        (told.undecided, ngettext("%(num)s not over yet", "%(num)s not over yet", told.undecided)),
    )
    return ", ".join(words for count, words in counts if count) or _("same winners")
