"""The figures of all processes together, at a port of their own and nowhere else."""

from __future__ import annotations

import socket
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support import databases
from tests.support.server import command, environment, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.server import Server

pytestmark = pytest.mark.slow

SECONDS_FOR_BOTH = 120
"""The server says where it is once the first process answers; the other one may take its time."""


@pytest.fixture
def port() -> int:
    """Return a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        found: int = free.getsockname()[1]
        return found


@pytest.fixture
def measured(tmp_path: Path, port: int) -> Iterator[Server]:
    """Yield a server of two processes with its figures at `port`."""
    env = environment(SCOREKEEPER_METRICS=str(port), TMPDIR=str(tmp_path), **databases.variables_for(tmp_path))
    server = start(command(tmp_path, "--workers", "2"), env)
    yield server
    kill_group(server)


def figures(port: int) -> dict[str, float]:
    """Return the figures, by name and labels."""
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


def test_watchers_who_are_answered_from_memory_are_counted(measured: Server, port: int) -> None:
    """Those answers go a shorter way; each has an id of its own all the same."""
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
