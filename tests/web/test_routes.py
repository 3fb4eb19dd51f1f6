"""The file `routes.txt` lists every address of the app, so none is added or removed unnoticed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from werkzeug.exceptions import NotFound

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


def test_a_number_that_no_database_can_hold_leads_nowhere(app: Flask) -> None:
    addresses = app.url_map.bind("localhost")
    rules = [rule for rule in app.url_map.iter_rules() if "<int:" in rule.rule]
    assert len(rules) > 10
    for rule in rules:
        method = min((rule.methods or set()) & {"GET", "POST"})
        ways = re.sub(r"<[a-z_]+>", "1", rule.rule)
        addresses.match(re.sub(r"<int:[a-z_]+>", str(2**31 - 1), ways), method)
        with pytest.raises(NotFound):
            addresses.match(re.sub(r"<int:[a-z_]+>", str(2**31), ways), method)
