"""The current bracket of a knockout: seeds, teams that are out, and the champion.

Read a night with its tables from the database.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.i18n.sentences import number as spelled
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    TableRow,
)
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT, Pairing, bracket, champion, pairings, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.pages import BracketGame, BracketRound, BracketSide
from scorekeeper.leagues.standings.table_results import TableState, begun_of, byes_of, plans_of, results_of, tables_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db


class Bracket(Struct, frozen=True):
    """The teams of a knockout, and how far each team got.

    `seeds` lists the teams by seed, top seed first. `placed` lists the teams in groups by how far they got, best group
    first (see `knockout.placed`).
    """

    seeds: tuple[Unit, ...]
    placed: tuple[tuple[Unit, ...], ...]
    champion: Unit
    """The team that won the knockout; () until that is decided."""
    rounds: tuple[tuple[Pairing, ...], ...]
    """All rounds up to the final, as in a picture (`knockout.pairings`)."""

    @property
    def out(self) -> frozenset[int]:
        """Return the ids of the people who have no more games.

        These are the people who were knocked out. Once there is a champion, the people of the champion team are
        included.
        """
        over = self.placed if self.champion else self.placed[1:]
        return frozenset(person for group in over for team in group for person in team)

    @property
    def has_third(self) -> bool:
        """Return whether there was a game for third place."""
        return any(game.third for games in self.rounds for game in games)

    @property
    def forfeited(self) -> bool:
        """Return whether the champion won without a final because all others still in went home."""
        return bool(self.champion) and self.rounds[-1][0].through is not None

    @property
    def free(self) -> tuple[Unit, ...]:
        """Return the teams with a bye in the first round, best seed first."""
        return self.seeds[: len(bracket(len(self.seeds))) - len(self.seeds)]


def bracket_of(
    session: Session, night: NightRow, tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]
) -> Bracket | None:
    """Return the bracket of a knockout night; None if its teams can't form one, for example because their sizes differ.

    `tables` are the tables of the night, and `byes` has the ids of the people sitting out, by round. Takes one query.
    """
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == night.id).order_by(PresentRow.id)).all()
    plan = NightPlan.from_json(night.plan)
    begun = begun_of(night, tables)
    state = Night(
        people=tuple(row.person_id for row in present if row.to_round is None),
        past=plans_of(tables, byes)[:begun],
        results=tuple(results_of(tables, number) for number in range(1, begun + 1)),
        # A team keeps its seed if only one of its people is left of it.
        teams=teams_of(present, alone=plan.together == "alone" or begun > 0),
        options=plan.options,
    )
    try:
        return Bracket(state.teams, placed(state), champion(state), pairings(state))
    except RuleViolation:
        return None


def teams_of(present: Sequence[PresentRow], *, alone: bool = False) -> tuple[Unit, ...]:
    """Return the teams of fixed partners among the check-ins `present`, in the order in which the teams were made.

    Each team has the ids of its people. With `alone`, teams of one person are included, as in a singles knockout.
    """
    teams: defaultdict[int, list[int]] = defaultdict(list)
    for row in present:
        if row.team is not None:
            teams[row.team].append(row.person_id)
    return tuple(tuple(sorted(teams[number])) for number in sorted(teams) if alone or len(teams[number]) > 1)


def picture(
    rounds: Sequence[Sequence[Pairing]],
    name: Callable[[int], str],
    scores: Callable[[int, int], tuple[Sequence[str], int | None]],
) -> tuple[BracketRound, ...]:
    """Return the picture of a bracket. `name` returns the name of the team with a seed, from 0.

    `scores` returns the scores by side, if any, and the side that won or None, for a round and a table, from 1.
    """

    def game(number: int, pairing: Pairing) -> BracketGame:
        points, winner = scores(number, pairing.table) if pairing.table else ((), None)
        sides = tuple(
            BracketSide(
                "" if seed is None else name(seed),
                points[side] if points else "",
                winner == side or (seed is not None and seed == pairing.through),
            )
            for side, seed in enumerate(pairing.seeds[: 1 if pairing.bye else 2])
        )
        label = _("Forfeit") if pairing.through is not None else _("Bye") if pairing.bye else ""
        return BracketGame(sides, _("Third-place game") if pairing.third else label)

    return tuple(
        BracketRound(
            _("Final round") if number == len(rounds) else _("Round %(number)s", number=number),
            tuple(game(number, pairing) for pairing in pairings),
        )
        for number, pairings in enumerate(rounds, start=1)
    )


def night_picture(
    bracket: Bracket | None, tables: Sequence[TableState], name: Callable[[int], str]
) -> tuple[BracketRound, ...]:
    """Return the picture of a knockout night's bracket, or () for another night. `name` returns a person's name."""
    if bracket is None:
        return ()
    by_place = {(table.round, table.number): table for table in tables}

    def scores(number: int, table: int) -> tuple[Sequence[str], int | None]:
        at = by_place[number, table]
        points = [spelled(each) for each in at.points] if at.game else []
        return points, at.verdict.winner if at.verdict is not None else None

    return picture(bracket.rounds, lambda seed: join_names([name(person) for person in bracket.seeds[seed]]), scores)


class Known(Struct, frozen=True):
    """A person of a league. For a merged person, the fields describe the person they were merged into."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    merged: bool


