"""Count the modules that a request goes through: a hand that is saved, and the standings, first and again.

Run: python tests/bench/walk.py

Only calls of functions in `scorekeeper/` count, as `sys.setprofile` reports them. A crossing is a call from one module
into another. The season has three nights of four tables.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper import create_app  # noqa: E402  the checkout must be on the path first
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402
from tests.bench.season_rows import fill  # noqa: E402
from tests.support.game import CLEAN, bid, check, path_of, play, points, start  # noqa: E402
from tests.support.phone import Phone  # noqa: E402


def main() -> None:
    """Print a line for each walk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        settings = Settings(instance=path, database_url=f"sqlite:///{path / 'bench.db'}", secret_key="0" * 32)
        boot(settings)
        app = create_app(settings)
        app.testing = True
        app.test_client_class = Phone
        phone = app.test_client()
        assert isinstance(phone, Phone)
        board = start(phone)
        for hand in (CLEAN[0], CLEAN[1]):
            board = play(phone, board, *hand)
        checked = check(phone, bid(phone, board, 0, 4), points("AAAA"))
        form = checked.form(f"{path_of(checked)}/hands").values
        fields = {**form, "mode": "points", "sure": form["seen"], **points("AAAA")}
        headers = {"X-Part": "board"}
        print_walk("a hand is saved, with the next page", lambda: save(phone, path_of(checked), fields, headers))

        with app.app_context():
            _league, season, _night = fill(DEVICE, 3, 4)
        desk = app.test_client()
        desk.set_cookie(COOKIE, SECRET)
        for name in ("standings, first", "standings, again"):
            print_walk(name, lambda: desk.get(f"/seasons/{season}"))


def save(phone: Phone, game: str, fields: Mapping[str, object], headers: dict[str, str]) -> None:
    """Save the hand and follow to the board, as a browser does."""
    response = phone.post(f"{game}/hands", data=fields, headers=headers)
    assert response.status_code in {200, 303}, response.status
    if response.status_code == 303:
        phone.see(response.location)


def print_walk(name: str, act: Callable[[], object]) -> None:
    """Print how many modules and functions `act` went through, and how often it crossed from one module to another."""
    modules: Counter[str] = Counter()
    functions: set[object] = set()
    crossings = 0

    def seen(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal crossings
        if event != "call" or not (here := module_of(frame)):
            return
        modules[here] += 1
        functions.add(frame.f_code)
        caller = frame.f_back
        if caller is not None and (there := module_of(caller)) and there != here:
            crossings += 1

    sys.setprofile(seen)
    try:
        act()
    finally:
        sys.setprofile(None)
    print(f"{name}: {len(modules)} modules, {len(functions)} functions, {crossings} crossings")
    by_package = Counter(module.split("/")[0] for module in modules)
    print("   ", ", ".join(f"{package} {count}" for package, count in by_package.most_common()))


def module_of(frame: FrameType) -> str:
    """Return the path of the frame's module inside `scorekeeper`, or "" if it is another package's."""
    name = frame.f_code.co_filename
    prefix = str(ROOT / "scorekeeper") + "/"
    return name.removeprefix(prefix) if name.startswith(prefix) else ""


if __name__ == "__main__":
    main()
