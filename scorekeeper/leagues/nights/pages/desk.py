"""The desk: everything that the director of a night and the helpers do, on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.leagues.nights.final_scores import AnswerNeeded
from scorekeeper.leagues.nights.pages.night import NightPage, RoundView, TableView


@dataclass(frozen=True, slots=True)
class Wrong:
    """What could not be: at which part of the desk, a sentence, and what was typed there by field."""

    part: str = ""
    says: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[int, str] = field(default_factory=dict)
    """Table (its id) to what is wrong with its score."""
    asked: Mapping[int, AnswerNeeded] = field(default_factory=dict)
    """Table (its id) to what is asked of its score before it is saved."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to tap."""

    id: str
    name: str
    note: str = ""
    """"from round 2", "left after round 3", "for Ann" …"""


@dataclass(frozen=True, slots=True)
class Team:
    """Fixed partners."""

    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class DeskChoice:
    """Something to choose."""

    value: str
    label: str
    chosen: bool
    says: str = ""


@dataclass(frozen=True, slots=True)
class FormatOption:
    """A whole number that a format has."""

    name: str
    label: str
    value: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class FormatChoice:
    """A format, and what can be set for it."""

    key: str
    name: str
    line: str
    chosen: bool
    options: tuple[FormatOption, ...]


@dataclass(frozen=True, slots=True)
class PlanForm:
    """What is played that night."""

    formats: tuple[FormatChoice, ...]
    together: tuple[DeskChoice, ...]
    rounds: str
    sizes: str
    """"4, 5": the one the league likes best first."""


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """A line of the grid of final scores: a field for each side, as it stands or as it was typed."""

    table: TableView
    fields: tuple[str, ...]
    was: str
    """The score when the page was made: "21,13", with the answer where one was asked for, or empty."""
    open: bool
    """A final score can be told: nobody wrote down hands."""
    wrong: str
    answers: tuple[tuple[str, str], ...] = ()
    """What can be answered where the score does not say who won: what a form sends, and what people read."""
    ending: str = ""
    """The answer, as it stands or was chosen."""


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of one night."""

    night: NightPage
    directs: bool
    """Who asks may do all of the night; else check people in and enter results."""
    shown: RoundView | None
    """The round whose grid stands on the page."""
    entries: tuple[ResultEntry, ...]
    swappable: tuple[Person, ...]
    find: str
    last_time: tuple[Person, ...]
    others: tuple[Person, ...]
    hidden: int
    """People who are not here and not on the page: the filter finds them."""
    here: tuple[Person, ...]
    left: tuple[Person, ...]
    stand_ins: tuple[Person, ...]
    """Who is here and plays for somebody else."""
    absent: tuple[Person, ...]
    """For whom somebody could play."""
    fixed: bool
    """Partners stay together that night."""
    teams: tuple[Team, ...]
    alone: tuple[Person, ...]
    """Who is here and has no fixed partner."""
    team_size: int
    plan: PlanForm
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
    seed: int
    """What the next draw is drawn from."""
    missing: tuple[TableView, ...]
    """Tables that would count for nothing if the night were closed now."""
    may_remove: bool
    """It has no result and no money, so it can go."""
    over: bool
    """The final of a knock-out was begun: nothing more is drawn."""
    unconfirmed: tuple[TableView, ...]
    """Results that not every side confirmed, or that a phone says are wrong."""
    has_bell: bool
    client_id: str
    wrong: Wrong
    version: str = ""
    """Another one whenever anything of this is."""
