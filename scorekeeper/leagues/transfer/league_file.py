"""Import a league file that somebody uploaded: look into it, keep it for an hour, and import it in its own process.

Importing replays every game, which takes seconds to minutes of processor time. In a process of its own, at low
priority and one at a time, it doesn't slow the phones that score; it is the command `scorekeeper import-league`.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from scorekeeper.config import MAX_UPLOAD_BYTES, PACKAGE
from scorekeeper.db.lock import held
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.members.ownership import handover_path, take_over
from scorekeeper.leagues.transfer.archive import FORMAT, GAMES, LEAGUE
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db

MOST_HEAD = 16_000_000
"""Bytes of the unpacked league without its games. A full season with twenty tables has about 5 million.

It is parsed once, at the upload; then its summary is kept beside it.
"""
MOST_UNPACKED = 80_000_000
"""Bytes of all unpacked files."""
KEPT_SECONDS = 3600
MOST_KEPT = 20
IMPORT_SECONDS = 240
UPLOADS = "uploads"
"""Folder in the data folder, with files that were looked at and may be imported."""
NO_LEAGUE = Phrase("This file is damaged or isn't a league file. Nothing was imported.")


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """The summary of a league file: id and name of the league, its seasons, and how many people and games it has."""

    id: str
    name: str
    seasons: tuple[str, ...]
    nights: int
    people: int
    games: int


def look_into(data: bytes) -> LeagueFile:
    """Return the summary of a league file. Raises `RuleViolation` if it isn't one, or is too large."""
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
    """Return whether the server has this league already."""
    return db.session.scalars(select(LeagueRow.id).where(LeagueRow.public_id == file.id)).first() is not None


def keep(instance: Path, device: str, data: bytes, file: LeagueFile) -> str:
    """Keep an uploaded file and its summary for an hour, for this device, and return its key.

    `instance` is the data folder.
    """
    folder = instance / UPLOADS
    folder.mkdir(mode=0o700, exist_ok=True)
    _tidy(folder)
    key = new_public_id()
    place = _place(instance, device, key)
    for path, content in ((_summary(place), json.dumps(asdict(file)).encode()), (place, data)):
        path.write_bytes(content)
        path.chmod(0o600)
    return key


def kept(instance: Path, device: str, key: str) -> LeagueFile | None:
    """Return the summary of the file that this device uploaded under this key, None if there is none."""
    place = _place(instance, device, key)
    try:
        if time.time() - place.stat().st_mtime >= KEPT_SECONDS:
            return None
        told = json.loads(_summary(place).read_bytes())
    except OSError:
        return None
    return LeagueFile(**{**told, "seasons": tuple(told["seasons"])})


def import_kept(instance: Path, device: str, key: str, *, database: str, secret: str) -> str:
    """Import the file that this device uploaded, make the device its league's owner, and return the league's public id.

    `database` is the URL of the server's database, `secret` its secret key. Raises `RuleViolation` if the file is gone,
    if the league is here already, if another one is being imported, or if the file is damaged.
    """
    file = kept(instance, device, key)
    if file is None:
        raise RuleViolation("league_file_gone", "This upload has expired. Choose the file again.")
    if is_here(file):
        raise RuleViolation("league_here", Phrase("The league “%(name)s” is already on this server.", name=file.name))
    db.session.rollback()
    try:
        with held(instance / UPLOADS / "lock", wait=False):
            _run(_place(instance, device, key), instance, database)
    except BlockingIOError:
        raise RuleViolation("league_busy", "Another league is being imported. Try again in a minute.") from None
    word = handover_path(db.session(), file.id, secret).rpartition("/")[2]
    take_over(league=file.id, word=word, key=secret, device=device)
    _remove(_place(instance, device, key))
    return file.id


def _run(path: Path, instance: Path, database: str) -> None:
    """Run `scorekeeper import-league` on the file. Raises `RuleViolation` if it fails."""
    command = [sys.executable, "-m", "scorekeeper", "import-league", str(path), "--instance", str(instance)]
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


def _place(instance: Path, device: str, key: str) -> Path:
    return instance / UPLOADS / (hashlib.sha256(f"{device} {key}".encode()).hexdigest()[:40] + ".zip")


def _summary(place: Path) -> Path:
    """Return the file beside an upload with what it holds."""
    return place.with_suffix(".json")


def _remove(place: Path) -> None:
    for path in (place, _summary(place)):
        path.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    """Remove files that are too old, and the oldest of too many."""
    files = sorted(folder.glob("*.zip"), key=lambda file: file.stat().st_mtime, reverse=True)
    for nth, file in enumerate(files, start=1):
        if nth >= MOST_KEPT or time.time() - file.stat().st_mtime > KEPT_SECONDS:
            _remove(file)
