"""Say in sentences who has qualified for the playoffs, who is out, and what the others need."""

from __future__ import annotations

from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.pages import RacePart
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.race import Left, Outlook, race
from scorekeeper.leagues.standings.standings_cache import SeasonStandings
from scorekeeper.leagues.standings.wording import whole
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options


def race_part(season: SeasonRow, standings: SeasonStandings) -> RacePart | None:
    """Return the section about the playoff race for the season page, or None if the season has no playoffs."""
    settings = PlayoffSettings.from_json(season.playoffs or {})
    if not settings.held:
        return None
    plan = NightPlan.from_json(season.plan)
    if plan.format in (KNOCKOUT.key, TEAM_MATCH.key):
        # A knockout has no fixed number of rounds; the race of teams follows their matches.
        return RacePart((), "")
    if any(night.playoff for night in standings.nights.values()):
        return RacePart((), "")
    rows = standings.teams or standings.people
    left = left_of(standings, settings, plan, with_options(PRESETS[season.preset], season.options))
    told = race(rows, standings.settings, settings.qualify, left) if rows else ()
    order = standings.settings.order
    lines = tuple(filter(None, (_line(one, standings.roster.names(one.unit), order) for one in told)))
    return RacePart(lines, _assumed(left, order) if lines and not left.over else "")


def left_of(standings: SeasonStandings, settings: PlayoffSettings, plan: NightPlan, rules: Ruleset) -> Left:
    """Return how many nights and rounds are left before the playoffs, and the range of points that a game can score.

    `plan` is the usual format of the season's nights. `rules` are the rules of the season's game.
    """
    nights = [night for night in standings.nights.values() if not night.playoff]
    now = next((night for night in nights if not night.closed), None)
    most = sum(category.value for category in rules.points_of("pitch")) or max(total for _, total in rules.hand_totals)
    return Left(
        nights=max(settings.nights - len(nights), 0),
        rounds=plan.rounds,
        now=0 if now is None else now.number,
        now_rounds=0 if now is None else now.rounds,
        low=-rules.target,
        high=rules.target + most,
        so_far=len(nights),
    )


def _assumed(left: Left, order: str) -> str:
    told = _("Missed nights and newcomers are taken into account. Ties are left open.")
    if order == "wins":
        return told
    return f"{told} " + _(
        "This assumes that each game scores from %(low)s to %(high)s points.", low=whole(left.low), high=left.high
    )


def _line(told: Outlook, name: str, order: str) -> str:
    if told.state == "through":
        return _("%(name)s: qualified", name=name)
    if told.state == "out":
        return _("%(name)s: out", name=name)
    if told.sure is None and told.least is None:
        return ""
    return needs_words(name, "wins" if order == "wins" else "points", told.games, told.sure, told.least)


def needs_words(name: str, what: str, games: int, sure: int | None, least: int | None) -> str:
    """Return a sentence about what a player or team still needs.

    `what` says what they need: "wins" (games won), "points" (points in games), or "match" (points from team matches).
    `games` is the number of remaining games or matches. `sure` and `least` are as in `race.Outlook`.
    """
    number = sure if sure is not None else least or 0
    from_games = (
        ngettext("%(num)s match", "%(num)s matches", games)
        if what == "match"
        else ngettext("%(num)s game", "%(num)s games", games)
    )
    amount = (
        ngettext("%(num)s win", "%(num)s wins", number)
        if what == "wins"
        else ngettext("%(number)s point", "%(number)s points", abs(number), number=whole(number))
    )
    told = {"name": name, "amount": amount, "games": from_games}
    if sure is None:
        return _("%(name)s: at least %(amount)s needed from %(games)s, and help from others", **told)
    if least is None:
        return _("%(name)s: %(amount)s needed from %(games)s", **told)
    return _("%(name)s: %(amount)s needed from %(games)s; %(least)s may be enough", least=whole(least), **told)
