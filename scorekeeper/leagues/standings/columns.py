"""The columns of the standings: one entry each for the page of a season, that of a person, and the files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.wording import decimal, rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A number of each row: `name` is its heading in files, `value` what stands there.

    On the page of a season it is called `short`, on that of a person `full`; it is on no page that has no name for it.
    `words` says how pages write it.
    """

    name: str
    value: Callable[[StandingRow], str | int | float | None]
    words: Callable[[StandingRow], str] | None = None
    short: str = ""
    full: str = ""
    if_any: bool = False
    """The page of a person leaves it out where it says nothing."""
    needs: Callable[[StandingSettings], object] = lambda _settings: True
    """Whether the page of a season counted like this has it."""

    def shown(self, row: StandingRow) -> str:
        """Return the cell as pages write it."""
        return self.words(row) if self.words else str(self.value(row))


COLUMNS: Sequence[Column] = (
    Column(
        name=N_("Points per game"),
        short=N_("Avg"),
        full=N_("Points per game"),
        value=lambda row: None if row.per_game is None else _number(row.per_game),
        words=lambda row: "–" if row.per_game is None else spoken(rate(row.per_game)),
    ),
    Column(
        name=N_("Points"),
        short=N_("Points"),
        full=N_("Points"),
        value=lambda row: _number(row.points),
        words=lambda row: spoken(decimal(row.points)),
    ),
    Column(name=N_("Games"), short=N_("Games"), full=N_("Games counted"), value=lambda row: row.games),
    Column(
        name=N_("Wins"),
        short=N_("W–L–T"),
        full=N_("Won–lost–tied"),
        value=lambda row: row.wins,
        words=lambda row: "–".join(map(str, row.record)),
    ),
    Column(name=N_("Losses"), value=lambda row: row.losses),
    Column(name=N_("Ties"), value=lambda row: row.draws),
    Column(name=N_("Sets"), short=N_("Sets"), full=N_("Sets"), value=lambda row: row.sets),
    Column(name=N_("Point difference"), value=lambda row: row.difference),
    Column(
        name=N_("Handicap"),
        short=N_("Handicap"),
        value=lambda row: row.handicap,
        needs=lambda settings: settings.handicap != "none",
    ),
    Column(name=N_("Byes"), full=N_("Byes"), if_any=True, value=lambda row: row.byes),
    Column(name=N_("Nights"), value=lambda row: len(row.nights)),
    Column(
        name=N_("Dropped nights"),
        short=N_("Dropped nights"),
        full=N_("Dropped nights"),
        if_any=True,
        value=lambda row: " ".join(map(str, row.dropped)),
        words=lambda row: ", ".join(map(str, row.dropped)) or "–",
        needs=lambda settings: settings.drop_nights,
    ),
)


def columns_of(settings: StandingSettings) -> tuple[Column, ...]:
    """Return the columns on the page of a season that is counted like this."""
    return tuple(column for column in COLUMNS if column.short and column.needs(settings))


def standing_facts(row: StandingRow) -> tuple[tuple[str, str], ...]:
    """Return a row as the page of a person says it: what it is, and the number."""
    return (
        (_("Rank"), _("not ranked yet") if row.place is None else str(row.place)),
        *(
            (_(column.full), column.shown(row))
            for column in COLUMNS
            if column.full and (column.value(row) or not column.if_any)
        ),
    )


def _number(value: Fraction) -> int | float:
    """A whole number, or two places, halves away from zero as pages round."""
    if value.denominator == 1:
        return value.numerator
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return (-hundredths if value < 0 else hundredths) / 100
