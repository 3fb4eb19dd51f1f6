"""Format log entries, as lines or as JSON objects, and keep secret tokens out of them."""

import json
import logging
import math
import re
import sys
import threading
import time
from datetime import UTC, datetime
from typing import Any

from flask import has_request_context, request

from scorekeeper.db.outages import is_outage, reason_of
from scorekeeper.web import request_log
from scorekeeper.web.request_log import without_secrets

QUIET_SECONDS = 10
"""Time after a logged outage during which further outages for the same reason are only counted."""


class Outages(logging.Filter):
    """Shortens log entries about a database outage or a full disk to one line without a traceback.

    An outage with the same reason is logged only once in `QUIET_SECONDS`. The next line about this reason says how many
    entries were left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.logged: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log `record`. An entry about an outage is shortened."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_outage(error):
            return True
        reason, now = reason_of(error), time.monotonic()
        kind = re.sub(r"\d+", "", reason)
        with self.lock:
            last, left_out = self.logged.get(kind, (-math.inf, 0))
            if now - last < QUIET_SECONDS:
                self.logged[kind] = last, left_out + 1
                return False
            self.logged = {kind: seen for kind, seen in self.logged.items() if now - seen[0] < QUIET_SECONDS or seen[1]}
            self.logged[kind] = now, 0
        more = f" ({left_out:,} more like this since the last line)" if left_out else ""
        record.msg, record.args = "%s: %s%s", (record.getMessage(), reason, more)
        record.exc_info = record.exc_text = None
        return True


class Lines(logging.Formatter):
    """Formats a log entry as one line of text. A traceback may follow."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a log entry, with its traceback but without secret tokens."""
        return without_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's
        """Return the first line of a log entry.

        If the entry belongs to a request, the line ends with the id of the request.
        """
        number = request_of(record)
        return super().formatMessage(record) + (f" [{number}]" if number else "")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802  logging's
        """Return the time of a log entry in UTC, with milliseconds."""
        return moment_of(record)


class Objects(logging.Formatter):
    """Formats a log entry as a JSON object on a single line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log entry as JSON with `time`, `level`, `logger`, `message`, and any extra fields.

        If it belongs to a request, `request` is the id of that request. If it has a traceback, `error` is the
        traceback.
        """
        entry: dict[str, Any] = {
            "time": moment_of(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        entry |= getattr(record, "told", {})
        if number := request_of(record):
            entry["request"] = number
        if record.exc_info:
            entry["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def set_up(*, as_json: bool) -> None:
    """Write the log of this process to standard error, and its log of requests to standard output.

    With `as_json`, entries are JSON objects. Otherwise, they are lines of text.
    """
    form = formatter(as_json=as_json)
    for name, level, stream in (
        ("", logging.WARNING, sys.stderr),
        ("scorekeeper.requests", logging.INFO, sys.stdout),
        ("scorekeeper.publish", logging.INFO, sys.stdout),
    ):
        logger = logging.getLogger(name)
        handler = logging.StreamHandler(stream)
        handler.setFormatter(form)
        handler.addFilter(Outages())
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


def formatter(*, as_json: bool) -> logging.Formatter:
    """Return a formatter for JSON objects if `as_json` is true, otherwise one for lines of text."""
    return Objects() if as_json else Lines()


def moment_of(record: logging.LogRecord) -> str:
    """Return the time of `record` in UTC, such as 2026-03-01T19:42:07.123Z."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def request_of(record: logging.LogRecord) -> str:
    """Return the id of the request to which `record` belongs, or "" if it belongs to none."""
    if told := getattr(record, "told", None):
        return str(told["request"])
    return str(request.environ.get(request_log.REQUEST_ID, "")) if has_request_context() else ""
