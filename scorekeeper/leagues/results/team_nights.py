"""The matches of a night of fixed teams, as the results of a night need them. The package `teams` reads them."""

from collections.abc import Callable

from msgspec import Struct

from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.results.pages import TeamMatch
from scorekeeper.leagues.standings.night_snapshot import Seen


class TeamNight(Struct, frozen=True):
    """The matches of a night of fixed teams, in the order of their tables.

    `champion` is the name of the team that won the playoffs on this night, or "". `rule` has sentences about how a
    match is decided.
    """

    matches: tuple[TeamMatch, ...]
    champion: str
    rule: tuple[str, ...]


NO_TEAMS = TeamNight((), "", ())
Reader = Callable[[Seen], TeamNight]
_readers: list[Reader] = []


def reads_team_night(reader: Reader) -> Reader:
    """Register the function that reads the matches of a night, as `team_night_of` returns them; return it."""
    _readers.append(reader)
    return reader


def team_night_of(at: Seen) -> TeamNight:
    """Return the matches of the night in the snapshot `at`, or `NO_TEAMS` if it isn't a night of team matches."""
    return next((told for reader in _readers if (told := reader(at)).matches), NO_TEAMS)


def teams_champion_line(at: Seen) -> str:
    """Return a line such as "Champions: Owls" if the playoffs of fixed teams were decided on the night; else ""."""
    name = team_night_of(at).champion
    return _("Champions: %(names)s", names=isolated(name)) if name else ""
