"""Pages for agreements that are not about hands: house rules, adjustments, an early end, settling up."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, count, islice
from types import SimpleNamespace
from typing import Any

from babel.numbers import format_currency, format_decimal, get_currency_precision
from msgspec import structs

from scorekeeper.games.pages.common import Choice, Effect, EndingPage, OptionField, Payment, SettlementPage
from scorekeeper.games.presenters.evening import evening_game
from scorekeeper.games.presenters.new_game import option_fields
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, new_tap_id, side_views
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.games.store.series import GameOfEvening
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import SideName, number, said
from scorekeeper.rules import money
from scorekeeper.rules.commands import Command, decide
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import advance
from scorekeeper.rules.ruleset import differing
from scorekeeper.web.locale import currency_here, page_language
from scorekeeper.web.settings import SIGNS

METHODS: Mapping[str, tuple[str, str]] = {
    "vs_average": (
        N_("Versus average"),
        N_("Each point above or below the average score is worth a fixed amount."),
    ),
    "pairwise": (N_("Head to head"), N_("Each pair of sides settles the difference in score.")),
    "winner_takes": (N_("Losers pay the winner"), N_("Each loser pays a fixed amount, plus more for each set.")),
    "pot_per_set": (N_("A pot for sets"), N_("Every set pays into a pot; the winner takes it.")),
}
RATES: Mapping[str, tuple[str, str]] = {
    "rate": (N_("Per point"), "0.25"),
    "base": (N_("Per game lost"), "1.00"),
    "per_set": (N_("Per set"), "0.25"),
}
"""Label and default value of each rate."""
CURRENCY = re.compile(r"^[$€£¥]\s*(?=[\d.,])|(?<=[\d.,])\s*[$€£¥]$")
"""Pattern of a currency sign before or after an amount: people write it, and it is ignored."""
NO_CURRENCY = "none"
AMOUNT = re.compile(r"[0-9]{1,5}(\.[0-9]{0,2})?|\.[0-9]{1,2}")


def change_rules_page(
    snapshot: Snapshot,
    options: Mapping[str, Any] | None = None,
    *,
    effect: Effect | None = None,
    violation: RuleViolation | None = None,
) -> SimpleNamespace:
    """Return the page that changes the house rules of a game in progress.

    The form shows `options`, or the current rules if `options` is None. `effect` is the effect of these options, or
    None if the player has not asked for the effect yet. The message of `violation` is shown at the field that is wrong.
    """
    rules = snapshot.game.table.rules
    preset = PRESETS[rules.preset]
    wanted = differing(preset, rules) if options is None else options
    field = violation.field or "" if violation else ""
    message = violation.message if violation else ""
    fields = option_fields(preset, wanted, field, message)
    return SimpleNamespace(
        game_id=snapshot.public_id,
        options=fields,
        effect=effect,
        error="" if any(each.error for each in fields) else spoken(message),
        version=snapshot.game.version,
        client_id=new_tap_id(),
    )


def adjust_page(snapshot: Snapshot, *, effect: Effect | None = None, error: str = "") -> SimpleNamespace:
    """Return the page that adjusts a score.

    `effect` is the effect of the adjustment, or None if the player has not asked for the effect yet.
    """
    return SimpleNamespace(
        game_id=snapshot.public_id,
        sides=side_views(snapshot.game, snapshot.sides),
        effect=effect,
        error=error,
        version=snapshot.game.version,
        client_id=new_tap_id(),
    )


def ending_page(snapshot: Snapshot, command: Command, action: str, winner: str) -> EndingPage:
    """Return the page that asks for confirmation before `command` ends the game.

    `action` is the address of the form. `winner` is the index of the winning side as text, or "" if no side wins.
    Raises `RuleViolation` if the game can't be ended in this way.
    """
    game, sides = snapshot.game, snapshot.sides
    ended = outcome_view(advance(game, decide(game, command)), sides)
    assert ended is not None
    score = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.tally.totals, strict=True))
    return EndingPage(
        game_id=snapshot.public_id,
        result=f"{ended.headline}. {ended.reason}",
        score=_("The score stays as it is: %(score)s.", score=score),
        action=action,
        winner=winner,
        version=game.version,
        client_id=new_tap_id(),
    )


Worked = tuple[tuple[Payment, ...], tuple[str, ...]]
"""What each player pays or gets, and sentences that explain it."""


def settlement_page(snapshot: Snapshot, fields: Mapping[str, str], *, asked: bool) -> SettlementPage:
    """Return the settling-up page for the method, the rates and the currency in `fields`.

    If `asked` is False, the page shows only the form, filled in with `fields`.
    """
    return _settlement(snapshot.public_id, fields, asked, partial(_payments, snapshot))


def night_settlement_page(
    public_id: str, games: Sequence[GameOfEvening], fields: Mapping[str, str], *, asked: bool
) -> SettlementPage:
    """Return the page that settles all games of an evening together, as `settlement_page` settles each of them."""
    return structs.replace(
        _settlement(public_id, fields, asked, partial(_night_payments, games)), title=_("Settle the night"), night=True
    )


def _settlement(
    public_id: str, fields: Mapping[str, str], asked: bool, work_out: Callable[[str, Mapping[str, str], str], Worked]
) -> SettlementPage:
    method, chosen, currency = fields.get("method", ""), fields.get("currency", ""), _currency(fields)
    payments: tuple[Payment, ...] = ()
    workings: tuple[str, ...] = ()
    handed: tuple[str, ...] = ()
    error = ""
    stakes: dict[str, str] = {}
    if asked:
        try:
            payments, workings = work_out(method, fields, currency)
        except RuleViolation as violation:
            error = spoken(violation.message)
        else:
            handed = _handed(payments, currency)
            rates = {key: " ".join(fields.get(key, "").split()) for key in money.USES[method]}
            stakes = {"method": method, "currency": chosen if chosen in (*SIGNS, NO_CURRENCY) else "", **rates}
    return SettlementPage(
        game_id=public_id,
        title=_("Settle up"),
        methods=tuple(Choice(key, _(label), _(says), key == method) for key, (label, says) in METHODS.items()),
        fields=tuple(
            OptionField(key, _(label), "", "money", fields.get(key, _offered(offered, currency)), "", (), 0, 0, "")
            for key, (label, offered) in RATES.items()
        ),
        currencies=tuple(
            Choice(code, sign, chosen=code == (currency or NO_CURRENCY)) for code, sign in _choices(currency)
        ),
        payments=payments,
        sentence=_(METHODS[method][0]) + ". " + _("Payments add up to zero.") if payments else "",
        workings=workings,
        error=error,
        handed=handed,
        stakes=stakes,
    )


def _currency(fields: Mapping[str, str]) -> str:
    """Return the currency that was chosen on the page, or else the phone's currency, or "" for no currency."""
    chosen = fields.get("currency", "")
    if chosen == NO_CURRENCY:
        return ""
    return chosen if chosen in SIGNS else currency_here()


