"""Models of corrections, the game log, the game menu and adjustments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.board import DisputeView, HandEntry
from scorekeeper.games.pages.common import Choice, Effect, OptionField, SeatView, SideView
from scorekeeper.games.pages.sharing import HandedOn, Sharing
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """A hand to correct, before and after."""

    game_id: str
    number: int
    seq: int
    said: str
    """The saved hand, a sentence."""
    dealers: tuple[Choice, ...]
    bidders: tuple[Choice, ...]
    """One for each seat, then value "" for "thrown in" if the rules allow it."""
    bids: tuple[Choice, ...]
    entry: HandEntry
    effect: Effect | None
    """The effect of the correction; None before the review."""
    striking: bool
    """The review is about deleting the hand."""
    mode: str = "points"
    """How the hand was entered for the review: "points", "taken" or "passed"."""
    reports: tuple[DisputeView, ...] = ()
    """Other phones' versions of it."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    seq: int
    """Its place in the event log; 0 for a note."""
    when: datetime
    who: str
    """The phone, in words."""
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogPage:
    game_id: str
    title: str
    entries: tuple[LogEntry, ...]
    """Newest first."""
    older: int | None = None
    """The line before which the next page starts; None on the last page."""
    whole: bool = True
    """These are all entries."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """The game menu: names, dealer, early end, sharing."""

    game_id: str
    title: str
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    known_names: tuple[str, ...]
    over: bool
    may_misdeal: bool
    coke_hand: str
    """A sentence on when a player may ask for new cards; empty if the rules have no coke hands."""
    concessions: tuple[Choice, ...]
    """value = the side that would win, label = "Bob and Dee concede: Ann and Cid win"."""
    version: int
    client_id: str
    error: str
    watch_url: str = ""
    """The full address to watch this game; its QR code is at `games.watch_code`."""
    watch_note: str = ""
    """A warning that the address works on this computer only; or empty."""
    result_page: PageLink | None = None
    """The page to confirm the result, for a game of a league night."""
    handed_on: HandedOn | None = None
    """A message to share."""
    sharing: Sharing | None = None
    """Other scorers and watchers; None on a phone that may not decide it."""
    code: str = ""
    """The backup code; empty if there is none, and on all but the main phone."""
    fresh: bool = False
    """No hand was played yet, so a final score can be entered instead."""


@dataclass(frozen=True, slots=True)
class ChangeRulesPage:
    """Change the house rules of a game in progress, with the effect on every hand."""

    game_id: str
    options: tuple[OptionField, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class AdjustPage:
    """Adjust a score outside any hand (`forms.correction.AdjustForm`)."""

    game_id: str
    sides: tuple[SideView, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str
