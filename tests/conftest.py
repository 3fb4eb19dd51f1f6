"""Fixtures for all tests: an app with its own database, and a phone that checks each page."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, ClassVar

import pytest
from flask import Flask, before_render_template, g, has_app_context, template_rendered
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import Engine, event
from werkzeug.routing import Rule

from scorekeeper import create_app
from scorekeeper.config import Settings
from scorekeeper.db.outages import Maintenance
from scorekeeper.ops.boot import boot
from scorekeeper.ops.health import Looker
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db
from tests.support import databases
from tests.support.phone import Phone
from tests.support.postgresql import cluster
from tests.support.quick_draws import quick_draws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableSequence
    from pathlib import Path
    from types import CodeType

    from jinja2 import Template
    from jinja2.bccache import Bucket

    from scorekeeper.web.rate_limit import Limiter

# A test must not fail because the machine is busy, nor one time in a hundred: the same commit gets the same examples.
settings.register_profile(
    "tests", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")

MAY_ASK = ("database", "sqlite", "postgresql", "slow")
"""Markers of tests that may use a database without the fixture `app`.

A test with neither that fixture nor one of these markers is a unit test.
"""

MOST_SECONDS_OF_A_UNIT, MOST_SECONDS = 5, 20
"""Most processor seconds of a unit test, and of any other test of the default suite, on a fast computer."""
A_ROUND = 0.03
"""Processor seconds of `a_round` on a fast computer. Others get more time, and so does one that is busy."""

SIZE = "access matrix"
"""Name of the property in which tests of access rights report what they requested.

Its value is a list: names of routes, number of roles, names of objects, number of requests.
"""


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run the tests: one for each core."""
    return os.cpu_count() or 1


def pytest_configure(config: pytest.Config) -> None:
    """If the tests use PostgreSQL, start one server that all processes of this run share."""
    if databases.on_postgresql() and databases.SERVER not in os.environ:
        stack = ExitStack()
        os.environ[databases.SERVER] = str(stack.enter_context(cluster()).folder)
        config.add_cleanup(stack.close)


COUNTED = "counted"
"""Name of the property in which long random tests report how much they tried: numbers by what was counted."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: MutableSequence[pytest.Item]) -> None:
    """Mark the tests that use the database, and deselect the tests that don't apply to the chosen kind of database."""
    for item in items:
        # What all pages share, in web/, knows no game, and so no database.
        looks = item.get_closest_marker("looks") or item.path.parent.name == "web"
        if "app" in getattr(item, "fixturenames", ()) and not looks:
            item.add_marker("database")
    on_postgresql = databases.on_postgresql()
    other = "sqlite" if on_postgresql else "postgresql"
    chosen = [item for item in items if not item.get_closest_marker(other)]
    if on_postgresql:
        chosen = [item for item in chosen if item.get_closest_marker("database")]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def pytest_collection_finish() -> None:
    """Let the garbage collector skip the program and the tests, which stay in memory until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many routes, roles and objects the tests of access rights covered, and what random tests tried."""
    passed = terminalreporter.stats.get("passed", ())
    tried = Counter[str]()
    for report in passed:
        tried.update({key: number for name, told in report.user_properties if name == COUNTED for key, number in told})
    if tried:
        terminalreporter.write_line(", ".join(f"{number} {key}" for key, number in sorted(tried.items())))
    told = [size for report in passed for name, size in report.user_properties if name == SIZE]
    if told:
        routes, things = (len({each for size in told for each in size[place]}) for place in (0, 2))
        roles = max(size[1] for size in told)
        requests = sum(size[3] for size in told)
        terminalreporter.write_line(f"{SIZE}: {routes} routes x {roles} roles x {things} objects, {requests} requests")


def settings_in(folder: Path) -> Settings:
    """Return settings for a server with its data in `folder`."""
    return Settings(
        instance=folder,
        database_url=databases.url_for(folder),
        secret_key="0123456789abcdef0123456789abcdef",
        limits=False,
    )


@pytest.fixture(scope="session")
def empty_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an empty, migrated database. `databases.copy_book` copies it for each test."""
    folder = tmp_path_factory.mktemp("empty")
    databases.variables_for(folder)
    boot(settings_in(folder))
    return folder


class TemplatesReadOnce(FileSystemBytecodeCache):
    """A cache of compiled templates. Each process reads each template from disk only once."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self.read: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Put the compiled template into `bucket` if the cache has that template."""
        key = (bucket.key, bucket.checksum)
        if key in self.read:
            bucket.code = self.read[key]
            return
        super().load_bytecode(bucket)
        if bucket.code is not None:
            self.read[key] = bucket.code


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> FileSystemBytecodeCache:
    """Return a cache of compiled templates that the apps of all tests share, in all processes."""
    folder = tmp_path_factory.getbasetemp() / "templates"
    if worker_id != "master":
        folder = tmp_path_factory.getbasetemp().parent / "templates"
    folder.mkdir(exist_ok=True)
    return TemplatesReadOnce(folder)


class RuleBuiltOnce(Rule):
    """A route that each process compiles only once.

    Compiling all routes again for each test's app would take longer than many tests.
    """

    built: ClassVar[dict[tuple[object, ...], dict[str, object]]] = {}

    def compile(self) -> None:
        """Compile the route, or copy the result from the same route of another app."""
        assert self.map is not None
        key = (self.rule, self.subdomain, repr(self.defaults), self.merge_slashes, self.map.converters["int"])
        if key not in self.built:
            before = dict(vars(self))
            super().compile()
            made = {name: value for name, value in vars(self).items() if before.get(name) is not value}
            self.built[key] = made | {"arguments": self.arguments}
        vars(self).update(self.built[key])


