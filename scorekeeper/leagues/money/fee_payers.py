"""Find the people who pay the entry fee of a night. A regular and their substitute pay one fee together."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.leagues.core.models import PresentRow


def fee_payers(session: Session, nights: Collection[int]) -> list[tuple[int, int]]:
    """Return a (night, person) pair of row ids for each entry fee that is due, in the order of check-in.

    Everybody who was checked in pays, with one exception. A regular's substitute doesn't pay if the regular was checked
    in on the same night, because the regular pays for both. The function runs a single query.
    """
    regular = aliased(PresentRow)
    shares = exists().where(regular.night_id == PresentRow.night_id, regular.person_id == PresentRow.sub_for)
    query = select(PresentRow.night_id, PresentRow.person_id).where(PresentRow.night_id.in_(nights), ~shares)
    return [(night, person) for night, person in session.execute(query.order_by(PresentRow.id))]
