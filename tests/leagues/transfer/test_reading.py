"""How spreadsheets of past results are read: nothing is decided that the preview doesn't say or ask."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from datetime import date, datetime

import pytest
from openpyxl import Workbook

from scorekeeper.leagues.transfer import past_reading
from scorekeeper.leagues.transfer.columns import TableSettings
from scorekeeper.leagues.transfer.layouts import EXAMPLES
from scorekeeper.leagues.transfer.past_reading import MOST_UNKNOWN, Past, PastSeason, Said, read_past
from scorekeeper.leagues.transfer.spreadsheet import hidden_sheets, sheets_of, text_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS

TODAY = date(2026, 11, 28)
CLUB = ("Amy Bell", "Ben Cole", "Cy Dean", "Di Ford", "Max Sum", "Mean Jean")


def read(text: str, *, today: date = TODAY, taken: tuple[date, ...] = (), **settings: object) -> Past:
    """Read a spreadsheet for a season of Setback; `settings` are the user's answers, `taken` the nights it has."""
    season = PastSeason(PRESETS["setback-21"], taken, stops=False, known=CLUB)
    return read_past(text, season, Said(TableSettings(**settings)), today)  # type: ignore[arg-type]


def days(past: Past) -> list[str]:
    """Return the dates of all columns or lines as read."""
    return [str(each.day or "") for each in past.sheet.dates]


def points(past: Past) -> dict[str, int]:
    """Return the points that would be stored for each player."""
    found = Counter[str]()
    for line in past.good_totals:
        found[line.name] += line.points
    return dict(found)


def sides(past: Past) -> list[tuple[str, int]]:
    """Return each side of each game, with its players joined by a plus, and its points."""
    return [
        ("+".join(game.people[side :: len(game.points)]), total)
        for game in past.good_games
        for side, total in enumerate(game.points)
    ]


def meanings(past: Past) -> list[str]:
    """Return what each column means."""
    return [column.meaning for column in past.sheet.columns]


