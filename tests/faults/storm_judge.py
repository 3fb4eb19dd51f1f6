"""After a storm (a simulated bad night), check logs and boards against the hands that phones sent and the replies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.games.store import event_store
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.rules.events import HandScored
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db
from tests.faults.storm_phone import Told, dispute_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Flask

    from scorekeeper.rules.game import Game
    from scorekeeper.rules.scoring import Hand
    from tests.faults.storm_phone import StormPhone

KINDS = {"GameStarted", "BidTaken", "HandScored", "HandReported"}
"""All kinds of events that these phones cause; other kinds would mean that a hand was changed or deleted."""


@dataclass
class Verdict:
    """The findings at all tables together: counts of hands, and lists of sentences about faults."""

    hands: int = 0
    """Number of hands in the event logs."""
    acknowledged: int = 0
    """Number of hands for which a phone got the reply that the hand is saved."""
    verified: int = 0
    disputed: int = 0
    """Number of hands on which the two phones disagree."""
    kept: int = 0
    """Number of hands that the server refused with a message, so that they stayed on the phone."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    overwritten: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    """Disagreements that a board doesn't show."""
    summaries: list[str] = field(default_factory=list)
    """Games whose stored summary differs from their event log, or whose log has gaps."""

    @property
    def clean(self) -> bool:
        """True if all lists of faults are empty."""
        return not (self.lost or self.doubled or self.overwritten or self.unseen or self.summaries)


def judge(app: Flask, tables: Mapping[tuple[StormPhone, ...], int]) -> Verdict:
    """Check the database of `app` and the boards that the phones now see, and return the findings.

    `tables` maps the two phones of each table to the number of hands that were played there.
    """
    verdict = Verdict()
    with app.app_context():
        for phones, hands in tables.items():
            _look_at(verdict, phones, hands)
        started = db.session().scalars(select(GameRow.public_id)).all()
        wanted = {phones[0].game.rpartition("/")[2] for phones in tables}
        verdict.doubled += [f"game {game}" for game in started if game not in wanted]
    with app.app_context():
        db.engine.dispose()
    return verdict


def _look_at(verdict: Verdict, phones: Sequence[StormPhone], hands: int) -> None:
    path = phones[0].game
    session = db.session()
    row = session.scalars(select(GameRow).where(GameRow.public_id == path.rpartition("/")[2])).one()
    stored = session.scalars(select(EventRow).where(EventRow.game_id == row.id).order_by(EventRow.seq)).all()
    found = event_store.find(session, row.public_id)
    assert found is not None
    events = [logged.event for logged in event_store.events_of(session, found)]
    game = replay(events)
    scored = [event.hand for event in events if isinstance(event, HandScored)]

    if {name: getattr(row, name) for name in event_store.summary_of(game)} != event_store.summary_of(game):
        verdict.summaries.append(path)
    if [each.seq for each in stored] != list(range(1, len(stored) + 1)):
        verdict.summaries.append(f"{path}: the log has gaps")
    changed = {each.kind for each in stored} - KINDS
    if changed:
        verdict.overwritten.append(f"{path}: {changed}")
    taps = Counter(each.client_id.partition(".")[0] for each in stored if each.client_id)
    verdict.doubled += [f"{path}: tap {tap}" for tap, times in taps.items() if times > 1]
    if len(scored) != len(game.hands) or len(scored) > hands:
        verdict.doubled.append(f"{path}: {len(scored)} written, {len(game.hands)} count, {hands} played")
    if len(scored) < hands:
        verdict.lost.append(f"{path}: {len(scored)} of {hands}")
    verdict.hands += len(scored)
    for phone in phones:
        _compare(verdict, game, phone)
    _look_at_boards(verdict, game, phones)


def _compare(verdict: Verdict, game: Game, phone: StormPhone) -> None:
    """Check that every hand that the server called saved or disputed in a reply to `phone` is in the game's log."""
    verdict.acknowledged += len(phone.acknowledged) + len(phone.carried)
    verdict.kept += len(phone.kept)
    for told in (*phone.acknowledged, *phone.carried):
        if told.number > len(game.hands):
            verdict.lost.append(f"{phone.name}: {told}")
            continue
        entry = game.hands[told.number - 1].entry
        # What an outbox brings late may stand beside the hand that is there; the live page says so at once.
        beside = entry.disputes if told in phone.carried else ()
        if not any(_same(hand, told) for hand in (entry.hand, *(report.hand for report in beside))):
            verdict.overwritten.append(f"{phone.name}: {told} is {entry.hand}")
    for told in phone.disputed:
        entry = game.hands[told.number - 1].entry
        if not any(_same(report.hand, told) for report in entry.disputes):
            verdict.lost.append(f"{phone.name}: dispute {told}")


def _look_at_boards(verdict: Verdict, game: Game, phones: Sequence[StormPhone]) -> None:
    """Check that the boards of both phones and of watchers show every disagreement."""
    disputed = {line.number for line in game.hands if line.entry.disputes}
    disputed |= {told.number for phone in phones for told in phone.disputed}
    verdict.disputed += len(disputed)
    verdict.verified += sum(line.entry.verified for line in game.hands)
    watched = phones[0].game.replace("/games/", "/watch/")
    boards = [phones[0].look(watched).body, *(phone.look(phone.game).body for phone in phones)]
    verdict.unseen += [
        f"{phones[0].game}: hand {number}"
        for number in sorted(disputed)
        if any(dispute_of(number) not in board for board in boards)
    ]


def _same(hand: Hand, told: Told) -> bool:
    return (hand.dealer, hand.bidder, hand.bid, hand.taken) == (
        (told.number + 2) % 4,
        told.bidder,
        told.bid,
        told.taken,
    )
