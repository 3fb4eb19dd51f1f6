"""The application's routes, and what stands in their addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from werkzeug.exceptions import HTTPException, MethodNotAllowed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask
    from werkzeug.routing import Rule

METHODS = frozenset(("GET", "POST"))
SECRETS = frozenset(("token", "word", "secret"))
"""What stands in an address for a word that brings a right."""
BY_A_SECRET = frozenset(("games.join_table", "games.let_in", "games.recover", "leagues.accept", "leagues.accept_anew"))
"""Where such a word is sent in a form."""


class Routes:
    """All routes; an address is a path, with its query or without."""

    def __init__(self, app: Flask) -> None:
        rules = list(app.url_map.iter_rules())
        self.all = [(rule, method) for rule in rules for method in sorted(METHODS & (rule.methods or set()))]
        self._urls = app.url_map.bind("localhost")
        self._by_a_secret = BY_A_SECRET | {rule.endpoint for rule in rules if SECRETS & rule.arguments}

    def rule(self, address: str, method: str) -> Rule | None:
        """Return the route that answers, None where none does."""
        try:
            return self._urls.match(address.partition("?")[0], method, return_rule=True)[0]
        except HTTPException:
            return None

    def endpoint(self, address: str, method: str) -> str:
        """Return the name of what answers, "" where nothing does."""
        rule = self.rule(address, method)
        return "" if rule is None else str(rule.endpoint)

    def asked(self, address: str, method: str) -> tuple[str, list[str]]:
        """Return what was asked, and as which of its methods: all of them where it has not this one."""
        try:
            self._urls.match(address.partition("?")[0], method)
        except MethodNotAllowed as error:
            methods = [each for each in METHODS & set(error.valid_methods or ()) if self.endpoint(address, each)]
        except HTTPException:
            methods = []
        else:
            methods = [method]
        return (self.endpoint(address, methods[0]) if methods else ""), methods

    def by_a_secret(self, endpoint: str) -> bool:
        """Return whether a word that somebody was given brings a right here."""
        return endpoint in self._by_a_secret


def built(rule: Rule, values: Mapping[str, str]) -> str:
    """Return the address of a route with these in it, also where they are none that it takes."""

    def put(match: re.Match[str]) -> str:
        name = match[1].rpartition(":")[2]
        return quote(values[name], safe="/" if name == "filename" else "", errors="replace")

    return re.sub(r"<([^>]+)>", put, rule.rule)
