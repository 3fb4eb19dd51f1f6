"""Bring the lines of a spreadsheet into one table: headings, then one line for each player, night or game.

Clubs also keep a block of lines for each night, headings in two rows, or a line for each night with the players in the
columns.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from scorekeeper.leagues.transfer.meanings import (
    COUNTS,
    DAY,
    NAME,
    POINTS,
    SKIP,
    TOTAL,
    is_heading,
    is_number,
    meaning_of,
)
from scorekeeper.leagues.transfer.spreadsheet import Line
from scorekeeper.leagues.transfer.spreadsheet_dates import NUMBERED, is_night
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.text import unaccented

MOST_TITLES = 10
PLACE = re.compile(r"\d{1,2}(?:st|nd|rd|th)(?: place)?")
MOST_TITLE_CELLS = 3
"""Most filled cells of a line that is the title of a block, such as "Week 1", "Sept 3"."""
EXAMPLES: Mapping[str, tuple[Phrase, str]] = {
    "players": (
        Phrase("One line per player, a column per night"),
        "name,2026-09-01,2026-09-08\nAnn Baker,63,58\nBob Carter,55,\n",
    ),
    "nights": (
        Phrase("One line per night, a column per player"),
        "date,Ann Baker,Bob Carter,Cid Dunn\n2026-09-01,63,55,41\n2026-09-08,58,,66\n",
    ),
    "lines": (
        Phrase("One line per player and night"),
        "date,player,points,games,wins,losses,ties\n2026-09-01,Ann Baker,63,3,2,1,0\n"
        "2026-09-01,Bob Carter,55,3,1,2,0\n",
    ),
    "blocks": (
        Phrase("A block of lines per night"),
        "Week 1 - 2026-09-01\nplayer,points\nAnn Baker,63\nBob Carter,55\n\n"
        "Week 2 - 2026-09-08\nplayer,points\nAnn Baker,58\n",
    ),
    "rows": (
        Phrase("Headings in two rows"),
        ",2026-09-01,,2026-09-08,\nplayer,points,sets,points,sets\nAnn Baker,63,1,58,0\nBob Carter,55,2,,\n",
    ),
    "pairs": (
        Phrase("One line per game, partners and score in one cell"),
        "date,team 1,team 2,score\n2026-09-01,Ann / Cid,Bob / Dee,21-13\n2026-09-01,Eve / Gus,Fay / Hal,8-22\n",
    ),
    "sides": (
        Phrase("One line per game: pair, score, pair, score"),
        "date,player,player,points,player,player,points\n2026-09-01,Ann,Cid,21,Bob,Dee,13\n2026-09-01,Eve,Gus,8,Fay,Hal,22\n",
    ),
    "seats": (
        Phrase("One line per game"),
        "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2\n"
        "2026-09-01,1,1,Ann,Bob,Cid,Dee,21,13\n2026-09-01,1,2,Eve,Fay,Gus,Hal,8,22\n",
    ),
}
"""The layouts of results that can be read, with an example of each, to download and fill in."""


class SheetTable(Struct, frozen=True):
    """The headings of a spreadsheet, its lines, and the titles above them.

    `turned` says whether the spreadsheet had a column for each player; then each of `lines` is a column, with its
    number. `left_out` are the headings of columns before or after nights that stand beside each other.
    """

    head: Sequence[str]
    lines: Sequence[Line]
    titles: str
    turned: bool = False
    left_out: tuple[str, ...] = ()


def table_in(lines: Sequence[Line]) -> SheetTable:
    """Return the table in the lines of a spreadsheet. Raises `RuleViolation` if there are no headings."""
    lines = _without_blocks(lines)
    at = _head_line(lines)
    above = lines[at - 1][1] if at else []
    if _is_below(lines[at][1], lines[at + 1][1]):
        above, at = lines[at][1], at + 1
    rest = lines[at + 1 :]
    width = max((len(cells) for _number, cells in lines[at:]), default=0)
    above, head = _numbered(above), _padded(lines[at][1], width)
    titles = " ".join(cell for _number, cells in lines[: at + 1] for cell in cells[:1])
    if beside := _beside(above, head, rest):
        told, table, left = beside
        return SheetTable(told, table, titles, left_out=left)
    head = _under(above, head)
    return _turned(head, rest, titles) if _has_players_across(head, rest) else SheetTable(head, rest, titles)


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


def _head_line(lines: Sequence[Line]) -> int:
    """Return the index of the line with the headings. There may be title lines above it.

    Raises `RuleViolation` if there are no headings.
    """
    scores = [sum(map(is_heading, cells)) for _number, cells in lines[: MOST_TITLES + 1]]
    best = max(scores, default=0)
    if best > 1 and scores.index(best) + 1 < len(lines):
        return scores.index(best)
    wide = next((at for at, (_number, cells) in enumerate(lines[:MOST_TITLES]) if sum(map(bool, cells)) > 1), None)
    if wide is None or wide + 1 >= len(lines):
        raise RuleViolation("sheet_head", "No table was found. The first line must name the columns.")
    return wide


def _is_below(head: Sequence[str], line: Sequence[str]) -> bool:
    """Return whether a line is the second row of the headings, such as "Pts, Sets, Pts, Sets" below nights."""
    filled = [cell for cell in line if cell]
    if sum(map(is_night, filter(None, head))) < 2 or any(is_number(cell) for cell in filled):
        return False
    return sum(meaning_of(cell) in (*COUNTS, TOTAL) for cell in filled) > 1


def _under(above: Sequence[str], head: Sequence[str]) -> list[str]:
    """Return the headings `head`, completed with the nights in the line `above`.

    A cell of that line, usually merged with others, applies to all columns up to the next filled cell. For a column of
    points and for a column without a heading, it becomes the heading if it is a night. Otherwise, it is added to the
    column's own heading: before it, or in parentheses after it for a night.
    """
    if sum(map(is_night, filter(None, above))) < 2 or any(is_night(text) for text in head if text):
        return list(head)
    over, told = "", []
    for at, text in enumerate(head):
        cell = above[at] if at < len(above) else ""
        over = cell or over
        if not over or over == text or (text and meaning_of(over) == DAY and not is_night(over)):
            told.append(text)
        elif not is_night(over):
            told.append(f"{over} {text}" if text else cell)
        else:
            told.append(over if meaning_of(text or "points") == POINTS else f"{text} ({over})")
    return told


def _numbered(above: list[str]) -> list[str]:
    """Return the upper row of headings with "Week 1, Week 2" in place of "Week, 1, 2"."""
    first = next(filter(None, above), "")
    if meaning_of(first) != DAY:
        return above
    return [f"{first} {cell}" if cell.isdecimal() else cell for cell in above]


def _beside(
    above: Sequence[str], head: Sequence[str], lines: Sequence[Line]
) -> tuple[list[str], list[Line], tuple[str, ...]] | None:
    """Return the table of nights that stand beside each other, each with its players, as (headings, lines, left out).

    The nights are above the headings, as in "Sept 3, , Sept 10" over "Player, Points, Player, Points"; or each line is
    a night, with the players by place: "Date, 1st, Points, 2nd, Points". Return None for any other table.
    """
    starts = [at for at, text in enumerate(head) if PLACE.fullmatch(text.casefold())]
    placed = len(starts) > 1 and meaning_of(head[0]) == DAY and meaning_of(head[starts[0] + 1]) == POINTS
    if not placed:
        starts = [at for at, text in enumerate(head) if meaning_of(text) == NAME]
        nights = [above[at] if at < len(above) else "" for at in starts]
        if len(starts) < 2 or not all(cell and is_night(cell) for cell in nights):
            return None
    size = min(other - one for one, other in pairwise(starts))
    table: list[Line] = []
    for number, cells in lines:
        for at, start in enumerate(starts):
            part = list(cells[start : start + size])
            if any(part):
                table.append((number, [cells[0] if placed else nights[at], *part]))
    left = (*head[1 if placed else 0 : starts[0]], *head[starts[-1] + size :])
    return ["Date", "Player", *head[starts[0] + 1 : starts[0] + size]], table, tuple(filter(None, left))


def _without_blocks(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a spreadsheet that has a block for each night as one table with a column of dates.

    Lines without blocks are returned as they are.
    """
    heads = Counter(key for _number, cells in lines if (key := _head_key(cells)))
    key, times = max(heads.items(), key=lambda each: each[1], default=((), 0))
    titles = [at for at, (_number, cells) in enumerate(lines) if _is_title(cells)]
    if times < 2 and not _have_lines(titles, lines):
        return lines
    first = next((at for at, (_number, cells) in enumerate(lines) if times and _head_key(cells) == key), None)
    if first is None or (titles and titles[0] < first - MOST_TITLES):
        return lines
    head = ["" if is_night(cell) else cell for cell in lines[first][1]]
    table: list[Line] = [(lines[first][0], ["Date", *head])]
    title, blocks, told = "", 0, False
    for at, (number, cells) in enumerate(lines):
        if at in titles:
            title, told = _title_of(cells), True
        elif _head_key(cells) == key:
            blocks += 1
            nights = [cell for cell in cells if is_night(cell)]
            title, told = (nights[0] if nights else title if told else str(blocks)), False
        elif blocks or told:
            table.append((number, [title, *cells]))
    return table


