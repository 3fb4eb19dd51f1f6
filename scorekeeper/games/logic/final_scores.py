"""Check the names of teams. A side of several players may have a team name.

Judge the final score of a game without hands, and ask who won where the rules don't tell.
"""

from collections.abc import Sequence

from msgspec import Struct

from scorekeeper.i18n.catalog import _
from scorekeeper.people.tables import folded
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.final_score import check_ending, endings_for, judge_final, winners_for
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import Record, check_final, check_name, final_tally
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Sides, Table

FIELD = "x_side_names"
"""Field of a record that only this app uses: a list with a name for each side, "" for a side without one."""
LONGEST = 24
"""Maximum number of characters of a team name: it must fit on a score card."""


def check_team_names(typed: Sequence[object], sides: Sides) -> tuple[str, ...]:
    """Return the team name of each side, trimmed, with "" for a side without a name, or () if no side has a name.

    `typed` are the names by side. A name for a side with a single player is ignored. Raises `RuleViolation` (field
    "team-<side>") if a name is invalid or two sides have the same name.
    """
    named: list[str] = []
    for side, members in enumerate(sides):
        name = typed[side] if side < len(typed) else ""
        named.append(_checked(name, f"team-{side}") if len(members) > 1 and name != "" else "")
        if named[-1] and folded(named[-1]) in map(folded, named[:-1]):
            message = Phrase("Two teams are named %(name)s. Change one.", name=named[-1])
            raise RuleViolation("team_twice", message, field=f"team-{side}")
    return tuple(named) if any(named) else ()


def _checked(name: object, field: str) -> str:
    if isinstance(name, str) and not name.strip():
        return ""
    try:
        checked = check_name(name)
    except RuleViolation as violation:
        raise RuleViolation("team_name", violation.message, field=field) from None
    if len(checked) > LONGEST:
        message = Phrase("A team name can have at most %(most)s characters.", most=LONGEST)
        raise RuleViolation("team_long", message, field=field)
    return checked


AFTER_ALL = ("time", "conceded", "agreed")
"""Values of `Answer.ended_by` to offer for a doubtful score: time ran out, a side conceded, or the score is right."""
FAR = 2
"""A score above about this many times the target is probably a typing error.

Scores are checked for this only in games in which only the side that bid a hand can win after that hand.
"""
WHO_WON = Phrase("Who won?")


class Answer(Struct, frozen=True):
    """One possible answer to the question about a final score.

    `ended_by` says how the game ended. `winner` is the winning side, or None if there is no winner.
    """

    ended_by: str
    winner: int | None

    @property
    def value(self) -> str:
        """Return the answer as the text that a form posts, such as "time:0" or "agreed:"."""
        return f"{self.ended_by}:{'' if self.winner is None else self.winner}"


class AnswerNeeded(RuleViolation):
    """A final score can't be saved before the user says how the game ended or who won."""

    def __init__(self, why: str, answers: Sequence[Answer]) -> None:
        """Ask the user to choose one of `answers`; `why` is the question or reason shown above the answers."""
        super().__init__("answer_needed", why, field="ending")
        self.answers = tuple(answers)


def answer_labels(asked: AnswerNeeded, sides: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return a pair (form value, label) for each answer that `asked` offers; `sides` are the names of the sides."""
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


def asked_of(
    table: Table, bell: bool, totals: Sequence[int], *, ties: bool | None = None
) -> tuple[str, tuple[Answer, ...]]:
    """Return the question to ask about the final scores `totals` (by side), and the possible answers.

    If there is nothing to ask, return "" and (). If `bell` is true, a bell ends the round, so that no side needs to
    have reached the target. `ties` says whether a game of this night may end in a tie (true) or one more hand is due
    after it (false); None if the night's format doesn't say.
    """
    verdict = judge_final(table, totals)
    level = len(leaders_of(totals)) > 1
    if level and ties:
        return "", ()
    due = level and ties is False
    if verdict.status == "question" and _stopped(table, bell, totals) and not due:
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
    if due:
        return Phrase("It's tied at %(total)s, so the game isn't over.", total=max(totals)), tuple(others)
    why = verdict.why or Phrase("%(top)s is far above %(target)s.", top=max(totals), target=table.rules.target)
    return why, tuple(others)


def _can_be(table: Table, totals: Sequence[int], answer: Answer) -> bool:
    try:
        check_ending(table, totals, answer.winner, answer.ended_by)
    except RuleViolation:
        return False
    return True


def judged(
    table: Table, bell: bool, totals: Sequence[int], ending: str = "", *, ties: bool | None = None
) -> EnterResult:
    """Return the result of a game with the final scores `totals`, by side.

    If the scores alone don't show how the game ended, the user must be asked. `ending` is then the user's answer
    (`Answer.value`). `bell` says whether a bell ends the games of the round, and `ties` is as in `asked_of`.

    Raises `AnswerNeeded` if `ending` is needed but is empty or not a possible answer. Raises `RuleViolation` for
    impossible scores.
    """
    checked = check_final(table, list(totals))
    why, answers = asked_of(table, bell, checked, ties=ties)
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


def finished_record(table: Table, names: Sequence[str], teams: Sequence[str], result: EnterResult, day: str) -> Record:
    """Return the record of a game of which only the final score is known.

    `names` are by seat, and `teams` are the team names by side, or empty. `day` is the day on which it was played.
    """
    tally = final_tally(table, result.totals, result.winner, result.ended_by)
    extra = {"started": day} | ({FIELD: list(teams)} if any(teams) else {})
    return Record(table, tuple(names), 0, tally=tally, final=result.totals, extra=extra)


def _stopped(table: Table, bell: bool, totals: Sequence[int]) -> bool:
    """Return whether the bell ended a game before any side reached the target."""
    return bell and table.rules.finish != "fixed_hands" and max(totals) < table.rules.target
