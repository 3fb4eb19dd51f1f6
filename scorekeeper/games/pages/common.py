"""Models that several pages share."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.logic.score_chart import Race
from scorekeeper.people.looks import PersonLook


@dataclass(frozen=True, slots=True)
class Choice:
    """One value to tap."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False
    likely: bool = False
    """Chosen as a guess."""


@dataclass(frozen=True, slots=True)
class Face:
    """A player as the score card shows them beside the name."""

    name: str
    look: PersonLook


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of the game as the board shows it."""

    index: int
    letter: str
    """A to G: with color, shape and position one of four ways to tell sides apart."""
    name: str
    """"Ann and Cid", or "Ann" for a player alone."""
    total: int
    needs: str
    """What the side needs to win, a sentence; empty once the game is over."""
    sets: int
    """How often it was set, in hands that count."""
    leads: bool
    won: bool
    wants: str = ""
    """`needs` without the side's name, for its own card."""
    players: str = ""
    """"Ann and Cid", if `name` is the name of their team."""
    faces: tuple[Face, ...] = ()
    """Its players; empty unless somebody in the game has a color, an emoji or a photo."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, clockwise from seat 0."""

    index: int
    name: str
    side: int
    letter: str
    deals: bool
    bids_first: bool


@dataclass(frozen=True, slots=True)
class OptionField:
    """One house rule in a form, in players' words."""

    key: str
    """Form field "rule-dealer_privilege" …"""
    label: str
    help: str
    kind: str
    """"choice" (choices) or "number" (low to high)."""
    value: str
    usual: str
    """The preset's value in words."""
    choices: tuple[Choice, ...]
    low: int
    high: int
    error: str
    group: str = ""
    """Heading under which it stands: "Winning", "Bidding" …"""
    common: bool = False
    """One of the rules that players change most: asked first, as a row of buttons."""
    usual_value: str = ""
    """The preset's value as the form posts it."""
    line: str = ""
    """A number as a house rule, with `{}` for the number; of a choice it is the `hint` of each."""
    off: str = ""
    """The house rule for 0 or an empty field."""
    says: str = ""
    """The value as a house rule, "Played to 31."; empty where it is the usual one."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change, shown before it is saved."""

    changes: tuple[ChangeRow, ...]
    result: str
    """The new result, a sentence."""
    seen: str
    """Value of the field "seen": a digest of the choice."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One hand whose totals change."""

    number: int
    before: str
    """"12 to 9"."""
    after: str
    letters: str = ""
    """Letters of two sides, in the order of their scores; empty for more sides."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One highlight: "Biggest set", "Bob and Dee lost 4 in hand 3"."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """A score chart, the same in words, and the highlights."""

    drawing: Race
    title: str
    told: str
    """Description of the drawing, for people who can't see it."""
    note: str
    """Caption: "× set", or where to find the sets; empty without sets."""
    goal: str
    """Label of the target line: "to 21"."""
    moments: tuple[Moment, ...]
