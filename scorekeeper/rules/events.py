"""Events: the facts of a game, in order. One log of these per game is the only source of truth.

Events hold seats and player ids, never names. `encode` and `decode` convert them to and from JSON. `UPCASTS` keeps
events readable that an older version stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from scorekeeper.rules.bidding import Bid, Call
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Sides

VERSION = 1
"""Version of the stored form of every new event."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game started: a full copy of the rules, the players by seat, the first dealer."""

    rules: Ruleset
    players: tuple[int, ...]
    sides: Sides
    first_dealer: int
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of an imported record that are kept unchanged."""


@dataclass(frozen=True, slots=True)
class BidTaken:
    """A player won the bid, and the hand is in play."""

    dealer: int
    bidder: int
    bid: Bid
    trump: str | None = None
    calls: tuple[Call, ...] | None = None


@dataclass(frozen=True, slots=True)
class BidWithdrawn:
    """The open bid was undone. The hand is not scored."""


@dataclass(frozen=True, slots=True)
class CallMade:
    """The player whose turn it was bid or passed."""

    call: Call


@dataclass(frozen=True, slots=True)
class CallTakenBack:
    """The last call of the auction was undone."""


@dataclass(frozen=True, slots=True)
class HandScored:
    """A hand was played and saved."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class HandThrownIn:
    """Everyone passed; nothing was scored."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class HandMisdealt:
    """Misdeal: the same dealer deals again and nothing counts (RULES 10)."""

    dealer: int


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """Hand `seq` was corrected. It keeps its place in the game."""

    seq: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class HandVoided:
    """Hand `seq` was undone or deleted."""

    seq: int


@dataclass(frozen=True, slots=True)
class HandRestored:
    """Hand `seq`, undone before, counts again in its old place."""

    seq: int


@dataclass(frozen=True, slots=True)
class DealerSet:
    """The table set the dealer of the hand in play or the next one."""

    dealer: int


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """A substitute took a seat and its score."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player was renamed: the same person with another player id."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class GameConceded:
    """The other sides conceded to side `winner`."""

    winner: int


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The table ended the game without a winner."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The table ended the game with a winner (None: a draw); `ended_by` is "time" or "agreed"."""

    winner: int | None = None
    ended_by: str = "agreed"


@dataclass(frozen=True, slots=True)
class GameReopened:
    """A game that was conceded, abandoned or ended by agreement was resumed."""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The final score of a game on paper, without hands: the winner (None for nobody) and how it ended.

    `ended_by` is None in older logs: there the highest score won, and a tie had no winner.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    ended_by: str | None = None


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The house rules changed, from the first hand on: a full copy of the new rules."""

    rules: Ruleset


@dataclass(frozen=True, slots=True)
class ScoreAdjusted:
    """The table agreed to add points outside any hand (negative: subtract them), with the reason."""

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandReported:
    """Another phone reported its version of hand `seq`. The score does not change.

    `by` is the seat of that phone's owner and `first` that of the phone that saved the hand; None if unknown.
    """

    seq: int
    hand: Hand
    by: int | None = None
    first: int | None = None
    by_point: bool | None = None
    """Whether the owner of each point was compared too. None in older logs: only the sums were compared."""


@dataclass(frozen=True, slots=True)
class ReportSettled:
    """The table settled the report at `report` on hand `seq`. `how` is a word of `rules.reports`.

    A correction or a new hand that follows is an event of its own. `reason` is why the main phone decided, empty if
    a phone accepted the other's result, and None in logs from before reasons were asked for.
    """

    seq: int
    report: int
    how: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TailTaken:
    """From hand `number` on, a phone's offline hands replace the ones saved before.

    Undoing those and entering the others are events of their own. For `by` see `HandReported`.
    """

    number: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class HandSetAside:
    """A phone saved `hand` offline as hand `number`, and the table discarded it: it never counted.

    For `by` see `HandReported`.
    """

    number: int
    hand: Hand
    by: int | None = None


Event = (
    GameStarted
    | BidTaken
    | BidWithdrawn
    | CallMade
    | CallTakenBack
    | HandScored
    | HandThrownIn
    | HandMisdealt
    | HandCorrected
    | HandVoided
    | HandRestored
    | DealerSet
    | PlayerReplaced
    | PlayerRenamed
    | GameConceded
    | GameAbandoned
    | GameEnded
    | GameReopened
    | ResultEntered
    | RulesChanged
    | ScoreAdjusted
    | HandReported
    | ReportSettled
    | TailTaken
    | HandSetAside
)

KINDS: Mapping[str, type[Any]] = {kind.__name__: kind for kind in Event.__args__}

UPCASTS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Maps (kind, version) to the function that turns its data into those of the next version."""


def encode(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the event's kind and its data, ready for JSON."""
    data = {item.name: getattr(event, item.name) for item in fields(event)}
    if isinstance(event, GameStarted | RulesChanged):
        data["rules"] = {"preset": event.rules.preset, "options": {key: getattr(event.rules, key) for key in OPTIONS}}
    if isinstance(event, GameStarted):
        data["sides"] = [list(side) for side in event.sides]
    if "hand" in data:
        data["hand"] = _encode_hand(data["hand"])
    return type(event).__name__, {key: _plain(value) for key, value in data.items() if value is not None}


def decode(kind: str, version: int, data: Mapping[str, Any]) -> Event:
    """Return the event that `version` stored as `kind`. Raises `KeyError` if the kind is unknown."""
    fresh = dict(data)
    for step in range(version, VERSION):
        upcast = UPCASTS.get((kind, step))
        fresh = upcast(fresh) if upcast else fresh
    if "rules" in fresh:
        rules = fresh["rules"]
        fresh["rules"] = replace(preset_named(rules["preset"]), **rules["options"])
    if "sides" in fresh:
        fresh["sides"] = tuple(tuple(side) for side in fresh["sides"])
    if "hand" in fresh:
        fresh["hand"] = _decode_hand(fresh["hand"])
    for key in ("players", "calls", "totals"):
        if key in fresh:
            fresh[key] = tuple(fresh[key])
    event: Event = KINDS[kind](**fresh)
    return event


_HAND_FIELDS = Hand._fields


def _encode_hand(hand: Hand) -> dict[str, Any]:
    data = {name: getattr(hand, name) for name in _HAND_FIELDS}
    data["captured"] = None if hand.captured is None else [list(pile) for pile in hand.captured]
    return {key: _plain(value) for key, value in data.items() if value is not None and value != ()}


def _decode_hand(data: Mapping[str, Any]) -> Hand:
    fresh = dict(data)
    for key in ("taken", "calls", "side_tricks", "side_red"):
        if key in fresh:
            fresh[key] = tuple(fresh[key])
    if "captured" in fresh:
        fresh["captured"] = tuple(tuple(pile) for pile in fresh["captured"])
    return Hand(**fresh)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
