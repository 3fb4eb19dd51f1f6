"""Random hands of every game and option, each entered in every way that the app has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from scorekeeper.games.forms.hand import CARD_FIELD, HUNG, NO_CARD, hand_data
from scorekeeper.games.presenters.client_state import rules_state, score_state
from scorekeeper.games.presenters.hand_form import way_before
from scorekeeper.rules import commands as c
from scorekeeper.rules.bidding import hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import CARD_POINTS, count_cards, pack_of
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import RED_POINTS, allowed_points, allowed_trumps, most_tricks
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_record, write_rules
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.table import Table
from tests.rules.client_games import table_with, values_of
from tests.rules.strategies import started

HANDS_IN_A_GAME = 6
PHONE_JS = """
(rules, hands) => hands.map(({ state, fields, bid }) => {
  const hand = rules.handIn(state, new Map(Object.entries(fields)), bid);
  const { calls, captured, ...checked } = hand;
  const refusal = rules.checkHand(state, checked);
  if (refusal) return { refusal };
  const after = rules.scoreChange(state, { id: "phone-made", hand });
  const { totals, sets, outcome } = after;
  return { hand, score: { totals, sets, outcome }, way: rules.wayBefore(after) };
})
"""
"""JavaScript that reads hands from forms and scores them, by the rules of a phone without a signal.

