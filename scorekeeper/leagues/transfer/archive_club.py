"""Import the public pages of a league without taking another club's address."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import ClubAddressRow
from scorekeeper.leagues.transfer.archive_rows import Row, RowError

STYLES = ("full", "short", "initials")
"""The styles of names."""
SLUG = re.compile(r"[a-z0-9-]{3,40}")
"""The package `publishing`, which is above this one, has what styles and slugs mean."""


def check_club(parts: Mapping[str, Sequence[Row]]) -> None:
    """Raise `RowError` if the club could not be shown: it has at most one row, with one of its addresses."""
    slugs = [row["slug"] for row in parts["club_addresses"]]
    if not all(SLUG.fullmatch(slug) for slug in slugs):
        raise RowError("league_club_address")
    for row in parts["club"]:
        if row["names"] not in STYLES or row["slug"] not in slugs or len(parts["club"]) > 1:
            raise RowError("league_club")


def with_free_address(session: Session, parts: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[Row]]:
    """Return the parts without a club whose address is taken here: the owner opens it again under another one."""
    slugs = [row["slug"] for row in parts["club_addresses"]]
    taken = set(session.scalars(select(ClubAddressRow.slug).where(ClubAddressRow.slug.in_(slugs))))
    return {
        **parts,
        "club": [row for row in parts["club"] if row["slug"] not in taken],
        "club_addresses": [row for row in parts["club_addresses"] if row["slug"] not in taken],
    }
