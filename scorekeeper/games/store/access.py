"""Decide what a phone may do with a game. No other module decides that.

Let leagues register functions that refuse changes to games, find people, and find the league table of a game.

`games` imports nothing from `leagues`, so `leagues` registers its functions here.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import Protocol

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, bindparam, case, exists, literal, select, union, union_all
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.people.models import HomePhoneRow
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.links import PageLink


class NoSuchGameError(Exception):
    """There is no game with that id, or the phone may not see the game."""


class NotYourGameError(Exception):
    """The phone may watch the game, but its access level is too low for the request."""


class AccessLevel(IntEnum):
    """What a phone may do with a game. A higher level includes all lower levels."""

    STRANGER = 0
    """The phone was given no access, and watching is turned off: the phone may do nothing."""
    WATCHES = 1
    SCORES = 2
    """The phone joined with a score link, or may score at the home table. It may do all that `STARTED` doesn't add."""
    STARTED = 3
    """The phone started the game: it may also delete the game, and decide who else may watch and score."""


class Guarded(Protocol):
    """The fields of a game's row or header that decide the access level of a phone."""

    @property
    def id(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def unwatched_since(self) -> datetime | None: ...


_SCORER = select(literal(AccessLevel.SCORES.value)).where(
    ScorerRow.game_id == bindparam("game"), ScorerRow.device == bindparam("device"), ScorerRow.revoked_at.is_(None)
)
_SENT_AWAY = exists().where(
    ScorerRow.game_id == GameRow.id, ScorerRow.device == HomePhoneRow.device, ScorerRow.revoked_at.is_not(None)
)
_AT_TABLE = (
    select(case((HomePhoneRow.may_score & ~_SENT_AWAY, AccessLevel.SCORES.value), else_=AccessLevel.WATCHES.value))
    .join(GameRow, GameRow.home_table_id == HomePhoneRow.table_id)
    .where(GameRow.id == bindparam("game"), HomePhoneRow.device == bindparam("device"), HomePhoneRow.left_at.is_(None))
)
_LEVELS = union_all(_SCORER, _AT_TABLE)
"""The query for the access levels that a phone was given, both for a game and at the home table of that game.

A phone that was removed from the game has at most `WATCHES` through the home table.
"""


def standing_of(session: Session, game: Guarded, device: str | None) -> AccessLevel:
    """Return the access level of a phone for `game`. `device` is the phone's hash, or None for an unknown phone.

    The level is read from the database on each call, so a removed phone loses its access at once.
    """
    if device and game.device == device:
        return AccessLevel.STARTED
    level = AccessLevel.WATCHES if game.unwatched_since is None else AccessLevel.STRANGER
    return max(level, _given(session, game.id, device)) if device else level


def _given(session: Session, game: int, device: str) -> AccessLevel:
    rows = session.connection().execute(_LEVELS, {"game": game, "device": device})
    return max((AccessLevel(level) for (level,) in rows), default=AccessLevel.STRANGER)


def may_score(session: Session, public_id: str, device: str) -> bool:
    """Return whether the phone `device` started the game or may score it. Returns False if no such game exists."""
    query = select(GameRow.id, GameRow.device).where(GameRow.public_id == public_id)
    game = session.execute(query).first()
    if game is None:
        return False
    return game.device == device or _given(session, game.id, device) >= AccessLevel.SCORES


def admit(session: Session, game: Guarded | None, device: str | None, needs: AccessLevel) -> AccessLevel:
    """Check that a phone has at least the access level `needs` for `game`, and return the phone's level.

    `device` is the phone's hash, or None for an unknown phone. Raises `NoSuchGameError` if `game` is None or the phone
    may not see it. Raises `NotYourGameError` if the phone may watch the game, but has a level below `needs`.
    """
    standing = AccessLevel.STRANGER if game is None else standing_of(session, game, device)
    if standing is AccessLevel.STRANGER:
        raise NoSuchGameError
    if standing < needs:
        raise NotYourGameError
    return standing


def started_by(device: str) -> ColumnElement[bool]:
    """Return the SQL condition that selects the games (`GameRow`) that the phone `device` started."""
    return GameRow.device == device


def listed_at(device: str, most: int, *, shared: bool) -> Select[GameRow]:
    """Return the query for the games on the home page of the phone `device`: the latest `most` games, latest first.

    Without `shared`, these are the games that the phone started, except league games. With `shared`, the query also
    finds games that the phone joined as a scorer and games of its home tables.
    """
    latest = (GameRow.updated_at.desc(), GameRow.id.desc())
    own = select(GameRow.id).where(started_by(device), GameRow.elsewhere.is_(None)).order_by(*latest).limit(most)
    query = select(GameRow).order_by(*latest).limit(most)
    if not shared:
        return query.where(started_by(device), GameRow.elsewhere.is_(None))
    let_in = select(GameRow.id).join(ScorerRow, ScorerRow.game_id == GameRow.id)
    let_in = let_in.where(ScorerRow.device == device, ScorerRow.revoked_at.is_(None)).order_by(*latest).limit(most)
    at_tables = select(GameRow.id).join(HomePhoneRow, HomePhoneRow.table_id == GameRow.home_table_id)
    at_tables = at_tables.where(HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None))
    # One condition with "or" uses no index and would scan every game.
    every = (own, let_in, at_tables.order_by(*latest).limit(most))
    return query.where(GameRow.id.in_(union(*(select(each.subquery().c.id) for each in every))))


