"""What a new season begins with: as the last one of the league was."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.header import LeagueHead, owned
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.money.forms import fields_of
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.seasons.forms import SeasonForm
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db


def season_before(league_id: str, device: str | None) -> tuple[LeagueHead, SeasonForm]:
    """Return a league and the form of a new season as its last one was; raises as `owned` does."""
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    query = select(SeasonRow).where(SeasonRow.league_id == league.id).order_by(SeasonRow.id.desc()).limit(1)
    last = session.scalars(query).first()
    if last is None:
        return head, SeasonForm()
    money = fields_of(MoneySettings.from_json(last.money))
    return head, SeasonForm("", PRESETS[last.preset], last.options, last.counting, last.plan, money)
