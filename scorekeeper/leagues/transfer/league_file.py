"""Import a league file that somebody uploaded. The file is kept for an hour, and a separate process imports it.

Importing replays every game, which takes seconds to minutes of processor time. So that the server stays fast for phones
that score, an import runs in its own process at low priority (the command `scorekeeper import-league`). All machines of
a server together run only one import at a time.
"""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import ColumnElement, delete, func, select

from scorekeeper.config import MAX_UPLOAD_BYTES, PACKAGE
from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.core.models import LeagueRow, UploadRow
from scorekeeper.leagues.members.service import handover_path, take_over
from scorekeeper.leagues.transfer.archive import FORMAT, GAMES, LEAGUE
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import db, give_back, take, writing

MOST_HEAD = 16_000_000
"""Maximum number of bytes of the unpacked league without its games.

A full season with twenty tables has about 5 million. These bytes are parsed once, when the file is uploaded. The
resulting summary is saved with the file.
"""
MOST_UNPACKED = 80_000_000
"""Maximum number of bytes of the unpacked games. All files in the archive together may have twice as many."""
KEPT = timedelta(hours=1)
MOST_KEPT = 20
MOST_OF_DEVICE = 3
IMPORT_SECONDS = 240
TURN = "league import"
NO_LEAGUE = Phrase("This file is damaged or isn't a league file. Nothing was imported.")


class LeagueFile(Struct, frozen=True):
    """The summary of a league file, for the preview.

    `id` is the public id of the league. `nights`, `people` and `games` say how many it has.
    """

    id: str
    name: str
    seasons: tuple[str, ...]
    nights: int
    people: int
    games: int


def look_into(data: bytes) -> LeagueFile:
    """Return the summary of a league file. Raises `RuleViolation` if the file is too large or isn't a league file."""
    if len(data) > MAX_UPLOAD_BYTES:
        raise RuleViolation("league_file_large", _too_large())
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            sizes = {part.filename: part.file_size for part in packed.infolist()}
            if sizes[LEAGUE] > MOST_HEAD or sizes[GAMES] > MOST_UNPACKED or sum(sizes.values()) > 2 * MOST_UNPACKED:
                raise RuleViolation("league_file_large", _too_large())
            return _read(json.loads(packed.read(LEAGUE)))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError, zlib.error):
        raise RuleViolation("league_file", NO_LEAGUE) from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
        raise RuleViolation("league_file", NO_LEAGUE) from None


def _read(told: Mapping[str, Any]) -> LeagueFile:
    if str(told["format"]).partition("/")[0] != FORMAT.partition("/")[0]:
        raise ValueError(told["format"])
    return LeagueFile(
        id=str(told["league"]["public_id"])[:16],
        name=str(told["league"]["name"])[:60],
        seasons=tuple(str(season["name"])[:60] for season in told["seasons"])[:20],
        nights=sum(night["number"] > 0 for night in told["nights"]),
        people=sum(person["merged_into"] is None for person in told["people"]),
        games=sum(table["game_id"] is not None for table in told["tables"]),
    )


def _too_large() -> Phrase:
    return Phrase("This league file is too large for a browser. Ask the person who runs the server to import it.")


def is_here(file: LeagueFile) -> bool:
    """Return whether the league of this file is already on the server."""
    return db.session.scalars(select(LeagueRow.id).where(LeagueRow.public_id == file.id)).first() is not None


@use_case
def keep(*, device: str, data: bytes, file: Struct, now: datetime | None = None) -> str:
    """Save an uploaded file and its summary for an hour, and return its key. Only `device` can use the file.

    The file is saved in the database, because the next request may reach another machine. If the device already has
    `MOST_OF_DEVICE` files, its oldest file is deleted. Raises `RuleViolation` if too many files are saved for all
    devices together.
    """
    moment, key = now or datetime.now(UTC), new_public_id()
    with writing() as session:
        session.execute(delete(UploadRow).where(UploadRow.made_at < moment - KEPT))
        mine = UploadRow.key.startswith(_mark(device), autoescape=True)
        newest = select(UploadRow.id).where(mine).order_by(UploadRow.made_at.desc(), UploadRow.id.desc())
        newest = newest.limit(MOST_OF_DEVICE - 1)
        session.execute(delete(UploadRow).where(mine, UploadRow.id.not_in(newest)))
        if (session.scalar(select(func.count()).select_from(UploadRow)) or 0) >= MOST_KEPT:
            raise RuleViolation("league_busy", "Too many files are waiting to be imported. Try again in an hour.")
        session.add(UploadRow(key=_hashed(device, key), made_at=moment, summary=structs.asdict(file), data=data))
    return key


