"""The forms of what happens at real tables: names, seats, the deal, an early end."""

from __future__ import annotations

from collections.abc import Sequence

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm, TextsField


class NamesForm(GameForm):
    """Write the players' names anew."""

    names = TextsField(starts=("name-",), raw=True)

    def by_seat(self, players: int) -> Sequence[str]:
        """Return the names of so many players, empty where none was sent."""
        return [self.names.data.get(f"name-{seat}", "") for seat in range(players)]


class SeatForm(GameForm):
    """Let somebody else take over a seat."""

    seat = StringField()
    name = StringField(default="")


class DealerForm(GameForm):
    """Say who deals."""

    dealer = StringField()


class EndForm(GameForm):
    """End a game early: `winner` is the side that others concede to, `sure` says that it was asked before."""

    winner = HiddenField(default="")
    sure = HiddenField()
