"""Make sentences about the state of a game: its end, the effect of a hand, and notices.

Ask questions before an unusual hand is saved. Such a hand is possible, but usually a mistake.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from scorekeeper.games.pages.board import BriefView, OutcomeView
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, hand_numbers, no_winner_text, said_bid
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import SideName, number, said, say, say_all, score_text, signed
from scorekeeper.rules import events as ev
from scorekeeper.rules import explain
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.replay import evolve
from scorekeeper.rules.scoring import Hand, Scored


def outcome_view(game: Game, sides: Sequence[SideName]) -> OutcomeView | None:
    """Return the end of the game in words, or None while the game is in progress."""
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner
    if winner is None:
        headline = no_winner_text(game.tally.totals, outcome.rule)
    else:
        headline = said(N_("{side} {side:win|wins}"), side=sides[winner])
    return OutcomeView(headline, _why(game, sides), winner, None if winner is None else LETTERS[winner])


def result_text(game: Game, sides: Sequence[SideName]) -> str:
    """Return sentences with the winner and the reason. For a game in progress, return a sentence with the new score."""
    ended = outcome_view(game, sides)
    if ended is not None:
        return f"{ended.headline}. {ended.reason}"
    return _("New score: %(score)s. Game continues.", score=score_text(game.tally.totals))


def latest_text(snapshot: Snapshot) -> str:
    """Return the status line, which is a sentence about the last event.

    If there is no sentence for that kind of event, the status line is about the last hand or adjustment, or is "" if
    there is none.
    """
    game, sides, event = snapshot.game, snapshot.sides, snapshot.latest
    score = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.tally.totals, strict=True))
    match event:
        case ev.HandVoided() | ev.HandRestored() | ev.HandCorrected():
            return f"{_done(game, event)} {score}."
        case ev.RulesChanged():
            return _("House rules changed.") + f" {score}."
        case ev.HandMisdealt():
            return _("Misdeal. %(dealer)s deals again.", dealer=snapshot.said_names[event.dealer])
        case ev.DealerSet():
            return _("%(dealer)s deals.", dealer=snapshot.said_names[event.dealer])
        case ev.GameReopened():
            return _("The game goes on.")
    return said_of(game, sides, game.lines[-1]) if game.lines else ""


def latest_brief(snapshot: Snapshot) -> BriefView | None:
    """Return the status line in short, or None if the sentence of `latest_text` is short itself.

    After an undo or a correction, it leaves out the totals, because they are on the score cards above.
    """
    game, event = snapshot.game, snapshot.latest
    match event:
        case ev.HandVoided() | ev.HandRestored() | ev.HandCorrected():
            return BriefView(_done(game, event))
        case ev.RulesChanged():
            return BriefView(_("House rules changed."))
        case ev.HandMisdealt() | ev.DealerSet() | ev.GameReopened():
            return None
    line = game.lines[-1] if game.lines else None
    if line is None or line.after_end or not any(line.delta):
        return None
    scored = zip(snapshot.sides, line.delta, line.tally.totals, strict=True)
    changes = tuple((side.name, f"{signed(points)} → {number(total)}") for side, points, total in scored if points)
    return BriefView(_("Set!") if line.made is False else "", changes)


_DONE: Mapping[type[Any], tuple[str, str]] = {
    ev.HandVoided: (N_("Hand %(number)s undone."), N_("Adjustment undone.")),
    ev.HandRestored: (N_("Hand %(number)s redone."), N_("Adjustment redone.")),
    ev.HandCorrected: (N_("Hand %(number)s corrected."), N_("Adjustment corrected.")),
}
"""Status lines for a hand and for an adjustment, by type of event."""


def _done(game: Game, event: ev.HandVoided | ev.HandRestored | ev.HandCorrected) -> str:
    """Return the status line for a hand or adjustment that was undone, restored or corrected.

    The number of the hand is its position among the hands that count.
    """
    hand, adjustment = _DONE[type(event)]
    if isinstance(game.entry(event.seq).what, Adjustment):
        return _(adjustment)
    return _(hand, number=1 + sum(line.entry.seq < event.seq for line in game.hands))


def preview_text(snapshot: Snapshot, data: Mapping[str, Any]) -> str:
    """Return the effect of saving the hand in `data`, in sentences. `data` has the format of a game record.

    Raises `RuleViolation` if the hand is impossible.
    """
    game = snapshot.game
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    effect = said_of(after, snapshot.sides, after.lines[-1])
    if after.outcome is not None:
        result = result_text(after, snapshot.sides)
        # The reason already says that the pitch or the moon was made.
        return result if after.outcome.rule in ("pitch", "moon") else f"{result} {effect}"
    return " ".join((effect, *notices_of(after, snapshot.sides)))


def _why(game: Game, sides: Sequence[SideName]) -> str:
    outcome = game.outcome
    assert outcome is not None
    last = game.last_hand
    if game.tally.outcome is None or last is None:
        message = explain.why_over(game.table, outcome, game.tally.totals, game.tally, None)
    else:
        message = explain.why_over(game.table, outcome, last.before.totals, game.tally, last.entry.hand)
    return say(message, sides)


def said_of(game: Game, sides: Sequence[SideName], line: Line) -> str:
    """Return sentences about how the hand or adjustment on the score-sheet line `line` changed the score."""
    if line.after_end:
        return _("Hand %(number)s doesn't count. The game was over.", number=line.number)
    agreed = line.entry.what
    if isinstance(agreed, Adjustment):
        return f"{sides[agreed.side].name} {signed(agreed.points)}: {agreed.reason}"
    scored = Scored(line.delta, line.made)
    return say_all(explain.effects(game.table, line.before, line.tally, line.entry.hand, scored), sides)


def notices_of(game: Game, sides: Sequence[SideName]) -> tuple[str, ...]:
    """Return notices for the board.

    One notice names the hands that don't count because the game was over. Another notice tells why the game isn't over
    yet.
    """
    late = [line.number for line in game.hands if line.after_end]
    notices = []
    if late:
        notices.append(
            ngettext(
                "%(hands)s was played after the end and doesn't count.",
                "%(hands)s were played after the end and don't count.",
                len(late),
                hands=hand_numbers(late),
            )
        )
    last = game.last_hand
    if last is not None and not game.over:
        message = explain.why_not_over(game.table, game.tally, last.entry.hand)
        if message is not None:
            notices.append(say(message, sides))
    return tuple(notices)


MOMENT = 30.0
"""If a hand is saved within this many seconds of a hand with the same result, it is probably that hand, saved twice."""


class Entered(Struct, frozen=True):
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


class Question(Struct, frozen=True):
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
