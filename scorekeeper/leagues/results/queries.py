"""Read the results of a night. The number of queries does not grow with the night or the season.

Find the last closed night of leagues and its winners, for the home page and the pages of leagues.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import structs
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.games.presenters.agreements import amount_text
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import isolated
from scorekeeper.insight.odds import is_solvable
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.models import HandRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.money.ranking import Ranking, prize_reasons, ranking_by
from scorekeeper.leagues.money.service import saved_prizes
from scorekeeper.leagues.money.takings import MoneyLine, places_of, prizes
from scorekeeper.leagues.results.honors import SetHand, best_partners, biggest_set, most_points
from scorekeeper.leagues.results.pages import (
    LatestResults,
    NightResults,
    PrizeLine,
    ResultLine,
    ResultPerson,
    ResultTable,
)
from scorekeeper.leagues.results.team_nights import team_night_of
from scorekeeper.leagues.results.wording import (
    Told,
    about,
    chat_text,
    forfeits_of,
    headline,
    honors_of,
    how_ranked,
    label_of,
    notes_of,
    score_words,
    status_of,
    unit_name,
)
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.plan import seating_of
from scorekeeper.leagues.standings.columns import COLUMNS, Column, columns_of
from scorekeeper.leagues.standings.counted_games import NightDone, counted_on, played_on
from scorekeeper.leagues.standings.night_snapshot import Seen, bracket_on, names_on, night_version, seen
from scorekeeper.leagues.standings.queries import sets_missing
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import rank_bracket, rank_night, tie_marks, ties_of, tonight
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.leagues.standings.wording import ORDERS, score_parts, tie_line
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import table_at
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text, page_language

SIDES = 2
"""Number of sides for which chances of winning are calculated."""
SEASON_ONLY = "Nights"
"""Name of the column of the standings that is left out for a single night."""


def night_results(night: str) -> NightResults:
    """Return the results of the night with this public id. While the night is open, the results are provisional.

    Takes about 20 queries for a closed night and fewer for an open one, whatever the number of players. Raises
    `NoSuchLeagueError`.
    """
    return whole_results_of(seen(night))


def whole_results_of(at: Seen) -> NightResults:
    """Return the results of the night in the snapshot `at`, including `sets_missing`, which takes one more query."""
    return structs.replace(
        results_of(at), sets_missing=sets_missing(db.session(), at.season, NightRow.id == at.night.id)
    )


def results_of(at: Seen) -> NightResults:
    """Return the results of the night in the snapshot `at`, with `sets_missing` left empty."""
    session, final = db.session(), at.night.closed_at is not None
    season = StandingSettings.from_json(at.season.counting)
    done = counted_on(session, at.night, at.tables)
    merged = {key: who.id for key, who in at.people.items() if who.merged}
    played = tuple(played_on(done, merged))
    names = _names(at)
    saved = saved_prizes(session, at.night) if final else ()
    paid = prizes(saved)
    ranked = _ranked(at, played, season)
    by_place = [line for line in saved if line.kind == "prize"]  # no ranking decides who wins a pot
    whose = [structs.replace(line, person=at.people[line.person].id) for line in by_place]  # after merges
    tables = tuple(
        _table(key, rows, at, names, played, season, _won(rows, whose, by_place=(key, rows) == ranked[0]))
        for key, rows in ranked
        if rows
    )
    hands, with_hands = _sets(at, done) if final else ((), None)
    told = Told(
        at=at,
        final=final,
        names=names,
        rows=ranked[0][1],
        settings=tonight(season),
        missing=_missing(at, done),
        without_hands=0 if with_hands is None else sum(table.id not in with_hands for table in done.tables),
        teams=team_night_of(at),
    )
    matches = told.teams.matches
    # Nobody earned anything in a game that wasn't played.
    given = {(table.round, table.number) for table in at.tables if table.forfeit is not None}
    earned = [game for game in played if (game.round, game.table) not in given]
    honors = honors_of(
        told, best_partners(earned, season.min_games), most_points(earned), biggest_set(hands) if final else None
    )
    why = _why(at, played, season, saved, names) if saved else {}
    paid_out = tuple(
        PrizeLine(
            names[line.person or 0], amount_text(line.cents), spoken(line.what), why.pop(prize.place, ""), prize.pot
        )
        for line, prize in zip(paid, saved, strict=True)
    )
    return NightResults(
        id=at.night.public_id,
        number=at.night.number,
        title=_("Results of night %(number)s", number=at.night.number),
        league_id=at.league.public_id,
        league=at.league.name,
        season_id=at.season.public_id,
        season=at.season.name,
        date=at.night.day,
        day=day_text(at.night.day),
        format=spoken(FORMATS[at.plan.format].name),
        final=final,
        status=status_of(told),
        notes=notes_of(told),
        forfeits=forfeits_of(told),
        label=label_of(told),
        winners=tuple(line for line in tables[0].lines if line.rank == 1) if tables and not matches else (),
        won=headline(told),
        by=spoken(ORDERS[season.order]),
        tables=tables,
        honors=honors if tables else (),
        prizes=paid_out,
        how=how_ranked(told),
        text=chat_text(told, honors, paid_out) if tables or any(match.score for match in matches) else "",
        about=about(told),
        matches=matches,
        champion=told.teams.champion,
        bracket=bracket_on(at, names_on(at)),
        with_chances=any(_has_chances(at, table) for table in at.tables),
    )


def _has_chances(at: Seen, table: TableState) -> bool:
    """Return whether the chances of winning the game at a table can be calculated."""
    if not recorded(table) or table.sides != SIDES:
        return False
    rules = with_options(PRESETS[at.season.preset], at.season.options | at.plan.ending(table.number))
    return is_solvable(table_at(rules, seating_of(len(table.plan.seats), table.plan.kind)))


def recorded(table: TableState) -> bool:
    """Return whether the game at a table is over and its hands were recorded."""
    over = table.verdict is not None and table.verdict.state != "playing"
    return over and table.hands > 0 and not table.final


def _names(at: Seen) -> Mapping[int, str]:
    """Return the name of everyone in the league, by id, in the form that the other pages of the night show."""
    shown = {at.people[person].id: name for person, name in names_on(at).items()}
    return {key: shown.get(who.id, who.nickname or who.name) for key, who in at.people.items()}


def _ranked(
    at: Seen, played: Sequence[Played], season: StandingSettings
) -> tuple[tuple[str, tuple[StandingRow, ...]], ...]:
    """Return the rankings of the night as pairs (key, rows). The ranking by which prizes are paid comes first.

    The key is "people" or "partners".
    """
    name, tags = at.season.public_id, {key: who.public_id for key, who in at.people.items()}
    people = rank_night(played, season, name=name, tags=tags)
    if at.bracket is not None and played:
        groups = [[tuple(sorted(at.people[who].id for who in team)) for team in group] for group in at.bracket.placed]
        over = bool(at.bracket.champion) or (at.night.closed_at is not None and len(groups) > 1)
        key = "people" if at.plan.solo else "partners"
        return ((key, rank_bracket(played, season, groups, over=over)),)
    if at.plan.partners_stay:
        return ("partners", rank_night(played, season, name=name, tags=tags, teams=True)), ("people", people)
    return (("people", people),)


def _table(
    key: str,
    rows: Sequence[StandingRow],
    at: Seen,
    names: Mapping[int, str],
    played: Sequence[Played],
    season: StandingSettings,
    won: Sequence[int],
) -> ResultTable:
    """Return a ranking of the night. `won` are the cents of the prizes of each of the `rows`."""
    ties = ties_of(rows)
    numbers = {tie: number for number, tie in enumerate(ties, start=1)}
    shown, exported = columns_of(tonight(season), rows), columns_to_export(season)
    called = {row.unit: unit_name(row.unit, names) for row in rows}
    sentences = {tie: spoken(tie_line(tie, called)) for tie in ties}
    regulars = {game.person: game.sub_for for game in played if game.sub_for is not None}
    return ResultTable(
        key,
        tuple(_(column.short) for column in shown),
        tuple(
            ResultLine(
                rank=row.place,
                name=called[row.unit],
                people=tuple(_person(at, person, names, regulars) for person in row.unit),
                score=(spoken(score[0]), spoken(score[1])),
                said=score_words(row, season.order),
                cells=tuple(column.shown(row) for column in shown),
                values={column.name: column.value(row) for column in exported},
                tie=numbers[row.ties[0]] if row.ties else 0,
                mark=mark,
                reason=_reason(at, row, [sentences[tie] for tie in row.ties]),
                prize=amount_text(cents) if cents else "",
                cents=cents,
            )
            for row, mark, cents in zip(rows, tie_marks(rows), won, strict=True)
            for score in (score_parts(row, season.order),)
        ),
        tuple(sentences.values()),
    )


def _won(rows: Sequence[StandingRow], saved: Sequence[MoneyLine], *, by_place: bool) -> list[int]:
    """Return the cents of the prizes of each row. Each prize belongs to one row, even if its person is in several.

    With `by_place`, a prize belongs to a row in its place, because these rows decided the prizes.
    """
    left, won = list(saved), []
    for row in rows:
        own = [line for line in left if line.person in row.unit and (not by_place or line.place == row.place)]
        left = [line for line in left if line not in own]
        won.append(-sum(line.cents for line in own))
    return won


def _why(
    at: Seen,
    played: Sequence[Played],
    season: StandingSettings,
    saved: Sequence[MoneyLine],
    names: Mapping[int, str],
) -> dict[int, str]:
    """Return the reasons for the prizes, worded as on the receipt, by the number of the prize's place.

    Each value has all reasons for that place, as one string.
    """
    subs = {game.person: game.sub_for for game in played if game.sub_for is not None}
    if at.bracket is None:
        # Without the lots that order tied people on this page, so that the sentences name them as the receipt does.
        rows = rank_night(played, season, name=at.season.public_id, teams=at.plan.partners_stay)
        ranking = Ranking(places_of(rows), season, {row.unit: row for row in rows}, subs)
    else:
        ranking = ranking_by(at.bracket, season, subs)
    told = prize_reasons(ranking, {line.place for line in saved}, lambda person: isolated(names[person]))
    return {each.place: " ".join(map(spoken, each.why)) for each in told}


def _person(at: Seen, person: int, names: Mapping[int, str], regulars: Mapping[int, int]) -> ResultPerson:
    who, regular = at.people[person].public_id, regulars.get(person)
    page = PageLink("leagues.person", {"person_id": who, "season": at.season.public_id})
    return ResultPerson(who, names[person], "" if regular is None else names[regular], page)


def _reason(at: Seen, row: StandingRow, ties: Sequence[str]) -> str:
    if row.place is None:
        return _("Still in.") if at.bracket is not None else _("No finished game.")
    return " ".join(ties)


def columns_to_export(season: StandingSettings) -> tuple[Column, ...]:
    """Return the columns of the standings that make sense for a single night."""
    return tuple(column for column in COLUMNS if column.needs(tonight(season)) and column.name != SEASON_ONLY)


def _missing(at: Seen, done: NightDone) -> tuple[int, ...]:
    """Return the round number of each game without a score, lowest first.

    While the night is open, all seated games are included. Once it is closed, only games of rounds that had started are
    included.
    """
    scored = {table.id for table in done.tables}
    last = at.begun if at.night.closed_at is not None else at.last
    return tuple(sorted(table.round for table in at.tables if table.id not in scored and table.round <= last))


def _sets(at: Seen, done: NightDone) -> tuple[tuple[SetHand, ...], frozenset[int]]:
    """Return the hands of a closed night in which the bidder was set (failed to make the bid).

    Also return the row ids of all tables with hands. The function runs two queries.
    """
    connection = db.session().connection()
    of_night = (TableRow.night_id == at.night.id, HandRow.table_id == TableRow.id)
    tables = {table.id: table for table in done.tables}
    with_hands = frozenset(connection.scalars(select(HandRow.table_id).where(*of_night).distinct()))
    lost = select(HandRow.table_id, HandRow.number, HandRow.bidder, HandRow.bidding, HandRow.delta).where(
        *of_night, HandRow.made.is_(False), HandRow.bidder.is_not(None)
    )
    sets = (
        SetHand(
            tables[table].round,
            tables[table].number,
            hand,
            at.people[tables[table].people[bidder]].id,
            -min((delta[side] for side in bidding), default=0),
        )
        for table, hand, bidder, bidding, delta in connection.execute(lost)
        if bidder is not None
    )
    return tuple(sets), with_hands


REMEMBERED = 256
"""Number of nights whose winners each process keeps in memory."""


def latest_results(session: Session, leagues: Collection[int]) -> Mapping[int, LatestResults]:
    """Return the last closed night of each of these leagues, by the league's row id.

    Leagues without a closed night are left out.
    """
    if not leagues:
        return {}
    place = func.row_number().over(partition_by=SeasonRow.league_id, order_by=(NightRow.day.desc(), NightRow.id.desc()))
    nights = (
        select(SeasonRow.league_id, NightRow.public_id, NightRow.day, place.label("place"))
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id.in_(leagues), NightRow.number > 0, NightRow.closed_at.is_not(None))
        .subquery()
    )
    rows = session.execute(select(nights.c.league_id, nights.c.public_id, nights.c.day).where(nights.c.place == 1))
    return {
        league: LatestResults(PageLink("leagues.results", {"night_id": night}), day_text(day), winners_on(night))
        for league, night, day in rows.all()
    }


def latest_of(league_id: str) -> LatestResults | None:
    """Return the last closed night of a league; None if it has none. Raises `NoSuchLeagueError`."""
    league = league_at(db.session(), league_id).id
    return latest_results(db.session(), [league]).get(league)


def winners_on(night: str, style: str = "", named: Callable[[Seen], Seen] = lambda at: at) -> str:
    """Return the winners of a closed night as one line, such as "Winner: Ann"; empty if nobody is ranked.

    `named` is called with the snapshot of the night, and may return it with other names, such as initials. The line is
    cached under `style` until the night or a name changes. So each different function `named` needs a different
    `style`. Raises `NoSuchLeagueError`.
    """
    session, key = db.session(), (night, style, page_language())
    version = night_version(night)
    known = _won_latest.get(session, key)
    if known is None or known[0] != version:
        known = (version, results_of(named(seen(night))).about)
        _won_latest.keep(session, key, known)
    return known[1]


_won_latest: Recent[tuple[str, str, str], tuple[str, str]] = Recent(REMEMBERED)
