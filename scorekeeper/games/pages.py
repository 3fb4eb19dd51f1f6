"""What the pages of a game show: frozen, complete, made of plain values.

`queries.py` builds these from a replayed log and the templates only read them,
so a template can neither run a query nor compute a score. Seats and sides count
from 0, hand numbers from 1, times are aware datetimes in UTC. Every sentence is
finished text; nothing here is escaped (the templates do that).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of the table as the board shows it."""

    index: int
    letter: str
    """A to G: with colour, shape and position one of four ways to tell sides apart."""
    name: str
    """"Ann and Cid", or "Ann" for a player alone."""
    total: int
    needs: str
    """What the side needs to win, a sentence; empty once the game is over."""
    sets: int
    """How often it was set in counted hands."""
    leads: bool
    won: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, clockwise from seat 0."""

    index: int
    name: str
    side: int
    letter: str
    deals: bool
    bids_first: bool


@dataclass(frozen=True, slots=True)
class PointView:
    """Who took one point of a hand."""

    label: str
    """"High", "Low", "Jack", "Game" …"""
    letter: str | None
    """Letter of the side, None where nobody took it."""


@dataclass(frozen=True, slots=True)
class HandRow:
    """One line of the sheet."""

    number: int
    seq: int
    """The hand's place in the log: its address for corrections."""
    dealer: str
    bidder: str | None
    """None for a hand that was thrown in."""
    side: int | None
    letter: str | None
    bid: str
    """"3", "pitch", or "thrown in"."""
    trump: str
    """A suit sign, or empty."""
    made: bool | None
    deltas: tuple[int, ...]
    totals: tuple[int, ...]
    points: tuple[PointView, ...]
    """Empty where only the points of each side are known."""
    after_end: bool
    """Entered, but the game had ended before it (after a correction): not counted."""
    corrected: bool
    ended: bool
    """This hand ended the game."""
    adjusted: bool = False
    """Not a hand: points that the table agreed on; `bid` is the reason, `side` whose they are."""


@dataclass(frozen=True, slots=True)
class OpenBid:
    """The bid in play."""

    seat: int
    bidder: str
    side: int
    letter: str
    bid: str
    trump: str
    trump_name: str


@dataclass(frozen=True, slots=True)
class BidCell:
    """One button of the bid grid."""

    value: str
    """"2" … or "pitch": what the form sends."""
    label: str


@dataclass(frozen=True, slots=True)
class BidRow:
    """One player's legal bids."""

    seat: SeatView
    cells: tuple[BidCell, ...]
    stuck: BidCell | None
    """The forced bid of the dealer, offered as one tap of its own; else None."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be tapped."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False


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
    ask_tricks: bool
    """A pitch tested by tricks: the number of tricks the bidder took is asked (field "tricks")."""
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
    url: str
    version: int
    client_id: str
    """An id of this tap, so that tapping twice does it once."""


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
    open_bid: OpenBid | None
    rows: tuple[HandRow, ...]
    """Oldest first, struck-out hands left out."""
    last: str
    """What the last thing that happened did: "Ann and Cid make 3. 14 to 9."; empty at the start."""
    entry: HandEntry | None
    """None for a watcher, and when the game is over."""
    outcome: OutcomeView | None
    undo: Step | None
    redo: Step | None
    may_score: bool
    notices: tuple[str, ...]
    """Things the table should know: "Hands 8 and 9 were entered after the end and do not count."."""
    version: int
    updated: datetime
    client_id: str = ""
    """An id for "Play again", so that tapping twice starts one game."""
    auction: AuctionView | None = None
    """The auction to call in place of the bid step; None where the bid is entered directly."""
    may_call: bool = False
    """Offer the auction: link to the board with `?entry=auction`; from the auction back with `?entry=bid`."""
    may_settle: bool = False
    """Offer settling up at the end: link to games.settle."""


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
    """The game this phone deleted last, within a day: it can be brought back."""
    client_id: str = ""
    """An id for "Same table again" and the import, so that tapping twice starts one game."""
    error: str = ""
    """What is wrong with the record that was to be imported, a sentence."""


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A card of the new-game page."""

    key: str
    name: str
    line: str
    """Target, players, how it ends: "To 21. 4 in partners, or 2 to 7 alone. Bid to go out, win by 2."."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class SeatField:
    """One seat of the new-game form."""

    index: int
    key: str
    """Form field "name-0" …"""
    value: str
    letter: str
    partner: str
    """"with seat 3", or empty where everybody plays alone."""
    deals: bool
    error: str


@dataclass(frozen=True, slots=True)
class OptionField:
    """One house rule of the new-game form, in players' words."""

    key: str
    """Form field "rule-dealer_privilege" …"""
    label: str
    help: str
    kind: str
    """"choice" (choices) or "number" (low to high)."""
    value: str
    usual: str
    """The preset's value in words."""
    choices: tuple[Choice, ...]
    low: int
    high: int
    error: str
    group: str = ""
    """Heading under which it stands: "Winning", "Bidding" …"""


