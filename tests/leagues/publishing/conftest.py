"""Fixtures for open clubs, which are leagues with public pages: a league that isn't public yet, and an open club."""

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
    """A league that its owner can open to the public as a club."""

    slug: str = "fire-hall"

    def open(self, names: str = "full", slug: str = "", *, is_open: bool = True) -> None:
        """Save the club's settings, by default so that the club is open to the public.

        `names` says how public pages show people's names, such as "full". `slug` is the last part of the club's
        address. If `slug` is empty, the club keeps its address.
        """
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
        """Return the path of the club's page."""
        return f"/clubs/{self.slug}"

    @property
    def stranger(self) -> Phone:
        """Return a new phone, which has never opened a page of the app."""
        phone = self.app.test_client()
        assert isinstance(phone, Phone)
        return phone


@pytest.fixture
def closed_club(app: Flask, client: Phone) -> Club:
    """Return a league with one closed night that was never open to the public."""
    hall = make_hall(app, client, PEOPLE)
    club = Club(hall.app, hall.phone, hall.league, hall.season, hall.days)
    club.night(FIRST)
    return club


@pytest.fixture
def club(closed_club: Club) -> Club:
    """Return a club open to the public with full names and one closed night."""
    closed_club.open()
    return closed_club
