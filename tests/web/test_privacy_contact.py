"""The file `security.txt` says where to report security weaknesses, if the operator has set a contact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper.config import from_environment

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

PATH = "/.well-known/security.txt"


@pytest.mark.parametrize(
    ("value", "contact"),
    [
        ("rita@example.org", "mailto:rita@example.org"),
        ("https://example.org/safe?a=1", "https://example.org/safe?a=1"),
        ("", ""),
    ],
)
def test_it_says_whom_to_write_to_and_until_when(app: Flask, client: Phone, value: str, contact: str) -> None:
    app.config["CONTACT"] = from_environment({"SCOREKEEPER_CONTACT": value}).contact
    answer = client.get(PATH)
    assert answer.status_code == (200 if contact else 404)
    if contact:
        told = dict(line.split(": ", 1) for line in answer.text.splitlines())
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert told["Contact"] == contact
        left = datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)
        assert timedelta(days=90) < left < timedelta(days=365)
        assert told["Preferred-Languages"] == "en, es, fr"