def _file(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _book(*sheets: list[list[object]]) -> Workbook:
    book = Workbook()
    for place, rows in enumerate(sheets):
        sheet = book.worksheets[0] if not place else book.create_sheet()
        sheet.title = f"Part {place + 1}"
        for row in rows:
            sheet.append(row)
    return book


@pytest.mark.parametrize(
    ("head", "lines", "expected"),
    [
        # Columns prepared for nights to come don't push the season into last year.
        ("Player,Sep 3,Nov 19,Dec 10", "Amy Bell,4,5,", ["2026-09-03", "2026-11-19", "2026-12-10"]),
        ("Player,Sep 3,Nov 19,Dec 10", "Amy Bell,4,5,0", ["2026-09-03", "2026-11-19", "2026-12-10"]),
        ("Player,Dec 4,Jan 8", "Amy Bell,4,5", ["2025-12-04", "2026-01-08"]),
        ("Player,Nov 19,Sep 3", "Amy Bell,4,5", ["2026-11-19", "2026-09-03"]),
        # One date with a year says what the others mean.
        ("Player,9/20/2025,9/27,10/4", "Amy Bell,4,5,6", ["2025-09-20", "2025-09-27", "2025-10-04"]),
        ("Player,Dec 28,Jan 4 2026", "Amy Bell,4,5", ["2025-12-28", "2026-01-04"]),
        # So does the title.
        ("Thursday club 2025,,\nPlayer,Sept 4,Sept 11", "Amy Bell,4,5", ["2025-09-04", "2025-09-11"]),
        ("Winter 2025/26,,\nPlayer,Dec 4,Jan 8", "Amy Bell,4,5", ["2025-12-04", "2026-01-08"]),
        # A month isn't a day.
        ("Player,Sep-25,Oct-25,Jan-26", "Amy Bell,4,5,6", ["", "", ""]),
        ("Player,September,October", "Amy Bell,4,5", ["", ""]),
        ("Player,Jan,Feb,May", "Amy Bell,4,5,6", ["", "", ""]),
        ("Player,Sep-03,Sep-10", "Amy Bell,4,5", ["2026-09-03", "2026-09-10"]),
        ("Player,Week 1 - Sept 3,Week 2 (9/17)", "Amy Bell,4,5", ["2026-09-03", "2026-09-17"]),
    ],
)
def test_year_is_the_most_likely_one(head: str, lines: str, expected: list[str]) -> None:
    assert days(read(f"{head}\n{lines}\n")) == expected


def test_date_after_today_is_a_problem_until_it_is_corrected() -> None:
    text = "Date,Player,Points\n2026-09-03,Amy Bell,4\n2062-09-10,Amy Bell,5\n"
    past = read(text)
    assert [bool(line.problem) for line in past.totals] == [False, True]
    assert "2062-09-10 is after today" in past.totals[1].problem
    past = read(text, days={"on-2062-09-10": date(2026, 9, 10)})
    assert past.days == {date(2026, 9, 3), date(2026, 9, 10)}
    assert read("Player,9/3/2062\nAmy Bell,4\n").wrong == 1


def test_months_ask_for_the_day() -> None:
    text = "Player,Sep-25,Oct-25\nAmy Bell,4,5\n"
    assert read(text).asks
    past = read(text, days={"1": date(2025, 9, 4), "2": date(2025, 10, 2)})
    assert not past.asks
    assert past.days == {date(2025, 9, 4), date(2025, 10, 2)}


def test_night_without_points_asks_for_no_date() -> None:
    past = read("Player,Week 1,Week 2\nAmy Bell,4,\n", days={"1": date(2026, 9, 3)})
    assert not past.asks
    assert past.days == {date(2026, 9, 3)}


def test_earlier_results_can_be_added_to_a_season_that_has_begun() -> None:
    past = read("Player,2026-09-03,2026-11-19\nAmy Bell,4,\nBen Cole,,5\n", taken=(date(2026, 11, 19),))
    assert [line.problem for line in past.totals] == ["", "The season already has a night on 2026-11-19."]


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("9/18/2026 0:20:45", "2026-09-17"),
        ("2026-09-18 04:59", "2026-09-17"),
        ("9/18/2026 12:20 AM", "2026-09-17"),
        ("9/18/2026 12:20 PM", "2026-09-18"),
        ("2026/09/18 7:45:12 PM EST", "2026-09-18"),  # Google Forms, and the next two
        ("2026/09/18 12:20:12 AM GMT-4", "2026-09-17"),
        ("2026/09/18 7:45:12 p. m. CST", "2026-09-18"),
        ("9/18/2026, 7:45\u202fPM", "2026-09-18"),  # scripts in a browser
        ("2026-09-18 19:45:12 -0400", "2026-09-18"),
        ("2026-09-18 05:00", "2026-09-18"),
        ("2026-09-18 00:00:00", "2026-09-18"),
    ],
)
def test_after_midnight_belongs_to_the_evening_before(cell: str, day: str) -> None:
    past = read(f'Timestamp,Player,Points\n2026-09-17 21:00,Amy Bell,4\n"{cell}",Ben Cole,5\n')
    assert points(past) == {"Amy Bell": 4, "Ben Cole": 5}
    assert days(past)[-1] == day
    assert past.sheet.late == (day == "2026-09-17")


def test_date_and_round_count_for_the_lines_below() -> None:
    head = "Date,Round,Table,Player 1,Player 2,Player 3,Player 4,Points 1,Points 2"
    amy, ben = "Amy Bell,Ben Cole,Cy Dean,Di Ford", "Max Sum,Mean Jean,Al Best,Bo Rest"
    past = read(
        f"{head}\n2026-09-03,1,1,{amy},21,13\n,,2,{ben},22,9\n,2,1,{amy},8,21\n2026-09-10,1,1,{amy},21,13\n",
    )
    assert [(str(game.day), game.round, game.table) for game in past.games] == [
        ("2026-09-03", 1, 1),
        ("2026-09-03", 1, 2),
        ("2026-09-03", 2, 1),
        ("2026-09-10", 1, 1),
    ]
    assert past.wrong == 0
    past = read("Date,Player,Points\n2026-09-03,Amy Bell,4\n,Ben Cole,5\n")
    assert points(past) == {"Amy Bell": 4, "Ben Cole": 5}


