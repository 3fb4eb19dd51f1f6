"""Questions before an unusual hand is saved: it is possible, but more often a mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.presenters.vocabulary import said_bid
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.replay import evolve
from scorekeeper.rules.scoring import Hand

MOMENT = 30.0
"""Seconds within which a second hand with the same result is probably the same one: nobody plays so fast."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A hand about to be saved, and the game before and after it."""

    before: Game
    after: Game
    hand: Hand
    seconds_since_last: float

    @property
    def won(self) -> int:
        """Return the points that bidder and partner took."""
        assert self.hand.bidder is not None
        return self.hand.taken[0 if self.before.table.called else self.before.table.side_of[self.hand.bidder]]

    def said(self, snapshot: Snapshot) -> dict[str, str]:
        """Return bidder and bid for use in a sentence."""
        assert self.hand.bidder is not None
        assert self.hand.bid is not None
        return {"bidder": snapshot.said_names[self.hand.bidder], "bid": said_bid(self.hand.bid)}


@dataclass(frozen=True, slots=True)
class Question:
    """A test for unusual hands, and the question to ask about one."""

    key: str
    odd: Callable[[Entered], bool]
    asks: Callable[[Entered, Snapshot], str]


def _beyond(entered: Entered) -> bool:
    """Return whether the bid was higher than the points in the hand. Only known if each point has an owner."""
    bid, points = entered.hand.bid, entered.hand.points
    return points is not None and isinstance(bid, int) and bid > sum(entered.hand.taken) and None in points.values()


def _absent(entered: Entered) -> str:
    points = entered.hand.points or {}
    return ", ".join(spoken(c.label) for c in entered.before.table.rules.categories if points[c.key] is None)


def _same(entered: Entered) -> bool:
    """Return whether the last hand was saved moments ago with the same result, apart from the dealer."""
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
    """Return the hand in `data` as it would be saved. Raises `RuleViolation` if it is impossible."""
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    return Entered(game, after, after.lines[-1].entry.hand, seconds_since_last)


def questions_about(entered: Entered) -> tuple[Question, ...]:
    """Return the questions about a hand in the order of `QUESTIONS`; none if it was thrown in."""
    if entered.hand.thrown_in:
        return ()
    return tuple(question for question in QUESTIONS if question.odd(entered))
