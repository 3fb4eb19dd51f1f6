"""Turn the record of a game into the events of its log."""

from __future__ import annotations

from collections import deque

from scorekeeper.rules import events as ev
from scorekeeper.rules.record import Record
from scorekeeper.rules.scoring import Outcome


def events_of(record: Record) -> tuple[ev.Event, ...]:
    """Return the events of a game record that follow the start of the game, in order."""
    if record.final is not None:
        outcome = record.outcome
        assert outcome is not None
        if outcome.rule == "final":
            return (ev.ResultEntered(record.final),)
        return (ev.ResultEntered(record.final, outcome.winner, outcome.rule.removeprefix("final.")),)
    happened: list[ev.Event] = []
    agreed = deque(record.agreed)
    for played, hand in enumerate((None, *record.hands)):
        if hand is not None:
            happened.append(ev.HandThrownIn(hand) if hand.thrown_in else ev.HandScored(hand))
        while agreed and agreed[0].after == played:
            each = agreed.popleft()
            happened.append(ev.ScoreAdjusted(each.side, each.points, each.reason))
    if record.ending is not None:
        happened.append(_ended(record.ending))
    elif record.tally.outcome is None and record.extra.get("abandoned"):
        happened.append(ev.GameAbandoned())
    return tuple(happened)


def _ended(ending: Outcome) -> ev.Event:
    if ending.rule == "conceded" and ending.winner is not None:
        return ev.GameConceded(ending.winner)
    return ev.GameEnded(ending.winner, ending.rule)
