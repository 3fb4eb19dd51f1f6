"""A hall's computer and phones, each in a Linux network namespace of its own, joined by virtual cables."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

IDLE = ("sh", "-c", "echo ready; exec sleep infinity")
GET = """
import ssl, sys, urllib.request
url, authority = sys.argv[1:]
request = urllib.request.Request(url, headers={"Accept": "text/html"})
context = ssl.create_default_context(cafile=authority) if authority else None
print(urllib.request.urlopen(request, timeout=60, context=context).read().decode())
"""


@dataclass
class Machine:
    """A network namespace that a process keeps open."""

    pid: int

    def command(self, *words: str) -> list[str]:
        """Return the command line that runs the command `words` on this machine."""
        return ["nsenter", "-t", str(self.pid), "-U", "-n", "--preserve-credentials", *words]

    def run(self, *words: str) -> str:
        """Run the command `words` on this machine and return what it prints. Raises an error if it fails."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def get(self, url: str, authority: object = "") -> str:
        """Return the page at `url` as this machine gets it. With https, it trusts only the certificate `authority`."""
        return self.run(sys.executable, "-c", GET, url, str(authority))


@dataclass
class Hall(Machine):
    """The computer of a hall, which isn't on any network at first."""

    stack: ExitStack = field(default_factory=ExitStack)

    def join(self, interface: str, address: str, phone: str) -> Machine:
        """Connect the hall's computer to a new network, and return a phone on it.

        `address` is the computer's address with the length of its prefix, and `phone` that of the phone.
        """
        machine = Machine(self.stack.enter_context(_kept(["nsenter", *self.command()[1:], "unshare", "-n"])))
        machine.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "add", interface, "type", "veth", "peer", "name", "wlan0", "netns", str(machine.pid))
        for one, name, own in ((self, interface, address), (machine, "wlan0", phone)):
            one.run("ip", "address", "add", own, "dev", name)
            one.run("ip", "link", "set", name, "up")
        return machine


@contextmanager
def hall() -> Iterator[Hall]:
    """Yield a hall's computer. The test is skipped if this machine doesn't allow network namespaces."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rn", "true"], check=False).returncode:
        pytest.skip("no network namespaces on this machine")
    with ExitStack() as stack:
        computer = Hall(stack.enter_context(_kept(["unshare", "-rn"])), stack)
        computer.run("ip", "link", "set", "lo", "up")
        yield computer


@contextmanager
def _kept(begin: list[str]) -> Iterator[int]:
    """Run the command `begin` with a process that does nothing, and yield its id until the block ends."""
    with subprocess.Popen([*begin, *IDLE], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process.pid
        finally:
            process.kill()
