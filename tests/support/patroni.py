"""Run the cluster of CLUSTER.md on this computer: three PostgreSQL nodes under Patroni, etcd, HAProxy and PgBouncer.

The configuration is that of `scorekeeper/server/cluster/`, with other addresses, ports, passwords and folders.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from tests.support.postgresql import as_whom, programs
from tests.support.server import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

EXAMPLES = Path(__file__).resolve().parents[2] / "scorekeeper" / "server" / "cluster"
NEEDED = ("patroni", "etcd", "haproxy", "pgbouncer")
"""Programs of Debian's packages patroni, etcd-server, haproxy and pgbouncer."""
PLACES = "/usr/sbin:/usr/bin:/sbin:/bin"
NODES = ("one", "two", "three")
SECONDS_TO_START = 300
"""Maximum number of seconds to wait, much longer than anything here takes on a machine that isn't busy."""
PASSWORD = "database-password"
SECRET = "a key for the tests that all machines share"
ON_LOOPBACK = (
    ("    user haproxy\n    group haproxy\n", ""),
    ("10.0.0.0/24", "127.0.0.1/32"),
    ("X-Forwarded-Proto https", "X-Forwarded-Proto http"),
    ("DATABASE-PASSWORD", PASSWORD),
    ("THE-SAME-LONG-RANDOM-KEY-ON-ALL-MACHINES", SECRET),
    ("SCOREKEEPER_HOSTS=cards.example.org", "SCOREKEEPER_HOSTS="),
)
"""Replacements in the example files: (text there, text that the tests use)."""


def missing() -> list[str]:
    """Return the names of the programs that the cluster needs but that aren't installed."""
    gone = [name for name in NEEDED if shutil.which(name, path=PLACES) is None]
    return gone + ([] if programs() else ["postgresql"])