def test_merged_cell_counts_for_all_its_rows() -> None:
    book = _book([["Date", "Player", "Points"], [datetime(2026, 9, 3), "Amy Bell", 4], [None, "Ben Cole", 5]])  # noqa: DTZ001
    book.worksheets[0].merge_cells("A2:A3")
    assert text_of(_file(book)) == "Date,Player,Points\n2026-09-03,Amy Bell,4\n2026-09-03,Ben Cole,5\n"


def test_formula_without_a_result_is_said() -> None:
    book = _book([["Player", "2026-09-03"], ["Amy Bell", "=20+21"], ["Ben Cole", 5]])
    past = read(text_of(_file(book)))
    assert [line.problem for line in past.totals] == [
        "A cell has a formula without its result. Open the file in Excel, save it once, and upload it again.",
        "",
    ]


def test_other_sheets_are_offered_and_hidden_ones_only_named() -> None:
    book = _book(
        [["Player", "2026-09-03"], ["Amy Bell", 4]],
        [["Player", "2026-10-08"], ["Amy Bell", 5]],
        [["Player", "2026-10-15"], ["Amy Bell", 6]],
    )
    book.worksheets[0].sheet_state = "hidden"
    text = text_of(_file(book))
    assert [sheet.name for sheet in sheets_of(text)] == ["Part 2", "Part 3"]
    assert hidden_sheets(text) == ("Part 1",)
    past = read(text)
    assert (past.sheet.name, past.sheet.others, points(past)) == ("Part 2", ("Part 3",), {"Amy Bell": 5})
    past = read(text.replace("\n", "\r\n"), sheet="Part 3")
    assert (past.sheet.name, past.sheet.others, points(past)) == ("Part 3", ("Part 2",), {"Amy Bell": 6})


def test_sheet_with_dates_is_read_first() -> None:
    book = _book([["Rank", "Name", "Points"], [1, "Amy Bell", 4]], [["Name", "2026-10-08"], ["Amy Bell", 4]])
    assert read(text_of(_file(book))).sheet.name == "Part 2"


