"""Models of the first page and of the page for a new game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.people.looks import PersonLook
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class ScoreView:
    letter: str
    name: str
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list."""

    id: str
    game_name: str
    scores: tuple[ScoreView, ...]
    status: str
    """"Hand 7, Bob deals", "Ann and Cid won", "Abandoned"."""
    over: bool
    when: datetime


@dataclass(frozen=True, slots=True)
class HomePage:
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    last_table: str
    """"Setback to 21 with Ann, Bob, Cid and Dee": the table to start again in one tap; or empty."""
    deleted: GameCard | None
    """The game that this phone deleted last, within a day: it can be restored."""
    client_id: str = ""
    """An id for a rematch and the import, so that tapping twice starts one game."""
    error: str = ""
    """What is wrong with the record to import, a sentence."""
    resume: GameCard | None = None
    """The game in progress: most likely, people open the app to go on with it."""
    evening: str = ""
    """The latest finished game if another one was played on the same evening: link to games.evening."""
    unused: int = 0
    """Number of this phone's games that nobody scored: link to games.unused."""
    last_evening: EveningLine | None = None
    """The result of the last evening at this phone's home table."""


@dataclass(frozen=True, slots=True)
class EveningLine:
    """The result of an evening: "Ann and Cid won 3 games to 1", with the page of its games."""

    began: datetime
    text: str
    page: PageLink


@dataclass(frozen=True, slots=True)
class GameChoice:
    """One game to choose on the page for a new game."""

    key: str
    name: str
    line: str
    """Target, players, how it ends: "To 21. 4 in partners, or 2 to 7 alone. Bid to go out, win by 2."."""
    chosen: bool
    pressed: bool
    """Chosen, and not by saved house rules."""


@dataclass(frozen=True, slots=True)
class SeatField:
    """One seat of the new-game form."""

    index: int
    key: str
    """Form field "name-0" …"""
    value: str
    letter: str
    partner: str
    """"with seat 3", or empty without partners."""
    deals: bool
    error: str
    swaps: bool = False
    """Tapped to be swapped with another seat."""


@dataclass(frozen=True, slots=True)
class PersonChip:
    """A person of the home table, to be seated with one tap."""

    name: str
    look: PersonLook
    seated: bool


@dataclass(frozen=True, slots=True)
class TeamField:
    """The name of a team in the new-game form."""

    key: str
    """Form field "team-0" …"""
    value: str
    letter: str
    players: str
    """"Ann and Cid", or "Seats 1 and 3" as long as they have no names."""
    error: str


@dataclass(frozen=True, slots=True)
class SavedRules:
    """House rules that this phone saved under a name."""

    id: int
    name: str
    line: str
    """"Setback, 4 in partners. Played to 31."."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class NewGamePage:
    games: tuple[GameChoice, ...]
    preset: str
    seatings: tuple[Choice, ...]
    """"4 in partners", "3 alone" …: value "4p" or "3"."""
    seating: str
    seats: tuple[SeatField, ...]
    options: tuple[OptionField, ...]
    options_open: bool
    known_names: tuple[str, ...]
    error: str
    client_id: str
    more_games: tuple[GameChoice, ...] = ()
    """Less common games, folded away under "More games"."""
    saved: tuple[SavedRules, ...] = ()
    """Buttons `name=use_rules value=<id>` with formaction games.new."""
    rules_name: str = ""
    """Field in the house rules, with a button to games.save_rules: save these rules under this name."""
    notice: str = ""
    """Something that was done: "Saved on this phone as “Tuesday”."."""
    changed: int = 0
    """House rules that differ from the usual ones; button `name=usual_rules value=1` goes back to those."""
    local: tuple[Choice, ...] = ()
    """House rules by the name of where they are played: buttons `name=local_rules`, `hint` what differs."""
    people: tuple[PersonChip, ...] = ()
    """People of the home table, the likeliest first: buttons `name=sit value=<name>`."""
    teams: tuple[TeamField, ...] = ()
    drawn: str = ""
    """The result of drawing by lot just now, a sentence; empty if nothing was drawn."""
    to_swap: str = ""
    """Number of the seat tapped to be swapped, empty if there is none."""
    partners: bool = False
    """Whether partners can be drawn."""
    sheet_fields: Mapping[str, str] = field(default_factory=dict)
    """Query fields of the address of a blank score sheet for these choices."""


@dataclass(frozen=True, slots=True)
class UnusedPage:
    """Choose which of the games without any scores to delete."""

    games: tuple[GameCard, ...]
