"""A game as a phone may see it now, and the parts that several page models share."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from scorekeeper.games import pages
from scorekeeper.games.logic.default_points import Guesses
from scorekeeper.games.logic.reconcile import DisputeRole
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.games.store.hand_notes import HandNote
from scorekeeper.games.store.hooks import LeagueTable
from scorekeeper.i18n.sentences import SideName, isolated, say_needs, side_names
from scorekeeper.people.looks import PersonLook
from scorekeeper.rules import explain
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.table import seat_after


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game as a phone may see it.

    The names of everyone who has ever played in the game are included, by player id.
    """

    public_id: str
    game: Game
    names_by_id: Mapping[int, str]
    mine: bool
    """Whether the requesting phone may keep score."""
    started: bool
    """Whether the requesting phone started the game, so that it also manages scorers and watching."""
    watched: bool
    """Whether everyone with the link may watch."""
    updated: datetime
    latest: Event
    """The latest event of the game's log."""
    began: datetime
    """When the game was started (UTC)."""
    tally: tuple[int, ...] = ()
    """Games that each side won in this series; empty if the game is not part of a series."""
    league: LeagueTable | None = None
    """The table of the league night at which the game is played; None for other games."""
    roles: Mapping[int, DisputeRole] = field(default_factory=dict)
    """The role of this phone in each open report, by the log position of the report."""
    hand_notes: Mapping[int, HandNote] = field(default_factory=dict)
    """Notes and photos on hands, by the log position of the hand."""
    unseen: tuple[int, ...] = ()
    """Log positions of the events that settled disputes and that the requesting phone hasn't seen."""
    learned: Guesses = field(default_factory=dict)
    """Guesses of who wins each point, learned from the earlier hands of the phone that started the game."""

    looks_by_id: Mapping[int, PersonLook] = field(default_factory=dict)
    """The color, emoji and photo of players, by player id; photos only for phones that keep score."""
    teams: tuple[str, ...] = ()
    """Team names by side, "" for a side without one; empty if no side has one."""
    shows_odds: bool = False
    """Whether the home table wants to see the chances of winning during the game."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players' names by seat."""
        return tuple(self.names_by_id[player] for player in self.game.players)

    @property
    def faces(self) -> tuple[pages.Face, ...]:
        """Return the players' faces by seat, or () if no player has a color, an emoji or a photo."""
        looks = [self.looks_by_id.get(player, PersonLook()) for player in self.game.players]
        shown = any(look != PersonLook() for look in looks)
        return tuple(map(pages.Face, self.names, looks)) if shown else ()

    @property
    def said_names(self) -> tuple[str, ...]:
        """Return the players' names by seat, for use in sentences.

        Each name is marked (`isolated`) so that a name written right to left doesn't disturb the sentence.
        """
        return tuple(isolated(name) for name in self.names)

    @property
    def sides(self) -> tuple[SideName, ...]:
        """Return the sides' names for use in sentences: team names, or the names of the players."""
        return side_names(self.game.table.sides, self.said_names, self.teams)


def new_tap_id() -> str:
    """Return a new random id for a form, so that sending the form twice saves only once."""
    return secrets.token_urlsafe(12)


def side_views(game: Game, sides: Sequence[SideName], faces: Sequence[pages.Face] = ()) -> tuple[pages.SideView, ...]:
    """Return every side with its score and the points that it still needs.

    `faces` are the faces of all players by seat, or ().
    """
    totals = game.tally.totals
    best = max(totals)
    wants = ((),) * len(sides) if game.over else explain.needs(game.table, game.tally)
    outcome = game.outcome
    return tuple(
        pages.SideView(
            index=index,
            letter=LETTERS[index],
            name=side.name,
            players=side.players,
            faces=tuple(faces[seat] for seat in game.table.sides[index]) if faces else (),
            total=totals[index],
            needs=say_needs(wants[index], side),
            sets=game.tally.sets[index],
            leads=not game.over and totals[index] == best and totals.count(best) == 1,
            won=outcome is not None and outcome.winner == index,
            wants=say_needs(wants[index]),
        )
        for index, side in enumerate(sides)
    )


def seat_views(game: Game, names: Sequence[str]) -> tuple[pages.SeatView, ...]:
    """Return every seat, clockwise from seat 0. `names` are the players' names by seat."""
    first = seat_after(game.table, game.dealer)
    return tuple(
        pages.SeatView(
            seat, name, game.table.side_of[seat], LETTERS[game.table.side_of[seat]], seat == game.dealer, seat == first
        )
        for seat, name in enumerate(names)
    )
