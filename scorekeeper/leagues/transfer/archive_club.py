"""Check the public pages of an imported league, and don't let them take over another league's address."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import ClubAddressRow
from scorekeeper.leagues.transfer.archive_rows import Row, RowError

STYLES = ("full", "short", "initials")
"""Ways to show people's names on public pages. These are the keys of `publishing.names.STYLES`."""
SLUG = re.compile(r"[a-z0-9-]{3,40}")
"""Pattern of a slug, the name of a league in the addresses of its public pages.

`publishing` defines styles and slugs. This package must not import `publishing`, so they are repeated here.
"""


def check_club(parts: Mapping[str, Sequence[Row]]) -> None:
    """Check a league's club, which is the row with the settings of its public pages.

    Raises `RowError` if an archive has more than one club, or if the way in which the club shows people's names is
    invalid. Also raises `RowError` if the archive's list of club addresses lacks the current address of the club, or
    if an address in the list is invalid.
    """
    slugs = [row["slug"] for row in parts["club_addresses"]]
    if not all(SLUG.fullmatch(slug) for slug in slugs):
        raise RowError("league_club_address")
    for row in parts["club"]:
        if row["names"] not in STYLES or row["slug"] not in slugs or len(parts["club"]) > 1:
            raise RowError("league_club")


def with_free_address(session: Session, parts: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[Row]]:
    """Return the parts of an archive without those addresses of public pages that are taken on this server.

    If the current address of the league's public pages is taken, their settings (the club) are left out too. The owner
    can later make the league public again under another address.
    """
    slugs = [row["slug"] for row in parts["club_addresses"]]
    taken = set(session.scalars(select(ClubAddressRow.slug).where(ClubAddressRow.slug.in_(slugs))))
    return {
        **parts,
        "club": [row for row in parts["club"] if row["slug"] not in taken],
        "club_addresses": [row for row in parts["club_addresses"] if row["slug"] not in taken],
    }
