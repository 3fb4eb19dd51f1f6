"""What the log of requests says, and what it must not."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tests.server import running
from tests.wire import WirePhone

if TYPE_CHECKING:
    from pathlib import Path


def test_the_log_names_the_page_but_not_its_secret(tmp_path: Path) -> None:
    """Neither where it is asked for, nor where it is what the browser came from."""
    with running(tmp_path, "--access-log") as server, closing(WirePhone(server.url)) as phone:
        assert phone.get("/score/hush-hush-hush").status == 404
        assert phone.get("/rules/setback-21").status == 200
    said = "\n".join(server.said)
    assert "GET /rules/setback-21" in said
    assert "GET /score/..." in said
    assert "hush" not in said
