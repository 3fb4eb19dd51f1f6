"""Start games at tables and enter their results.

Table cards: the token in a card's address allows scoring at that table, for that night only.

The 144-bit token is derived from the installation's secret key, so none is stored and cards can be printed again. It
stops working when new cards are made or the night is closed.

Start the game of a table, and enter its result on the desk page. Each use case is one transaction.

Check final scores before they are saved, whether they were entered on a phone, on the desk page or by an import.

Enter how often each side was set (failed to make its bid), at a table where only the final score was entered.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.devices import account_at_hand
from scorekeeper.db.database import use_case
from scorekeeper.games.logic.final_scores import judged
from scorekeeper.games.services.creation import open_game, seat_players
from scorekeeper.games.services.sharing import seat_phone
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import find, load, read_ahead
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.core.access import (
    NoSuchLeagueError,
    NotAllowedError,
    night_at,
    role_of,
    same_word,
    token_word_of,
)
from scorekeeper.leagues.core.models import NightRow, PersonRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, desk_of
from scorekeeper.leagues.nights.removal import take_away
from scorekeeper.leagues.nights.seating import KIND, check_in_seated
from scorekeeper.leagues.nights.table_disputes import (
    AGREED,
    AtTable,
    at_table,
    check_sets,
    clear_confirmations,
    end_with_total,
    ending_of,
    is_same_result,
    note_at,
    scored_table,
    table_row,
    winner_of,
    write_result,
)
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import seating_of
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.table_results import TableState, begun_of, last_begun, tables_of
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import Concede, EnterResult, Reopen, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import REASON_LENGTH
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, table_at
from scorekeeper.web.extensions import db, writing


def card_word(night: NightRow, number: int, key: str) -> str:
    """Return the token in the address of the card for table `number`. `key` is the installation's secret key."""
    return token_word_of("table card", night.public_id, number, night.cards, key=key)


def short_code(night: NightRow, number: int, key: str) -> str:
    """Return the code in the short address of a table card, such as "12-3-k7f9qd2m", for people who type the address.

    `number` is the number of the table, and `key` is the installation's secret key. The last part of the code has 40
    secret bits.
    """
    digest = hashlib.sha256(token_word_of("short card", card_word(night, number, key), key=key).encode()).digest()
    return f"{night.id}-{number}-{base64.b32encode(digest[:5]).decode().lower()}"


def opens(word: str, night: NightRow, number: int, key: str) -> bool:
    """Return whether `word` is the current token of table `number` and the night is still open.

    `key` is the installation's secret key.
    """
    return same_word(word, card_word(night, number, key)) and night.closed_at is None


def bell_awaited(night: NightRow, tables: Sequence[TableState], begun: int) -> bool:
    """Return whether a bell will end the round that is played, or the first one, at some of its `tables`.

    `begun` is the number of the last round that has started. Until then, a game of the next round would end this round
    at all tables.
    """
    if FORMATS[NightPlan.from_json(night.plan).format].bell == "none" or (begun and night.bell_at is not None):
        return False
    return any(table.round == max(begun, 1) and not table.done for table in tables)


def on_card(tables: Sequence[TableState], number: int, begun: int, *, bell: bool = False) -> tuple[TableState, ...]:
    """Return the games that the card of table `number` lets people score.

    `tables` are all tables of the night, and `begun` is the number of the last round that has started. If a `bell` will
    end that round (see `bell_awaited`), no game of a later round is returned.

    Of earlier rounds, only games in progress are returned, before all others: only a director or helper can enter other
    scores. From the other games of the table, return the last finished game, if any, and the next game to play. If none
    of them is finished or in progress, return the next two games, because the players may already have moved on to the
    next round. A table that played the round before on paper may still have to enter its score. So the last game can be
    that of the round before if it was never started, until the table starts its next one.
    """
    of_number = [table for table in tables if table.number == number]
    late = [table for table in of_number if table.round < begun and table.game and not table.done]
    now = max(begun, 1)
    current = [table for table in of_number if table.round == now or (table.round > now and not bell)]
    done = [table for table in current if table.done]
    open_ones = [table for table in current if not table.done]
    begins = not any(table.game for table in current)
    missed = [table for table in of_number if table.round == begun - 1 and not table.game and begins]
    most = 2 if open_ones and begins and not (late or missed) else 1
    return tuple(late + done[-1:] + open_ones[:most] + missed)


