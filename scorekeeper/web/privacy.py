"""The page that says what is kept of people. It is the same for everybody and asks for no cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, render_template

from scorekeeper.web.retained_data import KEPT

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Serve the page at `/privacy`."""
    app.add_url_rule("/privacy", view_func=privacy)


def privacy() -> str:
    """Show what is kept, why and for how long, and whom to ask."""
    return render_template("privacy.html", kept=KEPT, contact=current_app.config["CONTACT"])