@dataclass(frozen=True, slots=True)
class SavedRules:
    """House rules that this phone keeps under a name."""

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
    """Games that fewer people play, folded away under "More games"."""
    saved: tuple[SavedRules, ...] = ()
    """Buttons `name=use_rules value=<id>` with formaction games.new."""
    rules_name: str = ""
    """Field in the folded house rules, with a button to games.save_rules: keep these rules under this name."""
    notice: str = ""
    """Something that was done: "Kept as Tuesday rules."."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One hand whose totals a correction changes."""

    number: int
    before: str
    """"12 to 9"."""
    after: str


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
    changes: tuple[ChangeRow, ...]
    """Empty until the correction was checked."""
    result: str
    """What the result becomes, a sentence; empty until checked."""
    checked: bool
    striking: bool
    """The check is of striking the hand out."""
    mode: str = "points"
    """How the hand was entered when it was checked: "points", "taken" or "passed"."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    seq: int
    when: datetime
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogPage:
    game_id: str
    title: str
    entries: tuple[LogEntry, ...]
    """Newest first."""


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


@dataclass(frozen=True, slots=True)
class CardCell:
    """One card of the count."""

    key: str
    """Form field "card-AS" …: radio with a side's index, or "none" while nobody has it."""
    card: str
    """"A♠", "10♥", "Joker"."""
    spoken: str
    """"Ace of spades"."""
    points: int
    """Card points toward Game."""
    trump: bool
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    suit: str
    """"♠", or empty for jokers."""
    cells: tuple[CardCell, ...]


@dataclass(frozen=True, slots=True)
class RankRow:
    """One rank of the quick count: how many each side took."""

    label: str
    """"Tens", "Aces" …"""
    points: int
    fields: tuple[OptionField, ...]
    """One number field for each side, "rank-T-0" …, 0 to 4."""


@dataclass(frozen=True, slots=True)
class CountPage:
    """Count the cards of a hand (cards) or only what Game needs (ranks); POST games.count shows the count.

    The submit button `name=use value=1` carries the result to the points step.
    """

    game_id: str
    title: str
    quick: bool
    trumps: tuple[Choice, ...]
    sides: tuple[SideView, ...]
    cards: tuple[CardRow, ...]
    ranks: tuple[RankRow, ...]
    counted: tuple[str, ...]
    """What the count says, sentences: "Ann and Cid have 41, Bob and Dee 39."; empty before."""
    missing: str
    """"Still missing: A♠, 10♥."; empty where nothing is."""
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class RuleLine:
    text: str
    house: bool
    """The house differs here from the usual rules; `usual` says how those go."""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class RuleSection:
    heading: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True)
class RuleCardPage:
    """The rules of one table on one printable page."""

    title: str
    summary: str
    sections: tuple[RuleSection, ...]
    house: tuple[str, ...]
    """Every difference from the usual rules, for the head of the page; empty where there is none."""
    game_id: str
    """Empty for the usual rules of a game."""


@dataclass(frozen=True, slots=True)
class ChangeRulesPage:
    """House rules of a running game: what they are, and what a change would do to every hand."""

    game_id: str
    options: tuple[OptionField, ...]
    changes: tuple[ChangeRow, ...]
    result: str
    checked: bool
    seen: str
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class AdjustPage:
    """Points that the table agrees on outside any hand; fields side, points (−99 to 99), reason."""

    game_id: str
    sides: tuple[SideView, ...]
    side: str
    points: str
    reason: str
    changes: tuple[ChangeRow, ...]
    result: str
    checked: bool
    seen: str
    error: str
    version: int
    client_id: str


@dataclass(frozen=True, slots=True)
class Payment:
    name: str
    letter: str
    side: int
    amount: str
    """"+1.25", "−0.50" or "0.00"."""


@dataclass(frozen=True, slots=True)
class SettlementPage:
    """Who pays what: a GET form with method, rate, base, per_set (amounts like 0.25); nothing is stored."""

    game_id: str
    title: str
    methods: tuple[Choice, ...]
    """value, label, hint = what it does."""
    fields: tuple[OptionField, ...]
    payments: tuple[Payment, ...]
    """Empty until asked."""
    sentence: str
    error: str
