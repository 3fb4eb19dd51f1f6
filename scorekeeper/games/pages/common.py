"""Models that several pages share."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.logic.score_chart import Race
from scorekeeper.people.looks import PersonLook


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that the player can choose with one tap. `chosen` marks the current choice."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False
    likely: bool = False
    """Whether the value is chosen because it is the app's guess."""


@dataclass(frozen=True, slots=True)
class Face:
    """A player's name with the color, the emoji and the photo (`look`) that are shown beside it."""

    name: str
    look: PersonLook


@dataclass(frozen=True, slots=True)
class SideView:
    """A side of a game: its name, its score, and the points that it still needs."""

    index: int
    letter: str
    """Letter of the side: "A" for side 0, "B" for side 1 …"""
    name: str
    """The team name, or the names of the players: "Ann and Cid", or "Ann" for a player alone."""
    total: int
    needs: str
    """What the side needs to win, in a sentence; empty once the game is over."""
    sets: int
    """How often the side was set, in hands that count."""
    leads: bool
    won: bool
    wants: str = ""
    """`needs` without the side's name, for use beside that name."""
    players: str = ""
    """The names of the players, "Ann and Cid", if `name` is a team name; else empty."""
    faces: tuple[Face, ...] = ()
    """The faces of its players; empty unless a player in the game has a color, an emoji or a photo."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table. Seats are numbered clockwise from 0."""

    index: int
    name: str
    side: int
    letter: str
    deals: bool
    bids_first: bool


@dataclass(frozen=True, slots=True)
class OptionField:
    """A house rule in a form, in players' words."""

    key: str
    """Name of the form field: "rule-dealer_privilege" …"""
    label: str
    help: str
    kind: str
    """"choice" (one of `choices`), "several" (any of them) or "number" (from `low` to `high`)."""
    value: str
    usual: str
    """The preset's value, in words."""
    choices: tuple[Choice, ...]
    low: int
    high: int
    error: str
    group: str = ""
    """Heading under which the form shows the option: "Winning", "Bidding" …"""
    common: bool = False
    """Whether players often change the option. Such options come first in the form, as rows of buttons."""
    usual_value: str = ""
    """The preset's value, as a form value."""
    line: str = ""
    """If the value is a number, the house rule as a sentence, with `{}` in place of the number."""
    off: str = ""
    """The house rule as a sentence if the field has the value `off_at`."""
    off_at: str = ""
    says: str = ""
    """The house rule for the current value, such as "Played to 31."; empty if the value is the usual one."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change, shown before the change is saved."""

    changes: tuple[ChangeRow, ...]
    result: str
    """The score or the winner after the change, in a sentence."""
    seen: str
    """Value of the hidden field "seen": a digest of the choices that the effect is about."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A hand after which the score would be different if the change were saved."""

    number: int
    before: str
    """The score after this hand without the change, "12 to 9"."""
    after: str
    letters: str = ""
    """Letters of the two sides, in the order of their scores; empty with more sides."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A highlight of a game, such as "Biggest set" (`label`) with "Bob and Dee, −4 in hand 3" (`text`)."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """A score chart, a description of it in words, and the highlights of the game."""

    drawing: Race
    title: str
    told: str
    """The drawing in words, for people who can't see it."""
    note: str
    """Caption for the crosses that mark sets, or a note that there are too many sets to mark; empty without sets."""
    goal: str
    """Label of the target line: "to 21"."""
    moments: tuple[Moment, ...]
