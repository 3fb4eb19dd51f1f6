"""Knockout, for the last night of a season.

Teams are seeded in the order they were made, so the best should be made first. The number of places in the bracket is
the next power of two; if there are fewer teams, the top seeds have a bye in the first round, and there are no byes
later. Seeds are placed so that the top two can't meet before the final, the top four can't meet before the semifinals,
and so on; in the first round, the best seed plays the lowest. The winner of a table goes on and the loser is out. The
last table is the final.
The losers of the semifinals share third place, or play for it at the table beside the final if the league wants that.
The league can also reseed the bracket after each round: the best seed left plays the lowest, and so on. Games
follow the rules of the game. If a bell rings or the director stops a game, the table finishes and scores the hand in
progress and starts no new one; most points wins. If tied, they play one more hand, and another while it stays tied,
because one team has to go on. A tied final score asks who won. A team that is not here when its next round is seated
is out, and its opponent goes on without a game. A team with a bye goes on; a bye is neither a game nor a win, and the
season's settings decide what it scores.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise

from msgspec import Struct

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option, without_winner
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TablePlan, Unit
from scorekeeper.rules.phrase import Phrase, RuleViolation

THIRD = Option("third", Phrase("Third-place game"), 0, 0, 1)
RESEED = Option("reseed", Phrase("Reseed after each round"), 0, 0, 1)

Places = list[int | None]
"""The bracket of one round, top to bottom: the seed in each place, from 0, or None if it is empty."""


class Pairing(Struct, frozen=True):
    """A place in the picture of a bracket. `seeds` are the teams that meet there, from 0, or None where unknown.

    `table` is the number of their table, 0 before they are seated. A `bye` has one team, which goes on without a game.
    """

    seeds: tuple[int | None, int | None]
    table: int = 0
    bye: bool = False
    third: bool = False
    """True for the game for third place, which is last in its round."""
    through: int | None = None
    """The seed that went on without a game because its opponent wasn't here; None for a bye, and for a game."""


