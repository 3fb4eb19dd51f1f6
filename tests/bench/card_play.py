"""Deal, bid and play hands fast, by the rules of any game that takes tricks with a trump suit. Needs numba 0.68.1.

`pip install numba==0.68.1` first: only measurements use it, so the app doesn't depend on it. `careful.py` describes a
table to these functions, and teaches the players what their hands are worth.

The players are careful, but don't look ahead: for each card that they may play, they estimate from the cards that they
have seen how likely their side wins the trick, what the trick is worth, and what the card would be worth later.

A card has a group and a place: group 0 holds the trumps, lowest first, and groups 1 to 4 hold the other cards of each
suit. The cards of a group are the bits of a number. Seat 0 deals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

Numbers = np.ndarray[Any, Any]

GROUPS, TRUMPS, KINDS = 5, 18, 31
"""Groups of cards; most trumps of a game; kinds of cards for a bidder: each trump, and each rank of the other suits."""
NO_DRAW, KEEP_BEST, WIDOW_FIRST, DRAW_TRUMPS = range(4)
"""What happens between the deal and the first trick."""
NOBODY, BIDDER, DEALER = range(3)
"""What happens to the cards that remain: they stay, or go to one of these."""
HIGH, LOW, GAME = -1, -2, -3
"""Points that no certain trump decides."""
MOST_CARDS = 60


class Game(NamedTuple):
    """A table, in numbers. Flags are 0 or 1; `forced`, `never_led` and `special` are -1 if there is no such thing."""

    players: int
    parties: int
    side_of: Numbers
    size: int
    keep: int
    draw: int
    rest_to: int
    refill: int
    keeps_scored: int
    coke: int
    trumps_only: int
    lead_trump: int
    any_time: int
    never_led: int
    lowest: int
    code: Numbers
    pack: Numbers
    point: Numbers
    dealt: Numbers
    value: Numbers
    trump_count: Numbers
    plain_count: Numbers
    minimum: int
    bid_min: int
    top: int
    special: int
    forced: int
    until_passed: int
    match: int
    match_top: int
    raises: int
    stop_at_max: int
    hidden: int
    none: Numbers


class Skill(NamedTuple):
    """What players believe: the worth of a hand for each bid, by its cards and pairs of cards, and the worth it needs.

    `attack` and `defend` are the habits of the bidder's side and of the others, numbers as in `careful.ATTACK`.
    """

    base: Numbers
    single: Numbers
    pair: Numbers
    cuts: Numbers
    attack: tuple[float, ...]
    defend: tuple[float, ...]


@njit(cache=True)
def _size(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True)
def _worth(game: Game, skill: Skill, cards: Numbers, trump: int, rung: int, kinds: Numbers) -> float:
    """Return the worth of a hand with this trump for the bid `rung`, counted from the lowest."""
    single, pair, code = skill.single[rung], skill.pair[rung], game.code[trump]
    worth = skill.base[rung]
    trumps = 0
    for one in range(len(cards)):
        kind = code[cards[one]]
        if kind >= 32:
            kind = TRUMPS + kind % 32
        kinds[one] = kind
        trumps += kind < TRUMPS
        worth += single[kind]
        for other in range(one):
            worth += pair[kind, kinds[other]]
    return worth if trumps else -1e9


@njit(cache=True)
def _best(game: Game, skill: Skill, cards: Numbers, rung: int, kinds: Numbers) -> tuple[int, float]:
    """Return the suit that is worth most for the bid `rung`, and its worth."""
    suit, most = 0, -1e18
    for trump in range(4):
        worth = _worth(game, skill, cards, trump, rung, kinds)
        if worth > most:
            suit, most = trump, worth
    return suit, most


@njit(cache=True)
def _limit(game: Game, skill: Skill, cards: Numbers, kinds: Numbers) -> int:
    """Return the highest bid that a player would make, or -1."""
    for rung in range(len(skill.cuts) - 1, -1, -1):
        if _best(game, skill, cards, rung, kinds)[1] >= skill.cuts[rung]:
            return game.bid_min + rung
    return -1


@njit(cache=True)
def _auction(game: Game, limits: Numbers) -> tuple[int, int]:
    """Return who won the bid, and the bid; or -1 and -1 if all passed."""
    bidder = standing = -1
    highest = game.special if game.special > 0 else game.top
    if game.until_passed:
        out = np.zeros(game.players, np.int64)
        seat, left = 1 % game.players, game.players
        while left > (1 if bidder >= 0 else 0) and standing != highest:
            if not out[seat] and seat != bidder:
                ask = game.bid_min if bidder < 0 else standing + 1
                ours = bidder >= 0 and game.side_of[bidder] == game.side_of[seat]
                if limits[seat] >= ask and not ours:
                    bidder, standing = seat, ask
                else:
                    out[seat], left = 1, left - 1
            seat = (seat + 1) % game.players
        return bidder, standing
    for seat in range(1, game.players):
        if limits[seat] > standing:
            bidder, standing = seat, limits[seat]
        matched = game.match and (standing < game.top or (standing == game.top and game.match_top))
        if game.stop_at_max and standing == highest and not matched:
            return bidder, standing
    if bidder < 0:
        if game.forced >= 0:
            return 0, max(game.forced, limits[0]) if limits[0] == game.special and game.raises else game.forced
        return (0, game.special if limits[0] == game.special else game.bid_min) if limits[0] >= 0 else (-1, -1)
    if game.side_of[bidder] == game.side_of[0]:
        return bidder, standing
    matched = game.match and (standing < game.top or (standing == game.top and game.match_top))
    if matched and limits[0] >= standing:
        return 0, standing
    if game.raises and limits[0] > standing:
        return 0, limits[0] if limits[0] == game.special else standing + 1
    return bidder, standing


@njit(cache=True)
def _trim(game: Game, cards: Numbers, keepers: int) -> int:
    """Discard down to the cards that a player keeps, the worst first. Return the discarded trumps."""
    lost = 0
    held = 0
    for group in range(GROUPS):
        held += _size(cards[group])
    while held > game.keep:
        held -= 1
        worst, place = -1, 99
        for group in range(1, GROUPS):
            for at in range(13):
                if cards[group] >> at & 1:
                    if at < place:
                        worst, place = group, at
                    break
        if worst >= 0:
            cards[worst] ^= 1 << place
            continue
        free = cards[0] & ~keepers
        if not free:
            free = cards[0]
        lost |= free & -free
        cards[0] ^= free & -free
    return lost


@njit(cache=True)
def _put(game: Game, cards: Numbers, trump: int, card: int) -> None:
    code = game.code[trump, card]
    cards[code // 32] |= 1 << (code % 32)


@njit(cache=True)
def _drop(game: Game, cards: Numbers, trump: int, into: Numbers, end: int) -> int:
    """Put all cards that aren't trump at the end of the pile `into`. Return its new end."""
    for card in range(52):
        # Cards are listed by rank here, lowest first.
        face = card % 4 * 13 + card // 4
        code = game.code[trump, face]
        if code >= 32 and cards[code // 32] >> (code % 32) & 1:
            cards[code // 32] ^= 1 << (code % 32)
            into[end] = face
            end += 1
    return end


@njit(cache=True)
def _draw(game: Game, own: Numbers, trump: int, stock: Numbers, bidder: int, keepers: int, extra: Numbers) -> None:
    """Discard and draw by the rules of the game. `extra` gets the trumps that each seat had to discard."""
    players = game.players
    pile = np.empty(120, np.int64)
    pile[: len(stock)] = stock
    at, end = 0, len(stock)
    discards = np.empty(60, np.int64)
    thrown = 0
    for turn in range(1, players + 1):
        seat = turn % players
        if game.draw == DRAW_TRUMPS:
            thrown = _drop(game, own[seat], trump, discards, thrown)
    if game.draw == DRAW_TRUMPS and game.refill:
        np.random.shuffle(discards[:thrown])
        pile[end : end + thrown] = discards[:thrown]
    for turn in range(1, players + 1):
        seat = turn % players
        if game.draw == DRAW_TRUMPS:
            held = _size(own[seat, 0])
            while held < game.keep and at < end + (thrown if game.refill else 0):
                _put(game, own[seat], trump, pile[at])
                at, held = at + 1, held + 1
    if game.rest_to != NOBODY:
        taker = bidder if game.rest_to == BIDDER else 0
        while at < end:
            _put(game, own[taker], trump, pile[at])
            at += 1
    for seat in range(players):
        extra[seat] = _trim(game, own[seat], keepers)
        if game.trumps_only:
            own[seat, 1:] = 0


@njit(cache=True)
def _beats(
    any_time: int,
    trumps: int,
    same: int,
    no_trumps: int,
    no_suit: int,
    none: Numbers,
    held: int,
    pool: int,
    group: int,
    place: int,
    led: int,
    will: float,
) -> float:
    """Return the chance that a player beats a card, if `trumps` and `same` are the unseen cards of these groups."""
    higher = trumps >> (place + 1) if group == 0 else trumps
    chance = 0.0 if no_trumps else 1.0 - none[held, pool, _size(higher)]
    if led == 0:
        return chance
    if not no_suit:
        free = none[held, pool, _size(same)]
        chance *= free + (1.0 - free) * will if any_time else free
        if group:
            return 1.0 - (1.0 - chance) * none[held, pool, _size(same >> (place + 1))]
    return chance


@njit(cache=True)
def _low(scored: Numbers, lowest: int, view: int, none: Numbers, others: int, pool: int, place: int) -> float:
    """Return what it is worth that a trump may be Low."""
    if scored[TRUMPS] and place >= lowest:
        below = ((1 << place) - 1) >> lowest << lowest
        if not ~view & below:
            return scored[TRUMPS] * none[others, pool, _size(view & below)]
    return 0.0


@njit(cache=True)
def _choose(
    game: Game,
    habits: tuple[float, ...],
    scored: Numbers,
    own: Numbers,
    left: Numbers,
    held: Numbers,
    void: Numbers,
    party: Numbers,
    seat: int,
    leader: int,
    led: int,
    best: Numbers,
    table: float,
    must_trump: bool,
    work: Numbers,
) -> int:
    """Return the card that a player plays, as 32 times its group and its place."""
    legal, view = work[0], work[1]
    some = 0
    for group in range(GROUPS):
        view[group] = left[group] & ~own[seat, group]
        legal[group] = own[seat, group]
        some += group > 0 and legal[group] != 0
    if led < 0:
        if game.never_led >= 0 and (some or legal[0] != 1 << game.never_led):
            legal[0] &= ~(1 << game.never_led)
        if must_trump and legal[0]:
            legal[1:] = 0
    elif legal[led]:
        for group in range(GROUPS):
            if group != led and not (group == 0 and game.any_time):
                legal[group] = 0
    choices = 0
    found = -1
    for group in range(GROUPS):
        if legal[group]:
            choices += _size(legal[group])
            found = group * 32 + _size((legal[group] & -legal[group]) - 1)
    if choices == 1:
        return found
    rate, later, pulled, bold, hope, plain_hope, master, small, ace, will = habits
    others = 0
    foes = 0
    for player in range(game.players):
        if player != seat:
            others += held[player]
            if party[player] != party[seat]:
                foes += held[player]
    pool = max(1, others + game.hidden)
    none, any_time, players, lowest = game.none, game.any_time, game.players, game.lowest
    trumps_left = view[0]
    highest, result = -1e9, -1
    for group in range(GROUPS):
        rest = legal[group]
        while rest:
            place = _size((rest & -rest) - 1)
            rest &= rest - 1
            suit = group if led < 0 else led
            leads = best[0] < 0 or (group == best[0] and place > best[1]) or (group == 0 and best[0] > 0)
            top_group = group if leads else best[0]
            top_place = place if leads else best[1]
            mine = leads or party[best[2]] == party[seat]
            hold = 1.0
            rescue = 1.0
            to_come = 0
            player = seat + 1 if seat + 1 < players else 0
            while player != leader:
                if held[player]:
                    to_come += 1
                    chance = _beats(
                        any_time,
                        trumps_left,
                        view[suit],
                        void[player, 0],
                        void[player, suit],
                        none,
                        held[player],
                        pool,
                        top_group,
                        top_place,
                        suit,
                        will,
                    )
                    if party[player] != party[seat]:
                        hold *= 1.0 - chance
                    else:
                        rescue *= 1.0 - chance
                player = player + 1 if player + 1 < players else 0
            win = hold + 0.5 * (1.0 - hold) * (1.0 - rescue) if mine else 0.8 * (1.0 - rescue) * hold
            swing = 2.0 * win - 1.0
            if group == 0:
                stake = scored[place] + rate * game.trump_count[place]
                stake += _low(scored, lowest, trumps_left, none, others, pool, place)
                top = none[others, pool, _size(trumps_left >> (place + 1))]
                kept = hope + (1.0 - hope) * top
                cost = small + master * top
            else:
                stake = rate * game.plain_count[place]
                kept = plain_hope
                cost = ace if not view[group] >> (place + 1) else 0.0
            total = (table + stake + later * to_come) * swing - stake * (2.0 * kept - 1.0) - cost
            if led < 0 and group == 0:
                under = view[0] & ((1 << place) - 1)
                while under:
                    caught = _size((under & -under) - 1)
                    under &= under - 1
                    worth = scored[caught] + rate * game.trump_count[caught]
                    worth += _low(scored, lowest, trumps_left, none, others, pool, caught)
                    total += pulled * worth * foes / pool * swing
            elif led < 0:
                total += bold * swing
            if total > highest:
                highest, result = total, group * 32 + place
    return result


@njit(cache=True)
def _play(
    game: Game,
    skill: Skill,
    scored: Numbers,
    own: Numbers,
    trump: int,
    bidder: int,
    party: Numbers,
    taken: Numbers,
    counts: Numbers,
) -> None:
    """Play all tricks. `taken` gets the trumps that each party took, and `counts` its card points."""
    held = np.zeros(game.players, np.int64)
    for seat in range(game.players):
        for group in range(GROUPS):
            held[seat] += _size(own[seat, group])
    left = game.pack[trump].copy()
    void = np.zeros((game.players, GROUPS), np.int64)
    leader, first = bidder, True
    best = np.empty(3, np.int64)
    work = np.empty((2, GROUPS), np.int64)
    cards = held.sum()
    while cards > 0:
        while not held[leader]:
            leader = (leader + 1) % game.players
        led = -1
        best[:] = -1
        table = 0.0
        trumps = points = 0
        for turn in range(game.players):
            seat = (leader + turn) % game.players
            if not held[seat]:
                continue
            must = first and led < 0 and game.lead_trump == 1
            habits = skill.attack if party[seat] == party[bidder] else skill.defend
            card = _choose(
                game, habits, scored, own, left, held, void, party, seat, leader, led, best, table, must, work
            )
            group, place = card // 32, card % 32
            others = -held[seat]
            for player in range(game.players):
                others += held[player]
            if group:
                table += habits[0] * game.plain_count[place]
            else:
                pool = max(1, others + game.hidden)
                table += scored[place] + habits[0] * game.trump_count[place]
                table += _low(scored, game.lowest, left[0] & ~own[seat, 0], game.none, others, pool, place)
            own[seat, group] ^= 1 << place
            left[group] ^= 1 << place
            held[seat] -= 1
            cards -= 1
            if led < 0:
                led = group
            elif group != led and not (group == 0 and game.any_time):
                void[seat, led] = 1
            if group == 0:
                trumps |= 1 << place
            points += game.trump_count[place] if group == 0 else game.plain_count[place]
            if best[0] < 0 or (group == best[0] and place > best[1]) or (group == 0 and best[0] > 0):
                best[0], best[1], best[2] = group, place, seat
        leader, first = best[2], False
        taken[party[leader]] |= trumps
        counts[party[leader]] += points


@njit(cache=True)
def _owner(bits: Numbers, place: int) -> int:
    for at in range(len(bits)):
        if bits[at] >> place & 1:
            return at
    return -1


@njit(cache=True)
def play_hands(
    game: Game, skill: Skill, decks: Numbers, seed: int, explore: bool, hands: Numbers, lent: Numbers
) -> None:
    """Deal, bid and play a hand from each of `decks`, and fill the rows of `hands`.

    A row has the bidder's seat (-1 if all passed), the bid, and who took each point, counted in parties from the
    bidder's, or -1 for nobody. `lent` gets, for each hand, the suit for which the bidder bid. If `explore`, there is
    no auction: a random player gets a random bid, and names mostly their best suit.
    """
    np.random.seed(seed)
    players = game.players
    scored = np.zeros(TRUMPS + 1)
    keepers = 0
    for point in range(len(game.point)):
        if game.point[point] >= 0:
            keepers |= 1 << game.point[point]
            if not game.dealt[point]:
                scored[game.point[point]] += game.value[point]
        elif game.point[point] == LOW:
            keepers |= 1 << game.lowest
            if not game.dealt[point]:
                scored[TRUMPS] = game.value[point]
        elif game.point[point] == HIGH:
            keepers |= 1 << (_size(game.pack[0, 0]) - 1)
    party = game.side_of
    kinds = np.empty(MOST_CARDS, np.int64)
    for row in range(len(decks)):
        deck = decks[row]
        at = players * game.size
        dealt = deck[:at].copy().reshape(players, game.size)
        if game.coke:
            for turn in range(1, players + 1):
                seat = turn % players
                poor = at + game.size <= len(deck)
                for card in dealt[seat]:
                    poor = poor and 0 < card % 13 < 8
                if poor:
                    dealt[seat] = deck[at : at + game.size]
                    at += game.size
        limits = np.full(players, -1)
        if explore:
            bidder, bid = np.random.randint(players), game.bid_min + np.random.randint(len(skill.cuts))
        else:
            for seat in range(players):
                limits[seat] = _limit(game, skill, dealt[seat], kinds)
            bidder, bid = _auction(game, limits)
        hands[row] = -1
        if bidder < 0:
            continue
        rung = bid - game.bid_min
        trump = _best(game, skill, dealt[bidder], rung, kinds)[0]
        if explore and np.random.random() < 0.4:
            suit = np.random.randint(4)
            if _worth(game, skill, dealt[bidder], suit, rung, kinds) > -1e8:
                trump = suit
        lent[row] = trump
        own = np.zeros((players, GROUPS), np.int64)
        if game.draw == WIDOW_FIRST:
            every = np.concatenate((dealt[bidder], deck[at:]))
            trump = _best(game, skill, every, rung, kinds)[0]
            for card in deck[at:]:
                _put(game, own[bidder], trump, card)
        for seat in range(players):
            for card in dealt[seat]:
                _put(game, own[seat], trump, card)
        extra = np.zeros(players, np.int64)
        if game.draw == KEEP_BEST or game.draw == WIDOW_FIRST:
            for seat in range(players):
                _trim(game, own[seat], keepers)
        elif game.draw != NO_DRAW:
            _draw(game, own, trump, deck[at:], bidder, keepers, extra)
        begun = own[:, 0].copy()
        trumps = 0
        for seat in range(players):
            trumps |= begun[seat]
        taken = np.zeros(game.parties, np.int64)
        counts = np.zeros(game.parties, np.int64)
        _play(game, skill, scored, own, trump, bidder, party, taken, counts)
        if game.keeps_scored:
            for seat in range(players):
                taken[party[seat]] |= extra[seat]
                begun[seat] |= extra[seat]
        hands[row, 0], hands[row, 1] = bidder, bid
        for point in range(len(game.point)):
            place = game.point[point]
            if place == GAME:
                most = counts.max()
                owner = np.argmax(counts) if most >= game.minimum and (counts == most).sum() == 1 else -1
            else:
                low = trumps >> game.lowest << game.lowest
                if place == HIGH:
                    place = int(np.log2(trumps)) if trumps else -1
                elif place == LOW:
                    place = int(np.log2(low & -low)) if low else -1
                if place < 0:
                    owner = -1
                elif game.dealt[point]:
                    owner = _owner(begun, place)
                    owner = party[owner] if owner >= 0 else -1
                else:
                    owner = _owner(taken, place)
            hands[row, 2 + point] = (owner - party[bidder]) % game.parties if owner >= 0 else -1


@njit(cache=True)
def normal_equations(
    game: Game, decks: Numbers, hands: Numbers, lent: Numbers, made: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the least-squares equations for whether each bid is made, by the bidder's cards and pairs of cards."""
    wide = 1 + KINDS + KINDS * KINDS
    matrix = np.zeros((wide, wide))
    right = np.zeros((wide, made.shape[1]))
    used = np.zeros(80, np.int64)
    kinds = np.zeros(MOST_CARDS, np.int64)
    for row in range(len(hands)):
        at = hands[row, 0] * game.size
        count = 1
        for one in range(game.size):
            code = game.code[lent[row], decks[row, at + one]]
            kinds[one] = code if code < 32 else TRUMPS + code % 32
            used[count] = 1 + kinds[one]
            count += 1
            for other in range(one):
                first, second = min(kinds[one], kinds[other]), max(kinds[one], kinds[other])
                used[count] = 1 + KINDS + first * KINDS + second
                count += 1
        for one in range(count):
            for rung in range(made.shape[1]):
                right[used[one], rung] += made[row, rung]
            for other in range(count):
                matrix[used[one], used[other]] += 1.0
    return matrix, right


@njit(cache=True)
def judged(game: Game, skill: Skill, decks: Numbers, hands: Numbers, lent: Numbers) -> Numbers:
    """Return the worth of each bidder's hand for each bid, as these players judge it."""
    found = np.zeros((len(hands), len(skill.cuts)))
    kinds = np.empty(MOST_CARDS, np.int64)
    for row in range(len(hands)):
        at = hands[row, 0] * game.size
        for rung in range(len(skill.cuts)):
            found[row, rung] = _worth(game, skill, decks[row, at : at + game.size], lent[row], rung, kinds)
    return found
