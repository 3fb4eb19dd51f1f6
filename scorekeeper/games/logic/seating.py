"""Move names between the seats of a new game: seat a player, swap seats, and draw at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scorekeeper.people.names import folded


@dataclass(frozen=True, slots=True)
class Seats:
    """The names by seat, with "" for an empty seat, and the seat of the first dealer."""

    names: tuple[str, ...]
    dealer: int


def sit_down(seats: Seats, name: str) -> Seats:
    """Put the player `name` in the next empty seat. If the player has a seat already, make that seat empty.

    If no seat is empty, nothing changes.
    """
    folded_names = [folded(each) for each in seats.names]
    if folded(name) in folded_names:
        return _with_name(seats, folded_names.index(folded(name)), "")
    return _with_name(seats, seats.names.index(""), name) if "" in seats.names else seats


def swap_seats(seats: Seats, one: int, other: int) -> Seats:
    """Swap the players of two seats. The first dealer stays the same person."""
    places = list(range(len(seats.names)))
    places[one], places[other] = other, one
    return _moved(seats, places)


def draw_seats(seats: Seats, random: Random) -> Seats:
    """Give everyone a random seat. The first dealer stays the same person."""
    return _moved(seats, random.sample(range(len(seats.names)), len(seats.names)))


def draw_partners(seats: Seats, random: Random) -> Seats:
    """Draw partners at random: the player in the first seat stays, and all others get random seats.

    All partnerships are equally likely. The first dealer stays the same person.
    """
    others = range(1, len(seats.names))
    return _moved(seats, [0, *random.sample(others, len(others))])


def change_partners(seats: Seats) -> Seats:
    """Give everyone another partner: the player in the first seat stays, and all others move on by one seat.

    With four players, three such changes go through all partnerships. The first dealer stays the same person.
    """
    last = len(seats.names) - 1
    return _moved(seats, [0, last, *range(1, last)])


def draw_dealer(seats: Seats, random: Random) -> Seats:
    """Draw the first dealer at random."""
    return Seats(seats.names, random.randrange(len(seats.names)))


def _moved(seats: Seats, places: Sequence[int]) -> Seats:
    """Return the seats with each player moved from seat `places[i]` to seat i."""
    return Seats(tuple(seats.names[place] for place in places), places.index(seats.dealer))


def _with_name(seats: Seats, seat: int, name: str) -> Seats:
    return Seats((*seats.names[:seat], name, *seats.names[seat + 1 :]), seats.dealer)
