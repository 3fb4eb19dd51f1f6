"""Rounds of one game to the target.

In each round every table plays one game, to the end that the rules of the game give it, and the round is over when the
last table is done: there is no bell. Seats follow the draw; with a number that fills no table evenly some sit out, fair
by the draw's rule, and nobody moves because of a result. If the director has to break a round off, that is the bell: a
hand that was dealt is played out and scored, a hand that was not dealt is not begun, and the side with the most points
wins. Level then, nobody has won, and the game counts as played. A bye is no game: it is neither won nor lost, and what
it scores, if anything, is a setting of the season.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.leagues.schedule.formats.deciding import decide
from scorekeeper.leagues.schedule.formats.drawn import drawn_rounds
from scorekeeper.leagues.schedule.formats.night import Format, GameVerdict, Stand
from scorekeeper.rules.phrase import Phrase


def counts(stand: Stand, options: Mapping[str, int]) -> GameVerdict:
    """Return how a game of a round to the target counts; there are no options."""
    return decide(stand, one_more=False)


TO_TARGET = Format(
    key="to_target",
    name=Phrase("Games to the target"),
    line=Phrase("Each round is one game, played to its end."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=drawn_rounds,
    counts=counts,
)
