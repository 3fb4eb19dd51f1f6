"""The alerts and the dashboard are valid, and each alert has a link to an existing section of the runbook.

`tests/ops/test_metrics.py` compares the metrics named in the alerts and the dashboard with those of a running server.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "scorekeeper" / "server"
ALERTS = SERVER / "monitoring" / "alerts.yml"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]
]
DASHBOARD = json.loads((SERVER / "monitoring" / "dashboard.json").read_text())
PROMTOOL = shutil.which("promtool")


def anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_each_alert_says_what_is_wrong_and_where_to_read_on() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names)) >= 10
    there = anchors(SERVER / "RUNBOOK.md")
    for rule in RULES:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
        assert re.fullmatch(r"Scorekeeper[A-Za-z]+", rule["alert"])
        assert re.fullmatch(r"\d+[mhd]", rule["for"])
        assert rule["labels"]["severity"] in {"page", "ticket"}
        document, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert document == "RUNBOOK.md"
        assert anchor in there, rule["alert"]
        assert rule["alert"] in (SERVER / "RUNBOOK.md").read_text()


@pytest.mark.slow
@pytest.mark.skipif(PROMTOOL is None, reason="no promtool: apt-get install prometheus")
@pytest.mark.parametrize(
    "words", [("check", "rules", ALERTS), ("test", "rules", Path(__file__).with_name("alerts_test.yml"))]
)
def test_prometheus_accepts_the_alerts_and_they_fire_when_they_should(words: tuple[str | Path, ...]) -> None:
    assert PROMTOOL is not None
    ended = subprocess.run([PROMTOOL, *words], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_panels_of_the_dashboard_have_their_own_places() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        right, below = place["x"] + place["w"], place["y"] + place["h"]
        cells = {(x, y) for x in range(place["x"], right) for y in range(place["y"], below)}
        assert not cells & taken, panel["title"]
        assert right <= 24
        taken |= cells
        assert panel["targets"]
        assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${datasource}"}
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(numbers) == len(set(numbers))
