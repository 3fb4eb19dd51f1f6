"""Spreadsheets as small clubs keep them, cut down to what was read wrongly or not at all."""

from __future__ import annotations

from datetime import date

import pytest

from scorekeeper.leagues.transfer.meanings import amount, meaning_of
from scorekeeper.leagues.transfer.names import newcomers
from scorekeeper.leagues.transfer.past_page import _how_read, _sums
from scorekeeper.leagues.transfer.past_reading import PastSeason
from scorekeeper.rules.presets import PRESETS
from tests.leagues.transfer.test_reading import days, meanings, points, read, sides


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        ("Juegos ganados", "wins"),
        ("Partidas perdidas", "losses"),
        ("Parties gagnées", "wins"),
        ("Parties perdues", "losses"),
        ("Parties nulles", "ties"),
        ("Games won", "wins"),
        ("Games tied", "ties"),
        ("Games played", "games"),
        ("Rounds won", "skip"),
        ("Round", "round"),
        ("Week of", "day"),
    ],
)
def test_heading_that_begins_like_another_is_read_whole(heading: str, meaning: str) -> None:
    assert meaning_of(heading) == meaning


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("Baker, Ann", "Ann Baker"),
        ("St. Pierre, Sam", "Sam St. Pierre"),
        ("Bob Smith, Jr.", "Bob Smith, Jr."),
        ("Bob Smith, III", "Bob Smith, III"),
    ],
)
def test_last_name_first_is_turned(cell: str, name: str) -> None:
    assert points(read(f'Name,Sep 3\n"{cell}",4\n')) == {name: 4}
    past = read(f'Date,Player 1,Player 2,Points 1,Points 2\n2026-09-03,"{cell}",Amy Bell,21,13\n')
    assert sides(past) == [(name, 21), ("Amy Bell", 13)]
    assert [line.told.name for line in newcomers(f'Name,Notes\n"{cell}",late\n', ())] == [name]


PAIRS = (
    "Gus & Hope",
    "Gus/Hope",
    "Gus + Hope",
    "Gus w/ Hope",
    "Gus and Hope",
    "Gus - Hope",
    "Gus y Hope",
    "Gus avec Hope",
)


@pytest.mark.parametrize("pair", PAIRS)
def test_points_of_a_pair_are_those_of_both_partners(pair: str) -> None:
    for text in (
        f"Team,Sep 3,Sep 10,Total\n{pair},4,5,9\nIda & Jon,1,,1\n",
        f"Name,Sep 3,Sep 10\n{pair},4,5\nIda & Jon,1,\n",
        f"Date,{pair},Ida & Jon\n2026-09-03,4,1\n2026-09-10,5,\n",
        f"Date,Pair,Points\n2026-09-03,{pair},4\n2026-09-03,Ida & Jon,1\n2026-09-10,{pair},5\n",
    ):
        past = read(text)
        assert points(past) == {"Gus": 9, "Hope": 9, "Ida": 1, "Jon": 1}, text
        assert not past.asks
        season = PastSeason(PRESETS["setback-21"], (), stops=False, known=())
        assert "Both partners get the points of their line." in _how_read(past, season)


def test_pair_among_players_is_asked() -> None:
    past = read("Name,Sep 3\nAmy Bell,4\nBen Cole,5\nGus & Hope,5\n")
    assert [(choice.name, choice.answer) for choice in past.choices] == [("Gus & Hope", "")]
    assert past.asks


def test_partners_with_last_names_first_or_a_comma_between_are_two() -> None:
    head = "Date,Team 1,Team 2,Score\n2026-09-03"
    assert sides(read(f'{head},"Bell, Amy / Cole, Ben","Ida, Jon",21-8\n')) == [
        ("Amy Bell+Ben Cole", 21),
        ("Ida+Jon", 8),
    ]


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("Night,Rnd,Tbl,North-South,East-West,N-S,E-W", "2026-09-03,1,1,Gus & Hope,Ida & Jon,21,13"),
        ("Night,North,South,N-S,East,West,E-W", "2026-09-03,Gus,Hope,21,Ida,Jon,13"),
        ("Week of,Pair,Score,Pair,Score", '"Sept. 3, 2026",Gus/Hope,21,Ida/Jon,13'),
    ],
)
def test_game_of_two_pairs_is_read(head: str, cells: str) -> None:
    past = read(f"{head}\n{cells}\n")
    assert sides(past) == [("Gus+Hope", 21), ("Ida+Jon", 13)]
    assert past.days == {date(2026, 9, 3)}


