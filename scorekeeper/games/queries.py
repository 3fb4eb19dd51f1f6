"""Read games from the database and return view models, never database rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from types import SimpleNamespace

from msgspec import structs
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.reconcile import HandPair, late_pair
from scorekeeper.games.pages.common import Choice, OtherPhone, SettlementPage, Sharing
from scorekeeper.games.presenters.agreements import night_settlement_page
from scorekeeper.games.presenters.board import board_page, race_view, sheet_rows
from scorekeeper.games.presenters.evening import EveningPage, evening_page
from scorekeeper.games.presenters.history import LogPage, TablePage, log_page
from scorekeeper.games.presenters.odds import odds_view
from scorekeeper.games.presenters.rules_of_play import coke_hand_text
from scorekeeper.games.presenters.share_links import handed_on
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id, seat_views, side_views
from scorekeeper.games.services.hands import game_seen, phones_of, roles_of, seat_of, unseen_of
from scorekeeper.games.services.house_rules import own_play
from scorekeeper.games.services.recovery import code_of, spelled
from scorekeeper.games.services.sharing import LINK_LASTS
from scorekeeper.games.store.access import AccessLevel, LeagueTable, NoSuchGameError, admit, find_league_table
from scorekeeper.games.store.audit import names_of, notes_of, phone_name, writers_of
from scorekeeper.games.store.event_store import GameHeader, events_of, find, load, read_ahead, writer_of
from scorekeeper.games.store.hand_notes import notes_on_hands, photo_on_hand
from scorekeeper.games.store.models import NoteRow, PlayerRow, ScoreLinkRow, ScorerRow
from scorekeeper.games.store.series import games_of_evening, mark_of, tally_of, version_text
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import SideName, said
from scorekeeper.people.models import HomePersonRow, HomePhotoRow
from scorekeeper.people.tables import PersonLook
from scorekeeper.rules.commands import Command
from scorekeeper.rules.events import HandScored, HandThrownIn
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db

_LOOKS = (
    select(PlayerRow.id, PlayerRow.name, HomePersonRow.color, HomePersonRow.emoji, HomePhotoRow.public_id)
    .outerjoin(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
    .outerjoin(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
    .where(PlayerRow.id.in_(bindparam("players", expanding=True)))
)


def snapshot_of(public_id: str, device: str | None, needs: AccessLevel = AccessLevel.WATCHES) -> Snapshot:
    """Return a game as the phone `device` may see it. `device` is a hash, or None for an unknown phone.

    `needs` is the access level that the phone must have. Raises the errors of `access.admit`.
    """
    found, standing = _admitted(public_id, device, needs)
    snapshot = read_game(public_id, found, standing)
    if not any(line.entry.disputes or line.entry.settled for line in snapshot.game.hands):
        return snapshot
    session, game = db.session(), snapshot.game
    roles = roles_of(session, found, game, device)
    unseen = unseen_of(session, found, game, device) if snapshot.mine else ()
    return replace(snapshot, roles=roles, unseen=unseen)


def watched_version(public_id: str) -> str:
    """Return the version text of a watched game, which changes whenever the game changes.

    Changes in other games of the same series don't change this text. Raises `NoSuchGameError`.
    """
    found = _admitted(public_id, None)[0]
    return version_text(found.version, found.renamed)


def watched_board(public_id: str) -> str:
    """Return the version text of the board of a watched game, which changes whenever the game changes.

    If the game belongs to a series, changes in other games of the series change this text, too. Raises
    `NoSuchGameError`.
    """
    found = _admitted(public_id, None)[0]
    word = version_text(found.version, found.renamed)
    return f"{word}-{mark_of(db.session(), found.id)}" if found.linked else word


def game_ahead(public_id: str, version: int) -> Game | None:
    """Return a game at `version` or later, or None if there is no such game.

    The game is read from the cache in memory. If the cached game is older than `version`, the game is read from the
    database.
    """
    loaded = read_ahead(public_id, version)
    return None if loaded is None else loaded.game


def late_pair_since(
    snapshot: Snapshot, device: str | None, version: int, command: Callable[[Game], Command]
) -> HandPair | None:
    """Pair a hand from the phone `device`, which was out of date, with the saved hand of the same number.

    `version` is the version of the game that the phone saw. `command` takes the game at that version, and returns the
    command that enters the phone's hand. Return None if no hand with that number was saved after `version`. Raises
    `RuleViolation` for an impossible hand.
    """
    then = game_seen(snapshot.public_id, version)
    pair = None if then is None else late_pair(then, snapshot.game, command(then))
    session = db.session()
    found = find(session, snapshot.public_id)
    if pair is None or found is None:
        return pair
    return structs.replace(pair, phones=phones_of(session, found, pair.saved.seq, device or ""))


def log_of(snapshot: Snapshot, *, before: int | None = None, most: int | None = None) -> LogPage:
    """Return the log page of a game, newest entries first.

    The entries are numbered from the oldest. If `before` is given, only entries before that number are used. If `most`
    is given, the page has only the latest `most` of these entries. Raises `NoSuchGameError` if the game was deleted
    after `snapshot` was read.
    """
    found = find(db.session(), snapshot.public_id)
    if found is None:
        raise NoSuchGameError
    session = db.session()
    notes, writers = notes_of(session, found.id), writers_of(session, found)
    phones = names_of(session, found, writers, notes, snapshot.names)
    log = events_of(session, found, until=snapshot.game.version)
    return log_page(snapshot, log, notes, writers, phones, before=before, most=most)


def seconds_since_last_hand(snapshot: Snapshot, now: datetime | None = None) -> float:
    """Return the seconds since the last hand that counts was saved, or infinity if no hand counts."""
    last = snapshot.game.last_hand
    found = find(db.session(), snapshot.public_id)
    if last is None or found is None:
        return inf
    saved = events_of(db.session(), found, since=last.entry.seq)[0].when
    return ((now or datetime.now(UTC)) - saved).total_seconds()


def untouched(public_id: str) -> bool:
    """Return whether nothing has happened in a game since it was started.

    Such a game can be used instead of starting another one.
    """
    found = find(db.session(), public_id)
    return found is not None and found.version == 1


def table_page(
    snapshot: Snapshot,
    names: Sequence[str],
    *,
    error: str = "",
    watch_url: str = "",
    key: str = "",
) -> TablePage:
    """Return the game menu.

    `names` are suggestions for a substitute. `watch_url` is the address for watching the game, or "" if watching is
    off. `key` is the installation's secret key, from which the page makes the backup code. Only the phone that started
    the game gets the backup code.
    """
    game, sides = snapshot.game, snapshot.sides
    return TablePage(
        game_id=snapshot.public_id,
        title=_("Game menu"),
        seats=seat_views(game, snapshot.names),
        sides=side_views(game, sides),
        known_names=tuple(names),
        over=game.over,
        may_misdeal=not game.over,
        coke_hand=coke_hand_text(game.table.rules),
        concessions=tuple(
            Choice(str(index), _concession(game, sides, index)) for index in range(len(sides)) if not game.over
        ),
        version=game.version,
        client_id=new_tap_id(),
        error=error,
        watch_url=watch_url,
        sharing=_sharing(snapshot),
        code=spelled(code_of(snapshot.public_id, key)) if snapshot.started and key else "",
        handed_on=handed_on(snapshot),
        fresh=not (game.over or game.lines or game.in_play),
        league=snapshot.league,
    )


def _sharing(snapshot: Snapshot) -> Sharing | None:
    """Return the other phones that keep score of a game, or None if this phone is not the main phone of the game."""
    if not snapshot.started:
        return None
    session = db.session()
    found = find(session, snapshot.public_id)
    assert found is not None
    phones = select(ScorerRow).where(ScorerRow.game_id == found.id, ScorerRow.revoked_at.is_(None))
    links = select(ScoreLinkRow).where(
        ScoreLinkRow.game_id == found.id, ScoreLinkRow.used_at.is_(None), ScoreLinkRow.revoked_at.is_(None)
    )
    taken_over = select(NoteRow.at).where(NoteRow.game_id == found.id, NoteRow.kind == "code_used")
    moments = set(session.scalars(taken_over))
    made = [row.made_at for row in session.scalars(links) if datetime.now(UTC) - row.made_at < LINK_LASTS]
    return Sharing(
        phones=tuple(
            OtherPhone(row.id, "" if row.seat is None else snapshot.names[row.seat], row.since, row.since in moments)
            for row in session.scalars(phones.order_by(ScorerRow.id))
        ),
        link_made=max(made, default=None),
    )


def times_of(public_id: str) -> tuple[datetime, ...]:
    """Return when each event in the log of a game happened (UTC). Raises `NoSuchGameError`."""
    session = db.session()
    found = find(session, public_id)
    if found is None:
        raise NoSuchGameError
    return tuple(logged.when for logged in events_of(session, found))


def join_page(public_id: str, secret: str) -> SimpleNamespace:
    """Return the page that asks for confirmation before this phone joins a game as a scorer.

    `secret` is the token of the score link. Raises `NoSuchGameError`.
    """
    found = find(db.session(), public_id)
    if found is None:
        raise NoSuchGameError
    snapshot = read_game(public_id, found, AccessLevel.WATCHES)
    board = board_page(snapshot)
    return SimpleNamespace(secret=secret, game_name=board.game_name, sides=board.sides, seats=board.seats)


def race_page(snapshot: Snapshot) -> SimpleNamespace:
    """Return the page with the score chart of a game and its hands."""
    game = snapshot.game
    return SimpleNamespace(
        game_id=snapshot.public_id,
        title=_("Score chart"),
        sides=side_views(game, snapshot.sides),
        # The chart; None before the first hand, and for a game entered as a final score.
        race=race_view(game, snapshot.sides),
        rows=sheet_rows(game, snapshot.sides, snapshot.names, snapshot.hand_notes),
        may_score=snapshot.mine,
        # The win probabilities in short, if the game is over and has them; else None.
        odds=odds_view(snapshot),
    )


def evening_of(public_id: str, device: str | None, now: datetime | None = None) -> EveningPage:
    """Return the page of the evening on which a game was played, with the games that the phone `device` may see.

    Raises the errors of `access.admit` if the phone may not score the game `public_id`.
    """
    session = db.session()
    _admitted(public_id, device, AccessLevel.SCORES)
    assert device is not None
    games = games_of_evening(session, public_id, device)
    return evening_page(public_id, games, now or datetime.now(UTC))


def night_settlement(public_id: str, device: str | None, fields: Mapping[str, str], *, asked: bool) -> SettlementPage:
    """Return the page that settles the evening of a game, with the games that the phone `device` may see.

    Raises the errors of `access.admit` if the phone may not score the game `public_id`.
    """
    session = db.session()
    _admitted(public_id, device, AccessLevel.SCORES)
    assert device is not None
    return night_settlement_page(public_id, games_of_evening(session, public_id, device), fields, asked=asked)


def hand_photo(public_id: str, device: str | None, seq: int, key: str) -> bytes | None:
    """Return the photo of the hand at log position `seq`, or None if the hand has no photo with that `key`.

    Raises the errors of `access.admit` if the phone `device` may not watch the game.
    """
    found, _standing = _admitted(public_id, device)
    return photo_on_hand(db.session(), found.id, seq, key)


def _admitted(
    public_id: str, device: str | None, needs: AccessLevel = AccessLevel.WATCHES
) -> tuple[GameHeader, AccessLevel]:
    session = db.session()
    found = find(session, public_id)
    standing = admit(session, found, device, needs)
    assert found is not None
    return found, standing


def read_game(public_id: str, found: GameHeader, standing: AccessLevel) -> Snapshot:
    """Return the current state of the game `found`, for a phone with the access level `standing`."""
    session = db.session()
    loaded = load(session, found)
    names, looks = _looks(session, loaded.seated, photos=standing >= AccessLevel.SCORES)
    own = own_play(session, found.device, loaded.game.table)
    return Snapshot(
        public_id=public_id,
        game=loaded.game,
        names_by_id=names,
        looks_by_id=looks,
        mine=standing >= AccessLevel.SCORES,
        started=standing is AccessLevel.STARTED,
        watched=found.unwatched_since is None,
        updated=found.updated_at,
        latest=loaded.latest,
        began=found.began,
        tally=tally_of(session, found.id, loaded.game) if found.linked else (),
        league=find_league_table(session, found.id) if found.elsewhere else None,
        teams=tuple(found.side_names or ()),
        shows_odds=bool(found.shows_odds),
        # A game without any change beside its log has none, and needs no query.
        hand_notes={} if found.renamed is None else notes_on_hands(session, found.id),
        learned=own.guesses if standing >= AccessLevel.SCORES else {},
        # A league's night compares games of many tables, by the same chances for all.
        own=None if found.elsewhere else own.hands,
    )


def _looks(session: Session, ids: Iterable[int], *, photos: bool) -> tuple[Mapping[int, str], Mapping[int, PersonLook]]:
    """Return two dicts by player id: the names of the players, and what is shown beside each name.

    A color, an emoji or a photo may be shown beside a name. Photos are included only with `photos`.
    """
    rows = session.connection().execute(_LOOKS, {"players": sorted(set(ids))}).all()
    looks = {
        player: PersonLook(color or "", emoji or "", (photo or "") if photos else "")
        for player, _name, color, emoji, photo in rows
    }
    return {player: name for player, name, *_look in rows}, looks


def _concession(game: Game, sides: Sequence[SideName], winner: int) -> str:
    if len(sides) == 2:
        template = N_("{other} {other:concede|concedes}: {side} {side:win|wins}")
        return said(template, other=sides[1 - winner], side=sides[winner])
    return _("Everyone concedes to %(side)s", side=sides[winner].name)


def _news_of_round(table: LeagueTable, shown: str) -> str:
    """Return a sentence about the bell or the clock; `shown` is the table's mark before the change."""
    if table.bell is not None:
        return table.bell.says
    if table.clock is not None:
        return table.clock.says
    return _("The clock was stopped.") if shown.startswith("1") else _("The bell was undone. Keep playing.")


def news_since(public_id: str, device: str | None, version: int, mark: str = "") -> str:
    """Return a sentence about the latest change of a game, or "" if the game is still at `version`.

    `version` is the version that the phone shows, and `mark` is what it shows of the bell and the clock of a league
    night (`LeagueTable.mark`). Raises the errors of `access.admit` if the phone `device` may not score the game.
    """
    session = db.session()
    found, standing = _admitted(public_id, device, AccessLevel.SCORES)
    if found.version == version:
        table = find_league_table(session, found.id) if found.elsewhere else None
        return "" if table is None or table.mark == mark else _news_of_round(table, mark)
    snapshot = read_game(public_id, found, standing)
    writer = writer_of(session, found, found.version)
    own = writer == device
    seat, main = seat_of(session, found, writer), writer == found.device
    phone = _("Another tab on this phone") if own else phone_name(snapshot.names, seat, main=main)
    if isinstance(snapshot.latest, HandScored | HandThrownIn):
        return _("%(phone)s saved hand %(number)s.", phone=phone, number=len(snapshot.game.hands))
    return _("%(phone)s updated the game.", phone=phone)
