"""A server that can't start prints one clear sentence, exits with status 1, and changes nothing."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from scorekeeper.ops.inspection import OTHER_VERSION
from tests.support.server import command, environment, kill_group, running, start

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

NOBODY = 65534

AS_NOBODY = f"""
import encodings.idna, os, pathlib, sys, tempfile
from scorekeeper import config
from scorekeeper.cli.app import main
from scorekeeper.cli.serve import serve
from scorekeeper.ops.boot import boot
with tempfile.TemporaryDirectory() as folder:
    boot(config.from_environment(instance=pathlib.Path(folder)))  # loads all that a start needs
os.setgid({NOBODY})
os.setuid({NOBODY})
main(sys.argv[1:])
"""
"""Source of a command that becomes the user "nobody" after it loaded its modules, which only root may be able to read.

As root, it would be allowed to write everywhere.
"""


def refused(words: list[str], **variables: str) -> str:
    """Run the command `words`, check that it fails with one error message, and return that message.

    The command must exit with status 1, and print nothing else.
    """
    ended = subprocess.run(words, env=environment(**variables), capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1, ended
    assert ended.stdout == ""
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    assert lines[0].startswith("Error: ")
    assert lines[0].endswith(".")
    return lines[0].removeprefix("Error: ")


def contents(folder: Path) -> dict[str, bytes]:
    """Return a dict of file contents by path for every file under `folder`, except the lock files."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in {"lock", "serving"}
    }


@pytest.fixture
def book(empty_book: Path, tmp_path: Path) -> Path:
    """Return the path of an empty database in a data folder that has nothing else but a secret key."""
    path = tmp_path / "instance" / "scorekeeper.db"
    path.parent.mkdir()
    path.write_bytes((empty_book / "scorekeeper.db").read_bytes())
    (path.parent / "secret_key").write_text("0123456789abcdef0123456789abcdef\n")
    return path


def test_a_key_that_can_be_guessed(tmp_path: Path, book: Path) -> None:
    key = book.parent / "secret_key"
    key.write_text("setback\n")
    before = contents(tmp_path)
    for words in (command(book.parent), [sys.executable, "-m", "scorekeeper", "db", "--instance", str(book.parent)]):
        said = refused([*words, "check"] if "db" in words else words)
        assert said == f"The key in {key} is too easy to guess. Put at least 32 random characters there."
    assert contents(tmp_path) == before


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused([*command(tmp_path / "new"), "--port", str(port)])
    assert said == f"Port {port} is in use. Stop the program that uses it, or choose another port with --port."
    assert not (tmp_path / "new").exists(), "nothing is made when nothing can be served"


def test_a_port_for_the_figures_that_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(command(tmp_path / "new"), SCOREKEEPER_METRICS=str(port))
    assert (
        said
        == f"Port {port} is in use. Stop the program that uses it, or choose another port with SCOREKEEPER_METRICS."
    )


@pytest.mark.parametrize("host", ["192.0.2.77", "no.such.host.invalid"])
def test_an_address_of_another_machine(tmp_path: Path, host: str) -> None:
    said = refused([*command(tmp_path / "new"), "--host", host])
    assert said == f"{host} isn't an address of this machine."


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        said = refused(command(folder))
        assert said.startswith(f"{tmp_path / 'file'}")
        assert "is a file, but a folder is needed" in said
    assert contents(tmp_path) == {str(tmp_path / "file"): b"mine"}


@pytest.mark.parametrize("mode", [None, 0o755, 0o700])
def test_a_folder_without_the_right_to_write(tmp_path: Path, mode: int | None) -> None:
    folder = tmp_path / "instance"
    if mode is not None:
        folder.mkdir()
        folder.chmod(mode)
    said = refused(without_rights(tmp_path, folder))
    assert said.startswith(f"The folder {folder} can't be")
    assert said.endswith("Permission denied.")
    assert contents(tmp_path) == {}


def test_a_database_without_the_right_to_write(tmp_path: Path, book: Path) -> None:
    before = contents(tmp_path)
    book.chmod(0o444)
    (book.parent / "secret_key").chmod(0o644)
    if os.geteuid() == 0:
        os.chown(book.parent, NOBODY, NOBODY)
    said = refused(without_rights(tmp_path, book.parent, lock=False))
    assert said == f"You can't open and write {book}. Check who owns the file and its folder."
    assert contents(tmp_path) == before


def without_rights(above: Path, folder: Path, *, lock: bool = True) -> list[str]:
    """Return a command that starts a server with its data in `folder`, but without the right to write in `above`.

    If root runs the tests, the server runs as another user, and `lock` isn't used. For any other user, this function
    makes `above` read-only if `lock` is true.
    """
    open_to_nobody(above)
    if os.geteuid() != 0:
        if lock:
            above.chmod(0o555)
        return command(folder)
    return [sys.executable, "-c", AS_NOBODY, "serve", *command(folder)[3:]]


def open_to_nobody(folder: Path) -> None:
    """If root runs the tests, let all users read and enter `folder` and its parent folders inside /tmp."""
    for path in (folder, *folder.parents):
        if path.name and os.geteuid() == 0 and str(path).startswith("/tmp/"):
            path.chmod(path.stat().st_mode | 0o055)