class Seen(Struct, frozen=True):
    """A snapshot of a night, as read from the database.

    A snapshot contains database rows, so only code that reads the database may use it. Pages get view models instead.
    """

    league: LeagueRow
    season: SeasonRow
    night: NightRow
    plan: NightPlan
    tables: tuple[TableState, ...]
    byes: Mapping[int, tuple[int, ...]]
    people: Mapping[int, Known]
    """Everyone in the league, by id."""
    bracket: Bracket | None = None
    """The bracket of a knockout; None for other formats, or if the teams can't form one."""

    @property
    def last(self) -> int:
        """Return the number of the last round that has a seating, or 0 if no round has one."""
        return max((table.round for table in self.tables), default=0)

    @property
    def begun(self) -> int:
        """Return the number of the last round that was started, or 0 if no round was started."""
        return begun_of(self.night, self.tables)

    @property
    def now(self) -> int:
        """Return the number of the current round.

        The current round is the last round that was started. Once all tables of the last started round are done, the
        next round is the current one, if it has a seating.
        """
        begun = self.begun
        over = all(table.done for table in self.tables if table.round == begun)
        return min(begun + 1 if over else begun, self.last)


def night_version(night: str) -> str:
    """Return a hash that changes whenever the night's pages change. Raises `NoSuchLeagueError`."""
    session = db.session()
    row = night_at(session, night)
    # Renaming a person or season is in the league's log, like everything done at the desk.
    league = select(SeasonRow.league_id).where(SeasonRow.id == row.season_id).scalar_subquery()
    logged = session.scalar(select(func.max(LeagueEventRow.id)).where(LeagueEventRow.league_id == league))
    # A game's version only grows, and cleared tables had no game.
    games = select(func.sum(GameRow.version)).join(TableRow, TableRow.game_id == GameRow.id)
    # The next night is on the page until its date is over.
    today = datetime.now(UTC).date()
    state = repr((logged, row.version, session.scalar(games.where(TableRow.night_id == row.id)), today))
    return hashlib.sha256(state.encode()).hexdigest()[:12]


def seen(night: str) -> Seen:
    """Return a snapshot of the night with this public id. Raises `NoSuchLeagueError`."""
    session = db.session()
    row = night_at(session, night)
    season = session.get_one(SeasonRow, row.season_id)
    league = session.get_one(LeagueRow, season.league_id)
    plan, tables, byes = NightPlan.from_json(row.plan), tables_of(session, row), byes_of(session, row)
    return Seen(
        league=league,
        season=season,
        night=row,
        plan=plan,
        tables=tables,
        byes=byes,
        people=people_of(session, league.id),
        bracket=bracket_of(session, row, tables, byes) if plan.format == KNOCKOUT.key else None,
    )


def people_of(session: Session, league: int) -> Mapping[int, Known]:
    """Return everyone in a league by id. For the id of a merged person, return the person they were merged into."""
    rows = session.scalars(select(PersonRow).where(PersonRow.league_id == league)).all()
    by_id = {row.id: row for row in rows}
    known = {}
    for row in rows:
        real = by_id[row.merged_into or row.id]
        known[row.id] = Known(
            real.id, real.public_id, real.name, real.nickname, real.active, row.merged_into is not None
        )
    return known


def called(people: Mapping[int, Known], ids: Sequence[int]) -> Mapping[int, str]:
    """Return a dict from each person's id in `ids` to the name that is shown for the person on a night.

    A person's nickname is shown if they have one and nobody else is shown under the same name. Otherwise, their full
    name is shown.
    """
    short = {person: people[person].nickname or people[person].name for person in ids}
    keys = [name.casefold() for name in short.values()]
    return {person: name if keys.count(name.casefold()) == 1 else people[person].name for person, name in short.items()}


def champion_line(at: Seen, names: Mapping[int, str]) -> str:
    """Return who won a knockout, as "Champions: Ann and Bob", or as "Champion: Ann" in singles.

    Return an empty string until the knockout is decided, and for a night that isn't a knockout.
    """
    won = at.bracket.champion if at.bracket else ()
    if not won:
        return ""
    called = join_names([isolated(names[person]) for person in won])
    return _("Champion: %(name)s", name=called) if len(won) == 1 else _("Champions: %(names)s", names=called)


def bracket_on(at: Seen, names: Mapping[int, str]) -> tuple[BracketRound, ...]:
    """Return the picture of a knockout's bracket, or () for a night that isn't one. `names` are those of `names_on`."""
    return night_picture(at.bracket, at.tables, lambda person: names.get(person) or at.people[person].name)


def names_on(at: Seen) -> Mapping[int, str]:
    """Return the names shown on the night, by id of the person.

    Names are returned for all seated players, for people with a bye, for regulars who have a substitute, and for the
    champions.
    """
    ids = {person for table in at.tables for person in (*table.seats, *table.subs.values())}
    ids |= set(at.bracket.champion) if at.bracket else set()
    return called(at.people, sorted(ids.union(*at.byes.values())))
