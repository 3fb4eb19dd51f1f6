"""A table of a night: its game is started, its result told at the desk. Each function is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import account_at_hand
from scorekeeper.db.retry import use_case
from scorekeeper.games.services.creation import open_game, seat_players
from scorekeeper.games.services.sharing import seat_phone
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import append, find, load, read_ahead
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError, night_at, role_of
from scorekeeper.leagues.core.audit_log import note as note_in_ledger
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.leagues.nights.card_tokens import on_card, opens
from scorekeeper.leagues.nights.seating import begun_rounds
from scorekeeper.leagues.nights.table_disputes import (
    AtTable,
    at_table,
    ending_of,
    forget_what_was_said,
    says_the_same,
    write_result,
)
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterResult, Reopen, decide
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db, writing

AGREED = "agreed"
"""How a game ends whose winner the table names."""


@use_case
def start_table(
    *,
    night: str,
    table: int,
    device: str,
    client_id: str,
    word: str = "",
    key: str = "",
    then: Callable[[AtTable], None] | None = None,
    now: datetime | None = None,
) -> str:
    """Start the game of a table (its id), or find it started, and let the device score it; return its public id.

    A helper may do so, and whoever has the `word` on the table's card (`key` is the installation's secret key). `then`
    is what the device does there with the same tap: where that is refused, nothing was begun.
    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where the night is closed, and for a table that is
    not on the card: its round is over, or not yet to be played.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = night_at(session, night)
        season = session.get_one(SeasonRow, row.season_id)
        league = session.get_one(LeagueRow, season.league_id, with_for_update=True)
        session.refresh(row)
        at = _table(session, row, table)
        by_role = role_of(league, device) >= Role.HELPER
        if not by_role and not opens(word, row, at.number, key):
            raise NotAllowedError(Role.HELPER)
        if row.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed.")
        if not by_role and at.id not in {each.id for each in on_card(tables_of(session, row), at.number)}:
            raise RuleViolation("round_over", "That round is over. Only the desk can change its scores.")
        game = None if at.game_id is None else session.get_one(GameRow, at.game_id)
        if game is None:
            game = _start(session, league, season, row, at, (), device, client_id, when)
        if standing_of(session, game, device) < AccessLevel.SCORES:
            seat_phone(session, game.id, device, None, when, account=account_at_hand() if by_role else None)
            note(session, game.id, "let_in_at_table", device=device, now=when)
        if then is not None:
            session.flush()
            then(at_table(session, league, row, at, game, device, when))
        return game.public_id


