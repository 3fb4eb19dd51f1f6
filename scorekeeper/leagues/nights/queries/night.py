"""Read the public page of a night. The number of queries does not grow with the night or the season."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from msgspec import structs

from scorekeeper.games.presenters.snapshot import LETTERS
from scorekeeper.games.store.access import Clock
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names, number, score_text
from scorekeeper.leagues.calendar.settings import ScheduleSettings
from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.nights.opening import totals_on
from scorekeeper.leagues.nights.pages import NightPage, RoundSeat, RoundView, Seated, TableSide, TableView
from scorekeeper.leagues.results.pages import TeamMatch
from scorekeeper.leagues.results.queries import results_of
from scorekeeper.leagues.results.team_nights import team_night_of, teams_champion_line
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import people_by_side
from scorekeeper.leagues.standings.night_snapshot import Seen, bracket_on, champion_line, names_on, seen
from scorekeeper.leagues.standings.queries import asks_for_sets, sets_cost
from scorekeeper.leagues.standings.table_results import Dispute, TableState
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import clock_text, day_text


def night_page(night: str, version: str) -> NightPage:
    """Return the public page of a night. Raises `NoSuchLeagueError`.

    `version` is the hash that `night_version` returns for the night now. A page that is open in a browser uses
    it to notice that the night has changed.
    """
    at = seen(night)
    results = results_of(at)
    return structs.replace(page_of(at, version), results=results if results.text else None)


def page_of(at: Seen, version: str = "") -> NightPage:
    """Return the page of the night in the snapshot `at`.

    `version` is the hash that `night_version` returns for the night now. A page that is open in a browser uses it to
    notice that the night has changed, and then updates itself. If `version` is empty, the page doesn't update itself.
    """
    names = names_on(at)
    begun, now = at.begun, at.now
    final_only = _final_only(at)
    matches = team_night_of(at).matches
    rounds = tuple(_round(at, number, names, now, matches, final_only=final_only) for number in range(1, at.last + 1))
    current = next((each for each in rounds if each.number == now), None)
    return NightPage(
        id=at.night.public_id,
        title=_("%(league)s, night %(number)s", league=at.league.name, number=at.night.number),
        league_id=at.league.public_id,
        season=at.season.name,
        season_id=at.season.public_id,
        day=day_text(at.night.day),
        format=spoken(FORMATS[at.plan.format].name),
        rounds=rounds,
        now=now,
        bell=at.night.bell_at is not None and now == begun,
        clock=clock_of(at.season, at.night) if now == begun else None,
        closed=at.night.closed_at is not None,
        seats=_seats(current) if current is not None and current.still else (),
        version=version,
        champion=champion_line(at, names) or teams_champion_line(at),
        bracket=bracket_on(at, names),
        seeds=_seeds(at),
        final_only=final_only,
        is_totals=not rounds and totals_on(db.session(), at.night.id),
        matches=matches,
    )


def clock_of(season: SeasonRow, night: NightRow) -> Clock | None:
    """Return the clock of the current round; None if it isn't running, or if the bell has rung.

    The time of day is that of the season's schedule, or else that of this computer, which stands in the hall.
    """
    minutes = NightPlan.from_json(night.plan).options.get("minutes")
    if night.clock_at is None or night.bell_at is not None or minutes is None:
        return None
    ends = night.clock_at + timedelta(minutes=minutes)
    zone = None if season.schedule is None else ZoneInfo(ScheduleSettings.from_json(season.schedule).zone)
    local = ends.astimezone(zone)
    return Clock(ends, _("Bell at %(time)s", time=clock_text(60 * local.hour + local.minute)))


def _final_only(at: Seen) -> bool:
    """Return whether the night has at least two games, all entered as final scores without hands."""
    scored = [table for table in at.tables if table.game]
    return len(scored) > 1 and all(table.final for table in scored)


def _seeds(at: Seen) -> str:
    """Return sentences about how a knockout is seeded and which teams have a first-round bye; "" for other formats."""
    if at.bracket is None:
        return ""
    sentences = [] if at.night.playoff else [_("Teams are seeded in the order they were made.")]
    if free := [join_names([at.people[person].name for person in team]) for team in at.bracket.free]:
        sentences.append(
            ngettext(
                "The top seed has a bye in the first round: %(teams)s.",
                "The top %(num)s seeds have a bye in the first round: %(teams)s.",
                len(free),
                teams="; ".join(free),
            )
        )
    return " ".join(sentences)


def table_view(
    table: TableState, names: Mapping[int, str], device: str | None = None, matches: Sequence[TeamMatch] = ()
) -> TableView:
    """Return a table with its people and score, as pages show it. `names` are the names of people by id.

    `matches` are the night's matches of fixed teams, so that the sides have the names of their teams.

    `device` is the phone that sees the page, if the page is its own: it then knows its own entry in a dispute.
    """
    sides = people_by_side(table.seats, table.kind)
    winner = table.verdict.winner if table.done and table.verdict else None
    teams = next((match.teams for match in matches if table.number in match.numbers), ("",) * len(sides))
    return TableView(
        id=table.id,
        number=table.number,
        round=table.round,
        game=table.game,
        state="done" if table.done else "playing" if table.game else "waiting",
        says=_status(table, [join_names([names[each] for each in side]) for side in sides]),
        paper=table.final,
        fresh=not table.hands,
        tied=table.tied,
        sides=tuple(
            TableSide(
                index=index,
                letter=LETTERS[index],
                people=tuple(
                    Seated(names[each], names.get(table.subs.get(each, 0), ""), table.seats.index(each))
                    for each in side
                ),
                name=join_names([names[each] for each in side]),
                team=teams[index],
                total=number(table.points[index]) if table.game else "",
                points=table.points[index] if table.game else 0,
                won=winner == index,
                confirmed=index in table.confirmed,
                said_by=names[table.seats[table.said_by[index]]] if index in table.said_by else "",
            )
            for index, side in enumerate(sides)
        ),
        dispute=_dispute(table, [join_names([names[each] for each in side]) for side in sides], device),
        ended_by=table.ended_by,
        fixed=table.fixed,
        last_hand=table.last_hand,
        forfeit=table.forfeit,
        sets=tuple(map(str, table.paper_sets or ())),
    )


def _dispute(table: TableState, sides: Sequence[str], device: str | None) -> str:
    """Return how two phones disagree about a table's result, in a sentence; "" if they don't.

    `sides` are the names of the sides, and `device` is the phone that reads the sentence, or None.
    """
    dispute = table.dispute
    if dispute is None:
        return ""
    who = "" if dispute.side is None else sides[dispute.side]
    is_own = device is not None and dispute.device == device
    if dispute.points is None:
        score = score_text(table.points)
        if is_own:
            return _("According to this phone, %(score)s is wrong.", score=score)
        if not who:
            return _("According to another phone, %(score)s is wrong.", score=score)
        return _("According to %(who)s, %(score)s is wrong.", who=who, score=score)
    first, second = versions_of(table, dispute, dispute.points, sides)
    if is_own:
        return _(
            "Two phones disagree. %(first)s counts for now. This phone entered %(second)s.", first=first, second=second
        )
    if not who:
        return _(
            "Two phones disagree. %(first)s counts for now. According to another phone, it's %(second)s.",
            first=first,
            second=second,
        )
    return _(
        "Two phones disagree. %(first)s counts for now. According to %(who)s, it's %(second)s.",
        first=first,
        who=who,
        second=second,
    )


def sets_label(season: SeasonRow) -> str:
    """Return the label of the form fields for how often each side was set (failed to make its bid).

    Return "" if the season doesn't ask for these numbers.
    """
    if sets_cost(season):
        return _("Sets (0 if none; if left blank, nobody is charged)")
    return _("Sets (0 if none; optional)") if asks_for_sets(season) else ""


def versions_of(table: TableState, dispute: Dispute, points: Sequence[int], sides: Sequence[str]) -> tuple[str, str]:
    """Return the result that counts for now and the disputed result, with the `points` of the other phone, as texts.

    `sides` are the names of the sides. Both texts name the winner if the other phone said how the game ended, and the
    sets if it entered them.
    """
    won = table.verdict.winner if table.verdict else None
    told = ((table.points, won, table.paper_sets), (points, dispute.winner, dispute.sets))
    first, second = (
        _with_sets(score_text(score) if dispute.ended_by is None else version_text(score, winner, sides), sets)
        for score, winner, sets in (told if dispute.sets is not None else ((*each[:2], None) for each in told))
    )
    return first, second


def _with_sets(score: str, sets: Sequence[int] | None) -> str:
    if sets is None:
        return score
    return _("%(score)s, sets: %(sets)s", score=score, sets=" – ".join(map(str, sets)))


def version_text(points: Sequence[int], winner: int | None, sides: Sequence[str]) -> str:
    """Return a score and its winner as text, such as "11 to 12, Ann and Cid won".

    `sides` are the names of the sides. `winner` is the winning side, or None for no winner.
    """
    if winner is None:
        return _("%(score)s, no winner", score=score_text(points))
    return _("%(score)s, %(name)s won", score=score_text(points), name=sides[winner])


def _status(table: TableState, sides: Sequence[str]) -> str:
    if table.verdict is None:
        return ""
    if table.forfeit is not None:
        return _("Forfeit: %(names)s", names=isolated(sides[table.forfeit]))
    if table.final and not table.tied:
        return _("Final score only")
    if table.tied or table.done or table.last_hand:
        return spoken(table.verdict.why)
    return _("Hand %(number)s", number=table.hands + 1)


def _round(
    at: Seen, number: int, names: Mapping[int, str], now: int, matches: Sequence[TeamMatch], *, final_only: bool = False
) -> RoundView:
    tables = tuple(table_view(table, names, matches=matches) for table in at.tables if table.round == number)
    if final_only:
        plain = [table.paper and not table.tied and table.forfeit is None for table in tables]
        tables = tuple(
            structs.replace(table, says="") if bare else table for table, bare in zip(tables, plain, strict=True)
        )
    return RoundView(
        number=number,
        state="now" if number == now else "over" if number < now else "next" if number == now + 1 else "later",
        begun=number <= at.begun,
        tables=tables,
        byes=tuple(sorted((names[person] for person in at.byes.get(number, ())), key=str.casefold)),
    )


def _seats(shown: RoundView) -> tuple[RoundSeat, ...]:
    seats = [RoundSeat(name, 0, (), "") for name in shown.byes]
    for table in shown.tables:
        for side in table.sides:
            for person in side.people:
                partners = tuple(other.name for other in side.people if other is not person)
                seats.append(RoundSeat(person.name, table.number, partners, side.letter))
    return tuple(sorted(seats, key=lambda seat: seat.name.casefold()))
