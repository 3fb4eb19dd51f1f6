"""Models of the rule card, settling up, and an early end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.games.pages.common import Choice, OptionField


@dataclass(frozen=True, slots=True)
class RuleLine:
    text: str
    house: bool
    """Whether this line differs from the usual rules; `usual` then holds the usual line."""
    usual: str = ""
    decided: bool = False
    """Whether the app decided this rule because the published rules are silent."""


@dataclass(frozen=True, slots=True)
class HouseRuleLine:
    """A house rule and the usual rule, each as a sentence.

    For example, `ours` is "Played to 31." and `usual` is "Played to 21.".
    """

    usual: str
    ours: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    heading: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What simulated hands say about a game: sentences, and a note that says where they come from."""

    lines: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class RuleCardPage:
    """The rules of a game on one printable page."""

    title: str
    summary: str
    sections: tuple[RuleSection, ...]
    house: tuple[HouseRuleLine, ...]
    """Every difference from the usual rules; empty if there is none."""
    game_id: str
    """Public id of the game; empty for the usual rules of a game."""
    preset: str
    has_game: bool
    """Whether the hands of this game have a point called Game, which the help explains."""
    facts: GameFacts | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    name: str
    letter: str
    side: int
    amount: str
    """The amount without plus or minus, such as "$1.25"."""
    cents: int
    """The amount in cents, or in whole units of a currency without cents. It is negative if the player pays."""


@dataclass(frozen=True, slots=True)
class SettlementPage:
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


@dataclass(frozen=True, slots=True)
class EndingPage:
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
