"""A table: the rules, seats and sides of a game, and facts that follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset, changed

Sides = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its rules, seats and sides.

    `side_of[seat]` is the side of a seat. `called` means that the bidder calls a partner for the hand, and that each
    player has their own score.

    `sums` are the possible sums of the points in a hand, lowest first. Some numbers may be missing, for example if a
    point is worth five. The sums include a hung jack, but not the turned-up card.

    `bids` are all possible bids, lowest first. A pitch or a moon ranks above all numbers (RULES 4, 8). `bids` is empty
    in a game without bidding.
    """

    rules: Ruleset
    players: int
    sides: Sides
    side_of: tuple[int, ...]
    called: bool
    sums: tuple[int, ...]
    top_bid: int
    bids: tuple[int | str, ...]

    @property
    def parties(self) -> int:
        """Return the number of parties that share the points of a hand.

        Usually each side is a party. If the bidder calls a partner, party 0 is the bidder and the partner, and party 1
        is the defenders.
        """
        return 2 if self.called else len(self.sides)

    def party_of(self, bidder: int) -> int:
        """Return the number of the party of the seat `bidder`, which won the bid.

        The party is the bidder's side, or 0 if the bidder calls a partner.
        """
        return 0 if self.called else self.side_of[bidder]

    @property
    def least(self) -> int:
        """Return the lowest possible sum of the points in a hand."""
        return self.sums[0]

    @property
    def most(self) -> int:
        """Return the highest possible sum of the points in a hand."""
        return self.sums[-1]

    @property
    def most_scored(self) -> int:
        """Return the most points that a hand can have. In a pitch, all the tricks can be an extra point (RULES 4)."""
        return self.most + self.rules.slam_worth


def sides_of(seating: Seating) -> Sides:
    """Return the seats of each side. Partners sit evenly spaced. In other seatings, each seat is a side (RULES 7)."""
    return tuple(tuple(range(side, seating.players, seating.sides)) for side in range(seating.sides))


def seatings_for(rules: Ruleset, players: int) -> tuple[Seating, ...]:
    """Return the seatings that these rules allow for this number of players, the usual one first.

    If a game can be played with or without a called partner, the option `called_partner` decides (RULES 7).
    """
    known = tuple(seating for seating in rules.seatings if seating.players == players)
    if not rules.may_call:
        return known
    calls = rules.called_partner and any(seating.kind == "called" for seating in known)
    return tuple(seating for seating in known if (seating.kind == "called") == calls)


def table_at(rules: Ruleset, seating: Seating) -> Table:
    """Return the table for these rules and this seating. The seating decides the option `called_partner`.

    Raises `RuleViolation` if the rules don't allow the seating.
    """
    if rules.may_call:
        rules = changed(rules, {"called_partner": seating.kind == "called"})
    return set_table(rules, seating.players, sides_of(seating))


def set_table(rules: Ruleset, players: int, sides: Sequence[Sequence[int]] | None = None) -> Table:
    """Return the table for this number of players.

    `sides` holds the seats of each side, or is None for the usual sides. Raises `RuleViolation` if the game can't be
    played with this number of players or with these sides. Also raises `RuleViolation` if an option doesn't fit the
    players or the sides.
    """
    seating = _seating(rules, players, sides)
    made = sides_of(seating)
    _check_sides(rules, made)
    if rules.game_tie == "dealer" and seating.kind == "called":
        message = Phrase("A tied Game can't go to the dealer's side where the bidder calls a partner.")
        raise RuleViolation("option_sides", message, field="game_tie")
    total = dict(rules.hand_totals).get(players)
    sums = (total,) if total is not None else _sums(rules)
    most = sums[-1]
    side_of = tuple(seat % len(made) for seat in range(players))
    top_bid = most if rules.bid_max is None else rules.bid_max
    if not rules.has_bids:
        return Table(rules, players, made, side_of, seating.kind == "called", sums, top_bid, ())
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
    return Table(rules, players, made, side_of, seating.kind == "called", sums, top_bid, bids)


def _sums(rules: Ruleset) -> tuple[int, ...]:
    sums = {0}
    for category in rules.categories:
        hung = {rules.hang_jack} if category.key == "jack" and not rules.has_bids else set()
        worth = {category.value, category.value * category.always} | hung
        sums = {total + points for total in sums for points in worth}
    return tuple(sorted(sums))


def _seating(rules: Ruleset, players: int, sides: Sequence[Sequence[int]] | None) -> Seating:
    known = seatings_for(rules, players)
    if not known:
        calls = rules.called_partner or not rules.may_call
        counts = sorted({seating.players for seating in rules.seatings if calls or seating.kind != "called"})
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
    """Return the seat after `seat`, clockwise."""
    return (seat + 1) % table.players


def dealer_after(table: Table, dealer: int, *, thrown_in: bool) -> int:
    """Return the seat that deals after `dealer`, usually the next seat clockwise (RULES 1).

    `thrown_in` means that everyone passed. Then `dealer` deals again if the option `redeal_by` says so.
    """
    return dealer if thrown_in and table.rules.redeal_by == "same" else seat_after(table, dealer)


def _check_sides(rules: Ruleset, sides: Sides) -> None:
    if len(sides) == 2:
        return
    if rules.max_sets is not None:
        raise RuleViolation("option_sides", "A limit on sets only works with two sides.", field="max_sets")
    if rules.game_tie == "defenders":
        message = Phrase("A tied Game can go to the defenders only with two sides.")
        raise RuleViolation("option_sides", message, field="game_tie")


def _counts(counts: list[int]) -> Phrase:
    if len(counts) == 1:
        return Phrase("%(number)s players", number=counts[0])
    if counts == list(range(counts[0], counts[-1] + 1)):
        return Phrase("%(fewest)s to %(most)s players", fewest=counts[0], most=counts[-1])
    fewer = ", ".join(map(str, counts[:-1]))
    return Phrase("%(fewer)s or %(most)s players", fewer=fewer, most=counts[-1])
