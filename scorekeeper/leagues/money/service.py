"""Save the money of a night: calculated when the night is closed, deleted when the night is reopened."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Row, delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.leagues.core.access import NoSuchLeagueError, league_at, person_at
from scorekeeper.leagues.core.models import (
    HandRow,
    LeagueEventRow,
    LeagueRow,
    MoneyRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import POT, REASON_LENGTH, Desk, at_desk
from scorekeeper.leagues.money.ranking import fee_payers, ranking_of
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.money.takings import MoneyLine, NightMoney, NightTakings, Taking, settle_night
from scorekeeper.leagues.standings.counted_games import saved_tables
from scorekeeper.rules.money import MOST_CENTS
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import writing

AllIn = Literal["", "all", "last"]
CALCULATED = ("entry", "sets", "prize")
"""Kinds of `MoneyRow` that are calculated and added when a night is closed."""
NOTED, OPEN_KITTY, LAST_NIGHT = "noted", "open_jar", "last_night"
POT_ENTRY, POT_PRIZE = "pot_entry", "pot_prize"
REOPENED = "night_reopened"
"""Kind of the log line of a reopened night. Its data have what was paid as prizes before (`prizes_now`)."""
REASON = 120
"""Most characters in the reason for an amount."""
MOST_NOTES = 50
assert REASON <= REASON_LENGTH


class Till:
    """The money in the kitty and in each side pot, in cents."""

    def __init__(self) -> None:
        self.kitty = 0
        self.pots: defaultdict[str, int] = defaultdict(int)

    def after(self, rows: Sequence[MoneyRow] | Sequence[Row[int, str, str, int]]) -> None:
        """Add the money of one night to the kitty and the pots.

        `rows` are the money rows of the night. They may be sums of several rows with the same `kind` and `what`.
        """
        for row in rows:
            if row.kind in (POT_ENTRY, POT_PRIZE):
                self.pots[row.what] += row.cents
            else:
                self.kitty += row.cents
        if any(row.kind == LAST_NIGHT for row in rows):
            self.kitty += sum(self.pots.values())
            self.pots.clear()


def settle(desk: Desk) -> None:
    """Calculate and save the money that the night took in and paid out.

    The results of the night's tables must already be saved in the same transaction. Raises `RuleViolation` if the night
    paid out more than the kitty can cover, or if an earlier night did: its people would be paid what others lack.
    """
    settings = MoneySettings.from_json(desk.season.money)
    if settings == MoneySettings():
        return
    session = desk.session
    session.flush()
    take_back(session, desk.night)
    rows = rows_of(session, desk.night)
    tills = _tills(session, desk.night)
    overpaid = next((night for night, till in tills.items() if min((till.kitty, *till.pots.values())) < 0), None)
    if overpaid is not None:
        message = Phrase(
            "An earlier night has changed, so night %(number)s paid out more than there was. Reopen night %(number)s, "
            "then close it again.",
            number=overpaid,
        )
        raise RuleViolation("night_overpaid", message)
    till = _last(tills)
    try:
        settled = settle_night(settings, _evening(desk, settings, rows, till))
    except ValueError:
        message = Phrase("More was paid from the kitty than it holds. Correct this night's money first.")
        raise RuleViolation("kitty_empty", message, field="amount") from None
    prizes = {(line.pot, line.person): line.cents for line in settled.lines if line.kind == POT_PRIZE}
    for row in rows:
        if row.kind == POT_PRIZE and row.person_id is not None:
            row.cents = prizes.get((row.what, row.person_id), 0)
    session.add_all(
        MoneyRow(night_id=desk.night.id, kind=line.kind, person_id=line.person, cents=line.cents, what=_what(line))
        for line in settled.lines
        if line.kind in CALCULATED
    )


@use_case
def settle_again(*, league: str, now: datetime | None = None) -> None:
    """Recalculate the money of all closed nights of a league, oldest night first. Raises `NoSuchLeagueError`."""
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        query = (
            select(SeasonRow, NightRow)
            .join(NightRow, NightRow.season_id == SeasonRow.id)
            .where(SeasonRow.league_id == row.id, NightRow.closed_at.is_not(None))
            .order_by(SeasonRow.id, NightRow.number)
        )
        for season, night in session.execute(query).all():
            settle(Desk(session, row, season, night, row.device, now or datetime.now(UTC)))


def take_back(session: Session, night: NightRow) -> None:
    """Delete the money rows that were calculated when the night was closed; keep the rows that the owner entered.

    The amounts that the winners of side pots got were calculated, too, and are set to 0.
    """
    session.execute(delete(MoneyRow).where(MoneyRow.night_id == night.id, MoneyRow.kind.in_(CALCULATED)))
    for row in rows_of(session, night):
        if row.kind == POT_PRIZE:
            row.cents = 0
    session.flush()


@use_case
def save_pot(
    *,
    night: str,
    pot: str,
    entrants: Sequence[str],
    winners: Sequence[str],
    device: str,
    all_in: AllIn = "",
    now: datetime | None = None,
) -> None:
    """Save the players who are in a side pot tonight (`entrants`) and the players who won it (`winners`), by public id.

    `all_in` replaces `entrants`. With "all", everyone who was checked in tonight is in the pot. With "last", only those
    of them are in the pot who were in it the last time it was played for. People who left early are included.

    Raises what `at_desk` raises. Raises `NoSuchLeagueError` for a player who wasn't checked in, and `RuleViolation` for
    an unknown pot or a winner who didn't pay into the pot.
    """
    with at_desk(night, device, now, Role.OWNER) as desk:
        if all_in:
            there = players_in(desk.session, desk.season, desk.night, pot if all_in == "last" else None)
            entrants = [person.public_id for person in there]
        entries = {each.name: each.entry for each in MoneySettings.from_json(desk.season.money).pots}
        if pot not in entries:
            raise RuleViolation("pot_unknown", "This season doesn't have that pot.", field="pots")
        if not set(winners) <= set(entrants):
            raise RuleViolation("pot_winner", "Only someone who paid into the pot tonight can win it.", field="pots")
        session = desk.session
        here = set(session.scalars(select(PresentRow.person_id).where(PresentRow.night_id == desk.night.id)))
        people = {person: person_at(session, person) for person in dict.fromkeys(entrants)}
        ids = {person: row.merged_into or row.id for person, row in people.items()}
        if not here.issuperset(ids.values()):
            raise NoSuchLeagueError
        before = {kind: _in_pot(session, desk.night, pot, kind) for kind in (POT_ENTRY, POT_PRIZE)}
        _write_pot(desk, pot, POT_ENTRY, list(dict.fromkeys(ids.values())), entries[pot])
        _write_pot(desk, pot, POT_PRIZE, list(dict.fromkeys(ids[person] for person in winners)), 0)
        desk.note(
            "pot_told",
            texts={POT: pot},
            people=list(entrants),
            winners=list(winners),
            before=[before[POT_ENTRY], before[POT_PRIZE]],
        )


def _write_pot(desk: Desk, pot: str, kind: str, people: Sequence[int], cents: int) -> None:
    """Replace the saved players or the saved winners of a pot with `people` (ids), and save `cents` for each of them.

    `kind` is `POT_ENTRY` for the players or `POT_PRIZE` for the winners.
    """
    of_pot = (MoneyRow.night_id == desk.night.id, MoneyRow.what == pot, MoneyRow.kind == kind)
    desk.session.execute(delete(MoneyRow).where(*of_pot))
    desk.session.add_all(
        MoneyRow(night_id=desk.night.id, kind=kind, person_id=person, cents=cents, what=pot) for person in people
    )


@use_case
def save_kitty(*, night: str, opened: bool, last: bool, device: str, now: datetime | None = None) -> None:
    """Save two choices for tonight: whether the kitty is added to the prizes, and whether the side pots end.

    If `opened` is true, the kitty is added to the prizes. If `last` is true, tonight is the last night of the side
    pots, and the money left in the pots goes into the kitty. Raises what `at_desk` raises.
    """
    with at_desk(night, device, now, Role.OWNER) as desk:
        was = {row.kind for row in rows_of(desk.session, desk.night)}
        desk.session.execute(
            delete(MoneyRow).where(MoneyRow.night_id == desk.night.id, MoneyRow.kind.in_((OPEN_KITTY, LAST_NIGHT)))
        )
        for kind, chosen in ((OPEN_KITTY, opened), (LAST_NIGHT, last)):
            if chosen:
                desk.session.add(MoneyRow(night_id=desk.night.id, kind=kind, person_id=None, cents=0, what=""))
        before = {"opened": OPEN_KITTY in was, "last": LAST_NIGHT in was}
        desk.note("jar_told", opened=opened, last=last, before=before)


@use_case
def note_amount(
    *, night: str, cents: int, reason: str, device: str, tap: str = "", now: datetime | None = None
) -> None:
    """Add `cents` to the kitty for a reason that the owner gives. A negative amount is paid from the kitty.

    The night may be open or closed. `tap` identifies the request, so that a repeated request adds nothing.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid amount, a missing or long
    reason, a night with too many amounts, or a kitty that holds too little.
    """
    why = " ".join(reason.split())
    with at_desk(night, device, now, Role.OWNER, closed=None) as desk:
        key = desk.key("amount_noted", tap, cents)
        if desk.did(key):
            return
        if not 0 < abs(cents) <= MOST_CENTS:
            raise RuleViolation("amount", "Enter an amount above zero, such as 12.50.", field="amount")
        if not why:
            raise RuleViolation("reason_missing", "Enter a reason for the amount.", field="reason")
        if len(why) > REASON:
            raise RuleViolation("reason_long", "Shorten the reason to 120 characters.", field="reason")
        rows = rows_of(desk.session, desk.night)
        if sum(row.kind == NOTED for row in rows) >= MOST_NOTES:
            message = Phrase("This night already has %(most)s entries, the most it can hold.", most=MOST_NOTES)
            raise RuleViolation("notes", message, field="amount")
        till = till_before(desk.session, desk.night)
        till.after([row for row in rows if desk.night.closed_at is not None or row.kind == NOTED])
        if till.kitty + cents < 0:
            message = Phrase(
                "The kitty has only %(amount)s. What tonight adds to it is there once the night is closed; you can "
                "enter this amount then, too.",
                amount=f"{till.kitty // 100}.{till.kitty % 100:02}",
            )
            raise RuleViolation("kitty_empty", message, field="amount")
        desk.session.add(MoneyRow(night_id=desk.night.id, kind=NOTED, person_id=None, cents=cents, what=why))
        desk.note("amount_noted", reason=why, cents=cents, key=key)


def players_in(session: Session, season: SeasonRow, night: NightRow, pot: str | None) -> list[PersonRow]:
    """Return the people who were checked in on a night, including those who left early.

    If `pot` is the name of a pot, return only those who were also in this pot on the last earlier night that it was
    played for.
    """
    query = select(PersonRow).join(PresentRow, PresentRow.person_id == PersonRow.id)
    here = list(session.scalars(query.where(PresentRow.night_id == night.id).order_by(PersonRow.id)))
    if pot is None:
        return here
    of_pot = (MoneyRow.kind == POT_ENTRY, MoneyRow.what == pot)
    last = (
        select(func.max(NightRow.number))
        .join(MoneyRow, MoneyRow.night_id == NightRow.id)
        .where(NightRow.season_id == season.id, NightRow.number.between(1, night.number - 1), *of_pot)
        .scalar_subquery()
    )
    entered = (
        select(PersonRow.id, PersonRow.merged_into)
        .join(MoneyRow, MoneyRow.person_id == PersonRow.id)
        .join(NightRow, NightRow.id == MoneyRow.night_id)
        .where(NightRow.season_id == season.id, NightRow.number == last, *of_pot)
    )
    were_in = {merged_into or person for person, merged_into in session.execute(entered)}
    return [person for person in here if person.id in were_in]


def _in_pot(session: Session, night: NightRow, pot: str, kind: str) -> list[str]:
    """Return the public ids of the players or the winners of a pot.

    `kind` is `POT_ENTRY` for the players or `POT_PRIZE` for the winners.
    """
    query = select(PersonRow.public_id).join(MoneyRow, MoneyRow.person_id == PersonRow.id)
    of_pot = (MoneyRow.night_id == night.id, MoneyRow.what == pot, MoneyRow.kind == kind)
    return list(session.scalars(query.where(*of_pot).order_by(MoneyRow.id)))


def rows_of(session: Session, night: NightRow) -> Sequence[MoneyRow]:
    """Return the money rows of a night, oldest first."""
    return session.scalars(select(MoneyRow).where(MoneyRow.night_id == night.id).order_by(MoneyRow.id)).all()


def till_before(session: Session, night: NightRow) -> Till:
    """Return the amounts in the kitty and the pots before a night, added up over the season's earlier closed nights."""
    return _last(_tills(session, night))


