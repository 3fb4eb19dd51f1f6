"""A league that is open to the public, with a night that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues.publishing import service
from tests.support.league import Hall, make_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from flask import Flask

PEOPLE = ("Ann Baker", "Bob Carter", "Cid Dorsey", "Dee Evans")
FIRST = (PEOPLE, (21, 13))


@dataclass
class Club(Hall):
    """A hall whose league is an open club, and a phone that knows nothing of it."""

    slug: str = "fire-hall"

    def open(self, names: str = "full", slug: str = "", *, is_open: bool = True) -> None:
        """Save the club's settings."""
        self.slug = slug or self.slug
        with self.app.app_context():
            service.save_club(
                league=self.league.removeprefix("/leagues/"),
                is_open=is_open,
                slug=self.slug,
                names=names,
                device=self.device,
            )

    @property
    def path(self) -> str:
        """The address of the club."""
        return f"/clubs/{self.slug}"

    @property
    def stranger(self) -> Phone:
        """A phone that was never here."""
        phone = self.app.test_client()
        assert isinstance(phone, Phone)
        return phone


@pytest.fixture
def closed_club(app: Flask, client: Phone) -> Club:
    """Return a league that was never open, with one night that is over."""
    hall = make_hall(app, client, PEOPLE)
    club = Club(hall.app, hall.phone, hall.league, hall.season, hall.days)
    club.night(FIRST)
    return club


@pytest.fixture
def club(closed_club: Club) -> Club:
    """Return an open club with one night that is over, and full names."""
    closed_club.open()
    return closed_club
