"""The built package contains all files that the app needs, so an app installed from it serves the home page."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from scorekeeper.web.assets import lean
from tests.support.server import environment, kill_group, start

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and return its path."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    (built,) = folder.glob("setback_scorekeeper-*.whl")
    return built


def test_the_wheel_is_complete_and_holds_nothing_private(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for top in ("templates", "static"):
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                assert f"scorekeeper/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "scorekeeper" / "migrations").rglob("*.[!p]*"):
        if path.suffix == ".pyc":
            continue
        assert path.relative_to(ROOT).as_posix() in names
    for path in (ROOT / "scorekeeper" / "translations").rglob("*.po"):
        assert path.relative_to(ROOT).as_posix() in names
    for path in (ROOT / "scorekeeper" / "migrations" / "versions").glob("*.py"):
        assert path.relative_to(ROOT).as_posix() in names
    for path in (*(ROOT / "scorekeeper").rglob("*.md"), *(ROOT / "scorekeeper" / "server" / "monitoring").iterdir()):
        assert path.relative_to(ROOT).as_posix() in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"scorekeeper", "setback_scorekeeper"}
    assert not [name for name in names if "instance" in name or name.endswith((".db", ".pyc", "secret_key"))]


@pytest.mark.slow
def test_the_installed_package_serves_the_home_page(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    env = environment(PYTHONPATH=str(target), HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "data"))
    server = start([sys.executable, "-m", "scorekeeper", "--port", "0"], env=env, cwd=tmp_path)
    try:
        home = urlopen(server.url).read().decode()
        assert "<h1>" in home
        style = home.split('<link rel="stylesheet" href="')[1].split('"')[0]
        assert urlopen(server.url + style).read().decode() == lean((ROOT / "static" / "css" / "app.css").read_text())
        assert (tmp_path / "data" / "setback-scorekeeper" / "scorekeeper.db").is_file()
        assert str(target) in where_is(env, tmp_path)
    finally:
        assert server.stop() == 0
        kill_group(server)


def where_is(env: dict[str, str], cwd: Path) -> str:
    """Return the file of the `scorekeeper` package that Python imports in the folder `cwd`.

    `env` are Python's environment variables.
    """
    words = [sys.executable, "-c", "import scorekeeper; print(scorekeeper.__file__)"]
    return subprocess.run(words, env=env, cwd=cwd, check=True, capture_output=True, text=True, timeout=60).stdout
