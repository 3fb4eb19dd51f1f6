"""Build the responses of the API, version 1, about clubs (leagues with public pages). `openapi.py` describes them.

Later releases may add fields to a response. Changing or removing a field would need version 2.

Describe the API, version 1, in OpenAPI 3.1. Tests check that every response matches this description.
"""

from collections.abc import Mapping
from typing import Any

from scorekeeper.leagues.publishing.addresses import open_id
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
from scorekeeper.leagues.teams.pages import COLUMNS as TEAM_COLUMNS

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
                "forfeited": side.forfeited,
            }
            for side in game.sides
        ],
    }


Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "integer"}
FROM_1: Schema = {"type": "integer", "minimum": 1}
RANKED: Schema = {"type": "string", "enum": ["people", "partners"]}
OR_NULL_NUMBER: Schema = {"type": ["integer", "null"]}
OR_NULL_TEXT: Schema = {"type": ["string", "null"]}
PAGE_NUMBER: Schema = {"type": ["integer", "null"], "description": "The next page, null on the last one."}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(about: str = "", /, **fields: Schema) -> Schema:
    """Return the schema of an object with these fields, all of them required.

    Objects may have further fields in later releases. `about` is the description of the object.
    """
    shape: Schema = {"type": "object", "required": list(fields), "properties": fields}
    return {**shape, "description": about} if about else shape


VALUES = _object(
    "The numbers of a row, by column. Columns that do not apply are left out.",
    **{column.key: {"type": column.type} for column in COLUMNS},
)
SCHEMAS: Mapping[str, Schema] = {
    "Club": _object(slug=TEXT, name=TEXT),
    "Season": _object(number={**FROM_1, "description": "1 is the club's first season."}, name=TEXT, running=FLAG),
    "Night": _object(season=FROM_1, number=FROM_1, date={**TEXT, "format": "date"}, closed=FLAG),
    "PlannedNight": _object(
        id={**TEXT, "description": "It stays the same when the night is moved."},
        season=FROM_1,
        date={**TEXT, "format": "date"},
        time={**OR_NULL_TEXT, "description": "Such as 19:00, on the clock in time_zone."},
        time_zone={**TEXT, "description": "IANA name, such as America/New_York."},
        place=TEXT,
        note=TEXT,
        canceled=FLAG,
    ),
    "Person": _object(
        "A player under the name that the club shows. The id stays the same when they are renamed.", id=TEXT, name=TEXT
    ),
    "Player": _object(
        "A player at a table; `plays_for` is the name of the regular they substitute for.",
        id=TEXT,
        name=TEXT,
        plays_for=OR_NULL_TEXT,
    ),
    "Values": {**VALUES, "required": ["points_per_game", "points", "games", "wins", "losses", "ties", "sets"]},
    "StandingRow": _object(
        rank={"type": ["integer", "null"], "description": "null: not ranked yet"},
        people=_list(_ref("Person")),
        values=_ref("Values"),
    ),
    "Standings": _object(
        of=RANKED,
        rows={**_list(_ref("StandingRow")), "description": "Best first, then those without a rank."},
        ties={**_list(TEXT), "description": "How ties were broken, in the language of Accept-Language."},
    ),
    "Team": _object("The id stays the same when the team is renamed.", id=TEXT, name=TEXT),
    "MatchSide": _object(
        "A team in a match: the tables it won and its points at all tables, so far while the night is open.",
        team=_ref("Team"),
        tables=OR_NULL_NUMBER,
        points=OR_NULL_NUMBER,
        won={**FLAG, "description": "It won, leads, or goes on in the playoffs."},
        forfeited=FLAG,
    ),
    "Match": _object(
        round={**FROM_1, "description": "The match day, or the round of the playoffs."},
        playoff=FLAG,
        sides={**_list(_ref("MatchSide")), "description": "The home team, then the visitors."},
    ),
    "TeamRow": _object(
        rank={"type": ["integer", "null"], "description": "null: no match yet"},
        team=_ref("Team"),
        values=_object(**dict.fromkeys(TEAM_COLUMNS, NUMBER)),
    ),
    "Division": _object(
        division={**TEXT, "description": "Its name; empty if there is only one."},
        rows={**_list(_ref("TeamRow")), "description": "Best first, then those without a match."},
        ties=_list(TEXT),
    ),
    "ResultRow": _object(
        rank={"type": ["integer", "null"]},
        people=_list(_ref("Player")),
        values=_ref("Values"),
        reason={**TEXT, "description": "Why it has this rank among those tied with it; may be empty."},
        prize={**TEXT, "description": "The prizes in words; may be empty."},
    ),
    "Ranking": _object(of=RANKED, rows=_list(_ref("ResultRow")), ties=_list(TEXT)),
    "Honor": _object(
        "Best partners, most points in a game, or biggest set.",
        key={"type": "string", "enum": ["partners", "points", "set"]},
        number={"type": "number"},
        holders=_list(_object(name=TEXT, where=TEXT)),
        more={**NUMBER, "description": "How many others share it."},
    ),
    "Side": _object(
        people=_list(_ref("Player")),
        points=OR_NULL_NUMBER,
        won=FLAG,
        team={**OR_NULL_TEXT, "description": "Its fixed team, null on other nights."},
        forfeited=FLAG,
    ),
    "Game": _object(table=FROM_1, finished=FLAG, sides=_list(_ref("Side"))),
    "Round": _object(number=FROM_1, games=_list(_ref("Game")), byes=_list(_ref("Person"))),
    "Error": _object(error=TEXT),
}

