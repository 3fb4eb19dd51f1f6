"""Start, import and score games, and change their players. Each public function is one use case and one transaction."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from secrets import SystemRandom

from msgspec import Struct, structs
from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import keyed_use_case
from scorekeeper.games.logic.final_scores import FIELD as TEAM_NAMES
from scorekeeper.games.logic.final_scores import check_team_names
from scorekeeper.games.logic.new_game import Seats, change_partners, draw_partners, draw_seats
from scorekeeper.games.logic.play_times import events_of, played_in, times_of
from scorekeeper.games.logic.reconcile import sender_id
from scorekeeper.games.services.creation import (
    give_to_starter,
    home_table,
    open_game,
    play_again,
    seat_players,
    table_of_rematch,
)
from scorekeeper.games.services.house_rules import keep
from scorekeeper.games.services.recovery import add_code
from scorekeeper.games.store.access import AccessLevel, admit, find_league_table, find_person, started_by
from scorekeeper.games.store.event_store import GameHeader, append, check_length, find, load, read_ahead, taps_of
from scorekeeper.games.store.hand_notes import IN_RECORD, put_noted
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.tables import people_called
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import Command, RenamePlayer, ReplacePlayer, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import Record, check_name
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Sides, seat_after
from scorekeeper.web.extensions import writing

RULES_NAME = "x_house_rules"
"""Field of a record that only this app uses: the name under which its house rules were saved."""


RESEATED: Mapping[str, Callable[[Seats], Seats]] = {
    "": lambda seats: seats,
    "swap": change_partners,
    "partners": lambda seats: draw_partners(seats, SystemRandom()),
    "seats": lambda seats: draw_seats(seats, SystemRandom()),
}
"""Maps the ways to sit down for a rematch, by form value, to functions that move the players. "" keeps the seats."""


class StaleError(Exception):
    """The page from which the request was sent showed an outdated version of the game, so nothing was saved."""


class ReusedError(Exception):
    """The request has the id of an earlier request, but different content, so nothing was saved."""

    def __init__(self, number: int | None = None) -> None:
        super().__init__(number)
        self.number = number
        """Number of the hand that was refused, if the request sent several hands; else None."""


class LeagueGameError(RuleViolation):
    """A rematch of a league game can't be started, because it would not count in the league."""

    def __init__(self) -> None:
        told = Phrase("Another game at this table wouldn't count for the league. To play on for fun, start a new game.")
        super().__init__("league_game", told)


class ClientRequest(Struct, frozen=True):
    """A request that changes a game, with the phone that sent it, its key, and the version that its page showed."""

    device: str
    """Hash of the phone's secret."""
    key: str
    """The request key: a second request with the same key changes nothing."""
    version: int | None = None
    """The version of the game that the page showed; None if it showed none."""
    game_id: str = ""
    """The id for a game that this request starts; empty for a random one."""
    happened: datetime | None = None
    """When the player made the change, on a phone without a signal; None if just now."""


@keyed_use_case
def start_game(
    *,
    rules: Ruleset,
    names: Sequence[str],
    sides: Sides,
    first_dealer: int,
    request: ClientRequest,
    teams: Sequence[str] = (),
    now: datetime | None = None,
) -> str:
    """Start a game with the players `names`, by seat, and return its public id.

    A repeated request starts no second game and returns the same id. `sides` has the seats of each side. `teams` has
    the team names by side, or is empty.
    """
    with writing() as session:
        started = _started_by(session, request)
        if started is not None:
            return started
        moment = now or datetime.now(UTC)
        home = home_table(session, request.device, moment)
        people = people_called(session, home, names, moment)
        players = seat_players(session, [each.name for each in people], at_home=[each.id for each in people])
        event = ev.GameStarted(rules, players, sides, first_dealer)
        return _open(session, (event,), request, moment, home, teams)


