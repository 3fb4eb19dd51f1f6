"""View models of the money of a night and of a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class Amount:
    """A line of a money table: its amount in the reader's notation, and `count`, its number of fees or sets, if any."""

    what: str
    amount: str
    count: str = ""
    who: str = ""
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class PotPlayer:
    """A checked-in player, and whether they paid into a pot and won it."""

    id: str
    name: str
    paid: bool
    won: bool


@dataclass(frozen=True, slots=True)
class PotForm:
    """A pot tonight."""

    name: str
    entry: str
    before: str
    players: tuple[PotPlayer, ...]
    last_time: int
    """How many of them were in it when it was last played for."""

    @property
    def inside(self) -> int:
        """Return how many players are in the pot tonight."""
        return sum(player.paid for player in self.players)


@dataclass(frozen=True, slots=True)
class FeePayer:
    """A person at the entry fees of a night; `note` is "owes no fee" for someone who paid without having to."""

    id: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class FeesPanel:
    """The entry fees of a night, for helpers: who owes it and who paid."""

    fee: str
    """The amount, "5.00"."""
    owing: tuple[FeePayer, ...]
    paid: tuple[FeePayer, ...]
    players: int
    """How many have to pay."""
    due: str
    """The sum that is still due."""

    @property
    def done(self) -> int:
        """Return how many of those who have to pay did."""
        return self.players - len(self.owing)


@dataclass(frozen=True, slots=True)
class MoneyPage:
    league: LeagueHead
    night_id: str
    title: str
    night: str
    day: str
    season: str
    season_id: str
    played_for: bool
    """The season is played for money."""
    by_bracket: bool
    """Prizes follow the bracket of a knockout."""
    closed: bool
    receipt: tuple[Amount, ...]
    reasons: tuple[tuple[int, str, str], ...]
    """Why each prize went where it did: the place, who has it, and the reason in sentences."""
    sets_missing: str
    """How many tables have no sets entered, in a sentence; empty if none or if sets cost nothing."""
    still_due: str
    """The entry fees of a closed night that nobody has paid yet; empty if there are none."""
    wrong: str
    """Why the receipt no longer balances, or empty."""
    noted: tuple[Amount, ...]
    till: tuple[tuple[str, str, str], ...]
    """The kitty and each pot: name, before the night, after the night."""
    pots: tuple[PotForm, ...]
    opens_kitty: bool
    last_night: bool
    client_id: str
    error: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One line of an account: what was charged or paid, in the reader's notation; empty amounts are not shown."""

    day: str
    what: str
    charged: str
    paid: str
    note: str = ""
    payment: int = 0
    """Id of the payment, if it can still be corrected; else 0."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The account of one person in a season."""

    id: str
    name: str
    state: Literal["owes", "ahead", "even"]
    amount: str
    """What they owe or paid ahead."""
    cents: int
    """The same in cents; below zero if they paid ahead."""
    charged: str
    paid: str
    lines: tuple[StatementLine, ...]
    """Empty unless the reader chose this account, because a season has thousands."""


@dataclass(frozen=True, slots=True)
class SeasonMoneyPage:
    """The accounts of a season, for its directors; only owners can change them."""

    league: LeagueHead
    season_id: str
    season: str
    owing: tuple[Balance, ...]
    others: tuple[Balance, ...]
    owed: str
    """The sum that is owed."""
    box: tuple[tuple[str, str], ...]
    """What the cash in the box is for, line by line."""
    prizes: tuple[tuple[str, str], ...]
    """The closed nights that paid prizes or side pots, each with the amount."""
    paid_out: str
    """Those amounts together."""
    cash: str
    """Never below zero: with `missing`, it is the cash that was paid out but has not come in."""
    missing: bool
    players: tuple[tuple[str, str], ...]
    """Id and name of everyone a payment can be entered for."""
    today: date
    client_id: str
    error: str = ""
