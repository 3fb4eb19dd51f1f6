"""Make a league from a phone's home table (the people and games of a group that plays at home).

The league gets the people and copies of the games. It is made as an archive and imported in one step, so after an error
no part of the league is saved. A later change to a game at the home table doesn't affect the copy, and vice versa.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.logic.statistics.table_games import TableGame
from scorekeeper.games.store.game_export import Whole, wholes_of
from scorekeeper.games.store.home_games import people_seated
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.people.service import MOST_PEOPLE
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import kind_of
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.archive import Archive, ArchiveError, bring_in
from scorekeeper.leagues.transfer.archive_rows import Making, Row
from scorekeeper.leagues.transfer.home_table import HomePlan, HomeSeason, plan_of, season_names
from scorekeeper.leagues.transfer.past_nights import KIND
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_name
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.rules.table import seatings_for
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import EVENING


@dataclass(kw_only=True)
class _Making(Making):
    """The archive of the league while it is being built.

    `numbers` has the number of each person in the archive, by their row id at the home table.
    """

    now: datetime
    wholes: Mapping[str, Whole]
    """The original games of the home table, by public id."""
    people_of: Mapping[int, int]
    """Maps the row id of each player in a game of the home table to the row id of the person who played."""
    numbers: dict[int, int]


def league_from_table(
    *, name: str, choice: str, seen: str, order: str, device: str, client_id: str, now: datetime | None = None
) -> str:
    """Make a league from the phone's home table, and return its public id. The phone `device` becomes the owner.

    A repeated request with the same `client_id` returns the same league. `choice` must be the one that was passed to
    `plan_of` for the preview. `seen` is `HomePlan.seen` of that preview. `order` says what the standings rank by, as a
    key of `wording.ORDERS`.

    Raises the errors of `plan_of`. Also raises `RuleViolation` for an invalid name, if the home table has changed since
    the preview, or if there are no games to copy.
    """
    session = db.session()
    made = _made(session, device, client_id)
    if made is not None:
        return made
    checked, counting = check_name(name), StandingSettings.from_json({**_usual(), "order": order})
    plan = plan_of(session, device, choice)
    if not plan.seasons:
        raise RuleViolation("no_games", "None of these games can be copied to a league.")
    if plan.seen != seen:
        raise RuleViolation("plan_changed", "Your table has changed. Check the preview again.")
    archive = _archive(session, plan, checked, counting, device, client_id, now or datetime.now(UTC))
    session.rollback()  # writing may take longer than a reading transaction may
    try:
        return bring_in(archive)
    except ArchiveError:
        made = _made(session, device, client_id)  # by the same form, sent twice at once
        if made is None:
            raise
        return made


def _usual() -> dict[str, object]:
    return StandingSettings.for_new({}).to_json()


def _made(session: Session, device: str, client_id: str) -> str | None:
    query = select(LeagueRow.public_id).where(LeagueRow.device == device, LeagueRow.client_id == client_id)
    return session.scalars(query).first()


def _archive(
    session: Session,
    plan: HomePlan,
    name: str,
    counting: StandingSettings,
    device: str,
    client_id: str,
    now: datetime,
) -> Archive:
    ids = select(GameRow.id).where(GameRow.public_id.in_([game.id for game in plan.games]))
    wholes = {whole.public_id: whole for _id, whole in wholes_of(session, session.scalars(ids).all())}
    people_of = people_seated(session, plan.table)
    making = _Making(device=device, now=now, wholes=wholes, people_of=people_of, numbers={})
    head = {
        "id": 1,
        "public_id": new_public_id(),
        "name": name,
        "device": device,
        "client_id": client_id,
        "made_at": now.isoformat(),
        "demo": False,
    }
    making.note("league_made", now, made=head["public_id"])
    _add_people(making, plan)
    for season, title in zip(plan.seasons, season_names(plan.seasons), strict=True):
        _add_season(making, season, title, counting)
    return Archive(head, making.parts, making.games)


def _add_people(making: _Making, plan: HomePlan) -> None:
    """Add everybody who ever had a seat in one of the copied games to the new league.

    Raises `RuleViolation` if there are too many people.
    """
    seated = (making.people_of.get(player) for whole in making.wholes.values() for player in whole.players)
    there = dict.fromkeys(person for person in seated if person is not None)
    if len(there) > MOST_PEOPLE:
        raise RuleViolation("people", Phrase("A league can have at most %(most)s players.", most=MOST_PEOPLE))
    for person in sorted(there):
        row = making.add(
            "people",
            league_id=1,
            public_id=new_public_id(),
            name=plan.people[person],
            nickname="",
            active=True,
            guest=False,
            notes="",
            merged_into=None,
        )
        making.numbers[person] = row["id"]
    making.note("people_added", making.now, people=[row["public_id"] for row in making.parts["people"]])


def _add_season(making: _Making, season: HomeSeason, name: str, counting: StandingSettings) -> None:
    """Add a season with its nights to the new league. `counting` has the settings of its standings."""
    row = making.add(
        "seasons",
        league_id=1,
        public_id=new_public_id(),
        name=name,
        preset=season.rules.preset,
        options=differing(PRESETS[season.rules.preset], season.rules),
        counting=counting.to_json(),
        plan=_usual_plan(season.rules, season.games).to_json(),
        money={},
        began_at=season.games[0].began.isoformat(),
        closed_at=None,
        schedule=None,
    )
    making.note("season_opened", making.now, season=row["public_id"])
    nights = [
        _add_night(making, row["id"], season.rules, place, games) for place, games in enumerate(season.nights, start=1)
    ]
    making.note(
        KIND,
        making.now,
        nights=len(nights),
        games=len(season.games),
        people=[],
        season=row["public_id"],
        night_ids=nights,
        brought_in=new_public_id(),
    )


def _usual_plan(rules: Ruleset, games: Sequence[TableGame], rounds: int = 4) -> NightPlan:
    """Return a plan with the most common table size and kind of partners in these games."""
    kinds = Counter((len(game.people), len(game.sides)) for game in games)
    ((size, sides), _times) = kinds.most_common(1)[0]
    if sides < size:
        return NightPlan(rounds=rounds, sizes=(size,), pairs=sides > 2)
    called = any(seating.kind == "called" for seating in seatings_for(rules, size))
    return NightPlan(rounds=rounds, together="called" if called else "alone", sizes=(size,))


def _add_night(making: _Making, season: int, rules: Ruleset, number: int, games: Sequence[TableGame]) -> str:
    """Add a closed night with one game per round, and return its public id."""
    night = making.add(
        "nights",
        season_id=season,
        public_id=new_public_id(),
        number=number,
        day=(games[0].began.astimezone(UTC) - EVENING).date().isoformat(),
        plan=_usual_plan(rules, games, len(games)).to_json(),
        version=0,
        bell_at=None,
        cards=0,
        closed_at=making.now.isoformat(),
    )
    first: dict[int, int] = {}
    for place, game in enumerate(games, start=1):
        for person in _add_table(making, night, place, making.wholes[game.id]):
            first.setdefault(person, place)
    for person, place in first.items():
        making.add(
            "present",
            night_id=night["id"],
            person_id=person,
            from_round=place,
            to_round=None,
            sub_for=None,
            team=None,
        )
    return str(night["public_id"])


def _add_table(making: _Making, night: Row, place: int, whole: Whole) -> Sequence[int]:
    """Add a game with its table, and return the numbers of the people who had a seat when the game ended.

    The numbers are in the order of the seats.
    """
    game = whole.replayed()
    assert game.outcome is not None
    persons = [making.people_of.get(player) for player in whole.players]
    people = tuple(None if person is None else making.numbers[person] for person in persons)
    seated = [person for player in game.players if (person := people[player]) is not None]
    row = making.add(
        "tables",
        night_id=night["id"],
        round=place,
        number=1,
        kind=kind_of(game.table),
        game_id=len(making.games) + 1,
        confirmed={},
        points=list(game.tally.totals),
        winner=game.outcome.winner,
        sets=list(game.tally.sets),
        hands=len(game.hands),
    )
    for seat, person in enumerate(seated):
        making.add("seats", table_id=row["id"], seat=seat, person_id=person, sub_for=None)
    making.games[row["game_id"]] = replace(
        whole,
        public_id=new_public_id(),
        device=making.device,
        client_id=f"table-{night['public_id']}-{place}",
        notes=(),
        people=people,
    )
    return seated
