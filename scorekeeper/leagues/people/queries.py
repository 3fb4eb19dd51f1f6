"""View models of the pages about players of a league.

Read the pages about players: the list, the details of one, and the review of a merge.
"""

from types import SimpleNamespace

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import LeagueHead, head_of, league_at, owned, person_at
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.people.service import all_of
from scorekeeper.rules.record import tidy_name
from scorekeeper.web.extensions import db


class PersonLine(Struct, frozen=True):
    """A player in the list. `notes` is empty unless the viewer is an owner."""

    id: str
    name: str
    nickname: str
    active: bool
    guest: bool
    notes: str = ""


class PeoplePage(Struct, frozen=True):
    league: LeagueHead
    people: tuple[PersonLine, ...]
    """Active players, sorted by name. If `find` isn't empty, only players whose name or nickname contains it."""
    retired: tuple[PersonLine, ...]
    names: tuple[str, ...]
    """Names of all players, including retired ones, to suggest while the reader types in the search field."""
    find: str = ""
    notice: str = ""


class DetailsPage(Struct, frozen=True):
    """The page for changing the details of a player."""

    league: LeagueHead
    person: PersonLine


def people_page(league_id: str, device: str | None, *, find: str = "", notice: str = "") -> PeoplePage:
    """Return the page with a league's players, sorted by name. Only names and nicknames that contain `find` are shown.

    Raises `NoSuchLeagueError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    head = head_of(league, device)
    everybody = [_line(row, notes=head.owns) for row in people_of(session, league)]
    wanted = find.strip().casefold()
    shown = [line for line in everybody if wanted in f"{line.name} {line.nickname}".casefold()]
    return PeoplePage(
        head,
        tuple(line for line in shown if line.active),
        tuple(line for line in shown if not line.active),
        tuple(line.name for line in everybody),
        find.strip(),
        notice,
    )


def people_of(session: Session, league: LeagueRow) -> list[PersonRow]:
    """Return the people of a league, sorted by name, without people who were merged into others."""
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    return sorted(session.scalars(query), key=lambda row: (row.name.casefold(), row.id))


def details_page(person_id: str, device: str | None) -> DetailsPage:
    """Return the page for changing the details of a player.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    row = person_at(session, person_id)
    return DetailsPage(owned(session, row.league_id, device), _line(row, notes=True))


def merge_page(person_id: str, device: str | None, typed: str = "", *, error: str = "") -> SimpleNamespace:
    """Return the page for merging a player into another one.

    If `typed` is the name of another player, the page lists the effects of the merge. `error` is a message to show, or
    empty. Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    row = person_at(session, person_id)
    head = owned(session, row.league_id, device)
    league = session.get_one(LeagueRow, row.league_id)
    others = [other for other in people_of(session, league) if other.id != row.id]
    wanted = tidy_name(typed).casefold()
    into = next((other for other in others if other.name.casefold() == wanted), None)
    if wanted and into is None and not error:
        error = _("There's no other player named %(name)s in this league.", name=isolated(typed.strip()))
    return SimpleNamespace(
        league=head,
        person=_line(row, notes=False),
        names=tuple(other.name for other in others),
        typed=typed.strip(),
        into=None if into is None else _line(into, notes=False),
        effects=() if into is None else _effects(session, row, into),
        error=error,
    )


def _effects(session: Session, gone: PersonRow, kept: PersonRow) -> tuple[str, ...]:
    """Return the effects of merging `gone` into `kept`, one sentence each."""
    query = (
        select(SeasonRow.name, func.count())
        .join(NightRow, NightRow.season_id == SeasonRow.id)
        .join(TableRow, TableRow.night_id == NightRow.id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(SeatRow.person_id.in_(all_of(session, gone)), TableRow.game_id.is_not(None))
        .group_by(SeasonRow.id, SeasonRow.name)
        .order_by(SeasonRow.id)
    )
    games = [
        ngettext(
            "%(season)s: %(num)s game played by %(gone)s will count for %(kept)s.",
            "%(season)s: %(num)s games played by %(gone)s will count for %(kept)s.",
            count,
            season=isolated(season),
            gone=isolated(gone.name),
            kept=isolated(kept.name),
        )
        for season, count in session.execute(query)
    ]
    return (
        *(games or [_("%(gone)s hasn't played any games.", gone=isolated(gone.name))]),
        *((_("The standings of these seasons will be updated."),) if games else ()),
        _("The name %(gone)s will no longer be suggested. Old score sheets keep it.", gone=isolated(gone.name)),
        _("You can't undo this."),
    )


def _line(row: PersonRow, *, notes: bool) -> PersonLine:
    return PersonLine(row.public_id, row.name, row.nickname, row.active, row.guest, row.notes if notes else "")
