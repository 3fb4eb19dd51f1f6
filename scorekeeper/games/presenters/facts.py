"""Put into words what players wonder about before a game: how often bids are made, and how long a game takes."""

from scorekeeper.games.pages.common import GameFacts
from scorekeeper.games.presenters.odds import hands_text, percent
from scorekeeper.i18n.catalog import _
from scorekeeper.insight.facts import Facts, facts_of
from scorekeeper.rules.table import Table

MOST_BIDS = 6
"""Of more bids than this, no shares are shown: nobody remembers them."""


def game_facts(table: Table) -> GameFacts | None:
    """Return what simulated hands say about games at a table, or None if they say nothing."""
    facts = facts_of(table)
    if facts is None:
        return None
    note = _(
        "From %(hands)s hands with %(players)s players, dealt at random and played by simple programs. Real players bid"
        " and play differently.",
        hands=hands_text(facts.hands),
        players=table.players,
    )
    lines = tuple(line for line in _lines(facts, table) if line)
    return GameFacts(lines, note) if lines else None


def _lines(facts: Facts, table: Table) -> tuple[str, ...]:
    bids = ", ".join(f"{bid} ({percent(made)})" for bid, made in facts.bids)
    return (
        _("Bids that are made: %(bids)s.", bids=bids) if 0 < len(facts.bids) <= MOST_BIDS else "",
        "" if facts.jack is None else _("Somebody scores the jack in %(share)s of hands.", share=percent(facts.jack)),
        "" if facts.tied is None else _("Game is tied in %(share)s of hands.", share=percent(facts.tied)),
        "" if facts.length is None else _("A game takes about %(hands)s hands.", hands=round(facts.length)),
        ""
        if facts.dealer_wins is None
        else _(
            "The side that deals first wins %(won)s of games; an even share is %(even)s.",
            won=percent(facts.dealer_wins),
            even=percent(1 / len(table.sides)),
        )
        if len(table.sides) > 2
        else _("The side that deals first wins %(won)s of games.", won=percent(facts.dealer_wins)),
    )
