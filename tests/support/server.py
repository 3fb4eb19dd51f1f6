"""Start a real server in a separate process, with the command that the README names."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support import databases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SECONDS_TO_START = 120


@dataclass
class Server:
    """A running process of `scorekeeper serve`."""

    process: subprocess.Popen[str]
    url: str = ""
    """Address of the server without a slash at the end: `http://127.0.0.1:PORT`, or `https://` with `--tls`."""
    said: list[str] = field(default_factory=list)
    """Lines that the server has printed to standard output so far."""

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal `sent` to the server, wait until it ends, and return the exit status."""
        self.process.send_signal(sent)
        return self.process.wait(timeout=40)


def command(instance: Path, *options: str) -> list[str]:
    """Return the command line of a server on a free port, with its data in `instance` and with these `options`."""
    return [sys.executable, "-m", "scorekeeper", "--port", "0", "--instance", str(instance), *options]


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment variables, changed for a server that tests start, and with `more` variables.

    The data folder, database and secret key of this process are left out, and rate limits are turned off.
    """
    ours = {"SCOREKEEPER_INSTANCE", "DATABASE_URL", "SECRET_KEY"}
    # A test plays in a second what a hall plays in an evening, all of it from one address.
    own = {"PYTHONUNBUFFERED": "1", "SCOREKEEPER_LIMITS": "off"}
    return {name: value for name, value in os.environ.items() if name not in ours} | own | more


def changed_by(script: str, instance: Path, **more: str) -> dict[str, str]:
    """Return environment variables that make each Python process of a server run the code `script` first.

    `instance` is the server's data folder, and `more` are further environment variables.
    """
    folder = instance / "first"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(script)
    root = Path(__file__).resolve().parents[2]
    return environment(**databases.variables_for(instance), PYTHONPATH=f"{folder}{os.pathsep}{root}", **more)


def start(words: list[str], env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Server:
    """Start a server with the command line `words`, and return it as soon as it has printed its address.

    If `env` is None, the server uses the test database of its data folder. Raises `AssertionError` if the server ends
    before it has printed its address, or takes too long to print it.
    """
    if env is None:
        folder = words[words.index("--instance") + 1] if "--instance" in words else None
        env = environment(**databases.variables_for(Path(folder)) if folder else {})
    process = subprocess.Popen(words, env=dict(env), cwd=cwd, stdout=subprocess.PIPE, text=True, start_new_session=True)
    server = Server(process)
    ready = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                server.said.append(line.rstrip("\n"))
                if found := re.search(r"On this machine\s+(https?://\S+?)/?$", line):
                    server.url = found[1]
                    ready.set()
        ready.set()

    threading.Thread(target=listen, daemon=True).start()
    if not ready.wait(SECONDS_TO_START):
        kill_group(server)
        raise AssertionError(f"no address after {SECONDS_TO_START} s: {server.said}")
    assert server.url, f"ended with {process.wait()}: {server.said}"
    return server


@contextmanager
def running(instance: Path, *options: str) -> Iterator[Server]:
    """Yield a running server with its data in `instance`; `options` are added to its command line.

    The calling test fails if the server ends during the `with` block or stops with an error after the block.
    """
    server = start(command(instance, *options))
    try:
        yield server
        assert server.process.poll() is None, f"the server ended with {server.process.returncode}"
        status = server.stop()
        assert status == 0, f"the server stopped with {status}"
    finally:
        kill_group(server)


def workers_of(server: Server) -> list[int]:
    """Return the process ids of a server's worker processes.

    The list doesn't contain helper processes of Python. It is empty for a server with a single process.
    """
    pid = server.process.pid
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):  # it is gone
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():  # empty of one that is dead
                found.append(int(child))
    return found


def kill_group(server: Server) -> None:
    """Kill the server if it still runs, and any worker processes that it left."""
    try:
        os.killpg(server.process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    server.process.wait(timeout=10)
