"""No address answers a form of a browser with a page: Back and reload could not show that page again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.form_answers import PAGES
from tests.security.access.forms import Forms
from tests.security.access.test_reading_changes_nothing import ABLE, paths

if TYPE_CHECKING:
    from tests.security.access.ground import Ground
    from tests.security.access.world import World

pytestmark = [pytest.mark.database, pytest.mark.slow]


def test_no_page_is_at_the_address_of_a_form(world: World, ground: Ground) -> None:
    """Each form is sent filled in and empty, by the roles that may send it, as a browser sends it."""
    forms = Forms(world)
    stay, left = set(), set()
    for method, path, endpoint, thing in paths(world):
        if method != "POST":
            continue
        for role in ABLE:
            for fields in (forms.of(endpoint, path, thing), {}):
                answer = world.ask(role, "POST", path, fields, accept="text/html,*/*;q=0.8")
                if answer.mimetype == "text/html" and answer.status_code in PAGES:
                    stay.add(f"{path} {answer.status_code}")
                if "answer=" in answer.headers.get("Location", ""):
                    left.add(endpoint)
                answer.close()
                if ground.changed():
                    ground.put_back()
    assert not stay
    assert len(left) > 90, sorted(left)
