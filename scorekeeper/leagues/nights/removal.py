"""Take the game or the final score of a table away, and bring a removed game back. Each use case is one transaction."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.services.deletion import restore_row
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.nights.table_disputes import clear_confirmations, note_at, table_row
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.table_results import last_begun, tables_of
from scorekeeper.rules.phrase import Phrase, RuleViolation

REMOVED = "game_removed"
"""Kind of the log entry about a removed game with hands."""


@use_case
def remove_result(
    *, night: str, table: int, device: str, reason: str, hands: bool = False, now: datetime | None = None
) -> None:
    """Remove the final score of a table (its id), which then waits for its game again. A repeated request does nothing.

    With `hands`, remove a game that was started or scored hand by hand, for example by the players of another table;
    `bring_back` undoes that.

    Directors and helpers may do this. Raises what `at_desk` raises. Raises `RuleViolation` without a reason, for a game
    with hands unless `hands` is true, or if the next round was seated by this result.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        at = table_row(desk, table)
        standing = next(each for each in tables_of(desk.session, desk.night) if each.id == table)
        if at.game_id is None:
            return
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the correction.", field="reason")
        if not standing.final and not hands:
            raise RuleViolation("points_changed", "The score just changed. Check it again.")
        if standing.built_on and not FORMATS[NightPlan.from_json(desk.night.plan).format].ahead:
            message = Phrase("The next round was seated by this result. Correct the score instead.")
            raise RuleViolation("built_on", message)
        game, begun = desk.session.get_one(GameRow, at.game_id), last_begun(desk.session, desk.night)
        at.forfeit = at.paper_sets = at.reopened = None
        take_away(desk, at, game)
        desk.session.flush()
        if last_begun(desk.session, desk.night) < begun:
            desk.night.bell_at = desk.night.clock_at = None
        kind = "result_removed" if standing.final else REMOVED
        note_at(desk, at, game, kind, reason=reason, before=list(game.totals))


@use_case
def bring_back(*, night: str, table: int, device: str, now: datetime | None = None) -> None:
    """Bring back the game with hands that was last removed from a table (its id).

    Directors and helpers may do this. Raises what `at_desk` raises, and `RuleViolation` if the table has another game
    by now, or if no game of the people who sit there was removed.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        at = table_row(desk, table)
        standing = next(each for each in tables_of(desk.session, desk.night) if each.id == table)
        game = removed_game(desk.session, desk.night, standing.round, standing.number, standing.seats)
        if at.game_id is not None or game is None:
            raise RuleViolation("no_removed_game", "There is no removed game to bring back to this table.")
        restore_row(desk.session, game, desk.device, desk.now)
        at.game_id = game.id
        note_at(desk, at, game, "game_brought_back", after=list(game.totals))


def removed_game(session: Session, night: NightRow, number: int, table: int, people: Sequence[int]) -> GameRow | None:
    """Return the game that was last removed from a table, by round and table number; None without one.

    It is also None if the `people` (ids, in seat order) who sit there now aren't those who played it.
    """
    lines = select(LeagueEventRow.data).where(LeagueEventRow.night_id == night.id, LeagueEventRow.kind == REMOVED)
    for data in session.scalars(lines.order_by(LeagueEventRow.id.desc())):
        if (data["round"], data["table"]) == (number, table):
            game = session.scalars(select(GameRow).where(GameRow.public_id == data["game"])).first()
            if game is None or game.deleted_at is None:
                return None
            query = select(PlayerRow.id, PlayerRow.person_id).where(PlayerRow.id.in_(game.players))
            who = dict(session.execute(query).all())
            return game if [who[player] for player in game.players] == list(people) else None
    return None


def take_away(desk: Desk, at: TableRow, game: GameRow) -> None:
    """Delete the game of a table, which then waits for another one, in the caller's transaction."""
    clear_confirmations(at)
    at.game_id = None
    game.deleted_at = desk.now
    note(desk.session, game.id, "deleted", device=desk.device, now=desk.now)
