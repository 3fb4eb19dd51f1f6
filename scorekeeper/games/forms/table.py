"""Forms of the game menu: names, substitutes, dealer, early end."""

from __future__ import annotations

from collections.abc import Sequence

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm, TextsField


class NamesForm(GameForm):
    """Change the players' names."""

    names = TextsField(starts=("name-",), raw=True)

    def by_seat(self, players: int) -> Sequence[str]:
        """Return the names of that many players by seat, empty for a name that was not sent."""
        return [self.names.data.get(f"name-{seat}", "") for seat in range(players)]


class SeatForm(GameForm):
    """Substitute a player."""

    seat = StringField()
    name = StringField(default="")


class DealerForm(GameForm):
    """Change the dealer."""

    dealer = StringField()


class EndForm(GameForm):
    """End a game early: `winner` is the side that others concede to, `sure` confirms it."""

    winner = HiddenField(default="")
    sure = HiddenField()
