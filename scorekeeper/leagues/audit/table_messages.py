"""Make the sentences for those lines of a league's history that are about the result of one table."""

from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.games.presenters.snapshot import LETTERS
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import score_text

Data = Mapping[str, Any]
"""The data of a log line, including the texts that people typed for the line, under their keys."""
Names = Callable[[str], str]
"""Function that returns the present name of the person, season or league with a public id, ready for a sentence."""
Sentence = Callable[[Data, Names, str], str]
"""Function that makes a sentence from the data, the names, and the name of the person or device that acted."""


def _where(data: Data) -> dict[str, Any]:
    return {"round": data["round"], "table": data["table"]}


def _result(data: Data, _names: Names, who: str) -> str:
    after = score_text(data["after"])
    if data.get("before") is None:
        sentence = _(
            "%(who)s entered the final score %(after)s for round %(round)s, table %(table)s.",
            who=who,
            after=after,
            **_where(data),
        )
    else:
        sentence = _("%(who)s corrected the final score of round %(round)s, table %(table)s.", who=who, **_where(data))
    return sentence + _ending(data)


def _ending(data: Data) -> str:
    """Return a sentence that says who won and how the game ended, or "" if `data` doesn't say that.

    The sentence starts with a space.
    """
    if data.get("ended_by") is None:
        return ""
    winner = _("nobody") if data["winner"] is None else _("side %(side)s", side=LETTERS[data["winner"]])
    ways = {
        "time": _("Time ran out. Winner: %(winner)s.", winner=winner),
        "conceded": _("Conceded. Winner: %(winner)s.", winner=winner),
    }
    return " " + ways.get(data["ended_by"], _("Winner: %(winner)s.", winner=winner))


def _confirmed(data: Data, names: Names, who: str) -> str:
    score = score_text(data["after"])
    if data.get("person"):
        return _(
            "%(name)s confirmed %(score)s for round %(round)s, table %(table)s.",
            name=names(data["person"]),
            score=score,
            **_where(data),
        )
    return _(
        "%(who)s confirmed %(score)s for side %(side)s at round %(round)s, table %(table)s.",
        who=who,
        side=LETTERS[data["side"]],
        score=score,
        **_where(data),
    )


def _disputed(data: Data, _names: Names, who: str) -> str:
    score = score_text(data["before"])
    if data.get("after") is None:
        return _(
            "%(who)s said that %(score)s is wrong for round %(round)s, table %(table)s.",
            who=who,
            score=score,
            **_where(data),
        )
    sentence = _(
        "%(who)s said %(other)s, not %(score)s, for round %(round)s, table %(table)s.",
        who=who,
        other=score_text(data["after"]),
        score=score,
        **_where(data),
    )
    return sentence + _ending(data)


def _settled(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s settled round %(round)s, table %(table)s: %(score)s counts.",
        who=who,
        score=score_text(data["after"]),
        **_where(data),
    )


def _score_changed(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s changed the score of round %(round)s, table %(table)s.", who=who, **_where(data))


def _bell_ended(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s ended the game at round %(round)s, table %(table)s after the bell: %(score)s.",
        who=who,
        score=score_text(data["after"]),
        **_where(data),
    )


def _result_reopened(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s reopened the result of round %(round)s, table %(table)s to correct it.", who=who, **_where(data))


def _tie_settled(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s chose side %(side)s to go on from round %(round)s, table %(table)s, tied at %(score)s.",
        who=who,
        side=LETTERS[data["side"]],
        score=score_text(data["after"]),
        **_where(data),
    )


def _removed(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s removed the final score %(score)s of round %(round)s, table %(table)s.",
        who=who,
        score=score_text(data["before"]),
        **_where(data),
    )


def _game_removed(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s removed the game of round %(round)s, table %(table)s, at %(score)s.",
        who=who,
        score=score_text(data["before"]),
        **_where(data),
    )


def _brought_back(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s brought the game of round %(round)s, table %(table)s back.", who=who, **_where(data))


def _sets(data: Data, _names: Names, who: str) -> str:
    if data["after"] is None:
        return _("%(who)s removed the sets of round %(round)s, table %(table)s.", who=who, **_where(data))
    sets = score_text(data["after"])
    return _(
        "%(who)s entered the sets of round %(round)s, table %(table)s: %(sets)s.", who=who, sets=sets, **_where(data)
    )


def _forfeited(data: Data, _names: Names, who: str) -> str:
    return _(
        "%(who)s recorded that side %(side)s forfeited round %(round)s, table %(table)s.",
        who=who,
        side=LETTERS[data["side"]],
        **_where(data),
    )


def _forfeit_undone(data: Data, _names: Names, who: str) -> str:
    return _("%(who)s undid the forfeit at round %(round)s, table %(table)s.", who=who, **_where(data))


TABLE_SENTENCES: Mapping[str, Sentence] = {
    "result_told": _result,
    "result_removed": _removed,
    "game_removed": _game_removed,
    "game_brought_back": _brought_back,
    "sets_told": _sets,
    "confirmed": _confirmed,
    "tie_settled": _tie_settled,
    "disputed": _disputed,
    "dispute_settled": _settled,
    "result_changed": _score_changed,
    "result_reopened": _result_reopened,
    "bell_ended": _bell_ended,
    "table_forfeited": _forfeited,
    "table_forfeit_undone": _forfeit_undone,
}
