"""Save, read and delete the named house rules of a phone.

Learn from a phone's earlier games what to suggest when points are entered, and remember the result for a day.
"""

from collections import Counter
from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent, use_case
from scorekeeper.games.logic.default_points import Guesses, learned_guesses, table_key
from scorekeeper.games.pages.start import SavedRules
from scorekeeper.games.store.home_games import own_hands
from scorekeeper.games.store.models import HouseRulesRow
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.insight.model import from_dealer
from scorekeeper.insight.odds import OwnHands
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_name
from scorekeeper.rules.ruleset import Ruleset, differing, with_options
from scorekeeper.rules.table import Table
from scorekeeper.web.extensions import db, writing

LAST_GAME = 0
"""Id of the house rules of the phone's last game, on the page for a new game."""
MOST = 30
"""Maximum number of sets of house rules that one phone can save."""


@use_case
def save_house_rules(*, device: str, name: str, rules: Ruleset, now: datetime | None = None) -> str:
    """Save `rules` for a phone under `name`, and return the name without spaces around it.

    Rules that the phone saved under the same name before are replaced. Raises `RuleViolation` (field "rules_name") if
    the name is invalid or the phone has too many house rules.
    """
    try:
        trimmed = check_name(name)
    except RuleViolation as violation:
        says = Phrase("Name these rules.") if violation.code == "name_missing" else violation.message
        raise RuleViolation(violation.code, says, field="rules_name") from None
    with writing() as session:
        keep(session, device=device, name=trimmed, rules=rules, now=now or datetime.now(UTC))
    return trimmed


def keep(session: Session, *, device: str, name: str, rules: Ruleset, now: datetime) -> None:
    """Save `rules` for a phone under `name`, in the caller's transaction.

    Rules that the phone saved under the same name before are replaced. Raises `RuleViolation` if the phone has too many
    house rules.
    """
    rows = session.scalars(select(HouseRulesRow).where(HouseRulesRow.device == device)).all()
    row = next((row for row in rows if row.name == name), None)
    if row is None:
        if len(rows) >= MOST:
            raise RuleViolation(
                "rules_many",
                Phrase("You already have %(most)s sets of house rules on this phone. Delete one first.", most=MOST),
                field="rules_name",
            )
        row = HouseRulesRow(device=device, name=name)
        session.add(row)
    row.preset = rules.preset
    row.options = differing(PRESETS[rules.preset], rules)
    row.updated_at = now


@use_case
def delete_house_rules(*, device: str, rules_id: int) -> bool:
    """Delete the house rules with the row id `rules_id`, and return True.

    If the phone `device` has no such house rules, nothing is deleted, and the result is False.
    """
    with writing() as session:
        rows = session.scalars(select(HouseRulesRow).where(HouseRulesRow.device == device)).all()
        row = next((row for row in rows if row.id == rules_id), None)
        if row is None:
            return False
        session.delete(row)
        return True


def saved_rules(device: str | None, chosen: Ruleset, *, last: Ruleset | None = None) -> tuple[SavedRules, ...]:
    """Return the house rules that a phone saved, sorted by name. Rules that are equal to `chosen` are marked.

    `last` are the rules of the phone's last game, which come first if the phone has not saved them.
    """
    kept = [(row.id, row.name, rules) for row, rules in _saved(device)]
    if last is not None and last not in [rules for _id, _name, rules in kept]:
        kept.insert(0, (LAST_GAME, _("House rules of your last game"), last))
    return tuple(
        SavedRules(each, name, " ".join((f"{spoken(rules.name)}.", *house_rules(rules))), rules == chosen)
        for each, name, rules in kept
    )


def rules_kept(device: str | None, rules_id: str) -> Ruleset | None:
    """Return the house rules with the row id `rules_id`, or None if the phone has no house rules with this id.

    `rules_id` comes from a form, so it might not be a number.
    """
    return next((rules for row, rules in _saved(device) if str(row.id) == rules_id), None)


def name_kept(device: str | None, rules: Ruleset) -> str | None:
    """Return the name under which a phone saved `rules`, or None if the phone hasn't saved these rules."""
    return next((row.name for row, other in _saved(device) if other == rules), None)


def _saved(device: str | None) -> list[tuple[HouseRulesRow, Ruleset]]:
    if device is None:
        return []
    query = select(HouseRulesRow).where(HouseRulesRow.device == device).order_by(HouseRulesRow.name)
    return [(row, with_options(PRESETS[row.preset], row.options)) for row in db.session().scalars(query)]


REMEMBERED = 1000
"""Maximum number of (phone, table) pairs whose guesses and hands a process keeps in memory."""
ENOUGH = 100
"""Minimum number of hands of a phone that change the chances of winning in its games."""


class OwnPlay(NamedTuple):
    """What was learned from a phone's earlier games: suggestions for the points of a hand, and the hands if enough."""

    guesses: Guesses
    hands: OwnHands | None


def own_play(session: Session, device: str, table: Table) -> OwnPlay:
    """Return what was learned from games that the phone `device` started.

    There is a suggestion for each bid that is frequent enough. Only games of the same kind as `table` count (see
    `own_hands`). Hands from other people's games never count. So nobody can learn how others play, or change the
    suggestions that others get. Each process reads the hands once a day and keeps the result in memory.
    """
    if not table.rules.categories:
        return OwnPlay({}, None)
    key = (device, table_key(table))
    today = datetime.now(UTC).date()
    known = _learned.get(session, key)
    if known is None or known[0] != today:
        hands = own_hands(session, device, table)
        has_odds = len(table.sides) == 2 and len(hands) >= ENOUGH
        own = OwnHands(Counter(from_dealer(table, hand) for hand in hands)) if has_odds else None
        known = (today, OwnPlay(learned_guesses(table, hands), own))
        _learned.keep(session, key, known)
    return known[1]


_learned: Recent[tuple[str, str], tuple[date, OwnPlay]] = Recent(REMEMBERED)
