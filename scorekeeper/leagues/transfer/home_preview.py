"""Describe the league that would be made from a home table, for the preview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

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
        "%(num)s game with an unknown player or the same player in two seats",
        "%(num)s games with an unknown player or the same player in two seats",
        games,
    ),
    SEATING: lambda games: ngettext(
        "%(num)s game with sides that leagues don't use",
        "%(num)s games with sides that leagues don't use",
        games,
    ),
    OLDER: lambda games: ngettext(
        "%(num)s older game (a new league can have %(most)s)",
        "%(num)s older games (a new league can have %(most)s)",
        games,
        most=MOST_GAMES,
    ),
}
"""Maps each reason why games are left out to a function that returns the text for a number of such games."""


def home_league_page(plan: HomePlan, choice: str, error: str = "") -> HomeLeaguePage:
    """Return the preview page of the league that would be made from a home table.

    `choice` is the key of the chosen season. If it is empty or unknown, all seasons are chosen.
    """
    return HomeLeaguePage(
        choices=tuple((season.key, _named(season)) for season in plan.choices) if len(plan.choices) > 1 else (),
        chosen=choice if choice in {season.key for season in plan.choices} else "",
        seasons=tuple(
            _season(season, name) for season, name in zip(plan.seasons, season_names(plan.seasons), strict=True)
        ),
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


def season_names(seasons: Sequence[HomeSeason]) -> list[str]:
    """Return a name for each season. A season is named after its game.

    A second season of the same game gets a number, such as "Pitch (2)".
    """
    taken: Counter[str] = Counter()
    names = []
    for season in seasons:
        taken[season.rules.preset] += 1
        name, number = spoken(season.rules.name), taken[season.rules.preset]
        names.append(name if number == 1 else f"{name} ({number})")
    return names


def _season(season: HomeSeason, name: str) -> HomeSeasonLine:
    nights, games = len(season.nights), len(season.games)
    counts = (
        ngettext("%(num)s night", "%(num)s nights", nights),
        ngettext("%(num)s game", "%(num)s games", games),
    )
    return HomeSeasonLine(name, _changed(season), ", ".join(counts))
