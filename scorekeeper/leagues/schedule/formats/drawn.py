"""Rounds that are drawn ahead of all results."""

from __future__ import annotations

from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.schedule.seating import draw_rest


def drawn_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds that are still to come, for who is here now; raises what `draw_rest` raises."""
    left = night.rounds - len(night.past)
    return draw_rest(night.people, left, night.past, night.rotation, night.seed, night.bye_credit)
