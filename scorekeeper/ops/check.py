"""Check the settings, database, logs, disk, backups, clock and HTTPS. Report what to fix, without changing anything.

Check the server from outside, with one request for `/readyz`, just as a phone would reach it.
"""

import os
import shutil
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from msgspec import Struct
from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.config import PACKAGE, Settings, SettingsError, is_elsewhere, is_of_this_machine
from scorekeeper.db.data_folder import kept_key
from scorekeeper.db.database import connect_args
from scorekeeper.db.outages import newest_revision
from scorekeeper.ops.backup.copying import SIDE_FILES, BackupError, version_of
from scorekeeper.ops.backup.schedule import (
    backup_folder,
    backups_in,
    backups_until,
    database_of,
    ending_of,
    engine_of,
    made_at,
)
from scorekeeper.ops.boot import is_gone
from scorekeeper.ops.health import LEAST_FREE_BYTES, can_write, data_folders
from scorekeeper.ops.inspection import BootError, faults, name_of, refuse_foreign_database
from scorekeeper.web.headers import is_of_a_house
from scorekeeper.web.headers import name_of as host_name_of

BACKUP_AGE = timedelta(days=2)
"""The check advises a new backup if the newest one is older than this."""
CLOCK_SLACK = timedelta(seconds=30)
"""The check ignores errors of a clock up to this size."""
RENEWAL = timedelta(days=60)
"""The check warns if the certificate authority that `--tls` made expires within this time.

The check warns early because each phone must then trust a new certificate authority.
"""
TOO_OLD = (
    "pg_dump is version {ours}, but PostgreSQL is {theirs}, so no backup can be made. Install its client of version "
    "{theirs} or later."
)
MOST_FAULTS = 5
"""Maximum number of faults in event logs that are listed."""


class Kind(Enum):
    """How serious a finding is. The value of the kind is printed in front of the finding."""

    WELL = "ok"
    ADVICE = "advice"
    WRONG = "WRONG"


class Finding(Struct, frozen=True):
    """One result of the check. `what` names the part that was checked."""

    kind: Kind
    what: str
    says: str
    """Result in one line; for a fault or advice, with what to do about it."""


def well(what: str, says: str) -> Finding:
    """Return a finding that all is well. `what` names the part that was checked, and `says` has the details."""
    return Finding(Kind.WELL, what, says)


def advice(what: str, says: str) -> Finding:
    """Return a finding with advice. `what` names the part that was checked, and `says` has the advice."""
    return Finding(Kind.ADVICE, what, says)


def wrong(what: str, says: str) -> Finding:
    """Return a finding about a fault. `what` names the part that was checked, and `says` describes the fault."""
    return Finding(Kind.WRONG, what, says)


def findings(settings: Settings, now: datetime | None = None) -> Iterator[Finding]:
    """Yield the results of all checks, in the order in which to fix problems. `now` is the current time by default."""
    now = now or datetime.now(UTC)
    closed = sorted(folder for folder in data_folders(settings.instance, settings.database_url) if is_closed(folder))
    if closed:
        # Nothing below can be checked from here.
        yield wrong("configuration", f"You can't open {closed[0]}. Run this as the user who owns it.")
        return
    yield from configuration(settings)
    revision = None
    try:
        revision = refuse_foreign_database(settings.database_url)
    except BootError as error:
        yield wrong("database", str(error))
    else:
        yield database(settings, revision)
    if revision:
        yield migrations(revision)
    if revision == newest_revision():
        yield from logs(settings)
    yield from disk(settings)
    yield backups(settings, now)
    yield from dump_program(settings)
    yield clock(settings, now, has_log=bool(revision))
    yield from https(settings, now)


