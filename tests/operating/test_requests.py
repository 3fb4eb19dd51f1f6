"""Each request has an id, and what is written of its address lets nobody in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from flask import request

from scorekeeper import create_app
from scorekeeper.operating.requests import ARGUMENT, GOOD_ID, PATH, SECRET_ARGUMENTS, UNKNOWN
from scorekeeper.web import secrecy
from tests.conftest import settings_in

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.phone import Phone

HARMLESS_ARGUMENTS = {
    *("filename", "game_id", "league_id", "night_id", "person_id", "preset", "season_id", "version", "who"),
}
"""Who knows one of these may at most look, as the README says."""


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
    app = create_app(replace(settings_in(tmp_path), proxies=proxies))
    number = app.test_client().get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    assert (number == given) == kept


def test_every_argument_of_a_route_was_judged(app: Flask) -> None:
    """A new one is either harmless, or never written down, and its address kept out of caches and referrers."""
    judged = HARMLESS_ARGUMENTS | SECRET_ARGUMENTS
    for rule in app.url_map.iter_rules():
        assert len(ARGUMENT.findall(rule.rule)) == len(rule.arguments)
        names = set(ARGUMENT.findall(re.sub(r"<int:\w+>", "", rule.rule)))  # a number is nobody's secret
        assert names <= judged, rule.rule
        if names & SECRET_ARGUMENTS:
            path = ARGUMENT.sub("7", rule.rule)
            assert secrecy.is_secret(path), rule.rule
            assert secrecy.without_secrets(path) == path.removesuffix("7") + "..."


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("/score/hush", "/score/..."),
        ("/nights/n7/cards/3/hush", "/nights/n7/cards/3/..."),
        ("/leagues/l7/direct/hush", "/leagues/l7/direct/..."),
        ("/account/opening/hush", "/account/opening/..."),
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


def test_a_form_that_is_refused_is_told_by_its_page_too(app: Flask) -> None:
    seen: list[str] = []
    app.teardown_request(lambda _error: seen.append(request.environ[PATH]))
    assert app.test_client().post("/settings").status_code == 400, "without a token"
    assert seen == ["/settings"]
