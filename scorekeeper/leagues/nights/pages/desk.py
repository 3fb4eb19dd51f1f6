"""The desk: everything that the director of a night and the helpers do, on one page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.leagues.nights.pages.night import NightPage, RoundView, TableView
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Wrong:
    """What could not be, in a sentence, and at which part of the desk."""

    part: str = ""
    says: str = ""
    tables: Mapping[int, RuleViolation] = field(default_factory=dict)
    """Table (its id) to what is wrong with its score."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to tap."""

    id: str
    name: str
    note: str = ""
    """"from round 2", "left after round 3", "for Ann" …"""


@dataclass(frozen=True, slots=True)
class Door:
    """Who could come in."""

    find: str
    """A part of the names that are shown."""
    last_time: tuple[Person, ...]
    others: tuple[Person, ...]
    hidden: int
    """People who are not here and not on the page: the filter finds them."""


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of one night."""

    night: NightPage
    directs: bool
    """Who asks may do all of the night; else check people in and enter results."""
    shown: RoundView | None
    """The round whose grid stands on the page."""
    swappable: tuple[Person, ...]
    door: Door
    here: tuple[Person, ...]
    left: tuple[Person, ...]
    stand_ins: tuple[Person, ...]
    """Who is here and plays for somebody else."""
    absent: tuple[Person, ...]
    """For whom somebody could play."""
    fixed: bool
    """Partners stay together that night."""
    teams: tuple[tuple[Person, ...], ...]
    """Fixed partners."""
    alone: tuple[Person, ...]
    """Who is here and has no fixed partner."""
    team_size: int
    plan: NightPlan
    disputed: frozenset[int]
    """Tables (their ids) at which two phones tell a hand differently."""
    misfits: tuple[str, ...]
    """Sentences: the rounds that are drawn and not begun do not fit who is here."""
    pairs_missing: bool
    """The format is one of fixed partners, and none are chosen."""
    circle: str
    """How many rounds a round robin takes, or empty."""
    begun: int
    """How many rounds were begun: the rest can be drawn."""
    missing: tuple[TableView, ...]
    """Tables that would count for nothing if the night were closed now."""
    may_remove: bool
    """It has no result and no money, so it can go."""
    over: bool
    """The final of a knock-out was begun: nothing more is drawn."""
    unconfirmed: tuple[TableView, ...]
    """Results that not every side confirmed, or that a phone says are wrong."""
    has_bell: bool

    @property
    def version(self) -> str:
        """Return another word whenever anything on the page is another."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]