`way` is how the phone asks for the next hand.
"""


@dataclass(frozen=True)
class Told:
    """A hand as the people at the table saw it."""

    game: Game
    """The game before the hand."""
    calls: tuple[Any, ...]
    fields: Mapping[str, str]
    """The fields of the form for the points, besides the winner of each point."""
    owners: Mapping[str, str]
    """The winner of each point as tapped: a party, or "none". In a game without points, it is empty."""
    count: Mapping[str, str]
    """The winner of each point that the cards show, as the count fills it in, and the cards."""
    shares: tuple[int, ...]
    """The points of each party."""
    is_tie: bool
    """Whether Game is tied, and somebody takes it."""

    @property
    def bid(self) -> dict[str, Any]:
        """Return bidder and bid, or {} in a game without bidding."""
        auction = open_auction(self.game.table, self.game.dealer)
        for call in self.calls:
            auction = hear_call(self.game.table, auction, call)
        return {} if auction.bidder is None else {"bidder": auction.bidder, "bid": auction.bid}

    def forms(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield each way to fill in the form of the points, with its name."""
        table = self.game.table
        plain = dict(self.fields)
        if table.rules.categories:
            yield "points", plain | dict(self.owners)
            yield "cards", plain | {**self.owners, **self.count}
            yield "cards and points", plain | {**self.count, **self.owners}
        if table.rules.has_bids:
            sums = {f"taken-{party}": str(points) for party, points in enumerate(self.shares)}
            yield "sums", plain | {"mode": "taken", **sums}
            # A sum doesn't tell whether the point for all the tricks is in it.
            if table.least == table.most and self.owners.get("slam", "none") == "none":
                del sums[f"taken-{table.parties - 1}"]
                yield "sums but one", plain | {"mode": "taken", **sums}
        if table.rules.hand_totals:
            yield "tricks and red cards", plain | {"mode": "parts", **_parts(table, self.shares)}

    def entered(self) -> Iterator[tuple[str, Game]]:
        """Yield the game after the hand for each way to enter it on a page, by its name."""
        game, table, bid = self.game, self.game.table, self.bid
        starts = {"bid": game, "auction": game}
        if bid:
            starts["bid"] = done(game, c.TakeBid(bid["bidder"], bid["bid"], self.fields.get("trump")))
            for call in self.calls:
                starts["auction"] = done(starts["auction"], c.MakeCall(call))
        for name, form in self.forms():
            whole = {key: str(value) for key, value in bid.items()} | form
            for start, there in starts.items():
                yield f"{start}, {name}", done(there, c.EnterHand(hand_data(form, table)))
            yield f"import, {name}", imported(game, hand_data(whole, table))
            yield f"correction, {name}", self.corrected(hand_data({"dealer": str(game.dealer), **whole}, table))

    def corrected(self, data: dict[str, Any]) -> Game:
        """Return the game after another hand was entered and then corrected into this one."""
        game, table = self.game, self.game.table
        other = done(game, c.EnterHand(hand_data({"mode": "passed"}, table))) if _may_pass(table) else game
        if other is game:
            first = next(form for _name, form in self.forms())
            other = done(game, c.EnterHand(self.bid | hand_data(first, table)))
        return done(other, c.CorrectHand(other.hands[-1].entry.seq, data))

    def on_the_phone(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what `PHONE_JS` gets for each way to enter the hand without a signal, by its name."""
        game = self.game
        state = {**rules_state(game.table), **score_state(game), "says": {}}
        trump = {"trump": self.fields["trump"]} if "trump" in self.fields else {}
        bid = {"dealer": game.dealer, **self.bid, **(trump if self.bid else {})}
        for name, fields in self.forms():
            for way, more in {"bid": {}, "auction": {"calls": list(self.calls)} if self.calls else {}}.items():
                yield f"offline, {way}, {name}", {"state": state, "fields": fields, "bid": bid | more}


def hands(count: int, seed: int = 0) -> Iterator[Told]:
    """Yield `count` random hands, from games that each have another value of an option, in turn."""
    values = [(preset, {key: value}) for key in OPTIONS for value in values_of(key) for preset in PRESETS]
    Random(seed).shuffle(values)
    number = 0
    for turn in range(count):
        chance = Random(f"{seed} {turn}")
        table = table_with(chance, *values[turn % len(values)])
        game = replay([started(table, chance.randrange(table.players))])
        for _ in range(HANDS_IN_A_GAME):
            told = _told(game, chance)
            if told is not None:
                yield told
                number += 1
                game = next(told.entered())[1]
            if game.over or number == count:
                break
        if number == count:
            return


def done(game: Game, wish: c.Command) -> Game:
    """Return the game after the command `wish`. Raises `RuleViolation` if the rules refuse it."""
    return advance(game, c.decide(game, wish))


def imported(game: Game, data: dict[str, Any]) -> Game:
    """Return the game after its record, with the hand `data` added, was imported."""
    table = game.table
    record = read_record(
        {
            "format": "scorekeeper-game/1",
            "ruleset": write_rules(table.rules),
            "players": [f"Player {seat}" for seat in range(table.players)],
            "sides": [list(side) for side in table.sides],
            "first_dealer": game.dealer,
            "hands": [data],
        }
    )
    return done(game, c.EnterHand({**data, "dealer": record.hands[0].dealer})) if record.hands else game


def score_of(game: Game) -> dict[str, Any]:
    """Return the score of a game as a phone has it."""
    return {key: value for key, value in score_state(game).items() if key in ("totals", "sets", "outcome")}


def _mode_of(game: Game) -> str:
    """Return the mode of the form for the next hand; where there are no points, the sums are the usual one."""
    hand = game.hands[-1].entry.hand
    return way_before(game).get("mode", "points" if hand.points else "taken")


def way_of(game: Game) -> dict[str, Any]:
    """Return how the board of `game` asks for the next hand, as a phone has it."""
    return {"called": game.hands[-1].entry.hand.calls is not None, "mode": _mode_of(game)}


def _may_pass(table: Table) -> bool:
    return table.rules.has_bids and table.rules.forced_bid is None


def _parts(table: Table, shares: tuple[int, ...]) -> dict[str, str]:
    """Return fields of tricks and red cards that add up to `shares`."""
    tricks, red = table.most - RED_POINTS, RED_POINTS
    fields: dict[str, str] = {}
    for party, points in enumerate(shares):
        # Nobody has red cards without a trick.
        later = sum(1 for more in shares[party + 1 :] if more)
        won = max(points - red, min(points, 1), min(points, tricks - later) if points <= tricks - later else 0)
        fields |= {f"side_tricks-{party}": str(won), f"side_red-{party}": str(points - won)}
        tricks, red = tricks - won, red - (points - won)
    return fields


def _told(game: Game, chance: Random) -> Told | None:
    """Return a random next hand of `game`, or None if everyone passed."""
    table = game.table
    calls: list[Any] = []
    auction = open_auction(table, game.dealer)
    while not auction.closed:
        legal = legal_calls(table, auction)
        calls.append(chance.choice(legal[:3] if chance.random() < 0.7 else legal))
        auction = hear_call(table, auction, calls[-1])
    if table.rules.has_bids and auction.bidder is None:
        return None
    bidder, bid = auction.bidder, auction.bid
    party = None if bidder is None else table.party_of(bidder)
    fields = {"trump": chance.choice([trump for trump in allowed_trumps(table) if trump != "none"])}
    if table.called:
        others = [str(seat) for seat in range(table.players) if seat != bidder]
        fields["partner"] = chance.choice([*others, "alone"])
    if bid == "pitch" and table.rules.pitch_test != "points":
        fields["tricks"] = str(chance.randint(0, most_tricks(table.rules)))
    if table.rules.revoke_costs_bid and chance.random() < 0.3:
        fields["revoked"] = str(chance.randrange(table.players))
    if not table.rules.categories:
        cuts = sorted(chance.randint(0, table.most) for _ in range(table.parties - 1))
        shares = tuple(high - low for low, high in zip([0, *cuts], [*cuts, table.most], strict=True))
        return Told(game, tuple(calls), fields, {}, {}, shares, is_tie=False)
    named, piles, is_tie = _won(table, game.dealer, fields["trump"], bid, party, chance)
    owners = {key: "none" if side is None else str(side) for key, side in named.items()}
    count = dict(owners)
    # At a tie, people tap "tied" if there is such a button.
    if is_tie and table.parties == 2 and not table.rules.game_minimum:
        owners["game"] = "none"
    if not table.rules.has_bids:
        ranks = [rank for rank in table.rules.turned_up_worth if rank != "J" or named.get("jack") is None]
        fields["turned_up"] = chance.choice([NO_CARD, *ranks])
        if named.get("jack") is not None and table.rules.hang_jack and chance.random() < 0.5:
            owners["jack"] = count["jack"] = f"{HUNG}{owners['jack']}"
    cards = {f"{CARD_FIELD}{card}": str(side) for side, pile in enumerate(piles) for card in pile}
    worth = {category.key: category.value for category in table.rules.points_of(bid)}
    shares = tuple(sum(worth[key] for key, side in named.items() if side == each) for each in range(table.parties))
    return Told(game, tuple(calls), fields, owners, count | cards, shares, is_tie)


def _won(
    table: Table, dealer: int, trump: str, bid: Any, party: int | None, chance: Random
) -> tuple[dict[str, int | None], list[list[str]], bool]:
    """Return the winner of each point, the cards of each party, and whether Game was tied but somebody takes it."""
    allowed = allowed_points(table, bid, party or 0)
    while True:
        piles = _piles(table, chance)
        count = count_cards(table, trump, piles, bidding_side=party, dealer=dealer)
        named = {key: count.points.get(key, chance.choice(sides)) for key, sides in allowed.items()}
        if all(named[category.key] is not None for category in table.rules.categories if category.always):
            most = max(count.card_points)
            leaders = [side for side, points in enumerate(count.card_points) if points == most]
            compared = table.rules.compares("game")
            return named, piles, compared and len(leaders) > 1 and named["game"] is not None


def _piles(table: Table, chance: Random) -> list[list[str]]:
    """Return random piles of cards; in half of all hands, two parties have the same card points."""
    pack = sorted(pack_of(table.rules))
    chance.shuffle(pack)
    piles: list[list[str]] = [[] for _ in range(table.parties)]
    if chance.random() < 0.5:
        for card in pack[: chance.randint(len(pack) // 2, len(pack))]:
            piles[chance.randrange(len(piles))].append(card)
        return piles
    level = chance.sample(range(len(piles)), 2)
    for rank in table.rules.ranks:
        suits = [card for card in pack if card[0] == rank and card[1] in "CDHS"]
        out = suits if rank != "J" else suits * chance.randint(0, 1)
        for at, card in enumerate(out):
            piles[level[at % 2] if rank in CARD_POINTS else chance.randrange(len(piles))].append(card)
    return piles
