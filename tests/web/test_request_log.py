"""Each request has an id in the log, and the log leaves out the secret parts of addresses, which give access."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from flask import request
from limits.storage import MemoryStorage
from msgspec import structs

from scorekeeper import create_app
from scorekeeper.web import request_log
from scorekeeper.web.rate_limit import Limiter
from scorekeeper.web.request_log import ARGUMENT, GOOD_ID, PATH, SECRET_ARGUMENTS, UNKNOWN
from tests.conftest import settings_in
from tests.support.game import start

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

HARMLESS_ARGUMENTS = {
    *(
        "club",
        "file_id",
        "filename",
        "game_id",
        "import_id",
        "league_id",
        "photo",
        "night_id",
        "part",
        "planned_id",
        "person_id",
        "photo_id",
        "player_id",
        "preset",
        "season_id",
        "squad_id",
        "slug",
        "squad_id",
        "version",
        "who",
    ),
}
"""Names of the variable parts of addresses that aren't secret, because knowing them only lets people look at pages."""


def test_every_answer_has_an_id_of_its_own(client: Phone) -> None:
    answers = [client.open(path, method=how) for path in ("/", "/healthz", "/nowhere") for how in ("GET", "POST")]
    numbers = [number for answer in answers for number in answer.headers.getlist("X-Request-Id")]
    assert len(numbers) == len(set(numbers)) == len(answers)
    assert all(GOOD_ID.fullmatch(number) for number in numbers)


@pytest.mark.parametrize(
    ("proxies", "given", "kept"),
    [
        (1, "3f0c9d2e-77aa-4c1b-9a55", True),
        (0, "3f0c9d2e-77aa-4c1b-9a55", False),
        (1, "short", False),
        (1, "x" * 65, False),
        (1, "two words here", False),
        (1, "<script>alert(1)</script>", False),
    ],
)
def test_the_id_of_a_proxy_is_kept_where_proxies_are_believed(
    tmp_path: Path, proxies: int, given: str, *, kept: bool
) -> None:
    app = create_app(structs.replace(settings_in(tmp_path), proxies=proxies))
    number = app.test_client().get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    assert (number == given) == kept


def test_every_argument_of_a_route_was_judged(app: Flask) -> None:
    """Each variable part of an address, except numbers, is listed as harmless or as secret.

    Secret parts are left out of the log.
    """
    judged = HARMLESS_ARGUMENTS | SECRET_ARGUMENTS
    for rule in app.url_map.iter_rules():
        assert len(ARGUMENT.findall(rule.rule)) == len(rule.arguments)
        names = set(ARGUMENT.findall(re.sub(r"<int:\w+>", "", rule.rule)))  # a number is nobody's secret
        assert names <= judged, rule.rule
        if names & SECRET_ARGUMENTS:
            path = ARGUMENT.sub("7", rule.rule)
            assert request_log.is_secret(path), rule.rule
            assert request_log.without_secrets(path) == path.rpartition("7")[0] + "..."


@pytest.mark.new_app
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("/score/hush", "/score/..."),
        ("/nights/n7/cards/3/hush", "/nights/n7/cards/3/..."),
        ("/leagues/l7/direct/hush", "/leagues/l7/direct/..."),
        ("/account/opening/hush", "/account/opening/..."),
        ("/t/1-2-hush", "/t/..."),
        ("/me/p7/hush", "/me/p7/..."),
        ("/me/p7/calendar/hush.ics", "/me/p7/calendar/....ics"),
        ("/rules/setback-21?word=hush", "/rules/setback-21"),
        ("/watch/a%0Ab", "/watch/a%0Ab"),
        ("/Score/hush", UNKNOWN),
        ("/score//hush", UNKNOWN),
        ("/scorehush", UNKNOWN),
        ("/hush", UNKNOWN),
        ("/score/hush/hush", UNKNOWN),
        ("/nights/n7/cards/hush", UNKNOWN),
    ],
)
def test_what_a_log_may_hold_of_an_address(app: Flask, asked: str, told: str) -> None:
    seen: list[str] = []
    app.teardown_request(lambda _error: seen.append(request.environ[PATH]))
    app.test_client().get(asked)
    assert seen == [told]


