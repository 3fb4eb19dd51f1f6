"""Links in page models: which page, not at which address. The template asks for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import url_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask


class PageLink(NamedTuple):
    """A page, as `url_for` is asked for it; `_anchor` in `values` is the place on it."""

    endpoint: str
    values: Mapping[str, str | int]


def address(link: PageLink) -> str:
    """Return the address of a page on this server."""
    return url_for(link.endpoint, **link.values)  # type: ignore[arg-type]


def connect(app: Flask) -> None:
    """Give the templates of `app` the filter `address`."""
    app.add_template_filter(address)
