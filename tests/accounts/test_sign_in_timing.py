"""Response times don't show how much of a guess was right, because the server does the same work in all cases.

The tests compare this work and not the times, whose random differences are larger.
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
    """Record the SQL statements, password hashings and password checks of the server inside the `with` block.

    Yield a list of the recorded steps, which grows during the block. A check against an invalid hash raises
    `InvalidHashError`. Such a check takes no time, so a stranger could notice the difference.
    """
    done: list[str] = []
    real = passwords.HASHER

    class Counted:
        """A password hasher that adds each hashing and each check of a password to the list `done`."""

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
    """The server runs the same SQL statements for a wrong token that is nearly right as for any other wrong token.

    The server looks up a hash of the token, and even similar tokens have very different hashes.
    """
    real = score_link(laptop, start(laptop)).split("/")[-1]
    did = []
    for word in (real[:-1] + ("A" if real[-1] != "A" else "B"), new_secret()[: len(real)]):
        with work(app, monkeypatch) as done:
            phone.see(path.format(word), 404)
        did.append(done)
    assert did[0] == did[1]
    assert [statement for statement in did[0] if "SELECT" in statement]
