"""The browser for these tests: where Chromium is, how to start it, and how long it may take."""

from __future__ import annotations

import os
import shutil

SCREEN = {"width": 360, "height": 640}
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 15_000
"""Milliseconds that a test waits for the browser before it fails; long, because the machine may be busy."""
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def program() -> str | None:
    """Return the path of Chromium, or None if this machine has none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
