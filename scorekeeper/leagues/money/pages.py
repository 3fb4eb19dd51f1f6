"""The money of a night, and of a season that is about to begin."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class Amount:
    """A line with an amount, as the reader writes it; `count` is how many there were, where that is told."""

    what: str
    amount: str
    count: str = ""
    who: str = ""
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class PotPlayer:
    """Somebody who is there, and what they have to do with a pot."""

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


@dataclass(frozen=True, slots=True)
class MoneyPage:
    league: LeagueHead
    night_id: str
    title: str
    night: str
    day: str
    season: str
    played_for: bool
    """The season is played for money at all."""
    by_bracket: bool
    """Its prizes go by the bracket of a knock-out."""
    closed: bool
    receipt: tuple[Amount, ...]
    wrong: str
    """Why the receipt does not balance any more, or empty."""
    noted: tuple[Amount, ...]
    till: tuple[tuple[str, str, str], ...]
    """The kitty and each pot: name, before the night, after it."""
    pots: tuple[PotForm, ...]
    opens_kitty: bool
    last_night: bool
    client_id: str
    error: str = ""
    part: str = ""
