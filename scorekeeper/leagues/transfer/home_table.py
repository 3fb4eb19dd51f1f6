"""Decide which people, seasons and games a league gets if it is made from a home table (a group that plays at home).

Describe the league that would be made from a home table, for the preview.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace

from msgspec import Struct, structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.table_games import STOPPED, TableGame
from scorekeeper.games.logic.statistics.table_statistics import evenings_of
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.store.home_games import games_at
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import ngettext, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.schedule.night_plan import MOST_ROUNDS
from scorekeeper.leagues.transfer.queries import HomeSeasonLine
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomeTableRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import sides_of

MOST_GAMES = 1_000
"""Maximum number of games of a new league.

All of them are saved in one transaction, and other changes must wait until the transaction ends.
"""
HIDDEN, UNFINISHED, UNKNOWN, SEATING, OLDER = "hidden", "unfinished", "unknown", "seating", "older"
"""Reasons why a game is left out of the league.

`HIDDEN`: The game is hidden at the home table. `UNFINISHED`: It has no result. `UNKNOWN`: Its rules or a player is
unknown, or one person has two seats. `SEATING`: A league can't seat the sides in this way. `OLDER`: The new league has
`MOST_GAMES` newer games.
"""

Seats = tuple[tuple[int, ...], ...]


class LooksOnlyError(Exception):
    """The phone may view its home table, but isn't allowed to keep score there."""


class NoHomeTableError(Exception):
    """The phone doesn't belong to a home table."""


class HomeSeason(Struct, frozen=True):
    """The games of a home table with the same rules, in the order of play. They become a season of the league.

    `key` is the value that forms send for the season."""

    key: str
    rules: Ruleset
    games: tuple[TableGame, ...]

    @property
    def nights(self) -> tuple[tuple[TableGame, ...], ...]:
        """Return the games of each night, oldest night first.

        The games of one evening become one night of the league, or several nights if there are more than `MOST_ROUNDS`.
        """
        return tuple(
            evening[first : first + MOST_ROUNDS]
            for evening in reversed(evenings_of(self.games))
            for first in range(0, len(evening), MOST_ROUNDS)
        )


class HomePlan(Struct, frozen=True):
    """The contents of a league that is made from a home table.

    `table` is the id of the home table. `choices` are the seasons to choose from, and `seasons` are the chosen ones.
    `people` has the names of everyone at the home table by id. `left` has the number of games left out, by reason.
    """

    table: int
    name: str
    choices: tuple[HomeSeason, ...]
    seasons: tuple[HomeSeason, ...]
    people: Mapping[int, str]
    left: Mapping[str, int]

    @property
    def games(self) -> tuple[TableGame, ...]:
        """Return all games that are copied to the league."""
        return tuple(game for season in self.seasons for game in season.games)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the sorted names of the players who had a seat when one of these games ended."""
        there = {person for game in self.games for person in game.people}
        return tuple(sorted(name for person, name in self.people.items() if person in there))

    @property
    def seen(self) -> str:
        """Return a hash that changes if the games or the players' names change."""
        told = [[season.key, [(game.id, game.totals, game.winner) for game in season.games]] for season in self.seasons]
        return hashlib.sha256(repr((told, self.players)).encode()).hexdigest()[:16]


def plan_of(session: Session, device: str | None, choice: str = "") -> HomePlan:
    """Return what a league made from the phone's current home table would contain.

    `choice` is the key of the only season to copy. If it is empty or unknown, all are copied. Raises `NoHomeTableError`
    or `LooksOnlyError`.
    """
    table = current_table(session, device)
    if table is None:
        raise NoHomeTableError
    at = select(HomePhoneRow.may_score).where(HomePhoneRow.table_id == table, HomePhoneRow.device == device)
    if not session.scalars(at).one():
        raise LooksOnlyError
    log = games_at(session, table)
    seats = _seats(session, table)
    by_rules: defaultdict[tuple[str, str], list[TableGame]] = defaultdict(list)
    left: Counter[str] = Counter()
    for game in log.games:
        rules = _rules(game, log.rules)
        reason = UNKNOWN if rules is None else _why_not(game, rules, seats[game.id])
        if reason:
            left[reason] += 1
        else:
            by_rules[game.preset, game.rules].append(game)
    choices = tuple(_seasons(by_rules, log.rules))
    chosen = tuple(season for season in choices if season.key == choice) or choices
    seasons = tuple(_latest(chosen))
    left[OLDER] = sum(len(season.games) for season in chosen) - sum(len(season.games) for season in seasons)
    people = select(HomePersonRow.id, HomePersonRow.name).where(
        HomePersonRow.table_id == table, HomePersonRow.joined_into.is_(None)
    )
    names = {person: name for person, name in session.execute(people)}  # noqa: C416
    return HomePlan(table, session.get_one(HomeTableRow, table).name, choices, seasons, names, +left)


def _seats(session: Session, table: int) -> Mapping[str, Seats]:
    query = select(GameRow.public_id, GameRow.sides).where(GameRow.home_table_id == table, GameRow.deleted_at.is_(None))
    return {game: tuple(map(tuple, sides)) for game, sides in session.execute(query)}


def _rules(game: TableGame, known: Mapping[tuple[str, str], Mapping[str, object]]) -> Ruleset | None:
    return with_options(PRESETS[game.preset], known[game.preset, game.rules]) if game.preset in PRESETS else None


def _why_not(game: TableGame, rules: Ruleset, seats: Seats) -> str:
    """Return why a game is left out of the new league, or an empty string if the game is copied."""
    if game.hidden:
        return HIDDEN
    if not game.over or game.ended_by == STOPPED:
        return UNFINISHED
    if not game.known:
        return UNKNOWN
    # A league seats its tables as the rules do.
    return "" if any(sides_of(seating) == seats for seating in rules.seatings) else SEATING


def _seasons(
    by_rules: Mapping[tuple[str, str], Sequence[TableGame]], known: Mapping[tuple[str, str], Mapping[str, object]]
) -> Iterator[HomeSeason]:
    for (preset, key), games in by_rules.items():
        rules = with_options(PRESETS[preset], known[preset, key])
        yield HomeSeason(f"{preset}:{key}", rules, tuple(games))


def _latest(seasons: Sequence[HomeSeason]) -> Iterator[HomeSeason]:
    """Yield the seasons, but only with the latest `MOST_GAMES` games of all seasons together."""
    games = sorted((game for season in seasons for game in season.games), key=lambda game: (game.began, game.id))
    kept = {game.id for game in games[-MOST_GAMES:]}
    for season in seasons:
        latest = tuple(game for game in season.games if game.id in kept)
        if latest:
            yield structs.replace(season, games=latest)


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


def home_league_page(plan: HomePlan, choice: str, error: str = "") -> SimpleNamespace:
    """Return the preview page of the league that would be made from a home table.

    `choice` is the key of the chosen season. If it is empty or unknown, all seasons are chosen.
    """
    return SimpleNamespace(
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
