"""Requests by GET, HEAD and OPTIONS change nothing, and pages show secrets only to people who may see them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.security.access.forms import Forms
from tests.security.access.table import lines
from tests.security.access.test_matrix import ROLES
from tests.security.access.things import things_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.security.access.ground import Ground
    from tests.security.access.world import World

pytestmark = pytest.mark.database

ABLE = ("starter", "device", "owner")
"""The roles with the most rights."""


def paths(world: World) -> Iterator[tuple[str, str, str, str]]:
    """Yield (method, path, endpoint, name of the object in the path) for every line of `routes.txt`."""
    things = things_of(world)
    rules = {(rule.rule, method): rule for rule in world.app.url_map.iter_rules() for method in rule.methods or ()}
    for line in lines():
        rule = rules[line.rule, line.method]
        built = rule.build({name: things[line.of][name] for name in rule.arguments})
        assert built is not None
        yield line.method, built[1], rule.endpoint, line.of


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", pytest.param("HEAD", marks=pytest.mark.long), "OPTIONS"])
def test_nothing_is_done_by_looking(world: World, ground: Ground, method: str) -> None:
    """A GET, HEAD or OPTIONS request changes nothing at any address, even if a valid form is in its query.

    The requests are sent by the roles in `ABLE`, also to addresses that accept only POST requests.
    """
    forms = Forms(world)
    for _method, path, endpoint, thing in paths(world):
        for role in ABLE:
            answer = world.ask(role, method, path, forms.of(endpoint, path, thing))
            answer.close()
            assert answer.status_code < 500, path
            assert not ground.changed(), f"{method} {path} for {role}"


@pytest.mark.slow
def test_secrets_are_shown_to_those_whose_they_are(world: World, request: pytest.FixtureRequest) -> None:
    """No page of a game or a league shows a token, code or note to a role that isn't allowed to see it.

    Each run opens each page in the roles that may see a secret, and in a third of the others, chosen at random.
    """
    draw = random.Random(request.config.getoption("randomly_seed"))
    home = world.home
    owners = {"owner", "device"}
    secrets = {
        f"{home.name}-hush": owners,
        home.night.card: set[str](),
        home.handover: set[str](),
        world.words["link"]: set[str](),
        world.words["invitation"]: set[str](),
        "-".join(world.words["recovery"][at : at + 4] for at in (0, 4, 8)): {"starter"},
    }
    seen: dict[str, set[str]] = {secret: set() for secret in secrets}
    for method, path, _endpoint, thing in paths(world):
        # The token in the address is enough.
        if (
            method == "GET"
            and thing not in ("link", "opening", "invitation")
            and not any(word in path for word in secrets)
        ):
            others = [role for role in ROLES if role not in ABLE]
            for role in (*ABLE, *draw.sample(others, len(others) // 3)):
                # Folded parts of a page are opened.
                answer = world.ask(role, "GET", path, {"lost": "1", "score": "1", "watch": "1"})
                text = answer.get_data().decode("utf-8", "replace").replace("<wbr>", "")
                answer.close()
                for secret, whose in secrets.items():
                    if secret in text:
                        assert role in whose, f"{path} shows {secret} to {role}"
                        seen[secret].add(role)
    assert {secret: roles for secret, roles in seen.items() if secrets[secret] - roles} == {}
