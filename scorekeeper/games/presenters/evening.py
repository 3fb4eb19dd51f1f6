"""Models of an evening: all games that a home table played in a row.

Make the page of an evening: the winner of each game, how many games each side won, and how often it was set.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from msgspec import Struct

from scorekeeper.games.logic.reconcile import choice_digest
from scorekeeper.games.presenters.share_links import game_named, result_told
from scorekeeper.games.presenters.snapshot import no_winner_text
from scorekeeper.games.store.series import GameOfEvening
from scorekeeper.i18n.catalog import N_, _, ngettext
from scorekeeper.i18n.sentences import TEMPLATES, SideName, isolated, join_names, number, said, score_text
from scorekeeper.rules.presets import PRESETS


class EveningGame(Struct, frozen=True):
    """A game of an evening."""

    number: int
    """Number of the game, from 1, in the order of play."""
    game_name: str
    winner: str
    """The result: "Ann and Cid win", "Tied game", "No winner", or "In progress"."""
    score: str
    """The score, such as "22 to 15", with the winner's points first; empty without a winner.

    If there are more than two sides, the text has only the winner's points.
    """
    line: str
    """The line about this game in the message to share."""


class EveningPage(Struct, frozen=True):
    """The games of an evening, as a page and as a message to share.

    A picture of the evening is also available, at another address.
    """

    game_id: str
    """Public id of the game from which the page was opened."""
    title: str
    """"Games tonight", or "Game night" for an older evening."""
    tally: str
    """The games won: "Wins: Ann and Cid 3, Bob and Dee 1"; empty if no game is over."""
    games: tuple[EveningGame, ...]
    sets: str
    """How often sides were set: "Sets: Bob and Dee 4, Ann and Cid 1"; empty if nobody was set."""
    text: str
    """The message to share: the title and the tally, a line for each game, the sets."""
    version: str
    """Text that changes whenever one of the games changes, so that the picture then gets a new address."""


TONIGHT = timedelta(hours=12)
"""How long after its last hand an evening is still called "tonight"."""
NAMING = ("target", "finish")
"""Options that change the name of a game."""
MOST_NAMED = 8
"""Maximum number of people who are named in a tally of wins by person."""


def evening_page(game_id: str, games: Sequence[GameOfEvening], now: datetime) -> EveningPage:
    """Return the page of an evening with `games`, which are in the order of play.

    `game_id` is the public id of the game from which the page was opened.
    """
    tonight = now - max(game.updated for game in games) < TONIGHT
    title = _("Games tonight") if tonight else _("Game night")
    wins = _counted([(game, side) for game in games if (side := game.winner) is not None])
    tally = _("Wins: %(wins)s", wins=wins) if wins else ""
    fallen = [(game, side) for game in games for side, times in enumerate(game.sets) for _time in range(times)]
    sets = _("Sets: %(sets)s", sets=told) if (told := _counted(fallen)) else ""
    shown = tuple(evening_game(place, game) for place, game in enumerate(games, 1))
    first = f"{title}. {tally}" if tally else title
    text = "\n".join(filter(None, (first, *(game.line for game in shown), sets)))
    version = choice_digest({game.public_id: game.updated.isoformat() for game in games}, len(games))
    return EveningPage(game_id, title, tally, shown, sets, text, version)


def evening_game(place: int, game: GameOfEvening) -> EveningGame:
    """Return a game of an evening, whose number is `place`, with its result in words."""
    sides, name = (
        _side_names(game),
        game_named(replace(PRESETS[game.preset], **{key: game.options[key] for key in NAMING if key in game.options})),
    )
    named = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.totals, strict=True))
    between_two = len(sides) == 2 and game.winner is not None
    if game.winner is not None:
        winner = said(N_("{side} {side:win|wins}"), side=sides[game.winner])
    else:
        winner = no_winner_text(game.totals, game.ended_by) if game.over else _("In progress")
    score = score_text([game.totals[game.winner or 0], game.totals[1 - (game.winner or 0)]]) if between_two else named
    short = score if between_two else "" if game.winner is None else number(game.totals[game.winner])
    line = f"{place}. {name}. {result_told(winner, score, between_two=between_two)}"
    if game.winner is not None and game.ended_by == "conceded":
        reason = "over.conceded" if between_two else "over.conceded.all"
        line += f" {said(TEMPLATES[reason], other=sides[1 - game.winner] if between_two else '')}"
    return EveningGame(place, name, winner, short, line)


def _counted(each: Sequence[tuple[GameOfEvening, int]]) -> str:
    """Return how often each side occurs in `each`, in words such as "Ann and Cid 3, Bob and Dee 1".

    `each` lists pairs of a game and one of its sides, such as the winner. The most frequent side is first. If partners
    changed during the evening, people are counted instead of sides.
    """
    parties = {frozenset(game.sides) for game, _side in each}
    counts: Counter[str] = Counter()
    for game, side in each:
        if len(parties) == 1:
            counts.update({sides.name: int(place == side) for place, sides in enumerate(_side_names(game))})
        else:
            counts.update(isolated(name) for name in game.sides[side])
    ranked = sorted(counts.items(), key=lambda count: -count[1])
    told = ", ".join(f"{name} {number(count)}" for name, count in ranked[:MOST_NAMED])
    more = len(ranked) - MOST_NAMED
    return told if more <= 0 else ngettext("%(told)s and %(num)s more", "%(told)s and %(num)s more", more, told=told)


def _side_names(game: GameOfEvening) -> list[SideName]:
    return [
        SideName(isolated(team) if team else join_names([isolated(name) for name in side]), len(side) > 1)
        for team, side in zip(game.team_names, game.sides, strict=True)
    ]
