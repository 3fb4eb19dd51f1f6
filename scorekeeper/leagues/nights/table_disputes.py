"""What the phones at a table say of its result: a final score, that it is right, that it is wrong.

The first score counts for now. Another phone that says otherwise makes a dispute, which both phones and the desk show.
What every side confirmed, and what a later round was begun after, only the desk changes, and says why. Each use case
is one transaction, and leaves a line in the league's log.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.event_store import append, find, load, taps_of, writer_of
from scorekeeper.games.store.hooks import guard
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError, demand, role_of
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, desk_of
from scorekeeper.leagues.nights.seating import last_begun
from scorekeeper.leagues.standings.table_results import Dispute, TableState, tables_of
from scorekeeper.rules.commands import EnterResult, decide
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

KEEP, TAKE = "keep", "take"
"""How a dispute is settled: by the score that counts, or by what the other phone said."""

ONLY_DESK = RuleViolation("at_desk", "This result is final. Only the desk can change it, with a reason.")


@dataclass(frozen=True, slots=True)
class AtTable:
    """A table with a game, in the hands of a phone that may score it, or a helper: its rows, with the league locked."""

    desk: Desk
    row: TableRow
    game: GameRow
    standing: TableState
    begun: int
    """The last round that was begun."""

    @property
    def helps(self) -> bool:
        """Return whether the device may work at the desk."""
        return role_of(self.desk.league, self.desk.device) >= Role.HELPER

    @property
    def scorer(self) -> ScorerRow | None:
        """Return the line of this phone among those that were let in to score."""
        return scorer_of(self.desk.session, self.game.id, self.desk.device)

    @property
    def side(self) -> int | None:
        """Return whose phone it is; None where that was not said."""
        return side_of(self.scorer, self.game)

    def note(self, kind: str, *, reason: str = "", **data: Any) -> None:
        """Write a line of the league's log about this table."""
        note_at(self.desk, self.row, self.game, kind, reason=reason, **data)


def note_at(desk: Desk, row: TableRow, game: GameRow, kind: str, **data: Any) -> None:
    """Write a line of the league's log about a table and its game."""
    desk.note(kind, round=row.round, table=row.number, game=game.public_id, **data)


def scorer_of(session: Session, game: int, device: str) -> ScorerRow | None:
    """Return the line of a phone among those that were let in to score a game (its id), None where it was not."""
    query = select(ScorerRow).where(
        ScorerRow.game_id == game, ScorerRow.device == device, ScorerRow.revoked_at.is_(None)
    )
    return session.scalars(query).first()


def side_of(scorer: ScorerRow | None, game: GameRow) -> int | None:
    """Return the side of a phone that was let in to score a game, None where nobody said whose it is."""
    if scorer is None or scorer.side is not None:
        return None if scorer is None else scorer.side
    return next((side for side, seats in enumerate(game.sides) if scorer.seat in seats), None)


@use_case
def tell(
    *, night: str, table: int, said: EnterResult, device: str, tap: str | None = None, now: datetime | None = None
) -> None:
    """Let a phone at a table (its id) say the final score: the first one counts, another one is a dispute.

    The phone that wrote it down corrects it as long as no other side confirmed it. Raises as `confirm` does, and
    `RuleViolation` for a score that cannot be, for a game with hands, and where only the desk can change the result.
    """
    with scored_table(night, table, device, now) as at:
        tell_there(at, said, tap)


def tell_there(at: AtTable, said: EnterResult, tap: str | None = None) -> None:
    """Do what `tell` does, in the transaction of whoever calls."""
    found = find(at.desk.session, at.game.public_id, to_write=True)
    assert found is not None
    if tap is not None and tap in taps_of(at.desk.session, found, tap):
        return
    before = list(at.game.totals) if at.game.over else None
    if before is not None and says_the_same(at.game, said):
        if at.standing.dispute is not None and at.standing.dispute.device == at.desk.device:
            at.row.dispute = None
            at.note("dispute_settled", before=before, after=before)
        return
    if at.standing.fixed(at.begun):
        raise ONLY_DESK
    other = before is not None and writer_of(at.desk.session, found, found.version) != at.desk.device
    if before is not None and (other or at.standing.confirmed - {at.side}):
        decide(load(at.desk.session, found).game, said)  # what cannot be is refused here as well
        _differ(at, said)
        return
    write_result(at.desk, at.game, said, tap)
    told = at.standing.dispute
    agreed = told is None or told.points is None or EnterResult(told.points, told.winner, told.ended_by) == said
    forget_what_was_said(at.row)
    if told is not None and not agreed:
        at.row.dispute = told.to_json()  # the other phone says something else of this score, too
    at.note("result_told", before=before, after=list(said.totals), **ending_of(said))


