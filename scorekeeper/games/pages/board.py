"""Models of the live page: the score, the sheet, and the form of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.games.pages.common import Choice, RaceView, SeatView, SideView
from scorekeeper.games.pages.sharing import HandedOn
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class PointView:
    """One point of a hand and its winner."""

    label: str
    """"High", "Low", "Jack", "Game" …"""
    letter: str | None
    """Letter of the side, None if nobody took it."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the score sheet."""

    number: int
    seq: int
    """The hand's place in the log, used in the address of its correction."""
    side: int | None
    letter: str | None
    bid: str
    """"3", "pitch", or "thrown in"."""
    deltas: tuple[int, ...]
    totals: tuple[int, ...]
    after_end: bool
    """Entered, but not counted: after a correction, the game ended before it."""
    ended: bool
    """This hand ended the game."""
    dealer: str = ""
    bidder: str | None = None
    """None for a hand thrown in."""
    trump: str = ""
    """A suit sign, or empty."""
    made: bool | None = None
    points: tuple[PointView, ...] = ()
    """Empty if only the points of each side are known."""
    corrected: bool = False
    adjusted: bool = False
    """An adjustment of `side` instead of a hand, with `bid` as the reason."""
    partner: str = ""
    """The called partner's name, or "alone"; empty in games without one."""
    verified: bool = False
    """Two phones agree on it."""
    disputed: bool = False
    """Two phones disagree, and nobody has settled it."""
    note: str = ""
    photo: str = ""
    """The key of the photo of its cards: link to games.hand_photo; empty without one."""

    @property
    def took(self) -> str:
        """Return the points and their winners: "High A, Low B, Jack –, Game A"."""
        return ", ".join(f"{point.label} {point.letter or '–'}" for point in self.points)


@dataclass(frozen=True, slots=True)
class OpenBidView:
    """The bid in play."""

    seat: int
    bidder: str
    side: int
    letter: str
    bid: str
    trump: str
    trump_name: str


@dataclass(frozen=True, slots=True)
class BidRow:
    """One player's legal bids."""

    seat: SeatView
    cells: tuple[Choice, ...]
    """value = "2" … or "pitch", as the form sends it."""
    stuck: Choice | None
    """The forced bid of the dealer, as a button of its own; else None."""


@dataclass(frozen=True, slots=True)
class PointRow:
    """One point of the hand and its possible winners: a side, or nobody."""

    key: str
    """Name of the form field: "high", "low", "jack", "game" …"""
    label: str
    choices: tuple[Choice, ...]
    """One for each side (value = side index, label = its name, hint = letter), then "none" if that is possible."""


@dataclass(frozen=True, slots=True)
class TakenRow:
    """Points of one side, for people who do not track each point."""

    key: str
    """Form field: "taken-0" …"""
    side: SideView
    choices: tuple[Choice, ...]
    label: str = ""
    """Replaces the side's name for a called partner's hand: "Ann and her partner"."""
    part: str = ""
    """The part that is counted, in games of tricks and red cards: "tricks"."""


@dataclass(frozen=True, slots=True)
class HandEntry:
    """The form of a hand: either the bid step (bid_rows) or the points step (point_rows)."""

    bid_rows: tuple[BidRow, ...]
    trumps: tuple[Choice, ...]
    may_throw_in: bool
    point_rows: tuple[PointRow, ...]
    taken_rows: tuple[TakenRow, ...]
    only_points: bool
    """Only the points of each side are entered."""
    part_rows: tuple[TakenRow, ...]
    """Tricks and red card points, in games that count both; else empty."""
    by_parts: bool
    """These are entered."""
    ask_tricks: bool
    """A pitch tested by tricks: the number of tricks the bidder took is asked (field "tricks")."""
    most_tricks: int = 0
    """Tricks in a hand."""
    tricks: str = ""
    preview: str = ""
    """The effect of saving: "Set! Bob and Dee lose 3."; empty until known."""
    error: str = ""
    """What is wrong with the entry, one sentence."""
    client_id: str = ""
    version: int = 0
    seen: str = "1"
    """Value of the hidden field "seen" with a preview: a digest of the previewed choice."""
    pad: bool = False
    """Many bids, so they are on a pad: first the bidder (radio "bidder"), then the bid (button "bid")."""
    bidders: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    partners: tuple[Choice, ...] = ()
    """Radio "partner" of the points step, in games with a called partner: each other seat, then "alone"."""
    follows: str = ""
    """What is filled in: "The other side gets the rest of the 24."; empty if all sides are entered."""
    carried: tuple[tuple[str, str], ...] = ()
    """Hidden fields with the cards of a card count."""
    likely: bool = False
    """The winners are guesses, and marked as such until someone taps or saves them."""
    guess_note: str = ""
    """What the marked winners are."""
    questions: tuple[str, ...] = ()
    """Questions about an odd hand, before it is saved: button "sure" confirms it, "again" goes back."""
    may_count: bool = False
    """Cards can be counted in this game: link to games.count."""


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """How the game ended."""

    headline: str
    """"Ann and Cid win" or "Abandoned"."""
    reason: str
    """Why, a sentence."""
    side: int | None
    letter: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A button for undo or redo."""

    label: str
    """"Undo hand 7", "Undo the bid", "Redo hand 7", "Reopen"."""
    endpoint: str
    """Endpoint for `url_for`."""
    version: int
    client_id: str
    """An id of the request, so that tapping twice does it once."""


@dataclass(frozen=True, slots=True)
class DisputeView:
    """Two versions of a hand from two phones, and the buttons to settle it."""

    text: str
    """Both versions, in sentences."""
    agrees: bool
    ways: tuple[Choice, ...]
    """Buttons "how": "keep" the saved hand, "take" the other version, or "split": both were played."""
    game_id: str
    seq: int
    """The saved hand, by its place in the log."""
    report: int
    """The other phone's report, by its place in the log."""
    version: int
    client_id: str
    reasoned: tuple[Choice, ...] = ()
    """Ways for which the phone that started the game must give a "reason"."""
    waits: bool = False
    """This phone can only accept the other version; other phones may decide."""


