"""A real server's log has one format, an id for each request, and no secrets, whatever goes wrong."""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support import databases
from tests.support.server import Server, command, environment, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

SECRETS = [f"hush{secrets.token_hex(6)}" for _ in range(9)]
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


@contextmanager
def logging_to(log: Path, instance: Path, form: str) -> Iterator[Server]:
    """Yield a server that logs each request and writes its standard error to the file `log`.

    `instance` is the server's data folder, and `form` is the format of the log.
    """
    words = ["sh", "-c", 'log=$1; shift; exec "$@" 2>"$log"', "sh", str(log), *command(instance, "--access-log")]
    server = start(words, environment(SCOREKEEPER_LOG=form, **databases.variables_for(instance)))
    try:
        yield server
        assert server.stop() == 0
    finally:
        kill_group(server)


def hush(server: Server) -> None:
    """Send requests that contain secrets in paths, a query, a cookie, a form and a referrer.

    Some of the paths are mistyped.
    """
    link, card, direct, query, cookie, form, referrer, typed, bare = SECRETS
    with closing(WirePhone(server.url)) as phone:
        headers = {"Cookie": f"scorekeeper={cookie}", "Referer": f"{server.url}/score/{referrer}"}
        for path in (
            f"/score/{link}",
            f"/nights/n7/cards/3/{card}",
            f"/leagues/l7/direct/{direct}",
            f"/settings?word={query}",
            f"/Score//{typed}",
            f"/{bare}",
        ):
            phone.ask("GET", path, headers=headers)
        phone.ask("POST", "/score", f"secret={form}&csrf_token={form}".encode(), headers=headers)
        assert phone.ask("GET", "/rules/setback-21").status == 200


@pytest.mark.sqlite
@pytest.mark.parametrize("form", ["lines", "json"])
def test_no_secret_is_written_down(tmp_path: Path, form: str) -> None:
    log = tmp_path / "log"
    with logging_to(log, tmp_path / "book", form) as server:
        hush(server)
        for _ in range(3):
            with closing(WirePhone(server.url)) as rude:  # what is no request
                rude.connection.putrequest("GET", f"/score/{SECRETS[0]}")
                rude.connection.putheader("Content-Length", "many")
                rude.connection.endheaders()
                rude.connection.getresponse().read()
        with closing(WirePhone(server.url)) as ruder:
            ruder.connection.putrequest("GET", "/")
            ruder.connection.putheader(f"Cookie scorekeeper={SECRETS[4]}", "no colon before it")
            ruder.connection.endheaders()
            ruder.connection.getresponse().read()
        break_the_book(tmp_path / "book")
        with closing(WirePhone(server.url)) as phone:
            assert phone.get(f"/score/{SECRETS[0]}").status in {500, 503}
            assert phone.get(f"/leagues/l7/direct/{SECRETS[2]}").status in {500, 503}
    said = [line for line in server.said if " GET " in line or " POST " in line or '"method"' in line]
    assert len(said) >= 10
    complaints = log.read_text()
    assert "Traceback" in complaints
    assert "no such table" in complaints
    for hushed in SECRETS:
        assert hushed not in "\n".join(server.said)
        assert hushed not in complaints
    if form == "json":
        entries = [json.loads(line) for line in [*said, *complaints.splitlines()]]
        assert all(re.fullmatch(MOMENT, entry["time"]) for entry in entries)
        asked = [entry for entry in entries if entry["logger"] == "scorekeeper.requests"]
        assert {entry["path"] for entry in asked} >= {"/score/...", "/nights/n7/cards/3/...", "/rules/setback-21"}
        broken = [entry for entry in entries if "error" in entry]
        assert {entry["request"] for entry in broken} <= {entry["request"] for entry in asked}
        assert len(broken) == 2
    else:
        assert all(re.match(MOMENT, line) for line in said)
        assert any(re.search(r"127\.0\.0\.1 GET /score/\.\.\. 404 [\d.]+ ms \[[0-9a-f]{16}\]$", line) for line in said)
        number = r"\[[0-9a-f]{16}\]$"
        broken = re.findall(rf"(?m)^{MOMENT} ERROR scorekeeper: Error \w+: GET /\S+ {number}", complaints)
        assert len(broken) == 2
        assert {line[-18:] for line in broken} <= {line[-18:] for line in said}, "the trace and the request are one"


def break_the_book(instance: Path) -> None:
    """Rename two tables of the database, so that later requests fail with errors that quote SQL and its parameters."""
    with closing(sqlite3.connect(instance / "scorekeeper.db")) as connection, connection:
        for table in ("score_link", "league"):
            connection.execute(f"ALTER TABLE {table} RENAME TO {table}_away")


def test_the_answer_and_the_log_name_a_request_alike(tmp_path: Path) -> None:
    with logging_to(tmp_path / "log", tmp_path / "book", "json") as server, closing(WirePhone(server.url)) as phone:
        phone.connection.request("GET", "/healthz")
        answer = phone.connection.getresponse()
        answer.read()
    told = [json.loads(line) for line in server.said if line.startswith("{")]
    assert [entry["request"] for entry in told] == [answer.headers["X-Request-Id"]]
    assert told[0]["milliseconds"] < 5000
