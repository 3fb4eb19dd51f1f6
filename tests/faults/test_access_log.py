"""What the log of requests says, and what it must not."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.faults.test_running import WITHOUT_GUNICORN
from tests.server import command, kill_group, start
from tests.wire import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("program", ["gunicorn", "waitress"])
def test_the_log_names_the_page_but_not_its_secret(tmp_path: Path, program: str) -> None:
    """Neither where it is asked for, nor where it is what the browser came from."""
    other = WITHOUT_GUNICORN if program == "waitress" else ""
    script = f"import sys\n{other}\nfrom scorekeeper.cli import main\nmain(sys.argv[1:])"
    server = start([sys.executable, "-c", script, *command(tmp_path, "--access-log")[3:]])
    try:
        with closing(WirePhone(server.url)) as phone:
            came_from = {"Referer": f"{server.url}/score/hush-hush"}
            assert phone.ask("GET", "/score/hush-hush-hush", headers=came_from).status == 404
            assert phone.get("/rules/setback-21").status == 200
        assert server.stop() == 0
    finally:
        kill_group(server)
    said = "\n".join(server.said)
    assert "GET /rules/setback-21 200" in said
    assert "GET /score/... 404" in said
    assert "hush" not in said
