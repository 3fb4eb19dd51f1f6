"""The metrics cover all processes together, and are served only on a separate port."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

from scorekeeper.db.database import MOST_CONNECTIONS, POOL_SIZE
from scorekeeper.ops.backup.schedule import PASSED, back_up, database_of
from scorekeeper.server.certificates import make_certificates
from tests.conftest import settings_in
from tests.support import databases
from tests.support.server import command, environment, kill_group, start, workers_of
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.database]

OPERATING = Path(__file__).resolve().parents[2] / "scorekeeper" / "server" / "OPERATING.md"
MONITORING = OPERATING.parent / "monitoring"
SECONDS_FOR_BOTH = 120
"""Maximum number of seconds to wait until both processes answer, or until a metric has the expected value."""


@pytest.fixture
def port() -> int:
    """Return the number of a TCP port that no program uses at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        found: int = free.getsockname()[1]
        return found


@pytest.fixture
def measured(tmp_path: Path, port: int) -> Iterator[Server]:
    """Yield a server of two processes that serves its metrics on `port`."""
    env = environment(SCOREKEEPER_METRICS=str(port), TMPDIR=str(tmp_path), **databases.variables_for(tmp_path))
    server = start(command(tmp_path, "--workers", "2"), env)
    yield server
    kill_group(server)


def figures(port: int) -> dict[str, float]:
    """Return a dict of the metrics that are served on `port`, with each metric's value by its name.

    A metric's name includes its labels, as in `scorekeeper_threads{kind="read"}`.
    """
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def test_all_processes_count_together(measured: Server, port: int, tmp_path: Path) -> None:
    asked = 0
    until = time.monotonic() + SECONDS_FOR_BOTH
    while len(list(tmp_path.glob("scorekeeper-metrics-*/counter_*.db"))) < 2:
        assert time.monotonic() < until, "both processes answer"
        with urlopen(f"{measured.url}/settings") as answer:
            answer.read()  # its head may arrive before it is counted
        asked += 1
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{measured.url}/score/hush-hush")
    with refused.value as answer:
        answer.read()
    found = [figures(port) for _ in range(6)]
    for each in found:  # whichever process is asked
        assert each['scorekeeper_requests_total{method="GET",route="/settings",status="200"}'] == asked
        assert each['scorekeeper_request_seconds_count{route="/settings"}'] == asked
        assert each['scorekeeper_requests_total{method="GET",route="/score/<secret>",status="404"}'] == 1
        assert [each[f'scorekeeper_ready{{what="{what}"}}'] for what in ("database", "migrations", "disk")] == [1, 1, 1]
    assert not any("hush" in name for name in found[0])
    assert measured.stop() == 0
    assert not list(tmp_path.glob("scorekeeper-metrics-*")), "the folder goes with the server"


def test_the_threads_and_connections_of_all_processes(measured: Server, port: int, tmp_path: Path) -> None:
    """The metrics add up the threads and connections of all running processes, and count the backups.

    A killed process no longer counts, and the process that replaces it does.
    """
    await_figure(port, "scorekeeper_processes", 2)
    found = figures(port)
    assert found['scorekeeper_threads{kind="read"}'] == 2 * 4
    assert found['scorekeeper_threads{kind="write"}'] == 2 * 12
    for kind in ("read", "write"):
        assert found[f'scorekeeper_requests_running{{kind="{kind}"}}'] == 0
        assert found[f'scorekeeper_requests_waiting{{kind="{kind}"}}'] == 0
    assert found["scorekeeper_pool_size"] == 2 * POOL_SIZE
    assert found["scorekeeper_pool_limit"] == 2 * MOST_CONNECTIONS
    assert found["scorekeeper_pool_overflow"] == 0
    assert found['scorekeeper_pool_connections{state="in_use"}'] == 0
    assert found["scorekeeper_database_bytes"] > 100_000
    assert found["scorekeeper_backups"] == 0
    assert "scorekeeper_backup_age_seconds" not in found
    os.kill(workers_of(measured)[0], signal.SIGKILL)
    await_figure(port, "scorekeeper_processes", 1)
    await_figure(port, "scorekeeper_processes", 2)
    database = database_of(settings_in(tmp_path).database_url)
    back_up(database, tmp_path / "backups")
    found = figures(port)
    assert found["scorekeeper_backups"] == 1
    assert 0 <= found["scorekeeper_backup_age_seconds"] < 60
    assert found["scorekeeper_backup_bytes"] > 10_000


