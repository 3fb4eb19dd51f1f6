"""Rounds of a fixed number of hands.

In each round every table plays the same number of hands, eight unless the league says otherwise; a hand that was thrown
in does not count. Then most points win, and the points count as they stand, a target or not: only where the rules of
the game themselves end it earlier, a limit of sets for one, is it over before. Level after the last hand, nobody has
won; a league can ask for one more hand instead, and another while it stays level. There is no bell; if the director
breaks a round off, a hand that was dealt is played out, a hand that was not dealt is not begun, and what was scored so
far counts like a full game, level or not. Seats follow the draw; who sits out with an odd number does by the draw's
rule, and nobody moves because of a result. A bye is no game: what it scores, if anything, is a setting of the season.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.leagues.schedule.formats.deciding import ONE_MORE, decide
from scorekeeper.leagues.schedule.formats.drawn import drawn_rounds
from scorekeeper.leagues.schedule.formats.night import Format, GameVerdict, Option, Stand
from scorekeeper.rules.phrase import Phrase

HANDS = Option("hands", Phrase("Hands a round"), 8, 1, 40)


def counts(stand: Stand, options: Mapping[str, int]) -> GameVerdict:
    """Return how a game of `hands` hands counts; `one_more` says whether a level one goes on."""
    return decide(stand, hands=options["hands"], one_more=bool(options["one_more"]))


FIXED_HANDS = Format(
    key="fixed_hands",
    name=Phrase("A number of hands"),
    line=Phrase("Each round is the same number of hands at every table; most points win."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=drawn_rounds,
    counts=counts,
    settings=(HANDS, ONE_MORE),
)
