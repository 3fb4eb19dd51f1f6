"""The live page: the score, the sheet, and the form of a hand."""

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
    """Who took one point of a hand."""

    label: str
    """"High", "Low", "Jack", "Game" …"""
    letter: str | None
    """Letter of the side, None where nobody took it."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the sheet."""

    number: int
    seq: int
    """The hand's place in the log: its address for corrections."""
    side: int | None
    letter: str | None
    bid: str
    """"3", "pitch", or "thrown in"."""
    deltas: tuple[int, ...]
    totals: tuple[int, ...]
    after_end: bool
    """Entered, but the game had ended before it (after a correction): not counted."""
    ended: bool
    """This hand ended the game."""
    dealer: str = ""
    bidder: str | None = None
    """None for a hand that was thrown in."""
    trump: str = ""
    """A suit sign, or empty."""
    made: bool | None = None
    points: tuple[PointView, ...] = ()
    """Empty where only the points of each side are known."""
    corrected: bool = False
    adjusted: bool = False
    """Not a hand: points that the table agreed on; `bid` is the reason, `side` whose they are."""
    partner: str = ""
    """The called partner's name, or "alone"; empty where none is called."""
    verified: bool = False
    """Two phones agree on it."""
    disputed: bool = False
    """Two phones differ, and the table has not settled it."""

    @property
    def took(self) -> str:
        """Return who took which point: "High A, Low B, Jack –, Game A"."""
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
    """value = what the form sends, "2" … or "pitch"."""
    stuck: Choice | None
    """The forced bid of the dealer, offered as one tap of its own; else None."""


@dataclass(frozen=True, slots=True)
class PointRow:
    """One point of the hand and who may have taken it: a side, or nobody."""

    key: str
    """Name of the form field: "high", "low", "jack", "game" …"""
    label: str
    choices: tuple[Choice, ...]
    """One for each side (value = side index, label = its name, hint = letter), then "none" where nobody may take it."""


@dataclass(frozen=True, slots=True)
class TakenRow:
    """Points of one side, for people who do not track who took which."""

    key: str
    """Form field: "taken-0" …"""
    side: SideView
    choices: tuple[Choice, ...]
    label: str = ""
    """Stands in place of the side's name where it is a party of the hand: "Ann and her partner"."""
    part: str = ""
    """What is counted where a hand is told by its parts: "tricks"."""


@dataclass(frozen=True, slots=True)
class HandEntry:
    """The form of a hand: either the bid step (bid_rows) or the points step (point_rows)."""

    bid_rows: tuple[BidRow, ...]
    trumps: tuple[Choice, ...]
    may_throw_in: bool
    point_rows: tuple[PointRow, ...]
    taken_rows: tuple[TakenRow, ...]
    only_points: bool
    """The person chose to enter points of each side only."""
    part_rows: tuple[TakenRow, ...]
    """Tricks and points of the red cards, where a hand is worth both; empty in other games."""
    by_parts: bool
    """The person chose to enter those."""
    ask_tricks: bool
    """A pitch tested by tricks: the number of tricks the bidder took is asked (field "tricks")."""
    most_tricks: int = 0
    """Tricks in a hand."""
    tricks: str = ""
    preview: str = ""
    """What will happen when this is saved: "Set! Bob and Dee lose 3: 12 to 9."; empty until known."""
    error: str = ""
    """What is wrong with what was entered, one sentence."""
    client_id: str = ""
    version: int = 0
    seen: str = "1"
    """What the hidden field "seen" says once a preview stands; may name the choice the preview was made for."""
    pad: bool = False
    """So many bids that they stand on a pad: first the bidder (radio "bidder"), then the bid (button "bid")."""
    bidders: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    partners: tuple[Choice, ...] = ()
    """Radio "partner" of the points step where a partner is called: each other seat, then value "alone"."""
    follows: str = ""
    """What need not be tapped: "The other side gets the rest of 24."; empty where every side is asked."""
    carried: tuple[tuple[str, str], ...] = ()
    """Hidden fields that go along: the cards of a card count."""
    likely: bool = False
    """The winners are those that are likely: said so, until somebody taps or saves them."""
    open: bool = False
    """Of some points nobody is likelier than others: they are left to be tapped."""
    questions: tuple[str, ...] = ()
    """What is odd about the hand, asked before it is saved: button "sure" says it was meant, "again" goes back."""
    may_count: bool = False
    """Cards can be counted in this game: link to games.count."""


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """How the game ended."""

    headline: str
    """"Ann and Cid win" or "Abandoned"."""
    reason: str
    """The rule that decided, a sentence."""
    side: int | None
    letter: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """Something that one tap takes back or brings back."""

    label: str
    """"Undo hand 7", "Undo the bid", "Redo hand 7", "Reopen"."""
    endpoint: str
    """Where it is done, for `url_for`."""
    version: int
    client_id: str
    """An id of this tap, so that tapping twice does it once."""


