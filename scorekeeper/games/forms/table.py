"""Forms of the game menu, for changing names, players or the dealer, and for ending a game early."""

from __future__ import annotations

from collections.abc import Sequence

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm, TextsField


class NamesForm(GameForm):
    """Change the players' names."""

    names = TextsField(starts=("name-",), raw=True)

    def by_seat(self, players: int) -> Sequence[str]:
        """Return the names of `players` players in seat order, with "" for each name that was not sent."""
        return [self.names.data.get(f"name-{seat}", "") for seat in range(players)]


class SeatForm(GameForm):
    """Put a substitute at one seat."""

    seat = StringField()
    name = StringField(default="")


class ReseatForm(GameForm):
    """Play again in other seats."""

    seats = StringField()


class DealerForm(GameForm):
    """Change the dealer."""

    dealer = StringField()


class EndForm(GameForm):
    """End a game early.

    `winner` is the side to which the others concede, or "" if the game ends without a winner. `sure` means that the
    player confirmed the end.
    """

    winner = HiddenField(default="")
    sure = HiddenField()
