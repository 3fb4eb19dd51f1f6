"""Say in sentences who has qualified for the playoffs, who is out, and what the others need.

Find tables where only the final score was entered, not how often each side was set (failed to make its bid).

Read the standings of a season, for its page and for exports.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from msgspec import Struct
from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import house_rules, rules_line
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, head_of, season_at, season_cards
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.columns import columns_of
from scorekeeper.leagues.standings.night_snapshot import Seen, bracket_on, champion_line, seen
from scorekeeper.leagues.standings.pages import (
    BracketRound,
    Division,
    NamedLink,
    NightLink,
    RacePart,
    SeasonPage,
    StandingLine,
    StandingTable,
)
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.race import Left, Outlook, race
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.standings.table import tie_marks, ties_of
from scorekeeper.leagues.standings.wording import chat_lines, tie_line, whole
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text


def race_part(season: SeasonRow, standings: SeasonStandings) -> RacePart | None:
    """Return the section about the playoff race for the season page, or None if the season has no playoffs."""
    settings = PlayoffSettings.from_json(season.playoffs or {})
    if not settings.held:
        return None
    plan = NightPlan.from_json(season.plan)
    if plan.format in (KNOCKOUT.key, TEAM_MATCH.key):
        # A knockout has no fixed number of rounds; the race of teams follows their matches.
        return RacePart((), "")
    if any(night.playoff for night in standings.nights.values()):
        return RacePart((), "")
    rows = standings.teams or standings.people
    left = left_of(standings, settings, plan, with_options(PRESETS[season.preset], season.options))
    told = race(rows, standings.settings, settings.qualify, left) if rows else ()
    order = standings.settings.order
    lines = tuple(filter(None, (_line(one, standings.roster.names(one.unit), order) for one in told)))
    return RacePart(lines, _assumed(left, order) if lines and not left.over else "")


def left_of(standings: SeasonStandings, settings: PlayoffSettings, plan: NightPlan, rules: Ruleset) -> Left:
    """Return how many nights and rounds are left before the playoffs, and the range of points that a game can score.

    `plan` is the usual format of the season's nights. `rules` are the rules of the season's game.
    """
    nights = [night for night in standings.nights.values() if not night.playoff]
    now = next((night for night in nights if not night.closed), None)
    most = sum(category.value for category in rules.points_of("pitch")) or max(total for _, total in rules.hand_totals)
    return Left(
        nights=max(settings.nights - len(nights), 0),
        rounds=plan.rounds,
        now=0 if now is None else now.number,
        now_rounds=0 if now is None else now.rounds,
        low=-rules.target,
        high=rules.target + most,
        so_far=len(nights),
    )


def _assumed(left: Left, order: str) -> str:
    told = _("Missed nights and newcomers are taken into account. Ties are left open.")
    if order == "wins":
        return told
    return f"{told} " + _(
        "This assumes that each game scores from %(low)s to %(high)s points.", low=whole(left.low), high=left.high
    )


def _line(told: Outlook, name: str, order: str) -> str:
    if told.state == "through":
        return _("%(name)s: qualified", name=name)
    if told.state == "out":
        return _("%(name)s: out", name=name)
    if told.sure is None and told.least is None:
        return ""
    return needs_words(name, "wins" if order == "wins" else "points", told.games, told.sure, told.least)


def needs_words(name: str, what: str, games: int, sure: int | None, least: int | None) -> str:
    """Return a sentence about what a player or team still needs.

    `what` says what they need: "wins" (games won), "points" (points in games), or "match" (points from team matches).
    `games` is the number of remaining games or matches. `sure` and `least` are as in `race.Outlook`.
    """
    number = sure if sure is not None else least or 0
    from_games = (
        ngettext("%(num)s match", "%(num)s matches", games)
        if what == "match"
        else ngettext("%(num)s game", "%(num)s games", games)
    )
    amount = (
        ngettext("%(num)s win", "%(num)s wins", number)
        if what == "wins"
        else ngettext("%(number)s point", "%(number)s points", abs(number), number=whole(number))
    )
    told = {"name": name, "amount": amount, "games": from_games}
    if sure is None:
        return _("%(name)s: at least %(amount)s needed from %(games)s, and help from others", **told)
    if least is None:
        return _("%(name)s: %(amount)s needed from %(games)s", **told)
    return _("%(name)s: %(amount)s needed from %(games)s; %(least)s may be enough", least=whole(least), **told)


def asks_for_sets(season: SeasonRow) -> bool:
    """Return whether the season needs to know how often each side was set in each game.

    The season needs these numbers if each set costs money, or if "fewest sets" is one of its tie-breakers.
    """
    return sets_cost(season) or "fewest_sets" in StandingSettings.from_json(season.counting).ties


def sets_cost(season: SeasonRow) -> bool:
    """Return whether players pay for each set in this season. A side is set if it fails to make its bid."""
    return bool(season.money.get("per_set"))


def tables_without_sets(session: Session, which: ColumnElement[bool]) -> int:
    """Return at how many tables only the final score was entered, not the number of sets of each side.

    `which` is an SQL condition that selects the nights. Takes one query.
    """
    counts = or_(TableRow.hands.is_not(None), NightRow.closed_at.is_(None))
    query = (
        select(func.count())
        .select_from(TableRow)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(GameRow, GameRow.id == TableRow.game_id)
        .where(which, NightRow.number > 0, counts, GameRow.ended_by.startswith("final"), TableRow.paper_sets.is_(None))
    )
    return session.scalar(query) or 0


def sets_missing(session: Session, season: SeasonRow, which: ColumnElement[bool]) -> str:
    """Return a sentence that says for how many tables the number of sets wasn't entered.

    `which` is an SQL condition that selects the nights to check. Return an empty string if no numbers are missing, or
    if the season doesn't need these numbers.
    """
    missing = tables_without_sets(session, which) if asks_for_sets(season) else 0
    if not missing:
        return ""
    return ngettext(
        "One table has no sets entered, so the set totals are incomplete.",
        "%(num)s tables have no sets entered, so the set totals are incomplete.",
        missing,
    )


def season_page(season_id: str, device: str | None, *, error: str = "", twice: date | None = None) -> SeasonPage:
    """Return the page of a season. Raises `NoSuchLeagueError`.

    `error` is a message to show, or empty. If somebody tried to open a night on a date that already has one, `twice` is
    that date. The page then offers to open a second night on that date.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    standings = season_standings(session, season)
    tables = [table_of("people", standings.people, standings, season)]
    if standings.teams:
        tables.insert(0, table_of("partners", standings.teams, standings, season))
    return SeasonPage(
        league=head_of(league, device),
        id=season.public_id,
        name=season.name,
        closed=season.closed_at is not None,
        rules=rules_words(season),
        counting=(
            *standings.settings.in_words(),
            *PlayoffSettings.from_json(season.playoffs or {}).in_words(teams=_is_of_teams(season)),
            *_imported(standings),
        ),
        tables=tuple(tables),
        nights=tuple(
            NightLink(night.public_id, night.number, day_text(night.day), night.closed)
            for night in reversed(tuple(standings.nights.values()))
        ),
        text=chat_text(session, season, standings),
        after=after_words(standings),
        others=tuple(card for card in season_cards(session, league.id) if card.id != season.public_id),
        # Of the clock on the wall: in the evening it is tomorrow already by UTC in half of the world.
        today=twice or datetime.now(UTC).astimezone().date(),
        sets_missing=sets_missing(session, season, NightRow.season_id == season.id),
        twice=twice is not None,
        race=race_part(season, standings),
        champion=champion_of(session, season, standings),
        teams=divisions_of(session, season),
        bracket=playoff_bracket(session, season, standings),
        has_teams=_is_of_teams(season),
        error=error,
    )


