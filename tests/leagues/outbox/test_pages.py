"""The pages on which owners, directors and subscribers manage messages."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.calendar.details import Details
from scorekeeper.leagues.core.models import LeagueEventRow, OutboxRow, PlannedRow, SubscriberRow, WebhookRow
from scorekeeper.leagues.outbox.service import MOST_WEBHOOKS
from scorekeeper.leagues.people.service import merge_people
from scorekeeper.leagues.privacy.queries import person_data
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.leagues.outbox.conftest import Post
    from tests.support.league import Hall
    from tests.support.page import Page
    from tests.support.phone import Phone


def actions(page: Page) -> list[str]:
    return [form.get("action", "") for form in page.all("form", method="post")]


def count(post: Post, model: type[SubscriberRow | WebhookRow | OutboxRow]) -> int:
    with post.app.app_context():
        return len(db.session.scalars(select(model.id)).all())


def test_switched_off_server_says_so_and_offers_nothing(hall: Hall) -> None:
    """On a server that doesn't send messages, the pages say so and offer no forms.

    A form that is posted anyway is refused.
    """
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    for path in (f"{hall.league}/messages", f"/nights/{night}/messages"):
        page = hall.phone.see(path)
        assert "This server doesn't send messages." in page.text
        assert not [action for action in actions(page) if "settings" not in action]
    assert "Send results" not in hall.phone.see(f"/nights/{night}").text
    assert "Send results" not in hall.phone.see(f"/nights/{night}/desk").text
    token = hall.phone.see("/settings").form("/settings").values["csrf_token"]
    sent = {"csrf_token": token, "kind": "json", "address": "https://example.org/"}
    assert hall.phone.post(f"{hall.league}/webhooks", data=sent).status_code == 422
    assert hall.phone.post(f"/nights/{night}/messages", data=sent | {"kind": "results"}).status_code == 422


def test_closed_night_leads_to_its_messages(post: Post) -> None:
    for path in (f"/nights/{post.night}", f"/nights/{post.night}/desk"):
        links = [link.get("href") for link in post.phone.see(path).all("a")]
        assert post.of_night in links, path


def test_director_sees_what_is_sent_and_to_how_many(post: Post) -> None:
    assert "Nobody gets messages yet" in post.phone.see(post.of_night).text
    post.hook()
    post.subscribe("ann@example.org")
    page = post.phone.see(post.of_night)
    assert "Goes to 1 chat. Goes to 1 email address." in page.text
    (shown,) = page.all("p", class_="message")
    page = post.release()
    post.send()
    assert "".join(shown.itertext()) == post.receiver.json()["text"]
    assert "Everyone has this message" in post.phone.see(post.of_night).text


def test_second_tap_sends_nothing_twice(post: Post) -> None:
    post.hook()
    page = post.phone.see(post.of_night)
    post.phone.submit(page, post.of_night)
    post.phone.submit(page, post.of_night)
    assert post.states() == ["waiting"]
    assert post.send() == 1


def test_changed_message_is_shown_again(post: Post) -> None:
    """If a name or score changed after the director opened a message's preview, nothing is sent.

    The page shows the new message instead.
    """
    post.hook()
    page = post.phone.see(post.of_night)
    details = post.phone.see(f"{post.hall.person('Ann')}/details")
    post.phone.submit(details, details.path, name="Anna")
    refused = post.phone.submit(page, post.of_night, 422)
    assert "A score or a name changed since" in refused.text
    assert "Anna" in refused.text
    assert post.states() == []


def test_open_night_has_nothing_to_send(post: Post) -> None:
    post.hook()
    night = post.hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)), close=False)
    page = post.phone.see(f"/nights/{night}/messages")
    assert "Close the night first." in page.text
    assert f"/nights/{night}/messages" not in actions(page)


def test_corrected_results_can_be_sent_once_more(post: Post) -> None:
    post.hook()
    post.release()
    post.send()
    desk = f"/nights/{post.night}/desk"
    post.phone.submit(post.phone.see(desk), f"/nights/{post.night}/reopening", reason="a slip")
    post.phone.submit(post.phone.see(desk), f"/nights/{post.night}/closing")
    post.release()
    assert post.send() == 1
    assert "corrected results" in post.receiver.json()["subject"]
    assert post.states() == ["sent", "sent"]


def test_waiting_messages_are_canceled_and_sent_after_all(post: Post) -> None:
    post.hook()
    page = post.release()
    page = post.phone.submit(page, f"{post.of_night}/cancellation")
    assert post.send() == 0
    assert post.states() == ["canceled"]
    post.phone.submit(page, post.of_night)
    assert post.send() == 1
    assert post.states() == ["sent"]


def test_reminder_of_the_next_night_is_sent_once(post: Post) -> None:
    """A director can send one reminder of the next night, and another one after the schedule changes.

    The page of an older night doesn't offer a reminder.
    """
    post.hook()
    button = "Send reminder"
    assert button not in post.phone.see(post.of_night).text
    season = post.hall.season.removeprefix("/seasons/")
    told = Details(day=date(2199, 12, 3), starts=1140, place="Legion Hall")
    more: dict[str, Any] = {"device": post.hall.device}
    with post.app.app_context():
        planning.plan_nights(season=season, told=told, days=[told.day], zone="America/New_York", **more)
        planned = db.session.scalars(select(PlannedRow.public_id)).one()
    remind(post)
    assert post.send() == 1
    assert "Legion Hall" in post.receiver.json()["text"]
    assert post.receiver.json()["kind"] == "reminder"
    remind(post, offered=False)
    with post.app.app_context():
        planning.change_night(planned=planned, told=Details(day=told.day, starts=1140, place="Elks"), **more)
    remind(post)
    assert post.send() == 1
    assert "Elks" in post.receiver.json()["text"]
    post.hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    assert button not in post.phone.see(post.of_night).text


def remind(post: Post, *, offered: bool = True) -> None:
    """Check that the page offers a reminder, and send the reminder.

    If `offered` is False, check that the page doesn't offer a reminder.
    """
    page = post.phone.see(post.of_night)
    forms = [form for form in page.all("form", action=post.of_night) if "Send reminder" in "".join(form.itertext())]
    assert len(forms) == offered
    for form in forms:
        fields = {each.get("name"): each.get("value") for each in form.iter("input")}
        assert post.phone.post(post.of_night, data=fields).status_code == 303


def test_outdated_message_is_not_repeated(post: Post) -> None:
    post.hook()
    post.receiver.status = 404
    post.release()
    post.send()
    page = post.phone.see(post.of_night)
    (action,) = [action for action in actions(page) if action.endswith("/repeat")]
    desk = f"/nights/{post.night}/desk"
    post.phone.submit(post.phone.see(desk), f"/nights/{post.night}/reopening", reason="a slip")
    post.phone.submit(post.phone.see(desk), f"/nights/{post.night}/closing")
    assert "out of date" in post.phone.submit(page, action, 422).text
    assert action not in actions(post.phone.see(post.of_night))


def test_test_message_arrives(post: Post) -> None:
    page = post.hook("discord")
    test = next(action for action in actions(page) if action.endswith("/test"))
    page = post.phone.submit(page, test)
    assert "Test message: waiting" in page.text
    post.phone.submit(page, test)
    assert post.send() == 1
    assert "Fire Hall" in post.receiver.json()["content"]
    page = post.phone.see(post.path)
    assert "Test message: sent" in page.text
    post.receiver.status = 401
    post.phone.submit(page, test)
    assert post.send() == 1
    assert "The server refused the message (401)." in post.phone.see(post.path).text


def test_secret_of_an_address_is_shown_nowhere(post: Post) -> None:
    """The secret in a webhook's address is shown to neither owners nor directors, and isn't in the history."""
    post.hook("slack")
    post.release()
    for path in (post.path, post.of_night, f"{post.hall.league}/log"):
        assert "s3cret" not in post.phone.see(path).text, path


@pytest.mark.parametrize("address", ["https://10.0.0.1/", "http://example.org/", "https://127.0.0.1:1/", "gopher:"])
def test_unsuitable_address_stays_in_the_form(post: Post, address: str) -> None:
    page = post.phone.submit(
        post.phone.see(post.path), f"{post.hall.league}/webhooks#webhooks", 422, kind="slack", address=address
    )
    form = page.form(f"{post.hall.league}/webhooks#webhooks")
    assert (form.values["address"], form.values["kind"]) == (address, "slack")
    assert count(post, WebhookRow) == 0


def test_league_has_few_webhooks(post: Post) -> None:
    for number in range(MOST_WEBHOOKS + 1):
        page = post.phone.see(post.path)
        status = 303 if number < MOST_WEBHOOKS else 422
        address = f"{post.receiver.address}{number}"
        post.phone.submit(page, f"{post.hall.league}/webhooks#webhooks", status, kind="json", address=address)
    assert count(post, WebhookRow) == MOST_WEBHOOKS


def test_nothing_but_the_question_before_it_is_confirmed(post: Post) -> None:
    link = post.subscribe("ann@example.org", confirm=False)
    assert "not confirmed yet" in post.phone.see(post.path).text
    assert "Nobody gets messages yet" in post.phone.see(post.of_night).text
    (question,) = post.mailbox.to("ann@example.org")
    assert "List-Unsubscribe" not in question
    stranger: Phone = post.app.test_client()  # type: ignore[assignment]
    page = stranger.see(link)
    assert "not confirmed yet" in post.phone.see(post.path).text, "looking changes nothing"
    assert "ann@example.org" in stranger.submit(page, link).text
    assert "not confirmed yet" not in post.phone.see(post.path).text


def test_unsubscribing_takes_one_tap(post: Post, new_phone: Callable[[], Phone]) -> None:
    """One tap on the unsubscribe page deletes the address and cancels waiting mails.

    The link then no longer works.
    """
    post.subscribe("ann@example.org")
    post.release()
    post.send()
    post.phone.submit(post.phone.see(f"/nights/{post.night}/desk"), f"/nights/{post.night}/reopening", reason="x")
    post.phone.submit(post.phone.see(f"/nights/{post.night}/desk"), f"/nights/{post.night}/closing")
    post.release()
    path = post.mailbox.to("ann@example.org")[-1]["List-Unsubscribe"].strip("<>").removeprefix("http://localhost")
    phone = new_phone()
    page = phone.see(path)
    assert count(post, SubscriberRow) == 1, "looking changes nothing"
    assert "You're unsubscribed" in phone.submit(page, path, 200).text
    assert count(post, SubscriberRow) == 0
    assert post.send() == 0
    phone.see(path, 404)


def test_mail_program_unsubscribes_by_itself(post: Post, new_phone: Callable[[], Phone]) -> None:
    """A mail program can unsubscribe an address with a single POST, as in RFC 8058, without cookies or a form token.

    A second POST does no harm.
    """
    post.subscribe("ann@example.org")
    post.release()
    post.send()
    path = post.mailbox.to("ann@example.org")[-1]["List-Unsubscribe"].strip("<>").removeprefix("http://localhost")
    for _time in range(2):
        assert new_phone().post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert count(post, SubscriberRow) == 0


def test_link_of_one_purpose_opens_no_other(post: Post, new_phone: Callable[[], Phone]) -> None:
    confirm = post.subscribe("ann@example.org")
    word = confirm.rpartition("/")[2]
    new_phone().post(f"/mail/unsubscribe/{word}", data={})
    new_phone().post(f"/mail/unsubscribe/{word[:-1]}", data={})
    assert count(post, SubscriberRow) == 1
    new_phone().see(f"/mail/unsubscribe/{word}", 404)
    new_phone().see("/mail/confirmation/none", 404)


def test_mail_link_is_not_logged(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    post.app.config["REQUEST_LOG"] = True
    caplog.set_level("INFO", "scorekeeper")
    link = post.subscribe("ann@example.org")
    post.phone.see(link + "x", 404)
    assert link.rpartition("/")[2] not in caplog.text
    assert "/mail/confirmation/..." in caplog.text


def test_player_is_named_after_a_merge(post: Post) -> None:
    post.phone.submit(post.phone.see(f"{post.hall.league}/people"), f"{post.hall.league}/people", names="Annie")
    post.subscribe("annie@example.org", name="Annie")
    with post.hall.book() as people:
        merge_people(person=people["Annie"], into=people["Ann"], device=post.hall.device)
    (line,) = [words for words in post.phone.see(post.path).all("li") if "annie@" in "".join(words.itertext())]
    assert "".join(line.itertext()).split()[0] == "Ann"


def test_anonymous_player_gets_no_mail(post: Post) -> None:
    post.subscribe("ann@example.org")
    post.hook()
    post.release()
    ann = post.hall.person("Ann")
    page = post.phone.see(f"{ann}/anonymous")
    post.phone.submit(page, f"{ann}/anonymous", reason="asked")
    assert count(post, SubscriberRow) == 0
    assert post.send() == 1, "the webhook's message"
    assert "Ann" not in post.receiver.json()["text"].replace("Anonymous", "")
    assert len(post.mailbox.to("ann@example.org")) == 1, "the question alone"


def test_person_gets_their_address_with_their_data(post: Post) -> None:
    post.subscribe("ann@example.org")
    post.release()
    with post.app.app_context():
        told = person_data(post.hall.person("Ann").rpartition("/")[2], post.hall.device)
    (mail,) = told["mail"]
    assert mail["address"] == "ann@example.org"
    assert [each["kind"] for each in mail["messages"]] == ["confirm", "results"]


def test_archive_has_no_addresses(post: Post) -> None:
    post.hook()
    post.subscribe("ann@example.org")
    whole = post.phone.get(f"{post.hall.league}/archive.zip").data
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        texts = b"".join(archive.read(name) for name in archive.namelist())
    assert b"s3cret" not in texts
    assert b"ann@example.org" not in texts


def test_history_has_kinds_and_counts(post: Post) -> None:
    post.hook("slack")
    post.subscribe("ann@example.org")
    post.release()
    with post.app.app_context():
        query = select(LeagueEventRow.kind, LeagueEventRow.data).order_by(LeagueEventRow.id.desc()).limit(3)
        lines = [tuple(row) for row in db.session.execute(query)]
    assert lines == [
        ("messages_released", {"what": "results", "count": 2}),
        ("mail_added", {}),
        ("webhook_added", {"what": "slack"}),
    ]
    text = post.phone.see(f"{post.hall.league}/log").text
    assert "sent the results to 2 recipients." in text
    assert "ann@example.org" not in text


def test_strangers_mailbox_is_not_filled(app: Flask, post: Post) -> None:
    app.config["LIMITS"] = True
    rate_limit.connect(app)
    with post.hall.book() as people:
        ann = people["Ann"]
    page = post.phone.see(post.path)
    statuses = []
    for _time in range(4):
        fields = {"person": ann, "mail": "Victim@example.org"}
        token = page.form(f"{post.hall.league}/mail#by-mail").values["csrf_token"]
        statuses.append(post.phone.post(f"{post.hall.league}/mail", data={"csrf_token": token, **fields}).status_code)
    assert statuses == [303, 422, 422, 429]


def test_no_mail_holds_a_link_to_another_server(post: Post) -> None:
    """If a server has a public name, it sends no mail for a request that names a different host.

    A request can claim any host, and the links in the mail would lead there.
    """
    post.app.config["HOSTS"] |= {"scores.example.org"}
    page = post.phone.see(post.path)
    with post.hall.book() as people:
        person = people["Ann"]
    post.phone.submit(page, f"{post.hall.league}/mail#by-mail", 422, person=person, mail="ann@example.org")
    assert not post.mailbox.to("ann@example.org")
