"""A league that came from elsewhere, or whose director has another computer now, gets the device that directs it.

Who has the terminal of the score book gives out an address with a word, as on the card of a table (`cards`): made from
the installation's key, the league and who directs it now. So it opens once: then somebody else directs.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.extensions import writing
from scorekeeper.games.models import GameRow
from scorekeeper.leagues.access import NoSuchLeagueError, NotDirectorError, league_at
from scorekeeper.leagues.cards import same_word, word_of
from scorekeeper.leagues.ledger import note
from scorekeeper.leagues.models import LeagueRow, TableRow
from scorekeeper.leagues.rows import scope_of
from scorekeeper.retrying import use_case


def handover_path(session: Session, league: str, key: str) -> str:
    """Return the path that lets one device direct the league; `key` is the installation's secret key."""
    row = league_at(session, league)
    return f"/leagues/{row.public_id}/direct/{_word(row, key)}"


def hands_over(league: LeagueRow, word: str, key: str) -> bool:
    """Return whether `word` lets a device direct the league now."""
    return same_word(word, _word(league, key))


@use_case
def take_over(*, league: str, word: str, key: str, device: str, now: datetime | None = None) -> None:
    """Let `device` direct the league from now on, its games too. Raises `NoSuchLeagueError`, `NotDirectorError`."""
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if row.device == device:
            return
        if not hands_over(row, word, key):
            raise NotDirectorError
        of_league = select(TableRow.game_id).where(scope_of(row.id)["tables"])
        session.execute(
            update(GameRow).where(GameRow.id.in_(of_league), GameRow.device == row.device).values(device=device)
        )
        row.device = device
        note(session, row, "handed_over", device=device, now=now or datetime.now(UTC))


def checked(session: Session, league: str, word: str, key: str) -> LeagueRow:
    """Return the league that `word` hands over; raises `NoSuchLeagueError` where it hands over none."""
    row = league_at(session, league)
    if not hands_over(row, word, key):
        raise NoSuchLeagueError
    return row


def _word(league: LeagueRow, key: str) -> str:
    return word_of("direct a league", league.public_id, league.device, key=key)