@pytest.mark.new_app
def test_a_form_that_is_refused_is_told_by_its_page_too(app: Flask) -> None:
    seen: list[str] = []
    app.teardown_request(lambda _error: seen.append(request.environ[PATH]))
    assert app.test_client().post("/settings").status_code == 400, "without a token"
    assert seen == ["/settings"]


@pytest.mark.parametrize(
    ("method", "path", "status", "why", "written"),
    [
        ("POST", "/games", 400, "form without its token", "/games"),
        ("POST", "/", 403, "form of another site", "(no such page)"),
        ("GET", "/score/hush-hush", 404, "wrong link", "/score/..."),
        ("GET", "/nights/n1/cards/1/hush-hush", 404, "wrong link", "/nights/n1/cards/1/..."),
        ("GET", "/nowhere", 404, "", None),
        ("GET", "/settings", 200, "", None),
    ],
)
def test_who_is_refused_is_written_down_with_the_network_alone(
    client: Phone, caplog: pytest.LogCaptureFixture, method: str, path: str, status: int, why: str, written: str | None
) -> None:
    headers = {"Origin": "https://evil.example"} if status == 403 else {}
    answer = client.open(path, method=method, headers=headers, environ_base={"REMOTE_ADDR": "203.0.113.77"})
    assert answer.status_code == status
    told = [record.getMessage() for record in caplog.records if record.name == "scorekeeper.refused"]
    assert told == ([] if written is None else [f"Refused ({why}): 203.0.113.0/24 {method} {written} {status}"])
    assert "hush" not in caplog.text


def refused(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, int]]:
    """Return (reason, path, status) for each refusal in the log.

    The calling test fails if a refusal in the log has no request id.
    """
    lines = [getattr(record, "told", {}) for record in caplog.records if record.name == "scorekeeper.refused"]
    assert all(re.fullmatch("[0-9a-f]{16}", line["request"]) for line in lines)
    return [(line["why"], line["path"], line["status"]) for line in lines]


def test_wrong_codes_links_and_passwords_are_written_down_as_what_they_are(
    app: Flask, client: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says why a code, link or password was refused, but contains none of the values that were sent."""
    app.config["SIGN_UP"] = True
    client.submit(client.see("/recovery"), "/recovery", 422, code="kmpt-7wxn-4rqh")
    token = client.see("/").form("/games/import").values["csrf_token"]
    assert client.post("/score", data={"csrf_token": token, "secret": "hush-hush"}).status_code == 404
    page = client.see("/account/sign-in")
    client.submit(page, "/account/sign-in", 422, username="Nobody", current_password="hush hush hush")
    page = client.see("/account/code")
    given = {"username": "Nobody", "code": "kmpt-7wxn-4rqh-kmpt", "new_password": "four sleepy badgers"}
    client.submit(page, "/account/code", 422, **given)
    assert refused(caplog) == [
        ("wrong code", "/recovery", 422),
        ("wrong link", "/score", 404),
        ("wrong password", "/account/sign-in", 422),
        ("wrong code", "/account/code", 422),
    ]
    assert not re.search("hush|kmpt|Nobody|badgers", caplog.text)


def test_too_many_tries_and_what_is_not_allowed_are_written_down(
    app: Flask, client: Phone, new_phone: Callable[[], Phone], caplog: pytest.LogCaptureFixture
) -> None:
    """The log has each request that was refused because of a limit or because the phone has no right to the page.

    For a limit, the log has the name of the limit.
    """
    board = start(client)
    new_phone().see(f"{board.path}/table", 403)
    app.extensions["limiter"] = Limiter(MemoryStorage(), "key")  # type: ignore[arg-type]
    page = client.see("/recovery")
    for _try in range(5):
        client.submit(page, "/recovery", 422, code="no code")
    client.submit(page, "/recovery", 429, code="no code")
    assert refused(caplog) == [
        ("not allowed", f"{board.path}/table", 403),
        ("too often: code-address", "/recovery", 429),
    ]
