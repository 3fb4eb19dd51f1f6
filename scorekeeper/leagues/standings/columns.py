"""The columns of the standings: one entry each, used by the season page, the player page and the exports."""

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
    """A column: its heading in exports is `name`, and `value` returns the cell of a row.

    Its heading is `short` on the season page and `full` on the player page; without one it isn't shown there. `words`
    returns the cell as pages show it.
    """

    name: str
    value: Callable[[StandingRow], str | int | float | None]
    words: Callable[[StandingRow], str] | None = None
    short: str = ""
    full: str = ""
    if_any: bool = False
    """The player page leaves it out if the value is 0 or empty."""
    needs: Callable[[StandingSettings], object] = lambda _settings: True
    """Returns whether the season page shows it with these settings."""
    empty_without: bool = False
    """The season page leaves it out while the value of every row is 0."""

    @property
    def key(self) -> str:
        """Return its key in the API, such as "points_per_game"."""
        return self.name.lower().replace(" ", "_")

    def shown(self, row: StandingRow) -> str:
        """Return the cell as pages show it."""
        return self.words(row) if self.words else str(self.value(row))


COLUMNS: Sequence[Column] = (
    Column(
        name=N_("Points per game"),
        short=N_("Avg"),
        full=N_("Points per game"),
        value=lambda row: None if row.per_game is None else plain_number(row.per_game),
        words=lambda row: "–" if row.per_game is None else spoken(rate(row.per_game)),
    ),
    Column(
        name=N_("Points"),
        short=N_("Points"),
        full=N_("Points"),
        value=lambda row: plain_number(row.points),
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
    Column(name=N_("Sets"), short=N_("Sets"), full=N_("Sets"), value=lambda row: row.sets, empty_without=True),
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
    Column(
        name=N_("Random draw"),
        value=lambda row: "" if row.drawn_at is None else f"{row.drawn_at:%Y-%m-%d %H:%M} UTC",
    ),
)


def columns_of(settings: StandingSettings, rows: Sequence[StandingRow]) -> tuple[Column, ...]:
    """Return the columns that the season page shows with these settings and these rows."""
    return tuple(
        column
        for column in COLUMNS
        if column.short and column.needs(settings) and (not column.empty_without or any(map(column.value, rows)))
    )


def standing_facts(row: StandingRow) -> tuple[tuple[str, str], ...]:
    """Return name and value of each column as the player page shows them."""
    return (
        (_("Rank"), _("not ranked yet") if row.place is None else str(row.place)),
        *(
            (_(column.full), column.shown(row))
            for column in COLUMNS
            if column.full and (column.value(row) or not column.if_any)
        ),
    )


def plain_number(value: Fraction) -> int | float:
    """Return points as a whole number, or two decimals with halves rounded away from zero, as on pages."""
    if value.denominator == 1:
        return value.numerator
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return (-hundredths if value < 0 else hundredths) / 100