Flask.url_rule_class = RuleBuiltOnce


def is_unit(item: pytest.Item) -> bool:
    """Return whether a test is a unit test, which uses neither an app nor a database."""
    return "app" not in getattr(item, "fixturenames", ()) and not any(map(item.get_closest_marker, MAY_ASK))


def a_round() -> float:
    """Return the processor seconds that a fixed piece of work takes on this computer at the moment."""
    before = time.process_time()
    sum(number * number for number in range(1_000_000))
    return time.process_time() - before


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test of the default suite that takes too long, so that the suite stays quick.

    Processor time is compared, because it hardly depends on what else the machine does.
    """
    before = time.process_time()
    yield
    took = time.process_time() - before
    most = MOST_SECONDS_OF_A_UNIT if is_unit(item) else MOST_SECONDS
    if took > most and not any(map(item.get_closest_marker, ("slow", "browser"))):
        allowed = most * max(1.0, a_round() / A_ROUND)
        if took > allowed:
            pytest.fail(f"It took more than {allowed:.0f} s of processor time: make it quicker, or mark it slow.")


@contextmanager
def no_database() -> Iterator[None]:
    """Raise `AssertionError` for each database query inside the `with` block, on any engine."""

    def refuse(_conn: object, _cursor: object, statement: str, *_more: object) -> None:
        raise AssertionError(
            f"a unit test asked the database: {statement}\n"
            "Make what it tests a function of values; or, if it is about stored rows, ask for the fixture `app` or "
            "mark it @pytest.mark.database, and it runs on PostgreSQL too (@pytest.mark.sqlite: on SQLite alone)."
        )

    event.listen(Engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", refuse)


@pytest.fixture(autouse=True)
def unit_tests_ask_no_database(request: pytest.FixtureRequest) -> Iterator[None]:
    """Make a unit test fail if it queries a database."""
    if is_unit(request.node):
        with no_database():
            yield
    else:
        yield


@contextmanager
def no_queries_from_templates(app: Flask) -> Iterator[None]:
    """Raise `AssertionError` if a template of `app` queries the database inside the `with` block.

    Templates may use only the page model that the view gave them.
    """

    def begin(_app: Flask, template: Template, **_more: object) -> None:
        g.drawing = template.name

    def end(_app: Flask, **_more: object) -> None:
        g.pop("drawing", None)

    def refuse(_conn: object, _cursor: object, statement: str, *_more: object) -> None:
        assert not has_app_context() or "drawing" not in g, (
            f"the template {g.drawing} queried the database: {statement}"
        )

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", refuse)
    with before_render_template.connected_to(begin, app), template_rendered.connected_to(end, app):
        yield
    event.remove(engine, "before_cursor_execute", refuse)


def application(folder: Path, compiled_templates: FileSystemBytecodeCache) -> Flask:
    """Return a new application for the database in `folder`, whose test clients are phones."""
    app = create_app(settings_in(folder))
    app.testing = True
    app.test_client_class = Phone
    app.jinja_env.bytecode_cache = compiled_templates
    return app


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory, compiled_templates: FileSystemBytecodeCache) -> Flask:
    """Return the application of all tests of this process.

    Its data folder is a symbolic link, which leads to the folder of the test that runs. With a new application for each
    test, routes, templates and SQL statements would be compiled again and again.
    """
    return application(tmp_path_factory.mktemp("app") / "data", compiled_templates)


@contextmanager
def as_it_was(app: Flask, folder: Path) -> Iterator[None]:
    """Lead `app` to the data in `folder`, and take back what the `with` block changes in its configuration."""
    link: Path = app.config["INSTANCE"]
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    config, extensions = dict(app.config), dict(app.extensions)
    app.extensions["maintenance"], app.extensions["looker"] = Maintenance(), Looker(app)
    app.extensions["database_file"].opened = None
    yield
    for changed, before in ((app.config, config), (app.extensions, extensions)):
        changed.clear()
        changed.update(before)


@pytest.fixture
def app(
    request: pytest.FixtureRequest, empty_book: Path, tmp_path: Path, compiled_templates: FileSystemBytecodeCache
) -> Iterator[Flask]:
    """Yield an application whose own empty database is in `tmp_path`.

    It is new for a test with the marker `new_app`, and on PostgreSQL. All other tests of a process share one.
    """
    databases.copy_book(empty_book, tmp_path)
    with ExitStack() as around:
        if databases.on_postgresql() or request.node.get_closest_marker("new_app"):
            app = application(tmp_path, compiled_templates)
        else:
            app = request.getfixturevalue("shared_app")
            around.enter_context(as_it_was(app, tmp_path))
        around.enter_context(no_queries_from_templates(app))
        around.enter_context(quick_draws())
        yield app
        with app.app_context():
            db.engine.dispose()
    databases.drop_book(tmp_path)


@pytest.fixture
def new_phone(app: Flask) -> Callable[[], Phone]:
    """Return a function that returns a new phone, without cookies."""

    def new() -> Phone:
        phone = app.test_client()
        assert isinstance(phone, Phone)
        return phone

    return new


@pytest.fixture
def client(new_phone: Callable[[], Phone]) -> Phone:
    """Return a new phone without cookies. Most tests use this one."""
    return new_phone()


@pytest.fixture
def limiter(app: Flask) -> Iterator[Limiter]:
    """Turn the rate limits on in `app`, as they are by default outside of tests, and yield the limiter."""
    app.config["LIMITS"] = True
    rate_limit.connect(app)
    counter: Limiter = app.extensions["limiter"]
    yield counter
    counter.storage.engine.dispose()
