"""Put the parts of a hand into words, such as suits, bids and points.

A game as a phone may see it now, and the parts that several page models share.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from scorekeeper.games.logic.default_points import Guesses
from scorekeeper.games.logic.reconcile import DisputeRole
from scorekeeper.games.logic.statistics.table_games import STOPPED
from scorekeeper.games.pages.common import Face, SeatView, SideView
from scorekeeper.games.store.access import LeagueTable
from scorekeeper.games.store.hand_notes import HandNote
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import SideName, isolated, join_names, number, said, say_needs, side_names
from scorekeeper.insight.odds import OwnHands
from scorekeeper.people.tables import PersonLook
from scorekeeper.rules import explain
from scorekeeper.rules.bidding import Bid, Call
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import Hand, bidding_sides
from scorekeeper.rules.table import Table, seat_after

LETTERS = "ABCDEFGH"
SUIT_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "none": N_("NT")}
SUIT_NAMES: Mapping[str, str] = {
    "C": N_("clubs"),
    "D": N_("diamonds"),
    "H": N_("hearts"),
    "S": N_("spades"),
    "none": N_("no trump"),
}
_SAID_BIDS: Mapping[str, str] = {"pitch": N_("a pitch"), "moon": N_("a moon")}
_KINDS_OF_BIDS: Mapping[Bid, str] = {"pitch": N_("Pitch bids"), "moon": N_("Moon bids")}
_CALLS: Mapping[str, str] = {"pitch": N_("pitch"), "moon": N_("moon"), "pass": N_("pass")}


def no_winner_text(totals: Sequence[int], ended_by: str | None) -> str:
    """Return the result of a finished game that nobody won: "Tied game", or "No winner".

    The text is "Tied game" if several sides share the highest score. But if the game was stopped early, the text is
    always "No winner".
    """
    best = max(totals)
    if ended_by != STOPPED and list(totals).count(best) > 1:
        return ngettext("Tied game", "%(num)s tied games", 1)
    return _("No winner")


def suit_sign(trump: str | None) -> str:
    """Return the symbol of a trump suit, or "" for None.

    In Some'R'Set, suits are numbers: "12" has the symbol "12s".
    """
    if trump == "none":
        return _(SUIT_SIGNS[trump])
    return "" if trump is None else SUIT_SIGNS.get(trump) or _("%(number)ss", number=trump)


def suit_name(trump: str | None) -> str:
    """Return the name of a trump suit, such as "hearts" or "no trump", or "" for None.

    In Some'R'Set, suits are numbers: "12" has the name "12s".
    """
    if trump is None:
        return ""
    return _(SUIT_NAMES[trump]) if trump in SUIT_NAMES else _("%(number)ss", number=trump)


def bid_text(bid: Bid | None) -> str:
    """Return a bid for the score sheet, or "all passed" for None."""
    return _("all passed") if bid is None else call_text(bid)


def said_bid(bid: Bid) -> str:
    """Return a bid for use in a sentence, such as "3" or "a pitch". `bid` may also be a number as text."""
    return _(_SAID_BIDS.get(str(bid), str(bid)))


def bids_text(bid: Bid) -> str:
    """Return what all bids of one amount are called, such as "Bids of 3" or "Pitch bids"."""
    return _(_KINDS_OF_BIDS[bid]) if bid in _KINDS_OF_BIDS else _("Bids of %(bid)s", bid=bid)


def call_text(call: Call) -> str:
    """Return the button label of a call, such as "3", "pitch", "moon" or "pass"."""
    return _(_CALLS.get(str(call), str(call)))


def hand_text(table: Table, names: Sequence[str], sides: Sequence[SideName], hand: Hand) -> str:
    """Return a hand in sentences: "Dee dealt, Ann bid 3 in hearts. Ann and Cid: High, Jack. Bob and Dee: Low.".

    `names` are the players' names by seat.
    """
    if hand.thrown_in:
        return _("%(dealer)s dealt. All passed.", dealer=names[hand.dealer])
    if hand.bidder is None or hand.bid is None:
        return " ".join((_dealt(table, names, hand), _took(table, sides, hand)))
    bid = bid_in_suit(hand.bid, hand.trump)
    if table.called and hand.partner is None:
        bid = _("%(bid)s alone", bid=bid)
    elif table.called and hand.partner is not None:
        bid = _("%(bid)s with %(partner)s", bid=bid, partner=names[hand.partner])
    dealt = _(
        "%(dealer)s dealt, %(bidder)s bid %(bid)s.", dealer=names[hand.dealer], bidder=names[hand.bidder], bid=bid
    )
    return f"{dealt} {_took(table, sides, hand)}"


def _dealt(table: Table, names: Sequence[str], hand: Hand) -> str:
    """Return a sentence that names the dealer of a hand, for games without bidding.

    If the turned-up card was entered, the sentence names the card, too.
    """
    if hand.turned_up is None:
        return _("%(dealer)s dealt.", dealer=names[hand.dealer])
    return _("%(dealer)s dealt and turned up %(card)s.", dealer=names[hand.dealer], card=card_text(hand.turned_up))


def card_text(card: str) -> str:
    """Return a card as the score sheet shows it, such as "6♣", or only the rank if the suit is not known."""
    return f"{'10' if card[0] == 'T' else card[0]}{suit_sign(card[1:]) if card[1:] else ''}"


def bid_in_suit(bid: Bid, trump: str | None) -> str:
    """Return a bid with its suit for use in a sentence, such as "3 in hearts".

    If there is no trump, the text is only the bid.
    """
    if trump in (None, "none"):
        return said_bid(bid)
    return _("%(bid)s in %(suit)s", bid=said_bid(bid), suit=suit_name(trump))


def _took(table: Table, sides: Sequence[SideName], hand: Hand) -> str:
    if table.called and hand.points is None:
        ours, theirs = map(number, hand.taken)
        return _("The bidder's side took %(ours)s, the others %(theirs)s.", ours=ours, theirs=theirs)
    if table.called:
        party = join_names([sides[side].name for side in bidding_sides(table, hand)])
        sides = (SideName(party, hand.partner is not None), SideName(_("The others"), several=True))
    if hand.points is None:
        return " ".join(_owned(side, str(hand.taken[index])) for index, side in enumerate(sides))
    labels = point_labels(table.rules)
    # In the order of the rules: a game imported with a league may have another.
    if hand.jack_hung:
        labels = {**labels, "jack": _("hung jack")}
    told_of = [(labels[key], hand.points[key]) for key in labels if key in hand.points]
    won = {index: [label for label, owner in told_of if owner == index] for index in range(len(sides))}
    told = [_owned(sides[index], ", ".join(points)) for index, points in won.items() if points]
    return " ".join([*told, *_unclaimed(table.rules, hand.points)])


def party_letters(table: Table, hand: Hand, party: int | None) -> str:
    """Return the letters of a party, such as "A" for a side, or "AC" for a bidder and their partner.

    The text is "–" if `party` is None, which means nobody.
    """
    if party is None:
        return "–"
    if not table.called:
        return LETTERS[party]
    ours = bidding_sides(table, hand)
    return "".join(LETTERS[side] for side in range(len(table.sides)) if (side in ours) == (party == 0))


def _unclaimed(rules: Ruleset, points: Mapping[str, int | None]) -> list[str]:
    """Return up to two sentences about the points that nobody took.

    One sentence lists points whose card was not dealt. The other lists points without a card, such as a tied Game.
    """
    nobody = [category for category in rules.categories if points.get(category.key, 0) is None]
    absent = ", ".join(spoken(category.label) for category in nobody if category.card)
    unscored = ", ".join(spoken(category.label) for category in nobody if not category.card)
    return [
        *([_("Not out: %(points)s.", points=absent)] if absent else []),
        *([_("Nobody scored %(points)s.", points=unscored)] if unscored else []),
    ]


def _owned(side: SideName, what: str) -> str:
    return _("%(side)s: %(points)s.", side=side.name, points=what)


def adjustment_text(side: SideName, points: int, reason: str) -> str:
    """Return an adjustment in words, such as "Ann and Cid lose 2: a revoke"."""
    template = N_("{side} {side:get|gets} {points}: {reason}")
    if points < 0:
        template = N_("{side} {side:lose|loses} {points}: {reason}")
    return said(template, side=side, points=abs(points), reason=reason)


def point_labels(rules: Ruleset) -> Mapping[str, str]:
    """Return a dict that maps the key of each point of a hand to the name of the point."""
    return {category.key: spoken(category.label) for category in rules.points_of("pitch")}


def hand_numbers(numbers: Sequence[int]) -> str:
    """Return the words for the hands with these numbers, such as "Hand 8" or "Hands 8 and 9"."""
    return ngettext(
        "Hand %(hands)s", "Hands %(hands)s", len(numbers), hands=join_names([str(item) for item in numbers])
    )


@dataclass(frozen=True)
class Snapshot:
    """A game as a phone may see it. Names that many sentences need are made once.

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
    own: OwnHands | None = None
    """Earlier hands of that phone, which change the chances of winning; None in a league, or if there are too few."""

    looks_by_id: Mapping[int, PersonLook] = field(default_factory=dict)
    """The color, emoji and photo of players, by player id; photos only for phones that keep score."""
    teams: tuple[str, ...] = ()
    """Team names by side, "" for a side without one; empty if no side has one."""
    shows_odds: bool = False
    """Whether the home table wants to see the chances of winning during the game."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the players' names by seat."""
        return tuple(self.names_by_id[player] for player in self.game.players)

    @property
    def faces(self) -> tuple[Face, ...]:
        """Return the players' faces by seat, or () if no player has a color, an emoji or a photo."""
        looks = [self.looks_by_id.get(player, PersonLook()) for player in self.game.players]
        shown = any(look != PersonLook() for look in looks)
        return tuple(map(Face, self.names, looks)) if shown else ()

    @cached_property
    def said_names(self) -> tuple[str, ...]:
        """Return the players' names by seat, for use in sentences.

        Each name is marked (`isolated`) so that a name written right to left doesn't disturb the sentence.
        """
        return tuple(isolated(name) for name in self.names)

    @cached_property
    def sides(self) -> tuple[SideName, ...]:
        """Return the sides' names for use in sentences: team names, or the names of the players."""
        return side_names(self.game.table.sides, self.said_names, self.teams)


def new_tap_id() -> str:
    """Return a new random id for a form, so that sending the form twice saves only once."""
    return secrets.token_urlsafe(12)


def side_views(game: Game, sides: Sequence[SideName], faces: Sequence[Face] = ()) -> tuple[SideView, ...]:
    """Return every side with its score and the points that it still needs.

    `faces` are the faces of all players by seat, or ().
    """
    totals = game.tally.totals
    best = max(totals)
    wants = ((),) * len(sides) if game.over else explain.needs(game.table, game.tally)
    outcome = game.outcome
    return tuple(
        SideView(
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


def seat_views(game: Game, names: Sequence[str]) -> tuple[SeatView, ...]:
    """Return every seat, clockwise from seat 0. `names` are the players' names by seat."""
    first = seat_after(game.table, game.dealer)
    return tuple(
        SeatView(
            seat, name, game.table.side_of[seat], LETTERS[game.table.side_of[seat]], seat == game.dealer, seat == first
        )
        for seat, name in enumerate(names)
    )