Guard = Callable[[Session, int, Game, Game, str, datetime], None]
"""A function that raises `RuleViolation` to refuse a change to a game.

Its arguments are the session, the game's row id, the game before and after the change, the hash of the phone that makes
the change, and the time.
"""

_guards: list[Guard] = []


class FrozenGameError(Exception):
    """A game may not be changed in any way, not even outside of its hands. The argument is the `RuleViolation`."""

    def __init__(self, violation: RuleViolation) -> None:
        """Store the violation, whose message says why."""
        super().__init__(violation)
        self.violation = violation


Closer = Callable[[Session, int, Game, Game, datetime], Sequence[Event]]
"""A function that returns the events that a league adds after a change to a game, such as its end at the bell.

Its arguments are the session, the game's row id, the game before and after the change, and the time of the change. The
change is in the log already. The function raises `RuleViolation` to refuse it.
"""

_closers: list[Closer] = []

Keeper = Callable[[Session, Sequence[int]], None]
"""A function that raises `FrozenGameError` if one of the games (row ids) may not be changed in any way."""

_keepers: list[Keeper] = []


def keeper(function: Keeper) -> Keeper:
    """Register a function that can freeze games of a league, and return the function.

    The function is called before each change that is not part of the hands, such as a photo, a score link or deletion.
    """
    _keepers.append(function)
    return function


def ask_keepers(session: Session, games: Sequence[int]) -> None:
    """Ask each keeper about a change to these games (row ids). Raises `FrozenGameError` if a keeper refuses it."""
    for each in _keepers:
        each(session, games)


class Bell(Struct, frozen=True):
    """What a table still has to do after the bell of its round has rung."""

    says: str
    """A sentence for the phones at the table."""
    end: PageLink | None
    """Address of the form that ends the game with the score as it is; None if another hand has to be played."""
    label: str
    """Label of the button of that form."""


class Clock(Struct, frozen=True):
    """The clock of a round. It runs until the moment `ends` (UTC), for which `says` has a sentence."""

    ends: datetime
    says: str

    @property
    def iso(self) -> str:
        """Return the moment when the time is up, for the attribute of a `<time>` element."""
        return self.ends.isoformat()


class LeagueTable(Struct, frozen=True):
    """A table at a league night, at which a game is played."""

    result: PageLink
    """Link to the page on which the result of the game is entered and confirmed."""
    night: PageLink
    """Link to the page with all tables of the night."""
    desk: PageLink
    """Link to the desk of the night, at the round of the table; only the people who run the night can open it."""
    results: PageLink
    """Link to the results of the night."""
    closed: bool
    """Whether the night is closed."""
    bell: Bell | None = None
    """What to do after the bell; None if it hasn't rung in this round, or if the game is over."""
    clock: Clock | None = None
    """The clock of the round; None if it isn't running, and after the bell."""

    @property
    def mark(self) -> str:
        """Return digits that stand for the bell and the clock, or "" without either. The bell's are the highest."""
        if self.bell is not None:
            return "5"
        return "" if self.clock is None else f"1{int(self.clock.ends.timestamp()) % 100_000:05}"


TableFinder = Callable[[Session, int], LeagueTable | None]
"""A function that takes a game's row id and returns its league table, or None for a game outside a league night."""

_table_finders: list[TableFinder] = []


def guard(function: Guard) -> Guard:
    """Register a function that can refuse changes to games of a league, and return the function.

    The function is called before each change.
    """
    _guards.append(function)
    return function


def ask_guards(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Ask each guard about the change of a game (row id) from the state `before` to the state `after`.

    Raises `RuleViolation` if a guard refuses the change.
    """
    for each in _guards:
        each(session, game, before, after, device, now)


def closer(function: Closer) -> Closer:
    """Register a function that adds events after changes to games of a league, and return the function."""
    _closers.append(function)
    return function


def ask_closers(session: Session, game: int, before: Game, after: Game, happened: datetime) -> tuple[Event, ...]:
    """Return the events to add after the change of a game (row id) from `before` to `after`, made at `happened`.

    Raises `RuleViolation` if a closer refuses the change.
    """
    return tuple(event for each in _closers for event in each(session, game, before, after, happened))


def table_finder(function: TableFinder) -> TableFinder:
    """Register a function that finds the league table of a game, and return the function."""
    _table_finders.append(function)
    return function


def find_league_table(session: Session, game: int) -> LeagueTable | None:
    """Return the league table of a game (row id), or None for a game outside a league night."""
    return next((table for each in _table_finders if (table := each(session, game))), None)


Acquaintance = Callable[[Session, Sequence[int], str], int | None]
"""A function that takes ids of people in a league and a name, and returns the id of the person with that name there.

The ids are those in `PlayerRow.person_id`. The function returns None if the league has no such person, or if the people
with these ids belong to no league.
"""

_acquaintances: list[Acquaintance] = []


def acquaintance(function: Acquaintance) -> Acquaintance:
    """Register a function that finds a person of a league by a typed name, and return the function.

    `find_person` calls the registered functions.
    """
    _acquaintances.append(function)
    return function


def find_person(session: Session, beside: Sequence[int], name: str) -> int | None:
    """Return the row id of the person called `name` in a league, or None if there is no such person.

    `beside` has the row ids of other people in that league. If these people belong to no league, the result is None.
    """
    return next((found for each in _acquaintances if beside and (found := each(session, beside, name))), None)
