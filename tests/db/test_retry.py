"""After a commit whose outcome is unknown, only a request that has a key is tried again."""

from __future__ import annotations

import pytest

from scorekeeper.db.database import keyed_use_case, use_case
from scorekeeper.db.outages import UncertainCommitError


def test_an_uncertain_commit_is_repeated_only_with_a_key() -> None:
    tries: list[str] = []

    def save(name: str) -> str:
        tries.append(name)
        if tries.count(name) == 1:
            raise UncertainCommitError
        return name

    with pytest.raises(UncertainCommitError):
        use_case(save)("without a key")
    assert keyed_use_case(save)("with a key") == "with a key"
    assert tries == ["without a key", "with a key", "with a key"]
