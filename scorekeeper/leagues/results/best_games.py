"""Read the games of a night, and sort them by how far the chances of winning moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING

from msgspec import Struct
from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.game_odds import MOST_HANDS, chances, has_odds
from scorekeeper.games.presenters.odds import hands_text, percent
from scorekeeper.games.store.event_store import replay_many
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import score_text
from scorekeeper.insight.model import prior_hands
from scorekeeper.insight.odds import is_solved, solved
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import TableRow
from scorekeeper.leagues.results.pages import NightGame
from scorekeeper.leagues.results.queries import recorded
from scorekeeper.leagues.results.wording import unit_name
from scorekeeper.leagues.standings.night_snapshot import Seen, names_on, night_version, seen
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.rules.events import RulesChanged
from scorekeeper.rules.game import Game
from scorekeeper.rules.table import Table
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text

if TYPE_CHECKING:
    from scorekeeper.insight.win_odds import WinOdds

LATER = N_("%(side)s beat %(others)s %(score)s. After hand %(hand)s, their chances were only %(low)s.")
AT_START = N_("%(side)s beat %(others)s %(score)s. Their chances were never lower than at the start: %(low)s.")
"""`LATER` and `AT_START` tell a game in a sentence, by when the winners' chances were lowest."""
MOST_EVENTS = 5_000
"""Most events in the logs of the games on one page, about 150 usual games; of more, the newest are shown."""
MOST_TABLES = 2
"""Most different rules on one page, such as those of tables of four and of six; the most frequent ones are shown."""


class ComparableGames(Struct, frozen=True):
    """The games of a night that were played to the end by the rules, hand by hand, with their tables."""

    at: Seen
    games: tuple[tuple[TableState, Game], ...]
    rules: tuple[Table, ...]
    """The most frequent rules and seatings of these games, at most `MOST_TABLES`."""

    @property
    def unsolved(self) -> tuple[Table, ...]:
        """Return those of `rules` whose chances of winning this process has to calculate first."""
        return tuple(table for table in self.rules if not is_solved(table))


def best_games_version(night: str) -> str:
    """Return a hash that changes whenever the page changes. Raises `NoSuchLeagueError`."""
    session = db.session()
    row = night_at(session, night)
    hidden = (GameRow.unwatched_since, GameRow.deleted_at)
    query = select(*(each(column) for column in hidden for each in (func.count, func.max)))
    query = query.join(TableRow, TableRow.game_id == GameRow.id).where(TableRow.night_id == row.id)
    state = repr((night_version(night), tuple(session.execute(query).one())))
    return hashlib.sha256(state.encode()).hexdigest()[:12]


def games_of(night: str) -> ComparableGames:
    """Return the games of the night with this public id that can be compared.

    They are between two sides, over by the rules with a winner, can be watched, and their house rules never changed.
    Raises `NoSuchLeagueError`.
    """
    at = seen(night)
    played = {table.game: table for table in at.tables if table.game and recorded(table)}
    games = tuple(
        (table, game)
        for table, game in _replayed(db.session(), at, played)
        if _winner(game) is not None and len(game.table.sides) == 2
    )
    rules = Counter(game.table for _table, game in games if has_odds(game))
    return ComparableGames(at, games, tuple(table for table, _count in rules.most_common(MOST_TABLES)))


def best_games_page(night: ComparableGames) -> SimpleNamespace:
    """Return the page with these games, the one whose chances of winning moved most first.

    Raises `SolvingError` if another thread is calculating chances of winning at the moment.
    """
    at, names = night.at, names_on(night.at)
    known = {table: found for table in night.rules if (found := solved(table))}
    told = [
        _night_game(game, table, names, known[game.table][1])
        for table, game in night.games
        if game.table in known and has_odds(game)
    ]
    return SimpleNamespace(
        night_id=at.night.public_id,
        title=_("Results of night %(number)s", number=at.night.number),
        league=at.league.name,
        day=day_text(at.night.day),
        games=tuple(sorted(told, key=lambda each: each.moved, reverse=True)),
        total=sum(recorded(table) for table in at.tables),
        hands=hands_text(min((prior_hands(table) for table in known), default=0)),
    )


def _replayed(session: Session, at: Seen, tables: Mapping[str, TableState]) -> list[tuple[TableState, Game]]:
    """Return the tables with their replayed games, as far as the logs aren't too long.

    Changed house rules make a replay expensive, so such games are left out before they are read.
    """
    changed = exists().where(EventRow.game_id == GameRow.id, EventRow.kind == RulesChanged.__name__)
    query = (
        select(GameRow.id, GameRow.public_id, GameRow.version)
        .join(TableRow, TableRow.game_id == GameRow.id)
        .where(TableRow.night_id == at.night.id, GameRow.over, GameRow.winner.is_not(None), ~changed)
        .where(GameRow.deleted_at.is_(None), GameRow.unwatched_since.is_(None), GameRow.hands <= MOST_HANDS)
    )
    chosen, events = {}, 0
    for row, public_id, version in sorted(session.execute(query).all(), reverse=True):
        if public_id in tables and events + version <= MOST_EVENTS:
            chosen[row] = tables[public_id]
            events += version
    rows = sorted(chosen)
    return list(zip((chosen[row] for row in rows), replay_many(session, rows), strict=True))


def _winner(game: Game) -> int | None:
    """Return the side that won by the rules, or None if the players ended the game or nobody won."""
    outcome = game.tally.outcome
    return None if outcome is None else outcome.winner


def _night_game(game: Game, table: TableState, names: Mapping[int, str], odds: WinOdds) -> NightGame:
    winner = _winner(game)
    assert winner is not None
    around = chances(game, odds)
    ours = [before[winner] for before, _after in around]
    low = min(ours)
    hand = ours.index(low)
    sides = [unit_name(side, names) for side in table.plan.sides]
    score = score_text([game.tally.totals[winner], game.tally.totals[1 - winner]])
    told = {"side": sides[winner], "others": sides[1 - winner], "score": score, "low": percent(low), "hand": hand}
    return NightGame(
        id=table.game,
        where=_("Round %(round)s, table %(table)s", round=table.round, table=table.number),
        sides=_("%(side)s beat %(others)s", **told),
        score=score,
        moved=sum(abs(_points(after[0]) - _points(before[0])) for before, after in around),
        low=percent(low),
        story=_(LATER if hand else AT_START, **told),
    )


def _points(p: float) -> int:
    """Return a probability as the percentage that the page of the game shows, so that the two can't disagree."""
    return int(percent(p)[:-1])
