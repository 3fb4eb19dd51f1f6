"""Models of the home page and of the page for a new game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.people.tables import PersonLook
from scorekeeper.web.links import PageLink


class ScoreView(Struct, frozen=True):
    letter: str
    name: str
    total: int
    won: bool


class GameCard(Struct, frozen=True):
    """A game in a list."""

    id: str
    game_name: str
    scores: tuple[ScoreView, ...]
    status: str
    """The state of the game: "Hand 7, Bob deals", "Ann and Cid won", "Tied game", "No winner"."""
    over: bool
    when: datetime


class HomePage(Struct, frozen=True):
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    last_table: str
    """The game and players that one tap starts again, "Setback to 21 with Ann, Bob, Cid and Dee"; empty for none."""
    deleted: GameCard | None
    """The last game that this phone deleted, if that was less than a day ago, so that it can be restored; else None."""
    client_id: str = ""
    """Id of the request of a rematch or an import, so that tapping twice starts one game."""
    error: str = ""
    """What is wrong with the record to import, in a sentence; empty if nothing is."""
    resume: GameCard | None = None
    """The latest game in progress: most people open the app to continue it. None without one."""
    evening: str = ""
    """Public id of the latest finished game if its evening had other games, for a link to games.evening; else empty."""
    unused: int = 0
    """Number of this phone's games that have no scores, for a link to games.unused."""
    last_evening: EveningLine | None = None
    """The result of the last evening at this phone's home table; None without one."""


class EveningLine(Struct, frozen=True):
    """The result of an evening, such as "Ann and Cid won 3 games to 1", with a link to the page of its games."""

    began: datetime
    text: str
    page: PageLink


class GameChoice(Struct, frozen=True):
    """A game that can be chosen on the page for a new game."""

    key: str
    name: str
    line: str
    """Goal and players: "To 21, bid to go out, win by 2. 4 players, partners; or 2 to 7 players, solo."."""
    chosen: bool
    pressed: bool
    """Whether the game itself is chosen, rather than saved house rules for it."""
    about: str = ""
    """The points, by which games of the same name differ: "Points in a hand: High, Low, Jack and Game, 1 each."."""
    also: str = ""
    """Other names of the game, in a sentence; empty if it has none."""
    names: str = ""
    """All names, each as `game_search.folded` returns it, with "|" between them."""
    players: str = ""
    """The numbers of players, with spaces between them."""
    found: bool = True
    """Whether the search found the game; true without a search."""


class SeatField(Struct, frozen=True):
    """The field for a seat in the form for a new game."""

    index: int
    key: str
    """Name of the form field: "name-0" …"""
    value: str
    letter: str
    partner: str
    """The seats of the partners, "(partner: seat 3)"; empty without partners."""
    deals: bool
    error: str
    swaps: bool = False
    """Whether the seat was tapped to be swapped with another one."""


class PersonChip(Struct, frozen=True):
    """A button that seats a person of the home table."""

    name: str
    look: PersonLook
    seated: bool


class TeamField(Struct, frozen=True):
    """The field for a team's name in the form for a new game."""

    key: str
    """Name of the form field: "team-0" …"""
    value: str
    letter: str
    players: str
    """The players of the team, "Ann and Cid", or "Seat 1 and Seat 3" while these have no names."""
    error: str


class SavedRules(Struct, frozen=True):
    """House rules that this phone saved under a name, or those of its last game, which have the id 0."""

    id: int
    name: str
    line: str
    """The house rules in a line: "Setback. Played to 31."."""
    chosen: bool


class GameGroup(Struct, frozen=True):
    """A group of games under a heading, on the page for a new game."""

    heading: str
    games: tuple[GameChoice, ...]

    @property
    def chosen(self) -> bool:
        """Return whether the game that is chosen on the page is in this group."""
        return any(game.chosen for game in self.games)


class GameSearch(Struct, frozen=True):
    """The search for a game by name and number of players.

    The form sends the fields `find` and `players` by GET to games.new.
    """

    text: str
    players: tuple[Choice, ...]
    found: tuple[GameChoice, ...]
    """The games found, best match first; empty without a search."""
    asked: bool
    chosen_players: str
    """Number of players to search for, or empty for any. The new-game form sends it in its field `wanted_players`."""
    numbers: str
    """English words for numbers: "zero one two …". In `GameChoice.names`, digits replace these words."""
    fillers: str
    """Words that the search ignores, with spaces between them."""
    other_games: Mapping[str, str]
    """Sentences about games that the app lacks, by a word of their name; shown if the search finds no game."""
    other: str = ""
    """The sentence of `other_games` for this search, or empty."""


class NewGamePage(Struct, frozen=True):
    games: tuple[GameChoice, ...]
    """The best known games, without those in `played`."""
    preset: str
    seatings: tuple[Choice, ...]
    """The seatings of the chosen game: label "4 players, partners" or "3 players, solo", value "4p" or "3"."""
    seating: str
    seats: tuple[SeatField, ...]
    options: tuple[OptionField, ...]
    options_open: bool
    known_names: tuple[str, ...]
    error: str
    client_id: str
    name: str = ""
    """Name of the chosen game."""
    line: str = ""
    more_games: tuple[GameGroup, ...] = ()
    """Less common games, which are collapsed under "More games"."""
    saved: tuple[SavedRules, ...] = ()
    """The saved house rules: buttons `name=use_rules value=<id>` with formaction games.new."""
    rules_name: str = ""
    """Name that the player typed for the house rules; a button (games.save_rules) saves the rules under this name."""
    notice: str = ""
    """What was just done: "Saved on this phone as “Tuesday”."; else empty."""
    changed: int = 0
    """Number of house rules that differ from the usual ones; button `name=usual_rules value=1` goes back to those."""
    local: tuple[Choice, ...] = ()
    """Named house rules: buttons `name=local_rules`; `hint` is the difference from the usual rules."""
    people: tuple[PersonChip, ...] = ()
    """People of the home table, the likeliest first: buttons `name=sit value=<name>`."""
    teams: tuple[TeamField, ...] = ()
    drawn: str = ""
    """The result of the random draw just made, in a sentence; empty for none."""
    to_swap: str = ""
    """The seat that was tapped to be swapped, from 0, as text; empty for none."""
    partners: bool = False
    """Whether the page has a button that draws partners at random."""
    played: tuple[GameChoice, ...] = ()
    """The games that this phone played, the latest first."""
    search: GameSearch | None = None
    built: str = ""
    """The game that the player's own rules start from, in a sentence; empty unless they asked to build a game."""
    sheet_fields: Mapping[str, str] = field(default_factory=dict)
    """Query fields of the address of a blank score sheet for the current choices."""
    rule_fields: Mapping[str, str] = field(default_factory=dict)
    """Query fields of the address of the rule card for the current choices."""


class FinishedSide(Struct, frozen=True):
    """A side of a finished game: its players' names, which can be changed, and its score."""

    index: int
    letter: str
    team: str
    """The team's name; empty without one."""
    seats: tuple[SeatField, ...]
