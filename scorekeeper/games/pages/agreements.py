"""Models of the rule card, settling up, and an early end."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Choice, OptionField


@dataclass(frozen=True, slots=True)
class RuleLine:
    text: str
    house: bool
    """These rules differ here from the usual ones, which are in `usual`."""
    usual: str = ""
    decided: bool = False
    """The published rules are silent, so this app decided."""


@dataclass(frozen=True, slots=True)
class HouseRuleLine:
    """One house rule: the `usual` sentence, such as "Played to 21.", and `ours`, such as "Played to 31."."""

    usual: str
    ours: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    heading: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True)
class RuleCardPage:
    """The rules of a game on one printable page."""

    title: str
    summary: str
    sections: tuple[RuleSection, ...]
    house: tuple[HouseRuleLine, ...]
    """Every difference from the usual rules; empty where there is none."""
    game_id: str
    """Empty for the usual rules of a game."""
    preset: str
    has_game: bool
    """Whether the hand has a Game point, which the help explains."""


@dataclass(frozen=True, slots=True)
class Payment:
    name: str
    letter: str
    side: int
    amount: str
    """"$1.25", without its sign."""
    cents: int
    """Positive to receive, negative to pay."""


@dataclass(frozen=True, slots=True)
class SettlementPage:
    """Settling up: a GET form with method, currency, rate, base, per_set (amounts like 0.25); nothing is stored."""

    game_id: str
    title: str
    methods: tuple[Choice, ...]
    """value, label, hint = explanation."""
    fields: tuple[OptionField, ...]
    currencies: tuple[Choice, ...]
    """To choose from for this page alone, with the phone's own chosen at first."""
    payments: tuple[Payment, ...]
    """Empty until the form was sent."""
    sentence: str
    error: str
    workings: tuple[str, ...] = ()
    """How each amount was worked out: "Bob and Dee pay 1.50, 0.75 each."."""


@dataclass(frozen=True, slots=True)
class EndingPage:
    """Confirm that a game is conceded or ended: the same form again, with "sure"."""

    game_id: str
    result: str
    """The result then: "Bob and Dee win. Ann and Cid conceded."."""
    score: str
    action: str
    winner: str
    version: int
    client_id: str
