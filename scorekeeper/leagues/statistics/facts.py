"""Describe a player's statistics in words. Each rate comes with its number of games or hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorekeeper.games.logic.statistics.games import Companion, Games
from scorekeeper.games.logic.statistics.hands import Hands, Points
from scorekeeper.games.logic.statistics.rate import ENOUGH, rate_text
from scorekeeper.games.presenters.vocabulary import bids_text
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import number
from scorekeeper.leagues.standings.pages import NamedLink
from scorekeeper.leagues.statistics.pages import CompanionLine, RateLine, Statistics

LISTED = 20
"""How many partners, and how many opponents, are listed. Those with the most games are listed first."""

Link = Callable[[int], NamedLink]
"""Function that returns the name of a person (id) with the link to their page."""

SEATS = (N_("Dealer"), N_("Left of dealer"))
"""Names of the first two seats, counted clockwise from the dealer. The other seats are named by their number."""


def statistics_view(games: Games, hands: Hands, link: Link) -> Statistics:
    """Return the statistics for a player's page. `link` returns a person's name with a link, from the person's id."""
    return Statistics(
        facts=_facts(games, hands),
        levels=tuple(
            RateLine(bids_text(line.bid), (spoken(rate_text(line.made)), str(line.set), number(line.points)))
            for line in hands.levels
        ),
        seats=tuple(
            RateLine(_place(line.seat), (spoken(rate_text(line.took)), spoken(rate_text(line.made))))
            for line in hands.seats
        ),
        points=(
            _points(_("As bidder"), hands.as_bidder),
            _points(_("As the bidder's partner"), hands.as_partner),
            _points(_("As defender"), hands.as_defender),
        )
        if hands.seats
        else (),
        extremes=tuple(
            (title, _companions(companions, link))
            for title, companions in (
                (_("Best partners"), games.partners.best),
                (_("Worst partners"), games.partners.worst),
                (_("Easiest opponents"), games.opponents.best),
                (_("Hardest opponents"), games.opponents.worst),
            )
            if companions
        ),
        partners=_companions(games.partners.everyone[:LISTED], link),
        opponents=_companions(games.opponents.everyone[:LISTED], link),
        too_few=_(
            "Best and worst partners and opponents are shown only after %(enough)s games with or against the same "
            "person.",
            enough=ENOUGH,
        ),
        percentages=_("Percentages are shown only after %(enough)s games or hands.", enough=ENOUGH),
    )


def _facts(games: Games, hands: Hands) -> tuple[tuple[str, str], ...]:
    record = (games.won.hits, games.lost, games.drawn) if games.drawn else (games.won.hits, games.lost)
    facts = [
        (_("Games"), str(games.games)),
        (_("Record"), "–".join(map(str, record))),
        (_("Games won"), spoken(rate_text(games.won))),
        (_("Points scored"), number(games.points)),
        (_("Longest winning streak"), str(games.streaks.longest)),
        (_("Current streak"), _streak(games.streaks.current)),
        (_("Hands recorded"), str(hands.hands)),
    ]
    if hands.seats:
        facts += [
            (_("Bids made"), spoken(rate_text(hands.made))),
            (_("Own sets"), str(hands.sets)),
            (_("Partner's sets"), str(hands.partner_sets)),
        ]
    return tuple(facts)


def _streak(current: int) -> str:
    if current > 0:
        return _("won %(number)s", number=current)
    if current < 0:
        return _("lost %(number)s", number=-current)
    return _("no streak")


def _place(seat: int) -> str:
    if seat < len(SEATS):
        return _(SEATS[seat])
    return _("%(number)s seats left of dealer", number=seat)


def _points(name: str, points: Points) -> RateLine:
    return RateLine(name, (str(points.hands), number(points.points)))


def _companions(companions: Sequence[Companion], link: Link) -> tuple[CompanionLine, ...]:
    return tuple(CompanionLine(link(each.person), spoken(rate_text(each.won))) for each in companions)
