"""A table: rules, seats and sides, with what follows from them worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.violation import RuleViolation

Sides = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rules with seats and sides.

    `side_of[seat]` is the side of a seat. A hand gives `least` to `most` points. `bids` are all
    bids of these rules, lowest first; a pitch or a moon ranks above all numbers (RULES 4, 8).
    `called`: the bidder calls a partner for the hand, and each player has their own score.
    """

    rules: Ruleset
    players: int
    sides: Sides
    side_of: tuple[int, ...]
    called: bool
    least: int
    most: int
    top_bid: int
    bids: tuple[int | str, ...]


def sides_of(seating: Seating) -> Sides:
    """Return the seats of each side: every other seat for partners, else one each."""
    if seating.kind == "partners":
        return tuple(tuple(range(side, seating.players, 2)) for side in range(2))
    return tuple((seat,) for seat in range(seating.players))


def seatings_for(rules: Ruleset, players: int) -> tuple[Seating, ...]:
    """Return the seatings that these rules allow for that many players, the usual one first."""
    return tuple(seating for seating in rules.seatings if seating.players == players)


def set_table(rules: Ruleset, players: int, sides: Sequence[Sequence[int]] | None = None) -> Table:
    """Return the table for that many players.

    `sides` defaults to the usual ones. If given, they must be the usual ones or, if the game
    allows it, each player alone. Raises `RuleViolation` for a number of players or sides that
    the game does not allow, and for options that need another number of sides.
    """
    seating = _seating(rules, players, sides)
    made = sides_of(seating)
    _check_sides(rules, made)
    total = dict(rules.hand_totals).get(players)
    most = total if total is not None else sum(category.value for category in rules.categories)
    least = total if total is not None else sum(category.value for category in rules.categories if category.always)
    side_of = tuple(next(i for i, side in enumerate(made) if seat in side) for seat in range(players))
    top_bid = most if rules.bid_max is None else rules.bid_max
    if top_bid > most or rules.bid_min > top_bid or (rules.forced_bid or 0) > top_bid:
        raise RuleViolation(
            "option_combination",
            Phrase(
                "With %(players)s players, a hand has %(most)s points. These bids don't fit.",
                players=players,
                most=most,
            ),
            field="bid_max",
        )
    special = () if rules.special_bid == "none" else (rules.special_bid,)
    bids = (*range(rules.bid_min, top_bid + 1), *special)
    return Table(rules, players, made, side_of, seating.kind == "called", least, most, top_bid, bids)


def _seating(rules: Ruleset, players: int, sides: Sequence[Sequence[int]] | None) -> Seating:
    known = seatings_for(rules, players)
    if not known:
        counts = sorted({seating.players for seating in rules.seatings})
        message = Phrase(
            "%(game)s is for %(counts)s, not %(given)s.", game=rules.name, counts=_counts(counts), given=players
        )
        raise RuleViolation("players_count", message, field="players")
    if sides is None:
        return known[0]
    wanted = tuple(tuple(side) for side in sides)
    for seating in known:
        if sides_of(seating) == wanted:
            return seating
    message = Phrase(
        "With %(players)s players, %(game)s isn't played with these sides.", game=rules.name, players=players
    )
    raise RuleViolation("sides", message, field="sides")


def seat_after(table: Table, seat: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % table.players


def dealer_after(table: Table, dealer: int, *, thrown_in: bool) -> int:
    """Return the next dealer: clockwise, or the same dealer after a thrown-in hand if `redeal_by` says so (RULES 1)."""
    return dealer if thrown_in and table.rules.redeal_by == "same" else seat_after(table, dealer)


def _check_sides(rules: Ruleset, sides: Sides) -> None:
    needs_two = (
        (rules.max_sets is not None, "max_sets", Phrase("A limit on sets only works with two sides.")),
        (
            rules.game_tie == "defenders",
            "game_tie",
            Phrase("A tied Game can go to the defenders only with two sides."),
        ),
        (rules.special_bid == "moon", "special_bid", Phrase("A moon only works with two sides.")),
    )
    for given, field, message in needs_two:
        if given and len(sides) != 2:
            raise RuleViolation("option_sides", message, field=field)


def _counts(counts: list[int]) -> Phrase:
    if len(counts) == 1:
        return Phrase("%(number)s players", number=counts[0])
    if counts == list(range(counts[0], counts[-1] + 1)):
        return Phrase("%(fewest)s to %(most)s players", fewest=counts[0], most=counts[-1])
    fewer = ", ".join(map(str, counts[:-1]))
    return Phrase("%(fewer)s or %(most)s players", fewer=fewer, most=counts[-1])