@use_case
def confirm(
    *,
    night: str,
    table: int,
    side: int,
    points: Sequence[int],
    device: str,
    seat: int | None = None,
    now: datetime | None = None,
) -> None:
    """Let a side of a table (its id) say that these points, by side, are right.

    A phone says so for its own side, and with the first time says which one that is. For anybody else it needs the
    `seat` of the person who says so. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where the
    points are others by now, or nobody was named.
    """
    with scored_table(night, table, device, now) as at:
        confirm_there(at, side, points, seat)


def confirm_there(at: AtTable, side: int, points: Sequence[int], seat: int | None = None) -> None:
    """Do what `confirm` does, in the transaction of whoever calls."""
    if not 0 <= side < at.standing.sides or seat not in (None, *at.game.sides[side]):
        raise NoSuchLeagueError
    if list(points) != at.game.totals:
        raise RuleViolation("points_changed", "The score just changed. Check it again.")
    scorer = at.scorer
    if seat is None:
        if scorer is None or at.side not in (None, side):
            raise RuleViolation("who_confirms", "Tap the name of the person confirming.")
        scorer.side = side
    by = at.row.confirmed_by or {}
    before = at.row.confirmed.get(str(side))
    if before == list(points) and by.get(str(side)) == seat:
        return
    at.row.confirmed = at.row.confirmed | {str(side): list(points)}
    others = {key: value for key, value in by.items() if key != str(side)}
    at.row.confirmed_by = others if seat is None else others | {str(side): seat}
    told = at.standing.dispute
    if told is not None and (told.device == at.desk.device or told.side == side):
        at.row.dispute = None
    if len(at.row.confirmed) == at.standing.sides and at.row.dispute is None:
        at.row.reopened = None
    named = {} if seat is None else {"person": at.desk.session.get_one(PersonRow, at.standing.seats[seat]).public_id}
    at.note("confirmed", side=side, before=before, after=list(points), **named)


@use_case
def object_to(*, night: str, table: int, points: Sequence[int], device: str, now: datetime | None = None) -> None:
    """Let a phone at a table (its id) say that these points, by side, are wrong. Raises as `confirm` does."""
    with scored_table(night, table, device, now) as at:
        object_there(at, points)


def object_there(at: AtTable, points: Sequence[int]) -> None:
    """Do what `object_to` does, in the transaction of whoever calls."""
    if list(points) != at.game.totals:
        raise RuleViolation("points_changed", "The score just changed. Check it again.")
    if not at.standing.done:
        raise RuleViolation("not_done", "This game isn't over yet.")
    if at.standing.round < at.begun and not at.helps:
        raise ONLY_DESK
    if at.standing.dispute is None:
        _differ(at, None)


@use_case
def settle(*, night: str, table: int, how: str, device: str, reason: str = "", now: datetime | None = None) -> None:
    """Settle a dispute: KEEP the score that counts, or TAKE the other one.

    A phone accepts what the *other* phone says; the desk decides either way and says why. Raises as `confirm` does.
    """
    with scored_table(night, table, device, now) as at:
        told = at.standing.dispute
        if told is None:
            return
        own = told.device == device or (told.side is not None and told.side == at.side)
        if at.helps and not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for choosing this score.", field="reason")
        if not at.helps and own is not (how == KEEP):
            raise RuleViolation("not_yours", "The other side can accept this on their phone, or the desk decides.")
        before = list(at.game.totals)
        after = before
        if how == TAKE and told.points is not None:
            if at.standing.fixed(at.begun) and not at.helps:
                raise ONLY_DESK
            said = EnterResult(told.points, told.winner, told.ended_by)
            write_result(at.desk, at.game, said)
            forget_what_was_said(at.row)
            after = list(told.points)
        at.row.dispute = None
        at.note("dispute_settled", reason=reason, before=before, after=after)


@use_case
def reopen_result(*, night: str, table: int, device: str, reason: str, now: datetime | None = None) -> None:
    """Let the desk correct, hand by hand, a result that is fixed; nobody else can. Raises as `confirm` does."""
    with scored_table(night, table, device, now) as at:
        if not at.helps:
            raise NotAllowedError(Role.HELPER)
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the correction.", field="reason")
        if not at.standing.fixed(at.begun):
            raise RuleViolation("not_fixed", "You can correct this result without reopening it.")
        at.row.reopened = True
        at.note("result_reopened", reason=reason, before=list(at.game.totals))


