"""Put the results of a night into words: status, honors, and the message for a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.results.honors import Best
from scorekeeper.leagues.results.pages import Holder, Honor, PrizeLine
from scorekeeper.leagues.standings.columns import plain_number
from scorekeeper.leagues.standings.night_snapshot import Seen
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import SUBS, StandingSettings
from scorekeeper.leagues.standings.wording import chat_lines, decimal, rate
from scorekeeper.web.locale import day_text

SHOWN = 3
"""How many holders of an honor are named."""
MANY = 6
"""An honor that more of them share names nobody: in a game to 21, most winners have 21."""


@dataclass(frozen=True, slots=True)
class Told:
    """The data to put into words: a night, its ranking, the settings it is ranked by, and what is missing.

    `rows` is the main ranking, made with `settings`, which come from the function `tonight`.

    `missing` counts tables without a result in the rounds so far, `without_hands` those of a closed night whose hands
    were not entered.
    """

    at: Seen
    final: bool
    names: Mapping[int, str]
    rows: Sequence[StandingRow]
    settings: StandingSettings
    missing: int
    without_hands: int


def unit_name(unit: Unit, names: Mapping[int, str]) -> str:
    """Return a name such as "Ann and Cid", for use in a sentence."""
    return join_names([isolated(names[person]) for person in unit])


def status_of(told: Told) -> str:
    """Return whether the results are final, and what is still to come."""
    if told.final:
        return _("Final.")
    if told.missing:
        return ngettext(
            "Provisional: one table is still playing.",
            "Provisional: %(num)s tables are still playing.",
            told.missing,
        )
    return _("Provisional: the night is still open.")


def notes_of(told: Told) -> tuple[str, ...]:
    """Return a sentence about tables that don't count."""
    if not told.final or not told.missing:
        return ()
    unfinished = ngettext(
        "One table wasn't finished and doesn't count.",
        "%(num)s tables weren't finished and don't count.",
        told.missing,
    )
    return (unfinished,)


def label_of(told: Told) -> str:
    """Return what those with rank 1 are called: "Winner", "Tied for first", "In the lead", "Champions" and so on."""
    if told.at.bracket is not None and told.at.bracket.champion:
        return _("Champions") if len(told.at.bracket.champion) > 1 else _("Champion")
    first = [row for row in told.rows if row.place == 1]
    if not told.final:
        return _("Tied for the lead") if len(first) > 1 else _("In the lead")
    if len(first) > 1:
        return _("Tied for first")
    return _("Winners") if first and len(first[0].unit) > 1 else _("Winner")


def score_words(row: StandingRow, order: str) -> str:
    """Return the numbers of a row in words: "21.00 points per game, 4 wins".

    The number by which the season ranks (`order`) comes first. Nothing is said of wins where they aren't known.
    """
    count = 1 if row.points == 1 else 2
    total = ngettext("%(points)s point", "%(points)s points", count, points=spoken(decimal(row.points)))
    points = _("%(points)s points per game", points=spoken(rate(row.value))) if order == "per_game" else total
    if row.sums.unknown:
        return points
    won = ngettext("%(num)s win", "%(num)s wins", row.record[0])
    return ", ".join((won, total) if order == "wins" else (points, won))


def how_ranked(told: Told) -> tuple[str, ...]:
    """Return how the night is ranked, in sentences."""
    if told.at.bracket is not None:
        if told.at.plan.together == "alone":
            return (_("Ranked by the bracket. Players who lost in the same round share a rank."),)
        return (_("Ranked by the bracket. Teams that lost in the same round share a rank."),)
    alone = _(
        "This ranking counts only this night's games. There is no handicap and no minimum number of games. Players "
        "who are still tied share a rank."
    )
    season = StandingSettings.from_json(told.at.season.counting)
    credit = " ".join((_("The results show the players who actually played."), spoken(SUBS[season.subs])))
    return (*(line for line in told.settings.in_words() if line != spoken(SUBS[told.settings.subs])), credit, alone)


def honors_of(told: Told, partners: Best, points: Best, sets: Best | None) -> tuple[Honor, ...]:
    """Return the honors that have a holder; `sets` is None while hands aren't counted yet."""
    honors = []
    if partners.units:
        value = _("%(points)s per game", points=spoken(rate(partners.number)))
        honors.append(_honor(told, "partners", _("Best partners"), partners, value))
    if 0 < len(points.units) <= SHOWN:  # in a game to 21, most winners have 21
        honors.append(_honor(told, "points", _("Most points in a game"), points, spoken(decimal(points.number))))
    if sets is not None and (sets.units or told.without_hands):
        value = spoken(decimal(sets.number)) if sets.units else ""
        honors.append(_honor(told, "set", _("Biggest set"), sets, value, _without_hands(told)))
    return tuple(honors)


def _honor(told: Told, key: str, label: str, best: Best, value: str, note: str = "") -> Honor:
    count = len(best.units)
    named = 0 if count > MANY else min(count, SHOWN)
    holders = (
        Holder(unit_name(unit, told.names), _where(best, index)) for index, unit in enumerate(best.units[:named])
    )
    return Honor(key, label, plain_number(best.number), value, tuple(holders), count - named, note)


def _where(best: Best, index: int) -> str:
    if not best.at:
        return ""
    at, table = best.at[index]
    return _("round %(round)s, table %(table)s", round=at, table=table)


def _without_hands(told: Told) -> str:
    if not told.without_hands:
        return ""
    return ngettext(
        "One table has no hands entered, so its sets aren't counted here.",
        "%(num)s tables have no hands entered, so their sets aren't counted here.",
        told.without_hands,
    )


def about(told: Told) -> str:
    """Return the winners in a line, such as "Winner: Ann"; empty if nobody has rank 1."""
    first = [row.unit for row in told.rows if row.place == 1]
    if not first:
        return ""
    names = [unit_name(unit, told.names) for unit in first]
    # The name of partners has an "and" already.
    listed = "; ".join(names) if len(first[0]) > 1 else join_names(names)
    return _("%(label)s: %(names)s", label=label_of(told), names=listed)


def honor_words(honor: Honor) -> str:
    """Return an honor and its holders in a line: "Best partners: Ann and Cid, 18.50 per game"."""
    who = "; ".join(holder.name for holder in honor.holders)
    if honor.more:
        who = ngettext("%(names)s and one more", "%(names)s and %(num)s more", honor.more, names=who)
    return _("%(label)s: %(names)s, %(value)s", label=honor.label, names=who, value=honor.value)


def chat_text(told: Told, honors: Sequence[Honor], prizes: Sequence[PrizeLine]) -> str:
    """Return the results as a message: title, ranking, honors and prizes."""
    at = told.at
    title = _(
        "%(league)s, %(season)s. Results of night %(number)s, %(day)s",
        league=at.league.name,
        season=at.season.name,
        number=at.night.number,
        day=day_text(at.night.day),
    )
    lines = [title, *(() if told.final else (status_of(told),))]
    called = {row.unit: unit_name(row.unit, told.names) for row in told.rows}
    lines += [spoken(line) for line in chat_lines(told.rows, called, told.settings.order)]
    lines += [honor_words(honor) for honor in honors if honor.holders]
    if prizes:
        paid = ", ".join(f"{isolated(line.name)} {line.amount}" for line in prizes)
        lines.append(_("Prizes: %(prizes)s", prizes=paid))
    return "\n".join(lines)
