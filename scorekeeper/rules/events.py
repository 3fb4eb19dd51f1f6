"""What happened at a table, as values: one log of these per game is the whole truth.

Events hold seats and player ids, never names. `encode` and `decode` carry them to and
from JSON; `UPCASTS` keeps events readable that an older version stored.
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
"""Version of the stored form of every event that is written today."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table sat down: a full copy of the rules, who sits where, who deals first."""

    rules: Ruleset
    players: tuple[int, ...]
    sides: Sides
    first_dealer: int
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of an imported record that are kept as they are."""


@dataclass(frozen=True, slots=True)
class BidTaken:
    """A hand is open: the table sees who bid what."""

    dealer: int
    bidder: int
    bid: Bid
    trump: str | None = None
    calls: tuple[Call, ...] | None = None


@dataclass(frozen=True, slots=True)
class BidWithdrawn:
    """The open bid was taken back; the hand is not scored."""


@dataclass(frozen=True, slots=True)
class CallMade:
    """The player whose turn it is bid or passed."""

    call: Call


@dataclass(frozen=True, slots=True)
class CallTakenBack:
    """The last call of the auction was a slip."""


@dataclass(frozen=True, slots=True)
class HandScored:
    """A hand was played and written down."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class HandThrownIn:
    """Everyone passed; nothing was scored."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class HandMisdealt:
    """The deal went wrong: the same dealer deals again and nothing counts (RULES 10)."""

    dealer: int


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """What hand `seq` says was replaced; its place in the game stays."""

    seq: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class HandVoided:
    """Hand `seq` was struck out."""

    seq: int


@dataclass(frozen=True, slots=True)
class HandRestored:
    """Hand `seq`, struck out before, counts again in its old place."""

    seq: int


@dataclass(frozen=True, slots=True)
class DealerSet:
    """The table says who deals the hand in play or the next one."""

    dealer: int


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """Somebody else sits down on a seat and takes its score over."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """The same person under another name, which is another id."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class GameConceded:
    """The others gave the game to side `winner`."""

    winner: int


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The table stopped; nobody won."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The table stopped and says who won (None: a draw) and how it ended: "time" or "agreed"."""

    winner: int | None = None
    ended_by: str = "agreed"


@dataclass(frozen=True, slots=True)
class GameReopened:
    """A game that was conceded, abandoned or ended by agreement goes on."""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A paper table's final score, without hands: who won (None for nobody), and how it ended.

    `ended_by` None, as in all that was stored before it could be told: the highest won, level at the top nobody.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    ended_by: str | None = None


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The table plays by these rules, and has from the first hand on: a full copy."""

    rules: Ruleset


@dataclass(frozen=True, slots=True)
class ScoreAdjusted:
    """The table agreed to add points (or take them, below zero) outside any hand, and why."""

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandReported:
    """Another phone said what hand `seq` was; the score stays as it is.

    `by` is the seat of that phone and `first` of the one that wrote the hand down; None where nobody said whose it is.
    """

    seq: int
    hand: Hand
    by: int | None = None
    first: int | None = None
    by_point: bool | None = None
    """Who took which point was compared too. None in older logs: there the sums alone say if it agrees."""


@dataclass(frozen=True, slots=True)
class ReportSettled:
    """The table settled what the report at `report` said of hand `seq`; `how` is a word of `rules.reports`.

    What follows from it, a correction or another hand, is an event of its own. `reason` is why the phone that started
    the game decided it so, empty where a phone accepted what the other said; None in logs from before it was asked for.
    """

    seq: int
    report: int
    how: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TailTaken:
    """From hand `number` on, what a phone wrote down without signal counts in place of what stood there.

    That those are struck out, and the others written down, are events of their own. `by` as in `HandReported`.
    """

    number: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class HandSetAside:
    """A phone wrote `hand` down without signal as hand `number`, and the table let go of it: it never counted.

    `by` as in `HandReported`.
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
"""(kind, version) to the step that makes the next version's data of it."""


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
    """Return the event that was stored as `kind` by `version`; raises `KeyError` for a kind nobody knows."""
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
