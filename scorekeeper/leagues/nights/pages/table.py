"""A table of a night on a phone: the page behind the card on it, and its result for both sides to confirm."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.nights.pages.night import TableView


@dataclass(frozen=True, slots=True)
class CardPage:
    """What the card of a table opens."""

    night_id: str
    title: str
    number: int
    tables: tuple[TableView, ...]
    """The one on which this table is now, and perhaps the one after it; none before anything is drawn."""
    waits: bool
    """All that is drawn at this table was played."""
    address: str
    """The card's own: where its form goes."""
    client_id: str
    own_side: int | None = None
    """Whose phone this is, as it said at the table whose result stands here; None where it did not."""


@dataclass(frozen=True, slots=True)
class NightTablePage:
    """One table of one round, its score, and what this phone may do with it."""

    night_id: str
    night: str
    title: str
    """"Round 2, table 3"."""
    table: TableView
    may_score: bool
    """This phone scores that game."""
    may_start: bool
    """This is the director's, and the game is not started."""
    may_confirm: bool
    closed: bool
    client_id: str
    version: int
    own_side: int | None = None
    """Whose phone this is; None where it did not say yet."""
    at_table: bool = False
    """This phone was let in at the table: it can speak for its own side."""
    may_tell: bool = False
    """This phone may enter a final score here."""
    may_object: bool = False
    helps: bool = False
    """This phone may work at the desk: what it changes has a reason."""
    ways: tuple[tuple[str, str], ...] = ()
    """How this phone can settle the dispute: a word and what its button says."""
    may_reopen: bool = False
