"""Which passwords are accepted, and how they are stored."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from scorekeeper.accounts import passwords
from scorekeeper.accounts.passwords import common_words, is_common
from tests.support.directors import NAME, PASSWORD, sign_in, sign_up
from tests.support.game import contents
from tests.support.quick_passwords import REAL

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

TRIED_FIRST = """\
password1234 Passw0rd1234 P@ssw0rd!2024 qwertyuiop12 abcdefgh1234 123456789012 iloveyou1234 trustno1trustno1
monkeymonkey1 football2024! letmein12345 dragonmaster1 aaaaaaaaaaaaa 1qaz2wsx3edc qwerty123456! motdepasse123
contraseña123 setback21!2026 scorekeeper1 asdfghjkl1234 azerty123456 987654321098 superman&batman princess_1985
ritaritarita1 Rita20262026! Bellerose1985
1qaz2wsx3edc4rfv qazxswedcvfr zaq1xsw2cde3 1q2w3e4r5t6y z1x2c3v4b5n6 112233445566 123321456654 010203040506
justinbieber unbelievable1 leavemealone ghbdtnghbdtn gfhjkm123456 JamesBond007!
"""
FINE = [
    "correct horse battery",
    "my dog ate the trumps",
    "vRtx93kd0a,pq",
    "481516234299",
    "Ж№ёлкабелка123",
    "12 cold soups",
]


@pytest.mark.parametrize("password", TRIED_FIRST.split())
def test_what_everybody_tries_first_is_refused(password: str) -> None:
    assert len(password) >= passwords.SHORTEST
    assert is_common(password, "Rita Bellerose")


@pytest.mark.parametrize("password", FINE)
def test_anything_else_is_fine_whatever_it_is_made_of(password: str) -> None:
    """A password needs no digits, symbols or capital letters. Spaces and all scripts are allowed."""
    assert not is_common(password, "Rita Bellerose")
    passwords.check_new(password, "Rita Bellerose")


def test_the_list_is_read_as_it_is_compared() -> None:
    words = common_words()
    assert len(words) > 800
    assert [word for word in words if not (word.isascii() and word.isalpha() and word.islower())] == []


def test_no_password_keeps_the_score_book_busy(laptop: Phone) -> None:
    """The server checks even the slowest new password within seconds.

    The slowest passwords can be split into common words in a huge number of ways. Without an account, a stranger can
    make the server check such a password.
    """
    page = laptop.see("/account/code")
    typed = {"username": "aaa aaaa", "code": "x", "new-password": f"{'a' * 40}vkxq"}
    began = time.perf_counter()
    laptop.submit(page, "/account/code", 422, **typed)
    assert time.perf_counter() - began < 5


def test_words_count_as_often_as_they_come_and_in_any_order() -> None:
    """A password of two common words, repeated in any order, is too easy to guess.

    A password of three different common words is allowed. The words of the account's name count as common, too. They
    are recognized even if one begins with the other, such as "abab" and "ababc".
    """
    assert is_common("dragonmonkeydragon!monkey99", "Rita")
    assert not is_common("dragonmonkeysunshine", "Rita")
    assert is_common("ababcababcabab1!", "Abab Ababc")
    assert not is_common("ababcababcabav1!", "Abab Ababc")


@pytest.mark.parametrize(
    ("password", "says"),
    [("", "too short"), ("elevenchars", "too short"), ("x" * 201, "too long"), ("password1234", "easy to guess")],
)
def test_it_is_said_below_the_field(laptop: Phone, password: str, says: str) -> None:
    page = laptop.see("/account/sign-up")
    refused = laptop.submit(page, "/account/sign-up", 422, username=NAME, new_password=password)
    field = refused.one("input", name="new-password")
    assert field.get("aria-invalid") == "true"
    assert says in refused.text
    assert "new-password-wrong" in field.get("aria-describedby", "")


def test_a_password_of_200_characters_counts_to_the_last(laptop: Phone) -> None:
    long = "the kettle is on again, " * 8 + "and more"
    assert len(long) == passwords.LONGEST
    sign_up(laptop, password=long)
    sign_in(laptop, password=long[:-1], status=422)
    sign_in(laptop, password=long)


def test_an_accent_is_the_same_from_every_keyboard() -> None:
    """A password matches even if its accented letters or spaces are typed in another Unicode form."""
    kept = passwords.hashed("caf\u00e9 noir encore")
    assert passwords.matches(kept, "cafe\u0301 noir\u00a0encore")
    assert not passwords.matches(kept, "cafe noir encore")


def test_a_password_is_kept_as_rfc_9106_recommends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed with the Argon2id parameters that RFC 9106 recommends for low memory.

    The parameters are 64 MiB, three passes and four lanes. OWASP asks for less. Each password has a different salt.
    """
    monkeypatch.setattr(passwords, "HASHER", REAL)
    first, second = passwords.hashed(PASSWORD), passwords.hashed(PASSWORD)
    assert extract_parameters(first) == RFC_9106_LOW_MEMORY
    assert first != second
    assert passwords.matches(first, PASSWORD)
    assert not passwords.matches(first, PASSWORD + " ")
    assert not passwords.outdated(first)


def test_without_a_password_nothing_matches() -> None:
    """No password is accepted for an account whose stored password hash is missing or damaged."""
    for kept in (None, "", "x", "$argon2id$v=19$"):
        assert not passwords.matches(kept, PASSWORD)


def test_a_password_is_kept_anew_when_the_parameters_change(
    app: Flask, laptop: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the hashing parameters change, the next sign-in hashes the password again. Later sign-ins don't."""
    sign_up(laptop)
    old = contents(app)["account"]
    sign_in(laptop)
    assert contents(app)["account"] == old
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    sign_in(laptop)
    (new,) = contents(app)["account"]
    assert "m=16,t=2,p=1" in new
    sign_in(laptop)
    assert contents(app)["account"] == [new]
