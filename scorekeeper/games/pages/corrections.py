"""Older hands, the log, and what else happens at a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.board import DisputeView, HandEntry
from scorekeeper.games.pages.common import Choice, Effect, OptionField, SeatView, SideView
from scorekeeper.games.pages.sharing import HandedOn, Sharing
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """An older hand, as it stands and as it would be."""

    game_id: str
    number: int
    seq: int
    said: str
    """The hand as it stands, a sentence."""
    dealers: tuple[Choice, ...]
    bidders: tuple[Choice, ...]
    """One for each seat, then value "" for "thrown in" where the rules allow it."""
    bids: tuple[Choice, ...]
    entry: HandEntry
    effect: Effect | None
    """What the correction would do; None until it was checked."""
    striking: bool
    """The check is of striking the hand out."""
    mode: str = "points"
    """How the hand was entered when it was checked: "points", "taken" or "passed"."""
    reports: tuple[DisputeView, ...] = ()
    """What other phones say of it."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    seq: int
    """Its place in the log of the game; 0 for what happened beside the hands."""
    when: datetime
    who: str
    """Which phone said so, in words."""
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
    """The line before which the next page begins; None where this one reaches the start."""
    whole: bool = True
    """These are all lines."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """What happens at real tables: names, the deal, the end, the record."""

    game_id: str
    title: str
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    known_names: tuple[str, ...]
    over: bool
    may_misdeal: bool
    concessions: tuple[Choice, ...]
    """value = the side that would win, label = "Bob and Dee concede: Ann and Cid win"."""
    version: int
    client_id: str
    error: str
    watch_url: str = ""
    """The whole address where others watch this game; its QR code is at `games.watch_code`."""
    watch_note: str = ""
    """What stands in the way: the address works on this computer only; or empty."""
    result_page: PageLink | None = None
    """Where the result is confirmed, for a game at a table of a league night."""
    handed_on: HandedOn | None = None
    """What goes to a chat."""
    sharing: Sharing | None = None
    """Who else may watch and score; None on a phone that does not say so."""
    code: str = ""
    """What makes another phone the one that started this game; empty where there is none, or on any other phone."""
    fresh: bool = False
    """Nothing was played yet: a final score can be entered instead of hands."""


@dataclass(frozen=True, slots=True)
class ChangeRulesPage:
    """House rules of a running game: what they are, and what a change would do to every hand."""

    game_id: str
    options: tuple[OptionField, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class AdjustPage:
    """Points that the table agrees on outside any hand (`forms.correction.AdjustForm`)."""

    game_id: str
    sides: tuple[SideView, ...]
    effect: Effect | None
    error: str
    version: int
    client_id: str
