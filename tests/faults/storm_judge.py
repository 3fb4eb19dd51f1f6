"""What the log and the boards must show after the storm."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.config import from_environment
from scorekeeper.games.store import event_store
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.rules.events import HandScored
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db
from tests.faults.storm_phone import Told, dispute_of
from tests.support import databases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scorekeeper.rules.game import Game
    from scorekeeper.rules.scoring import Hand
    from tests.faults.storm_phone import StormPhone

KINDS = {"GameStarted", "BidTaken", "HandScored", "HandReported"}
"""All kinds of events that these phones cause; a changed or deleted hand would be one that was overwritten."""


@dataclass
class Verdict:
    """What was found, summed over all tables."""

    hands: int = 0
    """Hands in the logs."""
    acknowledged: int = 0
    """Hands that some phone was told are saved."""
    verified: int = 0
    disputed: int = 0
    """Hands of which another phone says something else, all of them shown as that."""
    kept: int = 0
    """Hands that a phone was refused in words."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    overwritten: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    """Disagreements that a board does not show."""
    summaries: list[str] = field(default_factory=list)
    """Summaries that are not what the log adds up to."""

    @property
    def clean(self) -> bool:
        """Return whether nothing was lost, doubled, overwritten or hidden."""
        return not (self.lost or self.doubled or self.overwritten or self.unseen or self.summaries)


def judge(folder: Path, tables: Sequence[Sequence[StormPhone]], hands: int) -> Verdict:
    """Return the faults of the database in `folder` and of the boards that the phones see now."""
    verdict = Verdict()
    app = create_app(from_environment(databases.variables_for(folder), instance=folder))
    with app.app_context():
        for phones in tables:
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
    """Compare the responses that a phone got for its hands with the saved ones."""
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
    """See every disagreement on the boards of both phones and of those who watch."""
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
