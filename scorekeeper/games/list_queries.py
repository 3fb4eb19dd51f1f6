"""Read the games that a phone started or joined, for its home page and other lists.

Read the people of a home table (a group that plays at home), for pages.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from msgspec import Struct
from sqlalchemy import and_, bindparam, exists, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.forms.start import Setup
from scorekeeper.games.logic.new_game import PastGame, by_likelihood
from scorekeeper.games.logic.statistics.table_games import STOPPED
from scorekeeper.games.pages.common import Choice
from scorekeeper.games.pages.start import GameCard, HomePage, ScoreView
from scorekeeper.games.presenters.board import MOST
from scorekeeper.games.presenters.new_game import first_setup
from scorekeeper.games.presenters.snapshot import LETTERS, new_tap_id, no_winner_text
from scorekeeper.games.store.access import listed_at, may_score
from scorekeeper.games.store.models import GameRow, PlayerRow, ScorerRow
from scorekeeper.games.store.series import PAUSE
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import SideName, isolated, join_names, number, said, side_names
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomePhotoRow
from scorekeeper.people.tables import NoSuchPersonError, PersonLook, current_table, folded
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import seatings_for, sides_of
from scorekeeper.web.extensions import db

_NAMES = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(bindparam("players", expanding=True)))


LISTED = 40
"""Maximum number of games in progress, and of finished games, on the home page."""


REMEMBERED = 40
"""Maximum number of names of earlier players that are suggested on a phone."""


DELETED_FOR = timedelta(days=1)
"""How long the home page offers to restore a deleted game."""


def home_page(device: str | None, *, error: str = "") -> HomePage:
    """Return the home page of a phone.

    `device` is the hash of the phone's token, or None for an unknown phone. `error` tells what is wrong with a record
    that the player tried to import, or is "".
    """
    session = db.session()
    rows, own = _rows_of(session, device, shared=True), {row.id for row in _rows_of(session, device)}
    names = _names(session, {player for row in rows for player in row.players})
    cards = [(row, _card(row, names)) for row in rows]
    gone = datetime.now(UTC) - DELETED_FOR
    deleted = [
        (row.deleted_at, card)
        for row, card in cards
        if row.id in own and row.deleted_at is not None and row.deleted_at > gone
    ]
    shown = [(row, card) for row, card in cards if row.deleted_at is None]
    started = [row for row, _card in shown if row.id in own]
    mine = {row.public_id for row in started}
    running = tuple(card for _, card in shown if not card.over)[:LISTED]
    return HomePage(
        running=running,
        resume=next((card for card in running if card.id in mine or may_score(session, card.id, device or "")), None),
        finished=tuple(card for _, card in shown if card.over)[:LISTED],
        last_table=_table_line(started[0], names) if started else "",
        deleted=max(deleted, key=lambda item: item[0])[1] if deleted else None,
        client_id=new_tap_id(),
        error=error,
        unused=sum(row.version == 1 for row in started),
        evening=_last_evening([row for row, card in shown if card.over]),
    )


def _last_evening(rows: Sequence[GameRow]) -> str:
    """Return the public id of the latest game in `rows`, for a link to the page of that game's evening.

    The result is "" if `rows` has no other game of the same home table on that evening, or if the game has no home
    table.
    """
    last = max(rows, key=lambda row: row.started_at, default=None)
    if last is None or last.home_table_id is None:
        return ""
    near = [
        row for row in rows if row.home_table_id == last.home_table_id and last.started_at - row.started_at <= PAUSE
    ]
    return last.public_id if len(near) > 1 else ""


def unused_page(device: str | None) -> SimpleNamespace:
    """Return the page that lists games without scores that the phone `device` started, latest first."""
    session = db.session()
    rows = [row for row in _rows_of(session, device) if row.version == 1 and row.deleted_at is None][:LISTED]
    names = _names(session, {player for row in rows for player in row.players})
    return SimpleNamespace(games=tuple(_card(row, names) for row in rows))


def wall_choice(device: str | None, *, typed: str = "", error: str = "") -> SimpleNamespace:
    """Return the page on which the phone `device` chooses its games for the TV, games in progress first.

    `typed` is what the player typed into the field for games on other phones. `error` tells what is wrong with that
    text, or is "".
    """
    home = home_page(device)
    choices = [
        Choice(
            card.id,
            ", ".join(f"{score.name} {number(score.total)}" for score in card.scores),
            f"{card.game_name}. {card.status}",
            not card.over,
        )
        for card in (*home.running[:MOST], *home.finished[:MOST])
    ]
    return SimpleNamespace(choices=tuple(choices), typed=typed, most=MOST, error=error)


def last_setup(device: str | None) -> Setup:
    """Return the setup of the latest game that the phone `device` started, without its house rules.

    If the phone has started no game, return the default setup.
    """
    session = db.session()
    rows = _rows_of(session, device, 1)
    if not rows:
        return first_setup()
    row = rows[0]
    names = _names(session, row.players)
    preset = PRESETS[row.preset]
    rules = with_options(preset, {key: told for key, told in row.ruleset.items() if key == "called_partner"})
    fitting = seatings_for(rules, len(row.players))
    kinds = [s for s in fitting if [list(side) for side in sides_of(s)] == row.sides]
    seating = kinds[0] if kinds else Seating(len(row.players), "alone")
    teams = tuple(row.side_names or ())
    return Setup(preset, seating, tuple(names[player] for player in row.players), row.dealer, teams=teams)


def last_rules(device: str | None) -> Ruleset | None:
    """Return the house rules of the latest game that the phone `device` started, or None if it had the usual rules."""
    for row in _rows_of(db.session(), device, 1):
        preset = PRESETS[row.preset]
        # Whether a partner is called depends on the seats.
        rules = with_options(preset, {key: told for key, told in row.ruleset.items() if key != "called_partner"})
        return None if rules == preset else rules
    return None


def played_presets(device: str | None) -> tuple[str, ...]:
    """Return the presets of the games that the phone `device` started, as keys, latest first and without duplicates."""
    return tuple(dict.fromkeys(row.preset for row in _rows_of(db.session(), device)))


def last_game(device: str | None) -> str | None:
    """Return the public id of the latest game that the phone `device` started, or None if it has started none.

    Deleted games are ignored.
    """
    rows = _rows_of(db.session(), device, 1)
    return rows[0].public_id if rows else None


def known_names(device: str | None) -> tuple[str, ...]:
    """Return the names of players in the games that the phone `device` started, latest first and without duplicates."""
    session = db.session()
    rows = _rows_of(session, device)
    ids = [player for row in rows for player in row.players]
    names = _names(session, ids)
    return tuple(dict.fromkeys(names[player] for player in ids))[:REMEMBERED]


def _rows_of(
    session: Session, device: str | None, limit: int = 3 * LISTED, *, shared: bool = False
) -> Sequence[GameRow]:
    """Return the latest `limit` games that the phone started, latest first.

    With `shared`, games that the phone joined as a scorer and games of its home tables are included. Deleted games are
    included, unless `limit` is 1.
    """
    if device is None:
        return ()
    query = listed_at(device, limit, shared=shared)
    if limit == 1:
        query = query.where(GameRow.deleted_at.is_(None))
    return session.scalars(query).all()


def _names(session: Session, ids: Iterable[int]) -> Mapping[int, str]:
    return dict(session.connection().execute(_NAMES, {"players": sorted(set(ids))}).all())


def _side_names(row: GameRow, names: Mapping[int, str]) -> Sequence[SideName]:
    return side_names(row.sides, [isolated(names[player]) for player in row.players], row.side_names or ())


def _card(row: GameRow, names: Mapping[int, str]) -> GameCard:
    sides = _side_names(row, names)
    if not row.over:
        dealer = isolated(names[row.players[row.dealer]])
        status = _("Hand %(number)s, %(dealer)s deals", number=row.hands + 1, dealer=dealer)
    elif row.winner is None:
        status = no_winner_text(row.totals, row.ended_by)
    else:
        conceded = row.ended_by == "conceded"
        status = said(
            N_("{side} won by concession") if conceded else N_("{side} {side:won|won}"), side=sides[row.winner]
        )
    if row.over and (row.ended_by or "").startswith("final"):
        status = _("%(status)s. Final score only", status=status)
    scores = tuple(
        ScoreView(LETTERS[index], side.name, row.totals[index], row.winner == index) for index, side in enumerate(sides)
    )
    return GameCard(row.public_id, spoken(PRESETS[row.preset].name), scores, status, row.over, row.updated_at)


def _table_line(row: GameRow, names: Mapping[int, str]) -> str:
    players = join_names([isolated(names[player]) for player in row.players])
    return _("%(game)s: %(players)s", game=spoken(PRESETS[row.preset].name), players=players)


def game_cards(rows: Sequence[GameRow]) -> tuple[GameCard, ...]:
    """Return a card for each of these games, in the same order. A single query reads all names."""
    names = _names(db.session(), {player for row in rows for player in row.players})
    return tuple(_card(row, names) for row in rows)


LOOKED_AT = 300
"""Maximum number of games that are read to sort the people of a home table: the latest games of that table."""
OFFERED_PEOPLE = 16
"""Maximum number of people who are offered for a new game; other names can be typed."""


class TablePerson(Struct, frozen=True):
    """A person of a home table, as pages show them."""

    id: str
    """Public id of the person."""
    name: str
    look: PersonLook
    hidden: bool
    games: int
    """Number of games that count for this person in "Our table" (`logic.statistics.table_games`)."""
    played: bool
    """Whether this person ever had a seat, even in a deleted game; if so, they can't be deleted."""