def _imported(standings: SeasonStandings) -> tuple[str, ...]:
    """Return a tuple with a short note on how imported nights count.

    Return () if the season has no imported games, or if it is known who won each of them.
    """
    if not any(row.sums.unknown for row in standings.people):
        return ()
    return (
        _(
            "Some nights were imported as totals. Their points count, but the opponents, sets and wins may be "
            "missing. Without a number of games, such a night counts as one game."
        ),
    )


def chat_text(session: Session, season: SeasonRow, standings: SeasonStandings) -> str:
    """Return the standings as a text message, or an empty string before the first game.

    If the season has fixed partners, the message ranks the partners. Otherwise, it ranks people.
    """
    rows = standings.teams or standings.people
    if not rows:
        return ""
    league = session.get_one(LeagueRow, season.league_id)
    head = f"{league.name}, {season.name}. {after_words(standings)}"
    lines = [spoken(line) for line in chat_lines(rows, _names(standings, rows), standings.settings.order)]
    won, teams = champion_of(session, season, standings), team_lines(divisions_of(session, season))
    return "\n".join((head, *((won,) if won else ()), *teams, *((_("Players"),) if teams else ()), *lines))


def team_lines(told: Sequence[Division]) -> list[str]:
    """Return the standings of teams for a chat message: a line for each team, below the name of its division."""
    lines = []
    for division in told:
        lines += [isolated(division.name)] if division.name else []
        for line in division.lines:
            points, _matches, record, _difference = line.cells
            shown = _("%(name)s %(points)s points, %(record)s", name=isolated(line.name), points=points, record=record)
            lines.append(f"{line.place}. {shown}" if line.place else f"– {shown}")
    return lines