def _have_lines(titles: Sequence[int], lines: Sequence[Line]) -> bool:
    """Return whether the lines at the indexes `titles` each have lines below them that don't begin with a night."""
    between = pairwise([*titles, len(lines)])
    below = [lines[at + 1 : end] for at, end in between]
    return len(titles) > 1 and all(below) and not any(is_night(cells[0]) for part in below for _number, cells in part)


def _head_key(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the headings in a line without regard to their case and to nights, or () if the line has no headings."""
    if any(is_number(cell) for cell in cells) or sum(map(is_heading, cells)) < 2:
        return ()
    nights = sum(map(is_night, filter(None, cells)))
    return tuple("*" if cell and is_night(cell) else unaccented(cell) for cell in cells) if nights < 2 else ()


def _is_title(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    if len(filled) > MOST_TITLE_CELLS or any(meaning_of(cell) for cell in filled if not is_night(cell)):
        return False
    return is_night(", ".join(filled)) or (any(map(is_night, filled)) and not any(map(is_number, filled)))


def _title_of(cells: Sequence[str]) -> str:
    filled = [cell for cell in cells if cell]
    if is_night(", ".join(filled)):
        return ", ".join(filled)
    nights = [cell for cell in filled if is_night(cell)]
    return next((cell for cell in nights if not NUMBERED.fullmatch(unaccented(cell))), nights[0])


def _has_players_across(head: Sequence[str], lines: Sequence[Line]) -> bool:
    """Return whether a table has a line for each night and a column for each player."""
    first = [cells[0] for _number, cells in lines if cells and cells[0] and meaning_of(cells[0], stems=False) is None]
    nights = (
        sum(map(is_night, first))
        if not first or meaning_of(head[0]) != DAY
        else sum(is_night(cell) or cell.isdecimal() for cell in first)
    )
    names = [at for at, text in enumerate(head) if at and text and meaning_of(text, stems=False) is None]
    if not first or 5 * nights < 3 * len(first) or len(names) < 2 or any(map(is_night, filter(None, head[1:]))):
        return False
    known = {meaning_of(text, stems=False) for text in head[1:] if text} - {None, SKIP, TOTAL}
    numbers = [cells[at] for _number, cells in lines for at in names if at < len(cells) and cells[at]]
    return not known and 2 * sum(is_number(cell) for cell in numbers) > len(numbers)


def _turned(head: Sequence[str], lines: Sequence[Line], titles: str) -> SheetTable:
    """Return the table with lines and columns exchanged."""
    cells = [_padded(line, len(head)) for _number, line in lines]
    turned = [(at + 1, [text, *(line[at] for line in cells)]) for at, text in enumerate(head) if at]
    # A column without a heading may only have notes; points without a name are a problem that the preview says.
    turned = [line for line in turned if line[1][0] or any(map(is_number, line[1]))]
    return SheetTable(["Player", *(line[0] for line in cells)], turned, titles, turned=True)
