"""Models, from which win probabilities are calculated. A model lists every possible hand with its probability.

A hand has the same probability at every score, although real players bid differently near the end of a game.

The built-in models. They count how often each hand occurred when simple programs played against each other.

The counts are stored in `priors.json`, which `tests/bench/priors.py` writes. They leave out very rare hands, and hands
in which everyone passed. The programs don't look at the score, so they bid the same at the end of a game as at its
beginning.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.scoring import Hand, pitch_tricks
from scorekeeper.rules.table import Table

FORMAT = "scorekeeper-odds/1"
FLAT = "flat"
"""Name of the model in which every legal hand is equally likely."""
EXACTLY = 1e-9
"""Largest accepted difference between 1 and the sum of the probabilities of a model."""
MOST_SIDES = 3
"""Maximum number of sides at a table for which `flat_model` makes a model."""
MOST_OUTCOMES = 20_000
"""Maximum number of outcomes in a model. An outcome is a possible hand with its probability."""
_FIELDS = {"from_dealer", "bid", "taken", "passed", "p"}


class Chance(Struct, frozen=True):
    """A possible hand, with its probability `p`.

    The dealer of `hand` is seat 0. A hand without a bidder means that everyone passed.
    """

    hand: Hand
    p: float


class Model(Struct, frozen=True):
    """All possible hands at a table, with their probabilities, which add up to 1.

    `hands` is the number of recorded hands from which the probabilities were counted, or 0 if they are not from
    recorded hands. `prior` is the name of the built-in model, or None for a model that the user supplied.
    """

    chances: tuple[Chance, ...]
    hands: int = 0
    prior: str | None = None


def read_model(table: Table, data: object) -> Model:
    """Return the model in `data`, a decoded JSON object in the format `scorekeeper-odds/1` (RECORD 7).

    Raises `RuleViolation` if `data` doesn't have that format, if a hand is illegal at the table, or if the
    probabilities don't add up to 1. The same error is raised if no win probability can be calculated for the table at
    all.
    """
    check_table(table)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RuleViolation("model_shape", Phrase("A model must have the format “%(format)s”.", format=FORMAT))
    unknown = sorted(str(key) for key in data.keys() - {"format", "outcomes"} if not str(key).startswith("x_"))
    if unknown:
        raise RuleViolation("model_shape", Phrase("A model has no field “%(name)s”.", name=unknown[0][:40]))
    outcomes = data.get("outcomes")
    if not isinstance(outcomes, list) or not 0 < len(outcomes) <= MOST_OUTCOMES:
        message = Phrase("A model needs a list of 1 to %(most)s outcomes.", most=MOST_OUTCOMES)
        raise RuleViolation("model_shape", message, field="outcomes")
    chances = tuple(_chance(table, outcome, number) for number, outcome in enumerate(outcomes, 1))
    total = math.fsum(chance.p for chance in chances)
    if abs(total - 1) > EXACTLY:
        message = Phrase("The probabilities of a model must add up to 1, not %(total)s.", total=f"{total:.9g}")
        raise RuleViolation("model_sum", message, field="p")
    return Model(tuple(chance for chance in chances if chance.p))


def check_table(table: Table) -> None:
    """Raise `RuleViolation` if no win probability can be calculated for games at this table.

    Win probabilities can be calculated for games with bidding and without a called partner.
    """
    if not table.rules.has_bids:
        message = Phrase("Win probabilities can't be calculated for games without bidding yet.")
    elif table.called:
        message = Phrase("Win probabilities can't be calculated for games with a called partner yet.")
    else:
        return
    raise RuleViolation("odds_unsupported", message)


@lru_cache(maxsize=64)
def flat_model(table: Table) -> Model:
    """Return the model in which each combination of bidder, bid and points is equally likely. Nobody passes.

    Raises `RuleViolation` if no win probability can be calculated for this table, or if there are more than
    `MOST_SIDES` sides, because a hand would have too many combinations.
    """
    check_table(table)
    if len(table.sides) > MOST_SIDES:
        message = Phrase("There are no built-in probabilities for this many sides. Enter your own.")
        raise RuleViolation("model_missing", message)
    hands = list(_legal_hands(table))
    return Model(tuple(Chance(hand, 1 / len(hands)) for hand in hands), prior=FLAT)


def _chance(table: Table, data: object, number: int) -> Chance:
    """Return the possible hand in `data`, which is one of the outcomes in a model's JSON.

    `number` is the position of `data` among the outcomes, from 1, for error messages. Raises `RuleViolation` if `data`
    is invalid or the hand is illegal.
    """
    try:
        if not isinstance(data, dict) or not data.keys() <= _FIELDS:
            fields = ", ".join(sorted(_FIELDS))
            raise RuleViolation("model_outcome", Phrase("An outcome has only these fields: %(fields)s.", fields=fields))
        p = data.get("p")
        if not isinstance(p, int | float) or isinstance(p, bool) or not 0 <= p <= 1:
            raise RuleViolation("model_p", "The probability p must be a number from 0 to 1.", field="p")
        return Chance(_hand(table, data), float(p))
    except RuleViolation as violation:
        message = Phrase("Outcome %(number)s: %(message)s", number=number, message=violation.message)
        raise RuleViolation(violation.code, message, field=violation.field) from None


def _hand(table: Table, data: Mapping[str, Any]) -> Hand:
    if data.get("passed") is True:
        if data.keys() & {"from_dealer", "bid", "taken"}:
            raise RuleViolation("model_outcome", "Nobody bid, so there are no points to enter.", field="passed")
        return _passed(table)
    bidder, taken = data.get("from_dealer"), data.get("taken")
    if type(bidder) is not int or not 0 <= bidder < table.players:
        message = Phrase("from_dealer must be a number of seats from 0 to %(most)s.", most=table.players - 1)
        raise RuleViolation("model_outcome", message, field="from_dealer")
    if not isinstance(taken, list) or len(taken) != len(table.sides):
        raise RuleViolation("model_outcome", "taken must have one number for each side.", field="taken")
    return hand_at(table, bidder, data.get("bid"), taken)


def _passed(table: Table) -> Hand:
    """Return the hand in which everyone passed. Raises `RuleViolation` if somebody has to bid."""
    return read_hand(table, {"passed": True}, dealer=0)


def hand_at(table: Table, bidder: int, bid: object, taken: list[Any]) -> Hand:
    """Return the hand in which the player at seat `bidder` won the bid. The dealer is seat 0.

    `taken` holds the points of each side, the bidder's side first. If a pitch promises tricks, the bidder's side is
    assumed to have taken all tricks if it took all points, and otherwise no trick. Raises `RuleViolation` if the hand
    is illegal.
    """
    by_side = [0] * len(taken)
    for place, points in enumerate(taken):
        by_side[table.side_of[(bidder + place) % table.players]] = points
    told: dict[str, Any] = {"bidder": bidder, "bid": bid, "taken": by_side}
    if bid == "pitch" and pitch_tricks(table.rules) is not None:
        told["tricks"] = table.rules.tricks if taken[0] == sum(points for points in taken if type(points) is int) else 0
    return read_hand(table, told, dealer=0)


def _legal_hands(table: Table) -> Iterator[Hand]:
    counts = range(table.most_scored + 1)
    shares = [taken for taken in product(counts, repeat=len(table.sides)) if sum(taken) in table.sums]
    for bidder, bid, taken in product(range(table.players), table.bids, shares):
        try:
            yield hand_at(table, bidder, bid, list(taken))
        except RuleViolation:
            continue


def dealt_by(table: Table, hand: Hand, dealer: int) -> Hand:
    """Return `hand`, which seat 0 dealt, changed so that the seat `dealer` deals.

    The bidder's seat moves along with the dealer's seat, and the points go to the sides of the new seats.
    """
    if hand.bidder is None:
        return hand._replace(dealer=dealer)
    moved = table.side_of[dealer]
    taken = tuple(hand.taken[(side - moved) % len(table.sides)] for side in range(len(table.sides)))
    return hand._replace(dealer=dealer, bidder=(hand.bidder + dealer) % table.players, taken=taken)


Outcome = tuple[int, Bid, tuple[int, ...]] | None
"""What a model knows of a hand: (seats, bid, points), or None if everyone passed (`from_dealer`)."""


def from_dealer(table: Table, hand: Hand) -> Outcome:
    """Return (seats, bid, points) for a hand, as a model describes hands, or None if everyone passed.

    `seats` is the number of seats from the dealer clockwise to the bidder. `points` holds the points of each side, the
    bidder's side first.
    """
    if hand.bidder is None or hand.bid is None:
        return None
    sides = (table.side_of[(hand.bidder + place) % table.players] for place in range(len(table.sides)))
    return (hand.bidder - hand.dealer) % table.players, hand.bid, tuple(hand.taken[side] for side in sides)


SIMULATED = "simulated"
"""Name of the built-in models that were counted from simulated hands."""
WRITTEN = Path(__file__).with_name("priors.json")


def prior_key(table: Table) -> str:
    """Return the key in `priors.json` of the built-in model for a table.

    The key has the preset, the numbers of players and of sides, and the options that decide how Low is scored and which
    points a hand has, with spaces between them.
    """
    rules = table.rules
    low = rules.low if rules.counts("low") else ""
    return " ".join(f"{rules.preset} {table.players}/{len(table.sides)} {low} {rules.points}".split())


def has_prior(table: Table) -> bool:
    """Return whether there are simulated hands for a table, even if its house rules forbid some or all of them."""
    return prior_key(table) in _priors()


def simulated_hands(table: Table) -> int:
    """Return the number of simulated hands for a table, including those that its house rules forbid."""
    return sum(row[-1] for row in _priors().get(prior_key(table), ()))


def prior_hands(table: Table) -> int:
    """Return the number of simulated hands for a table, without those that its house rules forbid."""
    return sum(times for _, times in legal_hands(table))


def prior_model(table: Table) -> Model:
    """Return the built-in model for a table.

    Of the stored hands, those that the table's house rules forbid are left out. If none is left, or if the game has no
    built-in model, all hands that the rules allow are equally likely. Raises `RuleViolation` if no win probability can
    be calculated for this table. The same error is raised if no stored hand is left and the table has too many sides
    for `flat_model`.
    """
    check_table(table)
    counted = list(legal_hands(table))
    total = sum(times for _, times in counted)
    if not total:
        return flat_model(table)
    return Model(tuple(Chance(hand, times / total) for hand, times in counted), prior=SIMULATED)


STRENGTH = 200
"""A built-in model weighs as much as this many of a table's own hands (`shifted`)."""


