"""Final scores entered, confirmed and disputed on the phones at a table.

The first score counts for now. If another phone enters a different score, there is a dispute, which both phones and the
desk page show. Once every side has confirmed a result or a later round has started, only a director or helper can
change it, with a reason.
Each use case is one transaction and writes an entry to the league's log.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.store.access import AccessLevel, guard, standing_of
from scorekeeper.games.store.event_store import append, find, load, taps_of, writer_of
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError, demand, role_of
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, desk_of
from scorekeeper.leagues.standings.table_results import Dispute, TableState, last_begun, tables_of
from scorekeeper.rules.commands import AdjustScore, EnterResult, decide
from scorekeeper.rules.events import Event, GameEnded, GameReopened
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import MOST_ADJUSTED, check_final
from scorekeeper.rules.replay import advance
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.web.extensions import writing

MOST_SETS = 50
"""Most sets (failed bids) of one side in a game; a higher number is a typing error."""
AGREED = "agreed"
"""Value of `ended_by` for a game whose winner the players agreed on, or whose total the desk entered over its hands."""
KEEP, TAKE = "keep", "take"
"""How a dispute is settled: with the current score, or with the other phone's."""


def only_desk() -> RuleViolation:
    """Return the error for a phone that changes a final result."""
    return RuleViolation("at_desk", "This result is final. Only the desk can change it, with a reason.")


class AtTable(Struct, frozen=True):
    """A card table whose game has started, with its database rows, and the device that changes its result.

    The league is locked until the transaction ends.
    """

    desk: Desk
    row: TableRow
    game: GameRow
    standing: TableState
    begun: int
    """Number of the last round that has started."""

    @property
    def helps(self) -> bool:
        """Return whether this device belongs to a director or helper of the league."""
        return role_of(self.desk.league, self.desk.device) >= Role.HELPER

    @property
    def scorer(self) -> ScorerRow | None:
        """Return the database row that lets this phone score the game; None if the phone can't score the game."""
        return scorer_of(self.desk.session, self.game.id, self.desk.device)

    @property
    def side(self) -> int | None:
        """Return which side of the table this phone belongs to, or None if unknown."""
        return side_of(self.scorer, self.game)

    @property
    def only_desk(self) -> RuleViolation:
        """Return the error for a phone that changes a locked result; it says why only the desk can."""
        if self.standing.built_on:
            return RuleViolation("at_desk", "The next round is set, so only the desk can change this result.")
        return only_desk()

    def note(self, kind: str, *, reason: str = "", **data: Any) -> None:
        """Add an entry of this `kind` about this table to the league's log; `data` is the data of the entry."""
        note_at(self.desk, self.row, self.game, kind, reason=reason, **data)


def note_at(desk: Desk, row: TableRow, game: GameRow, kind: str, **data: Any) -> None:
    """Add an entry of this `kind` about a table and its game to the league's log; `data` is the data of the entry."""
    desk.note(kind, round=row.round, table=row.number, game=game.public_id, **data)


def scorer_of(session: Session, game: int, device: str) -> ScorerRow | None:
    """Return the active row that lets a device score a game (its id); None if the device can't score the game."""
    query = select(ScorerRow).where(
        ScorerRow.game_id == game, ScorerRow.device == device, ScorerRow.revoked_at.is_(None)
    )
    return session.scalars(query).first()


def side_of(scorer: ScorerRow | None, game: GameRow) -> int | None:
    """Return which side of a game a scoring phone belongs to; None if unknown or if `scorer` is None."""
    if scorer is None or scorer.side is not None:
        return None if scorer is None else scorer.side
    return next((side for side, seats in enumerate(game.sides) if scorer.seat in seats), None)


@use_case
def tell(
    *,
    night: str,
    table: int,
    result: EnterResult,
    device: str,
    sets: tuple[int, ...] | None = None,
    tap: str | None = None,
    then: Callable[[AtTable], None] | None = None,
    now: datetime | None = None,
) -> None:
    """Save the final score that a phone entered at a table (its id).

    If another phone has entered a different score, or another side has confirmed a different score, a dispute is opened
    instead. `sets` are the sets that were entered with the score, to take with it if the dispute is settled for this
    phone. `tap` identifies the request, so that a repeated request changes nothing. `then` is called in the same
    transaction, unless a dispute was opened.

    Raises what `confirm` raises. Raises `RuleViolation` for an impossible score, for a game with hands, or if phones
    can no longer change the result.
    """
    with scored_table(night, table, device, now) as at:
        tell_there(at, result, tap, sets=sets, then=then)


