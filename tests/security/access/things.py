"""The objects that can be in an address, each with its name and its column in `relations.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.web.assets import current_version
from tests.security.access.world import CLUB, STATES, World

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.security.access.league import League, LeagueNight

NOWHERE = "nowhere"
Places = dict[str, str | int]

COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("open", "quiet", "calling", "over", "disputed"), "game"),
    **{name: name for name in ("unwatched", "deleted", "theirs", "table", "next", "shut", "table2")},
    **dict.fromkeys(
        (
            "league",
            "season",
            "past",
            "bare",
            "squads",
            "night",
            "later",
            "ended",
            "person",
            "calendar",
            "gone",
            "planned",
        ),
        "league",
    ),
    **dict.fromkeys(("league2", "season2", "night2", "person2", "planned2"), "league2"),
    NOWHERE: NOWHERE,
}
"""Maps the name of an object to the column of `relations.txt` that says what each role may do with the object."""
OTHERS: Mapping[str, tuple[str, ...]] = {
    "game_id": ("quiet", "unwatched", "deleted", "theirs", "table", "shut", "table2", NOWHERE),
    "league_id": ("league", "league2", NOWHERE),
    "season_id": ("season", "past", "season2", NOWHERE),
    "night_id": ("night", "next", "later", "ended", "night2", NOWHERE),
    "person_id": ("person", "gone", "person2", NOWHERE),
    "planned_id": ("planned", "planned2", NOWHERE),
}
"""Maps the name of an id in addresses to the names of objects whose ids are tried in all these addresses.

The object that is named in the line of `routes.txt` is tried, too.
"""


def game_named(thing: str) -> str:
    """Return the key in `World.games` for the object called `thing`, or "quiet" if that object isn't a game."""
    if thing in STATES or thing in ("table", "shut"):
        return thing
    return {"theirs": "other", "table2": "other-table", NOWHERE: "none"}.get(thing, "quiet")


def things_of(world: World) -> dict[str, Places]:
    """Return a dict that maps the name of each object to the variable parts of an address that contains the object.

    The variable parts are a dict of values by name, such as "game_id".
    """
    things: dict[str, Places] = {
        **{name: _game(world, game_named(name)) for name in (*STATES, "theirs", "table", "shut", "table2")},
        **_league(world, world.home, ""),
        **_league(world, world.away, "2"),
        "next": _night(world.home.night, table=1),
        "session": {"session_id": world.ids["session owner"]},
        "friend": {"player_id": world.words["friend"], "photo_id": world.words["face"]},
        "rules": {"rules_id": world.ids["rules starter"]},
        "opening": {"word": world.words["opening"]},
        "link": {"secret": world.words["link"]},
        "invitation": {"secret": world.words["invitation"]},
        "typed": {"code": "1-1-aaaaaaaa"},
        "preset": {"preset": "setback-21"},
        "topic": {"slug": "game"},
        "club": {"club": CLUB, "season": 3, "night": 1},
        "": {},
    }
    with world.app.test_request_context():
        things["file"] = {"version": current_version(), "filename": "icons/icon.svg"}
    things[NOWHERE] = {
        **_game(world, "none"),
        **dict.fromkeys(("league_id", "season_id", "night_id", "person_id", "planned_id"), "zzzzzzzzzz"),
        "number": 1,
        "table": 10**6,
        "word": "none",
        "photo": "none",
        "code": "none",
        "token": "none",
        "who": "people",
        "part": "people",
        "payment": 1,
        "squad_id": "none",
        "role_id": 1,
        "invitation_id": 1,
        "import_id": "zzzzzzzzzz",
        "file_id": "zzzzzzzzzz",
        "arrival_id": 1,
    }
    return things


def _game(world: World, name: str) -> Places:
    return {
        "game_id": world.games[name],
        "seq": 2,
        "report": 3,
        "photo": world.words["hand photo"],
        "phone_id": world.ids.get(f"phone {name}", 1),
    }


def _season(season: str) -> Places:
    return {"season_id": season, "who": "people", "squad_id": "none"}


def _night(night: LeagueNight, table: int = 0) -> Places:
    at = night.tables[table] if night.tables else 1
    return {"night_id": night.id, "number": 1, "word": night.card, "table": at, "arrival_id": 1, "part": "people"}


def _league(world: World, league: League, mark: str) -> dict[str, Places]:
    things: dict[str, Places] = {
        "league": {
            "league_id": league.id,
            "word": league.handover,
            "role_id": world.ids[f"role {'other-' if mark else ''}helper"],
            "invitation_id": world.ids[f"invitation {league.name}"],
            "import_id": league.brought_in,
            "file_id": "zzzzzzzzzz",
        },
        "season": {**_season(league.season), "payment": league.payments[0]},
        "past": {**_season(league.past), "payment": league.payments[1]},
        "bare": _season(league.bare),
        "squads": {"season_id": league.squads, "who": "people", "squad_id": league.squad},
        "night": _night(league.night),
        "later": _night(league.later),
        "ended": _night(league.over),
        "person": {"person_id": league.people[-1], "token": league.link},
        "calendar": {"person_id": league.people[-1], "token": league.calendar},
        "gone": {"person_id": league.gone, "token": "none"},
        "planned": {"planned_id": league.planned},
    }
    return {f"{name}{mark}": places for name, places in things.items() if f"{name}{mark}" in COLUMNS}
