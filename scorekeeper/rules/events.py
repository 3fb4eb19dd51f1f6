"""Events: the facts of a game, in order. One log of these per game is the only source of truth.

Events hold seats and player ids, never names. `encode` and `decode` convert them to and from JSON. `UPCASTS` keeps
events readable that an older version stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from scorekeeper.rules.bidding import Bid, Call
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.ruleset import Ruleset, changed
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Sides

VERSION = 1
"""Version of the stored format of every new event."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game started. The event holds a full copy of the rules, the player ids by seat, and the first dealer."""

    rules: Ruleset
    players: tuple[int, ...]
    sides: Sides
    first_dealer: int
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of an imported record that the app doesn't use and keeps unchanged."""


@dataclass(frozen=True, slots=True)
class BidTaken:
    """A player won the bid, and the hand is in play.

    `trump` is None if it was not entered yet. `calls` is None if only the winning bid was entered, not every call.
    """

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
    """A player made a call in the auction, which is either a bid or a pass."""

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
    """Everyone passed, so nothing was scored."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class HandMisdealt:
    """The hand was a misdeal. The same dealer deals again, and nothing is scored (RULES 10)."""

    dealer: int


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """The players corrected the hand at log position `seq`. The corrected hand keeps its place in the game."""

    seq: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The hand or adjustment at log position `seq` was undone or deleted."""

    seq: int


@dataclass(frozen=True, slots=True)
class HandRestored:
    """The hand or adjustment at log position `seq` had been undone, and now counts again in its old place."""

    seq: int


@dataclass(frozen=True, slots=True)
class DealerSet:
    """The players chose another dealer for the hand in play, or for the next hand if none is in play."""

    dealer: int


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """The substitute `player` took over the seat `seat` and its score."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """The name of the player at `seat` was changed. The same person now has the player id `player`."""

    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class GameConceded:
    """The other sides conceded to side `winner`."""

    winner: int


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The players ended the game without a winner."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The players ended the game early.

    `winner` is a side, or None for a draw. `ended_by` is "time" or "agreed".
    """

    winner: int | None = None
    ended_by: str = "agreed"


@dataclass(frozen=True, slots=True)
class GameReopened:
    """A game that was conceded, abandoned or ended by agreement was resumed."""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The players entered the final score of a game without hands, for example one scored on paper.

    `winner` is a side, or None for nobody. `ended_by` says how the game ended. If `ended_by` is None, `winner` is
    ignored. In that case, the side with the highest score won, and nobody won a tie.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    ended_by: str | None = None


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The house rules were changed for the whole game. `rules` is a full copy of the new rules."""

    rules: Ruleset


@dataclass(frozen=True, slots=True)
class ScoreAdjusted:
    """The players agreed to add points to the score of a side, for a reason and outside any hand.

    Negative `points` are subtracted.
    """

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandReported:
    """Another phone reported its version of the hand at log position `seq`. The score does not change.

    `by` is the seat of the owner of the phone that reported. `first` is the seat of the owner of the phone that saved
    the hand. An unknown seat is None.
    """

    seq: int
    hand: Hand
    by: int | None = None
    first: int | None = None
    by_point: bool | None = None
    """Whether the winner of each point was compared too. None in older logs, where only the sums were compared."""


@dataclass(frozen=True, slots=True)
class ReportSettled:
    """The players settled the report at log position `report` on the hand at log position `seq`.

    `how` is `KEEP`, `TAKE` or `SPLIT` of `rules.reports`. If the settlement corrects the hand or adds one, a separate
    event follows.

    `reason` is the explanation that was entered on the main phone. An empty `reason` means that a phone accepted the
    other phone's result. None means that the event was saved before the app asked for a reason.
    """

    seq: int
    report: int
    how: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TailTaken:
    """A phone's offline hands replace the saved hands from hand `number` on.

    Separate events undo the saved hands and enter the offline hands. `by` is the seat of the phone's owner, or None if
    unknown.
    """

    number: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class HandSetAside:
    """A phone saved `hand` offline as hand `number`, and the players discarded it. The hand never counted.

    `by` is the seat of the phone's owner, or None if unknown.
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
"""Maps (kind, version) to the function that turns stored data of that version into data of the next version."""


def encode(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the name of the event's class, then the event's data as a dict that can be saved as JSON."""
    data = {item.name: getattr(event, item.name) for item in fields(event)}
    if isinstance(event, GameStarted | RulesChanged):
        data["rules"] = {"preset": event.rules.preset, "options": {key: getattr(event.rules, key) for key in OPTIONS}}
    if isinstance(event, GameStarted):
        data["sides"] = [list(side) for side in event.sides]
    if "hand" in data:
        data["hand"] = _encode_hand(data["hand"])
    return type(event).__name__, {key: _plain(value) for key, value in data.items() if value is not None}


def decode(kind: str, version: int, data: Mapping[str, Any]) -> Event:
    """Return the event whose class is named `kind`, from its saved `data`. `version` is the format version of `data`.

    Raises `KeyError` for an unknown `kind`.
    """
    fresh = dict(data)
    for step in range(version, VERSION):
        upcast = UPCASTS.get((kind, step))
        fresh = upcast(fresh) if upcast else fresh
    if "rules" in fresh:
        rules = fresh["rules"]
        fresh["rules"] = changed(preset_named(rules["preset"]), rules["options"])
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
    return {
        key: _plain(value) for key, value in data.items() if value is not None and value is not False and value != ()
    }


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