def _choices(currency: str) -> list[tuple[str, str]]:
    """Return the currencies to choose from, as (code, sign). The last choice is no currency.

    The page offers the currencies in `SIGNS` to everyone. If `currency` is another currency, `currency` comes first.
    """
    own = [] if not currency or currency in SIGNS else [(currency, currency)]
    return [*own, *SIGNS.items(), (NO_CURRENCY, _("No symbol"))]


def is_whole(currency: str) -> bool:
    """Return whether a currency has no cents, like the yen.

    Amounts in such a currency are in whole units. Amounts in other currencies are in cents.
    """
    return bool(currency) and get_currency_precision(currency) == 0


def _offered(amount: str, currency: str) -> str:
    return str(read_cents(amount)) if is_whole(currency) else amount


def read_whole_amount(text: str) -> int:
    """Parse an amount such as "25" or "¥ 25", for a currency without cents.

    Raises `RuleViolation` for any other text.
    """
    amount = CURRENCY.sub("", text.strip()) or "0"
    units = int(amount) if re.fullmatch("[0-9]{1,7}", amount) else -1
    if not 0 <= units <= money.MOST_CENTS:
        most = format_decimal(money.MOST_CENTS, locale=page_language())
        message = Phrase("Enter an amount from 0 to %(most)s, like %(example)s.", most=most, example="25")
        raise RuleViolation("amount", message)
    return units