@dataclass(frozen=True, slots=True)
class DisputeView:
    """What two phones say of one hand, and what one tap does about it."""

    text: str
    """Both, in sentences."""
    agrees: bool
    ways: tuple[Choice, ...]
    """Buttons "how": "keep" what is written down, "take" the other, or "split": both were played."""
    game_id: str
    seq: int
    """The hand that is written down, by its number in the event log."""
    report: int
    """What the other phone said, by its number in the event log."""
    version: int
    client_id: str
    reasoned: tuple[Choice, ...] = ()
    """Those for which the phone that started the game must give a "reason"."""
    waits: bool = False
    """This phone can only give in: the other one, or the phone that started the game, may decide otherwise."""


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
    """Whose turn it is."""
    choices: tuple[Choice, ...]
    """The legal calls and no others, button "call": "pass", "3" …; hint "takes it", "stuck" or empty."""
    standing: str
    """"Bob has it at 3.", or "Nobody has bid yet."."""
    may_take_back: bool
    version: int
    client_id: str
    every: tuple[str, ...] = ()
    """All bids of the game in order, legal or not: each keeps its place while the auction goes on."""


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
    """Each place where this table differs from the game's usual rules."""
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
    dealer: str
    first_bidder: str
    hand_number: int
    open_bid: OpenBidView | None
    rows: tuple[SheetRow, ...]
    """Oldest first, struck-out hands left out."""
    last: str
    """What the last thing that happened did: "Ann and Cid make 3. 14 to 9."; empty at the start."""
    outcome: OutcomeView | None
    may_score: bool
    notices: tuple[str, ...]
    """Things the table should know: "Hands 8 and 9 were entered after the end and do not count."."""
    version: int
    updated: datetime
    entry: HandEntry | None = None
    """None for a watcher, and when the game is over."""
    undo: Step | None = None
    redo: Step | None = None
    client_id: str = ""
    """An id for "Play again", so that tapping twice starts one game."""
    auction: AuctionView | None = None
    """The auction to call in place of the bid step; None where the bid is entered directly."""
    may_call: bool = False
    """Offer the auction: link to the board with `?entry=auction`; from the auction back with `?entry=bid`."""
    handed_on: HandedOn | None = None
    """What goes to a chat: for who only watches, and at the end of a game."""
    may_settle: bool = False
    """Offer settling up at the end: link to games.settle."""
    race: RaceView | None = None
    """The race and its moments, at the end; else None."""
    tally: str = ""
    """"Games tonight: Ann and Cid 2, Bob and Dee 1"; empty before there is anything to count."""
    standing: Mapping[str, Any] | None = None
    """Where the game stands, for a phone that plays on without signal (`offline.score_state`); None for a watcher."""
    result_page: PageLink | None = None
    """Where the result is confirmed, for a game at a table of a league night."""
    disputes: tuple[DisputeView, ...] = ()
    """Hands on which two phones differ, and one on which they have just agreed; empty for who only watches."""
    settled: tuple[str, ...] = ()
    """How another phone settled what this one has not seen yet: form games.see_settled takes it away."""


@dataclass(frozen=True, slots=True)
class RacePage:
    """The race of a game, running or over, with the sheet that holds its numbers."""

    game_id: str
    title: str
    sides: tuple[SideView, ...]
    race: RaceView | None
    """None before the first hand, and for a game that was entered as a final result."""
    rows: tuple[SheetRow, ...]
    may_score: bool
