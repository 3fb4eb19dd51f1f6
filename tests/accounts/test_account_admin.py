"""The operator creates accounts in a terminal, and resets one whose password is lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scorekeeper.accounts.service import LINK_LASTS, NoSuchAccountError, add_account, name_behind
from scorekeeper.cli.app import main
from tests.support import databases
from tests.support.directors import (
    COOKIE,
    NAME,
    OTHER,
    PASSWORD,
    is_in,
    log_of,
    printed_on,
    sign_in,
    sign_up,
    word_of,
)
from tests.support.game import contents
from tests.support.page import way_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def run(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that runs `scorekeeper director` with the given arguments and returns the command's output.

    The command uses the database of the test. `status` is the expected exit status.
    """
    for name, value in databases.variables_for(tmp_path).items():
        monkeypatch.setenv(name, value)

    def director(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, ["director", *words, "--instance", str(tmp_path)])
        assert done.exit_code == status, done.output
        return done.output

    return director


def path_in(said: str) -> str:
    """Return the path of the account link in `said`, the output of a command."""
    found = re.search(r"/account/opening/\S{43}", said)
    assert found is not None, said
    return found[0]


def test_the_first_director_of_a_closed_score_book(app: Flask, laptop: Phone, run: Callable[..., str]) -> None:
    """On a server with closed sign-up, the operator creates an account and passes its link on to the director.

    The director sets the password with the link, so the operator never knows the password.
    """
    app.config["SIGN_UP"] = False
    path = path_in(run("add", NAME))
    assert path.rsplit("/", 1)[1] not in str(contents(app))
    assert run("list") == f"{NAME} (has not chosen a password yet)\n"
    sign_in(laptop, status=422)
    page = laptop.see(path)
    assert NAME in page.text
    assert len(printed_on(laptop.submit(page, path, 200, new_password=PASSWORD))) == 34
    assert is_in(laptop)
    assert run("list") == f"{NAME}\n"
    assert way_named(laptop.see(path, 404), "Your account") == "/account"
    assert log_of(laptop) == [
        "Opened with a link from the person who runs this server",
        "Refused: wrong password",
        "The person who runs this server created the account",
    ]


def test_a_bad_password_does_not_use_up_the_link(laptop: Phone, run: Callable[..., str]) -> None:
    path = path_in(run("add", NAME))
    refused = laptop.submit(laptop.see(path), path, 422, new_password="short")
    laptop.submit(refused, path, 200, new_password=PASSWORD)


def test_a_reset_takes_everything_from_whoever_had_it(
    app: Flask, laptop: Phone, phone: Phone, run: Callable[..., str]
) -> None:
    """After a reset, the account's old sessions, password and printed code no longer work.

    The devices on which the director signed in before don't count as known anymore.

    The reset takes effect only when somebody uses the link that the operator's command printed.
    """
    code = sign_up(laptop)
    path = path_in(run("reset", "rita  B."))
    assert is_in(laptop), "until the link is used, nothing changes"
    phone.submit(phone.see(path), path, 200, new_password=OTHER)
    assert is_in(phone)
    assert not is_in(laptop)
    sign_in(laptop, password=PASSWORD, status=422)
    assert len(contents(app)["account_device"]) == 1
    page = laptop.see("/account/code")
    laptop.submit(page, "/account/code", 422, username=NAME, code=code, new_password="another long one")


def test_signing_out_ends_every_session_at_once(laptop: Phone, phone: Phone, run: Callable[..., str]) -> None:
    """The operator can end all sessions of one director, or of all directors. The passwords stay the same."""
    sign_up(laptop)
    sign_up(phone, "Bob")
    run("sign-out", NAME)
    assert not is_in(laptop)
    assert is_in(phone)
    sign_in(laptop)
    assert log_of(laptop)[1] == "Signed out everywhere"
    run("sign-out", "--all")
    assert not is_in(laptop)
    assert not is_in(phone)
    for words in (("sign-out",), ("sign-out", NAME, "--all")):
        assert "Give a name, or --all." in run(*words, status=2)


def test_a_locked_account_is_opened_by_nothing(
    app: Flask, laptop: Phone, phone: Phone, run: Callable[..., str]
) -> None:
    """No session, password, printed code or earlier link works for a locked account. A new link unlocks it."""
    code = sign_up(laptop)
    given_out = path_in(run("reset", NAME))
    run("lock", NAME)
    assert not is_in(laptop)
    sign_in(laptop, status=422)
    laptop.submit(laptop.see("/account/code"), "/account/code", 422, username=NAME, code=code, new_password=OTHER)
    laptop.see(given_out, 404)
    assert not contents(app)["account_device"]
    path = path_in(run("reset", NAME))
    phone.submit(phone.see(path), path, 200, new_password=OTHER)
    assert "The person who runs this server locked the account" in log_of(phone)


def test_a_new_link_ends_the_one_before(laptop: Phone, run: Callable[..., str]) -> None:
    first, second = path_in(run("add", NAME)), path_in(run("reset", NAME))
    laptop.see(first, 404)
    laptop.see(second)


def test_a_link_ends(app: Flask, laptop: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.accounts.service.LINK_LASTS", -LINK_LASTS)
    with app.app_context():
        word = add_account(name=NAME)
        with pytest.raises(NoSuchAccountError):
            name_behind(word)
    laptop.see(f"/account/opening/{word}", 404)


def test_what_cannot_be_is_refused_in_a_sentence(run: Callable[..., str]) -> None:
    run("add", NAME)
    assert "That name is taken" in run("add", "RITA B.", status=1)
    assert "Use letters or digits" in run("add", " ", status=1)
    for command in ("reset", "lock", "sign-out"):
        assert "There is no director named Bob" in run(command, "Bob", status=1)


def test_looking_at_a_link_opens_nothing(app: Flask, laptop: Phone, run: Callable[..., str]) -> None:
    """Opening an account link with GET changes nothing and signs nobody in.

    This matters because programs that show previews of links send GET requests.
    """
    path = path_in(run("add", NAME))
    before = contents(app)
    laptop.see(path)
    assert contents(app) == before
    assert word_of(laptop) == ""
    assert laptop.get_cookie(COOKIE) is None
