"""What several pages show."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.logic.score_chart import Race


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be tapped."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False
    likely: bool = False
    """Chosen because it is likely; nobody said so yet."""


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of the table as the board shows it."""

    index: int
    letter: str
    """A to G: with colour, shape and position one of four ways to tell sides apart."""
    name: str
    """"Ann and Cid", or "Ann" for a player alone."""
    total: int
    needs: str
    """What the side needs to win, a sentence; empty once the game is over."""
    sets: int
    """How often it was set in counted hands."""
    leads: bool
    won: bool
    wants: str = ""
    """`needs` without the side's name, for its own card: "Need 3 more, and the bid."."""


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
    """One house rule of the new-game form, in players' words."""

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
    """One of the rules that tables change most: asked first, as a row of buttons."""
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
    """What a change would do, to be looked at before it is saved."""

    changes: tuple[ChangeRow, ...]
    result: str
    """What the result becomes, a sentence."""
    seen: str
    """What the field "seen" says of it."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One hand whose totals a correction changes."""

    number: int
    before: str
    """"12 to 9"."""
    after: str
    letters: str = ""
    """Letters of two sides, in the order of their scores; empty for more, which have no room at the head."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing to remember: "Biggest set", "Bob and Dee lost 4 in hand 3"."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """The drawing of a race, with what it shows in words, and the moments."""

    drawing: Race
    title: str
    told: str
    """What the drawing shows, for who cannot see it."""
    note: str
    """What stands under it: "× set", or where the sets are to be found; empty without any."""
    goal: str
    """What the line of the target says: "to 21"."""
    moments: tuple[Moment, ...]
