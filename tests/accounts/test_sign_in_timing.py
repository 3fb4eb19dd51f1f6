"""Response times don't reveal how much of a guess was right: the work is the same, statement for statement.

The work is compared, not the time, which differs from one run to the next by more than that.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from argon2 import extract_parameters
from sqlalchemy import event

from scorekeeper.accounts import passwords
from scorekeeper.db.tokens import new_code, new_secret
from scorekeeper.web.extensions import db
from tests.support.directors import NAME, OTHER, sign_up
from tests.support.game import start
from tests.support.game_steps import score_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.support.phone import Phone


@contextmanager
def work(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a list that gets every statement for the database, and every password that is hashed or checked, and how.

    What is no hash at all would be checked in no time: it raises `InvalidHashError` here too.
    """
    done: list[str] = []
    real = passwords.HASHER

    class Counted:
        """The hasher; its work is told."""

        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

        def verify(self, kept: str, password: str) -> bool:
            done.append(f"verify {extract_parameters(kept)}")
            return real.verify(kept, password)

        def hash(self, password: str) -> str:
            done.append("hash")
            return real.hash(password)

    def told(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        done.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", told)
    with monkeypatch.context() as patched:
        patched.setattr(passwords, "HASHER", Counted())
        yield done
    event.remove(engine, "before_cursor_execute", told)


def test_a_name_that_nobody_has_and_a_wrong_password(
    app: Flask, laptop: Phone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(laptop)
    page = phone.see("/account/sign-in")
    phone.submit(page, "/account/sign-in", 422, username="Nobody", current_password=OTHER)  # gets its word, once
    passwords._nobodys.cache_clear()  # and the process begins anew
    did = []
    for name in (NAME, "Nobody"):
        with work(app, monkeypatch) as done:
            phone.submit(page, "/account/sign-in", 422, username=name, current_password=OTHER)
        did.append(done)
    assert did[0] == did[1]
    assert len([each for each in did[0] if each.startswith("verify Parameters(")]) == 1


def test_a_name_that_nobody_has_and_a_wrong_code(
    app: Flask, laptop: Phone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(laptop)
    page = phone.see("/account/code")
    did = []
    for name, code in ((NAME, new_code()), ("Nobody", new_code()), (NAME, "no code")):
        with work(app, monkeypatch) as done:
            phone.submit(page, "/account/code", 422, username=name, code=code, new_password=OTHER)
        did.append(done)
    assert did[0] == did[1] == did[2]
    assert "hash" not in did[0], "a wrong guess must not cause hashing"


@pytest.mark.parametrize("path", ["/score/{}", "/account/opening/{}", "/invitations/{}"])
def test_a_link_that_is_nearly_right_and_one_that_is_not(
    app: Flask, laptop: Phone, phone: Phone, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """What is looked up is a hash, of which one letter says nothing of the next."""
    real = score_link(laptop, start(laptop)).split("/")[-1]
    did = []
    for word in (real[:-1] + ("A" if real[-1] != "A" else "B"), new_secret()[: len(real)]):
        with work(app, monkeypatch) as done:
            phone.see(path.format(word), 404)
        did.append(done)
    assert did[0] == did[1]
    assert [statement for statement in did[0] if "SELECT" in statement]
