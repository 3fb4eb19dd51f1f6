"""A second calculation of a night: its games, its places, its champions and its money.

It knows what the test has told at the desk and on phones (`Told`), and reads from the database only who sat where, who
was there, and who played for whom. It shares no calculation with the app.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import ByeRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.web.extensions import db
from tests.leagues.standings import second_calculation

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from scorekeeper.leagues.money.settings import MoneySettings

Team = tuple[int, ...]
Places = list[list[Team]]
"""The people or teams in first place, in the next place, and so on."""
NEEDS_WINNER, HAS_BELL = ("knockout", "progressive"), ("timed", "progressive")


class Hand(NamedTuple):
    """A hand as it was entered: the seat of the bidder, the bid, and the side that took each point."""

    bidder: int
    bid: int
    points: Mapping[str, int]

    @property
    def data(self) -> dict[str, object]:
        """Return the hand in the format of a game record."""
        return {"bidder": self.bidder, "bid": self.bid, "points": self.points}


@dataclass
class Told:
    """What was told about the game of a table: a final score, or hands."""

    sides: int
    final: list[int] | None = None
    winner: int | None = None
    sets: list[int] | None = None
    """How often each side was set, if it was told with a final score."""
    hands: dict[int, Hand] = field(default_factory=dict)
    """The hands, by log position, oldest first."""
    late: set[int] = field(default_factory=set)
    """Log positions of hands after the end of the game, as it is since a correction."""
    undone: list[tuple[int, Hand]] = field(default_factory=list)
    conceded: int | None = None

    def counted(self) -> list[Hand]:
        """Return the hands that count, oldest first."""
        return [hand for seq, hand in self.hands.items() if seq not in self.late]

    def points(self) -> list[int]:
        """Return the score of each side."""
        if self.final is not None:
            return self.final
        points = [0] * self.sides
        for hand in self.counted():
            taken = Counter(hand.points.values())
            for side in range(self.sides):
                lost = side == hand.bidder % self.sides and taken[side] < hand.bid
                points[side] += -hand.bid if lost else taken[side]
        return points

    def lost_bids(self) -> list[int]:
        """Return the seat of the bidder of each hand whose bid failed."""
        return [
            hand.bidder
            for hand in self.counted()
            if list(hand.points.values()).count(hand.bidder % self.sides) < hand.bid
        ]

    def sets_of_sides(self) -> list[int]:
        """Return how often each side was set."""
        if self.final is not None:
            return self.sets or [0] * self.sides
        lost = Counter(seat % self.sides for seat in self.lost_bids())
        return [lost[side] for side in range(self.sides)]

    def leader(self) -> int | None:
        """Return the only side with the most points, or None."""
        points = self.points()
        return points.index(max(points)) if points.count(max(points)) == 1 else None

    def result(self, plan: NightPlan, number: int, *, over: bool, later: bool) -> tuple[bool, int | None]:
        """Return whether the game at table `number` counts, and the side that won or None.

        `over` says whether a game with hands has ended. `later` says whether a later round has started, which ends a
        game on a night with a bell. If hands were corrected after a side gave up, and end the game, they decide it.
        """
        won = self.leader()
        last = plan.options.get("hands") if plan.format == "fixed_hands" or number == 1 else None
        played = bool(last) and len(self.counted()) >= (last or 0) and won is not None
        if self.final is not None:
            won = self.winner
        elif over:
            won = won if self.conceded is None or played else self.conceded
        elif (plan.format in HAS_BELL and later) or (
            plan.format == "fixed_hands" and len(self.hands) >= plan.options["hands"]
        ):
            if won is None and plan.options.get("one_more", 1):
                return False, None
        else:
            return False, None
        return won is not None or plan.format not in NEEDS_WINNER, won


@dataclass
class Sat:
    """A game that counts: where it was played, and who sat where."""

    id: int
    round: int
    number: int
    people: list[int]
    told: Told
    winner: int | None
    subs: list[int | None]

    def side(self, number: int) -> Team:
        """Return the people of a side."""
        return tuple(sorted(self.people[number :: self.told.sides]))


class Evening:
    """The night `public_id` as it is now. `told` has what was told about each table, by the table's id."""

    def __init__(self, session: Session, public_id: str, told: Mapping[int, Told]) -> None:
        self.night = session.scalars(select(NightRow).where(NightRow.public_id == public_id)).one()
        self.season = session.get_one(SeasonRow, self.night.season_id)
        self.plan = NightPlan.from_json(self.night.plan)
        present = select(PresentRow).where(PresentRow.night_id == self.night.id).order_by(PresentRow.id)
        self.present = session.scalars(present).all()
        rows = session.scalars(select(TableRow).where(TableRow.night_id == self.night.id).order_by(TableRow.id)).all()
        self.begun = max((self.night.started_round or 0, *(row.round for row in rows if row.game_id is not None)))
        seats: defaultdict[int, list[SeatRow]] = defaultdict(list)
        of_night = select(SeatRow).join(TableRow, TableRow.id == SeatRow.table_id)
        for seat in session.scalars(of_night.where(TableRow.night_id == self.night.id).order_by(SeatRow.seat)):
            seats[seat.table_id].append(seat)
        self.games: list[Sat] = []
        self.seated: defaultdict[int, set[int]] = defaultdict(set)
        """The people at the tables of each round, or who sit out."""
        self.tables: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
        """The people at each table of each round, in seat order."""
        for row in rows:
            people = [seat.person_id for seat in seats[row.id]]
            self.seated[row.round] |= set(people)
            self.tables[row.round][row.number] = people
            if row.game_id is None or row.id not in told:
                continue
            over = session.get_one(GameRow, row.game_id).over
            counts, winner = told[row.id].result(self.plan, row.number, over=over, later=row.round < self.begun)
            if counts:
                subs = [seat.sub_for for seat in seats[row.id]]
                self.games.append(Sat(row.id, row.round, row.number, people, told[row.id], winner, subs))
        self.byes: defaultdict[int, list[int]] = defaultdict(list)
        self.out_in: dict[tuple[int, int], int | None] = {}
        """The number of the team in which someone sits out a round, as the seating was made."""
        self.out_for: dict[tuple[int, int], int | None] = {}
        """For whom someone sits out a round, if it is stored."""
        byes = select(ByeRow).where(ByeRow.night_id == self.night.id).order_by(ByeRow.person_id)
        for bye in session.scalars(byes):
            self.byes[bye.round].append(bye.person_id)
            self.out_in[bye.round, bye.person_id] = bye.team
            self.out_for[bye.round, bye.person_id] = bye.sub_for
            self.seated[bye.round].add(bye.person_id)

    def _sat_out_with(self, number: int, person: int) -> list[int]:
        """Return the partners with whom someone sits out a round. Without stored ones, they are those of now."""
        if team := self.out_in[number, person]:
            return [other for other in self.byes[number] if other != person and self.out_in[number, other] == team]
        own = next((row.team for row in self.present if row.person_id == person), None)
        mates = [row.person_id for row in self.present if own and row.team == own and row.person_id != person]
        return [mate for mate in mates if mate in self.byes[number]]

    def played(self, merged: Mapping[int, int] | None = None) -> list[Played]:
        """Return a record for each person's game or bye. `merged` maps each merged person to whom they are now."""
        now = merged or {}
        records: list[Played] = []
        number = self.night.number

        def whole(person: int | None, own: int) -> int | None:
            regular = None if person is None else now.get(person, person)
            return None if regular == own else regular

        for game in self.games:
            points, sets = game.told.points(), game.told.sets_of_sides()
            people = [now.get(person, person) for person in game.people]
            for seat, person in enumerate(people):
                side = seat % game.told.sides
                records.append(
                    Played(
                        number,
                        game.round,
                        game.number,
                        game.id,
                        person,
                        tuple(people[at] for at in range(side, len(people), game.told.sides) if at != seat),
                        tuple(other for at, other in enumerate(people) if at % game.told.sides != side),
                        points[side],
                        max(points[other] for other in range(game.told.sides) if other != side),
                        won=game.winner == side,
                        drawn=game.winner is None,
                        sets=sets[side],
                        sub_for=whole(game.subs[seat], person),
                    )
                )
        rows = {row.person_id: row for row in self.present}
        rounds = {game.round for game in self.games}
        for round_, people in self.byes.items():
            for person in people if round_ in rounds else ():
                row = rows.get(person)
                mates = [now.get(other, other) for other in self._sat_out_with(round_, person)]
                own = now.get(person, person)
                sat_for = self.out_for[round_, person] or (None if row is None else row.sub_for)
                regular = whole(sat_for, own)
                key = f"bye-{number}-{round_}"
                records.append(Played(number, round_, 0, key, own, tuple(mates), bye=True, sub_for=regular))
        return records

    def places(self) -> Places:
        """Return who shares each place by the games of the night. A knockout is placed by its bracket."""
        if self.plan.format == "knockout":
            groups = self.bracket()
            return groups if len(groups) > 1 else []
        counting = StandingSettings.from_json(self.season.counting)
        tonight = replace(
            counting,
            min_games=0,
            drop_nights=0,
            handicap="none",
            subs="sub",
            ties=tuple(rule for rule in counting.ties if rule != "draw"),
        )
        judge = second_calculation.teams if self.plan.partners_stay else second_calculation.people
        played = self.played()
        people = {person for each in played for person in (each.person, each.sub_for, *each.partners)}
        tags = {person: str(person) for person in people if person is not None}
        by_place: defaultdict[int, list[Team]] = defaultdict(list)
        for row in judge(played, tonight, self.season.public_id, tags):
            if row["place"] is not None:
                by_place[row["place"]].append(row["unit"])
        return [by_place[place] for place in sorted(by_place)]

    def teams(self) -> list[Team]:
        """Return the teams of a knockout in the order of their seeds."""
        teams: defaultdict[int, list[int]] = defaultdict(list)
        for row in self.present:
            if row.team is not None:
                teams[row.team].append(row.person_id)
        alone = self.plan.together == "alone" or self.begun
        return [tuple(sorted(team)) for _number, team in sorted(teams.items()) if alone or len(team) > 1]

    def bracket(self) -> Places:
        """Return the teams of a knockout by how far they got: those still in, those that were out last, and so on.

        A round counts once each of its tables has a winner, or once the next round has started. Teams that weren't
        seated, nor sat out, when they could have played on have withdrawn: they are out with those that lost in the
        round that they missed. A team that played in the next round hasn't lost, even if a score was corrected since.
        After the last round, the only team left that hasn't gone home wins.
        """
        left, rounds, groups = set(self.teams()), 0, Places()
        third: list[Sat] = []
        for number in range(1, self.begun + 1):
            tables, going_on = self.tables[number], set(self.byes[number])
            games = [game for game in self.games if game.round == number]
            if number < self.begun:
                later = self.tables[number + 1]
                beside = max(later) if len(tables) == 2 and not going_on and len(later) > 1 else 0
                going_on = {person for table, people in later.items() if table != beside for person in people}
                going_on |= set(self.byes[number + 1])
                for game in games:
                    if game.winner is not None and not going_on & set(game.people):
                        going_on |= set(game.side(game.winner))
                going_on |= set(self.byes[number])
            elif len(games) < len(tables) or any(game.winner is None for game in games):
                break
            else:
                going_on |= {person for game in games for person in game.side(game.winner or 0)}
            rounds = number
            out = {team for team in left if not going_on & set(team)}
            third = [game for game in games if not left & self._teams_at(game)]
            left -= out
            if out:
                groups.insert(0, sorted(out))
        if rounds > 1 and len(left) == 1 and third and len(groups) > 1 and {*groups[1]} == self._teams_at(third[0]):
            won = set(third[0].side(third[0].winner or 0))
            groups[1:2] = [[team for team in groups[1] if won & set(team)], [t for t in groups[1] if not won & set(t)]]
        if rounds == self.begun and len(left) > 1:
            here = {row.person_id for row in self.present if row.to_round is None}
            alone = [team for team in left if here >= set(team)]
            if len(alone) == 1:
                groups.insert(0, sorted(left - set(alone)))
                left = set(alone)
        return [sorted(left), *(group for group in groups if group)]

    def _teams_at(self, game: Sat) -> set[Team]:
        return {team for team in self.teams() if set(team) & set(game.people)}

    @property
    def of_teams(self) -> bool:
        """Return whether fixed teams are placed on this night."""
        return self.plan.format == "knockout" or self.plan.partners_stay

    def champion(self) -> Team:
        """Return the team that won a knockout; () if none has."""
        best = self.bracket()[0]
        return best[0] if len(best) == 1 and self.begun else ()

    def sets_paid(self, cents: int) -> Counter[int]:
        """Return what each person pays for sets at `cents` each. Partners share those of which no bidder is known."""
        owed: Counter[int] = Counter()
        for game in self.games:
            if game.told.final is None:
                for seat in game.told.lost_bids():
                    owed[game.people[seat]] += cents
            for number, count in enumerate(game.told.sets or () if game.told.final is not None else ()):
                side = game.side(number)
                for at, person in enumerate(side):
                    owed[person] += cents * count // len(side) + (at < cents * count % len(side))
        return +owed

    def payers(self) -> list[int]:
        """Return who pays the entry fee: everyone who was there, but no substitute of a regular who was there, too."""
        there = {row.person_id for row in self.present}
        return [row.person_id for row in self.present if row.sub_for not in there]


