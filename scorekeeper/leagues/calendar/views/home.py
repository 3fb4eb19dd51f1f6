"""Add the next nights to the home page, for people who run a league."""

from __future__ import annotations

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.views.home_parts import HomePart, home_part
from scorekeeper.leagues.calendar.queries.planned import next_nights_run


@home_part
def coming_nights() -> HomePart:
    """Return the part of the home page with the next night of each league that the user helps to run."""
    return HomePart("leagues/calendar/_home.html", next_nights_run(this_device()))
