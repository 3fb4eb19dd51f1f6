"""The request log contains the path of each request, but no secrets."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.support.server import command, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_log_names_the_page_but_not_its_secret(tmp_path: Path, workers: str) -> None:
    """The request log leaves out a secret token, both in the requested address and in the referrer."""
    server = start(command(tmp_path, "--access-log", "--workers", workers))
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
