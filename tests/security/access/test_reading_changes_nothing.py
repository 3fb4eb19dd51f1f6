"""Looking changes nothing: not with a form in the address, not by HEAD, and nobody is shown what is not for them."""

from __future__ import annotations

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
"""Those who may do most."""


def paths(world: World) -> Iterator[tuple[str, str, str, str]]:
    """Yield the method, path, endpoint and thing of every line."""
    things = things_of(world)
    rules = {(rule.rule, method): rule for rule in world.app.url_map.iter_rules() for method in rule.methods or ()}
    for line in lines():
        rule = rules[line.rule, line.method]
        built = rule.build({name: things[line.of][name] for name in rule.arguments})
        assert built is not None
        yield line.method, built[1], rule.endpoint, line.of


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_nothing_is_done_by_looking(world: World, ground: Ground, method: str) -> None:
    """Every address, also those that take forms only, with the whole form in the address, by those who may most."""
    forms = Forms(world)
    for _method, path, endpoint, thing in paths(world):
        for role in ABLE:
            answer = world.ask(role, method, path, forms.of(endpoint, path, thing))
            answer.close()
            assert answer.status_code < 500, path
            assert not ground.changed(), f"{method} {path} for {role}"


@pytest.mark.slow
def test_secrets_are_shown_to_those_whose_they_are(world: World) -> None:
    """On no page of a game or a league stands what opens more than the reader may do."""
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
            and thing not in ("link", "opening", "invitation", "confirmation", "unsubscribe")
            and not any(word in path for word in secrets)
        ):
            for role in ROLES:
                # Folded parts of a page are opened.
                answer = world.ask(role, "GET", path, {"lost": "1", "score": "1", "watch": "1"})
                text = answer.get_data().decode("utf-8", "replace")
                answer.close()
                for secret, whose in secrets.items():
                    if secret in text:
                        assert role in whose, f"{path} shows {secret} to {role}"
                        seen[secret].add(role)
    assert {secret: roles for secret, roles in seen.items() if secrets[secret] - roles} == {}