def tell_there(
    at: AtTable,
    result: EnterResult,
    tap: str | None = None,
    *,
    sets: tuple[int, ...] | None = None,
    then: Callable[[AtTable], None] | None = None,
) -> None:
    """Save the final score that a phone entered at the table `at`, as `tell` does, but in the caller's transaction."""
    if _tell(at, result, tap, sets) and then is not None:
        then(at)


def _tell(at: AtTable, result: EnterResult, tap: str | None, sets: tuple[int, ...] | None) -> bool:
    """Save the final score and return True, or open a dispute about the saved score and return False."""
    found = find(at.desk.session, at.game.public_id, to_write=True)
    assert found is not None
    if tap is not None and tap in taps_of(at.desk.session, found, tap):
        return True
    before = list(at.game.totals) if at.game.over else None
    if before is not None and is_same_result(at.game, result):
        if at.standing.dispute is not None and at.standing.dispute.device == at.desk.device:
            at.row.dispute = None
            at.note("dispute_settled", before=before, after=before)
        return True
    if at.standing.fixed:
        raise at.only_desk
    other = before is not None and writer_of(at.desk.session, found, found.version) != at.desk.device
    if before is not None and (other or at.standing.confirmed - {at.side}):
        decide(load(at.desk.session, found).game, result)  # refuse an impossible score here as well
        _open_dispute(at, result, sets)
        return False
    write_result(at.desk, at.game, result, tap)
    dispute = at.standing.dispute
    agreed = (
        dispute is None
        or dispute.points is None
        or EnterResult(dispute.points, dispute.winner, dispute.ended_by) == result
    )
    clear_confirmations(at.row)
    if dispute is not None and not agreed:
        at.row.dispute = dispute.to_json()  # the other phone's score differs from this one, too
    at.note("result_told", before=before, after=list(result.totals), **ending_of(result))
    return True


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
    """Confirm the score of a table (its id) for one side. `points` is the score that the user saw, by side.

    If the side of the phone isn't known yet, the phone belongs to `side` from then on. To confirm for another side on
    the same phone, pass the `seat` of the person confirming. Raises `NoSuchLeagueError`, `NotAllowedError`, or
    `RuleViolation` if the score has changed, if `seat` is needed but missing, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        confirm_there(at, side, points, seat)


def confirm_there(at: AtTable, side: int, points: Sequence[int], seat: int | None = None) -> None:
    """Confirm the score of the table `at` for one side, as `confirm` does, but in the caller's transaction."""
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
    dispute = at.standing.dispute
    if dispute is not None and (dispute.device == at.desk.device or dispute.side == side):
        at.row.dispute = None
    if len(at.row.confirmed) == at.standing.sides and at.row.dispute is None:
        at.row.reopened = None
    named = {} if seat is None else {"person": at.desk.session.get_one(PersonRow, at.standing.seats[seat]).public_id}
    at.note("confirmed", side=side, before=before, after=list(points), **named)


@use_case
def object_to(*, night: str, table: int, points: Sequence[int], device: str, now: datetime | None = None) -> None:
    """Report that the score of a table (its id) is wrong, without entering another score.

    `points` is the score that the user saw, by side. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation`
    if the score has changed since, the game isn't over, or the night is closed. On a phone that scores the game, also
    raises `RuleViolation` once a later round has started.
    """
    with scored_table(night, table, device, now) as at:
        object_there(at, points)


def object_there(at: AtTable, points: Sequence[int]) -> None:
    """Report that the score of the table `at` is wrong, as `object_to` does, but in the caller's transaction."""
    if list(points) != at.game.totals:
        raise RuleViolation("points_changed", "The score just changed. Check it again.")
    if not at.standing.done:
        raise RuleViolation("not_done", "This game isn't over yet.")
    if at.standing.round < at.begun and not at.helps:
        raise only_desk()
    if at.standing.dispute is None:
        _open_dispute(at, None)