@keyed_use_case
def import_game(
    *, record: Record, request: ClientRequest, offset: timedelta = timedelta(), now: datetime | None = None
) -> str:
    """Import a game record as a game of this phone, and return the public id of the game.

    The game is dated when the record says that it was played. `offset` is the phone's local time less UTC and less 5
    hours, for a record without a time zone. Raises `RuleViolation` if the record is too long, or its dates can't be.
    """
    table = record.table
    moment = now or datetime.now(UTC)
    # Other writers wait for the transaction, so the slow part comes before it, with seats in place of players.
    seats = tuple(range(table.players))
    extra = {key: value for key, value in record.extra.items() if key != IN_RECORD}
    start = ev.GameStarted(table.rules, seats, table.sides, record.first_dealer, extra)
    happened = events_of(record)
    check_length(1 + len(happened))
    game = replay((start, *happened))
    times = times_of((start, *happened), *played_in(record, offset, moment), moment)
    with writing() as session:
        imported = _started_by(session, request)
        if imported is not None:
            return imported
        home = home_table(session, request.device, moment)
        people = people_called(session, home, record.names, moment)
        players = seat_players(session, record.names, at_home=[each.id for each in people])
        _keep_rules(session, record, request, moment)
        events = (replace(start, players=players), *happened)
        game = replace(game, players=players)
        public_id = _open(session, events, request, moment, home, _teams_of(record), game, times)
        if noted := record.extra.get(IN_RECORD):
            put_noted(session, public_id, events, noted)
        return public_id


@keyed_use_case
def act(*, public_id: str, command: Command, request: ClientRequest, now: datetime | None = None) -> Game:
    """Carry out `command` on a game, and return the game afterwards.

    A repeated request changes nothing. Raises `NoSuchGameError`, `NotYourGameError`, `StaleError`, `ReusedError`, or
    `RuleViolation`.
    """
    read_ahead(public_id)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if done_before(session, found, game, request):
            return game
        events = decide(game, command)
        _leave_disputes(game, events)
        return add_events(session, found, game, events, request, now)


@keyed_use_case
def name_players(*, public_id: str, names: Sequence[str], request: ClientRequest, now: datetime | None = None) -> Game:
    """Set the players' names, by seat, and return the game afterwards.

    Each changed name adds one event to the log. Raises what `act` raises.
    """
    read_ahead(public_id)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if done_before(session, found, game, request):
            return game
        checked = distinct_names(names)
        there = _players(session, game)
        changed = [seat for seat, name in enumerate(checked) if name != there[seat].name]
        people = [_person(session, there, checked[seat]) or there[seat].person_id for seat in changed]
        others = [row for seat, row in enumerate(there) if seat not in changed]
        new_names = [checked[seat] for seat in changed]
        ids = seat_players(session, new_names, people, _at_home(session, found, new_names, others, now))
        events = [
            event
            for seat, player in zip(changed, ids, strict=True)
            for event in decide(game, RenamePlayer(seat, player))
        ]
        return add_events(session, found, game, events, request, now)


@keyed_use_case
def replace_player(
    *, public_id: str, seat: int, name: str, request: ClientRequest, now: datetime | None = None
) -> Game:
    """Let a new player called `name` take over a seat and its score, and return the game afterwards.

    Raises what `act` raises.
    """
    read_ahead(public_id)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if done_before(session, found, game, request):
            return game
        there = _players(session, game)
        names = [player.name for player in there]
        if not 0 <= seat < len(names):
            raise RuleViolation("seat", "There is no such seat at this table.", field="seat")
        if check_name(name) == names[seat]:
            return game
        distinct_names([*names[:seat], name, *names[seat + 1 :]])
        checked = check_name(name)
        at_home = _at_home(session, found, [checked], [*there[:seat], *there[seat + 1 :]], now)
        (player,) = seat_players(session, [checked], [_person(session, there, checked)], at_home)
        return add_events(session, found, game, decide(game, ReplacePlayer(seat, player)), request, now)


def _at_home(
    session: Session, found: GameHeader, names: Sequence[str], others: Sequence[PlayerRow], now: datetime | None
) -> list[int]:
    """Return the row ids of the people called `names` at the game's home table, in the same order.

    People who are already seated as one of `others` are skipped. For a name without a matching person, a new person is
    added to the table. Returns an empty list for a game without a home table.
    """
    home = session.scalar(select(GameRow.home_table_id).where(GameRow.id == found.id))
    seated = {row.home_person_id for row in others if row.home_person_id is not None}
    people = () if home is None else people_called(session, home, names, now or datetime.now(UTC), seated)
    return [person.id for person in people]