CONCEDED = "conceded"
"""Value of `ended_by` for a game that a side gave up or forfeited."""
FORFEITABLE = 2
"""Number of sides of a table that can be forfeited: with more, it would be unclear who won."""


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
    """Start the game of a table (its id), let the device score the game, and return the game's public id.

    If the game has already started, the device is only added to the devices that score it. Directors and helpers
    may do this, and so may anyone with `word`, the token of the table's card. `key` is the installation's secret key.
    `then` is called in the same transaction. If it raises an error, nothing is saved.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if the night is closed. A device that may
    score only because of the card gets a `RuleViolation`, too, if the card doesn't allow scoring that game now (see
    `on_card`), or while a table is playing its last hand of the round before, which could no longer be saved.
    """
    with writing() as session:
        desk = desk_of(session, night, device, now)
        at = table_row(desk, table)
        by_role = role_of(desk.league, device) >= Role.HELPER
        if not by_role and not opens(word, desk.night, at.number, key):
            raise NotAllowedError(Role.HELPER)
        if desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed.")
        tables = () if by_role else tables_of(session, desk.night)
        begun = begun_of(desk.night, tables)
        bell = bell_awaited(desk.night, tables, begun)
        if not by_role and at.id not in {each.id for each in on_card(tables, at.number, begun, bell=bell)}:
            if at.round > begun:
                raise RuleViolation("round_waits", Phrase("Round %(number)s starts after the bell.", number=at.round))
            raise RuleViolation("round_over", "That round is over. Only the desk can change its scores.")
        late = [str(each.number) for each in tables if each.last_hand and each.round < at.round]
        if late:
            message = Phrase(
                "Wait for the last hand at these tables: %(tables)s. Or ask the desk.", tables=", ".join(late)
            )
            raise RuleViolation("last_hands", message)
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
    """Save or correct the final score of a table (its id) for a director or helper.

    A game with hands ends with this score: its hands stay, and its log has the `reason`.

    `totals` are the points by side. `winner` and `ended_by` are as in `EnterResult`. Raises what `at_desk` raises.
    Raises `RuleViolation` for an impossible score, or for a correction without a reason.
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
        if is_same_result(game, result) or _ended_so(game, result):
            return
        before = list(game.totals) if game.over else None
        if before is not None and not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the correction.", field="reason")
        found = find(desk.session, game.public_id)
        state = None if found is None else load(desk.session, found).game
        if state is not None and (state.lines or state.in_play):
            why = (reason.strip() or _("Final score entered at the desk"))[:REASON_LENGTH]
            write_result(desk, game, result, judge=partial(end_with_total, reason=why))
        else:
            write_result(desk, game, result)
        clear_confirmations(at)
        note_at(desk, at, game, "result_told", reason=reason, before=before, after=result.totals, **ending_of(result))


def _ended_so(game: GameRow, result: EnterResult) -> bool:
    """Return whether a game with hands is over with the score and winner of `result`."""
    if not game.over or (game.ended_by or "").startswith("final") or list(game.totals) != list(result.totals):
        return False
    return game.winner == winner_of(result)


@use_case
def forfeit_table(
    *, night: str, table: int, side: int | None, device: str, points: int | None = None, now: datetime | None = None
) -> None:
    """Record which side of a table (its id) forfeits the game, because it didn't come or left; with None, undo that.

    The other side wins. A game that has hands keeps its score; of any other game, the winner gets `points`, or what
    `forfeit_points` says. After undoing, the game goes on, or waits to be started.

    Directors and helpers may do this. Raises what `at_desk` raises. Raises `RuleViolation` if the table has more than
    two sides, or if its game is over.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        at = table_row(desk, table)
        standing = next(each for each in tables_of(desk.session, desk.night) if each.id == table)
        if standing.forfeit == side:
            return
        if side is None:
            _undo_forfeit(desk, at)
            return
        if standing.sides != FORFEITABLE or side not in range(FORFEITABLE):
            raise RuleViolation("forfeit_sides", "Only a table with two sides can be forfeited.")
        if standing.done or standing.tied:
            raise RuleViolation("forfeit_over", "This game is over. Correct its score instead.")
        game = _game_at(desk, at, came=False)
        won = forfeit_points(desk.season, desk.night) if points is None else points
        result = EnterResult((0, won) if side == 0 else (won, 0), 1 - side, CONCEDED)
        write_result(desk, game, result, judge=_give_up)
        at.forfeit = side
        clear_confirmations(at)
        note_at(desk, at, game, "table_forfeited", side=side, after=list(game.totals))


def _give_up(state: Game, result: EnterResult) -> Sequence[ev.Event]:
    if state.lines or state.in_play:
        return decide(state, Concede(result.winner or 0))
    return decide(state, result)


def _undo_forfeit(desk: Desk, at: TableRow) -> None:
    game = desk.session.get_one(GameRow, at.game_id)
    side, at.forfeit = at.forfeit, None
    if (game.ended_by or "").startswith("final"):
        take_away(desk, at, game)
    else:
        clear_confirmations(at)
        write_result(desk, game, EnterResult(()), judge=lambda state, _result: decide(state, Reopen()))
    note_at(desk, at, game, "table_forfeit_undone", side=side)


