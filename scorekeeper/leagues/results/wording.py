"""Put the results of a night into words: status, honors, and the message for a chat."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.results.honors import Best
from scorekeeper.leagues.results.pages import Forfeit, Holder, Honor, PrizeLine
from scorekeeper.leagues.results.team_nights import TeamNight
from scorekeeper.leagues.standings.columns import plain_number
from scorekeeper.leagues.standings.night_snapshot import Seen
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import SUBS, StandingSettings
from scorekeeper.leagues.standings.wording import chat_lines, decimal, rate
from scorekeeper.web.locale import day_text

SHOWN = 3
"""Most holders of an honor that are named."""
MANY = 6
"""If more holders than this share an honor, none of them is named; only their number is given."""


class Told(Struct, frozen=True):
    """The data for describing the results of a night in words.

    `names` are the names of people by row id. `rows` is the main ranking of the night. `settings` are the season's
    settings adapted to a single night. `missing` has the round of each game without a score, lowest first (see
    `queries._missing`). `without_hands` is the number of tables of a closed night whose hands were not entered.
    """

    at: Seen
    final: bool
    names: Mapping[int, str]
    rows: Sequence[StandingRow]
    settings: StandingSettings
    missing: tuple[int, ...]
    without_hands: int
    teams: TeamNight


def unit_name(unit: Unit, names: Mapping[int, str]) -> str:
    """Return the name of a person or pair for use in a sentence, such as "Ann and Cid".

    `names` has the name of each person, by row id.
    """
    return join_names([isolated(names[person]) for person in unit])


def status_of(told: Told) -> str:
    """Return a sentence that says whether the results are final. If they aren't, it says what is missing."""
    if told.final:
        return _("Final.")
    if len(set(told.missing)) > 1:
        return _(
            "Provisional: %(num)s games from round %(round)s on have no score yet.",
            num=len(told.missing),
            round=told.missing[0],
        )
    if told.missing:
        return ngettext(
            "Provisional: one game in round %(round)s has no score yet.",
            "Provisional: %(num)s games in round %(round)s have no score yet.",
            len(told.missing),
            round=told.missing[0],
        )
    return _("Provisional: the night is still open.")


def notes_of(told: Told) -> tuple[str, ...]:
    """Return sentences about forfeited tables and about those that don't count; () if there are neither."""
    return (*map(forfeit_words, forfeits_of(told)), *_unfinished(told))


def forfeits_of(told: Told) -> tuple[Forfeit, ...]:
    """Return the tables that a side forfeited, in the order of play."""
    found = []
    for table in told.at.tables:
        if table.forfeit is not None:
            gone, came = (unit_name(table.plan.sides[side], told.names) for side in (table.forfeit, 1 - table.forfeit))
            found.append(Forfeit(table.round, table.number, gone, came))
    return tuple(found)


def forfeit_words(forfeit: Forfeit) -> str:
    """Return the sentence about a forfeited table."""
    return _(
        "Round %(round)s, table %(table)s: %(gone)s forfeited, so %(came)s won.",
        round=forfeit.round,
        table=forfeit.table,
        gone=forfeit.gone,
        came=forfeit.came,
    )


def _unfinished(told: Told) -> tuple[str, ...]:
    if not told.final or not told.missing:
        return ()
    unfinished = ngettext(
        "One table wasn't finished and doesn't count.",
        "%(num)s tables weren't finished and don't count.",
        len(told.missing),
    )
    return (unfinished,)


def label_of(told: Told) -> str:
    """Return the label for the people with rank 1, such as "Winner", "Tied for first", "In the lead" or "Champions".

    If nobody has rank 1 on a closed night, such as a knockout without a final, the label says that. The label of a
    night of fixed teams is "Champions" after the final of their playoffs, else "Matches".
    """
    if told.teams.matches:
        return _("Champions") if told.teams.champion else _("Matches")
    if told.at.bracket is not None and told.at.bracket.champion:
        return _("Champions") if len(told.at.bracket.champion) > 1 else _("Champion")
    first = [row for row in told.rows if row.place == 1]
    if not told.final:
        return _("Tied for the lead") if len(first) > 1 else _("In the lead")
    if not first:
        return _("No winner")
    if len(first) > 1:
        return _("Tied for first")
    return _("Winners") if len(first[0].unit) > 1 else _("Winner")


def score_words(row: StandingRow, order: str) -> str:
    """Return the points and wins of a row in words: "21.00 points per game, 4 wins".

    The number by which the season ranks (`order`) comes first. Wins are left out if they aren't known.
    """
    count = 1 if row.points == 1 else 2
    total = ngettext("%(points)s point", "%(points)s points", count, points=spoken(decimal(row.points)))
    points = _("%(points)s points per game", points=spoken(rate(row.value))) if order == "per_game" else total
    if row.sums.unknown:
        return points
    won = ngettext("%(num)s win", "%(num)s wins", row.record[0])
    return ", ".join((won, total) if order == "wins" else (points, won))