def free_port() -> int:
    """Return a port of this machine that is free at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Machines:
    """The cluster's three machines, which all run on this computer; `folder` contains all their files."""

    folder: Path
    ports: dict[str, int]
    """Maps an address in the example files, such as "10.0.0.1:5432", to the port used on this computer."""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address of the load balancer, to which phones connect."""
        return f"http://127.0.0.1:{self.ports['0.0.0.0:443']}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables that each app gets, from the example file `scorekeeper.env`."""
        lines = [line for line in self.example("scorekeeper.env").splitlines() if not line.startswith("#")]
        return dict(line.split("=", 1) for line in lines)

    def example(self, name: str, node: str = "one") -> str:
        """Return the text of the example file `name` from the documentation, adapted to the machine `node`.

        The addresses of the cluster in that text are replaced by ports of this computer.
        """
        own = f"10.0.0.{1 + NODES.index(node)}"
        text = (EXAMPLES / name).read_text().replace("name: one", f"name: {node}")
        text = re.sub(r"(listen|connect_address): 10\.0\.0\.1:", rf"\1: {own}:", text)
        # HAProxy asks the Patroni of the same machine.
        text = re.sub(r"(10\.0\.0\.\d)(:5432 check port) 8008", r"\1\2 \1:8008", text)
        for address, port in self.ports.items():
            text = text.replace(f"check port {address}", f"check port {port}").replace(address, f"127.0.0.1:{port}")
        for told, ours in (
            *ON_LOOPBACK,
            ("bind :443 ssl crt /etc/haproxy/cards.example.org.pem", f"bind 127.0.0.1:{self.ports['0.0.0.0:443']}"),
            ("port=5000", f"port={self.ports['127.0.0.1:5000']}"),
            ("listen_port = 6432", f"listen_port = {self.ports['127.0.0.1:6432']}"),
            ("/var/lib/postgresql/15/scorekeeper", str(self.data(node))),
            ("/usr/lib/postgresql/15/bin", str(programs())),
            *((place, str(self.folder)) for place in ("/var/run/postgresql", "/var/log/postgresql")),
            *((place, str(self.folder)) for place in ("/etc/scorekeeper", "/etc/pgbouncer")),
        ):
            text = text.replace(told, ours)
        return text

    def data(self, node: str) -> Path:
        """Return the folder with the database of `node`."""
        return self.folder / f"{node}-data"

    def write(self, name: str, text: str) -> None:
        """Write a file in `folder` that only PostgreSQL's user can read."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        if whom := as_whom():
            os.chown(path, whom["user"], whom["group"])

    def run(self, name: str, *words: str) -> None:
        """Start a program as PostgreSQL's user; `words` is its command line.

        `kill` finds the process by `name`. The output of the process goes to a file in `folder` with this name and the
        suffix ".log".
        """
        # On a machine of its own, Patroni keeps the password of its leader there.
        home = self.folder / f"{name}-home"
        home.mkdir(exist_ok=True)
        if whom := as_whom():
            os.chown(home, whom["user"], whom["group"])
        env = {"PATH": f"{programs()}:{PLACES}", "HOME": str(home), "LC_ALL": "C.UTF-8"}
        program = shutil.which(words[0], path=env["PATH"])
        assert program is not None, words[0]
        self.spawn(name, [program, *words[1:]], env, **whom)

    def spawn(self, name: str, words: list[str], env: Mapping[str, str], **more: Any) -> None:
        """Start a process in a new session, so that `kill` can end the process with all its children.

        `name` is the name by which `kill` finds the process. `words` is the command line, and `env` has the environment
        variables.
        """
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                env=dict(env),
                **more,
            )

    def start_node(self, node: str) -> None:
        """Start Patroni on the machine `node`; Patroni starts PostgreSQL, and reaches etcd through `_way_to_etcd`."""
        if self.way(node) not in self.processes:
            self._way_to_etcd(node)
        direct, through = (f"127.0.0.1:{self.ports[name]}" for name in ("10.0.0.1:2379", self.way(node)))
        # Otherwise it would ask etcd for its addresses, and go there.
        text = self.example("patroni.yml", node).replace("  hosts: ", "  use_proxies: true\n  hosts: ")
        self.write(f"{node}.yml", text.replace(direct, through))
        self.run(node, "patroni", f"{node}.yml")

    def way(self, node: str) -> str:
        """Return the name of the process through which Patroni on the machine `node` reaches etcd."""
        return f"{node}-etcd"

    def _way_to_etcd(self, node: str) -> None:
        """Start a proxy between Patroni on the machine `node` and etcd, so that `cut_off` can stop it."""
        there, here = (self.ports[name] for name in ("10.0.0.1:2379", self.way(node)))
        lines = ["defaults", " mode tcp", " timeout connect 5s", " timeout client 1h", " timeout server 1h"]
        lines += ["listen etcd", f" bind 127.0.0.1:{here}", f" server etcd 127.0.0.1:{there}", ""]
        self.write(f"{self.way(node)}.cfg", "\n".join(lines))
        self.run(self.way(node), "haproxy", "-db", "-f", f"{self.way(node)}.cfg")

    def kill_node(self, node: str) -> None:
        """Kill Patroni and PostgreSQL on the machine `node` immediately, as in a power outage."""
        self.kill(node)
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (process / "cwd").readlink() == self.data(node):
                    os.kill(int(process.name), signal.SIGKILL)

    def cut_off(self, node: str) -> None:
        """Let etcd answer Patroni on the machine `node` no more, as when the network is cut, so it loses the key."""
        self.processes[self.way(node)].send_signal(signal.SIGSTOP)

    def join_again(self, node: str) -> None:
        """Let Patroni on the machine `node` reach etcd again."""
        self.processes[self.way(node)].send_signal(signal.SIGCONT)

    def start_app(self, node: str) -> None:
        """Start Scorekeeper on the machine `node`, with a data folder for this machine only."""
        port = str(self.ports[f"10.0.0.{1 + NODES.index(node)}:8000"])
        folder = str(self.folder / f"app-{node}")
        words = [sys.executable, "-m", "scorekeeper", "--port", port, "--instance", folder]
        root = str(EXAMPLES.parents[2])
        self.spawn(f"app-{node}", words, environment(**self.settings, PYTHONPATH=root))

    def kill(self, name: str) -> None:
        """Kill the process `name` and all others in its session."""
        process = self.processes[name]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=20)

    def members(self) -> list[dict[str, Any]]:
        """Return the state of each node, as the first Patroni that responds reports it.

        If no Patroni responds, return an empty list.
        """
        for number in range(len(NODES)):
            port = self.ports[f"10.0.0.{1 + number}:8008"]
            with (
                contextlib.suppress(OSError, ValueError),
                urllib.request.urlopen(f"http://127.0.0.1:{port}/cluster", timeout=2) as answer,
            ):
                found: list[dict[str, Any]] = json.load(answer)["members"]
                return found
        return []

    def node_with(self, role: str) -> str | None:
        """Return the name of the running node with `role`, such as "leader" or "sync_standby".

        Return None if no running node has this role.
        """
        return next((each["name"] for each in self.members() if each["role"] == role and _runs(each)), None)

    def is_whole(self) -> bool:
        """Return whether all nodes run and there is a leader and a synchronous standby."""
        members = self.members()
        roles = {each["role"] for each in members}
        leaders = {each.get("timeline") for each in members}
        return (
            len(members) == len(NODES)
            and all(map(_runs, members))
            and {"leader", "sync_standby"} <= roles
            and (len(leaders) == 1)
        )

    def is_served(self) -> bool:
        """Return whether the app reports that it is ready, which is so only if the database responds."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def until(self, what: Callable[[], bool], seconds: float = SECONDS_TO_START) -> float:
        """Wait until `what()` is true, and return the seconds that this took.

        Raises `AssertionError` with the last lines of the logs if this takes longer than `seconds`.
        """
        begun = time.monotonic()
        while not what():
            assert time.monotonic() - begun < seconds, f"{what} is not so after {seconds} s\n{self.logs()}"
            time.sleep(0.2)
        return time.monotonic() - begun

    def keep_up(self, over: threading.Event) -> None:
        """Until the event `over` is set, restart each app whose process has ended."""
        while not over.wait(0.3):
            for node in NODES:
                if self.processes[f"app-{node}"].poll() is not None:
                    self.start_app(node)

    def logs(self) -> str:
        """Return the last 15 lines of each log as one text."""
        files = sorted(self.folder.glob("*.log"))
        ends = {file.name: file.read_text("utf-8", "replace").splitlines()[-15:] for file in files}
        return "\n".join("\n".join([f"== {name}", *lines]) for name, lines in ends.items())

    def stop(self) -> None:
        """Kill all processes of all machines."""
        for node in NODES:
            if node in self.processes:
                self.kill_node(node)
        for name in self.processes:
            self.kill(name)


