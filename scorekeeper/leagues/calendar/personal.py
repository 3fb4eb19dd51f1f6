"""Read the players' personal pages, and the personal links that directors hand out."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from math import ceil

from msgspec import structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.calendar.links import PAGE, calendar_token, holder_of, token_of
from scorekeeper.leagues.calendar.pages import (
    Invitee,
    LinksPage,
    OwnNight,
    PersonalLink,
    PersonalPage,
)
from scorekeeper.leagues.calendar.queries import coming_to, everyone_in, next_night, opened, zone_of
from scorekeeper.leagues.calendar.service import DELETED, is_open
from scorekeeper.leagues.calendar.settings import today_in
from scorekeeper.leagues.core.access import demand, head_of, league_at
from scorekeeper.leagues.core.models import (
    AnswerRow,
    LeagueRow,
    PersonalLinkRow,
    PersonRow,
    PlannedRow,
    SeasonRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.web.extensions import db
from scorekeeper.web.links import code_of
from scorekeeper.web.text import unaccented

MOST_NIGHTS = 10
"""Most nights on a personal page."""
ON_SHEET = 100
"""Most links on one printed sheet. There is a limit because drawing the QR codes is slow."""


def personal_page(
    person: str, token: str, key: str, *, error: str = "", about: str = "", saved: str = ""
) -> PersonalPage:
    """Return the page that a player opens with a personal link.

    `person` (public id) and `token` are from the address of the page. `key` is the installation's secret key. `error`
    is shown next to the planned night with the public id `about`. `saved` is the public id of the night whose answer
    was just saved. Raises `NoSuchLeagueError` for a wrong or revoked link.
    """
    session = db.session()
    who = holder_of(session, person, token, PAGE, key)
    league = session.get_one(LeagueRow, who.league_id)
    people, nights = everyone_in(session, league.id), _own_nights(session, who)
    return PersonalPage(
        league_id=league.public_id,
        league=league.name,
        name=who.name,
        retired=not who.active,
        nights=nights[:MOST_NIGHTS],
        more=max(0, len(nights) - MOST_NIGHTS),
        names=tuple(sorted((one.name for key, one in people.items() if key != who.id), key=unaccented)),
        person_id=person,
        token=token,
        calendar=calendar_token(session, person, key),
        error=error,
        about=about,
        saved=saved,
    )


def links_page(
    league_id: str, device: str | None, key: str, address: Callable[[str, str], str], note: str
) -> LinksPage:
    """Return the page with the personal links of a league, for a director.

    `key` is the installation's secret key. `address` takes a person's public id and a token, and returns the address of
    the link. `note` is a warning if other phones can't open the links. Otherwise it is "". Raises `NoSuchLeagueError`
    or `NotAllowedError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    demand(league, device, Role.DIRECTOR)
    holders = (
        select(PersonRow, PersonalLinkRow)
        .join(PersonalLinkRow, PersonalLinkRow.person_id == PersonRow.id)
        .where(PersonRow.league_id == league.id, PersonalLinkRow.active)
        .order_by(PersonRow.merged_into.is_(None))
    )
    # The link of a merged duplicate leads to the person they are, whose own link comes last.
    addresses = {
        holder.merged_into or holder.id: address(holder.public_id, token_of(holder, link, PAGE, key))
        for holder, link in session.execute(holders)
    }
    people = sorted(everyone_in(session, league.id).items(), key=lambda item: (unaccented(item[1].name), item[0]))
    links = [PersonalLink(one.id, one.name, addresses.get(person, "")) for person, one in people]
    made = [one for one in links if one.address]
    return LinksPage(
        league=head_of(league, device),
        with_link=tuple(made),
        without=tuple(one for one in links if not one.address),
        text="\n".join(f"{one.name}: {one.address}" for one in made),
        note=note,
        any_work=bool(addresses),
    )


def links_sheet(page: LinksPage, part: int) -> LinksPage:
    """Return the links page reduced to one printed sheet, with a QR code for each link.

    `part` is the number of the sheet, from 1.
    """
    parts = max(1, ceil(len(page.with_link) / ON_SHEET))
    part = min(max(part, 1), parts)
    shown = page.with_link[(part - 1) * ON_SHEET : part * ON_SHEET]
    cards = tuple(structs.replace(one, code=code_of(one.address, border=2)) for one in shown)
    return structs.replace(page, with_link=cards, part=part, parts=parts)


def _own_nights(session: Session, who: PersonRow) -> tuple[OwnNight, ...]:
    """Return the upcoming nights of a player's league, with the player's answers."""
    since = datetime.now(UTC).date() - timedelta(days=1)
    query = (
        select(PlannedRow, SeasonRow, AnswerRow)
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .outerjoin(AnswerRow, (AnswerRow.planned_id == PlannedRow.id) & (AnswerRow.person_id == who.id))
        .where(SeasonRow.league_id == who.league_id, PlannedRow.state != DELETED, PlannedRow.day >= since)
        .order_by(PlannedRow.day, PlannedRow.starts, PlannedRow.id)
    )
    found: list[tuple[PlannedRow, SeasonRow, AnswerRow | None]] = [
        (row, season, answer) for row, season, answer in session.execute(query)
    ]
    rows = [row for row, _season, _answer in found]
    nights, coming, people = opened(session, rows), coming_to(session, rows), everyone_in(session, who.league_id)
    told = []
    for row, season, answer in found:
        today = today_in(zone_of(season))
        if row.day >= today:
            sub = people.get(answer.sub_id) if answer is not None and answer.sub_id else None
            told.append(_own(row, season, answer, sub, coming.get(row.id, 0), nights.get(row.night_id or 0, ""), today))
    return tuple(told)


def _own(
    row: PlannedRow,
    season: SeasonRow,
    answer: AnswerRow | None,
    sub: Invitee | None,
    coming: int,
    night: str,
    today: date,
) -> OwnNight:
    return OwnNight(
        night=next_night(row, season),
        coming=coming,
        says="" if answer is None else answer.says,
        sub="" if sub is None else sub.name,
        note="" if answer is None else answer.note,
        by_desk=answer is not None and answer.by_desk,
        open_night=night,
        open=is_open(row, today),
    )