class TeamReader(Struct, frozen=True):
    """What the package `teams` reads of a season of fixed teams, for pages of packages that can't import it.

    `champion` returns a line that names the team that won the playoffs, or "". `divisions` returns the standings of the
    teams, or () before the matches are made. `bracket` returns the picture of the playoffs, or () before they start.
    """

    champion: Callable[[Session, SeasonRow], str]
    divisions: Callable[[Session, SeasonRow], tuple[Division, ...]]
    bracket: Callable[[Session, SeasonRow], tuple[BracketRound, ...]]


_readers: list[TeamReader] = []


def read_teams_with(reader: TeamReader) -> None:
    """Register what reads the seasons of fixed teams."""
    _readers.append(reader)


def _is_of_teams(season: SeasonRow) -> bool:
    return season.plan.get("format") == TEAM_MATCH.key


def divisions_of(session: Session, season: SeasonRow) -> tuple[Division, ...]:
    """Return the standings of a season's teams by division; () before its matches are made, or if it has no teams."""
    return next((reader.divisions(session, season) for reader in _readers if _is_of_teams(season)), ())


def champion_of(session: Session, season: SeasonRow, standings: SeasonStandings) -> str:
    """Return a line that names who won a season, such as "Champions: Ann and Bob"; "" if nobody has.

    There are champions only after playoffs, or if the last night of a closed season was a knockout and has been
    decided. The names are those of `standings`, which can be public names.
    """
    if _is_of_teams(season):
        return next((reader.champion(session, season) for reader in _readers), "")
    at = decider_of(standings)
    if at is None or not (at.night.playoff or season.closed_at):
        return ""
    return champion_line(at, _called(standings))


def playoff_bracket(session: Session, season: SeasonRow, standings: SeasonStandings) -> tuple[BracketRound, ...]:
    """Return the picture of a season's playoffs, with the names of `standings`; () before they start."""
    if _is_of_teams(season):
        return next((reader.bracket(session, season) for reader in _readers), ())
    if not any(night.playoff for night in standings.nights.values()):
        return ()
    at = decider_of(standings)
    return () if at is None else bracket_on(at, _called(standings))


def _called(standings: SeasonStandings) -> Mapping[int, str]:
    return {person: standings.roster.called(person) for person in standings.roster.people}


def decider_of(standings: SeasonStandings) -> Seen | None:
    """Return the knockout that decides who won a season: its playoffs, or else its last night; None without one."""
    playoffs = [night for night in standings.nights.values() if night.playoff]
    last = playoffs[-1] if playoffs else None if standings.last is None else standings.nights[standings.last]
    return None if last is None or last.format != KNOCKOUT.key else seen(last.public_id)