def configuration(settings: Settings) -> Iterator[Finding]:
    """Yield findings about the settings, and about files that other users must not read."""
    key = settings.instance / "secret_key"
    # os.path: a file in a folder that we can't open counts as missing, not as an error.
    kept = [file for file in (key, settings.instance / "tls" / "ca.key") if os.path.isfile(file)]  # noqa: PTH113
    exposed = [file for file in (*kept, *databases(settings)) if is_exposed(file)]
    for file in exposed:
        yield wrong("configuration", f"Other users of this machine can read {file}. Run: chmod 600 {file}")
    unread = [file for file in kept if not os.access(file, os.R_OK)]
    for file in unread:
        yield wrong("configuration", f"You can't read {file}. Check who owns it.")
    weak = "" if unread or settings.secret_key else why_weak(settings.instance)
    if weak:
        yield wrong("configuration", weak)
    if not settings.limits:
        yield wrong("configuration", "Rate limits are off, so codes can be guessed. Unset SCOREKEEPER_LIMITS.")
    if settings.metrics and not is_of_this_machine(settings.metrics[0]):
        host, port = settings.metrics
        yield advice(
            "configuration", f"Anyone who can reach port {port} of {host} sees the metrics. Close it to others."
        )
    if is_overheard(settings.database_url):
        yield advice(
            "configuration",
            "The database is on another machine, and its identity isn't checked. Add ?sslmode=verify-full.",
        )
    if settings.wifi and settings.wifi.password and settings.hosts:
        yield advice(
            "configuration",
            "Anyone on the internet can create a league here and read the Wi-Fi's password on its table cards. Unset "
            "SCOREKEEPER_WIFI_PASSWORD, or set it only on the hall's own server.",
        )
    if not exposed and not unread and not weak and settings.limits:
        yield well("configuration", f"the data is in {settings.instance}")


def databases(settings: Settings) -> list[Path]:
    """Return the paths of the SQLite database and its side files if other users can open their folder, otherwise []."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite":
        return []
    file = Path(str(url.database))
    there = [file.with_name(file.name + ending) for ending in ("", *SIDE_FILES)]
    return [path for path in there if path.is_file() and path.parent.stat().st_mode & 0o011]


def is_closed(folder: Path) -> bool:
    """Return whether this user isn't allowed to open `folder`.

    If the folder seems to be missing, its nearest existing parent is checked.
    """
    there = next((path for path in (folder, *folder.parents) if os.path.isdir(path)), folder)  # noqa: PTH112
    return not os.access(there, os.R_OK | os.X_OK if there == folder else os.X_OK)


def why_weak(folder: Path) -> str:
    """Return a sentence that says why the secret key in `folder` is weak, or "" if it is good or missing."""
    try:
        kept_key(folder)
    except SettingsError as error:
        return str(error)
    except OSError:
        return ""  # a folder that we can't open
    return ""


def is_exposed(file: Path) -> bool:
    """Return whether anyone other than the owner has access to `file`."""
    return bool(file.stat().st_mode & 0o077)


def is_overheard(database_url: str) -> bool:
    """Return whether PostgreSQL is on another machine and its TLS certificate isn't verified."""
    return is_elsewhere(database_url) and make_url(database_url).query.get("sslmode") != "verify-full"


def database(settings: Settings, revision: str) -> Finding:
    """Return a finding about the database. `revision` is its schema revision.

    `revision` is "" if the database doesn't exist yet or has disappeared.
    """
    url = make_url(settings.database_url)
    place = name_of(url)
    if not revision and is_gone(settings):
        return wrong(
            "database",
            f'There is a key, but no {place}. If the server is still running, leave it running and read "The database '
            'file is gone" in scorekeeper/server/OPERATING.md. Otherwise put it back, or run scorekeeper restore.',
        )
    return well("database", f"{place} answers" if revision else f"{place} will be made at the first start")


def migrations(revision: str) -> Finding:
    """Return a finding about whether the database has the schema of this version. `revision` is its schema revision."""
    if revision == newest_revision():
        return well("migrations", f"the database has this version ({revision})")
    return wrong(
        "migrations",
        f"The database is at {revision}, but this version needs {newest_revision()}. Restart the server to upgrade it.",
    )


def logs(settings: Settings) -> Iterator[Finding]:
    """Yield findings about the event logs of games and leagues.

    Each log must be complete, protected against changes, and able to be replayed.
    """
    url = settings.database_url
    engine = create_engine(url, poolclass=NullPool, **one_moment(url))
    try:
        with engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")
            found = list(islice(faults(connection), MOST_FAULTS + 1))
            count = connection.execute(text("SELECT count(*) FROM game")).scalar_one()
    except DBAPIError as error:
        yield wrong("logs", f"The logs can't be read: {str(error.orig).splitlines()[0].rstrip('.')}.")
        return
    for fault in found[:MOST_FAULTS]:
        yield wrong("logs", f"{fault} Restore a backup with scorekeeper restore, or find out who changed it.")
    if len(found) > MOST_FAULTS:
        yield wrong("logs", "There are more like these.")
    if not found:
        yield well("logs", f"{count:,} games can be replayed, and their logs can't be changed")


