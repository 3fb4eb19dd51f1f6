"""The server stores only the data about people that the privacy page and PRIVACY.md name, and no longer than stated."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from sqlalchemy import JSON, LargeBinary, String, select

from scorekeeper import create_app
from scorekeeper.accounts.devices import LASTS
from scorekeeper.accounts.models import AccountEventRow, AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.accounts.sessions import KEPT as LOG_KEPT
from scorekeeper.accounts.sessions import LONGEST
from scorekeeper.leagues.core.roles import INVITATION_LASTS
from scorekeeper.ops.scheduler import EVERY, tidy_once
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.form_answers import LASTS as ANSWERS_LAST
from scorekeeper.web.form_answers import FormAnswerRow
from scorekeeper.web.help_pages import KEPT
from scorekeeper.web.rate_limit import HOUR, Limit
from tests.conftest import settings_in

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

ROOT = Path(__file__).parents[2]
OF_NOBODY = {
    *(
        "lease.name",
        "installation.key_check",
        "installation.oldest_writer",
        "installation.paused_because",
        "installation.publish_failed",
        "league_upload.key",
        "form_answer.key",
    ),
    "league_club.names",
    *("game.public_id", "game.client_id", "game.preset", "game.ruleset", "game.players", "game.sides", "game.totals"),
    *("game.sets", "game.ended_by", "game_event.kind", "game_event.client_id", "game_note.kind", "score_link.secret"),
    *("recovery.place", "house_rules.preset", "house_rules.options", "league.public_id", "league.client_id"),
    *("person.public_id", "season.public_id", "season.preset", "season.options", "season.counting", "season.plan"),
    *(
        "night.public_id",
        "night.plan",
        "league_event.kind",
        "league_event.request_key",
        "league_event_text.key",
        "league_money.kind",
        "league_payment.kind",
        "league_table.kind",
    ),
    *("league_table.confirmed", "league_table.confirmed_by", "league_table.points", "league_table.sets"),
    "league_table.paper_sets",
    "league_tally.people",
    *("league_tally.byes", "league_tally.tables", "league_tally.teams", "league_hand.bid", "league_hand.bidding"),
    "league_hand.delta",
    *("planned_night.public_id", "planned_night.state"),
    *("home_table.public_id", "home_person.public_id", "home_photo.public_id", "home_photo.content_type"),
    *("game.facts", "home_link.secret", "home_code.place"),
    *("home_table.origin", "home_person.origin", "game.origin"),
    *("season.playoffs", "squad.public_id", "fixture.public_id"),
}
"""Columns with texts that say nothing about a person: numbers, addresses of pages, kinds, rules and so on."""


@pytest.mark.database
def test_every_column_that_could_tell_of_somebody_is_in_the_list(app: Flask) -> None:
    """Each database column with text, JSON or bytes is listed in `KEPT` or in `OF_NOBODY`.

    `KEPT` says why a column with data about people is stored, and for how long.
    """
    with app.app_context():
        texts = {
            f"{table.name}.{column.name}"
            for table in db.metadata.sorted_tables
            for column in table.columns
            if isinstance(column.type, String | JSON | LargeBinary)
        }
    told = [column for each in KEPT for column in each.columns]
    assert len(told) == len(set(told))
    assert set(told) | OF_NOBODY == texts
    assert not set(told) & OF_NOBODY


def test_the_document_says_the_same() -> None:
    lines = [f"| {each.what} | {each.why} | {each.until} |" for each in KEPT]
    document = (ROOT / "scorekeeper" / "web" / "PRIVACY.md").read_text(encoding="utf-8")
    assert "\n".join(lines) in document, "the table must be:\n" + "\n".join(lines)


def test_the_times_are_those_of_the_code() -> None:
    """The numbers of days on the privacy page are the same as the constants in the code."""
    said = " ".join(each.until for each in KEPT)
    spans = {LOG_KEPT, LONGEST, LASTS, INVITATION_LASTS + LOG_KEPT}
    assert {timedelta(days=int(days)) for days in re.findall(r"\b\d+\b", said)} == spans
    longest = max(each.seconds for each in vars(rate_limit).values() if isinstance(each, Limit))
    assert longest == HOUR
    assert timedelta(hours=6) == EVERY
    assert timedelta(seconds=longest) + EVERY == timedelta(hours=7)  # "after seven hours at the latest"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_the_page_says_it_to_everybody(client: Phone, language: str) -> None:
    """The privacy page exists in each language, sets no cookie, and is linked from the home page."""
    page = client.see("/privacy")
    assert page.h1 == "Privacy"
    assert "Set-Cookie" not in page.response.headers
    response = client.get("/privacy", headers={"Accept-Language": language})
    assert response.text.count("<section>") == len(KEPT)
    assert (KEPT[0].what in response.text) == (language == "en")
    assert "/privacy" in [link.get("href") for link in client.see("/").all("a")]


def test_whom_to_ask_is_on_the_page_if_the_operator_says_it(tmp_path: Path) -> None:
    app = create_app(structs.replace(settings_in(tmp_path), contact="mailto:rita@cards.example.org"))
    text = app.test_client().get("/privacy").text
    assert '<a href="mailto:rita@cards.example.org" rel="noreferrer">rita@cards.example.org</a>' in text


@pytest.mark.database
def test_what_is_too_old_is_removed(app: Flask, tmp_path: Path) -> None:
    """The server regularly deletes rows that are too old, even if nobody signs in, and doesn't delete newer rows."""
    counting = create_app(structs.replace(settings_in(tmp_path), limits=True))
    limiter = counting.extensions["limiter"]
    limiter.storage.acquire_entry("old", 5, -1)
    limiter.storage.acquire_entry("young", 5, 3600)
    now = datetime.now(UTC)
    moment = timedelta(minutes=1)
    with app.app_context(), writing() as session:
        account = AccountRow(
            name="Rita", folded="rita", opening="hash", opening_until=now - moment, made_at=now - 2 * LASTS
        )
        session.add(account)
        session.flush()
        for age, word in ((moment, "young"), (-moment, "old")):
            then = now + age
            session.add(AccountEventRow(account_id=account.id, at=then - LOG_KEPT, kind="out", address=word, agent=""))
            session.add(KnownDeviceRow(account_id=account.id, device=word, since=then - LASTS))
            session.add(FormAnswerRow(key=word, made_at=then - ANSWERS_LAST, data=b""))
            session.add(
                SessionRow(
                    account_id=account.id, secret=word, agent="", made_at=then - LONGEST - LOG_KEPT, seen_on=now.date()
                )
            )
    tidy_once(counting)
    with app.app_context():
        for column in (AccountEventRow.address, KnownDeviceRow.device, SessionRow.secret, FormAnswerRow.key):
            assert db.session.scalars(select(column)).all() == ["young"], column
        assert db.session.scalars(select(AccountRow.opening)).all() == [None]
    with limiter.storage._counting() as ask:
        assert ask("SELECT count(*) FROM limit_hit", {}).fetchone()[0] == 1
    limiter.storage.engine.dispose()
    with counting.app_context():
        db.engine.dispose()


def test_what_went_wrong_is_written_down_and_done_the_next_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = create_app(structs.replace(settings_in(tmp_path), database_url=f"sqlite:///{tmp_path}/no/such/book.db"))
    tidy_once(broken)
    assert "Expired data was not removed" in caplog.text