def person_link(standings: SeasonStandings, season: SeasonRow, person: int) -> NamedLink:
    """Return a person's name with a link to their page for this season."""
    return NamedLink(standings.roster.people[person].name, page_of_person(standings, season, person))


def page_of_person(standings: SeasonStandings, season: SeasonRow, person: int, **more: str | int) -> PageLink:
    """Return the link to a person's page for this season. `more` has further URL arguments."""
    values = {"person_id": standings.roster.people[person].public_id, "season": season.public_id}
    return PageLink("leagues.person", values | more)


def rules_words(season: SeasonRow) -> str:
    """Return a text with the name of the season's game, its house rules, and how its nights are usually played."""
    plan = NightPlan.from_json(season.plan)
    form = FORMATS[plan.format]
    preset = PRESETS[season.preset]
    rules = with_options(preset, season.options)
    goal = rules_line(with_options(preset, season.options | plan.ending(table=0)))
    usual = _("Usual night: %(format)s.", format=_(form.name))
    if not form.teams:  # their number of rounds depends on who comes
        usual = ngettext(
            "Usual night: %(format)s, %(num)s round.",
            "Usual night: %(format)s, %(num)s rounds.",
            plan.rounds,
            format=_(form.name),
        )
    return " ".join((f"{spoken(rules.name)}.", f"{goal}.", *house_rules(rules), usual, _(form.line)))


def table_of(key: str, rows: Sequence[StandingRow], standings: SeasonStandings, season: SeasonRow) -> StandingTable:
    """Return the standings for a page, with the rows in the given order. `key` is "people" or "partners"."""
    ties, columns = ties_of(rows), columns_of(standings.settings, rows)
    numbers = {tie: number for number, tie in enumerate(ties, start=1)}
    lines = [
        StandingLine(
            place="" if row.place is None else str(row.place),
            people=tuple(person_link(standings, season, who) for who in row.unit),
            games_page=page_of_person(standings, season, row.person, _anchor="games"),
            cells=tuple(column.shown(row) for column in columns),
            tie=numbers[row.ties[0]] if row.ties else 0,
            mark=mark,
        )
        for row, mark in zip(rows, tie_marks(rows), strict=True)
    ]
    names = _names(standings, rows)
    return StandingTable(
        key,
        tuple(_(column.short) for column in columns),
        tuple(line for line in lines if line.place),
        tuple(line for line in lines if not line.place),
        tuple(spoken(tie_line(tie, names)) for tie in ties),
        tuple(tie.drawn_at for tie in ties),
    )


def _names(standings: SeasonStandings, rows: Sequence[StandingRow]) -> Mapping[Unit, str]:
    return {row.unit: standings.roster.names(row.unit) for row in rows}


def after_words(standings: SeasonStandings) -> str:
    """Return a sentence about the last night in the standings, such as "After night 3, September 15, 2026.".

    If that night is still open, the sentence says so. Before the first game, the sentence is "No games yet.".
    """
    if standings.last is None:
        return _("No games yet.")
    last = standings.nights[standings.last]
    day = day_text(last.day)
    if not last.closed:
        return _(
            "Standings so far: night %(number)s, %(day)s, is still open.", number=last.number, day=day_text(last.day)
        )
    return _("After night %(number)s, %(day)s.", number=last.number, day=day)


def rows_to_export(season_id: str, who: str) -> tuple[Sequence[StandingRow], Mapping[Unit, str], str]:
    """Return the rows of the standings, a plain-text name for each unit, and a title.

    `who` is "people" or "partners". Raises `NoSuchLeagueError` if the season doesn't exist or has no standings of that
    kind.
    """
    session = db.session()
    season = season_at(session, season_id)
    standings = season_standings(session, season)
    if who != "people" and (who != "partners" or not standings.teams):
        raise NoSuchLeagueError
    rows = standings.teams if who == "partners" else standings.people
    names = {row.unit: join_names([standings.roster.people[person].name for person in row.unit]) for row in rows}
    league = session.get_one(LeagueRow, season.league_id)
    return rows, names, f"{league.name}, {season.name}"