def kept(*, device: str, key: str, now: datetime | None = None) -> LeagueFile | None:
    """Return the summary of a league file that this device uploaded, or None if there is no file with this key."""
    told = kept_summary(device=device, key=key, now=now)
    return None if told is None else LeagueFile(**{**told, "seasons": tuple(told["seasons"])})


def kept_summary(*, device: str, key: str, now: datetime | None = None) -> dict[str, Any] | None:
    """Return the stored summary of a file that this device uploaded, or None if there is no file with this key."""
    return db.session.scalars(select(UploadRow.summary).where(*_is_kept(device, key, now))).first()


def forget(*, device: str, key: str) -> None:
    """Delete the file with this key that this device uploaded."""
    _remove(_hashed(device, key))


def kept_data(*, device: str, key: str, now: datetime | None = None) -> bytes:
    """Return the content of a file that this device uploaded, or b"" if there is no file with this key."""
    return db.session.scalars(select(UploadRow.data).where(*_is_kept(device, key, now))).first() or b""


def _is_kept(device: str, key: str, now: datetime | None) -> tuple[ColumnElement[bool], ...]:
    return UploadRow.key == _hashed(device, key), UploadRow.made_at > (now or datetime.now(UTC)) - KEPT


def import_kept(instance: Path, device: str, key: str, *, database: str, secret: str) -> str:
    """Import a file that this device uploaded, and return the public id of its league. The device becomes the owner.

    `instance` is the data folder, `database` is the URL of the server's database, and `secret` is its secret key.
    Raises `RuleViolation` if the file is gone or damaged, if the league is already here, or if another league is being
    imported.
    """
    file = kept(device=device, key=key)
    if file is None:
        raise RuleViolation("league_file_gone", "This upload has expired. Choose the file again.")
    if is_here(file):
        raise RuleViolation("league_here", Phrase("The league “%(name)s” is already on this server.", name=file.name))
    data = kept_data(device=device, key=key)
    db.session.rollback()
    if not take(name=TURN, lasts=timedelta(seconds=2 * IMPORT_SECONDS)):
        raise RuleViolation("league_busy", "Another league is being imported. Try again in a minute.")
    try:
        _run(data, instance, database)
    finally:
        give_back(name=TURN)
    word = handover_path(db.session(), file.id, secret).rpartition("/")[2]
    take_over(league=file.id, word=word, key=secret, device=device, in_maintenance=True)
    forget(device=device, key=key)
    return file.id


def _run(data: bytes, instance: Path, database: str) -> None:
    """Run `scorekeeper import-league` with the file in a separate process. Raises `RuleViolation` if it fails."""
    with tempfile.TemporaryDirectory(dir=instance, prefix="import-") as folder:
        file = Path(folder) / "league.zip"
        file.write_bytes(data)
        command = [sys.executable, "-m", "scorekeeper", "import-league", str(file), "--instance", str(instance)]
        if nice := shutil.which("nice"):
            command = [nice, "-n", "10", *command]
        environment = {**os.environ, "DATABASE_URL": database}
        try:
            done = subprocess.run(  # noqa: S603  nothing in the command comes from a request
                command, cwd=PACKAGE.parent, env=environment, capture_output=True, timeout=IMPORT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise RuleViolation("league_file_large", _too_large()) from None
    if done.returncode:
        raise RuleViolation("league_file", NO_LEAGUE)


@use_case
def _remove(key: str) -> None:
    with writing() as session:
        session.execute(delete(UploadRow).where(UploadRow.key == key))


def _mark(device: str) -> str:
    """Return the prefix with which the stored keys of all files from a device begin."""
    return hashlib.sha256(device.encode()).hexdigest()[:12]


def _hashed(device: str, key: str) -> str:
    return _mark(device) + hashlib.sha256(f"{device} {key}".encode()).hexdigest()[:28]
