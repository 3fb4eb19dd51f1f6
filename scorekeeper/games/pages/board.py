"""Models of the live page of a game: the score, the score sheet, and the form of a hand."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from scorekeeper.games.pages.common import Choice, HandedOn, OddsView, RaceView, SeatView, SideView
from scorekeeper.games.store.access import Bell, LeagueTable

MARK = "."
"""Stands between the version of a game and the mark of its league table, so that both together are a number."""


class SheetRow(Struct, frozen=True):
    """One line of the score sheet."""

    number: int
    seq: int
    """Log position of the hand, used in the address of its correction."""
    side: int | None
    letter: str | None
    bid: str
    """The bid in words: "3", "pitch", or "all passed"; empty in games without bidding."""
    deltas: tuple[int, ...]
    totals: tuple[int, ...]
    after_end: bool
    """Whether the hand does not count because, after a correction, the game ended before it."""
    ended: bool
    """Whether this hand ended the game."""
    went_on: str = ""
    """In a game that is over, why it went on after this hand, though a side had enough points; else empty."""
    dealer: str = ""
    bidder: str | None = None
    """The bidder's name; None if all passed."""
    trump: str = ""
    """The symbol of the trump suit, or empty."""
    made: bool | None = None
    took: str = ""
    """The points and their winners: "High: A, Low: B, Jack: –, Game: A"; empty if only each side's points are known."""
    corrected: bool = False
    adjusted: bool = False
    """Whether this line is an adjustment of `side` instead of a hand; `bid` is then the reason."""
    partner: str = ""
    """The called partner's name, or "alone"; empty in games without a called partner."""
    verified: bool = False
    """Whether two phones agree on this hand."""
    disputed: bool = False
    """Whether two phones disagree on this hand, and nobody has settled it."""
    note: str = ""
    photo: str = ""
    """The key of the photo of the hand's cards, for a link to games.hand_photo; empty without a photo."""
    turned_up: str | None = None
    """In a game without bidding, the card that set trump, "" if it was not entered; None in other games."""


class OpenBidView(Struct, frozen=True):
    """The winning bid of the hand in play."""

    seat: int
    bidder: str
    side: int
    letter: str
    bid: str
    trump: str
    trump_name: str


class BidRow(Struct, frozen=True):
    """The legal bids of a player, as a row of buttons."""

    seat: SeatView
    cells: tuple[Choice, ...]
    """The bids: `value` is "2" … or "pitch", as the form sends it."""
    stuck: Choice | None
    """The forced bid of the dealer, as a button of its own; None for other players."""


class PointRow(Struct, frozen=True):
    """A point of the hand, and the choices for its winner: the sides, and nobody."""

    key: str
    """Name of the form field: "high", "low", "jack", "game" …"""
    label: str
    choices: tuple[Choice, ...]
    """One choice for each side: `value` is the index of the side, `label` its name, and `hint` its letter.

    If the point can go to nobody, the last choice has the value "none".
    """
    hung: tuple[Choice, ...] = ()
    """A choice for each side, in case the side captured the jack from another side.

    Empty for other points, and in games where such a jack scores no extra points.
    """
    card: str = ""
    """The card that decides the point, once the cards are counted: "A♠"; empty for Game."""


class TakenRow(Struct, frozen=True):
    """The number of points that a side took in a hand, with a button for each possible number.

    This row is used if the player doesn't enter the winner of each point.
    """

    key: str
    """Name of the form field: "taken-0" …"""
    side: SideView
    choices: tuple[Choice, ...]
    label: str = ""
    """Label that replaces the side's name in a hand with a called partner: "Ann and partner"."""
    part: str = ""
    """What the buttons count, such as "tricks", in games of tricks and red cards; empty in other games."""


