"""Settle hands that two phones entered differently. A phone that decides in its own favor must give a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import keyed_use_case, use_case
from scorekeeper.games.logic.reconcile import DisputeRole
from scorekeeper.games.services.scoring import ClientRequest, StaleError, add_events, done_before, game_for
from scorekeeper.games.store.access import AccessLevel, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.device_names import writers_of
from scorekeeper.games.store.event_store import GameHeader, events_of
from scorekeeper.games.store.models import EventRow, NoteRow, ScorerRow
from scorekeeper.rules.commands import SettleReport, decide
from scorekeeper.rules.events import HandCorrected
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

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
