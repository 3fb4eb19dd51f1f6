"""A club's settings in the league's archive, with which its public pages are open again after an import."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from sqlalchemy import select

from scorekeeper.leagues.core.models import ClubAddressRow, ClubRow
from scorekeeper.leagues.transfer.archive import ArchiveError, bring_in, pack, read_archive, unpack
from scorekeeper.web.extensions import db
from tests.leagues.publishing.test_club_list import make_clubs

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.leagues.transfer.archive import Archive
    from tests.leagues.publishing.conftest import Club


def archive_of(club: Club) -> Archive:
    """Export the club's league, and return the archive that was read back from the exported file."""
    with club.app.app_context():
        return unpack(pack(read_archive(db.session(), club.league.removeprefix("/leagues/"))))


def test_a_club_is_open_on_the_other_server_as_it_was(club: Club, elsewhere: Flask) -> None:
    club.open("initials", "thursday")
    archive = archive_of(club)
    with elsewhere.app_context():
        league = bring_in(archive)
        assert read_archive(db.session(), league).parts["club"] == archive.parts["club"]
    phone = elsewhere.test_client()
    assert "A. B." in phone.get("/clubs/thursday").text
    assert phone.get("/clubs/fire-hall").location == "/clubs/thursday"


def test_an_address_that_is_taken_there_stays_with_its_club(club: Club, elsewhere: Flask) -> None:
    club.open(slug="club-1")
    with elsewhere.app_context():
        make_clubs(elsewhere, "Moose")
        bring_in(archive_of(club))
        assert len(db.session.scalars(select(ClubRow)).all()) == 1
        assert set(db.session.scalars(select(ClubAddressRow.slug))) == {"club-1", "fire-hall"}
    assert "Moose" in elsewhere.test_client().get("/clubs/club-1").text
    assert elsewhere.test_client().get("/clubs/fire-hall").status_code == 404


def test_a_file_from_before_open_clubs_is_imported(closed_club: Club, elsewhere: Flask) -> None:
    archive = archive_of(closed_club)
    assert not archive.parts["club"]
    with elsewhere.app_context():
        assert bring_in(archive)


@pytest.mark.parametrize("change", [{"names": "loud"}, {"slug": "another"}, {"slug": "../x" * 20}, {"is_open": "yes"}])
def test_a_damaged_club_is_refused(club: Club, elsewhere: Flask, change: dict[str, object]) -> None:
    archive = archive_of(club)
    parts = {**archive.parts, "club": [{**archive.parts["club"][0], **change}]}
    with elsewhere.app_context(), pytest.raises(ArchiveError):
        bring_in(structs.replace(archive, parts=parts))


def test_a_slug_that_is_no_slug_is_refused(club: Club, elsewhere: Flask) -> None:
    archive = archive_of(club)
    changed = {part: [{**row, "slug": "../x"} for row in archive.parts[part]] for part in ("club", "club_addresses")}
    with elsewhere.app_context(), pytest.raises(ArchiveError):
        bring_in(structs.replace(archive, parts={**archive.parts, **changed}))
