"""Put into words what a league made from a home table would have."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import ngettext, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.transfer.home_table import (
    HIDDEN,
    MOST_GAMES,
    OLDER,
    SEATING,
    UNFINISHED,
    UNKNOWN,
    HomePlan,
    HomeSeason,
)
from scorekeeper.leagues.transfer.pages import HomeLeaguePage, HomeSeasonLine

REASONS: Mapping[str, Callable[[int], str]] = {
    UNFINISHED: lambda games: ngettext(
        "%(num)s game that wasn't finished", "%(num)s games that weren't finished", games
    ),
    HIDDEN: lambda games: ngettext("%(num)s hidden game", "%(num)s hidden games", games),
    UNKNOWN: lambda games: ngettext(
        "%(num)s game with somebody who isn't known or sits there twice",
        "%(num)s games with somebody who isn't known or sits there twice",
        games,
    ),
    SEATING: lambda games: ngettext(
        "%(num)s game with a seating that leagues don't have",
        "%(num)s games with a seating that leagues don't have",
        games,
    ),
    OLDER: lambda games: ngettext(
        "%(num)s older game: a new league has room for %(most)s",
        "%(num)s older games: a new league has room for %(most)s",
        games,
        most=MOST_GAMES,
    ),
}
"""What stays out, by reason."""


def home_league_page(plan: HomePlan, choice: str, error: str = "") -> HomeLeaguePage:
    """Return the preview of a plan."""
    return HomeLeaguePage(
        choices=tuple((season.key, _named(season)) for season in plan.choices) if len(plan.choices) > 1 else (),
        chosen=choice if choice in {season.key for season in plan.choices} else "",
        seasons=tuple(_season(season) for season in plan.seasons),
        players=", ".join(map(isolated, plan.players)),
        left=tuple(says(plan.left[reason]) for reason, says in REASONS.items() if plan.left.get(reason)),
        seen=plan.seen,
        client_id=new_tap_id(),
        error=error,
    )


def _named(season: HomeSeason) -> str:
    changed = _changed(season)
    return f"{spoken(season.rules.name)}: {changed}" if changed else spoken(season.rules.name)


def _changed(season: HomeSeason) -> str:
    return " ".join(house_rules(season.rules))


def _season(season: HomeSeason) -> HomeSeasonLine:
    nights, games = len(season.nights), len(season.games)
    counts = (
        ngettext("%(num)s night", "%(num)s nights", nights),
        ngettext("%(num)s game", "%(num)s games", games),
    )
    return HomeSeasonLine(spoken(season.rules.name), _changed(season), ", ".join(counts))
