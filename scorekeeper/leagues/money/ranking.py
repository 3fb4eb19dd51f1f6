"""Rank a night for its prizes, and say why each prize went where it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.money.payout import Places, places_of
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.bracket import bracket_of
from scorekeeper.leagues.standings.counted_games import counted_on, played_on
from scorekeeper.leagues.standings.reasons import bracket_reason, reasons_for
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import SUBS, StandingSettings
from scorekeeper.leagues.standings.table_results import byes_of, tables_of
from scorekeeper.leagues.standings.tonight import rank_night
from scorekeeper.leagues.standings.wording import listed
from scorekeeper.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Ranking:
    """The units of a night by place, best first.

    `rows` has the row of each unit, empty for a knockout, which has a bracket instead; `over` says that its final was
    played. `subs` has the regulars that people played for, all by id.
    """

    places: Places
    settings: StandingSettings
    rows: Mapping[Unit, StandingRow]
    subs: Mapping[int, int]
    over: bool = True


def ranking_of(session: Session, season: SeasonRow, night: NightRow) -> Ranking:
    """Return the ranking of one closed night alone; five queries, and a few more for a knockout."""
    plan, settings = NightPlan.from_json(night.plan), StandingSettings.from_json(season.counting)
    played = tuple(played_on(counted_on(session, night, ()), {}))
    subs = {game.person: game.sub_for for game in played if game.sub_for is not None}
    if plan.format == KNOCKOUT.key:
        bracket = bracket_of(session, night, tables_of(session, night), byes_of(session, night))
        if bracket is None or len(bracket.placed) < 2:
            return Ranking((), settings, {}, subs)  # nobody is placed before a round is over
        return Ranking(bracket.placed, settings, {}, subs, bool(bracket.champion))
    rows = rank_night(played, settings, name=season.public_id, teams=plan.partners_stay)
    return Ranking(places_of(rows), settings, {row.unit: row for row in rows}, subs)


@dataclass(frozen=True, slots=True)
class PrizeReason:
    """Why those in a place got its prize: their names, and sentences."""

    place: int
    who: str
    why: tuple[Phrase, ...]


def prize_reasons(ranking: Ranking, paid: Iterable[int], name: Callable[[int], str]) -> tuple[PrizeReason, ...]:
    """Return a reason for each place that was `paid` a prize, best first; `name` names a person (id) in a sentence."""
    wanted, place, reasons = frozenset(paid), 1, []
    names = {unit: listed([name(person) for person in unit]) for group in ranking.places for unit in group}
    for index, group in enumerate(ranking.places):
        if place in wanted:
            who = listed([names[unit] for unit in group])
            reasons.append(PrizeReason(place, who, (*_why(ranking, index, names), *_stand_ins(ranking, group, name))))
        place += len(group)
    return tuple(reasons)


def _why(ranking: Ranking, index: int, names: Mapping[Unit, str]) -> Iterable[Phrase]:
    if not ranking.rows:
        return (bracket_reason(index, len(ranking.places), over=ranking.over),)
    order = ranking.settings.order
    return dict.fromkeys(why for unit in ranking.places[index] for why in reasons_for(ranking.rows[unit], names, order))


def _stand_ins(ranking: Ranking, group: Iterable[Unit], name: Callable[[int], str]) -> Iterable[Phrase]:
    """Yield whom the winners played for, and for whom those games count in the standings."""
    for person in (person for unit in group for person in unit if person in ranking.subs):
        yield Phrase(
            "%(name)s played for %(regular)s. The prize goes to the player who was there.",
            name=name(person),
            regular=name(ranking.subs[person]),
        )
        yield SUBS[ranking.settings.subs]
