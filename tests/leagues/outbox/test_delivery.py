"""The delivery of messages, which sends each message once, tries again after failures, and reports unknown outcomes."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import OutboxRow
from scorekeeper.leagues.outbox import delivery, service
from scorekeeper.leagues.outbox.delivery import claim, deliver, finish
from scorekeeper.leagues.outbox.outcome import SENT, State
from scorekeeper.leagues.outbox.service import MAIL, WEBHOOK
from scorekeeper.ops.outbox import EVERY, send_due, start
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

    from tests.leagues.outbox.conftest import Post

KEY = "0123456789abcdef0123456789abcdef"
HOUR = timedelta(hours=1)


def rows(post: Post) -> list[OutboxRow]:
    with post.app.app_context():
        return list(db.session.scalars(select(OutboxRow).where(OutboxRow.night_id.is_not(None)).order_by(OutboxRow.id)))


@pytest.mark.parametrize("kind", ["discord", "slack", "telegram", "json"])
def test_results_arrive_at_a_webhook(post: Post, kind: str) -> None:
    post.hook(kind)
    post.release()
    assert not post.receiver.got, "nothing is sent within the request"
    assert post.send() == 1
    assert post.send() == 0
    told = post.receiver.json()
    text = told["content" if kind == "discord" else "text"]
    assert "Ann" in text
    assert f"http://localhost/nights/{post.night}" in text
    assert post.states() == ["sent"]
    assert [row.text for row in rows(post)] == [""], "a sent text is not kept"


def test_results_arrive_by_mail(post: Post) -> None:
    post.subscribe("ann@example.org")
    post.subscribe("bob@example.org", name="Bob")
    post.release()
    assert post.send() == 2
    (mail,) = post.mailbox.to("ann@example.org")[1:]
    leave = mail["List-Unsubscribe"].strip("<>")
    assert leave.startswith("http://localhost/mail/unsubscribe/")
    assert leave in mail.get_content()
    assert "Ann" in mail.get_content()
    (other,) = post.mailbox.to("bob@example.org")[1:]
    assert other["List-Unsubscribe"] != mail["List-Unsubscribe"]
    assert "ann@example.org" not in other.as_string()


def test_failed_attempt_is_repeated_after_a_pause(post: Post) -> None:
    post.hook()
    post.release()
    post.receiver.status = 503
    assert post.send() == 1
    (row,) = rows(post)
    assert (row.state, row.attempts, row.error) == ("waiting", 1, "busy:503")
    assert post.send() == 0
    post.receiver.status = 200
    assert post.send(timedelta(minutes=2)) == 1
    assert post.states() == ["sent"]
    first, second = (post.receiver.json(number)["id"] for number in (0, 1))
    assert first == second, "a receiver can recognize the second copy"


def test_eight_failures_are_the_end(post: Post) -> None:
    post.hook()
    post.release()
    post.receiver.status = 503
    sent = [post.send(number * 7 * HOUR) for number in range(10)]
    assert sent == [1] * 8 + [0] * 2
    assert [(row.state, row.attempts, row.text) for row in rows(post)] == [("failed", 8, "")]


def test_refused_message_is_not_repeated(post: Post) -> None:
    post.hook()
    post.release()
    post.receiver.status = 404
    post.send()
    assert post.send(24 * HOUR) == 0
    assert [(row.state, row.error) for row in rows(post)] == [("failed", "refused:404")]


def test_crash_in_the_middle_is_unknown_and_not_repeated(post: Post) -> None:
    """If a process ends while it is sending a message, the outcome is unknown, and the message isn't sent again.

    The director can send the message again.
    """
    post.hook()
    post.release()
    with post.app.app_context():
        assert claim(channel=WEBHOOK, key=KEY) is not None
    assert post.send() == 0
    assert post.states() == ["sending"]
    assert post.send(timedelta(minutes=6)) == 0
    assert [(row.state, row.error) for row in rows(post)] == [("unknown", "stopped")]
    assert not post.receiver.got
    page = post.phone.see(post.of_night)
    assert "may have arrived" in page.text
    post.phone.submit(page, f"{post.of_night}/{rows(post)[0].id}/repeat")
    assert post.send() == 1
    assert post.states() == ["sent"]


def test_result_that_comes_late_still_counts(post: Post) -> None:
    """If a slow process eventually reports that a message was sent, the message counts as sent.

    This is true even if the outcome was already marked as unknown.
    """
    post.hook()
    post.release()
    with post.app.app_context():
        job = claim(channel=WEBHOOK, key=KEY)
        assert job is not None
        assert claim(channel=WEBHOOK, key=KEY, now=datetime.now(UTC) + timedelta(minutes=6)) is None
        finish(job=job, outcome=SENT)
    assert post.states() == ["sent"]


def test_result_of_an_earlier_release_is_dropped(post: Post) -> None:
    post.hook()
    post.release()
    with post.app.app_context():
        job = claim(channel=WEBHOOK, key=KEY)
        assert job is not None
        assert claim(channel=WEBHOOK, key=KEY, now=datetime.now(UTC) + timedelta(minutes=6)) is None
    page = post.phone.see(post.of_night)
    post.phone.submit(page, f"{post.of_night}/{rows(post)[0].id}/repeat")
    with post.app.app_context():
        finish(job=job, outcome=SENT)
    assert post.states() == ["waiting"]


def test_two_processes_send_each_message_once(post: Post) -> None:
    for number in range(20):
        with post.app.app_context():
            people = post.hall.person("Ann").rpartition("/")[2]
            server = service.Server("http://localhost", KEY, mail=True, webhooks=True)
            service.add_mail(
                league=post.hall.league.split("/")[2],
                person=people,
                address=f"p{number}@example.org",
                server=server,
                device=post.hall.device,
            )
    together = Barrier(3)
    counts: list[int] = []

    def work() -> None:
        with post.app.app_context():
            together.wait()
            counts.append(deliver(MAIL, post.app.config))

    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 20
    got = [to for to, _mail in post.mailbox.got]
    assert len(got) == 20
    assert len({each for to in got for each in to}) == 20


def test_removed_recipient_gets_nothing(post: Post) -> None:
    page = post.hook()
    post.release()
    actions = [form.get("action", "") for form in page.all("form")]
    (removal,) = [action for action in actions if action.endswith("/removal")]
    post.phone.submit(page, removal)
    assert post.send() == 0
    assert post.states() == ["canceled"]


def test_turned_off_channel_sends_nothing(post: Post) -> None:
    post.hook()
    post.release()
    post.app.config["WEBHOOKS"] = False
    post.send()
    assert [(row.state, row.error) for row in rows(post)] == [("failed", "off")]
    post.app.config["WEBHOOKS"] = True
    assert not post.receiver.got


def test_host_that_left_the_operators_list_is_refused(post: Post) -> None:
    post.hook()
    post.release()
    post.app.config["WEBHOOK_HOSTS"] = frozenset()
    post.send()
    assert [(row.state, row.error) for row in rows(post)] == [("failed", "private")]
    assert not post.receiver.got


@pytest.mark.slow
def test_fault_of_ours_is_unknown(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(delivery, "post", broken)
    post.hook()
    post.release()
    post.send()
    assert [(row.state, row.error) for row in rows(post)] == [("unknown", "broken")]
    assert any(record.exc_info for record in caplog.records)


def test_log_has_no_address(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "scorekeeper")
    post.receiver.status = 404
    post.mailbox.replies["RCPT"] = "550 no such user ann@example.org"
    post.hook()
    post.hook("slack")
    with pytest.raises(IndexError):  # the question was refused too
        post.subscribe("ann@example.org")
    post.release()
    post.send()
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("scorekeeper")]
    assert any("refused:404" in line for line in lines)
    assert not [line for line in lines if "s3cret" in line or "ann@" in line or "/mail/" in line]


def test_background_thread_sends_and_survives_a_fault(post: Post, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    post.hook()
    post.release()
    assert send_due(app, WEBHOOK) == EVERY
    assert post.states() == ["sent"]

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("scorekeeper.ops.outbox.deliver", broken)
    assert send_due(app, WEBHOOK) == EVERY


def test_no_thread_starts_while_all_is_off(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr("scorekeeper.ops.outbox.repeat", lambda _job, name, **_more: started.append(name))
    start(app)
    assert not started
    app.config["WEBHOOKS"] = True
    start(app)
    assert started == ["outbox webhook"]


def test_states_fit_their_column() -> None:
    assert max(map(len, State)) <= 10