def people_at(device: str | None, *, preset: str = "", seated: Collection[str] = ()) -> tuple[TablePerson, ...]:
    """Return the people of the current home table of the phone `device`, or () if the phone has no home table.

    Home tables at which the phone may not score don't count. People are ordered by how likely they are to play,
    likeliest first. This depends on the game `preset` and on `seated`, the names of people who have a seat already.
    """
    session = db.session()
    table = current_table(session, device, to_score=True)
    if table is None:
        return ()
    rows = {row.id: (row, photo) for row, photo in _rows(session, table)}
    person = _people_of_players(session, rows)
    games = _games(session, table, person)
    counts = Counter(each for game in games if game.counts for each in game.people)
    names = {folded(name) for name in seated}
    there = [key for key, (row, _photo) in rows.items() if folded(row.name) in names]
    played = set(person.values())
    return tuple(
        _told(*rows[key], games=counts[key], played=key in played)
        for key in by_likelihood(list(rows), games[:LOOKED_AT], preset, there)
    )


def person_at(device: str | None, person: str) -> TablePerson:
    """Return the person with the public id `person` at the current home table of the phone `device`.

    Raises `NoSuchPersonError`.
    """
    found = next((each for each in people_at(device) if each.id == person), None)
    if found is None:
        raise NoSuchPersonError
    return found