def test_workbook_may_have_any_name() -> None:
    made = io.BytesIO()
    book = io.BytesIO(_file(_book([["Player", "9/3/2026"], ["Amy Bell", 4]])))
    with zipfile.ZipFile(book) as packed, zipfile.ZipFile(made, "w") as other:
        for name in packed.namelist():
            text = packed.read(name).replace(b"xl/workbook.xml", b"xl/workbook22.xml")
            other.writestr(name.replace("workbook.xml", "workbook22.xml"), text)
    assert text_of(made.getvalue()) == "Player,9/3/2026\nAmy Bell,4\n"
    document = io.BytesIO()
    with zipfile.ZipFile(document, "w") as packed:
        packed.writestr("[Content_Types].xml", "wordprocessingml.document.main+xml")
    with pytest.raises(RuleViolation, match="isn't a spreadsheet"):
        text_of(document.getvalue())


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("content.xml", "OpenDocument file .* Save it as Excel"),
        ("Index/Document.iwa", "Numbers file.* export it to Excel"),
    ],
)
def test_spreadsheet_of_another_program_is_named(part: str, said: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(part, "")
        packed.writestr("preview.jpg", bytes(400_000))
    with pytest.raises(RuleViolation, match=said):
        text_of(file.getvalue())


def test_picture_in_a_workbook_does_no_harm_unless_it_is_too_large() -> None:
    def with_picture(size: int) -> bytes:
        file = io.BytesIO(_file(_book([["Player", "9/3/2026"], ["Amy Bell", 4]])))
        with zipfile.ZipFile(file, "a") as packed:
            packed.writestr("xl/media/logo.png", bytes(size))
        return file.getvalue()

    assert text_of(with_picture(600_000)).startswith("Player")
    for size in (2_999_000, 4_000_000):
        with pytest.raises(RuleViolation, match="Copy the table into a new workbook"):
            text_of(with_picture(size))


def test_ties_are_games() -> None:
    past = read("Date,Player,W,L,T,Points\n2026-09-17,Amy Bell,2,1,1,61\n2026-09-17,Ben Cole,2,2,0,61\n")
    assert [line.nights[0].games for line in past.totals] == [4, 4]
    past = read("Date,Player,W,L,D,Games,Points\n2026-09-17,Amy Bell,2,1,2,4,61\n")
    assert past.totals[0].problem == "Wins, losses and ties add up to more than the games."


def test_whole_heading_comes_first() -> None:
    past = read("Date,Player,Points per game,Points,Games\n2026-09-17,Amy Bell,19,76,4\n")
    assert meanings(past) == ["day", "name", "skip", "points", "games"]
    past = read("Date,Player,Points scored,Points,Point diff\n2026-09-17,Amy Bell,19,76,4\n")
    assert meanings(past) == ["day", "name", "skip", "points", "skip"]


def test_known_player_is_never_a_total() -> None:
    past = read("Player,2026-09-17\nMax Sum,4\nMean Jean,5\nTotal,9\nHigh score,5\nSum Young,7\n")
    assert points(past) == {"Max Sum": 4, "Mean Jean": 5, "High score": 5, "Sum Young": 7}
    assert past.totals[2].left_out == "left out: a line of totals"
    assert [(choice.name, choice.answer) for choice in past.choices] == [("High score", ""), ("Sum Young", "")]
    assert past.asks
    past = read("Date,Pair 1,Pair 2,Score 1,Score 2\n2026-09-17,Average Joe & Ben Cole,Amy Bell & Di Ford,21,13\n")
    assert sides(past) == [("Average Joe+Ben Cole", 21), ("Amy Bell+Di Ford", 13)]


def test_team_of_a_player_is_no_side() -> None:
    past = read("Player,Team,Sep 3\nAmy Bell,Aces,4\nBen Cole,Kings,5\n")
    assert meanings(past) == ["name", "skip", "night"]
    assert points(read("Date,Player,Team,Points\n2026-09-03,Amy Bell,Aces,4\n")) == {"Amy Bell": 4}


def test_sum_is_compared_with_that_of_the_file() -> None:
    past = read("Player,2026-09-03,2026-09-10,Total\nAmy Bell,4,5,9\nBen Cole,4,,5\n")
    assert [(line.points, line.total) for line in past.totals] == [(9, "9"), (4, "5")]


LEO = [("Amy Bell+Ben Cole", 8), ("Cy Dean+Di Ford", 21)]


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("North,South,N-S score,East,West,E-W score", "Amy Bell,Ben Cole,8,Cy Dean,Di Ford,21"),
        ("North,South,East,West,N-S score,E-W score", "Amy Bell,Ben Cole,Cy Dean,Di Ford,8,21"),
        ("Score,Player,Player,Score,Player,Player", "8,Amy Bell,Ben Cole,21,Cy Dean,Di Ford"),
        ("Pair,Points,Pair,Points", "Amy Bell/Ben Cole,8,Cy Dean & Di Ford,21"),
        ("Player 1,Player 2,Player 3,Player 4,Points 1,Points 2", "Amy Bell,Cy Dean,Ben Cole,Di Ford,8,21"),
        ("Team 1,Team 2,Score", "Amy Bell / Ben Cole,Cy Dean / Di Ford,8-21"),
        ("Team A,Team B,Result", "Amy Bell / Ben Cole,Cy Dean / Di Ford,8 : 21"),
        ("Losers,Winners,Losing score,Winning score", "Amy Bell and Ben Cole,Cy Dean and Di Ford,8,21"),
    ],
)
def test_sides_are_those_of_the_columns(head: str, cells: str) -> None:
    past = read(f"Date,{head}\n2026-09-03,{cells}\n")
    assert sides(past) == LEO


