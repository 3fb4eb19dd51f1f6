"""Records of games and hands for tests of statistics, one for each player, made from a game's score."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games.logic.statistics.hands import GameKey, HandPlayed, Played
from scorekeeper.rules.scoring import Hand, Scored, Tally, bidding_sides, lead_of
from scorekeeper.rules.table import Table


def records_of_game(
    table: Table, players: Sequence[int], tally: Tally, winner: int | None, where: tuple[int, int, int, GameKey]
) -> tuple[Played, ...]:
    """Return the records of a game, one for each of `players` in order of the seats.

    `tally` has the game's totals and sets. `winner` is the winning side, or None for a tie. `where` is a tuple of the
    night, the round, the table and the game.
    """
    records = []
    for seat, person in enumerate(players):
        side = table.side_of[seat]
        points = tally.totals[side]
        records.append(
            Played(
                *where,
                person,
                tuple(players[other] for other in table.sides[side] if other != seat),
                tuple(players[other] for other in range(table.players) if table.side_of[other] != side),
                points,
                points - lead_of(tally.totals, side),
                won=winner == side,
                drawn=winner is None,
                sets=tally.sets[side],
                hands=tally.hands,
            )
        )
    return tuple(records)


def records_of_hand(
    table: Table, players: Sequence[int], hand: Hand, scored: Scored, where: tuple[GameKey, int, int]
) -> tuple[HandPlayed, ...]:
    """Return the records of a hand, one for each of `players` in order of the seats.

    `where` is a tuple of the game, the night and the number of the hand, counted from 1. If the bidder called a
    partner, these two are partners in the hand. The other players are their opponents, and are partners of each other.
    """
    bidding = bidding_sides(table, hand)
    together = [side in bidding for side in table.side_of]
    records = []
    for seat in range(table.players):
        side = table.side_of[seat]
        if table.called and bidding:
            mates = [other for other in range(table.players) if together[other] == together[seat] and other != seat]
        else:
            mates = [other for other in table.sides[side] if other != seat]
        records.append(
            HandPlayed(
                *where,
                table.players,
                seat,
                hand.dealer,
                hand.bidder,
                hand.bid,
                scored.made,
                bidding,
                scored.delta,
                side,
                tuple(players[other] for other in mates),
                tuple(players[other] for other in range(table.players) if other != seat and other not in mates),
            )
        )
    return tuple(records)