def _last(tills: Mapping[int, Till]) -> Till:
    return next(reversed(list(tills.values())), Till())


def _tills(session: Session, night: NightRow) -> dict[int, Till]:
    """Return the kitty and the pots after each closed night before a night, by number, oldest first."""
    # Summed up by the database: a season has thousands of rows.
    query = (
        select(NightRow.number, MoneyRow.kind, MoneyRow.what, func.sum(MoneyRow.cents).label("cents"))
        .join(MoneyRow, MoneyRow.night_id == NightRow.id)
        .where(NightRow.season_id == night.season_id, NightRow.number < night.number, NightRow.closed_at.is_not(None))
        .group_by(NightRow.number, MoneyRow.kind, MoneyRow.what)
        .order_by(NightRow.number)
    )
    nights: defaultdict[int, list[Row[int, str, str, int]]] = defaultdict(list)
    for row in session.execute(query):
        nights[row.number].append(row)
    till, tills = Till(), dict[int, Till]()
    for number, rows in nights.items():
        till.after(rows)
        tills[number] = deepcopy(till)
    return tills


def saved_money(session: Session, night: NightRow) -> NightMoney:
    """Return the saved money of a closed night. Raises `ValueError` if it no longer balances.

    Amounts that the owner added to the kitty that night, or paid from it, are part of `kitty_before`. They don't appear
    in `lines`.
    """
    before = till_before(session, night)
    rows = rows_of(session, night)
    before.kitty += sum(row.cents for row in rows if row.kind == NOTED)
    after = Till()
    after.kitty, after.pots = before.kitty, defaultdict(int, before.pots)
    after.after([row for row in rows if row.kind != NOTED])
    names = sorted({*before.pots, *after.pots})
    return NightMoney(
        lines=tuple(_line(row) for row in rows if row.cents and row.kind in (*CALCULATED, POT_ENTRY, POT_PRIZE)),
        kitty_before=before.kitty,
        kitty_after=after.kitty,
        pots_before=tuple((name, before.pots[name]) for name in names),
        pots_after=tuple((name, after.pots.get(name, 0)) for name in names),
    )


