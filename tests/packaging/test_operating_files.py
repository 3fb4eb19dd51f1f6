"""The systemd unit and the Dockerfile in OPERATING.md work as that document says."""

from __future__ import annotations

import functools
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from scorekeeper.cli.publish import publish, send
from scorekeeper.cli.serve import serve
from scorekeeper.config import from_environment
from scorekeeper.variables import SETTINGS
from tests.support.server import environment, kill_group, start

ROOT = Path(__file__).resolve().parent.parent.parent
OPERATING = (ROOT / "scorekeeper" / "server" / "OPERATING.md").read_text()

if not (ROOT / "pyproject.toml").is_file():
    pytest.skip("not a checkout", allow_module_level=True)


def block(language: str) -> str:
    """Return the text of the only code block in OPERATING.md that is marked as `language`."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```", OPERATING, re.MULTILINE | re.DOTALL)
    return str(found)


def steps(name: str) -> list[str]:
    """Return the arguments of each Dockerfile instruction called `name`, such as `COPY`, in order."""
    return re.findall(rf"^{name} (.*)$", block("dockerfile"), re.MULTILINE)


def lines_of_unit(name: str) -> list[str]:
    """Return the values of all settings called `name` in the systemd unit, in order."""
    return re.findall(rf"^{name}=(.*)$", block("ini"), re.MULTILINE)


def test_both_use_options_and_variables_that_exist() -> None:
    [unit], [container] = lines_of_unit("ExecStart"), steps("ENTRYPOINT")
    for words in (shlex.split(unit), json.loads(container)):
        assert Path(words[0]).name == "scorekeeper"
        serve.make_context("serve", words[1:])
    set_there = [line.split("=")[0] for line in [*lines_of_unit("Environment"), *steps("ENV")]]
    assert set(set_there) <= {setting.name for setting in SETTINGS}
    assert "SCOREKEEPER_INSTANCE" in set_there


def test_the_data_folder_is_writable_for_the_unit() -> None:
    [folder] = lines_of_unit("StateDirectory")
    assert f"SCOREKEEPER_INSTANCE=/var/lib/{folder}" in lines_of_unit("Environment")
    assert "/data" in steps("VOLUME")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    program = Path(sys.executable)  # the unit's program is not installed here
    unit = tmp_path / "scorekeeper.service"
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={program}", block("ini")))
    looked = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (looked.returncode, [line for line in looked.stderr.splitlines() if "scorekeeper.service" in line]) == (
        0,
        [],
    )


def test_the_lines_that_publish_are_right() -> None:
    lines = re.findall(r"^export (SCOREKEEPER_PUBLISH)='(.*)'$", OPERATING, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        publish.make_context("publish", list(from_environment(dict([line])).publish))


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_the_script_for_a_web_space_pushes_what_changed(tmp_path: Path) -> None:
    """The script in OPERATING.md, run as the server runs it, commits and pushes; it does nothing if all is the same."""
    [script] = re.findall(r"^```sh\n(#!/bin/sh\n.*?)^```", OPERATING, re.MULTILINE | re.DOTALL)
    (tmp_path / "push.sh").write_text(script)
    (tmp_path / "push.sh").chmod(0o755)
    git = functools.partial(subprocess.check_output, text=True, stderr=subprocess.DEVNULL)
    git(["git", "init", "--quiet", "--bare", "--initial-branch=main", tmp_path / "web.git"])
    git(["git", "clone", "--quiet", tmp_path / "web.git", tmp_path / "site"])
    for name, value in {"user.name": "Rita", "user.email": "rita@example.org", "push.default": "current"}.items():
        git(["git", "-C", tmp_path / "site", "config", name, value])
    for text in ("first", "first", "second"):
        (tmp_path / "site" / "index.html").write_text(text)
        send([str(tmp_path / "push.sh")], tmp_path / "site")
    assert git(["git", "-C", tmp_path / "web.git", "show", "main:index.html"]) == "second"
    assert git(["git", "-C", tmp_path / "web.git", "rev-list", "--count", "main"]) == "2\n"


def test_the_cluster_guide_names_each_of_its_files() -> None:
    """CLUSTER.md names every file of the folder `cluster`, and the settings and options in those files exist.

    A slow test, `tests/faults/test_cluster.py`, tests the files themselves.
    """
    guide = (ROOT / "scorekeeper" / "server" / "CLUSTER.md").read_text()
    files = sorted((ROOT / "scorekeeper" / "server" / "cluster").iterdir())
    assert files
    assert [file.name for file in files if f"`{file.name}`" not in guide] == []
    env = (ROOT / "scorekeeper" / "server" / "cluster" / "scorekeeper.env").read_text()
    assert set(re.findall(r"^(\w+)=", env, re.MULTILINE)) <= {setting.name for setting in SETTINGS}
    (options,) = re.findall(r"options of `ExecStart` by `([^`]+)`", guide)
    serve.make_context("serve", shlex.split(options))


def test_the_image_contains_nothing_private() -> None:
    sources = [source for step in steps("COPY") for source in step.split()[:-1]]
    assert sources
    assert all((ROOT / source).exists() for source in sources)
    assert not {".", "*", "instance", ".venv", ".git"} & set(sources)


@pytest.mark.slow
def test_the_steps_of_the_dockerfile_start_a_healthy_server(tmp_path: Path) -> None:
    """The steps of the Dockerfile start a healthy server.

    This test runs the steps in a folder instead of a container, with this Python and pip's configured index.
    """
    for folder in ("opt", "data"):
        (tmp_path / folder).mkdir()
    for step in steps("COPY"):
        *sources, target = step.split()
        for source in sources:
            to = Path(f"{tmp_path}{target}")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, to)
    install = next(step for step in steps("RUN") if "pip install" in step)
    words = re.sub(r"(?<![\w.])/(opt|src)\b", rf"{tmp_path}/\1", install).replace(
        "python -m", f"{sys.executable} -m", 1
    )
    made = subprocess.run(["sh", "-c", words], capture_output=True, text=True, timeout=600, check=False)
    assert made.returncode == 0, made.stderr
    [entry], [health] = steps("ENTRYPOINT"), steps("HEALTHCHECK CMD")
    server = start(
        [f"{tmp_path}{json.loads(entry)[0]}", *json.loads(entry)[1:], "--port", "0"],
        environment(SCOREKEEPER_INSTANCE=str(tmp_path / "data"), PATH="/usr/bin:/bin"),
        cwd=tmp_path,
    )
    try:
        assert urlopen(f"{server.url}/readyz").read() == b"database: ok\nmigrations: ok\ndisk: ok\n"
        looks = [word.replace("http://127.0.0.1:8000", server.url) for word in json.loads(health)]
        subprocess.run([f"{tmp_path}{looks[0]}", *looks[1:]], check=True, timeout=60)
    finally:
        assert server.stop() == 0
        kill_group(server)
