"""Make sentences about the state of a game: its end, the effect of a hand, and notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.games import pages
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.vocabulary import LETTERS, hand_numbers, no_winner_text
from scorekeeper.i18n.catalog import N_, _, ngettext
from scorekeeper.i18n.sentences import SideName, number, said, say, say_all, score_text, signed
from scorekeeper.rules import events as ev
from scorekeeper.rules import explain
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.replay import evolve
from scorekeeper.rules.scoring import Scored


def outcome_view(game: Game, sides: Sequence[SideName]) -> pages.OutcomeView | None:
    """Return the end of the game in words, or None while the game is in progress."""
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner
    if winner is None:
        headline = no_winner_text(game.tally.totals, outcome.rule)
    else:
        headline = said(N_("{side} {side:win|wins}"), side=sides[winner])
    return pages.OutcomeView(headline, _why(game, sides), winner, None if winner is None else LETTERS[winner])


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


def latest_brief(snapshot: Snapshot) -> pages.BriefView | None:
    """Return the status line in short, or None if the sentence of `latest_text` is short itself.

    After an undo or a correction, it leaves out the totals, because they are on the score cards above.
    """
    game, event = snapshot.game, snapshot.latest
    match event:
        case ev.HandVoided() | ev.HandRestored() | ev.HandCorrected():
            return pages.BriefView(_done(game, event))
        case ev.RulesChanged():
            return pages.BriefView(_("House rules changed."))
        case ev.HandMisdealt() | ev.DealerSet() | ev.GameReopened():
            return None
    line = game.lines[-1] if game.lines else None
    if line is None or line.after_end or not any(line.delta):
        return None
    scored = zip(snapshot.sides, line.delta, line.tally.totals, strict=True)
    changes = tuple((side.name, f"{signed(points)} → {number(total)}") for side, points, total in scored if points)
    return pages.BriefView(_("Set!") if line.made is False else "", changes)


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
