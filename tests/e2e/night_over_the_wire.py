"""Set up a league night by requests, without a browser, for tests that begin at its desk."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.bench.readers import made_at
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kay", "Lea"]
NAMES += ["Moe", "Ned", "Oda", "Pat", "Rex", "Tom", "Uma", "Vic"]
FEW = 12
"""So many of them are in the league of a small night."""


def night_over_the_wire(url: str, here: int, **plan: object) -> tuple[str, list[dict[str, str]]]:
    """Make a league of the people `NAMES` with a seated night, and return the night's path and a director's cookies.

    `url` is the address of the server. The first `here` people are checked in. `plan` has fields of the form for the
    night's format.
    """
    with closing(WirePhone(url)) as phone:
        league = made_at(phone, "/leagues", "/leagues", name="Bell Hall")
        made_at(phone, f"{league}/people", f"{league}/people", names="\n".join(NAMES[: max(here, FEW)]))
        rules = {"of": "setback-21", "preset": "setback-21", "night-rounds": 2}
        season = made_at(phone, f"{league}/seasons", f"{league}/seasons", name="2026/27", **rules)
        night = made_at(phone, season, f"{season}/nights", day="2026-12-01").removesuffix("/desk")
        desk = f"{night}/desk"
        made_at(
            phone,
            desk,
            f"{night}/plan",
            **{"format": "to_target", "rounds": 2, "together": "rotate", "sizes": 4} | plan,
        )
        people = dict.fromkeys(re.findall(r'name="person" value="([^"]+)"', phone.get(desk).body))
        made_at(phone, desk, f"{night}/people", person=list(people)[:here])
        made_at(phone, desk, f"{night}/draw", seed=1)
        return night, [{"name": name, "value": value, "url": url} for name, value in phone.cookies.items()]


def cards_of(desk: Page, url: str, night: str) -> list[str]:
    """Open the table cards of a night at its desk, and return the paths on them."""
    desk.goto(f"{url}{night}/cards")
    return [urlsplit(link.get_attribute("href") or "").path for link in desk.locator(".way-there a").all()]


def send_card(phone: WirePhone, card: str, **fields: object) -> str:
    """Send a form from the page behind a table's card, and return the table's id."""
    address = phone.get(card).location
    form = {"table": re.findall(r'name="table" value="(\d+)"', phone.get(address).body)[0]} | fields
    assert phone.post(address, **form).status == 303
    return str(form["table"])
