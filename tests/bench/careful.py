"""Careful players for any game of cards with bids: describe a table to `card_play.py`, and teach them what to bid.

Needs numba 0.68.1. In Setback to 21, these players bid 2, 3 and 4 in 48, 42 and 10 % of hands, and are set in 19 %;
players who try out sampled deals before each card bid 46, 42 and 11 %, and are set in 19 %.

The players of each table learn from hands in which a random player is made the bidder: what each card, and each pair
of cards, adds to the chance that each bid is made. Then they bid the most that hands of this worth make often enough
(`SURE`). The same seed always gives the same hands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

# What players learn, and so all hands, would depend on the number of threads.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

from scorekeeper.rules.cards import CARD_POINTS, SUITS, carrier, jokers_of, pack_of, told_by_cards, trumps_of
from scorekeeper.rules.setback_games import NAMED
from scorekeeper.rules.table import Table
from tests.bench import card_play as play
from tests.bench.card_play import Game, Numbers, Skill

RANKS = "23456789TJQKA"
SURE = (0.8, 0.55, 0.65)
"""How often players want to make the lowest bid, the highest number, and a pitch or a moon."""
LESSONS = (20_000, 60_000)
"""Hands from which the players of a table learn; in the later ones they name better trumps."""
DIGITS = 4
"""Digits that are kept of what is calculated. The last ones would depend on the processor.

Where two cuts are nearly as good, they would then decide what players bid.
"""
STEADY = 3.0
"""Keeps what was learned from few hands small."""
BATCH = 50_000
SEED = 20261129
Habits = tuple[float, ...]
ATTACK: Habits = (0.108, 0.13, 0.6, 0.05, 0.85, 0.65, 0.5, 0.05, 0.05, 0.5)
DEFEND: Habits = (0.033, -0.02, 0.3, 0.15, 0.65, 0.45, 0.7, 0.05, 0.05, 0.8)
"""How players weigh the cards, on the bidder's side and on the others; `card_play._choose` names the numbers."""
DRAWS = {
    "smear-52": play.KEEP_BEST,
    "oklahoma-21": play.WIDOW_FIRST,
}
DEALT = {"smear-52": {6: 8, 7: 6, 8: 6}}
SMEAR = 10
"""Cards that each player of `smear-52` gets, if `DEALT` doesn't say otherwise."""


def card_number(card: str) -> int:
    """Return the number of a card: 13 times the place of its suit, and the place of its rank; jokers are 52 and 53."""
    return {"RJ": 52, "BJ": 53}.get(card) or SUITS.index(card[1]) * 13 + RANKS.index(card[0])


NONE = np.ones((play.MOST_CARDS, play.MOST_CARDS, 20))
for _held in range(play.MOST_CARDS):
    for _pool in range(1, play.MOST_CARDS):
        NONE[_held, _pool] = (max(0.0, 1 - _held / _pool) ** np.arange(20)).round(DIGITS)


