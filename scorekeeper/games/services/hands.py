"""Compare hands that two phones entered, settle them, and note something about a hand.

Compare hands from a phone that was out of date with those saved since, and log the differences as reports.

Settle hands that two phones entered differently. A phone that decides in its own favor must give a reason.

Save a note on a hand, or a photo of its cards. Each public function is one use case and one transaction.

Notes and photos don't change a score, so they aren't events of the game. The history only shows that a phone added or
removed a note or a photo.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import keyed_use_case, use_case
from scorekeeper.games.logic.reconcile import Behind, DisputeRole, HandPair, Phones, game_at, late_pair
from scorekeeper.games.services.scoring import ClientRequest, StaleError, add_events, done_before, game_for, kind_before
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.audit import note, writers_of
from scorekeeper.games.store.event_store import GameHeader, corrections_of, events_of, find, read_ahead, writer_of
from scorekeeper.games.store.hand_notes import hold, notes_on_hands, photos_in, put_note, put_photo
from scorekeeper.games.store.models import NOTE_LENGTH, EventRow, NoteRow, ScorerRow
from scorekeeper.i18n.catalog import N_
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import Command, SettleReport, decide
from scorekeeper.rules.events import HandCorrected
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import db, writing


@keyed_use_case
def report_hand(
    *,
    public_id: str,
    command: Callable[[Game], Command],
    number: int | None,
    request: ClientRequest,
    now: datetime | None = None,
) -> HandPair | Behind:
    """Return the hand that a request from an outdated page enters, paired with the saved hand of the same number.

    `command` takes the game as the phone saw it, and returns the command that enters the hand. `number` is the number
    of the hand that the page showed, or None if the page showed none.

    If another phone saved the hand, the late version is added to the log as a report, and the score doesn't change.
    Return `Behind` if there is nothing to compare. Raises the errors of `scoring.act`.
    """
    read_ahead(public_id)
    then = game_seen(public_id, request.version)
    entered = None if then is None else command(then)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        pair = None if then is None or entered is None else late_pair(then, game, entered)
        if pair is None or number not in (None, pair.number):
            return Behind()
        seq = pair.saved.seq
        phones = phones_of(session, found, corrections_of(session, found).get(seq, seq), request.device)
        pair = structs.replace(pair, phones=phones)
        if not phones.same and kind_before(session, found, request) is None:
            add_events(session, found, game, decide(game, pair.report), request, now)
        return pair


def game_seen(public_id: str, version: int | None) -> Game | None:
    """Return the game as it was at `version`, or None if there is no such game or version.

    `version` is None if the phone's page showed no version. Then the result is None, too.
    """
    found = find(db.session(), public_id)
    if found is None or version is None:
        return None
    return game_at([logged.event for logged in events_of(db.session(), found, until=version)], version)


def phones_of(session: Session, found: GameHeader, seq: int, device: str) -> Phones:
    """Return the phone `device` and the phone that wrote the event at log position `seq`.

    In the result, each phone is given as the seat of its owner.
    """
    writer = writer_of(session, found, seq)
    main = writer == found.device
    return Phones(seat_of(session, found, device), seat_of(session, found, writer), writer == device, main)


def changed_since(
    public_id: str, device: str, seq: int, version: int | None
) -> tuple[ev.HandCorrected | ev.HandVoided, Phones] | None:
    """Return the last correction or deletion of a hand after `version`, and the two phones involved.

    `seq` is the log position of the hand. The two phones are `device` and the phone that changed the hand. The result
    is None if the hand wasn't changed after `version`, or if `version` is None.
    """
    session = db.session()
    found = find(session, public_id)
    if found is None or version is None:
        return None
    for logged in reversed(events_of(session, found, since=version + 1)):
        event = logged.event
        if isinstance(event, ev.HandCorrected | ev.HandVoided) and event.seq == seq:
            return event, phones_of(session, found, logged.seq, device)
    return None


def seat_of(session: Session, found: GameHeader, device: str | None) -> int | None:
    """Return the seat of the owner of the phone `device` in a game, or None if unknown."""
    query = select(ScorerRow.seat).where(ScorerRow.game_id == found.id, ScorerRow.device == device)
    return session.scalars(query).first()


SEEN = "settling_seen"
"""Kind of the note saved when a phone has seen how its disputes were settled."""
LONGEST_REASON = 200


@keyed_use_case
def settle_report(
    *, public_id: str, seq: int, report: int, how: str, reason: str, request: ClientRequest, now: datetime | None = None
) -> Game:
    """Settle a dispute about a hand, and return the game afterward.

    `seq` and `report` are the log positions of the hand and of the other phone's report. `how` is `KEEP` (the saved
    hand stays), `TAKE` (the reported hand replaces it) or `SPLIT` (both hands were played).

    A phone may decide in its own favor only if it started the game, and only with a `reason`. Otherwise,
    `RuleViolation` is raised. Also raises the errors of `scoring.act`.
    """
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if done_before(session, found, game, request):
            return game
        trimmed = " ".join(reason.split())
        (*events,) = decide(game, SettleReport(seq, report, how, trimmed))
        role = roles_of(session, found, game, request.device).get(report)
        if role is not None and not role.accepts(how):
            _must_decide(role, trimmed)
        return add_events(session, found, game, events, request, now)


def _must_decide(role: DisputeRole, reason: str) -> None:
    if not role.started:
        raise RuleViolation(
            "own_dispute",
            "You can't settle this in your own favor. Accept the other phone's version, "
            "or let the phone that started the game decide.",
        )
    if not reason:
        raise RuleViolation("reason_missing", "Give a reason. It will show in the history.", field="reason")
    if len(reason) > LONGEST_REASON:
        raise RuleViolation(
            "reason_long",
            Phrase("Use %(most)s characters or fewer for the reason.", most=LONGEST_REASON),
            field="reason",
        )


def roles_of(session: Session, found: GameHeader, game: Game, device: str | None) -> Mapping[int, DisputeRole]:
    """Return the role of the phone `device` in each open dispute, by the log position of the report."""
    log = events_of(session, found)
    writers = writers_of(session, found)
    # A corrected hand counts as written by the phone that corrected it.
    corrections = {each.event.seq: each.seq for each in log if isinstance(each.event, HandCorrected)}
    started = standing_of(session, found, device) is AccessLevel.STARTED
    roles = {}
    for line in game.hands:
        wrote = writers[corrections.get(line.entry.seq, line.entry.seq)]
        for report in line.entry.disputes:
            reported = writers[report.seq]
            roles[report.seq] = DisputeRole(
                wrote == device, reported == device, started, wrote == found.device, reported == found.device
            )
    return roles


def unseen_of(session: Session, found: GameHeader, game: Game, device: str | None) -> tuple[int, ...]:
    """Return the log positions of the settlements by other phones that the phone `device` has not seen yet."""
    settled = [each.seq for line in game.hands for each in line.entry.settled if each.reason is not None]
    if not settled:
        return ()
    joined = select(ScorerRow.since).where(ScorerRow.game_id == found.id, ScorerRow.device == device)
    seen = select(NoteRow.at).where(NoteRow.game_id == found.id, NoteRow.device == device, NoteRow.kind == SEEN)
    since: Sequence[datetime] = [
        *([] if found.device == device else session.scalars(joined)),
        *session.scalars(seen.order_by(NoteRow.id.desc()).limit(1)),
    ]
    query = select(EventRow.seq, EventRow.device, EventRow.received_at)
    rows = session.execute(query.where(EventRow.game_id == found.id, EventRow.seq.in_(settled)).order_by(EventRow.seq))
    return tuple(seq for seq, writer, when in rows if writer != device and all(moment < when for moment in since))


@use_case
def note_seen(*, public_id: str, request: ClientRequest, now: datetime) -> None:
    """Save that a phone has seen how its disputes were settled, up to the version that its page showed.

    Raises `StaleError` if a dispute was settled after that version, and the errors of `scoring.act`.
    """
    with writing() as session:
        found, game = game_for(session, public_id, request)
        unseen = unseen_of(session, found, game, request.device)
        if unseen and request.version is not None and unseen[-1] > request.version:
            raise StaleError
        if unseen:
            note(session, found.id, SEEN, device=request.device, now=now)


MOST_PHOTOS = 20
"""Maximum number of photos in one game; each has up to some hundred kilobytes."""


@use_case
def write_note(*, public_id: str, seq: int, text: str, request: ClientRequest, now: datetime | None = None) -> None:
    """Save `text` as the note on the hand at log position `seq`. An empty text removes the note.

    Raises `RuleViolation` if the text is too long or there is no such hand, and the errors of `access.admit`.
    """
    told = " ".join(text.split())
    if len(told) > NOTE_LENGTH:
        message = Phrase("A note can have at most %(most)s characters.", most=NOTE_LENGTH)
        raise RuleViolation("note_long", message, field="note")
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        if put_note(session, found.id, seq, told):
            _noted(session, found, "note_written" if told else "note_removed", request, now)


@use_case
def add_photo(*, public_id: str, seq: int, photo: bytes, request: ClientRequest, now: datetime | None = None) -> None:
    """Save `photo` as the photo of the hand at log position `seq`, replacing any other photo of the hand.

    `photo` is a JPEG that was encoded by `web.images`. Raises `RuleViolation` if the game has too many photos or there
    is no such hand, and the errors of `access.admit`.
    """
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        known = notes_on_hands(session, found.id).get(seq)
        if not (known and known.photo) and photos_in(session, found.id) >= MOST_PHOTOS:
            message = Phrase("A game can have at most %(most)s photos. Remove one first.", most=MOST_PHOTOS)
            raise RuleViolation("photos_full", message, field="photo")
        if put_photo(session, found.id, seq, photo):
            _noted(session, found, "photo_added", request, now)


@use_case
def remove_photo(*, public_id: str, seq: int, request: ClientRequest, now: datetime | None = None) -> None:
    """Delete the photo of the hand at log position `seq` for good.

    Raises `RuleViolation` if there is no such hand, and the errors of `access.admit`.
    """
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        if put_photo(session, found.id, seq, None):
            _noted(session, found, "photo_removed", request, now)


@use_case
def note_coke_hand(*, public_id: str, seat: int, request: ClientRequest, now: datetime | None = None) -> None:
    """Record in the history that the player at `seat` asked for new cards. The score doesn't change.

    A player may ask for new cards if they were dealt a worthless hand (coke hand) and the rules allow it. Raises
    `RuleViolation` if the rules have no coke hands, the game is over, or there is no such seat. Also raises the errors
    of `access.admit`.
    """
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if game.table.rules.redeal == "none":
            raise RuleViolation(
                "no_coke_hands", "This game doesn't use coke hands. You can turn them on in the house rules."
            )
        if game.over:
            raise RuleViolation("game_over", "The game is over.")
        if not 0 <= seat < game.table.players:
            raise RuleViolation("seat", "There is no such seat at this table.", field="seat")
        note(session, found.id, "coke_hand", device=request.device, now=now or datetime.now(UTC), seat=seat)


def _hand(session: Session, public_id: str, seq: int, request: ClientRequest) -> tuple[GameHeader, Game]:
    """Lock a game and return its header and the game.

    Raises `RuleViolation` if the hand at log position `seq` was undone, or if there is no such hand.
    """
    found, game = game_for(session, public_id, request)
    entry = game.entry(seq)
    if not entry.live:
        raise RuleViolation("hand_voided", N_("That hand was already undone."))
    return found, game


def _noted(session: Session, found: GameHeader, kind: str, request: ClientRequest, now: datetime | None) -> None:
    """Add an entry of the kind `kind` to the history of a game, and make open pages of the game update."""
    note(session, found.id, kind, device=request.device, now=now or datetime.now(UTC))
    hold(session, [found.id])
