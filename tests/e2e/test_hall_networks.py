"""Chromium on a phone in a hall without internet: what it does if it trusts the server's certificate, and if not."""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
import segno
from playwright.sync_api import Error, expect

from tests.e2e.browser import OPTIONS, PATIENCE, program
from tests.e2e.taps import start_game
from tests.e2e.test_offline import badge, ready, score, worker_ready
from tests.support.networks import hall
from tests.support.server import command, environment, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.networks import Machine

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.sqlite]

ADDRESS = "10.42.0.1"
HOME = f"https://{ADDRESS}:8443"
NAMES = ["Ann", "Bob", "Cid", "Dee"]


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Machine]:
    """Yield a phone on a network without a way out, on which a hall's computer serves HTTPS."""
    with hall() as computer:
        phone = computer.join("wlan0", f"{ADDRESS}/24", "10.42.0.2/24")
        words = computer.command(*command(tmp_path / "instance", "--lan", "--port", "8000", "--tls"))
        server = start(words, environment())
        try:
            yield phone
        finally:
            server.stop()
            kill_group(server)


@contextmanager
def browsing(browser: Browser, phone: Machine, tmp_path: Path) -> Iterator[Page]:
    """Yield a page of Chromium that runs on `phone`, with a home folder of its own. It ignores no certificate error."""
    starts = tmp_path / "chromium"
    starts.write_text(f'#!/bin/sh\nHOME={tmp_path} exec {shlex.join(phone.command(str(program())))} "$@"\n')
    starts.chmod(0o700)
    chromium = browser.browser_type.launch(executable_path=starts, args=list(OPTIONS))
    try:
        context = chromium.new_context(
            base_url=HOME, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640}
        )
        context.set_default_timeout(PATIENCE)
        yield context.new_page()
    finally:
        chromium.close()


def trust(tmp_path: Path) -> None:
    """Install the certificate of the server's authority for the browser whose home folder is `tmp_path`."""
    if not shutil.which("certutil"):
        pytest.skip("no certutil on this machine; on Debian: apt-get install libnss3-tools")
    store = tmp_path / ".pki" / "nssdb"
    store.mkdir(parents=True)
    authority = tmp_path / "instance" / "tls" / "ca.crt"
    for words in (["-N", "--empty-password"], ["-A", "-n", "hall", "-t", "C,,", "-i", str(authority)]):
        subprocess.run(["certutil", "-d", f"sql:{store}", *words], check=True)


def test_a_phone_that_trusts_the_certificate_opens_a_game_without_a_signal(
    browser: Browser, phone: Machine, tmp_path: Path
) -> None:
    trust(tmp_path)
    with browsing(browser, phone, tmp_path) as page:
        page.goto(f"http://{ADDRESS}:8000/")
        page.get_by_role("link", name="Open Scorekeeper").click()
        expect(page).to_have_url(f"{HOME}/")
        start_game(page, "Setback", NAMES)
        ready(page)
        worker_ready(page)
        game = page.url.partition("?")[0]
        assert game.startswith(f"{HOME}/games/")
        watch = f"{HOME}/watch/{game.rpartition('/')[2]}"
        code = page.evaluate("address => fetch(address).then((answer) => answer.text())", f"{watch}/code.svg")
        drawn = io.BytesIO()
        segno.make(watch, micro=False).save(drawn, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
        assert code == drawn.getvalue().decode()
        page.context.set_offline(True)
        page.goto(game)
        ready(page)
        score(page, "Ann", 4, ("Ann and Cid",) * 4)
        expect(badge(page)).to_be_visible()
        expect(badge(page)).not_to_contain_text("Leave this page open.")


def test_a_phone_that_skips_the_warning_has_to_leave_the_page_open(
    browser: Browser, phone: Machine, tmp_path: Path
) -> None:
    with browsing(browser, phone, tmp_path) as page:
        with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
            page.goto(f"{HOME}/")
        page.get_by_role("button", name="Advanced").click()
        page.get_by_role("link", name="Proceed").click()
        expect(page).to_have_url(f"{HOME}/")
        start_game(page, "Setback", NAMES)
        ready(page)
        assert page.evaluate("isSecureContext && !navigator.serviceWorker.controller")
        page.context.set_offline(True)
        score(page, "Ann", 4, ("Ann and Cid",) * 4)
        expect(badge(page)).to_contain_text("Leave this page open.")
