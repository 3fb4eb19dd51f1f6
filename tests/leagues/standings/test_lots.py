"""Random draws that break ties, which are saved when a night is closed and can be checked by anyone."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.standings.standings_cache import KIND, forget
from scorekeeper.web.extensions import db
from tests.support.league import Hall, make_hall, table
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

SEATED = (("Ann", "Bob", "Cid", "Dee"), (21, 13))


def _tie_times(hall: Hall) -> list[str]:
    """Return the times of the random draws on the standings page, in UTC, like "2026-09-01T20:00:00Z"."""
    (details,) = hall.standings().all("details", class_="ties")
    return [time.get("datetime") or "" for time in details.iter("time")]


def _lines(hall: Hall) -> list[Any]:
    log = json.loads(hall.phone.get(f"{hall.league}/log.json").text)
    return [line for line in log if "random draw" in line["what"]]


def test_a_draw_has_its_time_once_the_night_is_closed(app: Flask, client: Phone) -> None:
    """A random draw gets its time when the night is closed. Reopening and closing the night again keeps that time.

    The page, the CSV file and the history show the same time.
    """
    hall = make_hall(app, client)
    night = hall.night(SEATED, close=False)
    assert _tie_times(hall) == []
    with hall.book():
        closing.close_night(night=night, device=hall.device, anyway=True)
    once = _tie_times(hall)
    assert len(once) == 2
    (line,) = _lines(hall)
    at = datetime.fromisoformat(line["at"])
    assert set(once) == {at.strftime("%Y-%m-%dT%H:%M:%SZ")}
    assert hall.phone.get(f"{hall.season}/people.csv").text.count(f"{at:%Y-%m-%dT%H:%M:%SZ}") == 4
    with hall.book():
        closing.reopen_night(night=night, device=hall.device, reason="a wrong score")
        forget()
    assert _tie_times(hall) == once
    with hall.book():
        closing.close_night(night=night, device=hall.device, anyway=True)
    assert (_tie_times(hall), len(_lines(hall))) == (once, 1)


def test_a_stranger_can_repeat_a_draw(app: Flask, client: Phone) -> None:
    """Anyone can repeat a random draw from the seed on the page and the ids in the addresses of the players' pages.

    GUIDE.md explains how to repeat a draw.
    """
    hall = make_hall(app, client)
    hall.night(SEATED)
    page = hall.standings()
    (details,) = page.all("details", class_="ties")
    seed = hall.season.removeprefix("/seasons/")
    lines = [words(item) for item in details.iter("li")]
    assert all(f"(draw {seed})." in line for line in lines)
    order = [row[1] for row in table(page)]
    with hall.book() as ids:
        for tied in (order[:2], order[2:]):
            pool = [seed, *sorted(ids[name] for name in tied)]
            drawn = {name: hashlib.sha256("\n".join([*pool, "", ids[name]]).encode()).hexdigest() for name in tied}
            assert tied == sorted(tied, key=drawn.__getitem__)


def test_the_line_of_a_draw_holds_ids(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    hall.night(SEATED)
    with hall.book() as ids:
        data = db.session.scalars(select(LeagueEventRow.data).where(LeagueEventRow.kind == KIND)).one()
        assert {person for lot in data["lots"] for unit in lot for person in unit} == set(ids.values())