def _players(session: Session, game: Game) -> list[PlayerRow]:
    """Return the current players of a game, by seat."""
    rows = {row.id: row for row in session.scalars(select(PlayerRow).where(PlayerRow.id.in_(game.players)))}
    return [rows[player] for player in game.players]


def _person(session: Session, there: Sequence[PlayerRow], name: str) -> int | None:
    return find_person(session, [player.person_id for player in there if player.person_id is not None], name)


@keyed_use_case
def rematch(
    *,
    public_id: str,
    request: ClientRequest,
    first_dealer: int | None = None,
    seats: str = "",
    now: datetime | None = None,
) -> str:
    """Start another game with the same rules and players, and return its public id.

    `seats` says where they sit, a key of `RESEATED`. In other seats, partners have no team name.

    `first_dealer` is the seat that deals first, as chosen on a phone that started the new game offline. If it is None,
    the player whose turn to deal it is after the previous game deals first. The main phone of the previous game also
    becomes the main phone of the new game. The same phones may score and watch. If the new game is played on the same
    night, it continues the series. Raises `LeagueGameError` for a game of a league night, and `RuleViolation` for
    unknown `seats`.
    """
    read_ahead(public_id)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        started = _started_by(session, request, found.device)
        if started is not None:
            return started
        if found.elsewhere and find_league_table(session, found.id):
            raise LeagueGameError
        if seats not in RESEATED:
            raise RuleViolation("seat", "There is no such seat at this table.", field="seats")
        dealer = _rematch_dealer(game) if first_dealer is None else first_dealer
        moved = RESEATED[seats](Seats(tuple(map(str, range(game.table.players))), dealer))
        moment = now or datetime.now(UTC)
        home = table_of_rematch(session, found.id, moment)
        players = _players_at(session, found, game, home, moment)
        players = tuple(players[int(seat)] for seat in moved.names)
        event = ev.GameStarted(game.table.rules, players, game.table.sides, moved.dealer)
        return play_again(
            session,
            structs.replace(found, side_names=None) if seats else found,
            (event,),
            device=request.device,
            client_id=request.key,
            now=moment,
            public_id=request.game_id,
            happened=request.happened,
            home=home,
        )


def _players_at(session: Session, before: GameHeader, game: Game, home: int | None, now: datetime) -> tuple[int, ...]:
    """Return the players of a rematch, as `PlayerRow` ids by seat.

    `before` and `game` are the previous game. `home` is the row id of the new game's home table. If both games have the
    same home table, or neither has one, the players of the previous game are returned. Otherwise the players are people
    of `home` with the same names.
    """
    earlier = session.scalar(select(GameRow.home_table_id).where(GameRow.id == before.id))
    if home is None or earlier == home:
        return game.players
    people = people_called(session, home, [player.name for player in _players(session, game)], now)
    return seat_players(session, [each.name for each in people], at_home=[each.id for each in people])