def write_result(
    desk: Desk,
    game: GameRow,
    said: EnterResult,
    tap: str | None = None,
    *,
    judge: Callable[[Game, EnterResult], Sequence[Event]] = decide,
) -> None:
    """Write a final score to the log of a table's game; whoever calls has judged whether it may be changed."""
    found = find(desk.session, game.public_id, to_write=True)
    if found is None:
        raise NoSuchLeagueError
    state = load(desk.session, found).game
    events = judge(state, said)
    append(desk.session, found, state, events, device=desk.device, client_id=tap, now=desk.now, guarded=False)
    desk.session.refresh(game)


@guard
def keep_result(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Refuse a change to a result that is fixed, and write any other change of a result into the league's log."""
    if _sum(before) == _sum(after):
        return
    row = session.scalars(select(TableRow).where(TableRow.game_id == game)).first()
    if row is None:
        return
    if not (before.over or row.confirmed or row.round < last_begun(session, row.night_id)):
        return
    night = session.get_one(NightRow, row.night_id)
    season = session.get_one(SeasonRow, night.season_id)
    league = session.get_one(LeagueRow, season.league_id)
    at = at_table(Desk(session, league, season, night, device, now), row, session.get_one(GameRow, game))
    if not at.standing.done:
        return
    if night.closed_at is not None:
        raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
    if at.standing.fixed(at.begun) and not (row.reopened and at.helps):
        raise ONLY_DESK
    forget_what_was_said(row)
    at.note("result_changed", before=list(before.tally.totals), after=list(after.tally.totals))


def _sum(game: Game) -> object:
    """What a result is made of: the score, the end, and the hands behind it."""
    return game.tally, game.stopped, game.in_play, [line.entry.what for line in game.lines]


def forget_what_was_said(row: TableRow) -> None:
    row.confirmed, row.confirmed_by, row.dispute = {}, None, None


def says_the_same(game: GameRow, said: EnterResult) -> bool:
    """Return whether the result of a game is that final score, won by the same side in the same way."""
    outcome = (said.winner, f"final.{said.ended_by}")
    if said.ended_by is None:
        leaders = leaders_of(said.totals)
        outcome = (leaders[0] if len(leaders) == 1 else None, "final")
    return list(game.totals) == list(said.totals) and (game.winner, game.ended_by) == outcome


def ending_of(said: EnterResult) -> dict[str, Any]:
    """Return what a line of the log says of a result besides its points: who won, and how, where that was asked."""
    return {} if said.ended_by is None else {"winner": said.winner, "ended_by": said.ended_by}


def _differ(at: AtTable, said: EnterResult | None) -> None:
    """Put up a dispute; whose phone it is confirms the score that stands no more."""
    side = at.side
    at.row.confirmed = {key: value for key, value in at.row.confirmed.items() if key != str(side)}
    told, after, ending = Dispute(None, side, at.desk.device), None, {}
    if said is not None:
        told = Dispute(tuple(said.totals), side, at.desk.device, said.winner, said.ended_by)
        after, ending = list(said.totals), ending_of(said)
    at.row.dispute = told.to_json()
    at.note("disputed", before=list(at.game.totals), after=after, side=side, **ending)


def at_table(desk: Desk, row: TableRow, game: GameRow) -> AtTable:
    """Return a table whose game was started; whoever calls has let the device in."""
    standing = next(each for each in tables_of(desk.session, desk.night) if each.id == row.id)
    return AtTable(desk, row, game, standing, last_begun(desk.session, desk.night.id))


def table_row(desk: Desk, table: int) -> TableRow:
    """Return a table (its id) of the night, read anew; raises `NoSuchLeagueError`."""
    row = desk.session.get(TableRow, table, populate_existing=True)
    if row is None or row.night_id != desk.night.id:
        raise NoSuchLeagueError
    return row


@contextlib.contextmanager
def scored_table(night: str, table: int, device: str, now: datetime | None) -> Iterator[AtTable]:
    """Give a table whose game was started to a phone that may score it, or a helper, in a transaction.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where the night is closed.
    """
    with writing() as session:
        desk = desk_of(session, night, device, now)
        row = table_row(desk, table)
        if row.game_id is None:
            raise NoSuchLeagueError
        game = session.get_one(GameRow, row.game_id, populate_existing=True)
        if standing_of(session, game, device) < AccessLevel.SCORES:
            demand(desk.league, device, Role.HELPER)
        if desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
        yield at_table(desk, row, game)