class HandEntry(Struct, frozen=True):
    """The form of a hand. It shows either the bid step (`bid_rows`) or the points step (`point_rows`)."""

    bid_rows: tuple[BidRow, ...]
    trumps: tuple[Choice, ...]
    may_throw_in: bool
    gives_up: str
    """Label of the button with which a dealer gives up a forced bid: "Dee gives up (2)"; empty if not allowed."""
    point_rows: tuple[PointRow, ...]
    taken_rows: tuple[TakenRow, ...]
    only_points: bool
    """Whether the form asks only for the points of each side, not for the winner of each point."""
    part_rows: tuple[TakenRow, ...]
    """Rows for the tricks and the points of red cards of the sides, in games that count both; else empty."""
    by_parts: bool
    """Whether the points are entered in `part_rows`, as tricks and points of red cards."""
    ask_tricks: bool
    """Whether the form asks how many tricks the bidder took (field "tricks"): for a pitch that promises tricks."""
    most_tricks: int = 0
    """Number of tricks in a hand."""
    tricks: str = ""
    preview: str = ""
    """The effect of saving: "Set! Bob and Dee lose 3, from 9 to 6."; empty before the review."""
    error: str = ""
    """What is wrong with the entry, in one sentence; empty if nothing is."""
    client_id: str = ""
    version: int = 0
    seen: str = "1"
    """Value of the hidden field "seen". With a preview, this is a digest of the choices that the preview is about."""
    pad: bool = False
    """Whether the bids are on a number pad (radio buttons "bidder", buttons "bid"), since a grid would be too large."""
    bidders: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    partners: tuple[Choice, ...] = ()
    """Radio buttons "partner": the possible partners, then "alone"; empty in games without a called partner."""
    revokers: tuple[Choice, ...] = ()
    """Choices for the player who revoked, "nobody" first, if a revoke costs the bid; else empty."""
    turned_up: tuple[Choice, ...] = ()
    """In a game without bidding, the choices for the card that set trump; else empty.

    The first choice means a card that scores nothing. The other choices are the ranks that score, with their points
    as the hint.
    """
    party: tuple[str, str] | None = None
    """Two names of the bidder's party: the first is for a bidder who plays alone, the second for one with a partner.

    The second name has "{partner}" in place of the partner's name. None in games without a called partner, and as long
    as no bidder is chosen.
    """
    follows: str = ""
    """What the app fills in: "Bob and Dee get the rest of the 24."; empty if the form asks for all points."""
    carried: tuple[tuple[str, str], ...] = ()
    """Hidden fields (name, value) with the cards of a card count."""
    likely: bool = False
    """Whether the chosen winners are guesses, which the page marks until the player taps or saves them."""
    guess_note: str = ""
    """Sentence that explains the guesses."""
    questions: tuple[str, ...] = ()
    """Questions about an odd hand, before it is saved: button "sure" confirms it, "again" goes back."""
    may_count: bool = False
    """Whether to show a link to the page for counting cards (games.count)."""


class NeedLine(Struct, frozen=True):
    """What some sides still need to win."""

    sides: tuple[SideView, ...]
    """The sides, or () if this is true for every side."""
    text: str
    """The sentences, with the name of the side if it is a single one."""


class OutcomeView(Struct, frozen=True):
    """The end of a game in words: the result, and the reason."""

    headline: str
    """The result: "Ann and Cid win", "Tied game" or "No winner"."""
    reason: str
    """Why the game ended, in a sentence."""
    side: int | None
    letter: str | None


class Step(Struct, frozen=True):
    """A button for undo or redo."""

    label: str
    """Text of the button: "Undo hand 7", "Undo last bid", "Redo hand 7", "Resume the game"."""
    endpoint: str
    """Endpoint for `url_for` to which the button posts."""
    version: int
    client_id: str
    """Id of the request, so that tapping the button twice has the effect of tapping it once."""


class VersionView(Struct, frozen=True):
    """One phone's version of a hand, and the button that makes it count."""

    phone: str
    """Whose version it is: "This phone", "Bob's phone" …"""
    parts: tuple[str, ...]
    """What the other phone entered differently: "Low: Ann and Cid"."""
    way: Choice
    """The button: `value` is "keep" for the saved hand, or "take" for the other version."""
    accepted: bool
    """Whether this phone may settle the dispute so without a reason, because the other phone sent this version."""
    reasoned: bool
    """Whether this phone may settle it so with a "reason", because it started the game."""


class DisputeView(Struct, frozen=True):
    """Two phones' versions of a hand, and the buttons that settle the dispute."""

    text: str
    """What this is about: "Two phones disagree on hand 3."."""
    agrees: bool
    versions: tuple[VersionView, ...]
    """Both versions, the saved one first; empty if the phones agree."""
    ways: tuple[Choice, ...]
    """The button "split", if both hands were played and this phone may say so."""
    game_id: str
    seq: int
    """Log position of the saved hand."""
    report: int
    """Log position of the other phone's report."""
    version: int
    client_id: str
    reasoned: tuple[Choice, ...] = ()
    """The button "split", if this phone must give a "reason" for it."""
    at_desk: bool = False
    """Whether the desk of a league night decides, instead of the phone that started the game."""


class CallView(Struct, frozen=True):
    """A call in the auction."""

    name: str
    side: int
    letter: str
    call: str
    """The call in words: "pass", "3", "pitch"."""