def test_a_database_of_a_newer_version(tmp_path: Path, book: Path) -> None:
    with sqlite3.connect(book) as connection:
        assert connection.execute("UPDATE alembic_version SET version_num = '9999'").rowcount == 1
    connection.close()
    before = contents(tmp_path)
    said = refused(command(book.parent))
    assert said == OTHER_VERSION.format(place=book)
    assert contents(tmp_path) == before


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = path.read_bytes()
    said = refused(command(tmp_path / "new"), DATABASE_URL=f"sqlite:///{path}")
    assert said == f"{path} belongs to another program. Choose another --instance or DATABASE_URL."
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["text", "torn", "overwritten"])
def test_a_damaged_database(tmp_path: Path, book: Path, damage: str) -> None:
    good = book.read_bytes()
    middle = len(good) // 2
    bad = {
        "text": b"Ann 12, Bob 9\n" * 100,
        "torn": good[: middle - 100],
        "overwritten": good[:4096] + os.urandom(len(good) - 4096),
    }
    book.write_bytes(bad[damage])
    before = contents(tmp_path)
    said = refused(command(book.parent))
    assert said.startswith(f"{book} is damaged or isn't a database. Nothing was changed.")
    assert contents(tmp_path) == before


def test_a_database_that_another_program_holds(book: Path) -> None:
    holder = sqlite3.connect(book)
    holder.execute("BEGIN EXCLUSIVE")
    said = refused(command(book.parent))
    holder.close()
    assert said == f"Another program has locked {book}. Close it and start again."


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("SECRET_KEY", "short", "too easy to guess"),
        ("DATABASE_URL", "mysql://host/book", "must begin with"),
        ("DATABASE_URL", "sqlite:////no/such/folder/book.db", "open and write"),
    ],
)
def test_a_setting_that_cannot_be(tmp_path: Path, variable: str, value: str, why: str) -> None:
    assert why in refused(command(tmp_path / "new"), **{variable: value})


def test_postgresql_without_its_driver(tmp_path: Path) -> None:
    script = "import sys; sys.modules['psycopg'] = None; from scorekeeper.cli.app import main; main(sys.argv[1:])"
    words = [sys.executable, "-c", script, *command(tmp_path / "new")[3:]]
    said = refused(words, DATABASE_URL="postgresql://ann:secret@127.0.0.1:9/book")
    assert said == f"PostgreSQL needs its driver. Run: {sys.executable} -m pip install 'psycopg[binary]'."


def test_postgresql_that_does_not_answer(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"postgresql://ann:secret@127.0.0.1:{port}/book"
    env = environment(DATABASE_URL=address)
    ended = subprocess.run(command(tmp_path / "new"), env=env, capture_output=True, text=True, timeout=100, check=False)
    assert ended.returncode == 1
    [waiting], [error] = ended.stdout.splitlines(), ended.stderr.splitlines()
    assert waiting.startswith("The database postgresql+psycopg://ann:***@127.0.0.1")
    assert waiting.endswith("Connection refused. Waiting up to 30 s for it.")
    assert error == "Error: " + waiting.removesuffix(" Waiting up to 30 s for it.")
    assert refused([*command(tmp_path / "new")[:3], "director", "list"], DATABASE_URL=address) in error, "at once"


def test_only_its_owner_reads_what_a_start_makes(tmp_path: Path) -> None:
    """Files that a server makes when it starts can be read only by the user who runs the server.

    This holds even if the data folder already exists and other users may read the folder.
    """
    tmp_path.chmod(0o755)
    server = start(command(tmp_path))
    try:
        rights = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        assert {"scorekeeper.db", "secret_key"} <= set(rights)
        assert not [name for name, mode in rights.items() if mode & 0o077], rights
    finally:
        kill_group(server)


@pytest.mark.parametrize("name", ["100%", "a%20b", "a?b"])
def test_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    with running(tmp_path / name) as server, urlopen(f"{server.url}/readyz") as answer:
        assert answer.status == 200
    assert (tmp_path / name / "scorekeeper.db").is_file()


def test_an_empty_file_beside_a_key_is_asked_about(book: Path) -> None:
    book.write_bytes(b"")
    server = start(command(book.parent))
    kill_group(server)
    assert "If there was one before, stop now" in server.said[0]


def test_an_unknown_option_is_explained(tmp_path: Path) -> None:
    ended = subprocess.run(
        [*command(tmp_path), "--prot", "9"], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 2
    assert "--port" in ended.stderr


def test_who_may_not_look_into_the_folder_is_told_so(tmp_path: Path, book: Path) -> None:
    """If a user without access to the data folder runs `check` or `backup`, the command explains that in one sentence.

    Neither command changes anything.
    """
    before = contents(tmp_path)
    folder = book.parent
    open_to_nobody(tmp_path)
    folder.chmod(0o700 if os.geteuid() == 0 else 0o000)
    run = [sys.executable, "-c", AS_NOBODY] if os.geteuid() == 0 else [sys.executable, "-m", "scorekeeper"]
    env = environment(SCOREKEEPER_INSTANCE=str(folder))
    ended = subprocess.run([*run, "check"], env=env, capture_output=True, text=True, timeout=60, check=False)
    backup = refused([*run, "backup"], SCOREKEEPER_INSTANCE=str(folder))
    folder.chmod(0o700)
    said = f"WRONG   configuration  You can't open {folder}. Run this as the user who owns it.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, said, "")
    assert backup == f"The folder {folder} can't be used: Permission denied."
    assert contents(tmp_path) == before
