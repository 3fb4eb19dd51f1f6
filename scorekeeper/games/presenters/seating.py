"""Make the parts of the new-game page about seats: the result of a random draw, and the fields for team names."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games import pages
from scorekeeper.games.forms.start import Setup, name_at
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.rules.table import sides_of


def drawn_words(setup: Setup) -> str:
    """Return a sentence with the result of a random draw, or "" if nothing was drawn."""
    players = _players(setup)
    if setup.drawn == "dealer":
        return _("First dealer: %(name)s.", name=players[setup.dealer])
    if setup.drawn == "partners":
        teams = "; ".join(join_names([players[seat] for seat in side]) for side in sides_of(setup.seating))
        return _("New partners: %(teams)s.", teams=teams)
    if setup.drawn == "seats":
        return _("New seats, clockwise: %(names)s.", names=", ".join(players))
    return ""


def team_fields(setup: Setup, field_name: str, message: str) -> tuple[pages.TeamField, ...]:
    """Return a field for the name of each team, or () in a game without partners.

    The field called `field_name` shows `message` as its error.
    """
    players = _players(setup)
    return tuple(
        pages.TeamField(
            f"team-{side}",
            name_at(setup.teams, side),
            LETTERS[side],
            join_names([players[seat] for seat in members]),
            message if field_name == f"team-{side}" else "",
        )
        for side, members in enumerate(sides_of(setup.seating))
        if len(members) > 1
    )


def _players(setup: Setup) -> Sequence[str]:
    """Return the players' names by seat, with a label such as "Seat 2" for an empty seat."""
    return [
        isolated(name_at(setup.names, seat)) or _("Seat %(number)s", number=seat + 1)
        for seat in range(setup.seating.players)
    ]