def saved_prizes(session: Session, night: NightRow) -> tuple[MoneyLine, ...]:
    """Return the prizes and then the pots that a night paid to players; () while it is open. Takes one query."""
    lines = [_line(row) for row in rows_of(session, night) if row.cents and row.kind in ("prize", POT_PRIZE)]
    return tuple(sorted(lines, key=lambda line: (line.kind == POT_PRIZE, line.place)))


def prizes_now(session: Session, night: NightRow) -> dict[str, int]:
    """Return the cents that a night pays to each person in prizes and from side pots, by public id."""
    query = (
        select(PersonRow.public_id, func.sum(MoneyRow.cents))
        .join(PersonRow, PersonRow.id == MoneyRow.person_id)
        .where(MoneyRow.night_id == night.id, MoneyRow.kind.in_(("prize", POT_PRIZE)), MoneyRow.cents != 0)
        .group_by(PersonRow.public_id)
        .order_by(PersonRow.public_id)
    )
    return {person: -cents for person, cents in session.execute(query)}


def prizes_before(session: Session, night: NightRow) -> dict[str, int]:
    """Return what `prizes_now` was when the night was last reopened; empty if it never was."""
    lines = select(LeagueEventRow.data).where(LeagueEventRow.night_id == night.id, LeagueEventRow.kind == REOPENED)
    data = session.scalars(lines.order_by(LeagueEventRow.id.desc()).limit(1)).first()
    paid = (data or {}).get("paid")
    return paid if isinstance(paid, dict) else {}  # an imported league can have other lines


