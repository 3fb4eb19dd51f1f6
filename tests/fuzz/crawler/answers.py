"""Checks that every response must pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.fuzz.crawler.fault import Fault
from tests.support.page_checks import check_headers

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

LEAKS = re.compile(
    r"Traceback \(most recent|File \"/|sqlalchemy\.|sqlite3\.|psycopg\.|site-packages|\.py\b:\d"
    r"|\bSELECT [\w.\", ]+ FROM |\bINSERT INTO \w+ \(|\bUPDATE \w+ SET \w"
)
"""Texts that reveal the implementation: tracebacks, modules, SQL statements."""
TYPES_OF_ANSWERS = frozenset(
    (
        "text/html", "application/json", "text/css", "text/javascript", "image/svg+xml", "image/png", "text/csv",
        "application/zip", "application/manifest+json", "text/plain", "font/woff2", "application/x-x509-ca-cert",
        "text/calendar", "application/atom+xml", "application/gzip", "image/jpeg",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
)  # fmt: skip


def check_answer(response: TestResponse, endpoint: str, instance: str) -> None:
    """Raise `Fault` if a response has status 500 or more, a wrong header or type, or reveals the implementation.

    `instance` is the path of the data folder, which no response may contain.
    """
    if response.status_code >= 500:
        raise Fault(response.status)
    try:
        check_headers(response)
    except AssertionError as error:
        raise Fault(f"headers: {error}") from error
    if response.data and response.mimetype not in TYPES_OF_ANSWERS:
        raise Fault(f"a strange type: {response.content_type}")
    if not is_text(response):
        return
    text = response.get_data(as_text=True)
    found = None if endpoint == "static" else LEAKS.search(text)
    if found is not None or instance in text:
        raise Fault(f"it tells too much: {found and text[max(0, found.start() - 80) : found.end() + 80]}")


def is_text(response: TestResponse) -> bool:
    """Return whether the response contains uncompressed text."""
    return bool(
        response.data
        and "Content-Encoding" not in response.headers
        and str(response.mimetype).startswith(("text/", "application/json", "image/svg"))
    )


def has_odd_characters(text: str) -> bool:
    """Return whether a text has characters that HTML doesn't allow.

    Strict parsers refuse such characters, but browsers don't.
    """
    return any(
        (ord(char) < 32 and char not in "\t\n\r\f") or ord(char) & 0xFFFE == 0xFFFE or 0x7F <= ord(char) < 0xA0
        for char in text
    )
