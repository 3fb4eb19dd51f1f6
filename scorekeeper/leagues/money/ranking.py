"""Find the people who pay the entry fee of a night. A regular and their substitute pay one fee together.

Rank a night for its prizes, and give the reasons for each prize.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct
from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.leagues.core.models import NightRow, PresentRow, SeasonRow
from scorekeeper.leagues.money.takings import Places, places_of
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.counted_games import counted_on, played_on
from scorekeeper.leagues.standings.night_snapshot import Bracket, bracket_of
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import SUBS, StandingSettings
from scorekeeper.leagues.standings.table import rank_night
from scorekeeper.leagues.standings.table_results import byes_of, tables_of
from scorekeeper.leagues.standings.wording import bracket_reason, listed, reasons_for
from scorekeeper.rules.phrase import Phrase


def fee_payers(session: Session, nights: Collection[int]) -> list[tuple[int, int]]:
    """Return a (night, person) pair of row ids for each entry fee that is due, in the order of check-in.

    Everybody who was checked in pays, with one exception. A regular's substitute doesn't pay if the regular was checked
    in on the same night, because the regular pays for both. The function runs a single query.
    """
    regular = aliased(PresentRow)
    shares = exists().where(regular.night_id == PresentRow.night_id, regular.person_id == PresentRow.sub_for)
    query = select(PresentRow.night_id, PresentRow.person_id).where(PresentRow.night_id.in_(nights), ~shares)
    return [(night, person) for night, person in session.execute(query.order_by(PresentRow.id))]


class Ranking(Struct, frozen=True):
    """The ranking of a night: the people or teams in each place, best place first.

    `rows` has the row of the standings for each person or team. For a knockout, `rows` is empty, since the bracket
    decides the places. `over` is False for a knockout without a champion. `subs` maps the id of each substitute
    to the id of the regular they played for.
    """

    places: Places
    settings: StandingSettings
    rows: Mapping[Unit, StandingRow]
    subs: Mapping[int, int]
    over: bool = True
    third: bool = False
    """True if a game for third place was played."""
    forfeit: bool = False
    """True if the champion won a knockout without a final (`Bracket.forfeited`)."""


def ranking_of(session: Session, season: SeasonRow, night: NightRow) -> Ranking:
    """Rank the people or teams of a closed night by the games of that night, and return the ranking.

    Takes five queries, and a few more for a knockout.
    """
    plan, settings = NightPlan.from_json(night.plan), StandingSettings.from_json(season.counting)
    played = tuple(played_on(counted_on(session, night, ()), {}))
    subs = {game.person: game.sub_for for game in played if game.sub_for is not None}
    if plan.format == KNOCKOUT.key:
        bracket = bracket_of(session, night, tables_of(session, night), byes_of(session, night))
        if bracket is None or len(bracket.placed) < 2:
            return Ranking((), settings, {}, subs)  # nobody is placed before a round is over
        return ranking_by(bracket, settings, subs)
    rows = rank_night(played, settings, name=season.public_id, teams=plan.partners_stay)
    return Ranking(places_of(rows), settings, {row.unit: row for row in rows}, subs)


def ranking_by(bracket: Bracket, settings: StandingSettings, subs: Mapping[int, int]) -> Ranking:
    """Return the ranking of a knockout by its bracket."""
    over, third = bool(bracket.champion), bracket.has_third
    return Ranking(bracket.placed, settings, {}, subs, over, third, bracket.forfeited)


class PrizeReason(Struct, frozen=True):
    """The reasons for the prize of one place.

    `who` names the people in that place, such as "Ann and Bob". `why` has the reasons, one sentence each.
    """

    place: int
    who: str
    why: tuple[Phrase, ...]


def prize_reasons(ranking: Ranking, paid: Iterable[int], name: Callable[[int], str]) -> tuple[PrizeReason, ...]:
    """Return the reasons for each place that got a prize, best place first.

    `paid` has the numbers of the places with a prize; first place is 1. `name` is called with the id of a person, and
    returns the person's name for use in a sentence.
    """
    wanted, place, reasons = frozenset(paid), 1, []
    names = {unit: listed([name(person) for person in unit]) for group in ranking.places for unit in group}
    for index, group in enumerate(ranking.places):
        if group and place in wanted:  # a bracket may have nobody in a place
            who = listed([names[unit] for unit in group])
            reasons.append(PrizeReason(place, who, (*_why(ranking, index, names), *_stand_ins(ranking, group, name))))
        place += len(group)
    return tuple(reasons)


def _why(ranking: Ranking, index: int, names: Mapping[Unit, str]) -> Iterable[Phrase]:
    if not ranking.rows:
        told = {"over": ranking.over, "third": ranking.third, "forfeit": ranking.forfeit}
        return (bracket_reason(index, len(ranking.places), **told),)
    order = ranking.settings.order
    return dict.fromkeys(why for unit in ranking.places[index] for why in reasons_for(ranking.rows[unit], names, order))


def _stand_ins(ranking: Ranking, group: Iterable[Unit], name: Callable[[int], str]) -> Iterable[Phrase]:
    """Yield two sentences for each person in `group` who was a substitute.

    The first sentence says which regular the substitute played for. The second sentence says whether a substitute's
    games count for the substitute, the regular, or both.
    """
    for person in (person for unit in group for person in unit if person in ranking.subs):
        yield Phrase(
            "%(name)s played for %(regular)s. The prize goes to the player who was there.",
            name=name(person),
            regular=name(ranking.subs[person]),
        )
        yield SUBS[ranking.settings.subs]
