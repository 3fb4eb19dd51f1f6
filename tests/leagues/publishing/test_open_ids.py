"""A club's public pages have separate ids, which nobody can match to the league's own ids without a secret key."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from uuid import uuid5

from sqlalchemy import select

from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, PlannedRow
from scorekeeper.leagues.publishing.addresses import NAMESPACE, open_id, urn
from scorekeeper.web.extensions import db
from tests.leagues.publishing.test_schedule import TODAY, plan

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club

SEASON = "/seasons/1"
NIGHT = f"{SEASON}/nights/1"
FOR_PROGRAMS = ("/schedule", f"{SEASON}/standings", NIGHT, f"{NIGHT}/games")
"""Paths of the API whose responses contain ids."""


def guesses(public_id: str) -> set[str]:
    """Return the ids that somebody could calculate from the league's own id of a person or night without a secret key.

    None of these ids may be on a page of the club.
    """
    kinds = ("person", "night", "feed", "entry")
    plain = {hashlib.sha256(f"open {kind} {public_id}".encode()).hexdigest()[:12] for kind in kinds}
    return plain | {public_id, str(uuid5(NAMESPACE, public_id))}


def test_no_id_is_a_hash_without_the_key(club: Club) -> None:
    plan(club, TODAY)
    with club.app.app_context():
        columns = (LeagueRow.public_id, PersonRow.public_id, NightRow.public_id, PlannedRow.public_id)
        ids = {each for column in columns for each in db.session.scalars(select(column))}
        people = [open_id("person", each) for each in db.session.scalars(select(PersonRow.public_id))]
    paths = [
        f"{club.path}/feed.atom",
        f"{club.path}/calendar.ics",
        *(f"/api/1{club.path}{page}" for page in FOR_PROGRAMS),
    ]
    answers = {path: club.stranger.get(path).text for path in paths}
    assert all(each in answers[f"/api/1{club.path}{SEASON}/standings"] for each in people)
    for path, text in answers.items():
        assert not [guess for each in ids for guess in guesses(each) if guess in text], path


def test_another_key_makes_other_ids(club: Club) -> None:
    with club.app.app_context():
        before = {open_id("person", "a"), open_id("night", "a"), open_id("person", "b"), urn("a"), urn("b")}
        assert len(before) == 5
        club.app.secret_key = "another key, which is as long as it must be"
        assert not before & {open_id("person", "a"), open_id("night", "a"), urn("a")}