def _runs(member: Mapping[str, Any]) -> bool:
    return member["state"] in {"running", "streaming"}


def _addresses() -> dict[str, int]:
    machines = [f"10.0.0.{1 + number}" for number in range(len(NODES))]
    ports = {f"{machine}:{port}": free_port() for machine in machines for port in (5432, 8008, 8000)}
    etcd = free_port()
    ports |= {f"{machine}:2379": etcd for machine in machines}
    ports |= {f"{node}-etcd": free_port() for node in NODES}
    return ports | {name: free_port() for name in ("10.0.0.1:2380", "127.0.0.1:5000", "127.0.0.1:6432", "0.0.0.0:443")}


@contextlib.contextmanager
def machines() -> Iterator[Machines]:
    """Yield a running cluster with an empty database and without apps; it is deleted after the `with` block."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-", dir=memory if os.access(memory, os.W_OK) else None))
    whom = as_whom()
    if whom:
        os.chown(folder, whom["user"], whom["group"])
    made = Machines(folder, _addresses())
    try:
        _start(made)
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


def _start(made: Machines) -> None:
    certificate, key = made.folder / "cluster.crt", made.folder / "cluster.key"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    files = ["-subj", "/CN=scorekeeper", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *words, *files], capture_output=True, check=True)
    for file in (certificate, key):
        made.write(file.name, file.read_text())
    client, peer = (f"http://127.0.0.1:{made.ports[name]}" for name in ("10.0.0.1:2379", "10.0.0.1:2380"))
    urls = ["--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer]
    made.run("etcd", "etcd", "--data-dir", str(made.folder / "etcd"), "--enable-v2", "--unsafe-no-fsync", *urls)
    made.start_node("one")
    made.until(lambda: made.node_with("leader") is not None)
    _make_database(made)
    for node in NODES[1:]:
        made.start_node(node)
    made.write("haproxy.cfg", made.example("haproxy.cfg"))
    made.run("haproxy", "haproxy", "-db", "-f", "haproxy.cfg")
    made.write("userlist.txt", f'"scorekeeper" "{PASSWORD}"\n')
    made.write("pgbouncer.ini", made.example("pgbouncer.ini"))
    made.run("pooler", "pgbouncer", "pgbouncer.ini")
    made.until(made.is_whole)


def _make_database(made: Machines) -> None:
    where = f"host=127.0.0.1 port={made.ports['10.0.0.1:5432']} user=postgres password=SUPERUSER-PASSWORD"
    with psycopg.connect(f"{where} dbname=postgres", autocommit=True) as connection:
        for statement in (EXAMPLES / "database.sql").read_text().replace("DATABASE-PASSWORD", PASSWORD).split(";\n"):
            if statement.strip():
                connection.execute(statement.encode())
