"""View models for the pages about teams and playoffs, and for the page from which a night is run (its desk)."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.access import LeagueHead
from scorekeeper.leagues.standings.pages import Division

COLUMNS: Mapping[str, str] = {
    "points": N_("Points"),
    "matches": N_("Matches"),
    "wins": N_("Wins"),
    "losses": N_("Losses"),
    "ties": N_("Ties"),
    "difference": N_("Point differential"),
}
"""Maps the key that a number of a team has in files and in the API to the heading of that number."""


class MatchLine(Struct, frozen=True):
    """A match between two teams.

    `night` is the public id of the night on which the match is or was played. `night` is empty if no night has been
    chosen yet, or if the page doesn't link to the night.
    """

    id: str
    home: str
    away: str
    score: str
    """Score in words, empty before the night is closed. Some pages show the numbers of the match's tables instead."""
    night: str
    tonight: bool = False
    """On the page from which a night is run, True if the match is on that night. Always False on other pages."""
    forfeit: str = ""
    """Sentence that names the team that forfeited the match, such as "Owls forfeited."; "" for any other match."""


class MatchDay(Struct, frozen=True):
    title: str
    matches: tuple[MatchLine, ...]


class SquadCard(Struct, frozen=True):
    """A team with its players. The captain is first."""

    id: str
    name: str
    division: str
    players: tuple[str, ...]


class TeamsPage(Struct, frozen=True):
    league: LeagueHead
    season_id: str
    season: str
    closed: bool
    rule: tuple[str, ...]
    """Sentences about how matches and standings are counted."""
    divisions: tuple[Division, ...]
    days: tuple[MatchDay, ...]
    squads: tuple[SquadCard, ...]
    has_playoffs: bool
    text: str
    """The standings as a message, empty before the matches are made."""
    client_id: str
    error: str = ""
    part: str = ""
    """The form at which `error` is shown: the public id of a team, "new" for a new team, or "matches"."""

    @property
    def may_edit(self) -> bool:
        """Return whether the reader may change teams."""
        return self.league.owns and not self.closed


class Seed(Struct, frozen=True):
    """A person, pair or team in the playoffs, with its seed number. Seed 1 is the best."""

    number: int
    name: str
    person: str
    """Public id of the person (or of one of the pair) if they can still be replaced, else empty."""


class OutdatedPlayoffs(Struct, frozen=True):
    """Seeds or a round of teams that no longer fit what they were built on, so that a director has to decide.

    `says` is a sentence that names what would be different now. `gone` are the started tables that are removed if the
    playoffs are played again from there, each as its id and its title. `removed` says which nights are then removed.
    `stage` is the number of the round, 0 for seeds.
    """

    says: str
    gone: tuple[tuple[int, str], ...]
    removed: str
    stage: int


class LineupChoice(Struct, frozen=True):
    """A person who can be in a lineup. `note` marks a substitute, and a player of the team who isn't here."""

    id: str
    name: str
    note: str


class LineupChoices(Struct, frozen=True):
    """The lineup for one side of a match, with the people to choose from.

    `side` is 0 for home or 1 for visitors. `size` is the number of players needed. `chosen` has the public ids of the
    players in the lineup. `choices` has the people who can be chosen.
    """

    match: str
    side: int
    team: str
    size: int
    chosen: tuple[str, ...]
    choices: tuple[LineupChoice, ...]

    @property
    def missing(self) -> int:
        """Return how many more players the lineup needs."""
        return self.size - len(self.chosen)


class DeskMatches(Struct, frozen=True):
    """The section about team matches on the page from which a night is run (its desk).

    `matches` are the regular matches that are on this night or have no night yet. It has no playoff matches. `lineups`
    has the players of each side of each match on this night.
    """

    matches: tuple[MatchLine, ...]
    lineups: tuple[LineupChoices, ...]
    may_choose: bool
    forfeits: tuple[MatchLine, ...] = ()
    """The forfeited matches of the night."""
    playing: tuple[tuple[str, str], ...] = ()
    """Public id and name of each team that plays tonight and can still be replaced; empty except in the playoffs."""
    waiting: tuple[tuple[str, str], ...] = ()
    """Public id and name of each team that can replace one of `playing`, in the order of the standings."""


class DeskSeeds(Struct, frozen=True):
    """The section about the seeds of the playoffs on the page from which a night is run (its desk)."""

    seeds: tuple[Seed, ...]
    season_id: str
    replaced: str
    """Sentence that says who gets a place in the playoffs if a qualifier can't play."""
