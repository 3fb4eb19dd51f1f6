"""The standings of a season, as its page shows them and as they are handed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.header import head_of, season_cards
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.standings.columns import columns_of
from scorekeeper.leagues.standings.night_snapshot import champion_of, names_on, seen
from scorekeeper.leagues.standings.pages import NamedLink, NightLink, SeasonPage, StandingLine, StandingTable
from scorekeeper.leagues.standings.person_game import Unit
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.standings_cache import Reckoned, reckon
from scorekeeper.leagues.standings.table import ties_of
from scorekeeper.leagues.standings.wording import chat_lines, tie_line
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text


def season_page(season_id: str, device: str | None, *, error: str = "", twice: date | None = None) -> SeasonPage:
    """Return the standings of a season with all that hangs on them; raises `NoSuchLeagueError`.

    `twice` is the date of a night for which somebody asked although there is one on that day.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    told = reckon(session, season)
    tables = [_table("people", told.people, told, season)]
    if told.teams:
        tables.insert(0, _table("partners", told.teams, told, season))
    return SeasonPage(
        league=head_of(league, device),
        id=season.public_id,
        name=season.name,
        closed=season.closed_at is not None,
        rules=rules_words(season),
        counting=told.settings.in_words(),
        tables=tuple(tables),
        nights=tuple(
            NightLink(night.public_id, night.number, day_text(night.day), night.closed)
            for night in reversed(tuple(told.nights.values()))
        ),
        text=chat_text(session, season, told),
        after=_after(told),
        others=tuple(card for card in season_cards(session, league.id) if card.id != season.public_id),
        # Of the clock on the wall: in the evening it is tomorrow already by UTC in half of the world.
        today=twice or datetime.now(UTC).astimezone().date(),
        twice=twice is not None,
        error=error,
    )


def chat_text(session: Session, season: SeasonRow, told: Reckoned) -> str:
    """Return the standings as lines for a group chat, those of fixed partners where a season has them; or nothing."""
    rows = told.teams or told.people
    if not rows:
        return ""
    league = session.get_one(LeagueRow, season.league_id)
    head = f"{league.name}, {season.name}. {_after(told)}"
    lines = [spoken(line) for line in chat_lines(rows, _names(told, rows), told.settings.order)]
    return "\n".join((head, *_champions(told), *lines))


def _champions(told: Reckoned) -> tuple[str, ...]:
    """Who won the last night, if it was a knock-out."""
    last = None if told.last is None else told.nights[told.last]
    if last is None or last.format != KNOCKOUT.key:
        return ()
    at = seen(last.public_id)
    won = champion_of(at, names_on(at))
    return (_("Champions: %(names)s", names=won),) if won else ()


def person_link(told: Reckoned, season: SeasonRow, person: int) -> NamedLink:
    """Return somebody's name, and where their page shows that season."""
    return NamedLink(told.book.people[person].name, page_of_person(told, season, person))


def page_of_person(told: Reckoned, season: SeasonRow, person: int, **more: str | int) -> PageLink:
    """Return where somebody's page shows that season; `more` values say what of it."""
    values = {"person_id": told.book.people[person].public_id, "season": season.public_id}
    return PageLink("leagues.person", values | more)


def rules_words(season: SeasonRow) -> str:
    """Return the game of a season and what differs from it, in sentences."""
    rules = with_options(PRESETS[season.preset], season.options)
    return " ".join((f"{spoken(rules.name)}.", *house_rules(rules)))


def _table(key: str, rows: Sequence[StandingRow], told: Reckoned, season: SeasonRow) -> StandingTable:
    ties, columns = ties_of(rows), columns_of(told.settings)
    numbers = {tie: number for number, tie in enumerate(ties, start=1)}
    lines = [
        StandingLine(
            place="" if row.place is None else str(row.place),
            people=tuple(person_link(told, season, who) for who in row.unit),
            games_page=page_of_person(told, season, row.person, _anchor="games"),
            cells=tuple(column.shown(row) for column in columns),
            tie=numbers[row.ties[0]] if row.ties else 0,
        )
        for row in rows
    ]
    names = _names(told, rows)
    return StandingTable(
        key,
        tuple(_(column.short) for column in columns),
        tuple(line for line in lines if line.place),
        tuple(line for line in lines if not line.place),
        tuple(spoken(tie_line(tie, names)) for tie in ties),
    )


def _names(told: Reckoned, rows: Sequence[StandingRow]) -> Mapping[Unit, str]:
    return {row.unit: told.book.names(row.unit) for row in rows}


def _after(told: Reckoned) -> str:
    if told.last is None:
        return _("No games yet.")
    last = told.nights[told.last]
    return _("After night %(number)s, %(day)s.", number=last.number, day=day_text(last.day))


def rows_to_hand_on(season_id: str, who: str) -> tuple[Sequence[StandingRow], Mapping[Unit, str], str]:
    """Return the standings of "people" or "partners", a plain name for each unit, and a title.

    Raises `NoSuchLeagueError` for a season or standings that are not there.
    """
    session = db.session()
    season = season_at(session, season_id)
    told = reckon(session, season)
    if who != "people" and (who != "partners" or not told.teams):
        raise NoSuchLeagueError
    rows = told.teams if who == "partners" else told.people
    names = {row.unit: join_names([told.book.people[person].name for person in row.unit]) for row in rows}
    league = session.get_one(LeagueRow, season.league_id)
    return rows, names, f"{league.name}, {season.name}"
