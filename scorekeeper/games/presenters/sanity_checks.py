"""Ask questions before an unusual hand is saved. Such a hand is possible, but usually a mistake."""

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
"""If a hand is saved within this many seconds of a hand with the same result, it is probably that hand, saved twice."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A hand that is about to be saved, with the game before and after the hand."""

    before: Game
    after: Game
    hand: Hand
    seconds_since_last: float

    @property
    def won(self) -> int:
        """Return the points of the bidder's party, or all points of the hand if nobody bid."""
        if self.hand.bidder is None:
            return sum(self.hand.taken)
        return self.hand.taken[self.before.table.party_of(self.hand.bidder)]

    def said(self, snapshot: Snapshot) -> dict[str, str]:
        """Return a dict with the keys "bidder" (the name) and "bid" (in words), to fill in sentences about the hand.

        The hand must have a bid.
        """
        assert self.hand.bidder is not None
        assert self.hand.bid is not None
        return {"bidder": snapshot.said_names[self.hand.bidder], "bid": said_bid(self.hand.bid)}


@dataclass(frozen=True, slots=True)
class Question:
    """A question to ask before an unusual hand is saved.

    `odd` returns whether the question is asked about a hand, and `asks` returns the text of the question.
    """

    key: str
    odd: Callable[[Entered], bool]
    asks: Callable[[Entered, Snapshot], str]


def _beyond(entered: Entered) -> bool:
    """Return whether the bid was higher than the sum of all points that were taken in the hand.

    This is possible only if nobody took some of the points. The result is False if the winners of the points are
    unknown.
    """
    bid, points = entered.hand.bid, entered.hand.points
    return points is not None and isinstance(bid, int) and bid > sum(entered.hand.taken) and None in points.values()


def _absent(entered: Entered) -> str:
    points = entered.hand.points or {}
    return ", ".join(spoken(c.label) for c in entered.before.table.rules.categories if points[c.key] is None)


def _same(entered: Entered) -> bool:
    """Return whether the last hand was saved moments ago and had the same result. The dealer may differ."""
    last = entered.before.last_hand
    if last is None or entered.seconds_since_last > MOMENT:
        return False
    was, hand = last.entry.hand, entered.hand
    return _result(was) == _result(hand)


def _result(hand: Hand) -> tuple[Any, ...]:
    return hand.bidder, hand.bid, hand.taken, hand.points, hand.jack_hung, hand.revoked, (hand.turned_up or "")[:1]


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
        lambda entered: entered.won == 0 and not entered.hand.conceded,
        lambda entered, snapshot: _("%(bidder)s bid %(bid)s and took no points?", **entered.said(snapshot)),
    ),
    Question(
        "beyond",
        _beyond,
        lambda entered, snapshot: ngettext(
            "%(bidder)s bid %(bid)s, but only %(num)s point was out because nobody took %(absent)s. Is that right?",
            "%(bidder)s bid %(bid)s, but only %(num)s points were out because nobody took %(absent)s. Is that right?",
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
    """Return the hand in `data` as it would be saved, with the game before and after the hand.

    `data` has the format of a game record. Raises `RuleViolation` if the hand is impossible.
    """
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    return Entered(game, after, after.lines[-1].entry.hand, seconds_since_last)


def questions_about(entered: Entered) -> tuple[Question, ...]:
    """Return the questions to ask about a hand, in the order of `QUESTIONS`. A hand that was thrown in has none."""
    if entered.hand.thrown_in:
        return ()
    return tuple(question for question in QUESTIONS if question.odd(entered))
