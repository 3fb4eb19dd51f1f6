"""Start the game of a table and enter its result at the desk. Each use case is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import account_at_hand
from scorekeeper.db.retry import use_case
from scorekeeper.games.services.creation import open_game, seat_players
from scorekeeper.games.services.sharing import seat_phone
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import read_ahead
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError, role_of
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, desk_of
from scorekeeper.leagues.nights.card_tokens import on_card, opens
from scorekeeper.leagues.nights.seating import last_begun
from scorekeeper.leagues.nights.table_disputes import (
    AtTable,
    at_table,
    clear_confirmations,
    ending_of,
    is_same_result,
    note_at,
    scored_table,
    table_row,
    write_result,
)
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterResult, Reopen, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db, writing

AGREED = "agreed"
"""How a game ended if the table agreed on the winner."""


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
    """Start the game of a table (its id) unless it has started, let the device score it, and return its public id.

    Allowed for helpers and for anyone with the token (`word`) of the table's card; `key` is the installation's secret
    key. `then` runs in the same transaction, so nothing is started if it raises.
    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if the night is closed or the card does not cover
    the table because its round is over or not yet due.
    """
    with writing() as session:
        desk = desk_of(session, night, device, now)
        at = table_row(desk, table)
        by_role = role_of(desk.league, device) >= Role.HELPER
        if not by_role and not opens(word, desk.night, at.number, key):
            raise NotAllowedError(Role.HELPER)
        if desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed.")
        if not by_role and at.id not in {each.id for each in on_card(tables_of(session, desk.night), at.number)}:
            raise RuleViolation("round_over", "That round is over. Only the desk can change its scores.")
        game = _game_at(desk, at, client_id)
        if standing_of(session, game, device) < AccessLevel.SCORES:
            seat_phone(session, game.id, device, None, desk.now, account=account_at_hand() if by_role else None)
            note(session, game.id, "let_in_at_table", device=device, now=desk.now)
        if then is not None:
            session.flush()
            then(at_table(desk, at, game))
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
    """Save or correct the final score, by side, of a table (its id) that has no hands.

    `winner` and `ended_by` are as in `EnterResult`. Raises what `at_desk` raises, and `RuleViolation` for an impossible
    score, for a game with hands, and for a correction without a reason.
    """
    game_there = db.session().scalar(
        select(GameRow.public_id).join(TableRow, TableRow.game_id == GameRow.id).where(TableRow.id == table)
    )
    if game_there is not None:
        read_ahead(game_there)
    result = EnterResult(tuple(totals), winner, ended_by)
    with at_desk(night, device, now, Role.HELPER) as desk:
        at = table_row(desk, table)
        game = _game_at(desk, at)
        if is_same_result(game, result):
            return
        before = list(game.totals) if game.over else None
        if before is not None and not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the correction.", field="reason")
        write_result(desk, game, result)
        clear_confirmations(at)
        note_at(desk, at, game, "result_told", reason=reason, before=before, after=result.totals, **ending_of(result))


@use_case
def settle_tie(
    *, night: str, table: int, side: int, points: Sequence[int], device: str, now: datetime | None = None
) -> None:
    """Name the winning side of a tied table (its id); `points` are the ones that were shown.

    Allowed for phones that may score the game and for helpers. Raises `NoSuchLeagueError`, `NotAllowedError`, or
    `RuleViolation` if the game is not tied, the points have changed, or the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        game = at.game
        if not 0 <= side < len(game.totals):
            raise NoSuchLeagueError
        if list(points) != game.totals or game.winner not in (None, side):
            raise RuleViolation("points_changed", "The score just changed. Check it again.")
        if game.winner == side:
            return
        if not game.over or not FORMATS[NightPlan.from_json(at.desk.night.plan).format].needs_winner:
            raise RuleViolation("not_tied", "This table isn't waiting for a winner.")
        write_result(at.desk, game, EnterResult(tuple(points), side, AGREED), judge=_break_tie)
        clear_confirmations(at.row)
        at.note("tie_settled", side=side, before=None, after=list(points))


def _break_tie(state: Game, result: EnterResult) -> Sequence[ev.Event]:
    if state.lines or state.in_play:  # a game with hands that was stopped
        return (*decide(state, Reopen()), ev.GameEnded(result.winner, AGREED))
    return decide(state, result)


def names_at(session: Session, people: Sequence[int]) -> tuple[str, ...]:
    """Return the names used at the table for these person ids, in the same order.

    A name is the nickname, if there is one, or the full name where two would be the same.
    """
    rows = {row.id: row for row in session.scalars(select(PersonRow).where(PersonRow.id.in_(people)))}
    called = [rows[person].nickname or rows[person].name for person in people]
    keys = [name.casefold() for name in called]
    return tuple(
        name if keys.count(key) == 1 else rows[person].name
        for person, name, key in zip(people, called, keys, strict=True)
    )


def rules_of(season: SeasonRow, night: NightRow) -> Ruleset:
    """Return the rules of a night's games: the season's, with a limit of hands if the format sets one."""
    plan = NightPlan.from_json(night.plan)
    hands = plan.options.get("hands")  # 0 on a progressive night means a full game
    until = {"finish": "fixed_hands", "hands_limit": hands} if hands else {}
    return with_options(PRESETS[season.preset], season.options | until)


def table_set(session: Session, season: SeasonRow, night: NightRow, at: TableRow) -> tuple[Sequence[int], Table]:
    """Return the person ids at a table, by seat, and the rules' `Table` for its game."""
    seats = select(SeatRow.person_id).where(SeatRow.table_id == at.id).order_by(SeatRow.seat)
    people = session.scalars(seats).all()
    rules = rules_of(season, night)
    kind = next(each for each in rules.seatings if (each.players, each.kind) == (len(people), at.kind))
    return people, set_table(rules, kind.players, sides_of(kind))


def _game_at(desk: Desk, at: TableRow, client_id: str = "") -> GameRow:
    """Return the game of a table, and start it if needed.

    The league's first device owns it, and the last seat deals first.
    """
    session, night = desk.session, desk.night
    if at.game_id is not None:
        return session.get_one(GameRow, at.game_id)
    people, table = table_set(session, desk.season, night, at)
    players = seat_players(session, names_at(session, people), people)
    game = open_game(
        session,
        (ev.GameStarted(table.rules, players, table.sides, len(people) - 1),),
        owner=desk.league.device,
        device=desk.device,
        client_id=client_id or f"night-{night.public_id}-{at.id}",
        now=desk.now,
    )
    # The bell belonged to the round before.
    if at.round > last_begun(session, night.id):
        night.bell_at = None
    game.elsewhere = True
    at.game_id = game.id
    session.flush()
    return game