@use_case
def settle(*, night: str, table: int, how: str, device: str, reason: str = "", now: datetime | None = None) -> None:
    """Settle a dispute at a table (its id). `how` is `KEEP` for the saved score or `TAKE` for the claimed score.

    A phone can only accept the *other* phone's score. A director or helper can choose either score, and must give a
    reason. Without a dispute, nothing happens. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation`
    for a choice that this device can't make, if the reason is missing, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        dispute = at.standing.dispute
        if dispute is None:
            return
        own = dispute.device == device or (dispute.side is not None and dispute.side == at.side)
        if at.helps and not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for choosing this score.", field="reason")
        if not at.helps and own is not (how == KEEP):
            raise RuleViolation(
                "not_yours", "You can only accept the other side's score here. Otherwise the desk decides."
            )
        before = list(at.game.totals)
        after = before
        if how == TAKE and dispute.points is not None:
            if at.standing.fixed and not at.helps:
                raise at.only_desk
            result = EnterResult(dispute.points, dispute.winner, dispute.ended_by)
            write_result(at.desk, at.game, result)
            clear_confirmations(at.row)
            after = list(dispute.points)
            if dispute.sets is not None and list(dispute.sets) != at.row.paper_sets:
                at.note("sets_told", before=at.row.paper_sets, after=list(dispute.sets))
                at.row.paper_sets = list(dispute.sets)
        at.row.dispute = None
        at.note("dispute_settled", reason=reason, before=before, after=after)


@use_case
def reopen_result(*, night: str, table: int, device: str, reason: str, now: datetime | None = None) -> None:
    """Let directors and helpers correct the hands of a game whose result phones can no longer change.

    A game that the bell ended can get more hands only this way. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises
    `RuleViolation` without a reason, if phones can still change the result, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        if not at.helps:
            raise NotAllowedError(Role.HELPER)
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the correction.", field="reason")
        if not at.standing.fixed and not at.standing.by_bell:
            raise RuleViolation("not_fixed", "You can correct this result without reopening it.")
        at.row.reopened = True
        at.note("result_reopened", reason=reason, before=list(at.game.totals))


def write_result(
    desk: Desk,
    game: GameRow,
    result: EnterResult,
    tap: str | None = None,
    *,
    judge: Callable[[Game, EnterResult], Sequence[Event]] = decide,
) -> None:
    """Append a final score to the event log of a table's game. The caller must check that the result may be changed.

    `judge` is called with the game and the result, and returns the events to append.
    """
    found = find(desk.session, game.public_id, to_write=True)
    assert found is not None
    state = load(desk.session, found).game
    events = judge(state, result)
    append(desk.session, found, state, events, device=desk.device, client_id=tap, now=desk.now, guarded=False)
    desk.session.refresh(game)


def winner_of(result: EnterResult) -> int | None:
    """Return the side that wins by a final score, or None; unless the score says how it ended, the one with most."""
    if result.ended_by is not None:
        return result.winner
    leaders = leaders_of(result.totals)
    return leaders[0] if len(leaders) == 1 else None


def end_with_total(state: Game, result: EnterResult, *, reason: str) -> Sequence[Event]:
    """Return the events that end a game with hands with the final score `result`, or correct how it ended.

    The hands stay. Adjustments with this `reason` make up the difference. Raises `RuleViolation` if the score is
    impossible, or if another side has won by the rules with it.
    """
    told = check_final(state.table, list(result.totals))
    events: list[Event] = [] if state.stopped is None else [GameReopened()]
    for side, (total, now) in enumerate(zip(told, state.tally.totals, strict=True)):
        missing = total - now
        while missing:
            points = max(-MOST_ADJUSTED, min(MOST_ADJUSTED, missing))
            events.extend(decide(state, AdjustScore(side, points, reason)))
            missing -= points
    winner = winner_of(result)
    events.append(GameEnded(winner, AGREED))
    after = advance(state, events)
    if after.outcome is None or (after.tally.totals, after.outcome.winner) != (told, winner):
        message = Phrase("By the saved hands, the game ended differently. Open the game and correct the hands.")
        raise RuleViolation("hands_decide", message)
    return events


def _is_of_desk(at: AtTable, before: Game) -> bool:
    """Return whether the people who run the night ended the game `before` of a table themselves."""
    found = find(at.desk.session, at.game.public_id)
    if found is None or before.stopped is None or before.stopped.rule != AGREED:
        return False
    writer = writer_of(at.desk.session, found, before.changed)
    return writer is not None and role_of(at.desk.league, writer) >= Role.HELPER