def test_every_metric_of_the_alerts_the_dashboard_and_the_documents_exists(
    measured: Server, port: int, tmp_path: Path
) -> None:
    database = database_of(settings_in(tmp_path).database_url)
    with urlopen(f"{measured.url}/settings") as answer:
        answer.read()
    back_up(database, tmp_path / "backups")
    (tmp_path / "backups" / PASSED).touch()
    make_certificates(tmp_path, "127.0.0.1")
    await_figure(port, "scorekeeper_processes", 2)
    there = {name.partition("{")[0] for name in figures(port)}
    named = set(re.findall(r"\bscorekeeper_[a-z_]+", "\n".join(queries())))
    assert named <= there, sorted(named - there)
    assert len(named) > 15
    parts = re.compile(r"_(total|bucket|count|sum|created)$")
    table = [line for line in OPERATING.read_text().splitlines() if line.startswith("| `scorekeeper_")]
    documented = set(re.findall(r"`(scorekeeper_[a-z_]+)`", "\n".join(table)))
    assert documented == {parts.sub("", name) for name in there if name.startswith("scorekeeper_")}
    assert figures(port)["scorekeeper_certificate_left_seconds"] > 30 * 86400
    assert 0 <= figures(port)["scorekeeper_drill_age_seconds"] < 60


def queries() -> list[str]:
    """Return the Prometheus queries of all alerts and of all dashboard panels."""
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    alerts = [rule["expr"] for group in groups for rule in group["rules"]]
    return alerts + [target["expr"] for panel in panels for target in panel["targets"]]


def await_figure(port: int, name: str, value: float) -> None:
    """Wait until the metric `name` has this `value`, and fail if that takes too long."""
    until = time.monotonic() + SECONDS_FOR_BOTH
    while figures(port).get(name) != value:
        assert time.monotonic() < until, f"{name} is {figures(port).get(name)}"
        time.sleep(0.05)


def test_watchers_who_are_answered_from_memory_are_counted(measured: Server, port: int) -> None:
    """Requests that the server answers from memory are counted in the metrics. Each gets a different request id."""
    with closing(WirePhone(measured.url)) as phone:
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
        numbers = []
        tag = ""
        for _ in range(12):
            phone.connection.request("GET", game.replace("/games/", "/watch/"), headers={"If-None-Match": tag})
            answer = phone.connection.getresponse()
            answer.read()
            tag = answer.headers["ETag"]
            numbers.append(answer.headers["X-Request-Id"])
    assert len(set(numbers)) == 12
    assert figures(port)['scorekeeper_requests_total{method="GET",route="/watch/<game_id>",status="304"}'] == 11


def test_a_post_to_the_figures_and_a_look_at_the_public_port(measured: Server, port: int) -> None:
    with pytest.raises(HTTPError) as missing:
        urlopen(Request(f"{measured.url}/metrics"))
    missing.value.close()
    assert missing.value.code == 404
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"http://127.0.0.1:{port}/", b"x"))
    refused.value.close()
    assert refused.value.code == 405


def test_without_the_setting_nothing_listens(tmp_path: Path, port: int) -> None:
    server = start(command(tmp_path), environment(**databases.variables_for(tmp_path)))
    try:
        listening = open_ports(server)
    finally:
        kill_group(server)
    assert listening == {int(server.url.rsplit(":", 1)[1])}
    assert port not in listening


def open_ports(server: Server) -> set[int]:
    """Return the TCP ports at which `server` listens."""
    sockets = {
        target.removeprefix("socket:[").removesuffix("]")
        for link in Path(f"/proc/{server.process.pid}/fd").iterdir()
        if (target := str(link.readlink())).startswith("socket:")
    }
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and row[9] in sockets}