def _evening(desk: Desk, settings: MoneySettings, rows: Sequence[MoneyRow], till: Till) -> NightTakings:
    session, night = desk.session, desk.night
    takings = {pot.name: (set[int](), set[int]()) for pot in settings.pots}
    for row in rows:
        if row.kind in (POT_ENTRY, POT_PRIZE) and row.person_id is not None:
            takings.setdefault(row.what, (set(), set()))[row.kind == POT_PRIZE].add(row.person_id)
    kinds = {row.kind for row in rows}
    return NightTakings(
        entrants=frozenset(person for _night, person in fee_payers(session, (night.id,))),
        sets=_sets(session, night),
        shared_sets=_shared_sets(session, night),
        takings={name: Taking(frozenset(paid), frozenset(won)) for name, (paid, won) in takings.items()},
        places=ranking_of(session, desk.season, night).places,
        kitty=till.kitty + sum(row.cents for row in rows if row.kind == NOTED),
        pots=dict(till.pots),
        open_kitty=OPEN_KITTY in kinds,
        last_night=LAST_NIGHT in kinds,
    )


def _sets(session: Session, night: NightRow) -> Counter[int]:
    """Return how many times each person was set (failed to make their bid) that night, by person id."""
    query = (
        select(SeatRow.person_id)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .join(HandRow, (HandRow.table_id == TableRow.id) & (HandRow.bidder == SeatRow.seat))
        .where(TableRow.night_id == night.id, HandRow.made.is_(False))
    )
    return Counter(session.scalars(query))