def bracket(teams: int) -> Places:
    """Return the first round of a bracket for that many teams, as seeds from 0.

    The first two seeds play each other, then the next two, and so on. A seed paired with None has a bye.
    """
    places: Places = [0]
    while len(places) < teams:
        last = 2 * len(places) - 1
        places = [seed for place in places if place is not None for seed in (place, last - place)]
    return [seed if seed is not None and seed < teams else None for seed in places]


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return the next round of the knockout in a tuple; () when one team is left.

    Tables are numbered from the top of the bracket. The byes are the people who advance without a game.

    Raises `RuleViolation` with the code "teams" if there are fewer than two teams, or if teams differ in size. Raises
    it with the code "units" if a person is on two teams, or "results" while a table of the last round has no winner.
    """
    present = _present(night)
    places = _with_a_game(standing(night), present)
    games = [pair for pair in _pairs(places) if None not in pair]
    if not games:
        return ()
    third = _third_place(night, present) if len(games) == 1 and len(places) == 2 else None
    if third is not None:
        games.append(third)
    # A partner can have gone home, or a third can have come, since the knockout began.
    _demand_sizes([night.teams[seed] for game in games for seed in game if seed is not None])
    playing = {seed for game in games for seed in game}
    return (
        RoundPlan(
            tuple(
                _table(number, [night.teams[seed] for seed in game if seed is not None])
                for number, game in enumerate(games, start=1)
            ),
            tuple(sorted(p for seed in places if seed is not None and seed not in playing for p in night.teams[seed])),
        ),
    )


def _third_place(night: Night, here: set[int]) -> tuple[int, int] | None:
    """Return the seeds of the two teams that lost the semifinals and now play for third place.

    Return None if there is no game for third place.
    """
    course = _course(night)
    if not night.options.get(THIRD.key) or len(course) < 2:
        return None
    lost = sorted({seed for seed in course[-2] if seed is not None} - {seed for seed in course[-1] if seed is not None})
    return (lost[0], lost[1]) if len(lost) == 2 and here.issuperset(lost) else None


def standing(night: Night) -> Places:
    """Return the bracket after the past rounds. If a single team is left in it, that team has won.

    Raises what `next_rounds` raises.
    """
    return _course(night)[-1]


def champion(night: Night) -> Unit:
    """Return the team that won the knockout; () until a team has won it. Raises what `next_rounds` raises."""
    best = placed(night)[0]
    return best[0] if len(best) == 1 and night.past else ()


def placed(night: Night) -> tuple[tuple[Unit, ...], ...]:
    """Return the teams in groups by how far they got: teams that are still in, then those knocked out last, and so on.

    Teams knocked out in the same round share a group, such as both losers of the semifinals. A round counts once all
    its tables have a winner, or once the next round has started. People who went home stay in their groups, with one
    exception: if a single team is here of those still in, no game can follow, and it has won. Raises what
    `next_rounds` raises, except for the code "results".
    """
    done = len(night.past)
    if done and not _is_done(night, done - 1):
        done -= 1
    course = _course(night, done)
    inside = [{seed for seed in places if seed is not None} for places in course]
    if done == len(night.past) and (alone := _alone(night, course[-1])) is not None:
        inside.append({alone})
    out = [before - after for before, after in pairwise(inside)]
    final = done > 1 and sum(seed is not None for seed in course[-1]) == 1
    third = _third_game(night, done, course[-2]) if final else ()
    groups = [inside[-1], *(group for other in reversed(out) for group in _split(other, third) if group)]
    return tuple(tuple(night.teams[seed] for seed in sorted(group)) for group in groups)


def pairings(night: Night) -> tuple[tuple[Pairing, ...], ...]:
    """Return all rounds up to the final as in a picture, each from the top of the bracket; coming ones are empty.

    Rounds that have started are shown as they were seated. If a team won because all others still in went home, it
    is in the final. Raises what `placed` raises.
    """
    started = len(night.past)
    done = started if not started or _is_done(night, started - 1) else started - 1
    course, seed_of = _course(night, done), _seed_of(night)
    rounds: list[tuple[Pairing, ...]] = []
    for plan, places in zip(night.past, course, strict=False):
        sides = zip(plan.tables, _sides(plan, places, seed_of), strict=True)
        games = [
            Pairing((one, other), table.number, third=not {one, other} & {*places}) for table, (one, other) in sides
        ]
        free = _free(night, plan, places, {seed for each in games for seed in each.seeds})
        met = free.union(*(each.seeds for each in games), {None})
        games += [
            Pairing((seed, None), bye=True) if met & {*pair} - {seed} else Pairing(pair, through=seed)
            for pair in _pairs(places)
            for seed in pair
            if seed in free
        ]
        rounds.append(
            tuple(
                sorted(
                    games,
                    key=lambda each: min(map(places.index, {*each.seeds} & {*places} - {None}), default=len(places)),
                )
            )
        )
    alone = _alone(night, course[-1]) if started and done == started else None
    if done == started and len({*course[-1]} - {None}) > 1:
        pairs = [pair[::-1] if pair[0] is None else pair for pair in _pairs(course[-1]) if pair != (None, None)]
        rounds.append(
            tuple(Pairing(pair, bye=None in pair, through=alone if alone in pair else None) for pair in pairs)
        )
    while rounds and len(main := [each.seeds for each in rounds[-1] if not each.third]) > 1:
        won = Pairing((alone, None), bye=True, through=alone)
        ways = [{*chain(*main[at : at + 2])} - {None} for at in range(0, len(main), 2)]
        rounds.append(tuple(won if alone in way else Pairing((None, None)) for way in ways))
    return tuple(rounds)


def _alone(night: Night, places: Places) -> int | None:
    """Return the only team in the bracket `places` that is here now; None if none is, or several are."""
    here = _present(night) & {*places}
    return here.pop() if len(here) == 1 else None


def _split(group: set[int], third: Sequence[int]) -> tuple[set[int], ...]:
    """Return the teams of `group` as two groups if they played for third place; otherwise, as one group.

    `group` has the seeds of teams that were knocked out together. `third` has the two seeds of the game for third
    place, winner first, or is empty.
    """
    return tuple({seed} for seed in third) if group == set(third) else (group,)


def _third_game(night: Night, done: int, places: Places) -> tuple[int, ...]:
    """Return the seeds of the two teams that played for third place, winner first; () if there was no such game.

    Round `done` was the final, and `places` is the bracket before it.
    """
    plan, results = night.past[done - 1], night.results[done - 1]
    for table, sides in zip(plan.tables, _sides(plan, places, _seed_of(night)), strict=True):
        if not {*sides} & {*places}:
            winner = _winner(table, results)
            return tuple(seed for seed in (sides[winner], sides[1 - winner]) if seed is not None)
    return ()


def _present(night: Night) -> set[int]:
    """Return the seeds of the teams whose people are all here now."""
    here = set(night.people)
    return {seed for seed, team in enumerate(night.teams) if set(team) <= here}


def _is_done(night: Night, index: int) -> bool:
    if index >= len(night.results):
        return False
    return all(_has_winner(table, night.results[index]) for table in night.past[index].tables)


def _has_winner(table: TablePlan, results: RoundResults) -> bool:
    return any(result.number == table.number and result.winner is not None for result in results)


def _course(night: Night, rounds: int | None = None) -> list[Places]:
    """Return the bracket before the first round and after each of the first past `rounds` (default: all), in order."""
    members = [person for team in night.teams for person in team]
    if not night.past:
        _demand_sizes(night.teams)
    if len(set(members)) < len(members):
        raise RuleViolation("units", Phrase("Someone is on two teams."), field="units")
    seed_of = _seed_of(night)
    places = bracket(len(night.teams))
    course = [places]
    for index, plan in enumerate(night.past[:rounds]):
        results = night.results[index] if index < len(night.results) else ()
        tables = _sides(plan, places, seed_of)
        playing = {seed for sides in tables for seed in sides}
        # A team that plays in a later round was there, even if all its people were replaced since.
        there = {seed_of[person] for later in night.past[index:] for person in later.present if person in seed_of}
        there |= _free(night, plan, places, playing)
        places = _with_a_game(places, there.union(seed for seed in playing if seed is not None))
        out = _losers(plan, tables, results, _seeds_after(night, index, seed_of))
        places = _winners(places, {seed for seed in places if seed is not None and seed not in out})
        if night.options.get(RESEED.key):
            left = sorted(seed for seed in places if seed is not None)
            places = [None if rank is None else left[rank] for rank in bracket(len(left))] if left else places
        course.append(places)
    return course


def _seeds_after(night: Night, index: int, seed_of: Mapping[int, int]) -> set[int] | None:
    """Return the seeds that went on to the round after the past round `index`; None if no later round has started."""
    if index + 1 == len(night.past):
        return None
    plan, later = night.past[index], night.past[index + 1]
    # After two semifinals, a second table is the game for third place.
    main = later.tables[:1] if len(plan.tables) == 2 and not plan.byes else later.tables
    people = (*later.byes, *(person for table in main for person in table.seats))
    return {seed_of[person] for person in people if person in seed_of}


def _losers(
    plan: RoundPlan, tables: Sequence[Sequence[int | None]], results: RoundResults, after: set[int] | None
) -> set[int | None]:
    """Return the seeds that are out after a round. `tables` has the seeds of the sides of its tables.

    `after` has the seeds that went on to the next round, or is None if the next round hasn't started. The bracket that
    was played counts: if a score was corrected after the next round started, who played there went on nevertheless.
    Raises `RuleViolation` with the code "results" if a table of the last round has no winner.
    """
    out: set[int | None] = set()
    for table, sides in zip(plan.tables, tables, strict=True):
        went_on: list[int | None] = [seed for seed in sides if after is not None and seed in after]
        if len(went_on) != 1 and (after is None or _has_winner(table, results)):
            went_on = [sides[_winner(table, results)]]
        out.update(seed for seed in sides if seed not in went_on)
    return out


def _sides(plan: RoundPlan, places: Places, seed_of: Mapping[int, int]) -> list[list[int | None]]:
    """Return the seed of each side of each table of a round, no seed twice. `places` is the bracket of the round.

    A side is the team of the first of its people who is on a team. If all of them were replaced since, it is the team
    that the other side would meet in the bracket, or else another team of the bracket that isn't seated.
    """
    used: set[int | None] = set()
    tables: list[list[int | None]] = []
    for table in plan.tables:
        tables.append([])
        for side in table.sides:
            seeds = (seed_of[person] for person in side if person in seed_of)
            tables[-1].append(next((seed for seed in seeds if seed not in used), None))
            used.add(tables[-1][-1])
    used |= {seed_of[person] for person in plan.byes if person in seed_of}
    other = {one: two for pair in _pairs(places) for one, two in (pair, pair[::-1])}
    for sides in tables:
        for number, seed in enumerate(sides):
            if seed is None:
                sides[number] = next(
                    (each for each in (other.get(sides[1 - number]), *places) if each not in used), None
                )
                used.add(sides[number])
    return tables


def _free(night: Night, plan: RoundPlan, places: Places, playing: AbstractSet[int | None]) -> set[int]:
    """Return the seeds that had a bye in a round. `places` is its bracket, and `playing` the seeds at its tables.

    If all people of a team with a bye were replaced since, it is a team of the bracket that isn't seated, and is here.
    """
    seed_of, here = _seed_of(night), _present(night)
    free = {seed_of[person] for person in plan.byes if person in seed_of}
    left = {seed for seed in places if seed is not None} - playing - free
    gone = len(plan.byes) // max(map(len, night.teams), default=1) - len(free)
    return free.union(sorted(left, key=lambda seed: (seed not in here, seed))[: max(0, gone)])


def _demand_sizes(teams: Sequence[Unit]) -> None:
    if len(teams) < 2 or len(set(map(len, teams))) > 1:
        raise RuleViolation("teams", Phrase("Make partners first: at least two teams of the same size."), field="teams")


def _seed_of(night: Night) -> Mapping[int, int]:
    return {person: seed for seed, team in enumerate(night.teams) for person in team}


def _table(number: int, teams: Sequence[Unit]) -> TablePlan:
    seats = tuple(person for row in zip(*teams, strict=True) for person in row)
    return TablePlan(number, seats, "partners" if len(seats) > 2 else "alone")


def _with_a_game(places: Places, here: set[int]) -> Places:
    """Return the bracket of the next round in which a game can be played.

    `places` is the bracket of the coming round. Teams whose seeds are not in `here` are removed. Rounds that consist
    only of byes are skipped.
    """
    places = [seed if seed in here else None for seed in places]
    while len(places) > 1 and not any(None not in pair for pair in _pairs(places)):
        places = _winners(places, here)
    return places


def _winners(places: Places, going_on: set[int]) -> Places:
    """Return the bracket of the next round. From each pair, the team whose seed is in `going_on` advances.

    If neither seed of a pair is in `going_on`, the place in the bracket is empty: None. If both are, because the
    director swapped teams between tables, the second gets the first empty place.
    """
    winners = [next((seed for seed in pair if seed is not None and seed in going_on), None) for pair in _pairs(places)]
    others = [seed for seed in places if seed is not None and seed in going_on and seed not in winners]
    return [others.pop(0) if seed is None and others else seed for seed in winners]


def _pairs(places: Places) -> list[tuple[int | None, int | None]]:
    return list(zip(places[::2], places[1::2], strict=False))  # a single place has no neighbor


def _winner(table: TablePlan, results: RoundResults) -> int:
    """Return the number of the winning side of a table.

    Raises `RuleViolation` with the code "results" if the table has no winner.
    """
    for result in results:
        if result.number == table.number and result.winner is not None:
            return result.winner
    raise without_winner(table.number)


KNOCKOUT = Format(
    key="knockout",
    name=Phrase("Knockout"),
    line=Phrase(
        "Fixed partners or singles. Lose and you're out. Teams are seeded in the order you make them; top seeds get "
        "the byes."
    ),
    ahead=False,
    teams=True,
    bell="none",
    next_rounds=next_rounds,
    settings=(THIRD, RESEED),
    needs_winner=Phrase("Tied. Who goes on?"),
)
