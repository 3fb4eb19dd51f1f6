"""Lock a folder by locking a file in it. When a process ends, its locks end, too.

Read or create the key that signs cookies. The key is a file in the data folder.
"""

import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.config import SECRET_KEY_LENGTH, SettingsError, is_weak


@contextmanager
def held(path: Path, *, wait: bool = True, shared: bool = False) -> Iterator[None]:
    """Hold a lock on the file at `path` inside the `with` block. A missing file is created.

    Processes that are forked inside the block also hold the lock until they end. Several processes can hold a `shared`
    lock at the same time, but not while another process holds an exclusive one. On Windows, `shared` takes no lock.

    If another process holds the lock, wait for it. With `wait=False`, raise `BlockingIOError` instead. Raises `OSError`
    if the file cannot be created.
    """
    with path.open("a+") as file:
        if sys.platform != "win32":
            import fcntl

            # Closed and never unlocked, because unlocking would also release it in forked processes.
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        elif not shared:
            _lock_on_windows(file.fileno(), wait=wait)
        yield


def _lock_on_windows(file: int, *, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError from error
                time.sleep(0.2)
            else:
                return


def read_or_make_key(instance: Path) -> str:
    """Return the secret key in the folder `instance`. A missing key file is created with mode 0600.

    If two servers start at the same time, both get the same key. Each server moves its new file to the final name only
    if there is no such file yet. Raises `OSError`, or `SettingsError` for a weak key.
    """
    if key := kept_key(instance):
        return key
    path = instance / "secret_key"
    instance.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = instance / f"secret_key.{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            if not kept_key(instance):  # an empty file, left by a full disk
                draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return kept_key(instance)


def kept_key(instance: Path) -> str:
    """Return the secret key in the folder `instance`, or "" if there is none.

    Raises `OSError`, or `SettingsError` for a weak key.
    """
    path = instance / "secret_key"
    try:
        key = path.read_text().strip()
    except FileNotFoundError:
        return ""
    if key and is_weak(key):
        raise SettingsError(
            f"The key in {path} is too easy to guess. Put at least {SECRET_KEY_LENGTH} random characters there."
        )
    return key
