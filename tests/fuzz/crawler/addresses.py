"""The app's routes, and what the variable parts of their addresses mean."""

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
"""Names of the variable parts of addresses whose value is a secret token that gives anyone who has it a right."""
BY_A_SECRET = frozenset(("games.join_table", "games.let_in", "games.recover", "leagues.accept", "leagues.accept_anew"))
"""Endpoints whose forms contain a token that grants a right."""


class Routes:
    """All routes of the app. An address is a path, with or without a query."""

    def __init__(self, app: Flask) -> None:
        rules = list(app.url_map.iter_rules())
        self.all = [(rule, method) for rule in rules for method in sorted(METHODS & (rule.methods or set()))]
        self._urls = app.url_map.bind("localhost")
        self._by_a_secret = BY_A_SECRET | {rule.endpoint for rule in rules if SECRETS & rule.arguments}

    def rule(self, address: str, method: str) -> Rule | None:
        """Return the route that answers a request; None if there is none."""
        try:
            return self._urls.match(address.partition("?")[0], method, return_rule=True)[0]
        except HTTPException:
            return None

    def endpoint(self, address: str, method: str) -> str:
        """Return the endpoint that answers a request, or "" if there is none."""
        rule = self.rule(address, method)
        return "" if rule is None else str(rule.endpoint)

    def asked(self, address: str, method: str) -> tuple[str, list[str]]:
        """Return the endpoint and the list of methods under which a request is counted in the statistics.

        If the address allows `method`, that is the only method in the list. Otherwise the list has all methods that the
        address allows. If there is no such address, the endpoint is "" and the list is empty.
        """
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
        """Return whether requests to `endpoint` carry a secret token that grants a right."""
        return endpoint in self._by_a_secret


def built(rule: Rule, values: Mapping[str, str]) -> str:
    """Return the address of a route with `values` in its variable parts.

    The route need not accept these values.
    """

    def put(match: re.Match[str]) -> str:
        name = match[1].rpartition(":")[2]
        return quote(values[name], safe="/" if name == "filename" else "", errors="replace")

    return re.sub(r"<([^>]+)>", put, rule.rule)
