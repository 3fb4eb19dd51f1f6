"""Keep compiled templates and catalogs beside their sources, in `__pycache__`, as Python keeps compiled modules.

A start then compiles only what has changed. Nothing is kept where the folder can't be written, or where Python is told
not to write compiled modules.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.bccache import Bucket


def folder_beside(source: Path) -> Path:
    """Return the folder in which Python would keep the compiled form of a module at `source`."""
    return Path(cache_from_source(str(source))).parent


def compiled(source: Path, suffix: str, compiler: Callable[[bytes], bytes]) -> bytes:
    """Return the compiled form of the file at `source`. `compiler` makes it of the file's content, if it isn't kept.

    The kept file has `suffix`, and is found by the content of the source, not by its age. Raises `OSError` if the
    source can't be read.
    """
    text = source.read_bytes()
    kept = folder_beside(source) / f"{source.stem}-{sha256(text).hexdigest()[:16]}{suffix}"
    with suppress(OSError):
        return kept.read_bytes()
    made = compiler(text)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            kept.parent.mkdir(exist_ok=True)
            for old in kept.parent.glob(f"{source.stem}-*{suffix}"):
                old.unlink(missing_ok=True)
            # Readable for all users of the computer, as its source is; a file of `tempfile` isn't.
            draft = kept.with_name(f"{kept.name}.{os.getpid()}")
            draft.write_bytes(made)
            draft.replace(kept)
    return made


class KeptTemplates(jinja2.FileSystemBytecodeCache):
    """Keeps the compiled templates of the folder at `templates`. Other versions of Jinja compile them again."""

    def __init__(self, templates: Path) -> None:
        super().__init__(str(folder_beside(templates / "any")), f"jinja-{jinja2.__version__}-%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with the kept template, if there is one that can be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template. A full disk or a folder that can't be written doesn't matter."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
