"""The version of a club's pages, which is a hash that changes whenever the standings change."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.nights import bell
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.publishing.queries.club import club_page, club_version
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.publishing.conftest import PEOPLE

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club


# A match needs teams; its tables count as those of a fixed seating.
@pytest.mark.parametrize("form", [key for key in FORMATS if key != "team_match"])
def test_a_new_version_comes_with_each_change_of_the_standings(closed_club: Club, form: str) -> None:
    """In every format, when the standings change during a night, so does the version (a hash) of the club's pages."""
    hall = closed_club
    plan = NightPlan(format=form, rounds=1, options={**FORMATS[form].options})
    season = hall.season.removeprefix("/seasons/")
    hall.open()
    known: dict[str, str] = {}
    with hall.book() as people:
        night = nights.open_night(season=season, day=date(2026, 12, 1), device=hall.device)
        nights.check_in(night=night, people=[people[name] for name in PEOPLE], device=hall.device)
        nights.plan_night(night=night, plan=plan, device=hall.device)
        if FORMATS[form].teams:
            for pair in (PEOPLE[::2], PEOPLE[1::2]):
                nights.set_team(night=night, people=[people[name] for name in pair], device=hall.device)
        nights.draw(night=night, device=hall.device, seed=1)
        game = hall.hands(night, 0, count=1)
        for number in range(8):
            if number == 3 and FORMATS[form].bell == "clock":
                bell.ring(night=night, device=hall.device)
            version = club_version(hall.slug)
            standings = repr(club_page(hall.slug, "").current)
            assert known.setdefault(version, standings) == standings, number
            with suppress(RuleViolation):
                hand = {"bidder": 0, "bid": 2, "points": dict.fromkeys(("high", "low", "jack", "game"), number % 2)}
                tap = ClientRequest(hall.device, f"more-{number}", None)
                scoring.act(public_id=game, command=EnterHand(hand), request=tap)
