"""Run the clock of a round, ring the bell, and end the games of the round after their last hand.

The hand in progress at the bell is the last one: the next hand that a table saves. After it the game is over, by most
points, and its log says so, so that phones offer no further hand. A tied table plays one more hand if the night says
so. A table that is between two hands ends its game without another one.

The clock only shows the time: the bell is rung by a person, who sees the hall.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.store.access import closer
from scorekeeper.games.store.event_store import append, find, hands_since, load
from scorekeeper.leagues.core.models import NightRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.nights.service import moved_on, start_there
from scorekeeper.leagues.nights.table_disputes import clear_confirmations, scored_table
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.table_results import has_bell, last_begun, one_more_due, tables_of
from scorekeeper.rules.events import Event, GameEnded, GameReopened
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.scoring import leaders_of

MORE = timedelta(minutes=5)
"""How much longer a round takes with one tap at the desk."""
TIME = "time"
"""Value of `GameEnded.ended_by` for a game that the bell ended."""


@use_case
def ring(*, night: str, device: str, rung: bool = True, now: datetime | None = None) -> None:
    """Ring the bell for the current round. With `rung` False, undo that, so that the games it ended go on.

    A repeated request changes nothing. Raises what `at_desk` raises. Raises `RuleViolation` if the results that would
    be undone have decided the next seating.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        if rung == (desk.night.bell_at is not None):
            return
        if not rung:
            _reopen_games(desk)
        desk.night.bell_at = desk.now if rung else None
        desk.note("bell", rung=rung)


@use_case
def set_clock(
    *, night: str, number: int, what: Literal["start", "more", "stop"], device: str, now: datetime | None = None
) -> None:
    """Start the clock of round `number` of a timed night, give it five more minutes, or stop it.

    Starting the clock also starts the round, if it is the next one. A clock that is running isn't started again. Raises
    what `at_desk` and `start_there` raise. Raises `RuleViolation` if the night has no clock, if it isn't running, or if
    the bell has rung.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        row, starts = desk.night, what == "start"
        if "minutes" not in NightPlan.from_json(row.plan).options:
            raise RuleViolation("no_clock", "Only timed rounds have a clock.")
        begun = last_begun(desk.session, row)
        if starts and number > begun:
            start_there(desk, number)
        elif number != begun or row.bell_at is not None or not (starts or row.clock_at):
            raise moved_on()
        if starts and row.clock_at is not None:
            return
        moments = {"start": desk.now, "more": (row.clock_at or desk.now) + MORE, "stop": None}
        row.clock_at = moments[what]
        desk.note("clock", round=number, what=what)


def _reopen_games(desk: Desk) -> None:
    """Let the games of the current round that the bell ended go on."""
    session, begun = desk.session, last_begun(desk.session, desk.night)
    for table in tables_of(session, desk.night):
        if table.round != begun or not table.by_bell:
            continue
        if table.built_on:
            raise RuleViolation("bell_used", Phrase("Round %(number)s is already seated.", number=begun + 1))
        _add(desk, table.game, GameReopened())
        clear_confirmations(session.get_one(TableRow, table.id))


@use_case
def end_game(*, night: str, table: int, device: str, now: datetime | None = None) -> None:
    """End the game of a table (its id) with the score as it is, because no hand was in progress at the bell.

    A repeated request changes nothing. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` before
    the bell, if the game is tied and one more hand is due, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        left = at.standing.last_hand
        if at.standing.done:
            return
        found = find(at.desk.session, at.game.public_id)
        if not left or found is None:
            raise RuleViolation("no_bell", "The bell hasn't rung.")
        game = load(at.desk.session, found).game
        if one_more_due(at.desk.night, game):
            raise RuleViolation("tied", "It's tied, so this table plays one more hand.")
        _add(at.desk, at.game.public_id, GameEnded(_leader(game), TIME))
        at.note("bell_ended", after=list(game.tally.totals))


def _add(desk: Desk, game: str, event: Event) -> None:
    found = find(desk.session, game, to_write=True)
    if found is not None:
        state = load(desk.session, found).game
        append(desk.session, found, state, (event,), device=desk.device, client_id=None, now=desk.now, guarded=False)


@closer
def end_after_last_hand(session: Session, game: int, before: Game, after: Game, happened: datetime) -> Sequence[Event]:
    """Return the event that ends a game (row id) after its last hand, or reopens it if that hand was taken back.

    `before` and `after` are the game before and after a change that was made at `happened`. Return () before the bell,
    and while a director or helper corrects the result. Raises `RuleViolation` for another hand after the last one.
    """
    night = _rung(session, game)
    if night is None or night.bell_at is None or after.tally.outcome is not None:
        return ()
    more = len(after.hands) - len(before.hands)
    since = hands_since(session, game, after, night.bell_at)
    if more > 0 and happened > night.bell_at and since > more and not one_more_due(night, before):
        raise RuleViolation(
            "bell_over", "The bell has rung, and this table has played its last hand. Only the desk can add another."
        )
    tied, ended = one_more_due(night, after), after.stopped is not None and after.stopped.rule == TIME
    if ended and (tied or more < 0):
        return (GameReopened(),)
    taken_back = before.stopped is not None and after.stopped is None and not more
    if tied or taken_back or not (since or ended) or (after.stopped is not None and not ended):
        return ()
    winner = _leader(after)
    same = after.stopped is not None and after.stopped.winner == winner
    return () if same else (GameEnded(winner, TIME),)


def _rung(session: Session, game: int) -> NightRow | None:
    """Return the night of a game (row id) if the bell has rung for the game's round; otherwise None."""
    row = session.execute(
        select(TableRow, NightRow)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(TableRow.game_id == game, NightRow.bell_at.is_not(None))
    ).first()
    if row is None or row[0].reopened or row[0].round != last_begun(session, row[1]) or not has_bell(row[1]):
        return None
    return row[1]


def _leader(game: Game) -> int | None:
    """Return the side with the most points, or None if sides are tied."""
    leaders = leaders_of(game.tally.totals)
    return leaders[0] if len(leaders) == 1 else None
