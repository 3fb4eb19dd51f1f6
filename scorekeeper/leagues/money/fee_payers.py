"""Find the people who pay the entry fee of a night: one fee for each chair."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.leagues.core.models import PresentRow


def fee_payers(session: Session, nights: Collection[int]) -> list[tuple[int, int]]:
    """Return night and person (ids) for each entry fee, in the order of check-in; one query.

    Everybody who was checked in pays, except a substitute whose regular was checked in on that night too: the regular
    pays for both.
    """
    regular = aliased(PresentRow)
    shares = exists().where(regular.night_id == PresentRow.night_id, regular.person_id == PresentRow.sub_for)
    query = select(PresentRow.night_id, PresentRow.person_id).where(PresentRow.night_id.in_(nights), ~shares)
    return [(night, person) for night, person in session.execute(query.order_by(PresentRow.id))]
