"""Make a player anonymous: remove the name from the database, and keep results, standings and money.

Permanently delete games outside leagues. Deleting a game on its phone only hides it.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime

from msgspec import Struct
from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import opened, use_case
from scorekeeper.games.store.hand_notes import hold, remove_games, rename, with_company
from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow
from scorekeeper.leagues.calendar.links import switch_off
from scorekeeper.leagues.calendar.service import forget
from scorekeeper.leagues.core.access import person_at, take_charge
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueTextRow, PersonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note, request_key, told_before
from scorekeeper.leagues.privacy.text_fields import ANONYMOUS, Called, Renaming, Text, anonymous_name, called, texts_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db, writing

KIND = "made_anonymous"
"""Kind of the log line about making a player anonymous."""


def is_anonymous(session: Session, person: PersonRow) -> bool:
    """Return True if a person was made anonymous and has not been renamed since."""
    if not ANONYMOUS.fullmatch(person.name) or person.nickname:
        return False
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == person.league_id, LeagueEventRow.kind == KIND)
    return any(data.get("person") == person.public_id for data in session.scalars(query))


def planned(session: Session, person: PersonRow) -> tuple[Called, Renaming]:
    """Return all names of a person, and the `Renaming` by which an anonymous name would replace them.

    The person must not be merged into another.
    """
    taken = session.scalars(select(PersonRow.name).where(PersonRow.league_id == person.league_id)).all()
    told = called(session, person)
    return told, Renaming(told.names, anonymous_name(taken), told.others)


@use_case
def make_anonymous(
    *, person: str, reason: str, device: str, tap: str, titles: bool = True, now: datetime | None = None
) -> str:
    """Remove the names of a person (public id) everywhere in the league, and return the person's new name.

    The names of people merged into that person are removed too. With `titles`, the names are also removed from titles
    (`Text.title`), such as the names of seasons and teams. `tap` is the id of the form. A second call changes nothing
    and returns the same name.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if `reason` is blank.
    """
    with writing() as session:
        row = person_at(session, person)
        league = take_charge(session, row.league_id, device, Role.OWNER, even_off=True)
        session.refresh(row)
        if row.merged_into is not None:
            row = session.get_one(PersonRow, row.merged_into)
        key = request_key(KIND, tap)
        if told_before(session, league, key) is not None or is_anonymous(session, row):
            return row.name
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the league history.", field="reason")
        # Lock the games, because a table may be renaming a player at this moment.
        seated = _games_of(session, row)
        hold(session, seated)
        told, renaming = planned(session, row)
        hold(session, with_company(session, (), told.players) - seated)
        rename(session, told.players, renaming.to)
        texts = [text for text in texts_of(session, row.league_id, told, renaming) if titles or not text.title]
        for each in told.people:
            each.name, each.nickname, each.notes, each.active = renaming.to, "", "", False
        forget(session, [each.id for each in told.people])
        switch_off(session, row)
        session.flush()
        _write(session, told, renaming.to, texts)
        why, when = renaming.in_text(reason.strip()), now or datetime.now(UTC)
        note(session, league, KIND, device=device, now=when, reason=why, key=key, person=row.public_id)
        return renaming.to


def _games_of(session: Session, person: PersonRow) -> set[int]:
    ids = select(PersonRow.id).where((PersonRow.id == person.id) | (PersonRow.merged_into == person.id))
    query = (
        select(TableRow.game_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(SeatRow.person_id.in_(ids), TableRow.game_id.is_not(None))
    )
    return {game for game in session.scalars(query) if game is not None}


def _write(session: Session, told: Called, to: str, texts: Sequence[Text]) -> None:
    """Replace every former name of a person in the league's log with `to`, and save the reworded `texts`.

    `told` has the person's former names. In `texts`, the names have already been replaced.
    """
    own = [person.id for person in told.people]
    for row in session.scalars(select(LeagueTextRow).where(LeagueTextRow.person_id.in_(own))):
        row.text = "…" if row.key.startswith("nickname") else to
    adjusted = any(text.model is EventRow for text in texts)
    with opened(session, EventRow.__tablename__) if adjusted else nullcontext():
        for text in texts:
            text.write(session)


class NotToForgetError(Exception):
    """A game to delete doesn't exist or belongs to a league. The argument is the game's public id."""


class Forgettable(Struct, frozen=True):
    """A game that may be deleted, with enough details for the operator to recognize it."""

    public_id: str
    started_at: datetime
    hands: int
    names: tuple[str, ...]
    """Names of the players, in seat order."""


def named(*, games: Sequence[str]) -> tuple[Forgettable, ...]:
    """Return the games (public ids) that `forget_games` would delete. Raises `NotToForgetError` in the same cases."""
    session = db.session()
    return _told(session, [_one(session, public_id, lock=False) for public_id in dict.fromkeys(games)])


def deleted(*, before: datetime) -> tuple[Forgettable, ...]:
    """Return the games that `forget_deleted` would permanently delete with the same `before`."""
    session = db.session()
    return _told(session, session.scalars(_deleted(before)).all())


def _told(session: Session, games: Sequence[int]) -> tuple[Forgettable, ...]:
    told = []
    for game in games:
        row = session.get_one(GameRow, game)
        names = tuple(session.get_one(PlayerRow, player).name for player in row.players)
        told.append(Forgettable(row.public_id, row.started_at, row.hands, names))
    return tuple(told)


def _one(session: Session, public_id: str, *, lock: bool) -> int:
    query = select(GameRow.id).where(GameRow.public_id == public_id)
    game = session.scalars(query.with_for_update() if lock else query).first()
    table = select(TableRow.id).where(TableRow.game_id == game)
    if game is None or session.scalars(table).first() is not None:
        raise NotToForgetError(public_id)
    return game


def _deleted(before: datetime) -> Select[int]:
    of_league = exists().where(TableRow.game_id == GameRow.id)
    # "IS NOT NULL" is what the partial index needs.
    deleted = (GameRow.deleted_at.is_not(None), GameRow.deleted_at < before)
    return select(GameRow.id).where(*deleted, ~of_league).order_by(GameRow.deleted_at, GameRow.id)


@use_case
def forget_deleted(*, before: datetime) -> int:
    """Permanently delete the games outside leagues that players deleted before the time `before`.

    Return how many games were deleted.
    """
    with writing() as session:
        games = session.scalars(_deleted(before)).all()
        remove_games(session, games)
        return len(games)


@use_case
def forget_games(*, games: Sequence[str]) -> int:
    """Permanently delete these games (public ids), even if players had not deleted them. Return how many were deleted.

    Raises `NotToForgetError` and deletes nothing if one of the games doesn't exist or belongs to a league.
    """
    with writing() as session:
        ids = [_one(session, public_id, lock=True) for public_id in dict.fromkeys(games)]
        remove_games(session, ids)
        return len(ids)
