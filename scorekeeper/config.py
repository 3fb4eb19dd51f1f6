"""Where the data lives and what can be set, read once from the environment."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE = Path(__file__).resolve().parent

LOCK_WAIT_SECONDS = 10
"""How long a write waits for another one."""

MAX_REQUEST_BYTES = 512 * 1024
"""The largest form we take: a hand is under 1 kB, a record of a long evening under 100 kB."""

SECRET_KEY_LENGTH = 32
"""Characters a secret key has at least."""
LEAST_DIFFERENT = 8
"""So many of them are not the same."""


class OperatorError(Exception):
    """A command cannot do what it should; the message is a sentence for the person at the terminal."""


class SettingsError(OperatorError):
    """A setting cannot be used."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable of the environment, as the README's table names it."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting(
        "SCOREKEEPER_INSTANCE",
        "the checkout's `instance/`, or your data folder",
        "The folder of the database and the secret key. `--instance` goes before it.",
    ),
    Setting(
        "DATABASE_URL",
        "`scorekeeper.db` in that folder",
        "A PostgreSQL or SQLite database, as `postgresql://user:password@host/name`.",
    ),
    Setting(
        "SECRET_KEY",
        "made once, kept in that folder",
        f"Signs the cookies of the phones: {SECRET_KEY_LENGTH} characters or more.",
    ),
    Setting(
        "SCOREKEEPER_PROXIES",
        "`0`",
        "How many proxies (Caddy is one) stand before it and say who asked, and by https or not.",
    ),
    Setting(
        "SCOREKEEPER_LIMITS",
        "`on`",
        "With `off` nobody is told to wait: only for tests of load, codes can then be guessed.",
    ),
    Setting(
        "SCOREKEEPER_HOSTS",
        "none",
        "Names on the internet by which it is reached, with commas between.",
    ),
    Setting(
        "SCOREKEEPER_LOG",
        "`lines`",
        "With `json` the log is one JSON object a line.",
    ),
    Setting(
        "SCOREKEEPER_METRICS",
        "off",
        "A port of this machine, as `9464`, or `ADDRESS:PORT`, where Prometheus gets its figures.",
    ),
    Setting(
        "SCOREKEEPER_SIGN_UP",
        "`closed`",
        "With `open` anybody may make a director's account; else only `scorekeeper director add`.",
    ),
    Setting(
        "SCOREKEEPER_CONTACT",
        "none",
        "A mail address or an `https://` page: on `/privacy`, and in `/.well-known/security.txt` for weaknesses.",
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a running score book needs to know."""

    instance: Path
    """Folder of the data, absolute."""
    database_url: str
    """As SQLAlchemy takes it, driver included."""
    secret_key: str | None
    """None: the key in the instance folder."""
    proxies: int = 0
    """How many proxies are believed."""
    sign_up: bool = False
    """Whether anybody may make an account."""
    limits: bool = True
    """Whether it is counted how often something is done."""
    hosts: frozenset[str] = frozenset()
    """Names on the internet by which it is reached, in small letters."""
    json_log: bool = False
    """Whether the log is one JSON object a line."""
    metrics: tuple[str, int] | None = None
    """Address and port where the figures for Prometheus are; None: nowhere."""
    contact: str = ""
    """Where to write to, `mailto:` or `https://`; empty: nowhere."""


def from_environment(environ: Mapping[str, str] | None = None, *, instance: Path | None = None) -> Settings:
    """Return the settings of `environ` (default: the process environment); `instance` goes before the variable.

    Raises `SettingsError` where a value is unsafe or cannot be read. Makes no file and no folder.
    """
    environ = os.environ if environ is None else environ
    chosen = instance or Path(environ.get("SCOREKEEPER_INSTANCE") or default_instance(environ))
    folder = chosen.expanduser().absolute()
    return Settings(
        instance=folder,
        database_url=_database_url(environ.get("DATABASE_URL", ""), folder),
        secret_key=_secret_key(environ.get("SECRET_KEY", "")),
        proxies=_proxies(environ.get("SCOREKEEPER_PROXIES", "")),
        sign_up=_sign_up(environ.get("SCOREKEEPER_SIGN_UP", "")),
        limits=_limits(environ.get("SCOREKEEPER_LIMITS", "")),
        hosts=_hosts(environ.get("SCOREKEEPER_HOSTS", "")),
        json_log=_json_log(environ.get("SCOREKEEPER_LOG", "")),
        metrics=_metrics(environ.get("SCOREKEEPER_METRICS", "")),
        contact=_contact(environ.get("SCOREKEEPER_CONTACT", "")),
    )


def file_url(path: Path) -> str:
    """Return the address of the SQLite file at `path`, as SQLAlchemy reads it."""
    return "sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F")


def default_instance(environ: Mapping[str, str]) -> Path:
    """Return the checkout's `instance/`, or for an installed package a folder of the user's own data."""
    if (PACKAGE.parent / "pyproject.toml").is_file():
        return PACKAGE.parent / "instance"
    if os.name == "nt":
        data = environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        data = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "setback-scorekeeper"


def asset_folder(name: str) -> Path:
    """Return the folder `templates` or `static`: inside an installed package, beside the package in a checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def flask_config(settings: Settings) -> dict[str, Any]:
    """Return the Flask configuration for `settings`, all of it.

    A phone lies on the table all evening and is used again next week, so neither the session nor its form
    tokens run out; `web.origin` guards what the Referer check of Flask-WTF would.
    """
    return {
        "INSTANCE": settings.instance,
        "PROXIES": settings.proxies,
        "SIGN_UP": settings.sign_up,
        "LIMITS": settings.limits,
        "HOSTS": settings.hosts,
        "CONTACT": settings.contact,
        "SQLALCHEMY_DATABASE_URI": settings.database_url,
        "MAX_CONTENT_LENGTH": MAX_REQUEST_BYTES,
        "MAX_FORM_MEMORY_SIZE": MAX_REQUEST_BYTES,
        "PERMANENT_SESSION_LIFETIME": timedelta(days=400),
        "SESSION_COOKIE_NAME": "scorekeeper",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_SSL_STRICT": False,
    }


def is_weak(key: str) -> bool:
    """Return whether a secret key could be guessed."""
    return len(key) < SECRET_KEY_LENGTH or len(set(key)) < LEAST_DIFFERENT


def _secret_key(value: str) -> str | None:
    if not value:
        return None
    if is_weak(value):
        raise SettingsError(
            f"SECRET_KEY is too easy to guess: use {SECRET_KEY_LENGTH} random characters or more, or leave it out."
        )
    return value


def _proxies(value: str) -> int:
    if value and not re.fullmatch("[0-9]", value):
        raise SettingsError("SCOREKEEPER_PROXIES is a number: how many proxies stand before the score book, mostly 1.")
    return int(value or 0)


def _sign_up(value: str) -> bool:
    if value not in {"", "open", "closed"}:
        raise SettingsError("SCOREKEEPER_SIGN_UP is open or closed.")
    return value == "open"


def _limits(value: str) -> bool:
    if value not in {"", "on", "off"}:
        raise SettingsError("SCOREKEEPER_LIMITS is on or off.")
    return value != "off"


def _hosts(value: str) -> frozenset[str]:
    names = [name.rstrip(".").lower() for name in re.split(r"[\s,]+", value) if name]
    for name in names:
        try:
            plain = name.encode("idna").decode()
        except UnicodeError:
            plain = ""
        if not re.fullmatch(r"[a-z0-9.-]+", plain):
            raise SettingsError(
                "SCOREKEEPER_HOSTS holds names alone, with commas between and without https:// or a port, "
                "for example cards.example.org."
            )
    return frozenset(name.encode("idna").decode() for name in names)


def _json_log(value: str) -> bool:
    if value not in {"", "lines", "json"}:
        raise SettingsError("SCOREKEEPER_LOG is lines or json.")
    return value == "json"


def _metrics(value: str) -> tuple[str, int] | None:
    if value in {"", "off"}:
        return None
    found = re.fullmatch(r"(?:(?P<host>[^\s:]+|\[[0-9A-Fa-f:]+\]):)?(?P<port>[0-9]{1,5})", value)
    if found is None or int(found["port"]) > 65535:
        raise SettingsError(
            "SCOREKEEPER_METRICS is a port, for example 9464, or an address and a port, as 127.0.0.1:9464."
        )
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


def _contact(value: str) -> str:
    if re.fullmatch(r"[!-?A-~]+@[a-zA-Z0-9.-]+", value):
        return f"mailto:{value}"
    if value and not re.fullmatch(r"https://[!-~]+", value):
        raise SettingsError(
            "SCOREKEEPER_CONTACT is a mail address, or the address of a page that begins with https://."
        )
    return value


def _database_url(value: str, folder: Path) -> str:
    if not value:
        return file_url(folder / "scorekeeper.db")
    scheme, separator, rest = value.partition("://")
    drivers = {"sqlite": "sqlite", "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
    drivers["postgresql+psycopg"] = drivers["postgresql"]
    if not separator or scheme not in drivers:
        raise SettingsError(
            "DATABASE_URL must begin with postgresql:// or sqlite:///, for example postgresql://user:password@host/name."
        )
    if scheme == "sqlite" and rest.strip("/") in {"", ":memory:"}:
        raise SettingsError(
            "DATABASE_URL names no file: a score book in memory would be lost, use sqlite:////path/to/file.db."
        )
    if scheme == "sqlite" and not Path(rest.removeprefix("/")).is_absolute():
        return f"{file_url(folder)}/{rest.removeprefix('/')}"
    return _readable(f"{drivers[scheme]}://{rest}")


def _readable(url: str) -> str:
    from sqlalchemy import make_url  # here, for scoring at the terminal does without
    from sqlalchemy.exc import ArgumentError

    try:
        host = make_url(url).host or ""
    except (ArgumentError, ValueError):  # a port that is no number, brackets that do not close
        host = "@"
    if "@" in host:  # the rest of a password: what follows its first @ would stand in every message
        raise SettingsError(
            "DATABASE_URL cannot be read: write it as postgresql://user:password@host:5432/name, with %40 for an @ in "
            "the password."
        ) from None
    if is_elsewhere(url) and make_url(url).query.get("sslmode") not in {"require", "verify-ca", "verify-full"}:
        raise SettingsError(
            "DATABASE_URL is of a PostgreSQL on another machine, where everybody on the way could read and change what "
            "is sent: add ?sslmode=verify-full (?sslmode=require, where its certificate cannot be checked)."
        )
    return url


def is_elsewhere(database_url: str) -> bool:
    """Return whether the database is PostgreSQL on another machine."""
    from sqlalchemy import make_url

    url = make_url(database_url)
    if url.get_backend_name() != "postgresql":
        return False
    told = [url.query.get("host") or url.host or "", url.query.get("hostaddr", "")]
    hosts = [host for each in told for host in (each if isinstance(each, tuple) else each.split(","))]
    return any(host and not host.startswith("/") and not is_of_this_machine(host) for host in hosts)


def is_of_this_machine(host: str) -> bool:
    """Return whether only this machine reaches `host`."""
    return re.fullmatch(r"127(\.[0-9]+){3}|::1|localhost", host) is not None
