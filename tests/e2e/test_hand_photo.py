"""A photo of the cards is made small on the phone before it is sent."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_photo_is_taken_and_shown(page: Page, server: Server) -> None:
    board = bring_in(page, server, record([hand(0, 2, 0, 1, None, 0)]))
    page.goto(board)
    press(page.get_by_role("link", name="Correct hand 1"))
    press(page.get_by_role("link", name="Note or photo"))
    out = io.BytesIO()
    Image.effect_noise((3000, 2000), 80).convert("RGB").save(out, "JPEG", quality=95)
    field = page.get_by_label("Choose or take a photo")
    field.set_input_files({"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()})
    page.wait_for_function(f"() => document.querySelector('[type=file]').files[0].size < {len(out.getvalue()) // 2}")
    press(page.get_by_role("button", name="Save photo"))
    photo = page.get_by_role("img", name="Photo of hand 1")
    expect(photo).to_be_visible()
    page.wait_for_function("() => document.querySelector('.hand-photo').naturalWidth === 1280")
    press(page.get_by_role("button", name="Remove photo"))
    expect(photo).to_have_count(0)
