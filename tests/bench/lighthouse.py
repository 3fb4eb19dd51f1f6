"""Run Lighthouse on the home page, the page for a new game, the live board, and the board of a finished game.

Run: python tests/bench/lighthouse.py [LIGHTHOUSE]

Needs Node; LIGHTHOUSE is the command, by default `npx --yes lighthouse@12`. Uses its mobile preset (throttled network
and CPU) with the installed Chromium, against a server on this machine. Prints performance, accessibility and best
practices of each page; the exit status is 1 if performance is below 95 or one of the others below 100.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.taps import program  # noqa: E402  the checkout comes first
from tests.e2e.browser import OPTIONS  # noqa: E402
from tests.e2e.imported_games import hand, record  # noqa: E402
from tests.support.server import running  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

LEAST = {"performance": 95, "accessibility": 100, "best-practices": 100}
PLAYED = [hand(seat % 4, 2, seat % 2, 1, None, seat % 2) for seat in range(9)]
OVER = [hand(0, 4, 0, 0, 0, 0)] * 6


def scores(command: list[str], url: str, cookie: str) -> dict[str, int]:
    """Return Lighthouse's scores for the page at `url`, from 0 to 100, by category."""
    flags = " ".join(["--headless=new", *OPTIONS])
    asked = [
        *command,
        url,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(LEAST)}",
        f"--chrome-flags={flags}",
        f"--extra-headers={json.dumps({'Cookie': cookie})}",
    ]
    answer = subprocess.run(
        asked, capture_output=True, text=True, check=True, env={**os.environ, "CHROME_PATH": program()}
    )
    report = json.loads(answer.stdout)
    for audit in report["audits"].values():
        if audit["score"] == 0 and audit["scoreDisplayMode"] == "binary":
            print(f"    {audit['id']}: {audit['title']}")
    return {name: round(100 * category["score"]) for name, category in report["categories"].items()}


def main(command: list[str]) -> int:
    """Print the scores of every page. Return 1 if a score is too low, else 0. `command` starts Lighthouse."""
    low = 0
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        with closing(WirePhone(server.url)) as phone:
            phone.get("/")
            live, over = (
                phone.post("/games/import", text=json.dumps(record(hands))).location for hands in (PLAYED, OVER)
            )
            cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        for name, path in {"home": "/", "new game": "/games/new", "live": live, "end": over}.items():
            got = scores(command, server.url + path, cookie)
            print(f"{name:9}", *(f"{category} {score}" for category, score in got.items()), sep="  ")
            low += any(got[category] < least for category, least in LEAST.items())
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["npx", "--yes", "lighthouse@12"]))