def distinct_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the names without spaces around them.

    Raises `RuleViolation` (field "name-<seat>") for an invalid or repeated name.
    """
    checked: list[str] = []
    for seat, name in enumerate(names):
        try:
            trimmed = check_name(name)
        except RuleViolation as violation:
            raise RuleViolation(violation.code, violation.message, field=f"name-{seat}") from None
        if trimmed.casefold() in (other.casefold() for other in checked):
            message = Phrase("Two players are named %(name)s. Add an initial.", name=trimmed)
            raise RuleViolation("name_twice", message, field=f"name-{seat}")
        checked.append(trimmed)
    return tuple(checked)


def game_for(session: Session, public_id: str, request: ClientRequest) -> tuple[GameHeader, Game]:
    """Lock a game, and return its header and its current state.

    Raises what `admit` raises if the phone that sent the request may not score the game.
    """
    found = find(session, public_id, to_write=True)
    admit(session, found, request.device, AccessLevel.SCORES)
    assert found is not None
    return found, load(session, found).game


def _leave_disputes(game: Game, events: Sequence[ev.Event]) -> None:
    """Raise `RuleViolation` if `events` would change or delete a hand in dispute."""
    for event in events:
        if isinstance(event, ev.HandCorrected | ev.HandVoided) and game.entry(event.seq).disputes:
            raise RuleViolation("in_dispute", "Two phones disagree on this hand. Settle that first.")


def done_before(session: Session, found: GameHeader, game: Game, request: ClientRequest) -> bool:
    """Return whether the log already has this request.

    Raises `StaleError` if the request is new, but its page showed an outdated version of the game. Also raises
    `StaleError` if the request was logged only as a report, so that a repeated request gets the same response. Raises
    `ReusedError` if a request in the log has the same id but different content.
    """
    kind = kind_before(session, found, request)
    if kind is not None and kind != ev.HandReported.__name__:
        return True
    if kind is None and (request.version is None or game.stands_at(request.version)):
        return False
    raise StaleError


def kind_before(session: Session, found: GameHeader, request: ClientRequest) -> str | None:
    """Return the kind of event that this request already added to the log, or None for a new request.

    Raises `ReusedError` if a request in the log has the same id but different content.
    """
    taps = taps_of(session, found, sender_id(request.key))
    if taps and request.key not in taps:
        raise ReusedError
    return taps.get(request.key)


def add_events(
    session: Session,
    found: GameHeader,
    game: Game,
    events: Sequence[ev.Event],
    request: ClientRequest,
    now: datetime | None,
) -> Game:
    """Add `events` to the log of a game, save the key of `request` with them, and return the changed game."""
    if not events:
        return game
    when = now or datetime.now(UTC)
    return append(session, found, game, events, device=request.device, client_id=request.key, now=when)


def _started_by(session: Session, request: ClientRequest, owner: str | None = None) -> str | None:
    """Return the public id of the game that the same request already started, or None for a new request.

    `owner` is the phone that owns the game. If it is None, the phone that sent the request owns the game.

    A phone that lost the response to its first request also lost its new cookie. The server then doesn't recognize the
    phone when it asks again. Such a phone becomes the main phone of the game again.
    """
    same = GameRow.client_id == request.key
    # Without an id only the phone's own games count; "no id" in the query would make the database look at all games.
    named = [GameRow.public_id == request.game_id] if request.game_id else []
    own = and_(started_by(owner or request.device), or_(same, *named))
    lost = [and_(named_so, same) for named_so in named]
    row = session.scalars(select(GameRow).where(or_(own, *lost))).first()
    if row is None:
        return None
    if row.device != (owner or request.device):
        give_to_starter(session, row, request.device, datetime.now(UTC))
    return row.public_id


def _open(
    session: Session,
    events: Sequence[ev.Event],
    request: ClientRequest,
    now: datetime,
    home: int,
    teams: Sequence[str],
    game: Game | None = None,
    times: Sequence[datetime] = (),
) -> str:
    row = open_game(
        session,
        events,
        owner=request.device,
        device=request.device,
        client_id=request.key,
        now=now,
        game=game,
        public_id=request.game_id,
        times=times or ([request.happened] * len(events) if request.happened else ()),
        home=home,
        teams=teams,
    )
    add_code(session, row.id, now)
    return row.public_id


def _teams_of(record: Record) -> tuple[str, ...]:
    """Return the team names in a record, by side, or () if they are missing or invalid."""
    told = record.extra.get(TEAM_NAMES)
    with contextlib.suppress(RuleViolation):
        return check_team_names(told, record.table.sides) if isinstance(told, list) else ()
    return ()


def _keep_rules(session: Session, record: Record, request: ClientRequest, now: datetime) -> None:
    """Save the house rules of an imported record under the name given in the record.

    House rules that can't be saved are skipped, and the import still succeeds.
    """
    name = record.extra.get(RULES_NAME)
    with contextlib.suppress(RuleViolation):
        if name is not None:
            keep(session, device=request.device, name=check_name(name), rules=record.table.rules, now=now)


def _rematch_dealer(game: Game) -> int:
    """Return the seat that deals first in a rematch.

    The next seat clockwise after the last dealer deals first. After a game without hands, the same seat deals first
    again.
    """
    last = game.last_hand
    return seat_after(game.table, last.entry.hand.dealer) if last else game.first_dealer
