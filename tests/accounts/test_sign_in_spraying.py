"""If strangers in many networks try passwords, few are checked at a time, and known devices can still sign in."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts import passwords
from scorekeeper.accounts.passwords import BusyError, turn
from scorekeeper.web.rate_limit import (
    CODE_BY_ADDRESS,
    PASSWORDS,
    PASSWORDS_BY_NETWORK,
    SIGN_IN_KNOWN,
    connect,
    surroundings,
)
from tests.support.directors import NAME, OTHER, is_in, sign_in, sign_up
from tests.support.quick_passwords import taken

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def counting(app: Flask) -> Flask:
    """Return the application with rate limits on."""
    app.config["LIMITS"] = True
    connect(app)
    return app


def sprayed(phone: Phone, address: str, name: str) -> int:
    """Try to sign in as `name` with a wrong password from the IP address `address`. Return the response's status."""
    phone.environ_base["REMOTE_ADDR"] = address
    return sign_in_status(phone, name)


def sign_in_status(phone: Phone, name: str) -> int:
    values = phone.see("/account/sign-in").form("/account/sign-in").values
    sent = {**values, "username": name, "current-password": OTHER}
    return phone.post("/account/sign-in", data=sent).status_code


@pytest.mark.usefixtures("counting")
def test_a_whole_network_is_counted(phone: Phone) -> None:
    """Wrong sign-ins from all /64 networks of one IPv6 customer count together. The next customer has a separate count.

    One customer can use 65,536 such networks.
    """
    homes = [f"2001:db8:7:{home:x}::1" for home in range(PASSWORDS_BY_NETWORK.amount + 2)]
    answers = [sprayed(phone, home, f"nobody {number}") for number, home in enumerate(homes)]
    assert answers == [*[422] * PASSWORDS_BY_NETWORK.amount, 429, 429]
    assert sprayed(phone, "2001:db8:8::1", "somebody else") == 422


@pytest.mark.usefixtures("counting")
def test_strangers_are_counted_together_and_the_director_gets_in(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    laptop.submit(laptop.see("/account"), "/account/sign-out")
    answers = [sprayed(phone, f"198.51.{number}.9", f"nobody {number}") for number in range(PASSWORDS.amount + 1)]
    assert answers.count(422) == PASSWORDS.amount - 1, "the sign-up was one"
    assert answers[-1] == 429
    sign_in(laptop)
    assert is_in(laptop)


@pytest.mark.slow
@pytest.mark.usefixtures("counting")
def test_right_sign_ins_are_counted_too(laptop: Phone) -> None:
    """Successful sign-ins from a known device are limited, too.

    Otherwise somebody with an account could keep the server's password check for known devices busy forever.
    """
    sign_up(laptop)
    for _ in range(SIGN_IN_KNOWN.amount):
        sign_in(laptop)
    sign_in(laptop, status=429)


@pytest.mark.usefixtures("counting")
def test_wrong_codes_of_strangers_keep_no_right_one_out(laptop: Phone, phone: Phone) -> None:
    """A right printed code works even after strangers reached the limit with wrong codes.

    The code is checked before the limit applies, because nobody can guess a printed code.
    """
    code = sign_up(laptop)
    page = phone.see("/account/code")
    for status in [*[422] * CODE_BY_ADDRESS.amount, 429]:
        phone.submit(page, "/account/code", status, username=NAME, code=code[:-1] + "?", new_password=OTHER)
    phone.submit(page, "/account/code", 200, username=NAME, code=code, new_password=OTHER)


def test_who_finds_no_place_is_sent_away_at_once(laptop: Phone, phone: Phone) -> None:
    """If too many strangers are signing in, another stranger's sign-in or sign-up gets status 503 within seconds.

    A known device can still sign in at that time. Afterward, the refused stranger can sign in, too.
    """
    sign_up(laptop)
    with taken(known=False):
        begun = time.monotonic()
        page = sign_in(phone, password=OTHER, status=503)
        assert time.monotonic() - begun < passwords.PATIENCE_SECONDS + 5
        assert "Too many people are signing in right now. Nothing was saved." in page.text
        assert page.response.headers["Retry-After"] == "2"
        values = {"username": "Bob", "new_password": OTHER}
        phone.submit(phone.see("/account/sign-up"), "/account/sign-up", 503, **values)
        sign_in(laptop)
    sign_in(phone)


def test_a_password_is_changed_in_the_place_of_the_known(laptop: Phone) -> None:
    sign_up(laptop)
    page, values = laptop.see("/account"), {"current_password": OTHER, "new_password": OTHER}
    with taken(known=False):
        laptop.submit(page, "/account/password", 422, **values)
    with taken(known=True):
        laptop.submit(page, "/account/password", 503, **values)


def test_a_code_that_found_no_place_still_opens(laptop: Phone, phone: Phone) -> None:
    code = sign_up(laptop)
    page, values = phone.see("/account/code"), {"username": NAME, "code": code, "new_password": OTHER}
    with taken(known=True):
        phone.submit(page, "/account/code", 503, **values)
        wrong = values | {"code": code[:-1] + "?"}
        phone.submit(page, "/account/code", 422, **wrong)
    with taken(known=False):
        phone.submit(page, "/account/code", 200, **values)


def test_of_a_hundred_at_once_two_keep_a_thread() -> None:
    """Of many simultaneous password checks, one runs and one waits a moment. The others are refused right away."""
    inside, most, refused = 0, 0, []
    lock = threading.Lock()

    def one(_number: int) -> None:
        nonlocal inside, most
        begun = time.monotonic()
        try:
            with turn():
                with lock:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.2)
                with lock:
                    inside -= 1
        except BusyError:
            refused.append(time.monotonic() - begun)

    with ThreadPoolExecutor(16) as many:
        list(many.map(one, range(100)))
    assert most == 1
    assert len(refused) >= 90
    assert sorted(refused)[len(refused) // 2] < 0.1


def test_inside_a_turn_a_thread_has_its_place() -> None:
    """A thread whose turn it is to check a password can do more checks without waiting for another turn.

    For example, a thread may check the current password and then hash a new one.
    """
    for _ in range(2):
        with turn(), turn(), turn(known=True):
            assert passwords.matches(passwords.hashed("four sleepy badgers"), "four sleepy badgers")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1::/48"),
        ("::ffff:203.0.113.9", "203.0.113.0/24"),
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("no address", "unknown"),
    ],
)
def test_what_is_around_an_address(app: Flask, address: str, counted: str) -> None:
    """Clients on the internet are counted by the network around their IP address. Private addresses count one by one.

    `counted` is the network or address that is expected for `address`.
    """
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        assert surroundings() == counted