@guard
def keep_result(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Check a change to the hands or score of a game (its id) before the change is saved.

    `before` is the game without the change, and `after` is the game with the change. If the change affects the result
    of a finished league game, the confirmations of the result are deleted and the change is logged. All other changes
    are accepted without a check.

    Raises `RuleViolation` if the night is closed, or if the result is locked for this device. A locked result can be
    changed only by directors and helpers, after a call of `reopen_result`.
    """
    if _result_parts(before) == _result_parts(after):
        return
    row = session.scalars(select(TableRow).where(TableRow.game_id == game)).first()
    if row is None:
        return
    night = session.get_one(NightRow, row.night_id)
    if not (before.over or row.confirmed or row.round < last_begun(session, night)):
        return
    season = session.get_one(SeasonRow, night.season_id)
    league = session.get_one(LeagueRow, season.league_id)
    at = at_table(Desk(session, league, season, night, device, now), row, session.get_one(GameRow, game))
    if not at.standing.done:
        return
    if night.closed_at is not None:
        raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
    if at.standing.fixed and not (row.reopened and at.helps):
        raise at.only_desk
    if not at.helps and _is_of_desk(at, before):
        raise only_desk()
    clear_confirmations(row)
    at.note("result_changed", before=list(before.tally.totals), after=list(after.tally.totals))


def _result_parts(game: Game) -> object:
    """Return the parts of a game that make up its result, for comparing the game before and after a change.

    These parts are the score, how the game ended, and the hands.
    """
    return game.tally, game.stopped, game.in_play, [line.entry.what for line in game.lines]


def clear_confirmations(row: TableRow) -> None:
    row.confirmed, row.confirmed_by, row.dispute = {}, None, None


def is_same_result(game: GameRow, result: EnterResult) -> bool:
    """Return whether a game has already ended with the score and winner of `result`, and in the same way."""
    outcome = (result.winner, f"final.{result.ended_by}")
    if result.ended_by is None:
        leaders = leaders_of(result.totals)
        outcome = (leaders[0] if len(leaders) == 1 else None, "final")
    return list(game.totals) == list(result.totals) and (game.winner, game.ended_by) == outcome


def ending_of(result: EnterResult) -> dict[str, Any]:
    """Return the winner and how the game ended, as data for a log entry; {} if `result.ended_by` is None."""
    return {} if result.ended_by is None else {"winner": result.winner, "ended_by": result.ended_by}


def check_sets(game: GameRow, sets: Sequence[int]) -> None:
    """Raise `RuleViolation` unless `sets` has a possible number of sets for each side of a game."""
    if len(sets) != len(game.totals) or not all(0 <= each <= MOST_SETS for each in sets):
        message = Phrase("Enter the sets of each side, from 0 to %(most)s.", most=MOST_SETS)
        raise RuleViolation("sets", message, field="sets")


def _open_dispute(at: AtTable, result: EnterResult | None, sets: tuple[int, ...] | None = None) -> None:
    """Open a dispute about the saved score and withdraw the confirmation of this phone's side.

    `result` is the score that this phone claims, or None if it only says that the saved score is wrong. `sets` are the
    sets that it claims with that score, or None if it claims none.
    """
    side = at.side
    at.row.confirmed = {key: value for key, value in at.row.confirmed.items() if key != str(side)}
    dispute, after, ending = Dispute(None, side, at.desk.device), None, {}
    if sets is not None:
        check_sets(at.game, sets)
    if result is not None:
        dispute = Dispute(tuple(result.totals), side, at.desk.device, result.winner, result.ended_by, sets)
        after, ending = list(result.totals), ending_of(result)
    at.row.dispute = dispute.to_json()
    at.note("disputed", before=list(at.game.totals), after=after, side=side, **ending)


def at_table(desk: Desk, row: TableRow, game: GameRow) -> AtTable:
    """Return the `AtTable` of a table whose game has started; the caller must check that the device may score it."""
    standing = next(each for each in tables_of(desk.session, desk.night) if each.id == row.id)
    return AtTable(desk, row, game, standing, last_begun(desk.session, desk.night))


def table_row(desk: Desk, table: int) -> TableRow:
    """Return the database row of a table (its id), freshly read.

    Raises `NoSuchLeagueError` if the night has no such table.
    """
    row = desk.session.get(TableRow, table, populate_existing=True)
    if row is None or row.night_id != desk.night.id:
        raise NoSuchLeagueError
    return row


@contextlib.contextmanager
def scored_table(night: str, table: int, device: str, now: datetime | None) -> Iterator[AtTable]:
    """Yield a table whose game has started, in a transaction.

    The device must score the game, or belong to a director or helper. Raises `NoSuchLeagueError` or `NotAllowedError`,
    or `RuleViolation` if the night is closed.
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
