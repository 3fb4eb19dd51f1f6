"""Models that several pages share.

Models for sharing a game: scorers, watchers, messages.

Models of the page that shows how the win probability changed during a game.

Models of the rule card, settling up, and an early end.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from scorekeeper.games.logic.score_chart import Race
from scorekeeper.people.tables import PersonLook


class Choice(Struct, frozen=True):
    """A value that the player can choose with one tap. `chosen` marks the current choice."""

    value: str
    label: str
    hint: str = ""
    chosen: bool = False
    likely: bool = False
    """Whether the value is chosen because it is the app's guess."""


class Face(Struct, frozen=True):
    """A player's name with the color, the emoji and the photo (`look`) that are shown beside it."""

    name: str
    look: PersonLook


class SideView(Struct, frozen=True):
    """A side of a game: its name, its score, and the points that it still needs."""

    index: int
    letter: str
    """Letter of the side: "A" for side 0, "B" for side 1 …"""
    name: str
    """The team name, or the names of the players: "Ann and Cid", or "Ann" for a player alone."""
    total: int
    needs: str
    """What the side needs to win, in a sentence; empty once the game is over."""
    sets: int
    """How often the side was set, in hands that count."""
    leads: bool
    won: bool
    wants: str = ""
    """`needs` without the side's name, for use beside that name."""
    players: str = ""
    """The names of the players, "Ann and Cid", if `name` is a team name; else empty."""
    faces: tuple[Face, ...] = ()
    """The faces of its players; empty unless a player in the game has a color, an emoji or a photo."""


class SeatView(Struct, frozen=True):
    """A seat at the table. Seats are numbered clockwise from 0."""

    index: int
    name: str
    side: int
    letter: str
    deals: bool
    bids_first: bool


class OptionField(Struct, frozen=True):
    """A house rule in a form, in players' words."""

    key: str
    """Name of the form field: "rule-dealer_privilege" …"""
    label: str
    help: str
    kind: str
    """"choice" (one of `choices`), "several" (any of them) or "number" (from `low` to `high`)."""
    value: str
    usual: str
    """The preset's value, in words."""
    choices: tuple[Choice, ...]
    low: int
    high: int
    error: str
    group: str = ""
    """Heading under which the form shows the option: "Winning", "Bidding" …"""
    common: bool = False
    """Whether players often change the option. Such options come first in the form, as rows of buttons."""
    usual_value: str = ""
    """The preset's value, as a form value."""
    line: str = ""
    """If the value is a number, the house rule as a sentence, with `{}` in place of the number."""
    off: str = ""
    """The house rule as a sentence if the field has the value `off_at`."""
    off_at: str = ""
    says: str = ""
    """The house rule for the current value, such as "Played to 31."; empty if the value is the usual one."""


class Effect(Struct, frozen=True):
    """The effect of a change, shown before the change is saved."""

    changes: tuple[ChangeRow, ...]
    result: str
    """The score or the winner after the change, in a sentence."""
    seen: str
    """Value of the hidden field "seen": a digest of the choices that the effect is about."""


class ChangeRow(Struct, frozen=True):
    """A hand after which the score would be different if the change were saved."""

    number: int
    before: str
    """The score after this hand without the change, "12 to 9"."""
    after: str
    letters: str = ""
    """Letters of the two sides, in the order of their scores; empty with more sides."""


class Moment(Struct, frozen=True):
    """A highlight of a game, such as "Biggest set" (`label`) with "Bob and Dee, −4 in hand 3" (`text`)."""

    label: str
    text: str


class RaceView(Struct, frozen=True):
    """A score chart, a description of it in words, and the highlights of the game."""

    drawing: Race
    title: str
    told: str
    """The drawing in words, for people who can't see it."""
    note: str
    """Caption for the crosses that mark sets, or a note that there are too many sets to mark; empty without sets."""
    goal: str
    """Label of the target line: "to 21"."""
    moments: tuple[Moment, ...]


class OtherPhone(Struct, frozen=True):
    """A phone that may score the game, other than the phone that started the game."""

    id: int
    name: str
    """Name of its owner; empty if unknown."""
    since: datetime
    before: bool
    """Whether it was the main phone until another phone took over."""


class Sharing(Struct, frozen=True):
    """The section of the game menu about the other phones that keep score.

    Only the phone that started the game sees this section.
    """

    phones: tuple[OtherPhone, ...]
    link_made: datetime | None
    """When the latest link for another scorer was made that nobody has used yet; None if there is no such link."""


class HandedOn(Struct, frozen=True):
    """A message about a game, to share in a group chat."""

    about: str
    """Text below the title of a link preview: the winner and why, or what each side needs."""
    text: str
    """The score as a message, before the link: "Setback to 21. Ann and Cid win, 22 to 15."."""
    game_id: str
    version: int
    watched: bool
    """Whether others may watch, so that there is a link and a picture to send."""
    bg_stats: str = ""
    """The link that logs the game in the app BG Stats; empty until the game is over, and for an abandoned game."""


