"""Rounds that are drawn ahead of all results: games to the target, of a fixed number of hands, or timed.

Seats follow the draw; with a number that fills no table evenly some sit out, fair by the draw's rule, and nobody moves
because of a result. A bye is no game: it is neither won nor lost, and what it scores, if anything, is a setting of the
season. If the director breaks a round off, that is the bell: a hand that was dealt is played out and scored, a hand
that was not dealt is not begun, and the side with the most points wins; what was scored so far counts like a full game.

To the target, every table plays one game in each round, to the end that the rules of the game give it, and the round is
over when the last table is done: there is no bell. Level when the director breaks it off, nobody has won, and the game
counts as played.

With a fixed number of hands, every table plays the same number in each round, eight unless the league says otherwise; a
hand that was thrown in does not count. Then most points win, and the points count as they stand, a target or not: only
where the rules of the game themselves end it earlier, a limit of sets for one, is it over before. Level after the last
hand, nobody has won; a league can ask for one more hand instead, and another while it stays level.

A timed round lasts so many minutes, then a bell rings for all tables. A hand that was dealt when it rings is played out
and scored; then most points win. Level at the bell, one more hand is played, and another while it stays level; a league
can leave it at that instead, and nobody has won. A game that is over before the bell is won as it stands, and the table
waits: no second game is begun.
"""

from __future__ import annotations

from dataclasses import replace

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import Phrase

HANDS = Option("hands", Phrase("Hands per round"), 8, 1, 40)
ONE_MORE = Option("one_more", Phrase("If tied, play one more hand"), 0, 0, 1)
MINUTES = Option("minutes", Phrase("Minutes per round"), 30, 5, 180)


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds that are still to come, for who is here now; raises what `draw_rest` raises."""
    left = night.rounds - len(night.past)
    return draw_rest(night.people, left, night.past, night.rotation, night.seed, night.bye_credit)


TO_TARGET = Format(
    key="to_target",
    name=Phrase("Full games"),
    line=Phrase("Every table plays one game per round, to the end."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=next_rounds,
)

FIXED_HANDS = Format(
    key="fixed_hands",
    name=Phrase("Fixed number of hands"),
    line=Phrase("Every table plays the same number of hands per round. Most points wins."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=next_rounds,
    settings=(HANDS, ONE_MORE),
    counts_hands=True,
)

TIMED = Format(
    key="timed",
    name=Phrase("Timed rounds"),
    line=Phrase("A bell ends each round. Finish the hand in progress; most points wins."),
    ahead=True,
    teams=False,
    bell="clock",
    next_rounds=next_rounds,
    settings=(MINUTES, replace(ONE_MORE, default=1)),
)
