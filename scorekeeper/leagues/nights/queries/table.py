"""Read the pages of a table: its card and its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.event_store import find
from scorekeeper.games.store.hooks import Bell, LeagueTable, table_finder
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at, role_of
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights.card_tokens import on_card, opens
from scorekeeper.leagues.nights.pages import CardPage, NightTablePage
from scorekeeper.leagues.nights.queries.night import clock_of, sets_label, table_view, versions_of
from scorekeeper.leagues.nights.table_disputes import KEEP, TAKE, scorer_of, side_of
from scorekeeper.leagues.results.team_nights import team_night_of
from scorekeeper.leagues.standings.night_snapshot import names_on, seen
from scorekeeper.leagues.standings.table_results import TableState, last_begun, last_hand
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink


def card_page(
    night: str, number: int, word: str, *, key: str, address: str, device: str | None = None
) -> CardPage | None:
    """Return the page of a table card; None if `word`, the token in its address, is not valid.

    `number` is the number of the table, and `key` is the installation's secret key. The forms on the page are posted to
    `address`. Raises `NoSuchLeagueError` for an unknown night.
    """
    if not opens(word, night_at(db.session(), night), number, key):
        return None
    at = seen(night)
    # The game to play comes first, then the one to confirm.
    tables = sorted(on_card(at.tables, number, at.begun), key=lambda table: table.done)
    names = names_on(at)
    matches = team_night_of(at).matches
    views = tuple(table_view(table, names, device, matches) for table in tables)
    done = next((table for table in tables if table.done), None)
    return CardPage(
        night_id=night,
        title=_("Table %(number)s", number=number),
        tables=views,
        address=address,
        client_id=new_tap_id(),
        own_side=None if done is None else _own_side(done.game, device)[1],
        sets_label=sets_label(at.season),
    )


def table_page(night: str, table: int, device: str | None) -> NightTablePage:
    """Return the page of a table (its id). Raises `NoSuchLeagueError`."""
    at = seen(night)
    state = next((each for each in at.tables if each.id == table), None)
    if state is None:
        raise NoSuchLeagueError
    session = db.session()
    game = find(session, state.game) if state.game else None
    scores = game is not None and standing_of(session, game, device) >= AccessLevel.SCORES
    closed = at.night.closed_at is not None
    helps = role_of(at.league, device) >= Role.HELPER
    at_table, own_side = _own_side(state.game, device)
    works = (scores or helps) and bool(state.game) and not closed
    fixed = state.fixed
    view = table_view(state, names_on(at), device, team_night_of(at).matches)
    return NightTablePage(
        night_id=night,
        night=_("%(league)s, night %(number)s", league=at.league.name, number=at.night.number),
        title=_("Round %(round)s, table %(table)s", round=state.round, table=state.number),
        table=view,
        may_score=scores,
        may_start=not state.game and not closed and helps,
        may_confirm=works and state.done,
        closed=closed,
        client_id=new_tap_id(),
        own_side=own_side,
        at_table=at_table,
        may_enter=scores and not state.hands and not closed and not fixed,
        may_object=works and state.done and state.dispute is None and (helps or state.round >= at.begun),
        helps=helps,
        ways=_ways(state, [side.name for side in view.sides], device, own_side, helps=helps) if works else (),
        sets_label=sets_label(at.season),
        may_reopen=works and helps and (fixed or state.by_bell) and not state.final and not state.reopened,
    )


def _own_side(game: str, device: str | None) -> tuple[bool, int | None]:
    """Return whether the phone `device` scores a game, and the side of the game that the phone belongs to.

    The side is None if it is unknown.
    """
    if not game or device is None:
        return False, None
    session = db.session()
    row = session.scalars(select(GameRow).where(GameRow.public_id == game)).one()
    scorer = scorer_of(session, row.id, device)
    return scorer is not None, side_of(scorer, row)


def _ways(
    table: TableState, sides: Sequence[str], device: str | None, side: int | None, *, helps: bool
) -> tuple[tuple[str, str], ...]:
    """Return the choices by which this device can settle a dispute, as pairs of posted value and button label.

    A phone can only accept the other phone's score. A director or helper (`helps` is true) can choose either score.
    `sides` are the names of the sides, and `side` is the phone's own side, or None if unknown. Return () if there is no
    dispute.
    """
    dispute = table.dispute
    if dispute is None:
        return ()
    own = dispute.device == device or (dispute.side is not None and dispute.side == side)
    ways = []
    # Without another score, the phone only says that this one is wrong.
    first, second = versions_of(table, dispute, dispute.points or table.points, sides)
    if own or helps:
        ways.append((KEEP, _("Keep %(score)s", score=first)))
    if dispute.points is not None and (helps or not own):
        ways.append((TAKE, _("Change to %(score)s", score=second)))
    return tuple(ways)


@table_finder
def find_table(session: Session, game: int) -> LeagueTable | None:
    """Return the league table at which the game with the row id `game` is played, or None if it is no league game."""
    query = select(NightRow, TableRow.id, TableRow.round).join(TableRow, TableRow.night_id == NightRow.id)
    row = session.execute(query.where(TableRow.game_id == game)).first()
    if row is None:
        return None
    night, table, number = row
    return LeagueTable(
        result=PageLink("leagues.table", {"night_id": night.public_id, "table": table}),
        night=PageLink("leagues.night", {"night_id": night.public_id}),
        results=PageLink("leagues.results", {"night_id": night.public_id}),
        closed=night.closed_at is not None,
        **_of_round(session, night, table, number, game),
    )


def _of_round(session: Session, night: NightRow, table: int, number: int, game: int) -> dict[str, Any]:
    """Return the bell or the clock of a table (its id) in round `number`, by name of the field of `LeagueTable`.

    `game` is the row id of its game.
    """
    running = night.bell_at is not None or night.clock_at is not None
    if not running or number != last_begun(session, night):
        return {}
    if night.bell_at is not None:
        return {"bell": _bell(session, night, table, game)}
    return {"clock": clock_of(session.get_one(SeasonRow, night.season_id), night)}


def _bell(session: Session, night: NightRow, table: int, game: int) -> Bell | None:
    """Return what the game (row id) of a table (its id) has to do after the bell; None if nothing."""
    left = last_hand(session, night, session.get_one(GameRow, game).public_id)
    if not left:
        return None
    end = PageLink("leagues.end_game", {"night_id": night.public_id, "table": table})
    if left == "tied":
        return Bell(_("The bell has rung, and it's tied. Play one more hand."), None, "")
    if left == "played":
        return Bell(_("The bell has rung. Correct the last hand, or end the game."), end, _("End game"))
    return Bell(_("The bell has rung. Finish this hand: it's the last one."), end, _("No hand in progress"))
