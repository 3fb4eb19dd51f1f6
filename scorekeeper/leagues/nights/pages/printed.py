"""What a night prints: cards for the tables, the rotation for the wall, sheets for who wants paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from scorekeeper.games.pages import PaperPage
from scorekeeper.leagues.nights.pages.night import NightPage
from scorekeeper.leagues.schedule.repeats import Met


@dataclass(frozen=True, slots=True)
class TableCard:
    """The card of one table."""

    number: int
    address: str
    code: Markup
    """A QR code of the address, as SVG."""


@dataclass(frozen=True, slots=True)
class CardsPage:
    """The cards of all tables."""

    night: NightPage
    cards: tuple[TableCard, ...]
    most: int
    note: str
    """What stands in the way of phones that would open them; empty where nothing does."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is in one round: `table` is 0 for a bye, and -1 for one in which they are not."""

    table: int
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardWay:
    """Somebody's way through the night."""

    number: int
    """Of their row and column in the matrix: 1, 2 …"""
    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class RotationPage:
    """The rotation, and who meets whom in it."""

    night: NightPage
    ways: tuple[CardWay, ...]
    matrix: tuple[tuple[Met | None, ...], ...]
    """How often two people met: a row and a column for everybody, as in `ways`; None for somebody and themselves."""
    says: tuple[str, ...]
    """The figures of the draw, in sentences."""


@dataclass(frozen=True, slots=True)
class SheetsPage:
    """Score sheets of a round, a page for each table, names filled in."""

    night: NightPage
    round: int
    sheets: tuple[PaperPage, ...]
    blank: Mapping[str, str]
    """Fields of the address of a sheet without names."""