@dataclass(frozen=True, slots=True)
class CallView:
    """A call that was made."""

    name: str
    side: int
    letter: str
    call: str
    """"pass", "3", "pitch"."""


@dataclass(frozen=True, slots=True)
class AuctionView:
    """The auction in progress."""

    calls: tuple[CallView, ...]
    turn: SeatView
    """The player to call next."""
    choices: tuple[Choice, ...]
    """The legal calls, button "call": "pass", "3" …; hint "take it", "stuck" or empty."""
    standing: str
    """"High bid: 3 (Bob).", or "No bids yet."."""
    may_take_back: bool
    version: int
    client_id: str
    every: tuple[str, ...] = ()
    """All bids of the game in order, legal or not, so that each stays in its place during the auction."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The live page of a game."""

    id: str
    title: str
    """"Ann and Cid 12, Bob and Dee 9"."""
    game_name: str
    rules_line: str
    """"To 21, win by 2, bid to go out"."""
    house_rules: tuple[str, ...]
    """The differences from the game's usual rules."""
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
    dealer: str
    first_bidder: str
    hand_number: int
    open_bid: OpenBidView | None
    rows: tuple[SheetRow, ...]
    """Oldest first, without deleted hands."""
    last: str
    """The effect of the last event: "Ann and Cid make 3. 14 to 9."; empty at the start."""
    outcome: OutcomeView | None
    may_score: bool
    notices: tuple[str, ...]
    """Messages to everyone: "Hands 8 and 9 were played after the end and don't count."."""
    version: int
    updated: datetime
    entry: HandEntry | None = None
    """None for a watcher, and after the end."""
    undo: Step | None = None
    redo: Step | None = None
    client_id: str = ""
    """An id for "Play again", so that tapping twice starts one game."""
    auction: AuctionView | None = None
    """The auction, in place of the bid step; None if only the winning bid is entered."""
    may_call: bool = False
    """Offer the auction: link to the board with `?entry=auction`; back with `?entry=bid`."""
    handed_on: HandedOn | None = None
    """A message to share: for watchers, and at the end of a game."""
    may_settle: bool = False
    """Offer settling up at the end: link to games.settle."""
    race: RaceView | None = None
    """The score chart and highlights, at the end; else None."""
    tally: str = ""
    """"Series: Ann and Cid 2, Bob and Dee 1"; empty before the first rematch."""
    standing: Mapping[str, Any] | None = None
    """The state for a phone that plays on offline (`client_state.score_state`); None for a watcher."""
    result_page: PageLink | None = None
    """The page to confirm the result, for a game of a league night."""
    disputes: tuple[DisputeView, ...] = ()
    """Hands on which two phones disagree, and one on which they just agreed; empty for watchers."""
    fell: tuple[int, ...] = ()
    """Sides that the latest hand set, until something else happens: pages make it felt."""
    settled: tuple[str, ...] = ()
    """Disputes settled on another phone and not seen here yet: form games.see_settled closes them."""


@dataclass(frozen=True, slots=True)
class RacePage:
    """The score chart of a game, in progress or over, with the hands."""

    game_id: str
    title: str
    sides: tuple[SideView, ...]
    race: RaceView | None
    """None before the first hand, and for a game entered as a final score."""
    rows: tuple[SheetRow, ...]
    may_score: bool
