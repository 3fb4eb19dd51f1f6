"""All actors request each route and send each form of the app, sometimes in ways that no browser does."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.budget import SEED
from tests.fuzz.crawler.crawl import Crawler
from tests.fuzz.crawler.fault import Fault
from tests.fuzz.crawler.slips import steps
from tests.fuzz.crawler.world import World
from tests.fuzz.test_offline_sync import logs_tell
from tests.support.quick_draws import quick_draws
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

pytestmark = pytest.mark.database

REQUESTS = int(os.environ.get("SCOREKEEPER_FUZZ_REQUESTS", "10000"))
AT_ONCE = 40
"""Number of steps that Hypothesis draws at once."""
LEAST_TAKEN = 50
"""On average, at least one in this many requests must change the database."""
RENEWED = 300
"""Number of requests after which new games and nights are started."""


@pytest.fixture(autouse=True)
def no_work() -> Iterator[None]:
    """Make hashing passwords and drawing seats faster during a test, at the cost of less thorough results."""
    with quick_passwords(), quick_draws():
        yield


def walk(crawler: Crawler, requests: int) -> None:
    """Let the crawler take random steps until it has sent `requests` requests.

    Raise `Fault` if a response or a change to the database is wrong.
    """
    faults: list[Exception] = []
    rounds, renewed = 0, crawler.tally.requests
    while crawler.tally.requests < requests:

        @seed(SEED + rounds)
        @settings(
            max_examples=50,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.lists(steps, min_size=AT_ONCE, max_size=AT_ONCE))
        def on(taken: list[Any]) -> None:
            nonlocal renewed
            if faults or crawler.tally.requests >= requests:
                return
            try:
                if crawler.tally.requests - renewed > RENEWED:
                    crawler.renew()
                    renewed = crawler.tally.requests
                for step in taken:
                    crawler.take(step)
            except Exception as error:  # noqa: BLE001  Hypothesis would take the same steps again, in another book
                faults.append(error)

        on()
        if faults:
            told = "\n".join(map(str, crawler.tally.last))
            raise Fault(f"{faults[0]!r}\n\nSCOREKEEPER_FUZZ_SEED={SEED}, after these requests:\n{told}") from faults[0]
        rounds += 1


def test_every_address_answers_its_owner_and_a_stranger(app: Flask) -> None:
    """The owner and a stranger request every page, and a stranger posts a form to every address; nothing breaks."""
    app.testing = False
    crawler = Crawler(World(app))
    try:
        crawler.tour("owner", "stranger")
    finally:
        crawler.close()
    tally = crawler.tally
    routes = [(rule.endpoint, method) for rule, method in crawler.routes.all]
    assert [route for route in routes if not tally.went[route] and not tally.refused[route]] == []


@pytest.mark.slow
@pytest.mark.fuzz
def test_no_request_breaks_it_or_changes_what_it_may_not(app: Flask) -> None:
    """No request by any actor gets an error 500 or a response that reveals the implementation.

    GET requests, refused requests, and requests by an actor who lacks the right change nothing.
    """
    app.testing = False  # so that what breaks is answered as it would be
    began = time.monotonic()
    crawler = Crawler(World(app))
    try:
        crawler.tour()
        for name in ("hall", "owner", "starter", "foreign owner"):
            crawler.press(crawler.world.actors[name])
            crawler.renew()
        walk(crawler, REQUESTS)
    finally:
        crawler.close()
    logs_tell(app)
    tally = crawler.tally
    routes = [(rule.endpoint, method) for rule, method in crawler.routes.all]
    assert [route for route in routes if not tally.went[route] and not tally.refused[route]] == []
    assert tally.changed >= REQUESTS // LEAST_TAKEN, "who is only refused finds out little"
    seconds = time.monotonic() - began
    print(
        f"\n{tally.requests:,} requests to {len(routes)} routes by {len(tally.by)} actors in {seconds:.0f} s"
        f" ({tally.requests / seconds:.0f} a second), {tally.changed:,} changed something; seed {SEED}"
    )
    print("statuses:", dict(sorted(tally.statuses.items())), "of posts:", dict(sorted(tally.posts.items())))
    print("never went:", [route for route in routes if not tally.went[route]])
    print("never refused:", [route for route in routes if not tally.refused[route]])
