"""The parts of a game that no house rule changes, such as the seatings, the points and the cards.

All points that a hand can have. Each game uses some of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from scorekeeper.rules.phrase import Phrase

JOKERS = ("RJ", "BJ")
"""The jokers among the cards, the higher one first."""
SeatingKind = Literal["partners", "alone", "called"]
Topic = Literal[
    "pack",
    "deal",
    "after_deal",
    "deck_runs_out",
    "discards",
    "deal_passes",
    "bids",
    "higher",
    "auction",
    "dealer",
    "all_pass",
    "special_bid",
    "moon_fails",
    "pitch_fails",
    "follow",
    "trick",
    "no_trump",
    "points",
    "low",
    "game",
    "made",
    "set",
    "called",
    "plays_alone",
    "winning",
    "ties",
]
"""A topic on which the published text of a game may be silent; each has a line on the rule card."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A number of players, and the kind of sides that they form.

    - "partners": `teams` equal sides, whose players sit evenly spaced.
    - "alone": each player is a side.
    - "called": each player has their own score, and the bidder calls a partner for each hand.
    """

    players: int
    kind: SeatingKind
    teams: int = 2
    """Number of sides of a "partners" seating; without meaning for the other kinds."""

    @property
    def sides(self) -> int:
        """Return the number of sides, each with its own score.

        Seat `s` belongs to side `s` modulo this number (RULES 7).
        """
        return self.teams if self.kind == "partners" else self.players


def partners(*players: int, teams: int = 2) -> tuple[Seating, ...]:
    """Return one seating for each number in `players`, with `teams` sides of partners."""
    return tuple(Seating(count, "partners", teams) for count in players)


def alone(*players: int) -> tuple[Seating, ...]:
    """Return one seating for each number in `players`, in which everyone plays for themselves."""
    return tuple(Seating(count, "alone") for count in players)


def called(*players: int) -> tuple[Seating, ...]:
    """Return one seating for each number in `players`, in which the bidder calls a partner."""
    return tuple(Seating(count, "called") for count in players)


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of point in a hand, such as High.

    - `always`: a side takes this point in every hand.
    - `card`: the rank of the card that scores the point ("RJ" and "BJ" for jokers). `card` is empty for points decided
      by comparing, such as High, Low and Game.
    - `off`: the card is in the other suit of the same color as trump. This card ranks just below the trump of its rank.
    - `dealt`: the point belongs to the player who was dealt the card, so the captured cards don't show the winner.
    """

    key: str
    label: str
    value: int = 1
    always: bool = False
    card: str = ""
    off: bool = False
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """How the cards are dealt and played, for the rule card and demo hands. Nothing here changes a score."""

    lead: str
    """How trump is chosen, and what the bidder leads, in sentences."""
    batch: int = 0
    """Cards dealt at a time; 0 if the rules don't say."""
    pack: str = ""
    """The deck in words, if it is not the standard 52 cards."""
    deal: str = ""
    """The whole deal in words, if `cards_each` is 0."""
    after_deal: str = ""
    """What happens between the deal and the first trick, in sentences."""
    deck_runs_out: str = ""
    """What the players do if there are too few cards for `after_deal`."""
    leaves_trumps: bool = False
    """Whether trumps may stay in the deck, at least at some tables, although the players draw cards."""
    dealer_takes_rest: bool = False
    """Whether the dealer gets all trumps that were not dealt, so none is missing; demo hands are dealt that way."""
    cards: str = ""
    """Sentences about cards with a special power."""
    cards_of: str = ""
    """Key of the point whose card `cards` is about; the rule card leaves `cards` out if players play without it."""
    special: str = ""
    """A sentence that says what the app calls the special bid, if players call it something else; else empty."""
    call: str = ""
    """A sentence that says at what point in the hand the bidder calls a partner."""
    more: str = ""
    """A sentence about further details of the play that players should agree on."""
    trumps_only: bool = False
    """Whether players with no trumps left are out of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a game that aren't options, such as its name, seatings, points and deck."""

    preset: str
    name: str
    seatings: tuple[Seating, ...]
    also: tuple[str, ...] = ()
    """Other names of the game, for the search; games can share one. A name that can be translated is a `Phrase`."""
    usual_points: tuple[Category, ...] = ()
    """The points of a hand, unless the option `points` names others."""
    categories: tuple[Category, ...] = field(init=False, default=())
    """The points of a hand: the usual points of the game, or those that the option `points` names."""
    hand_totals: tuple[tuple[int, int], ...] = ()
    """Pairs (players, points of a hand), if a hand has one total instead of categories."""
    ranks: str = "23456789TJQKA"
    """Ranks of the deck, lowest first."""
    cards_each: int = 6
    """Cards dealt to each player; 0 if `play.deal` says how many."""
    fewer_cards: tuple[tuple[int, int], ...] = ()
    """Pairs (players, cards dealt to each), if that is not `cards_each`."""
    discard_to: int = 0
    """Cards that each player keeps for the tricks; 0: all of them."""
    play: Play
    decided: frozenset[Topic] = frozenset()
    """Topics on which the published rules are silent, so that the app decided; the rule card marks their lines."""

    @property
    def jokers(self) -> int:
        """Return the number of jokers in the deck. A single joker is the high joker.

        The points High joker and Low joker need two jokers, and the point Joker needs one.
        """
        keys = [category.key for category in self.categories]
        return 2 if "high_joker" in keys or "low_joker" in keys else int("joker" in keys)

    def cards_for(self, players: int) -> int:
        """Return the number of cards dealt to each player, or 0 if `play.deal` says the number in words.

        If the deck is too small for the usual number, each player gets as many cards as possible.
        """
        most = (len(self.ranks) * 4 + self.jokers) // players
        return min(dict(self.fewer_cards).get(players, self.cards_each), most)

    @property
    def tricks(self) -> int:
        """Return the number of tricks in a hand, or 0 if it depends on the number of players."""
        return self.discard_to or self.cards_each

    @property
    def may_call(self) -> bool:
        """Return whether players can choose to play this game with or without a called partner (RULES 7).

        The option `called_partner` holds their choice.
        """
        return bool(self.categories) and {seating.kind for seating in self.seatings} > {"called"}

    def counts(self, key: str) -> bool:
        """Return whether the point `key` exists in this game."""
        return any(category.key == key for category in self.categories)

    def compares(self, key: str) -> bool:
        """Return whether this game has the point `key` and decides it by comparing, not by a single card."""
        return any(category.key == key and not category.card for category in self.categories)


