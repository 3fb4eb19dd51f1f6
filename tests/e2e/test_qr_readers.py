"""Four programs that read QR codes read every kind of code that we draw, at the sizes in which pages show and print it.

The versions are zxing-cpp 3.1.1, zbar 0.23.92 (pyzbar 0.1.9), jsQR 1.4.0 and @zxing/library 0.23.0; .ci/full installs
them. The code of waiting hands, which the phone draws, has the same squares as one of these (`test_divergence`).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from scorekeeper.web.links import code_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = (
    "http://192.168.77.1:8000/cards/12345-7-bcdfghjkmnpqrstv",
    "https://scores.example.org/leagues/harbor/join/8cc2b1f0d5a94ff6b7c1a3d2e4f50617#0123456789abcdef0123456789abcdef",
    "WIFI:T:WPA;S:Salle Évangéline;P:belote 4242;;",
    "WIFI:T:WPA;S:Café Zoë;P:contraseña;;",
    "WIFI:T:WPA;S:Łódź 集会所;P:12345678;;",
)
SHOWN = (104, 208, 288, 320)
"""Widths of codes on a screen, in CSS pixels: Wi-Fi and table on a card, share page, and poster."""
PRINTED = (22, 40, 100)
"""Widths of codes on paper, in millimeters: Wi-Fi and table on a card, and poster."""
DISTANCES = (1, 1.06)
"""How much larger a code is in each of the pictures that a reader gets, as a camera does not stand still."""
DOTS = 300 / 25.4
"""Dots per millimeter of an office printer."""


def test_four_readers_read_every_code_at_every_size(browser: Browser, tmp_path: Path) -> None:
    packages = os.environ.get("SCOREKEEPER_NODE_MODULES")
    if packages is None:
        pytest.skip("SCOREKEEPER_NODE_MODULES is the folder with jsqr and @zxing/library: .ci/full installs them")
    zxingcpp, pyzbar = pytest.importorskip("zxingcpp"), pytest.importorskip("pyzbar.pyzbar")
    files: list[str] = []
    expected: list[tuple[int, int, str]] = []
    for scale, widths in ((2, SHOWN), (1, [round(width * DOTS) for width in PRINTED])):
        page = browser.new_page(device_scale_factor=scale)
        for width, text, border, nearer in product(widths, TEXTS, (2, 4), DISTANCES):
            code = code_of(text, border)
            page.set_content(f'<div style="width: {round(width * nearer)}px; padding: 1em">{code}</div>')
            files.append(str(tmp_path / f"{len(files)}.png"))
            page.locator("div").screenshot(path=files[-1])
            expected.append((width, border, text))
        page.close()
    reader = Path(__file__).with_name("read_codes.cjs")
    env = os.environ | {"NODE_PATH": packages}
    read = subprocess.run(["node", str(reader), *files], env=env, capture_output=True, text=True, check=True)
    got: dict[tuple[str, int, int, str], set[str]] = defaultdict(set)
    for file, what, line in zip(files, expected, read.stdout.splitlines(), strict=True):
        with Image.open(file) as picture:
            gray = picture.convert("L")
        jsqr, zxing = json.loads(line)
        got["zxing-cpp", *what].update(one.text for one in zxingcpp.read_barcodes(gray))
        got["zbar", *what].update(one.data.decode() for one in pyzbar.decode(gray))
        got["jsQR", *what].update({jsqr} - {None})
        got["@zxing/library", *what].update({zxing} - {None})
    assert {what: texts for what, texts in got.items() if texts != {what[-1]}} == {}
