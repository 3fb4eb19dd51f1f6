"""Read the page on which owners open their league."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.header import owned
from scorekeeper.leagues.core.models import ClubAddressRow, ClubRow, PersonRow
from scorekeeper.leagues.publishing.names import SHORT, STYLES, public_names
from scorekeeper.leagues.publishing.pages import ClubSettingsPage
from scorekeeper.leagues.publishing.slugs import free_slug
from scorekeeper.web.extensions import db

SAMPLES = 3


def club_settings(league_id: str, device: str | None) -> tuple[ClubSettingsPage, dict[str, object]]:
    """Return the page on which owners open their league, and the initial values of its form by field name.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    row = session.scalars(select(ClubRow).where(ClubRow.league_id == league.id)).first()
    people = select(PersonRow.id, PersonRow.name).where(
        PersonRow.league_id == league.id, PersonRow.merged_into.is_(None), PersonRow.active
    )
    names = dict(session.execute(people.order_by(PersonRow.id).limit(SAMPLES)).all())
    samples = tuple(
        (style, _(label), ", ".join(public_names(names, style).values())) for style, label in STYLES.items()
    )
    if row is None:
        taken = set(session.scalars(select(ClubAddressRow.slug)))
        return ClubSettingsPage(head, is_open=False, slug="", samples=samples), {
            "is_open": True,
            "slug": free_slug(league.name, taken),
            "names": SHORT,
        }
    page = ClubSettingsPage(head, row.is_open, row.slug, samples)
    return page, {"is_open": row.is_open, "slug": row.slug, "names": row.names}
