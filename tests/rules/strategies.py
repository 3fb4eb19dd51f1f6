"""Hypothesis strategies for games: any rules that `with_options` accepts, any table, and any hands the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.bidding import PASS, Bid, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import SUITS, pack_of
from scorekeeper.rules.hands import allowed_points, allowed_trumps, most_tricks, read_hand
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import write_rules
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.scoring import Tally, add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after, table_at

NEAR = {
    "target": 40,
    "win_by": 6,
    "hands_limit": 8,
    "max_sets": 3,
    "lose_at_minus": 6,
    "bidder_lead": 5,
    "bid_min": 6,
    "bid_max": 12,
    "forced_bid": 6,
}
"""Upper limits for drawn option values, low enough that short games reach their end."""

ENDINGS: tuple[dict[str, Any], ...] = (
    {},
    {"target": 9},
    {"finish": "bid_out", "win_by": 2, "target": 7},
    {"finish": "bid_out", "win_by": 1, "go_out": "take", "target": 5},
    {"finish": "bidder_first", "target": 6},
    {"finish": "highest", "tie": "one_more_hand", "target": 6},
    {"finish": "highest", "tie": "one_more_hand", "tie_break_round": "threshold", "target": 6},
    {"finish": "highest", "tie": "bidder", "target": 6},
    {"finish": "highest", "tie": "play_on", "win_by": 3, "target": 6},
    {"finish": "fixed_hands", "hands_limit": 3},
    {"special_bid": "pitch", "target": 15},
    {"special_bid": "moon", "target": 15},
    {"max_sets": 2},
    {"lose_at_minus": 3},
    {"finish": "bidder_first", "bidder_lead": 2, "target": 5},
)
"""Sets of options, one of which is tried first in each ruleset, so that every way to end a game occurs."""


CHOICES = (
    "",
    "high low jack game",
    "high low jack off_jack game",
    "high low jack joker game",
    "high low right left game",
    "high low jack high_joker low_joker game",
    "high low jack five off_five game",
    "high low jack off_jack high_joker low_joker game",
    "high low jack off_jack joker game three off_three",
    "ace jack off_jack high_joker low_joker ten two",
    "ace jack ten two",
    "jack off_jack",
)
"""Values of the option `points`: sets of points that real tables play, and a few that nobody plays."""


def _values(option: str) -> st.SearchStrategy[Any]:
    if several := OPTIONS[option].several:
        return st.sampled_from(CHOICES) | st.lists(st.sampled_from(list(several))).map(OPTIONS[option].joined)
    if OPTIONS[option].values:
        return st.sampled_from(tuple(OPTIONS[option].values))
    low, high = OPTIONS[option].numbers
    numbers = st.integers(low, min(high, NEAR.get(option, high)))
    return st.none() | numbers if OPTIONS[option].nullable else numbers


@st.composite
def rulesets(
    draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS), endings: tuple[dict[str, Any], ...] = ENDINGS
) -> Ruleset:
    """Draw a preset and change a few of its options; changes that the rules refuse are skipped.

    The first change is one of the sets of options in `endings`.
    """
    preset = PRESETS[draw(st.sampled_from(presets))]
    wishes = [draw(st.sampled_from(endings))]
    wishes += [
        {key: draw(_values(key))} for key in draw(st.lists(st.sampled_from(list(OPTIONS)), unique=True, max_size=5))
    ]
    options: dict[str, Any] = {}
    for wish in wishes:
        wished = options | wish
        try:
            with_options(preset, wished)
        except RuleViolation:
            continue
        options = wished
    return with_options(preset, options)


@st.composite
def tables(draw: st.DrawFn, rules: st.SearchStrategy[Ruleset] | None = None) -> Table:
    """Draw a table for the drawn `rules`, with any seating that they allow."""
    chosen = draw(rulesets() if rules is None else rules)
    fitting = []
    for seating in chosen.seatings:
        try:
            fitting.append(table_at(chosen, seating))
        except RuleViolation:
            continue
    return draw(st.sampled_from(fitting)) if fitting else draw(tables(rules=st.just(PRESETS[chosen.preset])))


@st.composite
def auctions(draw: st.DrawFn, table: Table, dealer: int) -> list[Any]:
    """Draw all calls of a legal, finished auction; low bids and passes are more likely than other calls."""
    auction = open_auction(table, dealer)
    while not auction.closed:
        legal = legal_calls(table, auction)
        auction = hear_call(table, auction, draw(st.sampled_from((*legal[:3], *legal))))
    return list(auction.calls)


def splits(total: int, parts: int) -> st.SearchStrategy[list[int]]:
    """Return a strategy for ways to share `total` points among `parts` sides."""
    cuts = st.lists(st.integers(0, total), min_size=parts - 1, max_size=parts - 1).map(sorted)
    return cuts.map(lambda at: [high - low for low, high in zip([0, *at], [*at, total], strict=True)])


@st.composite
def captures(draw: st.DrawFn, table: Table, trump: str, *, most: int = 16) -> list[list[str]]:
    """Draw the cards that each side captured; at least one of the cards is a trump.

    The result has a list of cards for each side or, with a called partner, for each of the two parties. Up to `most`
    random cards are drawn. Then one more trump is drawn, unless all trumps have been drawn already.
    """
    pack = sorted(pack_of(table.rules))
    honours = [card for card in pack if card[1] == trump or card[0] in "TAJ"]
    cards = draw(st.lists(st.sampled_from(honours) | st.sampled_from(pack), unique=True, max_size=most))
    sure = draw(st.sampled_from([card for card in pack if card[1] == trump and card not in cards] or cards))
    piles: list[list[str]] = [[] for _ in range(table.parties)]
    for card in dict.fromkeys((*cards, sure)):
        piles[draw(st.integers(0, len(piles) - 1))].append(card)
    return piles


@st.composite
def hands(draw: st.DrawFn, table: Table, dealer: int) -> dict[str, Any]:
    """Draw a hand that the rules accept, in the format of a hand in a game record.

    The seat `dealer` deals, unless the drawn hand has a field "dealer" with a random seat.
    """
    rules = table.rules
    data: dict[str, Any] = {}
    if draw(st.integers(0, 9)) == 0:
        data["dealer"] = dealer = draw(st.integers(0, table.players - 1))
    if not rules.has_bids:
        return data | draw(_without_bids(table))
    if rules.forced_bid is None and draw(st.integers(0, 9)) == 0:
        return data | {"passed": True}
    bid: Bid | None
    if draw(st.booleans()):
        data["calls"] = draw(auctions(table, dealer))
        auction = open_auction(table, dealer)
        for call in data["calls"]:
            auction = hear_call(table, auction, call)
        if auction.bidder is None:
            return data
        bidder, bid = auction.bidder, auction.bid
    else:
        bidder = draw(st.integers(0, table.players - 1))
        bid = draw(st.sampled_from(allowed_bids(table, bidder, dealer)))
        data |= {"bidder": bidder, "bid": bid}
    if draw(st.booleans()):
        data["trump"] = draw(st.sampled_from(allowed_trumps(table)))
    if table.called:
        others = [seat for seat in range(table.players) if seat != bidder]
        data["partner"] = draw(st.none() | st.sampled_from(others))
    if bid == "pitch" and (rules.pitch_test != "points" or draw(st.booleans())):
        data["tricks"] = draw(st.integers(0, most_tricks(table.rules)))
    if draw(st.integers(0, 7)) == 0:
        data["x_note"] = draw(st.none() | st.text(max_size=3) | st.lists(st.integers(0, 9), max_size=2))
    return data | draw(_won(table, bid, table.party_of(bidder)))


@st.composite
def _without_bids(draw: st.DrawFn, table: Table) -> dict[str, Any]:
    data = draw(_won(table))
    jack = data.get("points", {}).get("jack")
    rank = draw(st.none() | st.sampled_from("A26J9" if jack is None else "A269"))
    if rank is not None:
        data["turned_up"] = rank + draw(st.sampled_from(("", *SUITS)))
    if jack is not None and draw(st.booleans()):
        data["jack_hung"] = True
    return data


@st.composite
def _won(draw: st.DrawFn, table: Table, bid: Bid | None = None, party: int = 0) -> dict[str, Any]:
    way = draw(st.sampled_from(("taken", "taken", "points"))) if table.rules.categories else "taken"
    if way == "points":
        owners = allowed_points(table, bid, party)
        return {"points": {key: draw(st.sampled_from(sides)) for key, sides in owners.items()}}
    parts = table.parties
    even = [total for total in table.sums if total and total % parts == 0]
    alike: bool = draw(st.booleans())
    if even and alike:
        return {"taken": [draw(st.sampled_from(even)) // parts] * parts}
    total = draw(st.sampled_from(table.sums) | st.just(table.most))
    return {"taken": draw(splits(total, parts) | st.permutations([total] + [0] * (parts - 1)))}


@st.composite
def records(
    draw: st.DrawFn, table: st.SearchStrategy[Table] | None = None, *, most: int = 14
) -> tuple[Table, dict[str, Any]]:
    """Draw a table and the record of a game at that table.

    The game has at most `most` hands, and no hand after its end.
    """
    at = draw(tables() if table is None else table)
    rules = at.rules
    dealer = first_dealer = draw(st.integers(0, at.players - 1))
    played: list[dict[str, Any]] = []
    tally: Tally = new_tally(at)
    for _ in range(draw(st.integers(0, 3) | st.integers(6, most))):
        if tally.outcome is not None:
            break
        data = draw(hands(at, dealer))
        hand = read_hand(at, data, dealer=dealer)
        tally, _scored = add_hand(at, tally, hand)
        dealer = dealer_after(at, hand.dealer, thrown_in=hand.thrown_in)
        played.append(data)
    return at, {
        "format": "scorekeeper-game/1",
        "ruleset": write_rules(rules),
        "players": [f"Player {seat}" for seat in range(at.players)],
        "sides": [list(side) for side in at.sides],
        "first_dealer": first_dealer,
        "hands": played,
    }


# Whole evenings: what people do at a table, in any order.


def _hand_seqs(game: g.Game) -> st.SearchStrategy[int]:
    return st.sampled_from([entry.seq for entry in game.entries] or [0])


@st.composite
def _wish(draw: st.DrawFn, game: g.Game) -> c.Command:
    table = game.table
    seat = st.integers(0, table.players - 1)
    kind = draw(
        st.sampled_from(
            ("hand",) * 14
            + ("bid", "call", "call", "call", "takeback", "withdraw", "correct", "correct", "void", "restore")
            + ("undo", "undo", "redo", "redo", "adjust", "adjust", "rules", "rules")
            + ("misdeal", "dealer", "replace", "rename", "concede", "abandon", "reopen", "reopen")
        )
    )
    if kind == "hand":
        return c.EnterHand(draw(hands(table, game.dealer)))
    if kind == "bid" and not table.rules.has_bids:
        return c.TakeBid(draw(seat), 2)
    if kind == "call" and not table.rules.has_bids:
        return c.MakeCall(PASS)
    if kind == "bid":
        bidder = draw(seat)
        bid = draw(st.sampled_from(allowed_bids(table, bidder, game.dealer)))
        return c.TakeBid(bidder, bid, draw(st.none() | st.sampled_from(allowed_trumps(table))))
    if kind == "call":
        auction = game.auction or open_auction(table, game.dealer)
        return c.MakeCall(draw(st.sampled_from(legal_calls(table, auction))))
    if kind == "rules":
        return c.ChangeRules(draw(rulesets((table.rules.preset,))))
    if kind == "correct":
        seq = draw(_hand_seqs(game))
        dealer = next((line.entry.hand.dealer for line in game.hands if line.entry.seq == seq), 0)
        return c.CorrectHand(seq, draw(hands(table, dealer)))
    simple: Mapping[str, Callable[[], c.Command]] = {
        "void": lambda: c.VoidHand(draw(_hand_seqs(game))),
        "restore": lambda: c.RestoreHand(draw(_hand_seqs(game))),
        "adjust": lambda: c.AdjustScore(
            draw(st.integers(0, len(table.sides) - 1)), draw(st.sampled_from((-3, -1, 1, 5))), "agreed"
        ),
        "takeback": c.TakeBackCall,
        "undo": c.Undo,
        "redo": c.Redo,
        "withdraw": c.WithdrawBid,
        "misdeal": c.Misdeal,
        "dealer": lambda: c.SetDealer(draw(seat)),
        "replace": lambda: c.ReplacePlayer(draw(seat), draw(st.integers(100, 110))),
        "rename": lambda: c.RenamePlayer(draw(seat), draw(st.integers(100, 110))),
        "concede": lambda: c.Concede(draw(st.integers(0, len(table.sides) - 1))),
        "abandon": c.Abandon,
        "reopen": c.Reopen,
    }
    return simple[kind]()


def started(table: Table, first_dealer: int = 0, extra: Mapping[str, Any] | None = None) -> ev.GameStarted:
    """Return the event that starts a game at `table`; the players have the ids 10, 11 and so on, in seat order.

    `extra` are the game's extra fields, such as its name; None means that it has none.
    """
    players = tuple(range(10, 10 + table.players))
    return ev.GameStarted(table.rules, players, table.sides, first_dealer, extra or {})


@st.composite
def logs(draw: st.DrawFn, *, most: int = 18) -> list[ev.Event]:
    """Draw the event log of a game, made by at most `most` random commands that the rules accepted."""
    table = draw(tables())
    log: list[ev.Event] = [started(table, draw(st.integers(0, table.players - 1)))]
    game = replay(log)
    for _ in range(draw(st.integers(0, 3) | st.integers(8, most))):
        try:
            happened = c.decide(game, draw(_wish(game)))
        except RuleViolation:
            continue
        for event in happened:
            game = evolve(game, event)
            log.append(event)
    return log


CALLS = st.sampled_from((PASS, 1, 2, 3, 4, 5, 6, 10, "pitch", "moon", 0, True, 2.0, "two"))
"""Calls of all kinds, most of which are illegal at most points of an auction."""
