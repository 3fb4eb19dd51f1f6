"""Formats whose rounds are all seated before the first result: full games, a fixed number of hands, or timed.

If the tables cannot be filled evenly, some people sit out (`sitting_out`), and nobody moves because of a result. A bye
is not a game: it is neither won nor lost, and the season's settings decide what it scores. If the director stops a
round, that acts as the bell: tables finish and score the hand in progress, start no new one, and the side with the most
points wins; the points so far count like a full game.

Full games: every table plays one game per round, to the end that the rules give it. The round is over when the last
table finishes; there is no bell. If the director stops a tied game, nobody wins, and the game counts as played.

Fixed number of hands: every table plays the same number per round, eight by default; hands thrown in do not count.
Most points wins, whether or not a side reached the target. The game ends earlier only if the rules end it, for example
by a limit of sets. If it is tied after the last hand, nobody wins; a league can ask for one more hand instead, and
another while it stays tied.

Timed: after so many minutes a bell rings for all tables. They finish and score the hand in progress, then most points
wins. If tied, they play one more hand, and another while it stays tied; a league can choose to have no winner instead.
A game that ends before the bell is final, and the table waits without starting a second one.
"""

from msgspec import structs

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import Phrase

HANDS = Option("hands", Phrase("Hands per round"), 8, 1, 40)
ONE_MORE = Option("one_more", Phrase("If tied, play one more hand"), 0, 0, 1)
MINUTES = Option("minutes", Phrase("Minutes per round"), 30, 5, 180)


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds of the night that haven't started, for the people who are here now.

    Raises what `draw_rest` raises.
    """
    left = night.rounds - len(night.past)
    return draw_rest(
        night.people, left, night.past, night.rotation, night.seed, night.bye_credit, earlier=night.earlier
    )


TO_TARGET = Format(
    key="to_target",
    name=Phrase("Full games"),
    line=Phrase("Every table plays one game per round, to the end."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=next_rounds,
    keeps_tables=True,
)

FIXED_HANDS = Format(
    key="fixed_hands",
    name=Phrase("Fixed number of hands"),
    line=Phrase("Every table plays the same number of hands per round. Most points wins."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=next_rounds,
    keeps_tables=True,
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
    keeps_tables=True,
    settings=(MINUTES, structs.replace(ONE_MORE, default=1)),
)