def shifted(table: Table, model: Model, own: Mapping[Outcome, int]) -> Model:
    """Return a built-in model of `table`, shifted towards the hands that were played there.

    `own` has how often each outcome occurred. The probability of each hand is the mean of a Dirichlet distribution,
    whose prior is `model` with the weight `STRENGTH`. Hands that a model can't contain are left out, such as those of
    other house rules.
    """
    played = Counter[Hand]()
    for outcome, times in own.items():
        with suppress(RuleViolation):
            hand = _passed(table) if outcome is None else hand_at(table, outcome[0], outcome[1], list(outcome[2]))
            played[hand] += times
    every = played.total() + STRENGTH
    p = {chance.hand: chance.p * (STRENGTH / every) for chance in model.chances}
    for hand, times in played.items():
        p[hand] = p.get(hand, 0.0) + times / every
    return Model(tuple(Chance(*each) for each in p.items()), played.total(), model.prior)


def legal_hands(table: Table) -> Iterator[tuple[Hand, int]]:
    """Yield each stored hand that the table's house rules allow, and how often it occurred."""
    for seats, bid, *taken, times in _priors().get(prior_key(table), ()):
        try:
            yield hand_at(table, seats, bid, taken), times
        except RuleViolation:
            continue


@lru_cache(maxsize=1)
def _priors() -> dict[str, list[list[Any]]]:
    """Return the content of `priors.json`, which maps each `prior_key` to a list of hands.

    Each hand is a list: the number of seats from the dealer clockwise to the bidder, the bid, the points of each side
    (the bidder's side first), and how often the hand occurred.
    """
    priors: dict[str, list[list[Any]]] = json.loads(WRITTEN.read_text(encoding="utf-8"))
    return priors