def forfeit_points(season: SeasonRow, night: NightRow) -> int:
    """Return the points for winning a table by forfeit.

    In a team match, the season's settings say how many. Otherwise, they are those that win a game, or 0 if the night's
    games end after a number of hands.
    """
    if NightPlan.from_json(night.plan).format == TEAM_MATCH.key:
        return PlayoffSettings.from_json(season.playoffs or {}).forfeit
    rules = rules_of(season, night)
    return 0 if rules.finish == "fixed_hands" else rules.target


@use_case
def settle_tie(
    *, night: str, table: int, side: int, points: Sequence[int], device: str, now: datetime | None = None
) -> None:
    """Name the winning side of a tied table (its id). `points` is the score that the user saw, by side.

    Directors, helpers and the phones that score the game may do this. Raises `NoSuchLeagueError` or `NotAllowedError`.
    Raises `RuleViolation` if the game is not tied, the score has changed, or the night is closed.
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
    """Return the names of these people (ids) for their table, in the same order.

    People are named by their nicknames. People without a nickname get their full name, and so do people at the table
    who share a nickname. Someone who was merged into another person has that person's name.
    """
    rows = {row.id: row for row in session.scalars(select(PersonRow).where(PersonRow.id.in_(people)))}
    rows |= {key: session.get_one(PersonRow, row.merged_into) for key, row in rows.items() if row.merged_into}
    called = [rows[person].nickname or rows[person].name for person in people]
    keys = [name.casefold() for name in called]
    return tuple(
        name if keys.count(key) == 1 else rows[person].name
        for person, name, key in zip(people, called, keys, strict=True)
    )


def rules_of(season: SeasonRow, night: NightRow, table: int = 1) -> Ruleset:
    """Return the rules for the games at table number `table` of a night.

    These are the season's rules, and what the format of the night sets (`NightPlan.ending`).
    """
    ending = NightPlan.from_json(night.plan).ending(table)
    return with_options(PRESETS[season.preset], season.options | ending)


def table_set(session: Session, season: SeasonRow, night: NightRow, at: TableRow) -> tuple[Sequence[int], Table]:
    """Return the ids of the people at the table `at`, by seat, and the `Table` that the rules use for its game."""
    seats = select(SeatRow.person_id).where(SeatRow.table_id == at.id).order_by(SeatRow.seat)
    people = session.scalars(seats).all()
    rules = rules_of(season, night, at.number)
    return people, table_at(rules, seating_of(len(people), KIND[at.kind]))


def _game_at(desk: Desk, at: TableRow, client_id: str = "", *, came: bool = True) -> GameRow:
    """Return the game of a table. If the game hasn't started yet, start it.

    A new game belongs to the device that owns the league. The player in the last seat is the first dealer. If the
    people `came`, those who aren't checked in are checked in.
    """
    session, night = desk.session, desk.night
    if at.game_id is not None:
        return session.get_one(GameRow, at.game_id)
    if came:
        check_in_seated(desk, at)
    people, table = table_set(session, desk.season, night, at)
    players = seat_players(session, names_at(session, people), people)
    game = open_game(
        session,
        (ev.GameStarted(table.rules, players, table.sides, len(people) - 1),),
        owner=desk.league.device,
        device=desk.device,
        # A table that was removed with its round can have had the same id.
        client_id=client_id or f"night-{night.public_id}-{at.id}-{night.version}",
        now=desk.now,
    )
    # The bell and the clock belonged to the round before.
    if at.round > last_begun(session, night):
        night.bell_at = night.clock_at = None
    game.elsewhere = True
    at.game_id = game.id
    session.flush()
    return game


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
            raise NoSuchLeagueError
        return load(session, found).game.table, bell
    return table_set(session, session.get_one(SeasonRow, night.season_id), night, at)[1], bell


@use_case
def tell_sets(*, night: str, table: int, sets: Sequence[int] | None, device: str, now: datetime | None = None) -> None:
    """Save how often each side was set at a table (its id) whose final score was entered without hands.

    With None, remove what was entered.

    A side is set if it fails to make its bid. Directors, helpers and the phones that score the game may do this. Once
    the result is locked for phones, a phone can still add missing numbers of sets, but it can't change saved numbers.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for a game with hands, for impossible sets,
    if the phone can no longer change the sets, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        tell_sets_there(at, sets)


def tell_sets_there(at: AtTable, sets: Sequence[int] | None) -> None:
    """Save how often each side of the table `at` was set (failed to make its bid), in the caller's transaction.

    Raises `RuleViolation` as `tell_sets` does.
    """
    before, after = at.row.paper_sets, None if sets is None else list(sets)
    if before == after:
        return
    if not (at.game.ended_by or "").startswith("final"):
        raise RuleViolation("not_final", "Enter the final score first. With hands, sets are counted from them.")
    if sets is not None:
        check_sets(at.game, sets)
    if before is not None and at.standing.fixed and not at.helps:
        raise at.only_desk
    at.row.paper_sets = after
    at.note("sets_told", before=before, after=after)
