"""Two ways to run the phone's rules in a test: in Node, or in a page of a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.rules.client import PLAY_JS, RULES_JS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.rules.client import Play

NODE_JS = """
import { createInterface } from "node:readline";
const rules = await import(process.argv[1]);
const play = PLAY;
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(play(rules, JSON.parse(line)))}\\n`);
}
"""
"""JavaScript for Node that reads a JSON list of games from each line of its input.

For each line, it prints a line with the JSON list of the results.
"""


@contextmanager
def in_node(program: str, script: Path = RULES_JS) -> Iterator[Play]:
    """Yield a function that runs the phone's rules in a Node process; `program` is the path of Node.

    `script` is the file with the phone's rules.
    """
    with TemporaryDirectory() as folder:
        # Node takes a file called .js for another kind of script.
        module = Path(folder, "rules.mjs")
        shutil.copy(script, module)
        code = NODE_JS.replace("PLAY", PLAY_JS, 1)
        started = [program, "--input-type=module", "-e", code, module.as_uri()]
        with subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
            assert node.stdin is not None
            assert node.stdout is not None
            asks, answers = node.stdin, node.stdout

            def play(games: object) -> list[object]:
                asks.write(json.dumps(games).encode() + b"\n")
                asks.flush()
                answered: list[object] = json.loads(answers.readline())
                return answered

            yield play


def in_page(page: Page, script: Path = RULES_JS) -> Play:
    """Return a function that runs the phone's rules in a blank page of a browser.

    `script` is the file with these rules.
    """
    page.goto("about:blank")
    address = f"data:text/javascript,{quote(script.read_text())}"
    rules = page.evaluate_handle("(address) => import(address)", address)
    play_there = page.evaluate_handle(f"() => {PLAY_JS.strip()}")

    def play(games: object) -> list[object]:
        asked = [play_there, rules, json.dumps(games)]
        answer = page.evaluate("([play, rules, games]) => JSON.stringify(play(rules, JSON.parse(games)))", asked)
        answered: list[object] = json.loads(answer)
        return answered

    return play
