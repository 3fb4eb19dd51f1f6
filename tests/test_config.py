"""Settings are read from environment variables and options, and invalid values are refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

from scorekeeper.config import PACKAGE, SettingsError, Wifi, from_environment
from scorekeeper.db.data_folder import read_or_make_key

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_checkout_keeps_data_in_its_own_folder() -> None:
    settings = from_environment({})
    assert settings.instance == PACKAGE.parent / "instance"
    assert settings.database_url == f"sqlite:///{PACKAGE.parent / 'instance' / 'scorekeeper.db'}"
    assert settings.secret_key is None


@pytest.mark.parametrize(
    ("environ", "folder"),
    [({"XDG_DATA_HOME": "/data"}, "/data/setback-scorekeeper"), ({}, "~/.local/share/setback-scorekeeper")],
)
def test_installed_package_uses_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environ: Mapping[str, str], folder: str
) -> None:
    monkeypatch.setattr("scorekeeper.config.PACKAGE", tmp_path / "site-packages" / "scorekeeper")
    assert from_environment(environ).instance == Path(folder).expanduser()


def test_option_overrides_the_variable(tmp_path: Path) -> None:
    environ = {"SCOREKEEPER_INSTANCE": "/elsewhere"}
    assert from_environment(environ).instance == Path("/elsewhere")
    assert from_environment(environ, instance=tmp_path).instance == tmp_path


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://ann@localhost/book", "postgresql+psycopg://ann@localhost/book"),
        ("postgresql://ann@127.0.0.1/book", "postgresql+psycopg://ann@127.0.0.1/book"),
        ("postgresql+psycopg://ann@/book?host=/run", "postgresql+psycopg://ann@/book?host=/run"),
        ("postgresql://ann@db/book?sslmode=verify-full", "postgresql+psycopg://ann@db/book?sslmode=verify-full"),
        (
            "postgresql://ann:h%40u#s/h@[::1]:5433/book?sslmode=require",
            "postgresql+psycopg://ann:h%40u#s/h@[::1]:5433/book?sslmode=require",
        ),
        ("postgresql:///book?host=/run/postgresql", "postgresql+psycopg:///book?host=/run/postgresql"),
        ("sqlite:////tmp/book.db", "sqlite:////tmp/book.db"),
        (
            "postgresql://ann:a,b@one:5433,two/book?sslmode=require",
            "postgresql+psycopg://ann:a,b@/book?host=one,two&port=5433,5432&target_session_attrs=read-write&sslmode=require",
        ),
        (
            "postgresql://[::1]:5,127.0.0.1/book?target_session_attrs=any",
            "postgresql+psycopg:///book?host=::1,127.0.0.1&port=5,5432&target_session_attrs=any",
        ),
    ],
)
def test_database_url_gets_its_driver(given: str, used: str) -> None:
    assert from_environment({"DATABASE_URL": given}).database_url == used


def test_relative_sqlite_file_is_in_the_instance(tmp_path: Path) -> None:
    settings = from_environment({"DATABASE_URL": "sqlite:///book.db"}, instance=tmp_path)
    assert settings.database_url == f"sqlite:///{tmp_path / 'book.db'}"


@pytest.mark.parametrize("name", ["100%", "a%20b", "a?b", "a#b", "Ann & Bob's"])
@pytest.mark.parametrize("given", ["", "sqlite:///scorekeeper.db"])
def test_folder_may_have_any_name(tmp_path: Path, name: str, given: str) -> None:
    settings = from_environment({"DATABASE_URL": given}, instance=tmp_path / name)
    assert make_url(settings.database_url).database == str(tmp_path / name / "scorekeeper.db")


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("SECRET_KEY", "short", "too easy to guess"),
        ("SECRET_KEY", "a" * 64, "too easy to guess"),
        ("SCOREKEEPER_PROXIES", "yes", "the number of proxies"),
        ("SCOREKEEPER_PROXIES", "-1", "the number of proxies"),
        ("SCOREKEEPER_SIGN_UP", "yes", "open or closed"),
        ("SCOREKEEPER_CONTACT", "ask Rita", "an email address"),
        ("SCOREKEEPER_CONTACT", "http://example.org/", "an email address"),
        ("SCOREKEEPER_CONTACT", "rita@example.org\nContact: x", "an email address"),
        ("SCOREKEEPER_LOG", "xml", "lines or json"),
        ("SCOREKEEPER_METRICS", "on", "must be a port"),
        ("SCOREKEEPER_METRICS", "70000", "must be a port"),
        ("SCOREKEEPER_METRICS", "http://127.0.0.1:9464", "must be a port"),
        ("SCOREKEEPER_WIFI", "W" * 33, "at most 32 bytes"),
        ("SCOREKEEPER_WIFI", "Küche" * 6, "at most 32 bytes"),
        ("SCOREKEEPER_WIFI", "Fire\nHall", "the name of a Wi-Fi"),
        ("SCOREKEEPER_WIFI_PASSWORD", "hush hush", "needs the name"),
        ("SCOREKEEPER_PUBLISH", "site --then 'git push", "no closing quotation"),
        ("SCOREKEEPER_HOSTS", "https://cards.example.org", "must be host names"),
        ("SCOREKEEPER_HOSTS", "cards.example.org:443", "must be host names"),
        ("SCOREKEEPER_HOSTS", "*.example.org", "must be host names"),
        ("SCOREKEEPER_HOSTS", "cards..example.org", "must be host names"),
        ("DATABASE_URL", "mysql://host/book", "must begin with"),
        ("DATABASE_URL", "book.db", "must begin with"),
        ("DATABASE_URL", "sqlite://", "needs a file"),
        ("DATABASE_URL", "sqlite:///:memory:", "needs a file"),
        ("DATABASE_URL", "postgresql://ann:hush@host/book", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@host/book?sslmode=prefer", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@host/book?sslmode=disable", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@/book?host=db.example", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@localhost/book?host=127.0.0.1,db.example", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@localhost/book?hostaddr=192.0.2.1", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@127.example.org/book", "sslmode=verify-full"),
        ("DATABASE_URL", "postgresql://ann:hush@host:port/book", "%40 for an @"),
        ("DATABASE_URL", "postgresql://ann:hu@sh@host/book", "%40 for an @"),
        ("DATABASE_URL", "postgresql://ann:hush@[::1/book", "%40 for an @"),
    ],
)
def test_invalid_value_is_refused(name: str, value: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why) as refused:
        from_environment({name: value})
    assert name in str(refused.value)
    assert "hush" not in str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("password", ["hush 78", "hush" * 16, "hush hüsh", "hush\nhush"])
def test_a_password_that_no_wifi_has_is_refused(password: str) -> None:
    with pytest.raises(SettingsError, match="SCOREKEEPER_WIFI_PASSWORD must have 8 to 63 characters") as refused:
        from_environment({"SCOREKEEPER_WIFI": "Hall", "SCOREKEEPER_WIFI_PASSWORD": password})
    assert "hush" not in str(refused.value)


def test_the_wifi_may_have_a_password() -> None:
    assert from_environment({}).wifi is None
    assert from_environment({"SCOREKEEPER_WIFI": " Hall "}).wifi == Wifi("Hall")
    for password in ("hush hu;", " hush hush ", "hush " * 12 + "hus"):
        settings = from_environment({"SCOREKEEPER_WIFI": "Hall", "SCOREKEEPER_WIFI_PASSWORD": password})
        assert settings.wifi == Wifi("Hall", password)
        assert "hush" not in repr(settings)


def test_proxies_are_not_trusted_by_default() -> None:
    assert from_environment({}).proxies == 0
    assert from_environment({"SCOREKEEPER_PROXIES": "2"}).proxies == 2


def test_sign_up_is_closed_by_default() -> None:
    assert not from_environment({}).sign_up
    assert not from_environment({"SCOREKEEPER_SIGN_UP": "closed"}).sign_up
    assert from_environment({"SCOREKEEPER_SIGN_UP": "open"}).sign_up


def test_host_names_are_normalized() -> None:
    assert from_environment({}).hosts == frozenset()
    given = {"SCOREKEEPER_HOSTS": "Cards.example.org, käse.example.,\n"}
    assert from_environment(given).hosts == {"cards.example.org", "xn--kse-qla.example"}


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("", None),
        ("off", None),
        ("9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:9464", ("0.0.0.0", 9464)),
        ("[::1]:9464", ("::1", 9464)),
        ("localhost:0", ("localhost", 0)),
    ],
)
def test_metrics_listen_on_this_machine_by_default(given: str, used: tuple[str, int] | None) -> None:
    assert from_environment({"SCOREKEEPER_METRICS": given}).metrics == used


def test_strong_key_is_used() -> None:
    key = "0123456789abcdef" * 2
    assert from_environment({"SECRET_KEY": key}).secret_key == key


def test_key_is_created_once_and_is_private(tmp_path: Path) -> None:
    key = read_or_make_key(tmp_path / "new")
    assert len(key) >= 60
    assert read_or_make_key(tmp_path / "new") == key
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret_key"]
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700, "the database in the folder has names and hashes"


@pytest.mark.parametrize("key", ["secret", "a" * 40])
def test_weak_key_is_refused_but_not_replaced(tmp_path: Path, key: str) -> None:
    """A weak secret key is refused but not replaced, because phones may have cookies signed with it."""
    (tmp_path / "secret_key").write_text(key)
    with pytest.raises(SettingsError, match="Put at least 32 random characters"):
        read_or_make_key(tmp_path)
    assert (tmp_path / "secret_key").read_text() == key


def test_empty_key_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("\n")
    assert len(read_or_make_key(tmp_path)) >= 60
