"""A downloaded game says when it was played, and an imported game counts for the day on which it was played."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.logic.play_times import moment_on, played_in
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.i18n.day_only import on_that_day
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import read_record
from scorekeeper.web.extensions import db
from tests.games.test_bg_stats import told
from tests.games.test_record_import import RECORD, bring_in, refusal
from tests.games.test_table_file import exported, preview
from tests.support.game import CLEAN, contents, path_of, play_all, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NOW = datetime(2026, 11, 28, 2, tzinfo=UTC)
"""In New York it is still the evening of the 27th."""
NEW_YORK = timedelta(hours=-10)
FINAL = {key: value for key, value in RECORD.items() if key != "hands"} | {
    "final": [21, 13],
    "started": "2024-03-02T19:30:00-05:00",
    "finished": "2024-03-02T20:15:00-05:00",
}


def times(page: Page) -> set[str]:
    return {str(each.get("datetime")) for each in page.all("time")}


def dated(**fields: str) -> tuple[datetime, datetime | None]:
    """Return when a record with these dates says that its final score was played."""
    record = {key: value for key, value in FINAL.items() if key not in ("started", "finished")}
    return played_in(read_record({**record, **fields}), NEW_YORK, NOW)


def test_an_imported_game_counts_for_the_day_it_was_played(client: Phone) -> None:
    """The home page, its last evening, Our table, the list of games and BG Stats have the day of the record."""
    board = bring_in(client, json.dumps(FINAL))
    assert times(client.see("/")) == {"2024-03-03T01:15:00Z", "2024-03-03T00:30:00Z"}
    assert times(client.see("/table/games")) == {"2024-03-03T01:15:00Z"}
    assert "Today" not in client.see("/table").text
    assert times(client.see(f"{board.path}/log")) == {"2024-03-03T00:30:00Z", "2024-03-03T01:15:00Z"}
    (play,) = told(board)
    assert play["playDate"] == "2024-03-03 00:30:00"


def test_a_downloaded_game_says_when_it_and_its_hands_were_played(client: Phone, other: Phone) -> None:
    board = play_all(client, start(client), CLEAN)
    record = client.get(f"{path_of(board)}/record.json").get_json()
    hands = [hand["x_time"] for hand in record["hands"]]
    assert hands == sorted(hands)
    assert record["started"] <= hands[0]
    assert record["finished"] == hands[-1]
    record["started"] = "2024-03-02T19:30:00Z"
    for minute, hand in enumerate(record["hands"]):
        hand["x_time"] = f"2024-03-02T20:{minute:02}:00Z"
    record["finished"] = "2024-03-02T20:05:00Z"
    copied = bring_in(other, json.dumps(record))
    assert other.get(f"{copied.path}/record.json").get_json() == record
    assert times(other.see(f"{copied.path}/log")) == {record["started"], *(hand["x_time"] for hand in record["hands"])}


def test_a_game_in_progress_has_no_end(client: Phone) -> None:
    board = play_all(client, start(client), CLEAN[:2])
    assert "finished" not in client.get(f"{board.path}/record.json").get_json()


def test_the_games_of_an_imported_table_keep_the_times_of_their_hands(app: Flask, client: Phone, other: Phone) -> None:
    """A league made from such a table takes its times from the logs of the games."""
    bring_in(client, json.dumps(FINAL))
    other.submit(preview(other, exported(client)), "/table/import")
    with app.app_context():
        rows = db.session.execute(select(GameRow.started_at, GameRow.updated_at)).all()
        logged = db.session.scalars(select(EventRow.happened_at).order_by(EventRow.game_id, EventRow.seq)).all()
    assert len(set(rows)) == 1
    assert [*rows[0], *rows[1]] == logged


@pytest.mark.parametrize(
    ("fields", "began"),
    [
        ({}, NOW),
        ({"started": " "}, NOW),
        ({"started": "2024-05-01"}, on_that_day(datetime(2024, 5, 2, 1, tzinfo=UTC))),
        ({"started": "2026-11-27"}, on_that_day(NOW)),
        ({"started": "2026-11-28"}, on_that_day(NOW)),
        ({"started": "2024-05-01T19:30"}, datetime(2024, 5, 2, 0, 30, tzinfo=UTC)),
        ({"started": "2024-05-01 19:30+02:00"}, datetime(2024, 5, 1, 17, 30, tzinfo=UTC)),
        ({"finished": "2024-05-01T19:30Z"}, datetime(2024, 5, 1, 19, 30, tzinfo=UTC)),
        ({"started": "2026-11-28T03:00Z"}, NOW),
    ],
)
def test_a_date_can_be_written_with_or_without_a_time(fields: dict[str, str], began: datetime) -> None:
    assert dated(**fields)[0] == began


def test_an_end_on_the_same_day_may_be_a_date() -> None:
    late = datetime(2024, 5, 2, 3, tzinfo=UTC)
    assert dated(started="2024-05-01T23:00", finished="2024-05-01") == (late + timedelta(hours=1),) * 2


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"started": "last spring"}, "This game's date is “last spring”. Write it like 2024-03-02."),
        ({"started": "2024-02-30"}, "This game's date is “2024-02-30”. Write it like 2024-03-02."),
        ({"finished": "2999-01-01"}, "This game's date is “2999-01-01”, which is after today."),
        ({"started": "2999-01-01T20:00:00Z"}, "This game's date is “2999-01-01”, which is after today."),
        ({"started": "0001-01-01T00:00:00+14:00"}, "This game's date is “0001-01-01”. That's too long ago."),
        ({"finished": "2024-01-01"}, "This game ends before it starts: “2024-01-01”."),
    ],
)
def test_a_date_that_cannot_be_is_refused(app: Flask, client: Phone, fields: dict[str, str], says: str) -> None:
    before = contents(app)
    assert refusal(bring_in(client, json.dumps(FINAL | fields), 422)) == f"{says} Nothing was imported."
    assert contents(app) == before


def test_times_of_hands_that_cannot_be_are_ignored(client: Phone) -> None:
    """A hand is never before the one before it, or in the future."""
    hands: list[dict[str, Any]] = [*RECORD["hands"]]
    odd = ("2999-01-01T00:00:00Z", "1999-01-01T00:00:00Z", "noon")
    hands = [{**hand, "x_time": time} for hand, time in zip(hands, odd, strict=True)]
    board = bring_in(client, json.dumps(RECORD | {"hands": hands, "started": "2024-03-02T19:30:00Z"}))
    shown = times(client.see(f"{board.path}/log"))
    assert len(shown) == 2
    assert max(shown) < "2999"


def test_a_day_after_today_is_refused_wherever_the_phone_is() -> None:
    with pytest.raises(RuleViolation):
        moment_on((NOW + timedelta(days=2)).date(), NEW_YORK, NOW)
