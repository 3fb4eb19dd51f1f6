"""Check final scores before they are saved, whether they were entered on a phone, on the desk page or by an import."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from scorekeeper.games.logic.final_scores import judged
from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.nights.table_disputes import game_deleted
from scorekeeper.leagues.nights.tables import table_set
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.table import Table
from scorekeeper.web.extensions import db


def judge(night: str, table: int, totals: Sequence[int], ending: str = "") -> EnterResult:
    """Return the result of the game at a table (its id) of a night, with the final scores `totals` by side.

    If the scores alone don't show how the game ended, the user must be asked. `ending` is then the user's answer
    (`Answer.value`). Raises what `judged` raises, and `NoSuchLeagueError` if the night has no such table.
    """
    session = db.session()
    row = night_at(session, night)
    at = session.get(TableRow, table)
    if at is None or at.night_id != row.id:
        raise NoSuchLeagueError
    one_more = NightPlan.from_json(row.plan).options.get("one_more")
    ties = None if one_more is None else not one_more
    return judged(*_table_to_judge(session, row, at), totals, ending, ties=ties)


def _table_to_judge(session: Session, night: NightRow, at: TableRow) -> tuple[Table, bool]:
    """Return the `Table` that the rules use for a table of a night, and whether a bell ends the table's games."""
    bell = FORMATS[NightPlan.from_json(night.plan).format].bell != "none"
    if at.game_id is not None:
        found = find(session, session.get_one(GameRow, at.game_id).public_id)
        if found is None:
            raise game_deleted()
        return load(session, found).game.table, bell
    return table_set(session, session.get_one(SeasonRow, night.season_id), night, at)[1], bell