class AuctionView(Struct, frozen=True):
    """The auction in progress."""

    calls: tuple[CallView, ...]
    turn: SeatView
    """The player to call next."""
    choices: tuple[Choice, ...]
    """The legal calls, for buttons named "call": "pass", "3" …

    The hint is "take it" if the call matches the high bid, "stuck" if it is the dealer's forced bid, and else empty.
    """
    standing: str
    """The high bid in words: "High bid: 3 (Bob).", or "No bids yet."."""
    may_take_back: bool
    version: int
    client_id: str
    every: tuple[str, ...] = ()
    """All bids of the game in order, legal or not, so that each button keeps its place during the auction."""


class BriefView(Struct, frozen=True):
    """A status line that fits on the smallest screen: a lead, such as "Set!", then changes of the score.

    Each change is the name of a side and its points and new total, such as "−3 → 0". A name may be cut off, the rest
    may not.
    """

    lead: str
    changes: tuple[tuple[str, str], ...] = ()


class BoardPage(Struct, frozen=True):
    """The live page of a game."""

    id: str
    title: str
    """The score: "Ann and Cid 12, Bob and Dee 9"."""
    game_name: str
    rules_line: str
    """The rules in short: "To 21, bid to go out, win by 2"."""
    house_rules: tuple[str, ...]
    """The differences from the game's usual rules, as sentences."""
    sides: tuple[SideView, ...]
    needs: tuple[NeedLine, ...]
    """What the sides need to win, each sentence once; for games of three sides or more."""
    seats: tuple[SeatView, ...]
    dealer: str
    first_bidder: str
    hand_number: int
    open_bid: OpenBidView | None
    rows: tuple[SheetRow, ...]
    """The lines of the score sheet, oldest first, without deleted hands."""
    last: str
    """The status line, about the last event: "Made it! Ann and Cid score 3, from 11 to 14."; empty at the start."""
    brief: BriefView | None
    """The status line in short, for the screen; None if `last` is short itself."""
    outcome: OutcomeView | None
    may_score: bool
    notices: tuple[str, ...]
    """Notices for everyone: "Hands 8 and 9 were played after the end and don't count."."""
    version: int
    day: datetime
    """The day on which the game was started, without a time of day."""
    entry: HandEntry | None = None
    """The form of the hand in play; None for a watcher, and after the end."""
    undo: Step | None = None
    redo: Step | None = None
    corrected: SheetRow | None = None
    """The hand that was just corrected, for a link that opens its correction again; Undo takes back the last hand."""
    client_id: str = ""
    """Id of the request of "Play again", so that tapping twice starts one game."""
    auction: AuctionView | None = None
    """The auction, in place of the bid step; None if only the winning bid is entered."""
    may_call: bool = False
    """Whether to link to the auction (`?entry=auction`), which has a link back to the bid step (`?entry=bid`)."""
    handed_on: HandedOn | None = None
    """A message to share. None on phones that keep score, until the game is over."""
    may_settle: bool = False
    """Whether to show a link for settling up (games.settle): only if somebody has won."""
    has_odds: bool = False
    """Whether to link to the win probabilities (games.odds), at the end of a game that has them."""
    chances: str = ""
    """The chances of winning during the game, in a sentence; empty unless the home table wants to see them."""
    odds: OddsView | None = None
    """The win probabilities in short, at the end of a game, if they are already calculated; else None."""
    has_what_if: bool = False
    """Whether to link to the end of the game with other rules (games.what_if)."""
    race: RaceView | None = None
    """The score chart and highlights, at the end; else None."""
    tally: str = ""
    """The games won in the series: "Series: Ann and Cid 2, Bob and Dee 1"; empty before the first rematch."""
    standing: Mapping[str, Any] | None = None
    """The score as data for a phone that plays on offline (`client_state.score_state`); None for a watcher."""
    league: LeagueTable | None = None
    """The table of the league night at which the game is played, if any; there is no "Play again" then."""
    disputes: tuple[DisputeView, ...] = ()
    """Hands on which two phones disagree, and the hand on which two phones have just agreed; empty for watchers."""
    fell: tuple[int, ...] = ()
    """Sides that were set in the latest hand, if nothing has happened since; the page shows an effect for them."""
    code: str = ""
    """The backup code, for the main phone of a game in progress, until its user says that it is on paper."""
    settled: tuple[str, ...] = ()
    """Sentences about disputes that were settled on another phone; the form games.see_settled removes them."""

    @property
    def bell(self) -> Bell | None:
        """Return what this phone's table has to do after the bell; None if nothing, and for watchers."""
        return self.league.bell if self.league and self.may_score else None

    @property
    def mark(self) -> str:
        """Return the version of the game, followed by the mark of the league table if it has one, as in "12.5"."""
        return f"{self.version}{MARK}{self.league.mark}" if self.league and self.league.mark else f"{self.version}"
