"""Check a final score before it is saved, from a phone, the desk or an import of past results.

If the totals decide the winner, that is all. Otherwise a person has to answer who won, or how the game ended if the
rules would not have ended it with these totals (RULES 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.nights.table_disputes import GAME_DELETED
from scorekeeper.leagues.nights.tables import table_set
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.final_score import check_ending, endings_for, judge_final, winners_for
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_final
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db

AFTER_ALL = ("time", "conceded", "agreed")
"""Ways a game can end before the rules decide it: the answers offered for a doubtful score."""
FAR = 2
"""A score above this many times the target is probably a typing error, even if only a bid can end the game."""
WHO_WON = Phrase("Who won?")


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer: how the game ended, and the winning side (None for no winner)."""

    ended_by: str
    winner: int | None

    @property
    def value(self) -> str:
        """Return the answer as a form sends it: "time:0", "agreed:"."""
        return f"{self.ended_by}:{'' if self.winner is None else self.winner}"


class AnswerNeeded(RuleViolation):
    """A final score can't be saved without an answer about how the game ended or who won."""

    def __init__(self, why: str, answers: Sequence[Answer]) -> None:
        """Ask for one of `answers`; `why` is the question or reason shown above them."""
        super().__init__("answer_needed", why, field="ending")
        self.answers = tuple(answers)


def answer_labels(asked: AnswerNeeded, sides: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the form value and the label of each answer."""
    labels = []
    for answer in asked.answers:
        won = _("no winner") if answer.winner is None else _("%(name)s won", name=sides[answer.winner])
        ways = {
            "time": _("Time ran out: %(won)s", won=won),
            "conceded": _("Conceded: %(won)s", won=won),
            "agreed": _("Score is right: %(won)s", won=won),
        }
        labels.append((answer.value, ways.get(answer.ended_by, won)))
    return tuple(labels)


def asked_of(table: Table, bell: bool, totals: Sequence[int]) -> tuple[str, tuple[Answer, ...]]:
    """Return the question about these totals and its answers; no answers if the totals decide the winner.

    If a `bell` ends the round, no side needs to have reached the target.
    """
    verdict = judge_final(table, totals)
    if verdict.status == "question" and _stopped(table, bell, totals):
        return "", ()
    far = max(totals) >= FAR * table.rules.target + table.most and table.rules.finish == "bid_out"
    if verdict.status == "decided" and not far:
        return "", ()
    others = [Answer(way, side) for way in AFTER_ALL for side in winners_for(table, totals, way)]
    others = [each for each in others if _can_be(table, totals, each)]
    if verdict.status == "ask":
        sure = [Answer(endings_for(table, totals, side)[0], side) for side in verdict.candidates]
        rest = [each for each in others if each.winner not in verdict.candidates and each.ended_by != "agreed"]
        return WHO_WON, (*sure, *rest)
    why = verdict.why or Phrase("%(top)s is far above %(target)s.", top=max(totals), target=table.rules.target)
    return why, tuple(others)


def _can_be(table: Table, totals: Sequence[int], answer: Answer) -> bool:
    try:
        check_ending(table, totals, answer.winner, answer.ended_by)
    except RuleViolation:
        return False
    return True


def judged(table: Table, bell: bool, totals: Sequence[int], ending: str = "") -> EnterResult:
    """Return the result for these totals, using the answer `ending` if one is needed.

    Raises `AnswerNeeded` if a needed answer is missing or does not fit, and `RuleViolation` for impossible totals.
    """
    checked = check_final(table, list(totals))
    why, answers = asked_of(table, bell, checked)
    for answer in answers:
        if answer.value == ending:
            return EnterResult(checked, answer.winner, answer.ended_by)
    if answers:
        raise AnswerNeeded(why, answers)
    winner = judge_final(table, checked).winner
    return (
        EnterResult(checked)
        if winner is None or leaders_of(checked) == [winner]
        else EnterResult(checked, winner, "target")
    )


def judge(night: str, table: int, totals: Sequence[int], ending: str = "") -> EnterResult:
    """Return the result for these totals at a table (its id) of a night. Raises what `judged` raises.

    Also raises `NoSuchLeagueError`.
    """
    session = db.session()
    row = night_at(session, night)
    at = session.get(TableRow, table)
    if at is None or at.night_id != row.id:
        raise NoSuchLeagueError
    return judged(*_table_to_judge(session, row, at), totals, ending)


def _table_to_judge(session: Session, night: NightRow, at: TableRow) -> tuple[Table, bool]:
    """Return the rules' `Table` for a table of a night, and whether a bell ends its games."""
    bell = FORMATS[NightPlan.from_json(night.plan).format].bell != "none"
    if at.game_id is not None:
        found = find(session, session.get_one(GameRow, at.game_id).public_id)
        if found is None:
            raise GAME_DELETED
        return load(session, found).game.table, bell
    return table_set(session, session.get_one(SeasonRow, night.season_id), night, at)[1], bell


def _stopped(table: Table, bell: bool, totals: Sequence[int]) -> bool:
    """Return whether the bell ended a game before any side reached the target."""
    return bell and table.rules.finish != "fixed_hands" and max(totals) < table.rules.target