def test_partners_can_be_chosen() -> None:
    head = "Date,Player 1,Player 2,Player 3,Player 4,Points 1,Points 2"
    text = f"{head}\n2026-09-03,Amy Bell,Ben Cole,Cy Dean,Di Ford,8,21\n"
    assert sides(read(text, partners="beside")) == LEO


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a line for each night, a column for each player
        ("Date,Amy Bell,Ben Cole,Victor\n9/13/2026,4,1,2\n9/20/2026,5,,3\nTotal,9,1,5\n", [9, 1, 5]),
        ("Week,Amy Bell,Ben Cole,Total\n9/13/2026,4,1,5\n9/20/2026,5,A,5\n", [9, 1]),
        (
            "Date,Amy Bell,Ben Cole,Total\n2026-09-03,4,1,5\n2026-09-10,5,,5\nAverage,4,1,\nRank,1,2,\n",
            [9, 1],
        ),
        ("Date,1st,Pts,2nd,Pts\n2026-09-03,Amy Bell,4,Ben Cole,1\n2026-09-10,Amy Bell,5,,\n", [9, 1]),
        # two rows of headings
        ("Player,Sep 3,,Sep 10,,Season\n,Pts,Sets,Pts,Sets,Pts\nAmy Bell,4,1,5,0,9\nBen Cole,1,2,,,1\n", [9, 1]),
        (",Sep 3,,Sep 10,\nPlayer,Pts,W,Pts,W\nAmy Bell,4,1,5,0\nBen Cole,1,2,,\n", [9, 1]),
        # a block for each night
        (
            "Week 1 - Sept 3\nPlayer,Points\nAmy Bell,4\nBen Cole,1\n\nWeek 2 - Sept 10\nPlayer,Points\nAmy Bell,5\n",
            [9, 1],
        ),
        ("Sept 3,Points,Money\nAmy Bell,4,$15.00\nBen Cole,1,\nSept 10,Points,Money\nAmy Bell,5,\n", [9, 1]),
        ("Player,Points\nSept 3\nAmy Bell,4\nBen Cole,1\nTotal,5\nSept 10\nAmy Bell,5\n", [9, 1]),
        # nights beside each other
        ("Sep 3,,Sep 10,\nPlayer,Points,Player,Points\nAmy Bell,4,Ben Cole,1\n,,Amy Bell,5\n", [9, 1]),
        # words for players who weren't there
        ("Player,Sep 3,Sep 10\nAmy Bell,4,5\nBen Cole,A,1\nCy Dean,BYE,2\nDi Ford,abs,DNS\n", [9, 1, 2]),
    ],
)
def test_layout_is_read(text: str, expected: list[int]) -> None:
    past = read(text)
    assert list(points(past).values()) == expected
    assert not past.unreadable
    assert past.wrong == 0
    assert all(day.year == 2026 for day in past.days)


def test_words_for_missed_nights_are_listed_and_others_asked() -> None:
    text = "Player,Sep 3,Sep 10\nAmy Bell,4,vacation\nBen Cole,A,1\n"
    past = read(text)
    assert (past.missed, past.words) == (["A"], ["vacation"])
    past = read(text, missed=frozenset(("vacation",)))
    assert (points(past), past.wrong) == ({"Amy Bell": 4, "Ben Cole": 1}, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Week 1\nPlayer,Points\nAmy Bell,4\nWeek 2\nPlayer,Points\nAmy Bell,5\n",
        "Week,Amy Bell,Ben Cole\n1,4,1\n2,5,BYE\n",
        "Week,1,,2,\nPlayer,Pts,Sets,Pts,Sets\nAmy Bell,4,1,5,0\n",
        "Week,1,2\nAmy Bell,4,5\n",
    ],
)
def test_weeks_without_dates_ask_for_the_first(text: str) -> None:
    assert read(text).asks
    past = read(text, first=date(2026, 9, 3))
    assert past.days == {date(2026, 9, 3), date(2026, 9, 10)}
    assert points(past)["Amy Bell"] == 9


@pytest.mark.parametrize("key", EXAMPLES)
def test_example_of_a_layout_is_read(key: str) -> None:
    past = read(EXAMPLES[key][1])
    assert not past.unreadable
    assert past.wrong == 0
    assert past.days <= {date(2026, 9, 1), date(2026, 9, 8)}
    expected = {"pairs": "Ann+Cid", "sides": "Ann+Cid", "seats": "Ann+Cid"}
    assert sides(past)[0] == (expected[key], 21) if key in expected else points(past)["Ann Baker"] in (63, 121)


def test_unknown_names_are_counted_before_they_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is compared with all others, so 17,000 names kept the server busy for half a minute."""
    monkeypatch.setattr(past_reading, "name_choices", lambda *_: pytest.fail("compared"))
    lines = "".join(f"P{number},1\n" for number in range(MOST_UNKNOWN + 1))
    with pytest.raises(RuleViolation, match=f"{MOST_UNKNOWN + 1} names"):
        read(f"name,2026-09-01\n{lines}")
