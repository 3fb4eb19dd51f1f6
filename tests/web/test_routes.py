"""No address vanishes or appears silently: `routes.txt` lists them all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

LIST = Path(__file__).with_name("routes.txt")


def test_the_addresses_are_those_of_the_list(app: Flask) -> None:
    now = sorted(
        f"{rule.rule} {method} {rule.endpoint}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    )
    assert now == LIST.read_text().splitlines(), "\n".join(["the list would be:", *now])
