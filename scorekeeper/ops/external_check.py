"""A look at the score book from where the phones are: one request for `/readyz`."""

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
    """Yield what is found by asking the score book at `url`, "https://cards.example.org/" for instance."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        yield wrong("outside", f"{url} is no address: write it as https://cards.example.org/")
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
        yield wrong("outside", f"What answers at {url} is not the score book: see where the proxy leads.")
        return
    yield well("outside", f"{url} answers")
    yield from _headers(parts.scheme, name_of(parts.netloc), headers, now or datetime.now(UTC))


def _headers(scheme: str, name: str, headers: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    if scheme == "http" and not is_of_a_house(name):
        yield wrong(
            "outside", f"{name} answers without encryption: let the proxy send http on to https, as Caddy does."
        )
    if scheme == "https" and not is_of_a_house(name) and "Strict-Transport-Security" not in headers:
        yield advice("outside", f"Browsers are not told to stay with https: is {name} in SCOREKEEPER_HOSTS?")
    date = headers.get("Date")
    apart = abs(parsedate_to_datetime(date) - now) if date else timedelta(0)
    if apart > CLOCK_SLACK:
        yield wrong(
            "outside", f"Its clock and that of this machine are {apart.total_seconds():.0f} seconds apart: set them."
        )


def _refused(url: str, error: HTTPError) -> Finding:
    with error:
        said = error.read(4096).decode("utf-8", "replace")
    if error.code == 503 and "failed" in said:
        return wrong(
            "outside", f"{url} answers, but not all is well there ({', '.join(said.split(chr(10))).strip(', ')})."
        )
    if error.code == 400:
        return wrong("outside", f"It is not known by the name in {url}: add that to SCOREKEEPER_HOSTS.")
    return wrong("outside", f"{url} answers {error.code}: see what the proxy logs.")


def _unreached(url: str, reason: object) -> Finding:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return wrong("outside", f"The certificate at {url} is not trusted here: {reason.verify_message.rstrip('.')}.")
    return wrong("outside", f"Nothing answers at {url} ({reason}): is the score book open, and the proxy?")
