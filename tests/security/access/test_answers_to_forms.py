"""No address answers a form of a browser with a page: Back and reload could not show that page again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.security.access.forms import NEW_PASSWORD, Forms
from tests.security.access.test_reading_changes_nothing import ABLE, paths
from tests.security.access.world import PASSWORD

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.security.access.ground import Ground
    from tests.security.access.world import World

pytestmark = [pytest.mark.database, pytest.mark.slow]

BROWSER = "text/html,*/*;q=0.8"


def stays(answer: TestResponse) -> bool:
    """Return whether the answer to a form is a page."""
    return answer.mimetype == "text/html" and not answer.location


def test_no_page_is_at_the_address_of_a_form(world: World, ground: Ground) -> None:
    """Each form is sent filled in and empty, by the roles that may send it, as a browser sends it."""
    forms = Forms(world)
    stay, forms_again, errors = set(), set(), set()
    for method, path, endpoint, thing in paths(world):
        if method != "POST":
            continue
        for role in ABLE:
            for fields in (forms.of(endpoint, path, thing), {}):
                answer = world.ask(role, "POST", path, fields, accept=BROWSER)
                if stays(answer):
                    stay.add(f"{path} {answer.status_code}")
                if "answer=" in (answer.location or ""):
                    forms_again.add(endpoint)
                if "problem=" in (answer.location or ""):
                    errors.add(endpoint)
                answer.close()
                if ground.changed():
                    ground.put_back()
    assert not stay
    assert len(forms_again) > 65, sorted(forms_again)
    assert len(forms_again | errors) > 140, sorted(forms_again | errors)


def test_no_error_page_is_at_the_address_of_a_form(world: World, ground: Ground) -> None:
    """Each form is sent by strangers and without its token. The page that refuses it has an address of its own.

    That page has the status that a program gets, and nothing of what was typed.
    """
    forms = Forms(world)
    secrets = {PASSWORD, NEW_PASSWORD, *(word for name, word in world.words.items() if "friend" not in name)}
    stay, refused = set(), set()
    for method, path, endpoint, thing in paths(world):
        if method != "POST":
            continue
        for role, token in (("anonymous", world.token), ("other-starter", world.token), ("owner", "")):
            answer, itself = (
                # The fields anew, since a file is closed once it was sent.
                world.ask(
                    role,
                    "POST",
                    path,
                    {**forms.of(endpoint, path, thing), "csrf_token": token},
                    accept=how,
                    token=token,
                )
                for how in (BROWSER, "*/*")
            )
            if stays(answer):
                stay.add(f"{path} {answer.status_code}")
            if "problem=" in (answer.location or ""):
                shown = world.ask(role, "GET", answer.location, accept=BROWSER)
                assert shown.status_code == itself.status_code >= 400, path
                assert not [word for word in secrets if word in shown.text], path
                assert shown.headers.get("Retry-After") == itself.headers.get("Retry-After"), path
                refused.add((endpoint, token))
            answer.close()
            itself.close()
            if ground.changed():
                ground.put_back()
    assert not stay
    assert len([endpoint for endpoint, token in refused if not token]) > 150, len(refused)
    assert len([endpoint for endpoint, token in refused if token]) > 100, len(refused)
