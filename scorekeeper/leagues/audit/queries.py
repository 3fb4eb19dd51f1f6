"""Read the log of a league as sentences, each with its author, time, reason, and the values before and after."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import SimpleNamespace

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import PUBLIC_ID
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.audit.messages import line_change, line_words
from scorekeeper.leagues.audit.table_messages import Names
from scorekeeper.leagues.core import unit_of_work
from scorekeeper.leagues.core.access import NoSuchLeagueError, head_of, league_at, night_at
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, LeagueTextRow, NightRow, SeasonRow
from scorekeeper.leagues.core.unit_of_work import CALLED, REASON, SIGNED
from scorekeeper.leagues.standings.standings_cache import roster_of
from scorekeeper.web.extensions import db


class LogLine(Struct, frozen=True):
    """One line of a league's history."""

    when: datetime
    who: str
    what: str
    """Sentence about what was done, including the name `who`."""
    night: str
    """Title of the night, such as "Night 3"; empty if the line isn't about a night."""
    before: str
    after: str
    """Value after the change. Like `before`, it is empty if there is no such value, or if `what` contains it."""
    reason: str


LINES = 100
"""Most lines on one page."""

Event = tuple[LeagueEventRow, int | None]
"""A line of the league's log, and the number of the night that the line is about (None if it isn't about a night)."""


def ledger_page(league_id: str, device: str | None, before: int | None = None, night: str = "") -> SimpleNamespace:
    """Return one page of the history of a league, newest line first.

    If `night` (public id) is given, only lines about that night are returned. If `before` (row id of a line) is given,
    only older lines are returned. Raises `NoSuchLeagueError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    found = _night(session, league, night) if night else None
    events = _events(session, league, before=before, night=found, most=LINES + 1)
    lines = _lines(session, league, events[:LINES])
    older = events[LINES - 1][0].id if len(events) > LINES else None
    title = "" if found is None else _("Night %(number)s", number=found.number)
    return SimpleNamespace(
        league=head_of(league, device),
        lines=lines,
        # Value to pass to `ledger_page` as `before` to get the next older page; None if this page is the oldest.
        older=older,
        # Public id of the night, empty for the history of the whole league.
        night=night if found is not None else "",
        night_title=title,
    )


def whole_ledger(league_id: str) -> tuple[LogLine, ...]:
    """Return the whole history of a league, oldest line first. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return _lines(session, league, _events(session, league)[::-1])


def _events(
    session: Session,
    league: LeagueRow,
    *,
    before: int | None = None,
    night: NightRow | None = None,
    most: int | None = None,
) -> Sequence[Event]:
    query = (
        select(LeagueEventRow, NightRow.number)
        .outerjoin(NightRow, NightRow.id == LeagueEventRow.night_id)
        .where(LeagueEventRow.league_id == league.id)
        .order_by(LeagueEventRow.id.desc())
        .limit(most)
    )
    if before is not None:
        query = query.where(LeagueEventRow.id < before)
    if night is not None:
        query = query.where(LeagueEventRow.night_id == night.id)
    return [(event, number) for event, number in session.execute(query)]


def _lines(session: Session, league: LeagueRow, events: Sequence[Event]) -> tuple[LogLine, ...]:
    devices, names = _devices(session, league), _names(session, league)
    texts, signed = _texts(session, league, events), signed_names(session, league, [event for event, _night in events])

    def who(event: LeagueEventRow) -> str:
        if event.kind in unit_of_work.KINDS:
            return _("The person who runs the server")
        # In an imported league, the names come from the file.
        account = signed.get(event.id, texts[event.id].get(SIGNED))
        return devices[event.device] if account is None else isolated(account) or _("The signed-in owner")

    return tuple(_line(event, number, names, texts[event.id], who(event)) for event, number in events)


def _line(event: LeagueEventRow, night: int | None, names: Names, texts: Mapping[str, str], who: str) -> LogLine:
    told = event.data | {key: text for key, text in texts.items() if key not in (REASON, SIGNED)}
    before, after = line_change(event.kind, told, names)
    return LogLine(
        event.at,
        who,
        line_words(event.kind, told, names, who),
        "" if night is None or night < 1 else _("Night %(number)s", number=night),
        before,
        after,
        texts.get(REASON, ""),
    )


def _names(session: Session, league: LeagueRow) -> Names:
    """Return a function that takes a public id and returns the current name that belongs to this id.

    The function knows the ids of the people and seasons of a league, and the id of the league itself.
    """
    roster = roster_of(session, league.id)
    seasons = select(SeasonRow.public_id, SeasonRow.name).where(SeasonRow.league_id == league.id)
    others = {league.public_id: league.name, **dict(session.execute(seasons).all())}

    def named(address: str) -> str:
        if address in others:
            return isolated(others[address])
        name = roster.at(address)
        # A player who was removed with the import that added them.
        return _("(removed)") if name == address and PUBLIC_ID.fullmatch(address) else name

    return named


def _texts(session: Session, league: LeagueRow, events: Sequence[Event]) -> Mapping[int, Mapping[str, str]]:
    """Map the row id of each log line in `events` to the texts that people typed for it, such as a reason, by key."""
    lines = [event.id for event, _night in events]
    query = (
        select(LeagueTextRow.event_id, LeagueTextRow.key, LeagueTextRow.text)
        .join(LeagueEventRow, LeagueEventRow.id == LeagueTextRow.event_id)
        .where(LeagueEventRow.league_id == league.id)
        .where(LeagueTextRow.event_id.between(min(lines, default=0), max(lines, default=0)))
    )
    told: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for line, key, text in session.execute(query):
        told[line][key] = text
    return told


def _devices(session: Session, league: LeagueRow) -> Mapping[str, str]:
    """Map the hash of each device in the log to a name for readers, such as "Another phone (2)".

    The device that runs the league and the device that created it have their own names. The other phones are numbered
    in the order in which they first appear in the log.
    """
    of_devices = LeagueEventRow.kind.not_in(unit_of_work.KINDS)
    query = select(LeagueEventRow.device).where(LeagueEventRow.league_id == league.id, of_devices)
    known = session.scalars(query.group_by(LeagueEventRow.device).order_by(func.min(LeagueEventRow.id))).all()
    told, others = {}, 0
    for place, device in enumerate(known):
        if device == league.device:
            told[device] = _("The device that runs the league")
        elif not place:
            told[device] = _("The device that created the league")
        else:
            others += 1
            told[device] = _("Another phone (%(number)s)", number=others)
    return told


def signed_names(session: Session, league: LeagueRow, events: Sequence[LeagueEventRow]) -> Mapping[int, str]:
    """Map the row id of each log line to the name of the person who was signed in when the line was saved.

    Lines without an account are left out. The names are the ones that the league's owner entered, because account names
    stay private; an owner without such a name has "".
    """
    signed = {event.id: event.account_id for event in events if event.account_id is not None}
    if not signed:
        return {}
    joined = (
        select(LeagueEventRow.account_id, LeagueTextRow.text)
        .join(LeagueTextRow, (LeagueTextRow.event_id == LeagueEventRow.id) & (LeagueTextRow.key == CALLED))
        .where(LeagueEventRow.league_id == league.id, LeagueEventRow.kind == "joined")
        .order_by(LeagueEventRow.id)
    )
    called = dict(session.execute(joined).all())
    return {line: called.get(account, "") for line, account in signed.items()}


def _night(session: Session, league: LeagueRow, address: str) -> NightRow:
    night = night_at(session, address)
    if session.get_one(SeasonRow, night.season_id).league_id != league.id:
        raise NoSuchLeagueError
    return night