def one_moment(url: str) -> dict[str, Any]:
    """Return arguments for `create_engine`, so that all queries of a transaction see the database at one moment."""
    moment = {} if url.startswith("sqlite") else {"isolation_level": "REPEATABLE READ"}
    return {"connect_args": connect_args(url), **moment}


def disk(settings: Settings) -> Iterator[Finding]:
    """Yield findings about free space, and about folders that can't be written to."""
    for folder in sorted(data_folders(settings.instance, settings.database_url)):
        if not folder.is_dir():
            yield advice("disk", f"{folder} doesn't exist yet. The first start makes it.")
        elif not can_write(folder):
            yield wrong("disk", f"Can't write to {folder}. Check who owns it, and whether the disk is full.")
        elif (free := shutil.disk_usage(folder).free) < LEAST_FREE_BYTES:
            yield wrong("disk", f"Only {free // 2**20} MB are free in {folder}. Make room.")
        else:
            yield well("disk", f"{free // 2**20:,} MB are free in {folder}")


def backups(settings: Settings, now: datetime) -> Finding:
    """Return a finding about the age of the newest backup. Backups with a time in the future are ignored."""
    folder = backup_folder(settings)
    if is_closed(folder):
        return advice("backup", f"You can't open {folder}. Run this as the user who owns it.")
    ending = ending_of(database_of(settings.database_url))
    found = backups_until(now, folder, ending)
    if not found and backups_in(folder, ending):
        return advice("backup", "All are dated in the future. Check the clock, then make one with scorekeeper backup.")
    if not found:
        return advice(
            "backup", "There is none. scorekeeper backup makes one; --backup-every 6 makes one every six hours."
        )
    made = made_at(found[-1])
    if now - made > BACKUP_AGE:
        return advice("backup", f"The newest is from {made:%Y-%m-%d}. Make one with scorekeeper backup.")
    return well("backup", f"the newest is from {made:%Y-%m-%d %H:%M} UTC")


def dump_program(settings: Settings) -> Iterator[Finding]:
    """Yield a finding if pg_dump or pg_restore is missing, or older than the PostgreSQL server.

    Backups of PostgreSQL need these programs.
    """
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        return
    try:
        ours = min(version_of("pg_dump"), version_of("pg_restore"))
        with engine_of(url).connect() as connection:
            theirs = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
    except BackupError as error:
        yield advice("backup", f"{error} Without it no backup and no upgrade can be made.")
    except DBAPIError:
        return  # the finding about the database says so
    else:
        if ours < theirs:
            yield advice("backup", TOO_OLD.format(ours=ours, theirs=theirs))


def clock(settings: Settings, now: datetime, *, has_log: bool) -> Finding:
    """Return a finding about this computer's clock. `now` is the time that it shows.

    The clock is wrong if its time is before the time at which the files of this program were saved. With `has_log`,
    it is also wrong if its time is before the newest game event.
    """
    latest = datetime.fromtimestamp((PACKAGE / "__init__.py").stat().st_mtime, UTC)
    if has_log:
        try:
            latest = max(latest, newest_entry(settings))
        except DBAPIError as error:
            return wrong("clock", f"The games' log can't be read: {str(error.orig).splitlines()[0].rstrip('.')}.")
    if latest - now > CLOCK_SLACK:
        return wrong(
            "clock", f"It says {now:%Y-%m-%d %H:%M} UTC, but the newest data is from {latest:%Y-%m-%d %H:%M}. Set it."
        )
    return well("clock", f"{now:%Y-%m-%d %H:%M} UTC")


def newest_entry(settings: Settings) -> datetime:
    """Return the time of the newest game event. If PostgreSQL's clock shows a later time, return that time instead.

    The time is in UTC. A SQLite database without events gives the year 1. Raises `DBAPIError`.
    """
    url = settings.database_url
    moments = ["SELECT max(received_at) FROM game_event"]
    if not url.startswith("sqlite"):
        moments.append("SELECT now()")
    engine = create_engine(url, poolclass=NullPool, connect_args=connect_args(url))
    found = [datetime.min.replace(tzinfo=UTC)]
    with engine.connect() as connection:
        for statement in moments:
            moment = connection.execute(text(statement)).scalar()
            if moment is not None:
                given = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
                found.append(given if given.tzinfo else given.replace(tzinfo=UTC))
    return max(found)