def photo_for(device: str | None, photo: str) -> tuple[str, bytes]:
    """Return the content type and the bytes of the photo with the public id `photo`.

    Phones at the person's home table may see the photo. Phones that score a game of that table may see it, too, because
    the board shows it. Watchers must not see it, because watch links are shared in chats. Raises `NoSuchPersonError` if
    there is no such photo, or the phone may not see it.
    """
    session = db.session()
    query = (
        select(HomePersonRow.table_id, HomePhotoRow)
        .join(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
        .where(HomePhotoRow.public_id == photo)
    )
    found = session.execute(query).first()
    if found is None or device is None:
        raise NoSuchPersonError
    at_table = exists().where(
        HomePhoneRow.table_id == found.table_id, HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None)
    )
    lets_in = exists().where(
        ScorerRow.game_id == GameRow.id, ScorerRow.device == device, ScorerRow.revoked_at.is_(None)
    )
    scores = exists().where(GameRow.home_table_id == found.table_id, or_(GameRow.device == device, lets_in))
    if not session.scalar(select(or_(at_table, scores))):
        raise NoSuchPersonError
    row: HomePhotoRow = found.HomePhotoRow
    return row.content_type, row.data


def _rows(session: Session, table: int) -> Sequence[tuple[HomePersonRow, str | None]]:
    """Return the people of a home table with the public ids of their photos, in the order in which they were added."""
    query = (
        select(HomePersonRow, HomePhotoRow.public_id)
        .outerjoin(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
        .where(HomePersonRow.table_id == table, HomePersonRow.joined_into.is_(None))
        .order_by(HomePersonRow.id)
    )
    return [(row, photo) for row, photo in session.execute(query)]


def _people_of_players(session: Session, people: Collection[int]) -> Mapping[int, int]:
    """Return a dict that maps `PlayerRow` ids to the row ids of `people`.

    A person may have several `PlayerRow`s, from different games.
    """
    query = select(PlayerRow.id, PlayerRow.home_person_id).where(PlayerRow.home_person_id.in_(people))
    return {player: person for player, person in session.execute(query) if person is not None}


def _games(session: Session, table: int, person: Mapping[int, int]) -> list[PastGame]:
    """Return the games of a home table, latest first. `person` maps players (`PlayerRow` ids) to people (row ids)."""
    now = datetime.now(UTC)
    query = (
        select(GameRow.preset, GameRow.updated_at, GameRow.players)
        .add_columns(and_(GameRow.over, GameRow.ended_by.is_distinct_from(STOPPED), GameRow.hidden_at.is_(None)))
        .where(GameRow.home_table_id == table, GameRow.deleted_at.is_(None))
        .order_by(GameRow.updated_at.desc(), GameRow.id.desc())
    )
    return [
        PastGame(
            preset,
            (now - updated).days,
            people := frozenset(person[player] for player in players if player in person),
            counts=counts and len(people) == len(players),
        )
        for preset, updated, players, counts in session.execute(query)
    ]


def _told(row: HomePersonRow, photo: str | None, *, games: int, played: bool) -> TablePerson:
    return TablePerson(
        row.public_id, row.name, PersonLook(row.color, row.emoji, photo or ""), row.hidden, games, played
    )
