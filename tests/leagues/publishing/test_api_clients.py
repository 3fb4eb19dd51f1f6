"""Programs that know only the API's description agree with the server: a tester, and two makers of clients.

The versions are schemathesis 4.32.5, openapi-python-client 0.29.1, openapi-typescript 7.13.0, openapi-fetch 0.17.0 and
TypeScript 5.9.3; .ci/full installs them. They ask a real server with the sample league.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import demo_archive
from scorekeeper.web.extensions import db
from tests.support.server_thread import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
KNOWN = """
[parameters]
"path.club" = "sample"
"path.season" = 3
"path.night" = 1
"""
"""What schemathesis asks for, instead of any club, season and night."""


@pytest.fixture
def api(app: Flask) -> Iterator[str]:
    """Yield the address of the API of a server on which the sample league is open."""
    with app.app_context():
        league = bring_in(demo_archive(datetime(2026, 11, 17, 20, 30, tzinfo=UTC)))
        device = db.session().scalars(select(LeagueRow.device)).one()
        save_club(league=league, is_open=True, slug="sample", names="full", device=device)
    with served(app) as port:
        yield f"http://127.0.0.1:{port}/api/1"


def program(name: str) -> str:
    """Return the path of a Python program that reads descriptions. Skip the test if it isn't installed."""
    folder = os.environ.get("SCOREKEEPER_READERS")
    if folder is None:
        pytest.skip("SCOREKEEPER_READERS is a Python environment with schemathesis and others: .ci/full makes it")
    return f"{folder}/bin/{name}"


def run(*words: str, folder: Path) -> str:
    """Run a command in `folder` and return what it prints. The test fails if the command fails."""
    env = os.environ | {"PATH": f"{Path(words[0]).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("known", [True, False])
def test_schemathesis_finds_no_answer_that_is_not_described(api: str, tmp_path: Path, *, known: bool) -> None:
    """Valid and invalid requests get what the description says, with the ids of the sample league and with any ids."""
    if known:
        (tmp_path / "schemathesis.toml").write_text(KNOWN)
    options = ("--seed", "1", "--max-examples", "25", "--generation-database", "none")
    said = run(program("schemathesis"), "run", f"{api}/openapi.json", *options, folder=tmp_path)
    found = re.search(r"(\d+) generated, (\d+) passed", said)
    assert found is not None, said
    assert found[1] == found[2]
    assert int(found[1]) > 100
    assert ("returned 404" in said) != known


def test_a_python_client_made_from_the_description_reads_every_answer(api: str, tmp_path: Path) -> None:
    maker = program("openapi-python-client")
    (tmp_path / "names.yml").write_text("package_name_override: club_client\n")
    command = (maker, "generate", "--url", f"{api}/openapi.json", "--meta", "none", "--config", "names.yml")
    run(*command, "--output-path", "made/club_client", "--fail-on-warning", folder=tmp_path)
    told = json.loads(run(program("python"), str(HERE / "use_client.py"), api, "made", folder=tmp_path))
    assert len(told) == 8
    for call, (places, answer) in told.items():
        words = call.removeprefix("get_").split("_")
        values = dict(zip(("club", "season", "night"), map(str, places), strict=False))
        way = "/".join(values.get(word, word) for word in words)
        with urlopen(f"{api}/{way}") as response:
            assert answer == json.load(response), way


def test_types_made_from_the_description_compile_and_read_the_standings(api: str, tmp_path: Path) -> None:
    packages = os.environ.get("SCOREKEEPER_NODE_MODULES")
    if packages is None or not Path(packages, "openapi-typescript").exists():
        pytest.skip("SCOREKEEPER_NODE_MODULES is the folder with openapi-typescript and others: .ci/full installs them")
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "use_types.ts", tmp_path)
    run(f"{packages}/.bin/openapi-typescript", f"{api}/openapi.json", "--output", "api.d.ts", folder=tmp_path)
    options = [
        "--strict",
        "--noUncheckedIndexedAccess",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
    ]
    types = ("--skipLibCheck", "--lib", "es2022,dom", "--types", "node")
    run(f"{packages}/.bin/tsc", *options, *types, "use_types.ts", folder=tmp_path)
    rank, numbers, sentence = json.loads(run("node", "use_types.js", api, folder=tmp_path))
    with urlopen(f"{api}/clubs/sample/seasons/3/standings") as response:
        rows = json.load(response)["standings"][0]["rows"]
    assert (rank, numbers) == (rows[0]["rank"], [row["values"]["points_per_game"] for row in rows])
    assert sentence == "No open club, season or night is at this address."