def prizes_of(fund: int, shares: Sequence[int], places: Places) -> tuple[dict[tuple[int, Team], tuple[int, int]], int]:
    """Return what each person or team gets, and the cents that stay in the kitty.

    The keys are (place, team), and the values are the fewest and the most cents: cents that several in first place
    can't divide go to those listed first. `shares` has the percentage of each place.
    """
    kept = fund - fund * sum(shares) // 100
    if not any(places):
        return {}, fund
    amounts = [fund * share // 100 for share in shares]
    told: dict[tuple[int, Team], tuple[int, int]] = {}
    above = paid = 0
    for group in places:
        pool = sum(amounts[above : above + len(group)])
        if above:
            told |= {(above + 1, team): (pool // len(group),) * 2 for team in group}
            paid += pool // len(group) * len(group)
        above += len(group)
    first = fund - kept - paid
    told |= {(1, team): (first // len(places[0]), -(-first // len(places[0]))) for team in places[0]}
    return told, kept


class Books:
    """The kitty and the side pot of a season, and what each closed night has put in and paid."""

    def __init__(self, settings: MoneySettings) -> None:
        self.settings = settings
        self.pot: dict[str, tuple[list[int], list[int]]] = {}
        """The players and the winners of the pot of each night, by person id."""
        self.opens: dict[str, tuple[bool, bool]] = {}
        """Whether each night opens the kitty, and whether it is the last of the pot."""
        self.noted: Counter[str] = Counter()
        """Cents that were added to the kitty on each night."""
        self.grew: dict[str, tuple[int, int, int]] = {}
        """By closed night: its number, and by how much the kitty and the pot grew."""
        self.paid: dict[str, Counter[int]] = {}
        """What each closed night has paid to each person."""
        self.charged: dict[str, Counter[int]] = {}
        """What each closed night charges each person for: the entry fee and sets."""
        self.paid_before: dict[str, Counter[int]] = {}
        """What each night had paid to each person when it was last reopened."""

    def before(self, number: int) -> tuple[int, int]:
        """Return the cents in the kitty and in the pot before a night."""
        earlier = [(kitty, pot) for at, kitty, pot in self.grew.values() if at < number]
        return sum(kitty for kitty, _pot in earlier), sum(pot for _kitty, pot in earlier)

    def overdrawn(self, number: int) -> str | None:
        """Return the first closed night before a night that has paid more than the kitty or the pot holds by now."""
        nights = sorted((at, night) for night, (at, *_more) in self.grew.items() if at < number)
        return next((night for at, night in nights if min(self.before(at + 1)) < 0), None)

    def kitty_tonight(self, evening: Evening) -> int:
        """Return the cents that the kitty would hold before the prizes of an open night."""
        night, number = evening.night.public_id, evening.night.number
        return self.before(number)[0] + self.noted[night] + evening.sets_paid(self.settings.per_set).total()

    def close(self, evening: Evening, rows: Iterable[tuple[str, int | None, int, str]], *, mixed: bool) -> None:
        """Check the `rows` of money that closing a night has saved: kind, person, cents and what they are for.

        With `mixed`, nobody knows whose teams these were, so the prizes of teams are only added up.
        """
        night, number = evening.night.public_id, evening.night.number
        kitty, pot = self.before(number)
        entrants, winners = self.pot.get(night, ([], []))
        opened, last = self.opens.get(night, (False, False))
        found: defaultdict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
        for kind, person, cents, what in rows:
            assert cents <= 0 or kind not in ("prize", "pot_prize"), "who wins a prize has to pay"
            found[kind][person or 0, what] += cents
        payers = evening.payers()
        fees = {(person, ""): self.settings.entry_fee for person in payers}
        assert found["entry"] == fees, "entry fees"
        owed = evening.sets_paid(self.settings.per_set)
        assert {person: cents for (person, _count), cents in found["sets"].items()} == owed, "sets"
        entry = self.settings.pots[0].entry
        assert set(_after_merges(person for person, _pot in found["pot_entry"])) == set(_after_merges(entrants))
        assert sum(found["pot_entry"].values()) == entry * len(entrants)
        whole = pot + entry * len(entrants)
        won = whole // len(winners) if winners else 0
        from_pot = Counter({person: -cents for (person, _pot), cents in found["pot_prize"].items()})
        told_won = +Counter(dict(zip(_after_merges(from_pot), from_pot.values(), strict=True)))
        assert told_won == +Counter(dict.fromkeys(_after_merges(winners), won)), "the pot"
        left = whole - won * len(winners)
        kept = left if last else 0
        kitty += self.noted[night] + owed.total() + kept
        fund = self.settings.entry_fee * len(payers) + (kitty if opened else 0)
        prizes = {(int(place), person): -cents for (person, place), cents in found["prize"].items() if cents}
        if not (mixed and evening.of_teams):
            told, stays = prizes_of(fund, [share.percent for share in self.settings.payout], evening.places())
            _check_prizes(told, prizes)
            assert sum(prizes.values()) == fund - stays
        taken = self.settings.entry_fee * len(payers) + self.noted[night] + owed.total()
        self.grew[night] = (number, taken + kept - sum(prizes.values()), left - kept - pot)
        self.charged[night] = Counter(dict.fromkeys(payers, self.settings.entry_fee)) + owed
        paid = self.paid[night] = Counter(from_pot)
        for (_place, person), cents in prizes.items():
            paid[person] += cents

    def note(self, night: str, cents: int) -> None:
        """Add an amount to the kitty of an open or closed night."""
        self.noted[night] += cents
        if night in self.grew:
            number, kitty, pot = self.grew[night]
            self.grew[night] = (number, kitty + cents, pot)

    def reopen(self, night: str) -> None:
        """Take back what closing a night had saved."""
        del self.grew[night]
        self.paid_before[night] = self.paid.pop(night)


def _check_prizes(told: Mapping[tuple[int, Team], tuple[int, int]], prizes: Mapping[tuple[int, int], int]) -> None:
    """Compare the prizes that each team should get with those that its people got, by place and person."""
    least: Counter[tuple[int, int]] = Counter()
    most: Counter[tuple[int, int]] = Counter()
    for (place, team), (low, high) in told.items():
        for at, person in enumerate(sorted(team)):
            least[place, person] += low // len(team) + (at < low % len(team))
            most[place, person] += high // len(team) + (at < high % len(team))
    assert set(prizes) <= set(most), "a prize for somebody else"
    wrong = {
        key: (low, prizes.get(key, 0), most[key])
        for key, low in least.items()
        if not low <= prizes.get(key, 0) <= most[key]
    }
    assert not wrong, f"prizes: {wrong}"


def _after_merges(people: Iterable[int]) -> list[int]:
    """Return the row ids of the people who are left after merges, in the same order.

    The app moves who is in a pot only while the night is open.
    """
    query = select(PersonRow.id, PersonRow.merged_into).where(PersonRow.merged_into.is_not(None))
    gone = dict(db.session.execute(query).all())
    return [gone.get(person) or person for person in people]


def person_ids(people: Iterable[str]) -> list[int]:
    """Return the row ids of people, in the same order."""
    some = list(people)
    query = select(PersonRow.public_id, PersonRow.id).where(PersonRow.public_id.in_(some))
    ids = dict(db.session.execute(query).all())
    return [ids[person] for person in some]
