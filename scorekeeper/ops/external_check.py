"""Check the server from outside, with one request for `/readyz`, just as a phone would reach it."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from scorekeeper.ops.check import CLOCK_SLACK, advice, well, wrong
from scorekeeper.web.hosts import is_of_a_house, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.ops.check import Finding

SECONDS = 10


def seen_from_outside(url: str, now: datetime | None = None) -> Iterator[Finding]:
    """Make one request to the server at `url`, and yield findings about the response.

    `url` is an address such as "https://cards.example.org/". `now` is the current time by default.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        yield wrong("outside", f"{url} isn't an address. Write it as https://cards.example.org/")
        return
    try:
        with urlopen(Request(f"{parts.scheme}://{parts.netloc}/readyz"), timeout=SECONDS) as answer:  # noqa: S310  http alone
            status, headers, said = (
                answer.status,
                dict(answer.headers.items()),
                answer.read(4096).decode("utf-8", "replace"),
            )
    except HTTPError as error:
        yield _refused(url, error)
        return
    except (URLError, OSError) as error:
        yield _unreached(url, getattr(error, "reason", error))
        return
    if status != 200 or "database: ok" not in said:
        yield wrong("outside", f"The server at {url} isn't Scorekeeper. Check where the proxy leads.")
        return
    yield well("outside", f"{url} answers")
    yield from _headers(parts.scheme, name_of(parts.netloc), headers, now or datetime.now(UTC))


def _headers(scheme: str, name: str, headers: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    if scheme == "http" and not is_of_a_house(name):
        yield wrong(
            "outside", f"{name} answers without encryption. Let the proxy redirect http to https, as Caddy does."
        )
    if scheme == "https" and not is_of_a_house(name) and "Strict-Transport-Security" not in headers:
        yield advice("outside", f"Browsers aren't told to stay with https. Is {name} in SCOREKEEPER_HOSTS?")
    date = headers.get("Date")
    apart = abs(parsedate_to_datetime(date) - now) if date else timedelta(0)
    if apart > CLOCK_SLACK:
        yield wrong("outside", f"Its clock and this machine's are {apart.total_seconds():.0f} seconds apart. Set them.")


def _refused(url: str, error: HTTPError) -> Finding:
    with error:
        said = error.read(4096).decode("utf-8", "replace")
    if error.code == 503 and "failed" in said:
        return wrong("outside", f"{url} answers, but reports a problem ({', '.join(said.split(chr(10))).strip(', ')}).")
    if error.code == 400:
        return wrong("outside", f"The server doesn't accept the name in {url}. Add it to SCOREKEEPER_HOSTS.")
    return wrong("outside", f"{url} answers {error.code}. Check the proxy's log.")


def _unreached(url: str, reason: object) -> Finding:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return wrong("outside", f"The certificate of {url} isn't trusted here: {reason.verify_message.rstrip('.')}.")
    return wrong("outside", f"Nothing answers at {url} ({reason}). Are the server and the proxy running?")