HIGH = Category("high", Phrase("High"), always=True)
LOW = Category("low", Phrase("Low"), always=True)
JACK = Category("jack", Phrase("Jack"), card="J")
GAME = Category("game", Phrase("Game"))
RIGHT = Category("right", Phrase("Right"), card="J")
LEFT = Category("left", Phrase("Left"), card="J", off=True)
OFF_JACK = Category("off_jack", Phrase("Off jack"), card="J", off=True)
JOKER = Category("joker", Phrase("Joker"), card="RJ")
HIGH_JOKER = Category("high_joker", Phrase("High joker"), card="RJ")
LOW_JOKER = Category("low_joker", Phrase("Low joker"), card="BJ")
ACE = Category("ace", Phrase("Ace"), card="A")
TEN = Category("ten", Phrase("Ten"), card="T")
TWO = Category("two", Phrase("Two"), card="2", dealt=True)
THREE = Category("three", Phrase("Three"), value=3, card="3")
FIVE = Category("five", Phrase("Five"), value=5, card="5")
OFF_FIVE = Category("off_five", Phrase("Off five"), value=5, card="5", off=True)
OFF_ACE = Category("off_ace", Phrase("Off ace"), card="A", off=True)
OFF_THREE = Category("off_three", Phrase("Off three"), value=3, card="3", off=True)

SLAM = Category("slam", Phrase("All the tricks"))
"""All the tricks as a point: only a pitch can have it, and only if the option `slam` is on (RULES 4)."""

FOUR_POINTS = (HIGH, LOW, JACK, GAME)

POINTS: Mapping[str, Category] = {
    each.key: each
    for each in (
        *(HIGH, LOW, RIGHT, LEFT, ACE, OFF_ACE, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, JOKER),
        *(TEN, TWO, FIVE, OFF_FIVE, GAME, THREE, OFF_THREE),
    )
}
"""The points that players can choose from, by key, in the order in which the form of a hand shows them."""
BOWERS = ("right", "left")
"""Keys of the jack and the off jack in games that call them bowers."""
COMPARED = ("high", "low", "game")
"""Keys of points that belong to a certain card in some games, and in other games are decided by comparing cards."""


def chosen_points(usual: tuple[Category, ...], points: str) -> tuple[Category, ...]:
    """Return the categories of points that somebody chose for a game. `points` has their keys, separated by spaces.

    `usual` has the game's usual categories, which are returned if `points` is empty. High, Low and Game are always
    taken from `usual`, because their meaning depends on the game.

    If neither High, Low nor Game is chosen, all cards that score a point are in play, and each point is taken in every
    hand (`always`). Otherwise, a card that scores a point may be out of play (RULES 7).
    """
    wanted = points.split()
    if not wanted:
        return usual
    own = {each.key: each for each in usual if each.key in COMPARED}
    cards_only = not any(key in COMPARED for key in wanted)
    return tuple(
        own.get(key, replace(each, always=True) if cards_only else each)
        for key, each in POINTS.items()
        if key in wanted
    )
