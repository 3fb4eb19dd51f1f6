"""Read the page that shows how the games of a season would have ended with other rules, for its directors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.what_if import MOST_HANDS, rule_words
from scorekeeper.games.store.event_store import replay_many
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.ruleset_labels import rules_line
from scorekeeper.insight.what_if import Comparison, compare, played_hands
from scorekeeper.leagues.core.access import NoSuchLeagueError, demand, season_at
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.statistics.pages import OtherRulesPage, SeasonByRule
from scorekeeper.rules.game import Game
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.extensions import db

MOST_EVENTS = 10_000
"""Most events in the logs of the games on one page, about 300 usual games; of more, the newest games are compared."""
ENOUGH = 20
"""Minimum number of games for a percentage."""


def other_rules_page(season_id: str, device: str | None, night_id: str = "") -> OtherRulesPage:
    """Return the page that compares a season's games with other rules.

    Games of closed nights count if their hands were recorded and ended them. If games of the season had different
    rules, only those with the most frequent rules count. `night_id` is the public id of a closed night of the season,
    or "" for all of them.

    Raises `NoSuchLeagueError`, or `NotAllowedError` if the device belongs to neither a director nor an owner.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    demand(league, device, Role.DIRECTOR)
    head = head_of(league, device)
    closed = select(NightRow).where(NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    nights = {night.public_id: night for night in session.scalars(closed.order_by(NightRow.number))}
    if night_id and night_id not in nights:
        raise NoSuchLeagueError
    games, total = _games(session, season, nights[night_id] if night_id else None)
    names = {key: _("Night %(number)s", number=night.number) for key, night in nights.items()}
    rules = Counter(_apart_from_seats(game) for game in games)
    usual = max(rules, key=lambda each: rules[each], default=None)
    told = compare((game.table, played_hands(game)) for game in games if _apart_from_seats(game) == usual)
    return OtherRulesPage(
        league=head,
        season_id=season.public_id,
        season=season.name,
        games=told[0].games if told else 0,
        total=total,
        enough=ENOUGH,
        lines=tuple(_line(each) for each in told),
        night=names.get(night_id, ""),
        nights=tuple(names.items()),
    )


def _games(session: Session, season: SeasonRow, night: NightRow | None) -> tuple[Sequence[Game], int]:
    """Return the newest games of a season's closed nights, and how many games of these nights have recorded hands.

    If `night` is given, only its games count.
    """
    query = (
        select(GameRow.id, GameRow.hands, GameRow.version)
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(NightRow.season_id == season.id, TableRow.points.is_not(None))  # only a closed night has points
        .where(GameRow.deleted_at.is_(None), GameRow.over, GameRow.hands > 0)
    )
    if night is not None:
        query = query.where(NightRow.id == night.id)
    chosen, events = [], 0
    # Sorted here: for a sorted query, PostgreSQL may read the games of all leagues.
    found = sorted(session.execute(query), key=lambda row: row.id, reverse=True)
    for row in found:
        if row.hands <= MOST_HANDS and events + row.version <= MOST_EVENTS:
            chosen.append(row.id)
            events += row.version
    return [game for game in replay_many(session, chosen) if game.hands], len(found)


def _apart_from_seats(game: Game) -> Ruleset:
    """Return the rules of a game without what the number of players decides."""
    return replace(game.table.rules, called_partner=False)


def _line(told: Comparison) -> SeasonByRule:
    ours = not told.option
    over = told.games - told.undecided
    rule = rules_line(told.rules) if ours else rule_words(told.option, told.value, told.rules)
    return SeasonByRule(
        rule=_("As played: %(rules)s", rules=rule) if ours else rule,
        effect="" if ours else _effect(told),
        hands=f"{told.hands / told.games:.1f}{'+' if told.undecided else ''}",
        dealer=f"{round(100 * told.dealer_won / over)}%" if over >= ENOUGH and not told.undecided else "–",
    )


def _effect(told: Comparison) -> str:
    counts = (
        (told.another, ngettext("%(num)s different winner", "%(num)s different winners", told.another)),
        (told.nobody, ngettext("%(num)s without a winner", "%(num)s without a winner", told.nobody)),
        (told.undecided, ngettext("%(num)s not over yet", "%(num)s not over yet", told.undecided)),
    )
    return ", ".join(words for count, words in counts if count) or _("same winners")
