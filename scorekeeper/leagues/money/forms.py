"""Forms for the fees and prizes of a season, and for the side pots, kitty and amounts of a night."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from wtforms import (
    BooleanField,
    DateField,
    HiddenField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
    TextAreaField,
)

from scorekeeper.games.presenters.agreements import amount_text, read_cents
from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.blueprint import KeyedForm
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number

_AMOUNT = {"inputmode": "decimal", "autocomplete": "off", "placeholder": N_("none")}
_LINES = {"autocomplete": "off", "spellcheck": "false"}
Typed = Mapping[str, str]
"""The text typed into each field, by name of the field."""


def _lines(text: str | None) -> str:
    return "\n".join(map(printable, (text or "").splitlines())).strip()


def _amount(label: str) -> Any:
    return StringField(label, default="", filters=[printable, str.strip], render_kw=_AMOUNT)


def money_fields() -> dict[str, Any]:
    """Return a dict of the form fields for the money of a season, by name of the setting."""
    return {
        "entry_fee": _amount(N_("Entry fee per night")),
        "per_set": _amount(N_("Charge per set (goes in the kitty)")),
        "payout": TextAreaField(
            N_("Prizes by place, per night"),
            default="",
            description=N_(
                "One line per place, first place on top: an amount (20.00) or a percentage (%(share)s). Amounts are "
                "paid first. Percentages divide the rest."
            ),
            filters=[_lines],
            render_kw={**_LINES, "rows": 3},
        ),
        "pots": TextAreaField(
            N_("Side pots"),
            default="",
            description=N_(
                "One line per pot: its name and what it costs per night, such as “Jackpot 2.00”. A pot that nobody "
                "wins rolls over."
            ),
            filters=[_lines],
            render_kw={**_LINES, "rows": 2, "dir": "auto"},
        ),
    }


class FeesForm(AppForm):
    """The form to mark each `person` (public id) as having paid the entry fee, or to remove the marks in `undo`."""

    person = SelectMultipleField()
    undo = SelectMultipleField()


class PotMembersForm(AppForm):
    """The form to choose who is in a side pot tonight and who won it. People are given by public id.

    `all_in` is the value of a button that puts many people into the pot at once (see `whole`).
    """

    pot = HiddenField(default="", filters=[printable])
    paid = SelectMultipleField()
    won = SelectMultipleField()
    all_in = HiddenField(default="")

    @property
    def whole(self) -> Literal["", "all", "last"]:
        """Return which people the pressed button puts into the side pot, in place of the people in `paid`.

        The result is "all" for everyone who was checked in tonight, or "last" for those of them who were in the pot the
        last time it was played for. The result is "" if the button doesn't replace the people in `paid`.
        """
        match self.all_in.data:
            case "all":
                return "all"
            case "last":
                return "last"
        return ""


class KittyForm(AppForm):
    """The form for the kitty of a night.

    The owner chooses whether the kitty is added to tonight's prizes. On the last night of a season, the owner can also
    move the side pots into the kitty.
    """

    opened = BooleanField(N_("Add the whole kitty to tonight's prizes"))
    last = BooleanField(N_("Last night of the season: move what is left in the pots into the kitty"))


class AmountForm(KeyedForm):
    """The form to add other money to the kitty, or to take money from it."""

    amount = StringField(
        N_("Amount"), default="", filters=[printable], render_kw={"inputmode": "decimal", "autocomplete": "off"}
    )
    way = RadioField(
        N_("In or out"), choices={"in": N_("into the kitty"), "out": N_("paid from the kitty")}, default="in"
    )
    reason = StringField(
        N_("Reason"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 120, "dir": "auto", "autocomplete": "off"},
    )

    @property
    def cents(self) -> int:
        """Return the amount in cents, negative for money paid out.

        Raises `RuleViolation` if the entered value isn't an amount.
        """
        cents = read_cents(self.amount.data or "")
        return -cents if self.way.data == "out" else cents


EVERYONE = "all"
"""Form value that selects everyone who has an account in the season."""


class PaymentForm(KeyedForm):
    """The form to enter what a player paid, got back or owes.

    `settle` is the value of the button that settles a player's account with one payment.
    """

    person = SelectField(N_("Player"), default="")
    amount = StringField(
        N_("Amount"), default="", filters=[printable], render_kw={"inputmode": "decimal", "autocomplete": "off"}
    )
    way = RadioField(
        N_("Type"),
        choices={"paid": N_("paid"), "back": N_("got a refund"), "owes": N_("owes (dues, for example)")},
        default="paid",
    )
    day = DateField(N_("Date"))
    what = StringField(
        N_("Note (optional)"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 120, "dir": "auto", "autocomplete": "off"},
    )
    settle = HiddenField(default="")

    @property
    def cents(self) -> int:
        """Return the amount in cents, negative for a refund.

        Raises `RuleViolation` if the entered value isn't an amount.
        """
        cents = _cents(self.amount.data or "", "amount")
        return -cents if self.way.data == "back" else cents

    @property
    def settled(self) -> tuple[str, int]:
        """Return the (player, cents) pair of the button that settles a player's account.

        The player is a public id, and the cents are the amount that the button showed. The result is ("", 0) if another
        button was pressed.
        """
        person, _space, cents = (self.settle.data or "").partition(" ")
        return person, whole_number(cents, 9) or 0


PERCENT = re.compile(r"([0-9]{1,3})\s*%\Z")
POT = re.compile(r"(.+?)[\s:=]+([$€£]?\s*[0-9]+(?:[.,][0-9]{1,2})?\s*[$€£]?)\Z")


def read_money(typed: Typed) -> MoneySettings:
    """Return the money settings typed into a form. Raises `RuleViolation` with the name of the invalid field."""
    return MoneySettings.from_json(
        {
            "entry_fee": _cents(typed["entry_fee"], "entry_fee"),
            "per_set": _cents(typed["per_set"], "per_set"),
            "payout": [_share(place, line) for place, line in enumerate(_parts(typed["payout"]), 1)],
            "pots": [_pot(line.strip()) for line in typed["pots"].splitlines() if line.strip()],
        }
    )


def typed_money(settings: MoneySettings) -> Typed:
    """Return money settings as a dict of form values, by field.

    `read_money` turns these values back into the same settings.
    """
    return {
        "entry_fee": amount_text(settings.entry_fee) if settings.entry_fee else "",
        "per_set": amount_text(settings.per_set) if settings.per_set else "",
        "payout": "\n".join(
            f"{share.percent}%" if share.percent else amount_text(share.fixed) for share in settings.payout
        ),
        "pots": "\n".join(f"{pot.name} {amount_text(pot.entry)}" for pot in settings.pots),
    }


def _cents(text: str, field: str) -> int:
    try:
        return read_cents(text)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, violation.message, field=field) from None


def _cents_or_none(text: str) -> int | None:
    try:
        return read_cents(text)
    except RuleViolation:
        return None


def _parts(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]


def _share(place: int, line: str) -> dict[str, int]:
    """Read the prize of a place, such as "25", "1st $25" or "1. 50%". Any other place in the line is refused."""
    text = re.sub(rf"\A{place}[^\s\d%$€£¥]{{1,3}}\s+", "", line)
    percent, cents = PERCENT.match(text), _cents_or_none(text)
    if percent and int(percent[1]) <= 100:
        return {"percent": int(percent[1])}
    if cents is None:
        message = Phrase(
            "“%(line)s”: enter the prize for place %(place)s as an amount (%(amount)s) or a percentage (%(share)s).",
            line=line[:40],
            place=place,
            amount=amount_text(2000),
            share="50%",
        )
        raise RuleViolation("payout_line", message, field="payout")
    return {"fixed": cents}


def _pot(line: str) -> dict[str, object]:
    found = POT.match(line)
    entry = _cents_or_none(found[2]) if found else None
    if found is None or entry is None:
        message = Phrase(
            "“%(line)s”: enter the pot's name and what it costs, such as “High hand 1.00”.", line=line[:40]
        )
        raise RuleViolation("pot_line", message, field="pots")
    return {"name": found[1], "entry": entry}
