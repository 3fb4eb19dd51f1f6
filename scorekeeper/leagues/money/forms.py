"""The money of a season as a director types it, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.games.forms import plain
from scorekeeper.games.presenters.agreements import amount_text, read_cents
from scorekeeper.leagues.money.pages import MoneyFields
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

FIELDS = ("entry_fee", "per_set", "payout", "pots")
PREFIX = "money-"
MONEY_FIELD = PREFIX + FIELDS[0]
"""A field that every form with money has."""
PERCENT = re.compile(r"([0-9]{1,3})\s*%\Z")
POT = re.compile(r"(.+?)[\s:=]+([0-9]+(?:[.,][0-9]{1,2})?)\Z")


def money_lines(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the fields of a form that have lines, each line as `plain` has it."""
    return {
        key: "\n".join(plain(MultiDict({"line": line}))["line"] for line in form[key].splitlines())
        for key in (PREFIX + "payout", PREFIX + "pots")
        if key in form
    }


def typed_money(fields: Mapping[str, str]) -> MoneyFields:
    """Return what a form says of money, as it was typed."""
    return MoneyFields(**{key: fields.get(PREFIX + key, "").strip() for key in FIELDS})


def money_of(typed: MoneyFields) -> dict[str, Any]:
    """Return the money of a season as it is stored, empty where none is played for.

    Raises `RuleViolation` (field = "money." and the field) for what cannot be.
    """
    try:
        settings = read_money(typed)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, violation.message, field=f"money.{violation.field}") from None
    return {} if settings == MoneySettings() else settings.to_json()


def read_money(typed: MoneyFields) -> MoneySettings:
    """Return the money that was typed; raises `RuleViolation` (field = the field) for what cannot be."""
    return MoneySettings.from_json(
        {
            "entry_fee": _cents(typed.entry_fee, "entry_fee"),
            "per_set": _cents(typed.per_set, "per_set"),
            "payout": [_share(text.strip()) for text in re.split(r"[;\n]", typed.payout) if text.strip()],
            "pots": [_pot(line.strip()) for line in typed.pots.splitlines() if line.strip()],
        }
    )


def fields_of(settings: MoneySettings) -> MoneyFields:
    """Return how the settings would be typed; `read_money` reads the same ones."""
    return MoneyFields(
        entry_fee=amount_text(settings.entry_fee) if settings.entry_fee else "",
        per_set=amount_text(settings.per_set) if settings.per_set else "",
        payout="\n".join(
            f"{share.percent}%" if share.percent else amount_text(share.fixed) for share in settings.payout
        ),
        pots="\n".join(f"{pot.name} {amount_text(pot.entry)}" for pot in settings.pots),
    )


def _cents(text: str, field: str) -> int:
    try:
        return read_cents(text)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, violation.message, field=field) from None


def _share(text: str) -> dict[str, int]:
    percent = PERCENT.match(text)
    return {"percent": int(percent[1])} if percent else {"fixed": _cents(text, "payout")}


def _pot(line: str) -> dict[str, object]:
    found = POT.match(line)
    if found is None:
        message = Phrase(
            "“%(line)s”: write the name of the pot and what it costs, like “High hand 1.00”.", line=line[:40]
        )
        raise RuleViolation("pot_line", message, field="pots")
    return {"name": found[1], "entry": _cents(found[2], "pots")}
