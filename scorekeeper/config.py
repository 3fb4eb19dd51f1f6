"""Read the settings once, from environment variables."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

PACKAGE = Path(__file__).resolve().parent

LOCK_WAIT_SECONDS = 10
"""Longest time that a write waits for another write to finish."""

MAX_REQUEST_BYTES = 512 * 1024
"""Largest request, except for uploads. A hand has less than 1 kB, a record of a long evening less than 100 kB."""
MAX_UPLOAD_BYTES = 8_000_000
"""Largest file: a whole league, a home table or a spreadsheet to import, or a photo."""
UPLOADS = re.compile(
    r"/leagues/import|/table/import|/leagues/[^/]+/people/import|/seasons/[^/]+/results/import|/.+/photo"
)
"""Addresses that take such a file. A new one that takes a photo ends in "/photo"."""
AROUND_A_FILE = 4096
"""Bytes that a request with an upload may have in addition to the file."""

SECRET_KEY_LENGTH = 32
"""Fewest characters that a secret key may have."""
WIFI_NAME_BYTES = 32
"""Most bytes in the name of a Wi-Fi network (IEEE 802.11)."""
WIFI_PASSWORD_LENGTHS = range(8, 64)
"""How many characters the password of a Wi-Fi network may have (WPA)."""
LEAST_DIFFERENT = 8
"""Fewest different characters that a secret key may have."""


class OperatorError(Exception):
    """A command failed. The message is printed for the person at the terminal."""


class SettingsError(OperatorError):
    """A setting is invalid or unsafe."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """The Wi-Fi network of the phones in the hall."""

    name: str
    password: str = field(default="", repr=False)
    """Empty if the table cards don't show it; then they have no code to join the network."""


class Settings(Struct, frozen=True):
    """All settings of a running server."""

    instance: Path
    """Absolute path of the data folder."""
    database_url: str
    """URL of the database for SQLAlchemy, including the driver."""
    secret_key: str | None
    """Key that signs cookies and links; None to use the key in the instance folder."""
    proxies: int = 0
    """Number of trusted proxies in front of the server."""
    sign_up: bool = False
    """True if anyone may create an account."""
    limits: bool = True
    """False to switch off rate limits."""
    hosts: frozenset[str] = frozenset()
    """Names of this server on the internet, in lower case."""
    json_log: bool = False
    """True to log one JSON object per line."""
    metrics: tuple[str, int] | None = None
    """Address and port of the Prometheus metrics, None for no metrics."""
    contact: str = ""
    """URL for questions about privacy and security, `mailto:` or `https://`, or empty."""
    wifi: Wifi | None = None
    """The Wi-Fi where the games are played, None if the table cards don't show it."""
    publish: tuple[str, ...] = ()
    """Arguments of `scorekeeper publish` when a night closes: a folder and options. Empty if nothing is published."""


def from_environment(environ: Mapping[str, str] | None = None, *, instance: Path | None = None) -> Settings:
    """Return the settings from the environment variables in `environ`, by default those of this process.

    `instance` is the data folder. If `instance` is None, the variable `SCOREKEEPER_INSTANCE` names the folder. No files
    or folders are created. Raises `SettingsError` for an invalid or unsafe value.
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
        wifi=_wifi(environ.get("SCOREKEEPER_WIFI", "").strip(), environ.get("SCOREKEEPER_WIFI_PASSWORD", "")),
        publish=_publish(environ.get("SCOREKEEPER_PUBLISH", "")),
    )


def file_url(path: Path) -> str:
    """Return the SQLAlchemy URL of the SQLite file at `path`."""
    return "sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F")


def default_instance(environ: Mapping[str, str]) -> Path:
    """Return the default data folder: `instance/` in a checkout, or the user's data folder for an installed package."""
    if (PACKAGE.parent / "pyproject.toml").is_file():
        return PACKAGE.parent / "instance"
    if os.name == "nt":
        data = environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        data = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "setback-scorekeeper"


def asset_folder(name: str) -> Path:
    """Return the path of the folder called `name`, which is "templates" or "static".

    In an installed package, the folder is inside the package. In a checkout, the folder is next to the package.
    """
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def flask_config(settings: Settings) -> dict[str, Any]:
    """Return the complete Flask configuration for `settings`.

    Sessions last for over a year, and form tokens don't expire. A phone may show the same page all evening, and may be
    used again only weeks later. The Referer check of Flask-WTF is turned off, because `web.origin` replaces it.
    """
    return {
        "INSTANCE": settings.instance,
        "PROXIES": settings.proxies,
        "SIGN_UP": settings.sign_up,
        "LIMITS": settings.limits,
        "HOSTS": settings.hosts,
        "CONTACT": settings.contact,
        "WIFI": settings.wifi,
        "PUBLISH": settings.publish,
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
    """Return whether the secret key `key` could be guessed.

    A weak key is too short, or has too few different characters.
    """
    return len(key) < SECRET_KEY_LENGTH or len(set(key)) < LEAST_DIFFERENT


def _secret_key(value: str) -> str | None:
    if not value:
        return None
    if is_weak(value):
        raise SettingsError(
            f"SECRET_KEY is too easy to guess. Use at least {SECRET_KEY_LENGTH} random characters, or leave it out."
        )
    return value


def _proxies(value: str) -> int:
    if value and not re.fullmatch("[0-9]", value):
        raise SettingsError("SCOREKEEPER_PROXIES must be the number of proxies in front of the server, usually 1.")
    return int(value or 0)


def _sign_up(value: str) -> bool:
    if value not in {"", "open", "closed"}:
        raise SettingsError("SCOREKEEPER_SIGN_UP must be open or closed.")
    return value == "open"


def _limits(value: str) -> bool:
    if value not in {"", "on", "off"}:
        raise SettingsError("SCOREKEEPER_LIMITS must be on or off.")
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
                "SCOREKEEPER_HOSTS must be host names separated by commas, without https:// or a port, "
                "for example cards.example.org."
            )
    return frozenset(name.encode("idna").decode() for name in names)