@pytest.mark.parametrize("line", ["Gus & Hope,BYE,,", "BYE,Gus & Hope,0,21", "Gus & Hope,Ida & Jon,no show,"])
def test_game_that_nobody_played_is_left_out(line: str) -> None:
    past = read(f"Date,Pair 1,Pair 2,Points 1,Points 2\n2026-09-03,Gus & Hope,Ida & Jon,21,13\n2026-09-03,{line}\n")
    told = past.games[1]
    assert (told.left_out, len(past.good_games), past.wrong) == ("left out: not played", 1, 0)
    assert "BYE" not in past.new


def test_game_with_one_score_that_is_missing_is_a_problem() -> None:
    past = read("Date,Pair 1,Pair 2,Points 1,Points 2\n2026-09-03,Gus & Hope,Ida & Jon,x,13\n")
    assert past.wrong == 1


def test_games_of_a_match_are_read_one_by_one() -> None:
    head = "Date,Player A,Player B,Game 1,Game 2,Game 3,Match"
    past = read(f"{head}\n2026-09-03,Amy Bell,Ben Cole,21-15,18-21,21-19,2-1\n,Cy Dean,Di Ford,21-10,21-7,,2-0\n")
    assert [(game.round, game.table, game.points) for game in past.good_games] == [
        (1, 1, (21, 15)),
        (2, 1, (18, 21)),
        (3, 1, (21, 19)),
        (1, 2, (21, 10)),
        (2, 2, (21, 7)),
    ]
    assert (meanings(past)[-1], past.wrong) == ("skip", 0)


def test_columns_beside_the_places_are_said_to_be_left_out() -> None:
    past = read("Date,Hall,1st,Pts,2nd,Pts,Pot\n2026-09-03,VFW,Amy Bell,4,Ben Cole,1,$20\n")
    assert points(past) == {"Amy Bell": 4, "Ben Cole": 1}
    season = PastSeason(PRESETS["setback-21"], (), stops=False, known=())
    assert "Columns left out: Hall, Pot." in _how_read(past, season)


def test_points_in_a_column_without_a_name_are_a_problem() -> None:
    past = read("Date,Amy Bell,Ben Cole,,\n2026-09-03,4,1,7,rain\n2026-09-10,5,,8,\n")
    assert (points(past), past.wrong) == ({"Amy Bell": 9, "Ben Cole": 1}, 1)


@pytest.mark.parametrize("name", ["Moyenne de la soirée", "Night average", "Total de puntos", "Average per game"])
def test_line_of_averages_is_left_out(name: str) -> None:
    past = read(f"Name,Sep 3\nAmy Bell,4\n{name},4.5\n")
    assert past.totals[1].left_out == "left out: a line of totals"


def test_total_in_the_column_of_dates_asks_for_no_date() -> None:
    past = read("Date,Player,Points\n2026-09-03,Amy Bell,4\nTotal,,4\n")
    assert (days(past), past.wrong) == (["2026-09-03"], 0)


PHRASES = (
    "Week of 9/14/2025",
    "Week 2 of 9/14/2025",
    "Week ending 9/14/2025",
    "Week 2: Sunday, 9/14/2025",
    "Night 2 – 14 Sept 2025",
    "Night of Sunday, September 14, 2025",
    "League night 9/14/2025",
    "Game night - Sept 14, 2025 (Grange Hall)",
    "Results for Sept. 14, 2025",
    "Sunday 9/14/2025 results",
    "Date: 9/14/2025",
    "Semaine du 14/9/2025",
    "Semaine 2 du dimanche 14 septembre 2025",
    "Soirée du 14/9/2025",
    "Résultats du 14/09/2025",
    "Semana del 14/9/2025",
    "Jornada 2 (14/9/2025)",
    "Noche del domingo 14 de septiembre de 2025",
)