@use_case
def tell_result(
    *,
    night: str,
    table: int,
    totals: Sequence[int],
    device: str,
    winner: int | None = None,
    ended_by: str | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> None:
    """Write down, or correct, the final score by side of a table (its id) whose hands nobody wrote down.

    `winner` and `ended_by` as in `EnterResult`.

    Raises as `nights.at_desk` does, and `RuleViolation` for a score that cannot be, for a game with hands, and for a
    correction without a reason.
    """
    game_there = db.session().scalar(
        select(GameRow.public_id).join(TableRow, TableRow.game_id == GameRow.id).where(TableRow.id == table)
    )
    if game_there is not None:
        read_ahead(game_there)
    with at_desk(night, device, now, Role.HELPER) as desk:
        at = _table(desk.session, desk.night, table)
        told = tuple(totals)
        said = EnterResult(told, winner, ended_by)
        if at.game_id is None:
            game = _start(desk.session, desk.league, desk.season, desk.night, at, (said,), device, None, desk.now)
            before = None
        else:
            game = desk.session.get_one(GameRow, at.game_id)
            if says_the_same(game, said):
                return
            before = list(game.totals) if game.over else None
            if before is not None and not reason.strip():
                raise RuleViolation("reason_missing", "Say why the score is corrected.", field="reason")
            write_result(desk.session, game, said, desk.device, desk.now)
            forget_what_was_said(at)
        desk.note(
            "result_told",
            reason=reason,
            round=at.round,
            table=at.number,
            game=game.public_id,
            before=before,
            after=told,
            **ending_of(said),
        )


@use_case
def settle_tie(
    *, night: str, table: int, side: int, points: Sequence[int], device: str, now: datetime | None = None
) -> None:
    """Say which side of a table (its id) goes on from a game that ended with these points and without a winner.

    A phone that may score there says so, or a helper. Raises `NoSuchLeagueError`, `NotAllowedError`, or
    `RuleViolation` where the game is not tied, where the points are others by now, and where the night is closed.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = night_at(session, night)
        season = session.get_one(SeasonRow, row.season_id)
        league = session.get_one(LeagueRow, season.league_id, with_for_update=True)
        session.refresh(row)
        at = _table(session, row, table)
        game = None if at.game_id is None else session.get_one(GameRow, at.game_id)
        if game is None or not 0 <= side < len(game.totals):
            raise NoSuchLeagueError
        if standing_of(session, game, device) < AccessLevel.SCORES and role_of(league, device) < Role.HELPER:
            raise NotAllowedError(Role.HELPER)
        if row.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Open it again first.")
        if list(points) != game.totals or game.winner not in (None, side):
            raise RuleViolation("points_changed", "The score has changed. Look again.")
        if game.winner == side:
            return
        if not game.over or not FORMATS[NightPlan.from_json(row.plan).format].needs_winner:
            raise RuleViolation("not_tied", "Nothing is to be said about this table.")
        found = find(session, game.public_id, to_write=True)
        if found is None:
            raise NoSuchLeagueError
        state = load(session, found).game
        said: tuple[ev.Event, ...]
        if state.lines or state.in_play:  # it was stopped, with hands
            said = (*decide(state, Reopen()), ev.GameEnded(side, AGREED))
        else:
            said = decide(state, EnterResult(tuple(points), side, AGREED))
        append(session, found, state, said, device=device, client_id=None, now=when, guarded=False)
        forget_what_was_said(at)
        note_in_ledger(
            session,
            league,
            "tie_settled",
            device=device,
            now=when,
            night=row,
            round=at.round,
            table=at.number,
            game=game.public_id,
            side=side,
            before=None,
            after=list(points),
        )


def names_at(session: Session, people: Sequence[int]) -> tuple[str, ...]:
    """Return what the table calls these people: their nicknames, or their names where two would be the same."""
    rows = {row.id: row for row in session.scalars(select(PersonRow).where(PersonRow.id.in_(people)))}
    called = [rows[person].nickname or rows[person].name for person in people]
    keys = [name.casefold() for name in called]
    return tuple(
        name if keys.count(key) == 1 else rows[person].name
        for person, name, key in zip(people, called, keys, strict=True)
    )


def rules_of(season: SeasonRow, night: NightRow) -> Ruleset:
    """Return the rules that the games of a night are played by: the season's, and an end after so many hands if set."""
    plan = NightPlan.from_json(night.plan)
    hands = plan.options.get("hands")  # a progressive night says 0 for a whole game
    until = {"finish": "fixed_hands", "hands_limit": hands} if hands else {}
    return with_options(PRESETS[season.preset], season.options | until)


def _start(
    session: Session,
    league: LeagueRow,
    season: SeasonRow,
    night: NightRow,
    at: TableRow,
    then: Sequence[EnterResult],
    device: str,
    client_id: str | None,
    now: datetime,
) -> GameRow:
    """Start the game of a table; it belongs to the director, and the deal begins at the seat that the draw put last."""
    people = session.scalars(select(SeatRow.person_id).where(SeatRow.table_id == at.id).order_by(SeatRow.seat)).all()
    rules = rules_of(season, night)
    kind: Seating = next(each for each in rules.seatings if (each.players, each.kind) == (len(people), at.kind))
    table = set_table(rules, kind.players, sides_of(kind))
    started = ev.GameStarted(rules, seat_players(session, names_at(session, people)), table.sides, len(people) - 1)
    game = open_game(
        session,
        (started,),
        owner=league.device,
        device=device,
        client_id=client_id or f"night-{night.public_id}-{at.id}",
        now=now,
    )
    # The bell was that of the round before.
    if at.round not in begun_rounds(session, night):
        night.bell_at = None
    game.elsewhere = True
    at.game_id = game.id
    session.flush()
    for command in then:
        write_result(session, game, command, device, now)
    return game


def _table(session: Session, night: NightRow, table: int) -> TableRow:
    row = session.get(TableRow, table)
    if row is None or row.night_id != night.id:
        raise NoSuchLeagueError
    return row