def _json_log(value: str) -> bool:
    if value not in {"", "lines", "json"}:
        raise SettingsError("SCOREKEEPER_LOG must be lines or json.")
    return value == "json"


def _metrics(value: str) -> tuple[str, int] | None:
    if value in {"", "off"}:
        return None
    found = re.fullmatch(r"(?:(?P<host>[^\s:]+|\[[0-9A-Fa-f:]+\]):)?(?P<port>[0-9]{1,5})", value)
    if found is None or int(found["port"]) > 65535:
        raise SettingsError(
            "SCOREKEEPER_METRICS must be a port like 9464, or an address and a port like 127.0.0.1:9464."
        )
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


def _contact(value: str) -> str:
    if re.fullmatch(r"[!-?A-~]+@[a-zA-Z0-9.-]+", value):
        return f"mailto:{value}"
    if value and not re.fullmatch(r"https://[!-~]+", value):
        raise SettingsError("SCOREKEEPER_CONTACT must be an email address or a page that starts with https://.")
    return value


def _wifi(name: str, password: str) -> Wifi | None:
    least, most = WIFI_PASSWORD_LENGTHS[0], WIFI_PASSWORD_LENGTHS[-1]
    if password and not name:
        raise SettingsError("SCOREKEEPER_WIFI_PASSWORD needs the name of its Wi-Fi in SCOREKEEPER_WIFI.")
    if not name.isprintable() or len(name.encode()) > WIFI_NAME_BYTES:
        raise SettingsError(f"SCOREKEEPER_WIFI must be the name of a Wi-Fi, which has at most {WIFI_NAME_BYTES} bytes.")
    if password and not re.fullmatch(f"[ -~]{{{least},{most}}}", password):
        raise SettingsError(
            f"SCOREKEEPER_WIFI_PASSWORD must have {least} to {most} characters: letters without accents, digits, "
            "spaces and signs of an English keyboard."
        )
    return Wifi(name, password) if name else None


def _publish(value: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(value))
    except ValueError as error:
        raise SettingsError(f"SCOREKEEPER_PUBLISH can't be read: {str(error).lower()}.") from error


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
            "DATABASE_URL needs a file, because a database in memory would be lost. Use sqlite:////path/to/file.db."
        )
    if scheme == "sqlite" and not Path(rest.removeprefix("/")).is_absolute():
        return f"{file_url(folder)}/{rest.removeprefix('/')}"
    return _readable(f"{drivers[scheme]}://{rest if scheme == 'sqlite' else _with_one_host(rest)}")


def _with_one_host(rest: str) -> str:
    """Return part of a PostgreSQL URL, with the hosts moved to the query if there are several hosts.

    `rest` is the part of the URL after "scheme://". SQLAlchemy accepts several hosts only in the query. PostgreSQL's
    driver then connects to the host that accepts writes. If there is only one host, `rest` is returned unchanged.
    """
    found = re.fullmatch(r"(?P<user>.*@)?(?P<hosts>[^@/?]+,[^@/?]+)(?P<path>/[^?]*)?(\?(?P<query>.*))?", rest)
    if found is None:
        return rest
    pairs = [re.fullmatch(r"(?P<host>\[.*\]|[^:]*)(:(?P<port>[0-9]*))?", each) for each in found["hosts"].split(",")]
    if not all(pairs):
        return rest
    hosts = ",".join(pair["host"].strip("[]") for pair in pairs if pair)
    ports = ",".join(pair["port"] or "5432" for pair in pairs if pair)
    query = found["query"] or ""
    if "target_session_attrs=" not in query:
        query = f"target_session_attrs=read-write&{query}".rstrip("&")
    return f"{found['user'] or ''}{found['path'] or '/'}?host={hosts}&port={ports}&{query}"


def _readable(url: str) -> str:
    from sqlalchemy import make_url  # imported here so that scoring at the terminal starts without it
    from sqlalchemy.exc import ArgumentError

    try:
        host = make_url(url).host or ""
    except (ArgumentError, ValueError):  # for example an invalid port or an open bracket
        host = "@"
    if "@" in host:  # part of a password with an @, which every message would show
        raise SettingsError(
            "DATABASE_URL is invalid. Write it as postgresql://user:password@host:5432/name, with %40 for an @ in the "
            "password."
        ) from None
    if is_elsewhere(url) and make_url(url).query.get("sslmode") not in {"require", "verify-ca", "verify-full"}:
        raise SettingsError(
            "DATABASE_URL is a PostgreSQL on another machine, where anyone on the network could read or change data. "
            "Add ?sslmode=verify-full, or ?sslmode=require if its certificate can't be checked."
        )
    return url


def is_elsewhere(database_url: str) -> bool:
    """Return True if the database is PostgreSQL on another machine."""
    from sqlalchemy import make_url

    url = make_url(database_url)
    if url.get_backend_name() != "postgresql":
        return False
    told = [url.query.get("host") or url.host or "", url.query.get("hostaddr", "")]
    hosts = [host for each in told for host in (each if isinstance(each, tuple) else each.split(","))]
    return any(host and not host.startswith("/") and not is_of_this_machine(host) for host in hosts)


def is_of_this_machine(host: str) -> bool:
    """Return True if `host` is "localhost" or a loopback address."""
    return re.fullmatch(r"127(\.[0-9]+){3}|::1|localhost", host) is not None
