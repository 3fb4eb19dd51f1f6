"""Read a spreadsheet of past results for a season, using the user's answers about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date

from scorekeeper.leagues.transfer.columns import NOTHING_SAID, SheetRead, TableSettings, read_sheet
from scorekeeper.leagues.transfer.import_results import (
    PastDays,
    PastLine,
    game_lines,
    names_in_games,
    past_results,
)
from scorekeeper.leagues.transfer.import_totals import TotalLine, names_in_totals, past_totals, total_lines
from scorekeeper.leagues.transfer.names import NEW, NameChoice, name_choices, new_names, resolved
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.violation import RuleViolation

NUMBER_LIKE = re.compile(r"[(+−-]?[\d.,/½ ]+\)?|#.*")
"""Pattern of a cell that is no whole number but no word either, such as "40,5", "(2)" and "#DIV/0!"."""
MOST_UNKNOWN = 300
"""Maximum number of unknown names that one page asks about."""


@dataclass(frozen=True, slots=True)
class PastSeason:
    """The data of a season that past results are checked against.

    `days` are the days of its nights. `stops` says whether games may end before the target is reached. `known` has the
    names of the people in the league.
    """

    rules: Ruleset
    days: Collection[date]
    stops: bool
    known: Collection[str]


@dataclass(frozen=True, slots=True)
class Said:
    """The user's answers about a spreadsheet.

    `settings` has the answers about columns and dates. `names` says which people are meant, and `endings` says how
    doubtful games ended. The keys of `names` and `endings` are the names of form fields.
    """

    settings: TableSettings = NOTHING_SAID
    names: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    without: int = 0
    """Number of wrong lines that the preview showed, which may be skipped."""


@dataclass(frozen=True, slots=True)
class Past:
    """A spreadsheet as read.

    `choices` are the unknown names, with the user's decisions. If each line of the spreadsheet is a game, `games` has
    the lines. If each line is a person with points, `totals` has the lines.
    """

    sheet: SheetRead
    choices: tuple[NameChoice, ...]
    games: tuple[PastLine, ...]
    totals: tuple[TotalLine, ...]
    today: date

    @property
    def lines(self) -> tuple[PastLine | TotalLine, ...]:
        """Return all lines, whether they are games or totals."""
        return (*self.games, *self.totals)

    @property
    def wrong(self) -> int:
        """Return the number of lines with a problem."""
        return sum(bool(line.problem) for line in self.lines)

    @property
    def good_games(self) -> list[PastLine]:
        """Return the games that can be imported."""
        return [line for line in self.games if not (line.problem or line.left_out)]

    @property
    def good_totals(self) -> list[TotalLine]:
        """Return the lines of people whose points can be imported."""
        return [line for line in self.totals if not (line.problem or line.left_out)]

    @property
    def days(self) -> set[date]:
        """Return the days of the nights that can be imported."""
        days = {line.day for line in self.good_games} | {each.day for line in self.good_totals for each in line.nights}
        return {day for day in days if day}

    @property
    def words(self) -> list[str]:
        """Return the texts in the place of points that may mean that the player missed the night."""
        return list(
            dict.fromkeys(line.word for line in self.totals if line.word and not NUMBER_LIKE.fullmatch(line.word))
        )

    @property
    def missed(self) -> list[str]:
        """Return the words that were read as a missed night."""
        return sorted({word for line in self.totals for word in line.missed}, key=str.casefold)

    @property
    def people(self) -> list[str]:
        """Return the names in the lines that can be imported, also of regulars who had a substitute."""
        games = (name for line in self.good_games for name in (*line.people, *line.subs))
        return [*filter(None, (*games, *(name for line in self.good_totals for name in (line.name, line.sub))))]

    @property
    def new(self) -> list[str]:
        """Return the names for which new players will be added."""
        there = {name.casefold() for name in self.people}
        return [name for name in new_names(self.choices) if name.casefold() in there]

    @property
    def unclear(self) -> bool:
        """Return whether any date can be read two ways."""
        lines = any(line.unclear for line in self.games)
        return lines or self.sheet.unclear or any(night.unclear for line in self.totals for night in line.nights)

    @property
    def unreadable(self) -> bool:
        """Return whether the user must explain the columns or dates before the lines can be checked."""
        return bool(self.unclear or self.sheet.asks_first or self.sheet.lacks)

    @property
    def asks(self) -> bool:
        """Return whether the user must answer anything before the import."""
        choose = any(not choice.answer for choice in self.choices) or any(line.asked for line in self.games)
        return self.unreadable or choose

    def is_agreed(self, said: Said) -> bool:
        """Return whether the import may go ahead.

        An import needs at least one night, and no open questions. The preview must have shown all wrong lines and all
        new players. `said` has the user's answers.
        """
        shown = all(choice.told for choice in self.choices if choice.answer == NEW)
        return bool(self.days) and not self.asks and self.wrong <= said.without and shown


def read_past(text: str, season: PastSeason, said: Said, today: date) -> Past:
    """Read the spreadsheet in `text`, and return it with its problems and questions.

    `said` has the user's answers so far. Raises `RuleViolation` if the text isn't a spreadsheet, or if it has more than
    `MOST_UNKNOWN` unknown names.
    """
    sheet = read_sheet(text, said.settings, today)
    if sheet.lacks:
        return Past(sheet, (), (), (), today)
    games = game_lines(sheet, season.known) if sheet.has_games else ()
    totals = () if sheet.has_games else total_lines(sheet, season.known)
    told = [*names_in_games(games), *names_in_totals(totals)]
    unknown = {name.casefold() for name, _where in told} - {name.casefold() for name in season.known}
    if len(unknown) > MOST_UNKNOWN:  # each is compared with all others
        message = Phrase(
            "This table has %(names)s names that aren't in the league. Import the players first.", names=len(unknown)
        )
        raise RuleViolation("sheet_names", message)
    choices = name_choices(told, season.known, said.names)
    names, can_be = resolved(choices, season.known), PastDays(season.days, today)
    games = past_results(games, season.rules, can_be, names=names, answers=said.endings, stops=season.stops)
    return Past(sheet, choices, games, past_totals(totals, can_be, names), today)
