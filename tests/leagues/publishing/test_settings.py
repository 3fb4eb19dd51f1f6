"""How an owner opens a league to the public and chooses its address and the form of its names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.models import ClubRow, LeagueEventRow, LeagueRow
from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.publishing.service import MOST_ADDRESSES
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.publishing.test_club_list import make_clubs
from tests.support.page import words

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club


def kept(club: Club) -> tuple[bool, str, str]:
    """Return the stored settings of the club as a tuple: whether it is open, its slug, and how names are shown."""
    with club.app.app_context():
        row = db.session.scalars(select(ClubRow).order_by(ClubRow.id).limit(1)).one()
        return row.is_open, row.slug, row.names


def test_the_owner_opens_the_club_through_the_page(closed_club: Club) -> None:
    phone, path = closed_club.phone, f"{closed_club.league}/club"
    page = phone.see(path)
    assert page.form(path).values["slug"] == "fire-hall"
    after = phone.submit(page, path, is_open="yes", slug="Thursday", names="short")
    assert kept(closed_club) == (True, "thursday", "short")
    assert [link for link in after.all("a") if str(link.get("href")).endswith("/clubs/thursday")]
    again = phone.submit(after, path, is_open=None)
    assert kept(closed_club) == (False, "thursday", "short")
    assert not again.all("textarea")


def test_page_says_what_strangers_see_before_the_league_is_public(closed_club: Club) -> None:
    page = closed_club.phone.see(f"{closed_club.league}/club")
    told = [words(line) for line in page.one("main").iter("li")]
    assert told == [
        "The names of your players, in the form you choose below.",
        "Results and standings of all seasons, past ones too.",
        "Prizes in money: who won how much.",
        "When and where the next nights are, with their notes.",
    ]
    text = words(page.one("main"))
    assert text.index("Nobody sees there who paid, who owes what, or what is in the cash box.") < text.index("Address")


def test_the_league_page_leads_its_owner_there(closed_club: Club) -> None:
    path = f"{closed_club.league}/club"
    assert [link for link in closed_club.phone.see(closed_club.league).all("a") if link.get("href") == path]
    assert not [link for link in closed_club.stranger.see(closed_club.league).all("a") if link.get("href") == path]
    assert closed_club.stranger.get(path).status_code == 403


def test_a_wrong_address_is_refused_beside_its_field(club: Club) -> None:
    make_clubs(club.app, "Moose")
    path = f"{club.league}/club"
    for typed in ("no spaces", "club-1"):
        page = club.phone.submit(club.phone.see(path), path, status=422, slug=typed)
        assert page.form(path).values["slug"] == typed
        assert [words(error) for error in page.all("p", class_="error")]
    assert kept(club) == (True, "fire-hall", "full")


def test_nobody_else_gets_a_former_address(club: Club) -> None:
    club.open(slug="thursday")
    with club.app.app_context(), pytest.raises(RuleViolation) as refused:
        make_clubs(club.app, "Moose")
        moose = db.session.scalars(select(ClubRow).where(ClubRow.slug == "club-1")).one()
        league = db.session.get_one(LeagueRow, moose.league_id).public_id
        service.save_club(league=league, is_open=True, slug="fire-hall", names="full", device="d" * 64)
    assert refused.value.field == "slug"


def test_addresses_are_limited(club: Club) -> None:
    for number in range(MOST_ADDRESSES - 1):
        club.open(slug=f"thursday-{number}")
    with pytest.raises(RuleViolation):
        club.open(slug="one-too-many")
    club.open(slug="fire-hall")


def test_only_an_owner_may(club: Club) -> None:
    league = club.league.removeprefix("/leagues/")
    with club.app.app_context(), pytest.raises(NotAllowedError):
        service.save_club(league=league, is_open=False, slug="fire-hall", names="full", device="d" * 64)


def test_each_change_is_in_the_history_once(club: Club) -> None:
    club.open()
    club.open("initials")
    club.open("initials", is_open=False)
    with club.app.app_context():
        lines = db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == "club_changed")).all()
        told = [(line.data["open"], line.data["names"]) for line in lines]
    assert told == [(True, "full"), (True, "initials"), (False, "initials")]
    said = club.phone.see(f"{club.league}/log").text
    for sentence in ("opened the club to the public", "changed the public pages", "closed the club to the public"):
        assert sentence in said