def read_cents(text: str) -> int:
    """Parse an amount such as "0.25", "1,50", "$5" or "5 €", and return the number of cents.

    Raises `RuleViolation` if the text is not an amount.
    """
    amount = CURRENCY.sub("", text.strip()).replace(",", ".") or "0"
    # Only what people write: Decimal also accepts 1e9, 1_000 and the digits of every script.
    cents = int(Decimal(amount) * 100) if AMOUNT.fullmatch(amount) else -1
    if not 0 <= cents <= money.MOST_CENTS:
        most = format_decimal(money.MOST_CENTS // 100, locale=page_language())
        message = Phrase("Enter an amount from 0 to %(most)s, like %(example)s.", most=most, example=amount_text(25))
        raise RuleViolation("amount", message)
    return cents


def cents_text(cents: int) -> str:
    """Return an amount of cents with plus or minus: "+1.25", "−0.50". Zero is "0.00"."""
    sign = "+" if cents > 0 else "−" if cents < 0 else ""
    return f"{sign}{amount_text(cents)}"


def amount_text(cents: int) -> str:
    """Return an amount of cents without plus or minus, in the reader's format: "1.25" or "1,25"."""
    return format_decimal(Decimal(abs(cents)) / 100, format="0.00", locale=page_language())


def money_text(cents: int, currency: str) -> str:
    """Return an amount with its currency but without plus or minus, such as "$1.25", "1,25 €" or "¥125".

    The text is like "1.25" if `currency` is "". For a currency without cents, `cents` are whole units.
    """
    if not currency:
        return amount_text(cents)
    if is_whole(currency):
        return format_currency(abs(cents), currency, locale=page_language())
    return format_currency(Decimal(abs(cents)) / 100, currency, currency_digits=False, locale=page_language())


def _rates(method: str, fields: Mapping[str, str], currency: str) -> money.Rates:
    """Return the rates in `fields`. Raises `RuleViolation` for an unknown method or amount."""
    if method not in money.METHODS:
        raise RuleViolation("method", "Choose how to settle.")
    read = read_whole_amount if is_whole(currency) else read_cents
    return money.Rates(**{key: read(fields.get(key, "")) for key in money.USES[method]})


def _night_payments(games: Sequence[GameOfEvening], method: str, fields: Mapping[str, str], currency: str) -> Worked:
    """Return what each player pays or gets for all games together, and a sentence for each game.

    Players are told apart by their names. A game without a winner isn't settled. Raises what `_payments` raises.
    """
    rates, cents, workings = _rates(method, fields, currency), Counter[str](), []
    for place, game in enumerate(games, 1):
        told = evening_game(place, game).line
        if game.winner is None:
            workings.append(_("%(game)s Not settled.", game=told))
            continue
        sets = game.sets or (0,) * len(game.totals)
        amounts = money.METHODS[method](money.Finished(game.totals, sets, game.winner), rates)
        seats = count()
        shares = money.share(amounts, tuple(tuple(islice(seats, len(side))) for side in game.sides))
        for name, share in zip(chain.from_iterable(game.sides), shares, strict=True):
            cents[name] += share
        if rates.per_set and (game.ended_by or "").startswith("final"):
            told = _("%(game)s Final score only, so its sets aren't known.", game=told)
        workings.append(told)
    if all(game.winner is None for game in games):
        raise RuleViolation("no_winner", "Nobody has won yet, so there's nothing to settle.")
    owed = sorted(cents.items(), key=lambda each: -each[1])
    return tuple(Payment(name, "", 0, money_text(sum_, currency), sum_) for name, sum_ in owed), tuple(workings)


def _payments(snapshot: Snapshot, method: str, fields: Mapping[str, str], currency: str) -> Worked:
    """Return what each player pays or gets, by seat, and a sentence for each side that explains the side's amount.

    `method` is a key of `money.METHODS`, and `fields` has the rates. Raises `RuleViolation` for an unknown method or
    amount, or if nobody has won.
    """
    game = snapshot.game
    rates = _rates(method, fields, currency)
    if game.outcome is None or game.outcome.winner is None:
        raise RuleViolation("no_winner", "Nobody has won yet, so there's nothing to settle.")
    finished = money.Finished(game.tally.totals, game.tally.sets, game.outcome.winner)
    amounts = money.METHODS[method](finished, rates)
    shares = money.share(amounts, game.table.sides)
    payments = tuple(
        Payment(
            name,
            LETTERS[game.table.side_of[seat]],
            game.table.side_of[seat],
            money_text(shares[seat], currency),
            shares[seat],
        )
        for seat, name in enumerate(snapshot.names)
    )
    return payments, tuple(
        _working(side, amount, game.tally.totals[index], game.tally.sets[index], len(game.table.sides[index]), currency)
        for index, (side, amount) in enumerate(zip(snapshot.sides, amounts, strict=True))
    )


def _handed(payments: Sequence[Payment], currency: str) -> tuple[str, ...]:
    return tuple(
        _(
            "%(payer)s pays %(receiver)s %(amount)s.",
            payer=payments[payer].name,
            receiver=payments[receiver].name,
            amount=money_text(cents, currency),
        )
        for payer, receiver, cents in money.transfers([payment.cents for payment in payments])
    )


def _working(side: SideName, amount: int, total: int, sets: int, players: int, currency: str) -> str:
    """Return a sentence that explains a side's amount by its score, its sets, and the split between partners."""
    template = N_("{side} ({score}) {side:get|gets} {amount}{shared}.")
    if amount < 0:
        template = N_("{side} ({score}) {side:pay|pays} {amount}{shared}.")
    score = number(total)
    if sets:
        score = f"{score}, " + ngettext("1 set", "%(num)s sets", sets)
    shared = _(", split evenly") if side.several else ""
    if amount % players:
        shared = _(", split as evenly as possible") if is_whole(currency) else _(", split as evenly as cents allow")
    return said(template, side=side, score=score, amount=money_text(amount, currency), shared=shared)
