"""Timed rounds.

A round lasts so many minutes, then a bell rings for all tables. A hand that was dealt when it rings is played out and
scored; a hand that was not dealt is not begun. Then most points win. Level at the bell, one more hand is played, and
another while it stays level; a league can leave it at that instead, and nobody has won. A game that is over before the
bell is won as it stands, and the table waits: no second game is begun. Seats follow the draw; who sits out with an odd
number does by the draw's rule, and nobody moves because of a result. A bye is no game: what it scores, if anything, is
a setting of the season.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.leagues.schedule.formats.deciding import ONE_MORE, decide
from scorekeeper.leagues.schedule.formats.drawn import drawn_rounds
from scorekeeper.leagues.schedule.formats.night import Format, GameVerdict, Option, Stand
from scorekeeper.rules.phrase import Phrase

MINUTES = Option("minutes", Phrase("Minutes a round"), 30, 5, 180)


def counts(stand: Stand, options: Mapping[str, int]) -> GameVerdict:
    """Return how a timed game counts; `one_more` says whether one that is level at the bell goes on."""
    return decide(stand, one_more=bool(options["one_more"]))


TIMED = Format(
    key="timed",
    name=Phrase("Timed rounds"),
    line=Phrase("A bell ends each round; a hand that was dealt is played out, and most points win."),
    ahead=True,
    teams=False,
    bell="clock",
    next_rounds=drawn_rounds,
    counts=counts,
    settings=(MINUTES, replace(ONE_MORE, default=1)),
)