def how_ranked(told: Told) -> tuple[str, ...]:
    """Return sentences about how the night is ranked."""
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
    ranked = (line for line in told.settings.in_words() if line != spoken(SUBS[told.settings.subs]))
    byes = (
        (_("Here, a bye is worth the player's average of tonight. In the standings, it's worth their average so far."),)
        if season.bye == "average" and any(told.at.byes.values())
        else ()
    )
    return (*told.teams.rule, *ranked, *byes, credit, alone)


def honors_of(told: Told, partners: Best, points: Best, sets: Best | None) -> tuple[Honor, ...]:
    """Return the honors to show.

    `sets` is None until the night is closed, since hands aren't counted before then. An honor that nobody has earned is
    left out, with one exception. The honor for the biggest set is still shown if some tables have no hands, so that its
    note can say so. The honor for most points is also left out if too many people share it.
    """
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
        Holder(unit_name(unit, told.names), _where(best, index), best.at[index] if best.at else None)
        for index, unit in enumerate(best.units[:named])
    )
    others = _others(best, count - named, named=named > 0)
    return Honor(
        key,
        label,
        plain_number(best.number),
        value,
        tuple(holders),
        more=count - named,
        others=others,
        note=note,
        named=_listed(best.units[:named], told.names, others),
    )


def _others(best: Best, more: int, *, named: bool) -> str:
    """Return words for the number of people or pairs who share an honor but aren't named; "" if `more` is 0.

    `more` is that number. If some holders are `named`, the words are like "and 3 more". Otherwise, the words are like
    "(shared by 21 players)".
    """
    if not more:
        return ""
    pairs = len(best.units[0]) > 1
    if named:
        if pairs:
            return ngettext("and one more pair", "and %(num)s more pairs", more)
        return ngettext("and one more", "and %(num)s more", more)
    if pairs:
        return ngettext("(shared by %(num)s pair)", "(shared by %(num)s pairs)", more)
    return ngettext("(shared by %(num)s player)", "(shared by %(num)s players)", more)


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
    """Return the winners as one line, such as "Winner: Ann"; empty if nobody has rank 1.

    For a night of fixed teams, the line has the results of the matches, or the champions.
    """
    names = headline(told)
    return _("%(label)s: %(names)s", label=label_of(told), names=names) if names else ""


def headline(told: Told) -> str:
    """Return the names of everyone with rank 1, such as "Eve and Hal"; empty if nobody has rank 1.

    For a night of fixed teams, return the champions or the results of the matches, such as "Owls 3–1 Foxes".
    """
    if told.teams.champion:
        return isolated(told.teams.champion)
    if told.teams.matches:
        return "; ".join(
            f"{isolated(match.home)} {match.shown} {isolated(match.away)}"
            for match in told.teams.matches
            if match.score
        )
    return _listed([row.unit for row in told.rows if row.place == 1], told.names)


def _listed(units: Sequence[Unit], names: Mapping[int, str], others: str = "") -> str:
    """Return the names of `units` as one string, followed by `others`.

    For example: "Eve and Hal", or "Ann and Bob; Cid and Dee; and one more pair".
    """
    called = [unit_name(unit, names) for unit in units]
    if any(len(unit) > 1 for unit in units):  # the name of partners has an "and" already
        return "; ".join([*called, others] if others else called)
    if others:
        return f"{', '.join(called)} {others}".lstrip()
    return join_names(called) if called else ""


def honor_words(honor: Honor) -> str:
    """Return an honor and its holders as one line: "Best partners: Ann and Cid, 18.50 per game"."""
    return _("%(label)s: %(names)s, %(value)s", label=honor.label, names=honor.named, value=honor.value)


def chat_text(told: Told, honors: Sequence[Honor], prizes: Sequence[PrizeLine]) -> str:
    """Return the results as a message for a chat: title, matches of teams, ranking, honors and prizes."""
    at = told.at
    title = _(
        "%(league)s, %(season)s. Results of night %(number)s, %(day)s",
        league=at.league.name,
        season=at.season.name,
        number=at.night.number,
        day=day_text(at.night.day),
    )
    lines = [title, *(() if told.final else (status_of(told),))]
    lines += [about(told)] if told.teams.champion else []
    lines += [
        f"{isolated(match.home)} – {isolated(match.away)}: {match.score}" for match in told.teams.matches if match.score
    ]
    lines += [_("Players")] if told.teams.matches and told.rows else []
    called = {row.unit: unit_name(row.unit, told.names) for row in told.rows}
    lines += [spoken(line) for line in chat_lines(told.rows, called, told.settings.order)]
    lines += map(forfeit_words, forfeits_of(told))
    lines += [honor_words(honor) for honor in honors if honor.holders]
    paid: dict[str, list[str]] = {}
    for line in prizes:
        paid.setdefault(line.reason if line.pot else _("Prizes"), []).append(f"{isolated(line.name)} {line.amount}")
    lines += [_("%(point)s: %(side)s", point=label, side=", ".join(each)) for label, each in paid.items()]
    return "\n".join(lines)