CLUB, SEASON, NIGHT, CLUBS = (_ref("Club"), _ref("Season"), _ref("Night"), _list(_ref("Club")))
OF_NIGHT = {"club": CLUB, "season": SEASON, "night": NIGHT}
ANSWERS: Mapping[str, tuple[str, Schema]] = {
    "/clubs": ("List the open clubs by name.", _object(clubs=CLUBS, count=NUMBER, next_page=PAGE_NUMBER)),
    "/clubs/{club}": (
        "Show a club.",
        _object(
            club=CLUB,
            current_season={"type": ["integer", "null"]},
            last_night={"anyOf": [NIGHT, {"type": "null"}]},
            seasons=_list(SEASON),
        ),
    ),
    "/clubs/{club}/schedule": (
        "List the upcoming nights, earliest first.",
        _object(club=CLUB, nights=_list(_ref("PlannedNight"))),
    ),
    "/clubs/{club}/seasons": ("List the seasons of a club, newest first.", _object(club=CLUB, seasons=_list(SEASON))),
    "/clubs/{club}/seasons/{season}/standings": (
        "Show the standings of a season.",
        _object(
            club=CLUB,
            season=SEASON,
            standings=_list(_ref("Standings")),
            teams={**_list(_ref("Division")), "description": "Of a team season; else empty."},
        ),
    ),
    "/clubs/{club}/seasons/{season}/nights": (
        "List the nights of a season, newest first.",
        _object(club=CLUB, season=SEASON, nights=_list(NIGHT), next_page=PAGE_NUMBER),
    ),
    "/clubs/{club}/seasons/{season}/nights/{night}": (
        "Show the results of a night, provisional while it is open.",
        _object(
            **OF_NIGHT,
            final=FLAG,
            matches={**_list(_ref("Match")), "description": "Of a night of fixed teams; else empty."},
            rankings=_list(_ref("Ranking")),
            honors=_list(_ref("Honor")),
        ),
    ),
    "/clubs/{club}/seasons/{season}/nights/{night}/games": (
        "List the games of a night, without their hands.",
        _object(**OF_NIGHT, rounds=_list(_ref("Round"))),
    ),
}
"""By path below `/api/1`: a sentence about the request, and the schema of the response."""
LAST_PAGE = 9999
PAGED = frozenset(("/clubs", "/clubs/{club}/seasons/{season}/nights"))
PLACES = {"club": TEXT, "season": FROM_1, "night": FROM_1}


def description(server: str, ending: str = "") -> dict[str, Any]:
    """Return the OpenAPI description of the API at the address `server`.

    `ending` is added to each path, for files.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Setback Scorekeeper",
            "version": "1",
            "summary": "Results of open clubs. Read-only, without a key, from any website.",
            "description": (
                "Every response has an ETag. Send it back in If-None-Match: 304 means that nothing has changed. "
                "Every error is JSON with a sentence, also 404 for an unknown path and 405 for another method. "
                "Fields may be added; none is changed or removed in version 1."
            ),
        },
        "servers": [{"url": server}],
        "security": [],
        "paths": {path + ending: {"get": _operation(path, *answer)} for path, answer in ANSWERS.items()},
        "components": {"schemas": dict(SCHEMAS)},
    }


def _operation(path: str, summary: str, answer: Schema) -> Schema:
    content = {"application/json": {"schema": answer}}
    errors = {"application/json": {"schema": _ref("Error")}}
    places = [{"name": name, "in": "path", "required": True, "schema": PLACES[name]} for name in _places(path)]
    paging = [{"name": "page", "in": "query", "schema": {**FROM_1, "maximum": LAST_PAGE}}] if path in PAGED else []
    return {
        "operationId": "_".join(["get", *(part.strip("{}") for part in path.strip("/").split("/"))]),
        "summary": summary,
        "parameters": [*places, *paging],
        "responses": {
            "200": {"description": "Found.", "content": content},
            "304": {"description": "Not changed since the ETag in If-None-Match."},
            "429": {"description": "Too many requests. Wait a moment.", "content": errors},
            "503": {"description": "The server is busy, or the operator is working on it.", "content": errors},
            **({"400": {"description": "page isn't such a number.", "content": errors}} if paging else {}),
            **({"404": {"description": "No such open club, season or night.", "content": errors}} if places else {}),
        },
    }


def _places(path: str) -> list[str]:
    return [part.strip("{}") for part in path.split("/") if part.startswith("{")]