def https(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Yield findings about HTTPS, from the settings and the data folder."""
    named = sorted(name for name in settings.hosts if not is_of_a_house(name))
    authority = settings.instance / "tls" / "ca.crt"
    if named and not settings.proxies:
        yield wrong(
            "HTTPS",
            f"Cookies of phones that use {named[0]} aren't limited to https. Put Caddy in front of the server and set "
            "SCOREKEEPER_PROXIES=1.",
        )
    elif settings.proxies and not named:
        yield advice(
            "HTTPS",
            "Through the proxy, under house names only. For an internet name, set SCOREKEEPER_HOSTS.",
        )
    elif named:
        yield well("HTTPS", f"through the proxy, as {', '.join(named)}; --url https://{named[0]}/ tests it")
    if authority.is_file():
        yield certificate(authority, now)
    elif not named and not settings.proxies:
        yield advice(
            "HTTPS", "On plain http phones can't keep their screen on. Start with --lan --tls, or put Caddy in front."
        )


def certificate(file: Path, now: datetime) -> Finding:
    """Return a finding about when the certificate authority that `--tls` made expires. `file` has its certificate."""
    from cryptography import x509

    try:
        until = x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc
    except ValueError:
        return wrong("HTTPS", f"{file} is damaged. Remove {file.parent}; then phones must trust a new certificate.")
    if until - now < RENEWAL:
        return advice(
            "HTTPS", f"Phones trust this server until {until:%Y-%m-%d}. After that, each must trust a new certificate."
        )
    return well("HTTPS", f"phones trust this server until {until:%Y-%m-%d}")


SECONDS = 10


def seen_from_outside(url: str, now: datetime | None = None) -> Iterator[Finding]:
    """Make one request to the server at `url`, and yield findings about the response.

    `url` is an address such as "https://cards.example.org/". `now` is the current time by default.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        yield wrong("outside", f"{url} isn't an address. Write it as https://cards.example.org/")
        return
    try:
        with urlopen(Request(f"{parts.scheme}://{parts.netloc}/readyz"), timeout=SECONDS) as answer:  # noqa: S310  http alone
            status, headers, said = (
                answer.status,
                dict(answer.headers.items()),
                answer.read(4096).decode("utf-8", "replace"),
            )
    except HTTPError as error:
        yield _refused(url, error)
        return
    except (URLError, OSError) as error:
        yield _unreached(url, getattr(error, "reason", error))
        return
    if status != 200 or "database: ok" not in said:
        yield wrong("outside", f"The server at {url} isn't Scorekeeper. Check where the proxy leads.")
        return
    yield well("outside", f"{url} answers")
    yield from _headers(parts.scheme, host_name_of(parts.netloc), headers, now or datetime.now(UTC))


def _headers(scheme: str, name: str, headers: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    if scheme == "http" and not is_of_a_house(name):
        yield wrong(
            "outside", f"{name} answers without encryption. Let the proxy redirect http to https, as Caddy does."
        )
    if scheme == "https" and not is_of_a_house(name) and "Strict-Transport-Security" not in headers:
        yield advice("outside", f"Browsers aren't told to stay with https. Is {name} in SCOREKEEPER_HOSTS?")
    date = headers.get("Date")
    apart = abs(parsedate_to_datetime(date) - now) if date else timedelta(0)
    if apart > CLOCK_SLACK:
        yield wrong("outside", f"Its clock and this machine's are {apart.total_seconds():.0f} seconds apart. Set them.")


def _refused(url: str, error: HTTPError) -> Finding:
    with error:
        said = error.read(4096).decode("utf-8", "replace")
    if error.code == 503 and "failed" in said:
        return wrong("outside", f"{url} answers, but reports a problem ({', '.join(said.split(chr(10))).strip(', ')}).")
    if error.code == 400:
        return wrong("outside", f"The server doesn't accept the name in {url}. Add it to SCOREKEEPER_HOSTS.")
    return wrong("outside", f"{url} answers {error.code}. Check the proxy's log.")


def _unreached(url: str, reason: object) -> Finding:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return wrong("outside", f"The certificate of {url} isn't trusted here: {reason.verify_message.rstrip('.')}.")
    return wrong("outside", f"Nothing answers at {url} ({reason}). Are the server and the proxy running?")