def _shared_sets(session: Session, night: NightRow) -> list[tuple[Unit, int]]:
    """Return a pair (people, number of sets) for each side that was set (failed its bid) at a table without hands.

    `people` are the ids of the side's people. The bidders at such a table are unknown, because only its final score was
    entered.
    """
    on_paper = select(TableRow.id).where(TableRow.night_id == night.id, TableRow.paper_sets.is_not(None))
    entered = set(session.scalars(on_paper))
    tables = saved_tables(session, NightRow.id == night.id).get(night.id, ())
    return [
        (tuple(sorted(table.people[side :: len(table.sets)])), count)
        for table in tables
        if table.id in entered and not table.hands
        for side, count in enumerate(table.sets)
        if count
    ]


def _what(line: MoneyLine) -> str:
    """Return the text to store in `MoneyRow.what`: the number of sets, the place of a prize, or "" for other lines."""
    return {"sets": str(line.count), "prize": str(line.place)}.get(line.kind, "")


def _line(row: MoneyRow) -> MoneyLine:
    number = int(row.what) if row.kind in ("sets", "prize") else 0
    return MoneyLine(
        row.kind,  # type: ignore[arg-type]
        row.person_id or 0,
        row.cents,
        count=number if row.kind == "sets" else 1,
        place=number if row.kind == "prize" else 0,
        pot=row.what if row.kind in (POT_ENTRY, POT_PRIZE) else "",
    )
