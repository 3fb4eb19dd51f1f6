"""Put the score chart of a game and its highlights into words."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games import pages
from scorekeeper.games.logic.highlights import Moments, moments, standings
from scorekeeper.games.logic.score_chart import Race, race
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import SideName, number
from scorekeeper.rules.game import Game


def race_view(game: Game, sides: Sequence[SideName]) -> pages.RaceView | None:
    """Return the score chart of a game, or None before the first hand or for a game entered as a final score."""
    way = standings(game)
    drawing = race(game, way)
    if drawing is None:
        return None
    ends = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, way[-1].totals, strict=True))
    told = ngettext(
        "Each side's score over %(num)s hand, ending at: %(ends)s.",
        "Each side's score over %(num)s hands, ending at: %(ends)s.",
        len(way) - 1,
        ends=ends,
    )
    return pages.RaceView(
        drawing=drawing,
        title=_("Score chart"),
        told=told + " " + _("The list of hands shows every score."),
        note=_note(drawing),
        goal=_("to %(target)s", target=game.table.rules.target),
        moments=tuple(_told(moments(game), sides)),
    )


def tally_text(sides: Sequence[SideName], tally: Sequence[int]) -> str:
    """Return a line with the number of games that each side won in this series, or "" if no side has won any."""
    if not any(tally):
        return ""
    won = ", ".join(f"{side.name} {games}" for side, games in zip(sides, tally, strict=True))
    return _("Series: %(won)s", won=won)


def _note(drawing: Race) -> str:
    if not drawing.any_set:
        return ""
    return _("set") if drawing.sets_marked else _("Too many sets to mark here. See the list of hands.")


def _told(found: Moments, sides: Sequence[SideName]) -> list[pages.Moment]:
    told = [pages.Moment(_("Lead changes"), text)] if (text := _led(found, sides)) else []
    if back := found.comeback:
        text = _(
            "%(side)s, from %(points)s down after hand %(hand)s",
            side=sides[back.side].name,
            points=back.behind,
            hand=back.hand,
        )
        told.append(pages.Moment(_("Comeback"), text))
    if run := found.longest_run:
        text = _(
            "%(side)s: %(bids)s of their bids in a row, from hand %(first)s to hand %(last)s",
            side=sides[run.side].name,
            bids=run.bids,
            first=run.first,
            last=run.last,
        )
        told.append(pages.Moment(_("Longest streak of made bids"), text))
    if big := found.biggest_set:
        text = _("%(side)s, −%(points)s in hand %(hand)s", side=sides[big.side].name, points=big.cost, hand=big.hand)
        if big.others:
            text += ngettext(" (tied with one other)", " (tied with %(num)s others)", big.others)
        told.append(pages.Moment(_("Biggest set"), text))
    return told


def _led(found: Moments, sides: Sequence[SideName]) -> str:
    """Return the lead changes, or the side that was never behind, in words. Return "" if there is no such side."""
    if found.lead_changes:
        last = found.lead_changes[-1]
        return ngettext(
            "1, in hand %(hand)s (%(side)s)",
            "%(num)s, the last in hand %(hand)s (%(side)s)",
            len(found.lead_changes),
            side=sides[last.side].name,
            hand=last.hand,
        )
    if found.only_leader is None:
        return ""
    leader = sides[found.only_leader].name
    return _("%(side)s led all the way", side=leader) if found.all_the_way else _("%(side)s never trailed", side=leader)
