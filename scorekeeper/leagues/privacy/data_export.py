"""Export everything in the database about one person of a league as plain data (`FORMAT`).

Other people stay unnamed: at a table they are seat numbers, and in the log and in typed texts they are dots.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.game_export import game_record
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.models import (
    AnswerRow,
    ByeRow,
    FixtureRow,
    LeagueEventRow,
    LeagueRow,
    LeagueTextRow,
    LineupRow,
    MoneyRow,
    NightRow,
    PaymentRow,
    PersonalLinkRow,
    PersonRow,
    PlannedRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    SquadPersonRow,
    SquadRow,
    TableRow,
    TotalRow,
    scope_of,
)
from scorekeeper.leagues.core.unit_of_work import REASON
from scorekeeper.leagues.nights.closing import hand_rows
from scorekeeper.leagues.privacy.text_fields import Called, Renaming, called, texts_of
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.leagues.statistics.player_season import player_season

FORMAT = "scorekeeper-person/1"
OTHER = "…"
"""Text that replaces the name of any person other than the one whose data is exported."""
ELSEWHERE = "\0"
"""Character that occurs in no text.

To find out whether a text contains a name of the person, the code replaces the person's names with this character and
checks whether the text changes.
"""
Row = dict[str, Any]


def own_data(session: Session, person: PersonRow) -> Row:
    """Return all data about a person, in the format `FORMAT`. The person must not be merged into another."""
    told = called(session, person)
    ids = [row.id for row in told.people]
    hide = Renaming(told.others, OTHER, told.names)
    league = session.get_one(LeagueRow, person.league_id)
    seasons = dict(session.execute(select(SeasonRow.id, SeasonRow.name).where(SeasonRow.league_id == league.id)).all())
    nights = {
        night.id: {"season": season.name, "night": night.number, "day": night.day}
        for night, season in session.execute(
            select(NightRow, SeasonRow)
            .join(SeasonRow, SeasonRow.id == NightRow.season_id)
            .where(SeasonRow.league_id == league.id)
        )
    }
    games = _games(session, ids, nights, person.name, hide)
    return {
        "format": FORMAT,
        "league": {"name": league.name, "address": league.public_id},
        "called": sorted(sorted(told.names), key=str.casefold),
        "person": [_person(row, hide) for row in told.people],
        "nights": _present(session, ids, nights),
        "byes": [
            nights[bye.night_id] | {"round": bye.round, "there": bye.person_id in ids}
            for bye in session.scalars(
                select(ByeRow).where(or_(ByeRow.person_id.in_(ids), ByeRow.sub_for.in_(ids))).order_by(ByeRow.id)
            )
        ],
        "teams": _teams(session, ids, hide),
        "money": [
            nights[money.night_id] | {"kind": money.kind, "cents": money.cents, "what": hide.in_text(money.what)}
            for money in session.scalars(select(MoneyRow).where(MoneyRow.person_id.in_(ids)).order_by(MoneyRow.id))
        ],
        "totals": [
            nights[total.night_id]
            | {"points": total.points, "games": total.games, "wins": total.wins, "losses": total.losses}
            | {"there": total.person_id in ids, "for_another": total.sub_for is not None and total.sub_for not in ids}
            for total in session.scalars(
                select(TotalRow)
                .where(or_(TotalRow.person_id.in_(ids), TotalRow.sub_for.in_(ids)))
                .order_by(TotalRow.id)
            )
        ],
        "payments": [
            {
                "season": seasons[row.season_id],
                "night": None if row.night_id is None else nights[row.night_id]["night"],
                "day": row.day,
                "kind": row.kind,
                "cents": row.cents,
                "what": hide.in_text(row.what),
                "counter": row.corrects is not None,
            }
            for row in session.scalars(select(PaymentRow).where(PaymentRow.person_id.in_(ids)).order_by(PaymentRow.id))
        ],
        "answers": _answers(session, ids, hide),
        "links": [
            {"made_at": link.made_at, "active": link.active}
            for link in session.scalars(select(PersonalLinkRow).where(PersonalLinkRow.person_id.in_(ids)))
        ],
        "games": games,
        "statistics": _statistics(session, person, ids),
        "log": _log(session, told, nights, hide),
        "mentions": [
            {"where": text.model.__tablename__, "text": hide.in_text(text.before)}
            for text in texts_of(session, league.id, told, Renaming(told.names, ELSEWHERE, told.others))
        ],
    }


def _person(row: PersonRow, hide: Renaming) -> Row:
    return {
        "address": row.public_id,
        "name": row.name,
        "nickname": row.nickname,
        "active": row.active,
        "guest": row.guest,
        "notes": hide.in_text(row.notes),
        "merged": row.merged_into is not None,
    }


def _teams(session: Session, ids: Sequence[int], hide: Renaming) -> list[Row]:
    """Return the teams of a person, followed by the matches for which the person was in the chosen lineup.

    `ids` are the row ids of the person and of people merged into them. `hide` removes the names of others from what is
    returned.
    """
    squads = (
        select(SquadRow, SeasonRow.name, SquadPersonRow.place)
        .join(SquadPersonRow, SquadPersonRow.squad_id == SquadRow.id)
        .join(SeasonRow, SeasonRow.id == SquadRow.season_id)
        .where(SquadPersonRow.person_id.in_(ids))
        .order_by(SquadRow.id)
    )
    lineups = (
        select(FixtureRow.stage, FixtureRow.round, LineupRow.side, LineupRow.place)
        .join(LineupRow, LineupRow.fixture_id == FixtureRow.id)
        .where(LineupRow.person_id.in_(ids))
        .order_by(LineupRow.id)
    )
    return [
        *(
            {"season": season, "team": hide.in_text(squad.name), "division": hide.in_text(squad.division), "place": at}
            for squad, season, at in session.execute(squads)
        ),
        *(
            {"playoff": stage, "match_day": day, "side": side, "place": at}
            for stage, day, side, at in session.execute(lineups)
        ),
    ]


def _present(session: Session, ids: Sequence[int], nights: Mapping[int, Row]) -> list[Row]:
    """Return the check-ins of a person, and of substitutes who played for that person.

    `ids` are the row ids of the person and of people merged into them. `nights` has the season, number and day of each
    night, by row id.
    """
    query = select(PresentRow).where(or_(PresentRow.person_id.in_(ids), PresentRow.sub_for.in_(ids)))
    return [
        nights[row.night_id]
        | {
            "there": row.person_id in ids,
            "from_round": row.from_round,
            "to_round": row.to_round,
            "for_another": row.sub_for is not None and row.sub_for not in ids,
            "team": row.team,
            "keeps_table": _kept_table(session, row) if row.person_id in ids else None,
        }
        for row in session.scalars(query.order_by(PresentRow.night_id, PresentRow.id))
    ]


def _kept_table(session: Session, row: PresentRow) -> int | None:
    """Return the number of the table that a checked-in person keeps for the night; None if they change tables."""
    kept = NightPlan.from_json(session.get_one(NightRow, row.night_id).plan).tables
    return kept.get(session.get_one(PersonRow, row.person_id).public_id) if kept else None


def _answers(session: Session, ids: Sequence[int], hide: Renaming) -> list[Row]:
    """Return the answers for planned nights that a person gave, and those that name the person as a substitute.

    `ids` are the row ids of the person and of people merged into them. `hide` removes the names of others from notes.
    """
    query = (
        select(AnswerRow, PlannedRow.day, SeasonRow.name)
        .join(PlannedRow, PlannedRow.id == AnswerRow.planned_id)
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(or_(AnswerRow.person_id.in_(ids), AnswerRow.sub_id.in_(ids)))
        .order_by(PlannedRow.day, AnswerRow.id)
    )
    return [
        {
            "season": season,
            "day": day,
            "answer": row.says,
            "own": row.person_id in ids,
            "as_substitute": row.sub_id in ids,
            "note": hide.in_text(row.note) if row.person_id in ids else "",
            "by_desk": row.by_desk,
            "at": row.at,
        }
        for row, day, season in session.execute(query)
    ]


def _games(session: Session, ids: Sequence[int], nights: Mapping[int, Row], name: str, hide: Renaming) -> list[Row]:
    """Return each table where a person had a seat, together with the game at that table.

    Tables where a substitute sat in the person's seat are included. `ids` are the row ids of the person and of people
    merged into them. `nights` has the season, number and day of each night, by row id. `name` is the person's name, and
    `hide` removes the names of others.
    """
    query = (
        select(SeatRow, TableRow, GameRow.public_id)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .outerjoin(GameRow, GameRow.id == TableRow.game_id)
        .where(or_(SeatRow.person_id.in_(ids), SeatRow.sub_for.in_(ids)))
        .order_by(TableRow.night_id, TableRow.round, TableRow.number)
    )
    told = []
    for seat, table, address in session.execute(query).all():
        line = nights[table.night_id] | {
            "round": table.round,
            "table": table.number,
            "kind": table.kind,
            "seat": seat.seat,
            "there": seat.person_id in ids,
            "for_another": seat.sub_for is not None and seat.sub_for not in ids,
            "points": table.points,
            "winner": table.winner,
            "sets": table.sets,
            "hands": table.hands,
            "confirmed": table.confirmed,
            "address": address,
        }
        told.append(line | _played(session, address, seat, name if line["there"] else f"seat {seat.seat}", hide))
    return told


def _played(session: Session, address: str | None, seat: SeatRow, name: str, hide: Renaming) -> Row:
    """Return the game at a table, with `name` for the player in `seat` and seat numbers instead of other names.

    `address` is the game's public id, None if no game was started.
    """
    found = find(session, address) if address else None
    if found is None:
        return {"phones": [], "record": None, "hands_played": []}
    game = load(session, found).game
    names = [name if at == seat.seat else f"seat {at}" for at in range(len(game.players))]
    phones = select(ScorerRow).where(ScorerRow.game_id == found.id, ScorerRow.seat == seat.seat)
    hands = () if game.final is not None else hand_rows(seat.table_id, game)
    return {
        "phones": [{"since": phone.since, "revoked": phone.revoked_at} for phone in session.scalars(phones)],
        "record": _hidden(game_record(game, names), hide),
        "hands_played": [{key: value for key, value in hand.items() if key != "table_id"} for hand in hands],
    }


def _statistics(session: Session, person: PersonRow, ids: Sequence[int]) -> list[Row]:
    """Return a person's statistics for each season, without partners and opponents.

    `ids` are the row ids of the person and of people merged into them.
    """
    told = []
    query = select(SeasonRow).where(SeasonRow.league_id == person.league_id).order_by(SeasonRow.id)
    for season in session.scalars(query).all():
        standings = season_standings(session, season)
        own = player_season(session, season, standings, person.id, ids)
        row = next((each for each in standings.people if each.person == person.id), None)
        if row is None and not own.nights:
            continue
        games = {key: value for key, value in to_builtins(own.games).items() if key not in ("partners", "opponents")}
        standing = (
            None
            if row is None
            else {
                "place": row.place,
                "points": float(row.points),
                "games": row.games,
                "wins": row.wins if row.record else None,
                "losses": row.losses if row.record else None,
                "handicap": row.handicap,
                "sets": row.sets if row.record else None,
                "byes": row.byes,
                "dropped": list(row.dropped),
            }
        )
        told.append({"season": season.name, "standing": standing, "games": games, "hands": to_builtins(own.hands)})
    return told


def _log(session: Session, told: Called, nights: Mapping[int, Row], hide: Renaming) -> list[Row]:
    """Return the log entries of the league that are about the person `told` or contain the person's name.

    `nights` has the season, number and day of each night, by row id. `hide` removes the names of others from the
    entries.
    """
    own, league = {row.public_id for row in told.people}, told.people[0].league_id
    ids = [row.id for row in told.people]
    others = set(session.scalars(select(PersonRow.public_id).where(PersonRow.league_id == league))) - own
    texts: defaultdict[int, list[LeagueTextRow]] = defaultdict(list)
    for text in session.scalars(select(LeagueTextRow).where(scope_of(league)["texts"]).order_by(LeagueTextRow.id)):
        texts[text.event_id].append(text)
    find = Renaming(told.names, ELSEWHERE, told.others)
    query = select(LeagueEventRow).where(LeagueEventRow.league_id == league).order_by(LeagueEventRow.id)
    lines = []
    for row in session.scalars(query):
        written = {text.key: text for text in texts[row.id]}
        of_them = any(text.person_id in ids or find.in_text(text.text) != text.text for text in written.values())
        if of_them or not own.isdisjoint(_texts(row.data)):
            where = nights[row.night_id] if row.night_id else {"season": None, "night": None, "day": None}
            said = {key: _said(text, ids, find, hide) for key, text in written.items()}
            reason = said.pop(REASON, "")
            data = _without(row.data, others) | said
            lines.append(where | {"at": row.at, "kind": row.kind, "data": data, "reason": reason})
    return lines


def _said(text: LeagueTextRow, ids: Collection[int], find: Renaming, hide: Renaming) -> str:
    """Return the words stored as `text` with a log entry, without the names of other people.

    If the words are just another person's name, return `OTHER`. `ids` are the row ids of the person whose data is
    exported. `find` finds that person's names, and `hide` removes the names of other people.
    """
    if text.person_id in ids:
        return text.text
    return OTHER if text.person_id is not None and find.in_text(text.text) == text.text else hide.in_text(text.text)


def _without(value: Any, others: Collection[str]) -> Any:
    """Return a JSON value in which `OTHER` replaces the public ids `others`, at any depth.

    The ids are replaced because names can be looked up by them.
    """
    match value:
        case str():
            return OTHER if value in others else value
        case list():
            return [_without(each, others) for each in value]
        case dict():
            return {key: _without(each, others) for key, each in value.items()}
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield all strings in a JSON value, at any depth. Keys of objects are not included."""
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _texts(each)
        case dict():
            yield from _texts(list(value.values()))


def _hidden(record: Mapping[str, Any], hide: Renaming) -> Row:
    """Return a game record without the names of other people in the reasons for adjustments."""
    told = dict(record)
    if "x_adjustments" in told:
        told["x_adjustments"] = [each | {"reason": hide.in_text(each["reason"])} for each in told["x_adjustments"]]
    return told