@cache
def game_at(table: Table) -> Game:
    """Describe a table in numbers."""
    rules, players = table.rules, table.players
    code, pack = np.zeros((4, 54), np.int64), np.zeros((4, play.GROUPS), np.int64)
    for at, suit in enumerate(SUITS):
        trumps = list(trumps_of(rules, suit))
        if rules.play.cards_of == "joker" and "lowest trump" in rules.play.cards:
            trumps = [*jokers_of(rules), *(card for card in trumps if card not in jokers_of(rules))]
        for card in pack_of(rules):
            number = card_number(card)
            group, place = (0, trumps.index(card)) if card in trumps else (1 + number // 13, number % 13)
            code[at, number] = group * 32 + place
            pack[at, group] |= 1 << place
    lowest = int(trumps[0] in jokers_of(rules))
    worthless = "J" + suit if not rules.trump_jack_counts else ""
    draw = DRAWS.get(rules.preset, play.DRAW_TRUMPS if rules.discard_to else play.NO_DRAW)
    size = rules.cards_for(players)
    if rules.preset in DEALT:
        size = DEALT[rules.preset].get(players, SMEAR)
    rest_to = play.NOBODY
    if draw == play.DRAW_TRUMPS:
        rest_to = play.DEALER if rules.play.dealer_takes_rest else play.BIDDER
        if rules.play.leaves_trumps and players != 4:
            rest_to = play.NOBODY
    keep = rules.discard_to or size
    spare = len(pack_of(rules)) - size * players
    special = -1 if rules.special_bid == "none" else table.top_bid + 1
    return Game(
        players=players,
        parties=table.parties,
        side_of=np.array(table.side_of),
        size=size,
        keep=keep,
        draw=draw,
        rest_to=rest_to,
        refill=int(bool(rules.play.deck_runs_out)),
        keeps_scored=int(rules.play.trumps_only and all(each.always for each in rules.categories)),
        coke=int(rules.redeal == "ten_or_two"),
        trumps_only=int(rules.play.trumps_only),
        lead_trump=int(rules.play.lead != NAMED.lead),
        any_time=int(rules.trump_any_time),
        never_led=trumps.index("RJ") if "You may not lead it" in rules.play.cards else -1,
        lowest=lowest,
        code=code,
        pack=pack,
        point=np.array(
            [
                trumps.index(carrier(each, suit))
                if each.card
                else {"high": play.HIGH, "low": play.LOW, "game": play.GAME}[each.key]
                for each in rules.categories
            ]
        ),
        dealt=np.array([int(not told_by_cards(rules, each)) for each in rules.categories]),
        value=np.array([each.value for each in rules.categories]),
        trump_count=np.array(
            [0 if card == worthless else CARD_POINTS.get(card[0], 0) for card in trumps] + [0] * (32 - len(trumps))
        ),
        plain_count=np.array([CARD_POINTS.get(rank, 0) for rank in RANKS]),
        minimum=rules.game_minimum,
        bid_min=rules.bid_min,
        top=table.top_bid,
        special=special,
        forced=-1 if rules.forced_bid is None else rules.forced_bid,
        until_passed=int(rules.auction == "until_passed"),
        match=int(rules.dealer_matches),
        match_top=int(rules.dealer_may_match_max),
        raises=int(rules.dealer_raises),
        stop_at_max=int(rules.stop_at_max),
        hidden=0 if rest_to != play.NOBODY or draw == play.WIDOW_FIRST else spare * keep // size,
        none=NONE,
    )


def decks(table: Table, random: np.random.Generator, hands: int) -> Numbers:
    """Return shuffled decks of a game, one in each row."""
    pack = np.array(sorted(map(card_number, pack_of(table.rules))))
    return random.permuted(np.broadcast_to(pack, (hands, len(pack))), axis=1)


def _played(
    table: Table, game: Game, skill: Skill, random: np.random.Generator, hands: int, explore: bool = False
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the decks, the hands, and the suits for which was bid."""
    cards = decks(table, random, hands)
    found = np.empty((hands, 2 + len(game.point)), np.int8)
    lent = np.zeros(hands, np.int64)
    play.play_hands(game, skill, cards, int(random.integers(1 << 31)), explore, found, lent)
    return cards, found, lent


def points(game: Game, hands: Numbers, party: int = 0) -> Numbers:
    """Return the points of a party in each hand. The bidder's is party 0."""
    scored: Numbers = (hands[:, 2:] == party) @ game.value
    return scored


@cache
def skill_at(table: Table) -> Skill:
    """Return what careful players at a table have learned."""
    game = game_at(table)._replace(coke=0)
    kinds = np.arange(play.KINDS)
    bids = np.arange(game.bid_min, max(game.top, game.special) + 1)
    skill = Skill(
        base=np.zeros(len(bids)),
        single=np.tile(np.where(kinds < play.TRUMPS, 0.2 + 0.02 * kinds, 0.0), (len(bids), 1)),
        pair=np.zeros((len(bids), play.KINDS, play.KINDS)),
        cuts=np.full(len(bids), np.inf),
        attack=ATTACK,
        defend=DEFEND,
    )
    random = np.random.default_rng([len(table.rules.preset), table.players, table.parties])
    for lesson in LESSONS:
        cards, hands, lent = _played(table, game, skill, random, lesson, explore=True)
        made = points(game, hands)[:, None] >= np.minimum(bids, game.value.sum())
        matrix, right = play.normal_equations(game, cards, hands, lent, made.astype(float))
        matrix[np.diag_indices(len(matrix))] += STEADY
        learned = np.linalg.solve(matrix, right).T.round(DIGITS)
        pair = learned[:, 1 + play.KINDS :].reshape(-1, play.KINDS, play.KINDS)
        pair = pair + pair.transpose(0, 2, 1) - pair * np.eye(play.KINDS)
        skill = skill._replace(
            base=learned[:, 0].copy(), single=learned[:, 1 : 1 + play.KINDS].copy(), pair=np.ascontiguousarray(pair)
        )
        skill = skill._replace(cuts=_cuts(game, bids, play.judged(game, skill, cards, hands, lent), made))
    return skill


def _cuts(game: Game, bids: Numbers, judged: Numbers, made: Numbers) -> Numbers:
    """Return from which worth of a hand each bid is made often enough."""
    found = np.full(len(bids), np.inf)
    low, high, special = SURE
    for rung, bid in enumerate(bids):
        sure = special if bid == game.special else low - (low - high) * rung / max(1, game.top - game.bid_min)
        # From the best hands down, as long as more of them make the bid than must.
        best = np.argsort(-judged[:, rung], kind="stable")
        over = np.cumsum(made[best, rung] - sure)
        if over.max() > 0:
            found[rung] = judged[best[over.argmax()], rung]
    return found


def dealt_hands(table: Table, hands: int, seed: int, bold: float = 0.0) -> Iterator[Numbers]:
    """Yield played hands in batches, in the rows that `card_play.play_hands` fills, without those that all passed.

    With `bold`, players bid on hands that they expect to make so much less often.
    """
    random = np.random.default_rng(seed)
    game, skill = game_at(table), skill_at(table)
    skill = skill._replace(cuts=skill.cuts - bold)
    for start in range(0, hands, BATCH):
        found = _played(table, game, skill, random, min(BATCH, hands - start))[1]
        yield found[found[:, 0] >= 0]


def understood(table: Table) -> bool:
    """Return whether careful players know the game: its bids are about points of cards, as not in Some'R'Set.

    They don't know what the rest of the deck is worth in `smear-6`, and they can't call a partner.
    """
    rules = table.rules
    return rules.has_bids and bool(rules.categories) and rules.preset != "smear-6" and not table.called