class OddsRow(Struct, frozen=True):
    """The row of one hand in the list: what was bid, and the win probability of each side after the hand."""

    number: int
    side: int | None
    """The bidder's side; None if everyone passed."""
    letter: str
    """Letter of the bidder's side; empty if everyone passed."""
    bidder: str
    """Name of the bidder; empty if everyone passed."""
    bid: str
    was_set: bool
    score: str
    """Score after the hand, such as "12 to 9"."""
    win: tuple[str, ...]
    """Win probability of each side after the hand, such as "62%"."""
    swing: str
    """The side whose chance changed most, and by how many percentage points, such as "A +24"; empty for none."""
    turning: bool
    """Whether this is the hand that changed the win probabilities most."""
    luck: str
    """The side for which the hand was most unlike the average, such as "B +5"; empty if it can't be compared."""
    more: str
    """What a bid of one more would have been worth to the bidder's side, such as "−6 ± 2"; empty if unknown."""


class OddsLine(Struct, frozen=True):
    """The win probability of a side (an index) as a line and marks, which are SVG path data."""

    side: int
    path: str
    marks: str


class OddsChart(Struct, frozen=True):
    """The drawing of the win probabilities, and a description of it in words.

    Of two sides, there is only the line of the first one, which has the other's probability from the top.
    """

    lines: tuple[OddsLine, ...]
    turning: str
    """SVG path of the mark at the hand that changed the win probabilities most; empty if none changed them."""
    hands: tuple[tuple[float, int], ...]
    """Ticks of the horizontal axis, as pairs (position, number of the hand)."""
    told: str


class OddsView(Struct, frozen=True):
    """The win probabilities of a game that is over, in short: the chart, and the turning point as a sentence."""

    sides: tuple[tuple[int, str, str], ...]
    """Each side as (index, letter, name)."""
    chart: OddsChart
    turned: str
    """The hand that changed the win probabilities most, in a sentence; empty if none changed them."""


class OddsPage(Struct, frozen=True):
    """The win probability before and after each hand of a game that is over."""

    game_id: str
    sides: tuple[tuple[int, str, str], ...]
    """Each side as (index, letter, name)."""
    ended: str
    """The winner and why, in a sentence or two; empty before the end."""
    chart: OddsChart | None
    """None if the game has no win probabilities; then `missing` says why."""
    moments: tuple[Moment, ...]
    rows: tuple[OddsRow, ...]
    start: tuple[str, ...]
    """Win probability of each side before the first hand."""
    model: str
    """Sentence that says from which hands the probabilities come."""
    missing: str = ""
    compared: bool = False
    """Whether `moments` says which side had more luck."""


class RuleLine(Struct, frozen=True):
    text: str
    house: bool
    """Whether this line differs from the usual rules; `usual` then holds the usual line."""
    usual: str = ""
    decided: bool = False
    """Whether the app decided this rule because the published rules are silent."""


class HouseRuleLine(Struct, frozen=True):
    """A house rule and the usual rule, each as a sentence.

    For example, `ours` is "Played to 31." and `usual` is "Played to 21.".
    """

    usual: str
    ours: str


class RuleSection(Struct, frozen=True):
    heading: str
    lines: tuple[RuleLine, ...]


class GameFacts(Struct, frozen=True):
    """What simulated hands say about a game: sentences, and a note that says where they come from."""

    lines: tuple[str, ...]
    note: str


class Payment(Struct, frozen=True):
    name: str
    letter: str
    side: int
    amount: str
    """The amount without plus or minus, such as "$1.25"."""
    cents: int
    """The amount in cents, or in whole units of a currency without cents. It is negative if the player pays."""


class SettlementPage(Struct, frozen=True):
    """The page for settling up with money after a game.

    The page has a form with the fields method, currency, rate, base and per_set. Amounts are entered like 0.25.
    """

    game_id: str
    title: str
    methods: tuple[Choice, ...]
    """The methods of settling up. `value` is the key of the method, and `hint` explains the method."""
    fields: tuple[OptionField, ...]
    currencies: tuple[Choice, ...]
    """The currencies to choose from; at first, the phone's own currency is chosen."""
    payments: tuple[Payment, ...]
    """What each player gets or pays, by seat. Empty until the form is sent."""
    sentence: str
    error: str
    workings: tuple[str, ...] = ()
    """Sentences that explain the amounts: "Bob and Dee (9, 2 sets) pay $1.50, split evenly."."""
    night: bool = False
    """Whether all games of an evening are settled together."""
    handed: tuple[str, ...] = ()
    """Payments between players that settle all amounts: "Bob pays Ann $0.75."."""
    stakes: Mapping[str, str] = field(default_factory=dict)
    """The method, the currency and the rates that were used, by the names of their fields. Empty without payments.

    The currency is "" if it is the phone's own one."""


class EndingPage(Struct, frozen=True):
    """The page that asks for confirmation before a game is conceded or ended.

    The page sends the same form again, together with the field "sure".
    """

    game_id: str
    result: str
    """The result of the game if the player confirms the end: "Bob and Dee win. Ann and Cid conceded."."""
    score: str
    action: str
    winner: str
    version: int
    client_id: str
