"""Twelve messy spreadsheets like those of real clubs, from US and European Excel, and the function that writes them.

Run `python -m tests.leagues.transfer.messy` to write them again. XLSX files of the same table are never equal, so a
test compares only the other files with the output of this module.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from openpyxl import Workbook

FOLDER = Path(__file__).parent / "spreadsheets"
CLUB = (
    "Ann Baker",
    "Bob Carter",
    "Cid Doyle",
    "Dee Evans",
    "Zoë Müller",
    "José Núñez",
    "Walt Sims",
    "Meg Nolan",
    "Meg Sims",
)
"""Names of the people who are already in the league."""


@dataclass(frozen=True)
class Messy:
    """A spreadsheet, a person's answers after the first preview, and the expected result of the import.

    `why` says what is messy about the spreadsheet. `nights` has the dates of the imported nights.
    `taps` are the form fields that the person changes. Each change counts as one tap, and so do the buttons "Preview
    again" and "Import".
    """

    name: str
    why: str
    content: Callable[[], bytes]
    nights: tuple[date, ...]
    points: Mapping[str, int]
    """Points in the standings of the season by name, for some of the people."""
    taps: Mapping[str, str] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    """Names of the players that the preview says will be added."""
    skipped: int = 0
    """Number of lines that the preview says will be skipped because of a problem."""


def _text(text: str, coding: str = "utf-8", end: str = "\r\n") -> Callable[[], bytes]:
    return lambda: text.replace("\n", end).encode(coding)


def _book(rows: list[list[object]], merge: str = "", front: bool = False) -> Callable[[], bytes]:
    def made() -> bytes:
        book = Workbook()
        sheet = book.worksheets[0]
        if front:
            sheet.title = "Cover"
            sheet["A1"] = "See next sheet"
            sheet = book.create_sheet("Scores")
        for row in rows:
            sheet.append(row)
        for area in merge.split():
            sheet.merge_cells(area)
        book.properties.creator = ""
        book.properties.created = book.properties.modified = datetime(2026, 1, 1)  # noqa: DTZ001
        file = io.BytesIO()
        book.save(file)
        return file.getvalue()

    return made


SEPTEMBER = (date(2026, 9, 3), date(2026, 9, 10), date(2026, 9, 17))

SHEETS = (
    Messy(
        "us-wide-titles-totals.csv",
        "US Excel: title rows, blank cells, dates 9/3/2026, a totals row, rank and total columns",
        _text(
            "Thursday Setback,,,,,\nFall 2026,,,,,\n,,,,,\nRank,Player,9/3/2026,9/10/2026,9/17/2026,Total\n"
            "1,Ann Baker,63,58,61,182\n2,Bob Carter,55,,70,125\n3,Cid Doyle,41,66,,107\n4,Dee Evans,,,,0\n"
            ",Total,159,124,131,414\n",
            "cp1252",
        ),
        SEPTEMBER,
        {"Ann Baker": 182, "Bob Carter": 125, "Cid Doyle": 107},
    ),
    Messy(
        "uk-semicolons-decimals.csv",
        "UK/European Excel: semicolons, 21,0, days first, a byte order mark, names that only differ in accents",
        _text(
            "\ufeffName;03/09/2026;10/09/2026;17/09/2026\nAnn Baker;63,0;58,0;61,0\nZoe Muller;55,0;–;70,0\n"
            "Jose Nunez;41,0;66,0;\n"
        ),
        SEPTEMBER,
        {"Ann Baker": 182, "Zoë Müller": 125, "José Núñez": 107},
    ),
    Messy(
        "us-unclear-dates.csv",
        "Dates that can be read two ways in every column: asked once for the file",
        _text("Name,9/3/26,9/10/26\nAnn Baker,63,58\nBob Carter,55,60\n"),
        SEPTEMBER[:2],
        {"Ann Baker": 121, "Bob Carter": 115},
        {"order": "month"},
    ),
    Messy(
        "excel-unicode-text.txt",
        "Excel's Unicode Text: UTF-16 with tabs, first and last name in two columns, dates like 3-Sep",
        _text(
            "Last Name\tFirst Name\tPhone\t3-Sep\t10-Sep\t17-Sep\tAvg\nBaker\tAnn\t555-0101\t63\t58\t61\t60.7\n"
            "Carter\tBob\t555-0102\t55\t\t70\t62.5\nTremblay\tJo\t555-0103\t12\t\t\t12\n",
            "utf-16",
        ),
        SEPTEMBER,
        {"Ann Baker": 182, "Bob Carter": 125, "Jo Tremblay": 12},
        new=frozenset(("Jo Tremblay",)),
    ),
    Messy(
        "serial-numbers.csv",
        "Dates as numbers, because the cells lost their format; zeros for people who weren't there",
        _text("Member,46268,46275,46282\nAnn Baker,63,58,61\nBob Carter,55,0,70\n"),
        SEPTEMBER,
        {"Ann Baker": 182, "Bob Carter": 125},
        {"zeros": "1"},
    ),
    Messy(
        "weeks-without-dates.xlsx",
        "Week 1, Week 2 … without dates, formulas with stored values, a cover sheet",
        _book(
            [
                ["Setback 2026", None, None, None, None],
                ["Name", "Week 1", "Week 2", "Week 3", "Total"],
                ["Ann Baker", 63, 58.0, 61, 182],
                ["Bob Cater", 55, None, 70, 125],
                ["AVERAGE", 59, 58, 65.5, None],
            ],
            merge="A1:E1",
            front=True,
        ),
        SEPTEMBER,
        {"Ann Baker": 182, "Bob Carter": 125},
        {"first": "2026-09-03"},
    ),
    Messy(
        "merged-dates.xlsx",
        "Real dates in merged cells above Pts and W",
        _book(
            [
                ["Thursday night league"],
                [None, datetime(2026, 9, 3), None, datetime(2026, 9, 10), None],  # noqa: DTZ001
                ["Player", "Pts", "W", "Pts", "W"],
                ["Ann Baker", 63, 3, 58, 2],
                ["Bob Carter", 55, 1, None, None],
                [None, None, None, None, None],
                ["Totals", 118, 4, 58, 2],
            ],
            merge="B2:C2 D2:E2",
        ),
        SEPTEMBER[:2],
        {"Ann Baker": 121, "Bob Carter": 55},
    ),
    Messy(
        "repeated-column-substitutes.csv",
        "A night copied twice, substitutes marked behind the name, a footnote, a number that isn't one",
        _text(
            'Player,"Sept 3, 2026","Sept 10, 2026","Sept 10, 2026"\nAnn Baker,63,58,58\n'
            "Walt Sims (sub for Bob Carter),55,,\nMeg Nolan*,41,66,66\nCid Doyle,?,12,12\n* = only one night,,,\n"
        ),
        SEPTEMBER[:2],
        {"Ann Baker": 121, "Bob Carter": 55, "Meg Nolan": 107},
        skipped=1,
    ),
    Messy(
        "one-line-per-night.csv",
        "Spanish Excel: one line per player and night, with games, wins and losses",
        _text(
            "Fecha;Jugador;Puntos;Jugadas;V;D\n03/09/2026;Ann Baker;63;3;3;0\n03/09/2026;Bob Carter;55;3;0;3\n"
            "17/09/2026;Ann Baker;61;3;2;1\n17/09/2026;Bob Carter;70;3;1;2\n;Total;249;;;\n",
            "cp1252",
        ),
        (SEPTEMBER[0], SEPTEMBER[2]),
        {"Ann Baker": 124, "Bob Carter": 125},
    ),
    Messy(
        "games-with-pairs.csv",
        "One line per game, partners in one cell, long dates, no rounds or tables",
        _text(
            "Date,Team A,Team B,Score A,Score B\n"
            '"Thursday, September 3, 2026",Ann Baker / Cid Doyle,Bob Carter & Dee Evans,21,13\n'
            '"Thursday, September 3, 2026",Ann Baker/Bob Carter,Cid Doyle and Dee Evans,8,22\n'
        ),
        SEPTEMBER[:1],
        {"Ann Baker": 29, "Bob Carter": 21, "Cid Doyle": 43, "Dee Evans": 35},
    ),
    Messy(
        "last-comma-first.csv",
        "“Baker, Ann” in quotes, and a first name that two people have",
        _text('"Name","09/17/2026"\n"Baker, Ann",61\n"Carter, Bob",70\n"Doyle, Cid",\nWalt,12\nMeg,33\n'),
        SEPTEMBER[2:],
        {"Ann Baker": 61, "Bob Carter": 70, "Walt Sims": 12, "Meg Nolan": 33},
        {"who-meg": "=Meg Nolan"},
    ),
    Messy(
        "season-standings.tsv",
        "French: the final standings only, pasted with tabs; the night is dated by hand",
        _text("Rang\tNom\tPrénom\tPoints\tParties\tV\n1\tBaker\tAnn\t182\t9\t7\n2\tCarter\tBob\t125\t6\t2\n", end="\n"),
        SEPTEMBER[2:],
        {"Ann Baker": 182, "Bob Carter": 125},
        {"first": "2026-09-17"},
    ),
)


def write() -> None:
    """Write all the spreadsheets to the folder of test files."""
    FOLDER.mkdir(exist_ok=True)
    for sheet in SHEETS:
        (FOLDER / sheet.name).write_bytes(sheet.content())


if __name__ == "__main__":
    write()
