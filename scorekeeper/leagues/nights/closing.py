"""Close and reopen a night, and save the results of its tables. Each use case is one transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.logic.statistics.hands import counted_hands
from scorekeeper.games.services.sharing import remove_links
from scorekeeper.games.store.audit import note_all
from scorekeeper.games.store.event_store import LoadedGame, find, load, read_ahead
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.models import HandRow, NightRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, carry_nights_over, is_public
from scorekeeper.leagues.money import service
from scorekeeper.leagues.nights.outdated import outdated_round
from scorekeeper.leagues.standings import closed_nights
from scorekeeper.leagues.standings.standings_cache import KIND as LOTS
from scorekeeper.leagues.standings.standings_cache import new_lots
from scorekeeper.leagues.standings.table_results import TableState, tables_of
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db, publish_soon

NOTHING_AHEAD: Mapping[str, LoadedGame] = MappingProxyType({})


@use_case
def close_night(
    *,
    night: str,
    device: str,
    anyway: bool = False,
    listed: Collection[int] = (),
    outdated: int = 0,
    now: datetime | None = None,
) -> tuple[TableState, ...]:
    """Close a night, and return its unfinished tables, which don't count once the night is closed.

    `listed` are the ids of the unfinished tables that the director was shown. If any other table is unfinished and
    `anyway` is false, the night stays open, but the unfinished tables are still returned. The games of a closed night
    can't be changed until a director reopens the night. Closing a closed night changes nothing and returns ().

    `outdated` is the number of the round that, as the director was told, no longer fits the results before it. Raises
    what `at_desk` raises, and, unless `anyway` is true, `RuleViolation` if there is another such round.
    """
    ahead = _read_ahead(night)
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        if desk.night.closed_at is not None:
            return ()
        tables = tables_of(desk.session, desk.night)
        missing = tuple(table for table in tables if not table.done)
        if not anyway and not {table.id for table in missing} <= set(listed):
            return missing
        undecided = outdated_round(desk.session, desk.night, tables)
        if undecided is not None and not anyway and undecided.number != outdated:
            raise RuleViolation("outdated", "A round no longer fits the results before it. Look at it first.")
        save_results(desk.session, desk.night, [table for table in tables if table.done], ahead)
        _revoke_scorers(desk)
        desk.night.closed_at = desk.now
        desk.night.bell_at = desk.night.clock_at = None
        service.settle(desk)
        open_ones = [table for table in tables if table.done and (len(table.confirmed) < table.sides or table.dispute)]
        unconfirmed = [[table.round, table.number] for table in open_ones]
        told: dict[str, Any] = {"outdated": undecided.number} if undecided is not None else {}
        lines = [[table.round, table.number] for table in missing]
        desk.note("night_closed", missing=lines, unconfirmed=unconfirmed, **told)
        desk.session.flush()
        if lots := new_lots(desk.session, desk.season):
            desk.note(LOTS, season=desk.season.public_id, lots=lots)
        return missing


@use_case
def reopen_night(*, night: str, device: str, reason: str, now: datetime | None = None) -> None:
    """Reopen a closed night, log the reason, and delete the results and money that were saved at closing.

    The log keeps what was paid as prizes, for the next receipt.

    Raises what `at_desk` raises, and `RuleViolation` without a reason or if the season is closed.
    """
    if not reason.strip():
        raise RuleViolation("reason_missing", "Enter a reason for reopening the night.", field="reason")
    with at_desk(night, device, now, Role.DIRECTOR, closed=True) as desk:
        if desk.season.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed. Reopen it first.")
        paid = service.prizes_now(desk.session, desk.night)
        clear_results(desk.session, desk.night)
        service.take_back(desk.session, desk.night)
        desk.night.closed_at = None
        carry_nights_over(desk.session, desk.league.id)
        desk.note(service.REOPENED, reason=reason, paid=paid)


@use_case
def publish_pages(*, night: str, device: str) -> None:
    """Have the public pages of a night's league published as files, as after closing. Raises what `at_desk` raises."""
    with at_desk(night, device, None, Role.DIRECTOR, closed=None) as desk:
        if is_public(desk.session, desk.league.id):
            publish_soon(desk.session)


def _read_ahead(night: str) -> Mapping[str, LoadedGame]:
    """Replay the games of a night and return them by public id.

    Replaying takes time, so call this before the league is locked.
    """
    query = (
        select(GameRow.public_id)
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(NightRow.public_id == night, GameRow.deleted_at.is_(None))
    )
    return {game: loaded for game in db.session().scalars(query).all() if (loaded := read_ahead(game)) is not None}


def save_results(
    session: Session, night: NightRow, tables: Sequence[TableState], ahead: Mapping[str, LoadedGame] = NOTHING_AHEAD
) -> None:
    """Save the results of the finished `tables` of a night, and each person's totals for the standings.

    Runs in the caller's transaction. `ahead` has games that were already replayed, by public id. All other games are
    replayed by this function.
    """
    clear_results(session, night)
    hands: list[dict[str, Any]] = []
    for table in tables:
        assert table.verdict is not None
        row = session.get_one(TableRow, table.id)
        row.points, row.sets, row.hands = list(table.points), list(table.sets), table.hands
        row.winner = table.verdict.winner
        found = find(session, table.game)
        if found is not None and not table.final:
            hands.extend(hand_rows(table.id, load(session, found, ahead.get(table.game)).game))
    if hands:
        session.execute(insert(HandRow), hands)
    closed_nights.sum_up(session, NightRow.id == night.id)


def hand_rows(table: int, game: Game) -> Iterator[dict[str, Any]]:
    """Yield a dict with the values of a `HandRow` for each counted hand of a game. `table` is the id of its table."""
    for hand in counted_hands(game):
        yield {
            "table_id": table,
            "number": hand.number,
            "dealer": hand.dealer,
            "bidder": hand.bidder,
            "bid": None if hand.bid is None else str(hand.bid),
            "made": hand.made,
            "bidding": list(hand.bidding),
            "delta": list(hand.delta),
        }


def clear_results(session: Session, night: NightRow) -> None:
    """Remove the results that were saved when a night was closed, in the caller's transaction.

    Each person's totals of the night for the standings are removed too.
    """
    closed_nights.forget(session, night.id)
    of_night = select(TableRow.id).where(TableRow.night_id == night.id)
    session.execute(delete(HandRow).where(HandRow.table_id.in_(of_night)))
    session.execute(
        update(TableRow).where(TableRow.night_id == night.id).values(points=None, sets=None, hands=None, winner=None)
    )


def _revoke_scorers(desk: Desk) -> None:
    """Revoke the access of all phones that score at the night's tables, and remove the unused links for scoring."""
    games = select(GameRow.id).join(TableRow, TableRow.game_id == GameRow.id).where(TableRow.night_id == desk.night.id)
    session = desk.session
    revoked = session.execute(
        update(ScorerRow)
        .where(ScorerRow.game_id.in_(games), ScorerRow.revoked_at.is_(None))
        .values(revoked_at=desk.now)
        .returning(ScorerRow.game_id, ScorerRow.seat)
    ).all()
    note_all(session, [(game, seat) for game, seat in revoked], "night_over", device=desk.device, now=desk.now)
    for game in session.scalars(games.order_by(GameRow.id)).all():
        remove_links(session, game, desk.device, desk.now)
