"""Hands that are questioned before they are saved: what can be, but is more often a slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.presenters.vocabulary import said_bid
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Game, evolve
from scorekeeper.rules.scoring import Hand

MOMENT = 30.0
"""Seconds within which the same hand again is more likely the same one than another: nobody plays so fast."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A hand about to be saved, and the game before and after it."""

    before: Game
    after: Game
    hand: Hand
    seconds_since_last: float

    @property
    def won(self) -> int:
        """Return the points that the bidder's party took."""
        assert self.hand.bidder is not None
        return self.hand.taken[0 if self.before.table.called else self.before.table.side_of[self.hand.bidder]]

    def said(self, snapshot: Snapshot) -> dict[str, str]:
        """Return who bid what, as a sentence says it."""
        assert self.hand.bidder is not None
        assert self.hand.bid is not None
        return {"bidder": snapshot.said_names[self.hand.bidder], "bid": said_bid(self.hand.bid)}


@dataclass(frozen=True, slots=True)
class Question:
    """What makes a hand odd, and what is asked then."""

    key: str
    odd: Callable[[Entered], bool]
    asks: Callable[[Entered, Snapshot], str]


def _beyond(entered: Entered) -> bool:
    """Whether more was bid than the hand had to win, which can be told only where each point has an owner."""
    bid, points = entered.hand.bid, entered.hand.points
    return points is not None and isinstance(bid, int) and bid > sum(entered.hand.taken) and None in points.values()


def _absent(entered: Entered) -> str:
    points = entered.hand.points or {}
    return ", ".join(spoken(c.label) for c in entered.before.table.rules.categories if points[c.key] is None)


def _same(entered: Entered) -> bool:
    """Whether the last hand was entered moments ago and was the same but for who dealt it."""
    last = entered.before.last_hand
    if last is None or entered.seconds_since_last > MOMENT:
        return False
    was, hand = last.entry.hand, entered.hand
    return (was.bidder, was.bid, was.taken, was.points) == (hand.bidder, hand.bid, hand.taken, hand.points)


QUESTIONS: Sequence[Question] = (
    Question(
        "ends",
        lambda entered: entered.after.over,
        lambda entered, snapshot: _(
            "This hand ends the game. %(result)s", result=result_text(entered.after, snapshot.sides)
        ),
    ),
    Question(
        "nothing",
        lambda entered: entered.won == 0,
        lambda entered, snapshot: _("%(bidder)s bid %(bid)s and took no points?", **entered.said(snapshot)),
    ),
    Question(
        "beyond",
        _beyond,
        lambda entered, snapshot: ngettext(
            "%(bidder)s bid %(bid)s, but only %(num)s point was out. Did nobody take %(absent)s?",
            "%(bidder)s bid %(bid)s, but only %(num)s points were out. Did nobody take %(absent)s?",
            sum(entered.hand.taken),
            absent=_absent(entered),
            **entered.said(snapshot),
        ),
    ),
    Question(
        "same",
        _same,
        lambda entered, snapshot: _(
            "Same as hand %(number)s, saved a moment ago. Is this a new hand?",
            number=len(entered.before.hands),
        ),
    ),
)


def hand_entered(game: Game, data: Mapping[str, Any], *, seconds_since_last: float = 0.0) -> Entered:
    """Return the hand that `data` tells as it would be saved; raises `RuleViolation` where it cannot be."""
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    return Entered(game, after, after.lines[-1].entry.hand, seconds_since_last)


def questions_about(entered: Entered) -> tuple[Question, ...]:
    """Return what is odd about a hand, in the order in which it is asked; a hand that was thrown in never is."""
    if entered.hand.thrown_in:
        return ()
    return tuple(question for question in QUESTIONS if question.odd(entered))
