"""Build the responses of the API, version 1, about clubs (leagues with public pages). `openapi.py` describes them.

Later releases may add fields to a response. Changing or removing a field would need version 2.
"""

from __future__ import annotations

from typing import Any

from scorekeeper.leagues.publishing.open_ids import open_id
from scorekeeper.leagues.publishing.pages import (
    ClubHead,
    ClubList,
    ClubPage,
    NightList,
    OpenGame,
    OpenNight,
    OpenNightPage,
    OpenPerson,
    OpenPlanned,
    OpenRound,
    OpenSchedule,
    OpenSeason,
    OpenTable,
    SeasonStandingsPage,
)
from scorekeeper.leagues.results.pages import Honor, ResultLine, ResultTable, TeamMatch
from scorekeeper.leagues.standings.columns import COLUMNS
from scorekeeper.leagues.standings.pages import Division
from scorekeeper.leagues.teams.fixtures import BOTH

Answer = dict[str, Any]

KEYS = {column.name: column.key for column in COLUMNS}
"""By name of each column of the standings: the key in the API, such as "points_per_game" for "Points per game"."""


def clubs_answer(page: ClubList) -> Answer:
    """Return the response with one page of the list of open clubs."""
    return {"clubs": [_club(club) for club in page.clubs], "count": page.count, "next_page": _next(page)}


def club_answer(page: ClubPage) -> Answer:
    """Return the response about a club, with its seasons."""
    return {
        "club": _club(page.club),
        "current_season": page.current and page.current.season.number,
        "last_night": page.last_night and _night(page.last_night),
        "seasons": [_season(season) for season in page.seasons],
    }


def schedule_answer(page: OpenSchedule) -> Answer:
    """Return the response with the upcoming nights of a club."""
    return {"club": _club(page.club), "nights": [_planned(night) for night in page.nights]}


def seasons_answer(page: ClubPage) -> Answer:
    """Return the response with the seasons of a club, newest first."""
    return {"club": _club(page.club), "seasons": [_season(season) for season in page.seasons]}


def standings_answer(page: SeasonStandingsPage) -> Answer:
    """Return the response with the standings of a season."""
    return {
        "club": _club(page.club),
        "season": _season(page.season),
        "standings": [_standings(table) for table in page.tables],
        "teams": [_division(division) for division in page.teams],
    }


def nights_answer(page: NightList) -> Answer:
    """Return the response with one page of the list of a season's nights."""
    return {
        "club": _club(page.club),
        "season": _season(page.season),
        "nights": [_night(night) for night in page.nights],
        "next_page": _next(page),
    }


def results_answer(page: OpenNightPage) -> Answer:
    """Return the response with the results of a night."""
    return {
        "club": _club(page.club),
        "season": _season(page.season),
        "night": _night(page.night),
        "final": page.results.final,
        "matches": [_match(match) for match in page.results.matches],
        "rankings": [_ranking(table) for table in page.results.tables],
        "honors": [_honor(honor) for honor in page.results.honors],
    }


def games_answer(page: OpenNightPage) -> Answer:
    """Return the response with the games of a night, without their hands."""
    return {
        "club": _club(page.club),
        "season": _season(page.season),
        "night": _night(page.night),
        "rounds": [_round(each) for each in page.rounds],
    }


def _next(page: ClubList | NightList) -> int | None:
    return page.page + 1 if page.more else None


def _club(club: ClubHead) -> Answer:
    return {"slug": club.slug, "name": club.name}


def _season(season: OpenSeason) -> Answer:
    return {"number": season.number, "name": season.name, "running": season.running}


def _night(night: OpenNight) -> Answer:
    return {"season": night.season, "number": night.number, "date": night.day.isoformat(), "closed": night.closed}


def _planned(night: OpenPlanned) -> Answer:
    return {
        "id": night.id,
        "season": night.season,
        "date": night.day.isoformat(),
        "time": night.time or None,
        "time_zone": night.zone,
        "place": night.place,
        "note": night.note,
        "canceled": night.canceled,
    }


def _person(person: OpenPerson) -> Answer:
    return {"id": person.id, "name": person.name}


def _standings(table: OpenTable) -> Answer:
    rows = [
        {"rank": row.rank, "people": [_person(each) for each in row.people], "values": dict(row.values)}
        for row in table.rows
    ]
    return {"of": table.shown.key, "rows": rows, "ties": list(table.shown.ties)}


def _division(division: Division) -> Answer:
    rows = [
        {"rank": line.rank, "team": {"id": open_id("team", line.id), "name": line.name}, "values": dict(line.values)}
        for line in division.lines
    ]
    return {"division": division.name, "rows": rows, "ties": list(division.ties)}


def _ranking(table: ResultTable) -> Answer:
    return {"of": table.key, "rows": [_result(line) for line in table.lines], "ties": list(table.ties)}


def _result(line: ResultLine) -> Answer:
    return {
        "rank": line.rank,
        "people": [{"id": who.id, "name": who.name, "plays_for": who.sub_for or None} for who in line.people],
        "values": {KEYS[name]: value for name, value in line.values.items()},
        "reason": line.reason,
        "prize": line.prize,
    }


def _match(match: TeamMatch) -> Answer:
    tables, points = match.tables or (None, None), match.points or (None, None)
    return {
        "round": match.round,
        "playoff": match.playoff,
        "sides": [
            {
                "team": {"id": team, "name": match.teams[side]},
                "tables": tables[side],
                "points": points[side],
                "won": match.winner == side,
                "forfeited": match.forfeit in (side, BOTH),
            }
            for side, team in enumerate((match.home_id, match.away_id))
        ],
    }


def _honor(honor: Honor) -> Answer:
    return {
        "key": honor.key,
        "number": honor.number,
        "holders": [{"name": holder.name, "where": holder.where} for holder in honor.holders],
        "more": honor.more,
    }


def _round(each: OpenRound) -> Answer:
    return {
        "number": each.number,
        "games": [_game(game) for game in each.games],
        "byes": [_person(person) for person in each.byes],
    }


def _game(game: OpenGame) -> Answer:
    return {
        "table": game.table,
        "finished": game.finished,
        "sides": [
            {
                "people": [
                    {**_person(player.person), "plays_for": player.plays_for and player.plays_for.name}
                    for player in side.players
                ],
                "points": side.points,
                "won": side.won,
                "team": side.team or None,
            }
            for side in game.sides
        ],
    }
