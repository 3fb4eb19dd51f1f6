"""Check settings, database, logs, disk, backups, clock and HTTPS, and advise; change nothing."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.config import PACKAGE, SettingsError, is_elsewhere, is_of_this_machine
from scorekeeper.db.database import connect_args
from scorekeeper.db.schema_version import newest_revision
from scorekeeper.db.secret_key import kept_key
from scorekeeper.ops.backup.copying import SIDE_FILES, backups_in, made_at
from scorekeeper.ops.backup.locations import backup_folder
from scorekeeper.ops.boot import is_gone
from scorekeeper.ops.event_log_check import faults
from scorekeeper.ops.health import LEAST_FREE_BYTES, can_write, data_folders
from scorekeeper.ops.inspection import BootError, name_of, refuse_foreign_database
from scorekeeper.web.hosts import is_of_a_house

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.config import Settings

BACKUP_AGE = timedelta(days=2)
"""How old the newest backup may be."""
CLOCK_SLACK = timedelta(seconds=30)
"""How wrong a clock may be before anyone notices."""
RENEWAL = timedelta(days=60)
"""How long before the house's certificate authority expires to say so: each phone must trust a new one then."""


MOST_FAULTS = 5
"""How many faults in logs are named."""


class Kind(Enum):
    """The kind of a finding; the value is printed in front of it."""

    WELL = "ok"
    ADVICE = "advice"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of the check."""

    kind: Kind
    what: str
    says: str
    """One line; if something is wrong, with what to do about it."""


def well(what: str, says: str) -> Finding:
    """Return a finding that something is fine."""
    return Finding(Kind.WELL, what, says)


def advice(what: str, says: str) -> Finding:
    """Return a finding with advice."""
    return Finding(Kind.ADVICE, what, says)


def wrong(what: str, says: str) -> Finding:
    """Return a finding that something is wrong."""
    return Finding(Kind.WRONG, what, says)


def findings(settings: Settings, now: datetime | None = None) -> Iterator[Finding]:
    """Yield all findings, in the order in which to fix them."""
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
    yield from disk(settings, now)
    yield clock(settings, now, has_log=bool(revision))
    yield from https(settings, now)


def configuration(settings: Settings) -> Iterator[Finding]:
    """Yield findings about the settings and the files beside the database."""
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
    if not exposed and not unread and not weak and settings.limits:
        yield well("configuration", f"the data is in {settings.instance}")


def databases(settings: Settings) -> list[Path]:
    """Return the SQLite database and its side files if other users can open its folder, else an empty list."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite":
        return []
    file = Path(str(url.database))
    there = [file.with_name(file.name + ending) for ending in ("", *SIDE_FILES)]
    return [path for path in there if path.is_file() and path.parent.stat().st_mode & 0o011]


def is_closed(folder: Path) -> bool:
    """Return whether we may not open `folder` or, if it seems missing, its nearest existing parent."""
    there = next((path for path in (folder, *folder.parents) if os.path.isdir(path)), folder)  # noqa: PTH112
    return not os.access(there, os.R_OK | os.X_OK if there == folder else os.X_OK)


def why_weak(folder: Path) -> str:
    """Return the weakness of the key in `folder`; "" if it is good or missing."""
    try:
        kept_key(folder)
    except SettingsError as error:
        return str(error)
    except OSError:
        return ""  # a folder that we can't open
    return ""


def is_exposed(file: Path) -> bool:
    """Return whether anyone but the owner can read `file`."""
    return bool(file.stat().st_mode & 0o077)


def is_overheard(database_url: str) -> bool:
    """Return whether PostgreSQL is on another machine and its connection isn't protected by verified TLS."""
    return is_elsewhere(database_url) and make_url(database_url).query.get("sslmode") != "verify-full"


def database(settings: Settings, revision: str) -> Finding:
    """Return a finding about a database that answered; `revision` is "" if it has none yet, or it is gone."""
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
    """Return a finding that says whether the database, which is at `revision`, has all migrations."""
    if revision == newest_revision():
        return well("migrations", f"the database has this version ({revision})")
    return wrong(
        "migrations",
        f"The database is at {revision}, but this version needs {newest_revision()}. Restart the server to upgrade it.",
    )


def logs(settings: Settings) -> Iterator[Finding]:
    """Yield findings about the logs of all games and leagues: complete, guarded, and replayable."""
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
    """Return engine options with which each connection reads a snapshot of the database at `url`."""
    moment = {} if url.startswith("sqlite") else {"isolation_level": "REPEATABLE READ"}
    return {"connect_args": connect_args(url), **moment}


def disk(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Yield findings about free space and the age of the newest backup."""
    url = make_url(settings.database_url)
    for folder in sorted(data_folders(settings.instance, settings.database_url)):
        if not folder.is_dir():
            yield advice("disk", f"{folder} doesn't exist yet. The first start makes it.")
        elif not can_write(folder):
            yield wrong("disk", f"Can't write to {folder}. Check who owns it, and whether the disk is full.")
        elif (free := shutil.disk_usage(folder).free) < LEAST_FREE_BYTES:
            yield wrong("disk", f"Only {free // 2**20} MB are free in {folder}. Make room.")
        else:
            yield well("disk", f"{free // 2**20:,} MB are free in {folder}")
    if url.get_backend_name() != "sqlite":
        return
    folder = backup_folder(settings)
    if is_closed(folder):
        yield advice("backup", f"You can't open {folder}. Run this as the user who owns it.")
        return
    made = [made_at(path) for path in backups_in(folder)]
    if not made:
        yield advice(
            "backup", "There is none. scorekeeper backup makes one; --backup-every 6 makes one every six hours."
        )
    elif now - made[-1] > BACKUP_AGE:
        yield advice("backup", f"The newest is from {made[-1]:%Y-%m-%d}. Make one with scorekeeper backup.")
    else:
        yield well("backup", f"the newest is from {made[-1]:%Y-%m-%d %H:%M} UTC")


def clock(settings: Settings, now: datetime, *, has_log: bool) -> Finding:
    """Return a finding about the clock: wrong if it is earlier than this program or the newest hand."""
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
    """Return the time of the newest game event, or PostgreSQL's clock if that is later. Raises `DBAPIError`."""
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
    """Yield findings about encryption, as far as the settings show it."""
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
    """Return a finding about the remaining validity of the house's certificate authority."""
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
