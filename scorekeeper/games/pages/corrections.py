"""Models of corrections, the game log, the game menu and adjustments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.board import DisputeView, HandEntry
from scorekeeper.games.pages.common import Choice, Effect, OptionField, SeatView, SideView
from scorekeeper.games.pages.sharing import HandedOn, Sharing
from scorekeeper.games.store.hooks import LeagueTable


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """The page for correcting a hand. It shows the saved hand, the form, and the effect of the change."""

    game_id: str
    number: int
    seq: int
    said: str
    """The saved hand, in sentences."""
    dealers: tuple[Choice, ...]
    bidders: tuple[Choice, ...]
    """One choice for each seat. If the rules allow it, the last choice is "all passed", with the value ""."""
    bids: tuple[Choice, ...]
    entry: HandEntry
    effect: Effect | None
    """The effect of the correction; None before the review."""
    striking: bool
    """Whether the review is about deleting the hand."""
    mode: str = "points"
    """How the hand is entered in the form: "points", "taken" or "passed"."""
    reports: tuple[DisputeView, ...] = ()
    """Other phones' versions of the hand."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    seq: int
    """Log position of the event; 0 for an entry that is not an event of the game, such as "Watching turned on."."""
    when: datetime
    who: str
    """Name of the phone that made the change, such as "Ann's phone"."""
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogPage:
    game_id: str
    title: str
    entries: tuple[LogEntry, ...]
    """The entries of the log, newest first."""
    older: int | None = None
    """Value of the query field `before` in the link to the page with older entries; None on the last page."""
    whole: bool = True
    """Whether `entries` are all entries of the log."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """The game menu, for changing names or the dealer, ending the game early, and sharing the game."""

    game_id: str
    title: str
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    known_names: tuple[str, ...]
    over: bool
    may_misdeal: bool
    coke_hand: str
    """A sentence about when a player may ask for new cards; empty if the rules have no coke hands."""
    concessions: tuple[Choice, ...]
    """The ways to concede. `value` is the side that would win. `label` is "Bob and Dee concede: Ann and Cid win"."""
    version: int
    client_id: str
    error: str
    watch_url: str = ""
    """The address for watching this game; its QR code is at `games.watch_code`. It is empty if watching is off."""
    league: LeagueTable | None = None
    """The table of the league night at which the game is played; None for other games."""
    handed_on: HandedOn | None = None
    """A message about the game to share."""
    sharing: Sharing | None = None
    """The other phones that keep score; None unless this is the main phone of the game, which manages them."""
    code: str = ""
    """The backup code, for the main phone of the game; empty on all other phones, and if there is no code."""
    fresh: bool = False
    """Whether no hand was played yet, so that a final score can be entered instead."""


@dataclass(frozen=True, slots=True)
class ChangeRulesPage:
    """The page for changing the house rules of a game in progress.

    `effect` lists every hand after which the score would change.
    """

    game_id: str
    options: tuple[OptionField, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class AdjustPage:
    """The page for adjusting a side's score without changing a hand. Its form is `forms.correction.AdjustForm`."""

    game_id: str
    sides: tuple[SideView, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str
