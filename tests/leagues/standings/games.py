"""Records of games and byes for tests of standings."""

from __future__ import annotations

from scorekeeper.games.logic.statistics.hands import Played, Unit

ANN, BOB, CID, DEE, EVE, FAY, GUS, HAL = range(1, 9)
NAMES: dict[Unit, str] = {
    (who,): name for who, name in enumerate(("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"), start=1)
}


def game(
    night: int,
    number: int,
    us: tuple[int, ...],
    them: tuple[int, ...],
    score: tuple[int, int],
    *,
    sets: tuple[int, int] = (0, 0),
    drawn: bool = False,
    subs: dict[int, int] | None = None,
) -> list[Played]:
    """Return the records of a game of two sides, one record for each player.

    The game is tied if `drawn` is True. Otherwise, the side with more points wins. `us` and `them` are the players of
    the two sides, and `number` is the game's number. `sets` has the number of sets of each side. `subs` maps each
    substitute to the regular.
    """
    records = []
    for side, other, mine, others, own_sets in ((us, them, *score, sets[0]), (them, us, *score[::-1], sets[1])):
        for person in side:
            mates = tuple(mate for mate in side if mate != person)
            played = Played(night, number, 1, number, person, mates, other, mine, others, sets=own_sets, hands=9)
            won = mine > others and not drawn
            records.append(played._replace(won=won, drawn=drawn, sub_for=(subs or {}).get(person)))
    return records


def bye(night: int, number: int, person: int, *mates: int) -> Played:
    """Return the record of a bye of `person`, who sits out in round `number` of a night.

    `mates` are the person's fixed partners.
    """
    return Played(night, number, 0, 0, person, mates, bye=True)
