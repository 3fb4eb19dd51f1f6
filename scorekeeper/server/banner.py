"""What the terminal says once the score book is open."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import segno
from sqlalchemy import make_url

from scorekeeper.ops.inspection import name_of

if TYPE_CHECKING:
    from scorekeeper.config import Settings
    from scorekeeper.web.trust import Trust


WHITE_ON_BLACK = "\x1b[38;5;231;48;5;16m"
RESET = "\x1b[0m"
HOW_TO_LET_PHONES_IN = "  Only this machine can reach it. To let phones in: {} --lan"
NO_NETWORK = "  This machine is in no network now: phones reach it once it is in the same Wi-Fi as they are."


def banner(host: str, port: int, address: str | None, settings: Settings, trust: Trust | None = None) -> str:
    """Return the lines printed at the start: where the score book is, how phones reach it, where the data lives.

    `host` is what the server listens on, `address` the one that phones can reach, None where there is none. With
    `trust` it answers HTTPS, and `port` is the door to the page that shows how to trust it.
    """
    listens_everywhere = host in {"0.0.0.0", "::"}  # noqa: S104  compared, not listened on

    def book(name: str) -> str:
        return url(name, trust.port, "https") if trust else url(name, port)

    lines = ["", "  The score book is open."]
    if address is None or listens_everywhere:
        lines += [f"  On this machine   {book('127.0.0.1' if listens_everywhere else host)}"]
    if address is not None:
        lines += [f"  On every phone    {book(address)}", "", qr_code(url(address, port))]
        lines += ["  A phone must be in the same network (the house's Wi-Fi)."]
    else:
        lines += ["", NO_NETWORK if listens_everywhere else HOW_TO_LET_PHONES_IN.format(command())]
    if trust:
        door = url(address or ("127.0.0.1" if listens_everywhere else host), port)
        lines += ["", *how_to_trust(door, trust), ""]
    lines += [f"  The data lives in {data_place(settings)}", "  Ctrl-C stops it.", ""]
    return "\n".join(lines)


def command() -> str:
    """Return how this program was called, as it can be typed again in the same folder."""
    called = Path(sys.argv[0])
    if called.name != "scorekeeper":
        return "scorekeeper"
    return os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called)


def how_to_trust(door: str, trust: Trust) -> list[str]:
    """Return the lines that send a phone to `door`, where it learns to trust us, and what it must compare."""
    half = len(trust.fingerprint) // 2 + 1
    return [
        f"  A phone comes in by {door}",
        "  the first time: the page there gives it the certificate and shows how to trust it, if this is the same:",
        f"  SHA-256  {trust.fingerprint[:half]}",
        f"           {trust.fingerprint[half:]}",
    ]


def url(host: str, port: int, scheme: str = "http") -> str:
    """Return the web address of `host` (a name or an address of either kind) and `port`."""
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def data_place(settings: Settings) -> str:
    """Return where the data lives, without a password."""
    database = make_url(settings.database_url)
    key = "" if database.get_backend_name() == "sqlite" else f" (key: {settings.instance})"
    return name_of(database) + key


def qr_code(text: str) -> str:
    """Return a QR code of `text` for a terminal, two modules to a character's height.

    It brings its own black and white, for a phone reads dark on light best and the terminal may be either. Empty
    where the terminal's encoding has no blocks to draw it with.
    """
    drawn = io.StringIO()
    segno.make(text, error="l", boost_error=False, micro=False).terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return "".join(f"  {WHITE_ON_BLACK}{line}{RESET}\n" for line in drawn.getvalue().splitlines())