@pytest.mark.parametrize("title", PHRASES)
def test_date_in_a_phrase_is_the_date_of_its_block_or_column(title: str) -> None:
    later = title.replace("14", "21")
    past = read(f'"{title}",\nPlayer,Points\nAmy Bell,4\nBen Cole,1\n\n"{later}",\nPlayer,Points\nAmy Bell,5\n')
    assert (days(past), points(past)) == (["2025-09-14", "2025-09-21"], {"Amy Bell": 9, "Ben Cole": 1})
    assert not past.asks
    assert days(read(f'Player,"{title}"\nAmy Bell,4\n')) == ["2025-09-14"]


@pytest.mark.parametrize("title", ["Week of 9/4/2025", "Semana del 4/9/2025", "Night 3: 9/4/2025"])
def test_date_in_a_phrase_that_can_be_read_two_ways_is_asked(title: str) -> None:
    text = f"{title}\nPlayer,Points\nAmy Bell,4\n{title.replace('4', '5', 1)}\nPlayer,Points\nAmy Bell,5\n"
    assert read(text).unclear
    asked = read(text, order="day" if "Semana" in title else "month")
    assert days(asked)[0] == "2025-09-04"


@pytest.mark.parametrize(
    "title", ["Week of Sept 4 - 10, 2025", "Sept 4 – 10", "9/14 - 9/20/2025", "Week of 9/14/2025 to 9/20/2025"]
)
def test_span_of_days_asks_for_the_day(title: str) -> None:
    """The night was on one of these days, and nobody else knows on which."""
    past = read(f'Player,"{title}"\nAmy Bell,4\n')
    assert (meanings(past), days(past), past.asks) == (["name", "night"], [""], True)


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("21 pts", 21),
        ("21pts.", 21),
        ("1 point", 1),
        ("21 puntos", 21),
        ("−3 pt", -3),
        ("21,0", 21),
        ("1,234", 1234),
        ("1.234", 1234),
        ("1 234", 1234),
        ("1’234", 1234),
        ("21*", 21),
    ],
)
def test_number_is_read_with_its_unit_and_its_thousands(cell: str, number: int) -> None:
    past = read(f'Player,Sep 3,Total\nAmy Bell,"{cell}","{cell}"\nBen Cole,5,5\n')
    assert (points(past), past.wrong) == ({"Amy Bell": number, "Ben Cole": 5}, 0)
    season = PastSeason(PRESETS["setback-21"], (), stops=False, known=())
    said = f"Read as thousands: {cell}." in _how_read(past, season)
    assert said == (cell in ("1,234", "1.234"))


@pytest.mark.parametrize("cell", ["$15.00", "15 €", "12:30", "1,23,4", "12345678", "pts", "-", "½ off"])
def test_other_text_with_digits_is_no_number(cell: str) -> None:
    assert amount(cell) is None


@pytest.mark.parametrize(
    ("cell", "up", "down"), [("12,5", 13, 12), ("12.5", 13, 12), ("12½", 13, 12), ("−2,5", -2, -2), ("12.33", 12, 12)]
)
def test_fraction_of_a_point_is_asked(cell: str, up: int, down: int) -> None:
    """Points are whole numbers, so the import asks. Until then, the lines are wrong; the file's sum is compared."""
    text = f'Player,Sep 3,Total\nAmy Bell,"{cell}","{cell}"\nBen Cole,5,5\n'
    past = read(text)
    assert (past.fractions, past.wrong, past.words) == ([cell], 1, [])
    season = PastSeason(PRESETS["setback-21"], (), stops=False, known=())
    for rounding, number in (("up", up), ("down", down)):
        past = read(text, rounding=rounding)
        assert (points(past), past.wrong, past.fractions) == ({"Amy Bell": number, "Ben Cole": 5}, 0, [])
        assert f"Rounded: {cell}." in _how_read(past, season)
        assert [line.differs for line in _sums(past)] == [True, False]


@pytest.mark.parametrize("cell", ["40.5", "(2)", "#DIV/0!"])
def test_number_that_is_not_whole_is_no_word_for_a_missed_night(cell: str) -> None:
    past = read(f"Player,Sep 3\nAmy Bell,4\nBen Cole,{cell}\n")
    assert (past.wrong, past.words) == (1, [])


def test_week_of_a_date_is_a_night() -> None:
    assert days(read("Player,Week of Sept 3,Semaine du 10/9/2026\nAmy Bell,4,5\n", order="day")) == [
        "2026-09-03",
        "2026-09-10",
    ]
