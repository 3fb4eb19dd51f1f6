"""Setback Scorekeeper keeps score at a card table, on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.config import Settings

__version__ = "1.1.0"


def create_app(settings: Settings | None = None) -> Flask:
    """Return the web app with the given settings, or by default with those from the environment.

    This doesn't create or migrate the database. The commands `scorekeeper serve` and `scorekeeper db upgrade` do that.
    Raises `config.SettingsError` for an invalid or unsafe setting.
    """
    # Imported here so that `scorekeeper score` starts without Flask and SQLAlchemy.
    from scorekeeper import config, ops, web
    from scorekeeper.db.data_folder import read_or_make_key
    from scorekeeper.web.extensions import connect_extensions
    from scorekeeper.web.links import AddressedFlask

    settings = settings or config.from_environment()
    app = AddressedFlask(__name__, static_folder=None, template_folder=config.asset_folder("templates"))
    app.config.from_mapping(config.flask_config(settings))
    app.config["SECRET_KEY"] = settings.secret_key or read_or_make_key(settings.instance)
    ops.connect(app)  # first, so that requests refused by the others are logged too
    connect_extensions(app)
    web.connect(app)
    register_pages(app)
    return app


def register_pages(app: Flask) -> None:
    """Add the pages of games, leagues, accounts and the operator to `app`."""
    from scorekeeper.accounts.views import bp as accounts
    from scorekeeper.games.routes import bp as games
    from scorekeeper.leagues.routes import bp as leagues
    from scorekeeper.ops.operator.views import bp as operator

    app.register_blueprint(games)
    app.register_blueprint(leagues)
    app.register_blueprint(accounts)
    app.register_blueprint(operator)
