"""Random nights on which whatever a desk can do is done at random: people come, leave, are swapped, merged, renamed.

Everything is done by use cases, and what they refuse stays undone. Scores are corrected before and after closing. What
was told is kept in `UnrulyNight.told` and `UnrulyNight.books`, from which everything is calculated a second time.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from random import Random
from typing import Literal

from flask import current_app
from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at
from scorekeeper.leagues.core.models import MoneyRow, NightRow, PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.money import service as money
from scorekeeper.leagues.money.queries import fees_panel
from scorekeeper.leagues.money.settings import MoneySettings, Pot, Share
from scorekeeper.leagues.nights import bell, closing, opening, outdated, places, seating, table_disputes, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.night_snapshot import seen
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.table_results import TableState, tables_of
from scorekeeper.leagues.teams import matches, playoffs
from scorekeeper.leagues.teams import service as teams
from scorekeeper.leagues.teams.fixtures import BOTH
from scorekeeper.leagues.teams.matches import fixtures_on
from scorekeeper.leagues.teams.playoffs import moved_round, moved_seeds
from scorekeeper.rules.commands import Command, Concede, CorrectHand, EnterHand, EnterResult, Redo, Undo
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.results.random_nights import NAMES, POINTS
from tests.leagues.results.random_nights import PLANS as QUIET_PLANS
from tests.leagues.results.unruly_books import NEEDS_WINNER, Books, Evening, Hand, Told, person_ids
from tests.leagues.standings.random_seasons import any_settings
from tests.support.phone import device_word

PLANS = QUIET_PLANS | {
    "third_place": NightPlan(format="knockout", rounds=3, together="fixed", options={"third": 1, "reseed": 1}),
    "team_match": NightPlan(format="team_match", rounds=2, options={"tables": 1}),
    "playoffs": NightPlan(rounds=1),
}
MORE_PLANS = {
    "singles_knockout": NightPlan(format="knockout", rounds=3, together="alone", options={"third": 1, "reseed": 0}),
    "head_hands": NightPlan(format="progressive", rounds=3, options={"hands": 2}),
    "one_more_hand": NightPlan(format="fixed_hands", options={"hands": 3, "one_more": 1}, rounds=2),
    "one_more_timed": NightPlan(format="timed", options={"minutes": 20, "one_more": 1}, rounds=3),
    "fixed_timed": NightPlan(format="timed", options={"one_more": 0}, rounds=3, together="fixed"),
    "called": NightPlan(rounds=2, together="called", sizes=(5,)),
    "sixes": NightPlan(rounds=2, sizes=(6,)),
    "three_pairs": NightPlan(rounds=2, sizes=(6,), pairs=True),
    "mixed_sizes": NightPlan(rounds=3, sizes=(4, 6)),
}
"""Plans that only the long test lives through."""
EVERY_PLAN = PLANS | MORE_PLANS
GAMES = {"called": "somerset-66", "sixes": "somerset-66", "three_pairs": "smear-4", "mixed_sizes": "smear-4"}
"""The games of nights that Setback can't be played on."""
WORD = device_word("the director")
"""The token in the cookie of the director's phone."""
DEVICE, PHONE = (hashlib.sha256(word.encode()).hexdigest() for word in (WORD, "the phone at a table"))
REFUSED = (RuleViolation, NoSuchLeagueError)
NOW = datetime(2026, 9, 30, tzinfo=UTC)
TEAM_PAGES = ("teams", "teams.csv", "teams.xlsx")
WHAT: tuple[Literal["start", "more", "stop"], ...] = ("start", "more", "stop")


class UnrulyNight:
    """A night of the given kind, a key of `PLANS`. The same `kind` and `seed` always give the same night."""

    def __init__(self, kind: str, seed: int) -> None:
        """Make a public league with one season, and open the night."""
        self.kind, self.chance = kind, Random(f"{kind} {seed}")
        self.plan = EVERY_PLAN[kind]
        self.slug = f"hall-{kind}-{seed}".replace("_", "-")
        self.mixed: set[str] = set()
        """The nights on which people of different teams may have sat on one side, or a team has changed."""
        self.seated_from: defaultdict[str, defaultdict[int, list[dict[int, int | None]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        """By night and round: the winners of the round before, by table, each time that it was seated or kept."""
        self.told: dict[int, Told] = {}
        """What was told about the game of each table, by the table's id."""
        self.taps = 0
        self.closings = 0
        self.league = seasons.make_league(name=f"Hall {seed}", device=DEVICE, client_id=self.slug)
        told = [PersonData(name=name) for name in NAMES]
        self.people = list(people.add_people(league=self.league, people=told, device=DEVICE))
        shares = tuple(Share(percent=percent) for percent in (50, 30, 20))
        fees = MoneySettings(entry_fee=500, per_set=25, payout=shares, pots=(Pot("Big game", 100),))
        self.books = Books(fees)
        self.fees: defaultdict[str, set[str]] = defaultdict(set)
        """The people from whom the desk of each night may have taken the fee."""
        self.paid_in: Counter[str] = Counter()
        """What each person paid through the accounts."""
        self.owing: Counter[str] = Counter()
        """What each person owes by charges and payments that were entered by hand."""
        self.received = 0
        """The sum of these payments."""
        self.season = seasons.open_season(
            league=self.league,
            name="2026/27",
            rules=PRESETS[GAMES.get(kind, "setback-21")],
            counting=any_settings(self.chance),
            plan=self.plan,
            money=fees.to_json(),
            playoffs=PlayoffSettings(
                nights=1,
                qualify=self.chance.randint(3, 4),
                third=self.chance.random() < 0.5,
                match=self.chance.choice(("tables", "points")),
                forfeit=self.chance.choice((0, 21)),
            ),
            device=DEVICE,
        )
        save_club(league=self.league, is_open=True, slug=self.slug, names="full", device=DEVICE)
        if kind == "team_match":
            for number in range(4):
                players = list(NAMES[3 * number : 3 * number + 3])
                teams.save_squad(
                    season=self.season, squad=None, name=f"Team {number}", division="", players=players, device=DEVICE
                )
            teams.make_matches(season=self.season, double=False, device=DEVICE)
        self.night = self.first = nights.open_night(season=self.season, day=date(2026, 9, 1), device=DEVICE)

    def live_through(self) -> None:
        """Play the night with everything that can happen, and close it."""
        self._gather()
        self._play()
        if self.kind == "playoffs":
            self._close()
            if self._start_playoffs():
                self._play()
                if self.chance.random() < 0.5:
                    self._change_the_standings()
        if self.kind == "team_match":
            self._team_playoffs()
        self._close()
        self._correct_closed()
        if self.kind not in ("playoffs", "team_match"):
            for week in range(1, self.chance.choice((1, 1, 1, 1, 1, 1, 1, 2, 2, 3))):
                self._next_week(week)
        over, again = self.chance.random() < 0.4, self.chance.random() < 0.3
        if over and self._try(lambda: seasons.close_season(season=self.season, device=DEVICE)) and again:
            seasons.reopen_season(season=self.season, device=DEVICE, reason="Not over")
            self._correct_closed()
        for _time in range(self.chance.randint(0, 3)):
            self._at_home()

    def _start_playoffs(self) -> bool:
        pairs = self.chance.random() < 0.3
        told = {"season": self.season, "day": date(2026, 9, 8), "device": DEVICE, "reason": "now"}
        try:
            self.night = playoffs.start_playoffs(**told, pairs=pairs)  # type: ignore[arg-type]
        except RuleViolation:
            return False
        return True

    def _correct_closed(self) -> None:
        """Reopen the night, change something, and close it again."""
        while self.chance.random() < 0.5:
            if not self._reopen():
                return
            for _time in range(self.chance.randint(0, 4)):
                self._something()
            self._score(self._tables())
            self._close()

    def _next_week(self, week: int) -> None:
        """Play another night, and perhaps correct an earlier one after that."""
        day = date(2026, 9, 1 + 7 * week)
        self.night = nights.open_night(season=self.season, day=day, device=DEVICE, another=True)
        self._gather()
        self._play()
        self._close()
        if self.chance.random() < 0.5:
            last, self.night = self.night, self.chance.choice(self.all_nights())
            self._correct_closed()
            self.night = last

    def _team_playoffs(self) -> None:
        """Play the rounds of teams, correct the semifinals after the final, and keep the final or play it again."""
        rounds: list[str] = []
        for day in (8, 15):
            self._close()
            try:
                start = date(2026, 9, day)
                self.night = playoffs.start_playoffs(season=self.season, day=start, device=DEVICE, reason="now")
            except RuleViolation:
                return
            rounds.append(self.night)
            for person in self.people:
                self._try(lambda: nights.check_in(night=self.night, people=[person], device=DEVICE))  # noqa: B023
            self._play()
        final, self.night = self.night, rounds[0]
        assert self._reopen()
        for _time in range(4):
            self._correct()
        self._close()
        self.night = final
        session = db.session()
        season = session.get_one(SeasonRow, night_at(session, final).season_id)
        if moved_round(session, season) is None:
            return
        if self.chance.random() < 0.5:
            outdated.keep_playoffs(season=self.season, stage=2, reason="Too late", device=DEVICE)
        else:
            gone = [table.id for table in self._tables() if table.game]
            outdated.redo_playoffs(season=self.season, stage=2, listed=gone, device=DEVICE)
            self._play()
        db.session.expire_all()
        assert moved_round(session, season) is None

    def _gather(self) -> None:
        count = 12 if self.kind == "team_match" else self.chance.randint(6, 12)
        some = self.people[:count]
        if not self._try(lambda: nights.check_in(night=self.night, people=some, device=DEVICE)):
            for person in some:  # someone was merged since
                self._try(lambda: nights.check_in(night=self.night, people=[person], device=DEVICE))  # noqa: B023
        here = self._here()
        if self.plan.format == "knockout" or self.plan.partners_stay:
            for first in range(0, len(here) - 1, 2):
                if self.chance.random() < 0.95:
                    self._pair(here[first : first + 2])

    def _play(self) -> None:
        for number in range(1, 5):
            for _time in range(self.chance.randint(0, 2)):
                self._something()
            # No round is seated anew if the plan has all of them, unless someone came or left.
            if not any(table.round >= number for table in self._tables()) or self.chance.random() < 0.2:
                self._try(lambda: places.draw_partners(night=self.night, seed=number, device=DEVICE))  # noqa: B023
                self._try(lambda: self._draw(number))  # noqa: B023
            if self.chance.random() < 0.3:
                self._something()
            self._score([table for table in self._tables() if table.round == number])
        is_final = self.chance.random() < 0.3 and self._has_played_out()
        before = self._results() if is_final else None
        for _time in range(self.chance.randint(0, 6)):
            self._try(self._leave)
        if is_final:
            assert self._results() == before

    def _has_played_out(self) -> bool:
        """Return whether who leaves can't change the results any more: in a knockout, once the final was played.

        A team that is left alone has won without a final, but only as long as it stays.
        """
        at = seen(self.night)
        if at.bracket is None or not at.bracket.champion:
            return at.bracket is None
        final = next(table for table in at.tables if (table.round, table.number) == (at.begun, 1))
        return set(final.seats) <= {*at.bracket.champion, *at.bracket.placed[1][0]}

    def _results(self) -> tuple[Unit, list[tuple[int | None, str, dict[str, object]]]]:
        """Return the champions of a knockout, and the place, name and numbers of each line of the night's results."""
        bracket = seen(self.night).bracket
        lines = [line for table in night_results(self.night).tables for line in table.lines]
        return bracket.champion if bracket else (), [(line.rank, line.name, dict(line.values)) for line in lines]

    def _something(self) -> None:
        self._try(
            self.chance.choice(
                (
                    self._leave,
                    self._leave,
                    self._leave,
                    self._come,
                    self._late,
                    self._substitute,
                    self._swap,
                    self._take_places,
                    self._seat_again,
                    self._undo_seating,
                    self._change_team,
                    self._correct,
                    self._correct,
                    self._correct,
                    self._phone,
                    self._phone,
                    self._confirm,
                    self._break_tie,
                    self._decide,
                    self._stay,
                    self._pot,
                    self._kitty,
                    self._note,
                    self._ring,
                    self._clock,
                    self._pay,
                    self._owe,
                    self._begin,
                    self._move,
                    self._forfeit,
                    self._forfeit_table,
                    self._at_home,
                )
            )
        )
        self.check_rounds()

    def _draw(self, seed: int) -> None:
        first = nights.draw(night=self.night, device=DEVICE, seed=seed).first
        if first is not None:
            self.seated_from[self.night][first].append(self._winners(first - 1))

    def _winners(self, number: int) -> dict[int, int | None]:
        """Return who has won each started table of a round by now."""
        tables = [table for table in self._tables() if table.round == number]
        return {table.number: table.verdict.winner for table in tables if table.verdict is not None}

    def check_rounds(self) -> int:
        """Check which round no longer fits the results before it, by what this night knows; return its number or 0."""
        if self._format() not in NEEDS_WINNER:
            return 0
        session = db.session()
        night = night_at(session, self.night)
        tables, expected = tables_of(session, night), 0
        for number, seatings in sorted(self.seated_from[self.night].items(), reverse=True):
            was = seatings[-1]
            here = sum(table.round == number for table in tables)
            changed = any(
                was.get(table.number) not in (None, table.verdict.winner)
                for table in tables
                if table.round == number - 1 and table.verdict is not None and table.verdict.winner is not None
            )
            if here > (self._format() == "progressive") and changed:
                expected = number
        found = outdated.outdated_round(session, night, tables)
        assert (found.number if found else 0) == expected
        return expected

    def _format(self) -> str:
        return "knockout" if self.kind == "playoffs" and self.night != self.first else self.plan.format

    def _decide(self) -> None:
        """Keep a round that no longer fits, or take it back and seat it again."""
        number = self.check_rounds()
        if not number:
            return
        if self.chance.random() < 0.5:
            outdated.keep_round(night=self.night, number=number, reason="Too late", device=DEVICE)
            self.seated_from[self.night][number].append(self._winners(number - 1))
            return
        gone = [table.id for table in self._tables() if table.round >= number and table.game]
        outdated.take_rounds_back(night=self.night, number=number, listed=gone, device=DEVICE)
        assert max((table.round for table in self._tables()), default=0) < number
        self._draw(number)

    def _change_the_standings(self) -> None:
        """Correct the night from which the playoffs were seeded, and keep the seeds or seed them again."""
        final, self.night = self.night, self.first
        assert self._reopen()
        self._correct()
        self.night = final
        session = db.session()
        season = session.get_one(SeasonRow, night_at(session, final).season_id)
        if not moved_seeds(session, season):
            return
        if self.chance.random() < 0.5:
            outdated.keep_playoffs(season=self.season, reason="Too late", device=DEVICE)
        else:
            gone = [table.id for table in self._tables() if table.game]
            self._try(lambda: outdated.redo_playoffs(season=self.season, listed=gone, device=DEVICE))
            self._play()
        db.session.expire_all()
        assert not moved_seeds(session, season)

    def _try(self, act: Callable[[], object]) -> bool:
        """Do something, and return whether it wasn't refused."""
        try:
            act()
        except REFUSED:
            return False
        return True

    def _tap(self) -> str:
        self.taps += 1
        return f"tap-{self.slug}-{self.taps}"

    def _tables(self) -> Sequence[TableState]:
        session = db.session()
        return tables_of(session, night_at(session, self.night))

    def _here(self) -> list[str]:
        session = db.session()
        night = night_at(session, self.night)
        query = select(PersonRow.public_id).join(PresentRow, PresentRow.person_id == PersonRow.id)
        here = query.where(PresentRow.night_id == night.id, PresentRow.to_round.is_(None)).order_by(PersonRow.id)
        return list(session.scalars(here))

    def _anyone(self) -> str:
        return self.chance.choice(self._here() or self.people)

    def _leave(self) -> None:
        nights.check_out(night=self.night, person=self._anyone(), device=DEVICE)

    def _come(self) -> None:
        nights.check_in(night=self.night, people=[self.chance.choice(self.people)], device=DEVICE)

    def _substitute(self) -> None:
        regular = self.chance.choice([*self.people, None])
        seating.set_sub(night=self.night, person=self._anyone(), regular=regular, device=DEVICE)

    def _late(self) -> None:
        """Let in somebody who isn't in the league yet."""
        paid, regular = self.chance.random() < 0.5, self.chance.choice([None, None, *self.people])
        told = PersonData(name=f"Late {self._tap()[-4:]} {self.chance.randrange(10**6)}")
        person = nights.let_in(night=self.night, told=told, device=DEVICE, paid=paid, regular=regular)
        self.people.append(person)
        if paid:
            self.fees[self.night].add(person)

    def _swap(self) -> None:
        number = 1 + max((table.round for table in self._tables() if table.game), default=0)
        nights.swap(night=self.night, round_number=number, one=self._anyone(), other=self._anyone(), device=DEVICE)
        self.mixed.add(self.night)

    def _take_places(self) -> None:
        gone = self.chance.choice(self.people)
        places.take_places(night=self.night, gone=gone, came=self._anyone(), device=DEVICE)
        self.mixed.add(self.night)

    def _seat_again(self) -> None:
        self._draw(self.chance.randrange(100))

    def _undo_seating(self) -> None:
        first = 1 + max((table.round for table in self._tables() if table.game), default=0)
        session = db.session()
        first = max(first, 1 + (night_at(session, self.night).started_round or 0))
        places.undo_seating(night=self.night, device=DEVICE)
        seatings = self.seated_from[self.night][first]
        seatings.append(seatings[-2] if len(seatings) > 1 else {})
        self.mixed.add(self.night)

    def _pair(self, some: Sequence[str]) -> None:
        nights.set_team(night=self.night, people=some, device=DEVICE)

    def _change_team(self) -> None:
        if self.chance.random() < 0.2:
            places.repeat_teams(night=self.night, device=DEVICE)
            self.mixed.add(self.night)
        if self.chance.random() < 0.2:
            places.draw_partners(night=self.night, seed=self.chance.randrange(100), again=True, device=DEVICE)
            self.mixed.add(self.night)
        here = self._here()
        self._pair(self.chance.sample(here, min(len(here), self.chance.choice((1, 2, 2, 2, 3)))))
        self.mixed.add(self.night)

    def _stay(self) -> None:
        seating.keep_table(night=self.night, person=self._anyone(), table=self.chance.choice((1, 2)), device=DEVICE)

    def _pot(self) -> None:
        here = self._here()
        entrants = self.chance.sample(here, len(here) // 2)
        winners = entrants[: self.chance.choice((0, 1, 1, 2, 3))]
        money.save_pot(night=self.night, pot="Big game", entrants=entrants, winners=winners, device=DEVICE)
        self.books.pot[self.night] = person_ids(entrants), person_ids(winners)

    def _kitty(self) -> None:
        opened, last = self.chance.random() < 0.5, self.chance.random() < 0.2
        money.save_kitty(night=self.night, opened=opened, last=last, device=DEVICE)
        self.books.opens[self.night] = opened, last

    def _note(self) -> None:
        cents = self.chance.choice((-300, -50, 150, 1000))
        money.note_amount(night=self.night, cents=cents, reason="Cards", device=DEVICE)
        self.books.note(self.night, cents)

    def _ring(self) -> None:
        bell.ring(night=self.night, device=DEVICE, rung=self.chance.random() < 0.7)
        for table in self._tables():
            if table.last_hand == "due" and self.chance.random() < 0.5:
                self._try(lambda: bell.end_game(night=self.night, table=table.id, device=DEVICE))  # noqa: B023

    def _clock(self) -> None:
        number, what = max((table.round for table in self._tables()), default=1), self.chance.choice(WHAT)
        bell.set_clock(night=self.night, number=number, what=what, device=DEVICE)

    def _move(self) -> None:
        day = date(2026, 9, self.chance.randint(1, 28))
        opening.move_night(night=self.night, day=day, reason="Wrong day", device=DEVICE, another=True)

    def _pay(self) -> None:
        here, paid = self._here(), self.chance.random() < 0.7
        payments.set_fees(night=self.night, people=here, paid=paid, device=DEVICE)
        at = seen(self.night)
        panel = fees_panel(db.session(), at.season, at.night, at.people)
        assert panel is not None
        assert not paid or not {payer.id for payer in panel.owing} & set(here), "tapped, but not paid"
        self.fees[self.night] = self.fees[self.night] | set(here) if paid else self.fees[self.night] - set(here)

    def _owe(self) -> None:
        """Charge somebody, or enter a payment; the same form twice counts once."""
        who, cents, charge = self._anyone(), self.chance.choice((100, 333)), self.chance.random() < 0.5
        told = {"people": [who], "cents": cents, "day": NOW.date(), "charge": charge, "tap": self._tap(), "now": NOW}
        for _time in range(2):
            payments.save_payment(season=self.season, device=DEVICE, **told)  # type: ignore[arg-type]
        self.owing[who] += cents if charge else -cents
        self.paid_in[who] += 0 if charge else cents
        self.received += 0 if charge else cents

    def _begin(self) -> None:
        number = 1 + max((table.round for table in self._tables() if table.game), default=0)
        nights.start_round(night=self.night, number=number, device=DEVICE, started=self.chance.random() < 0.7)

    def _forfeit(self) -> None:
        """Let a team forfeit a match of tonight, or undo that."""
        rows = fixtures_on(db.session(), night_at(db.session(), self.night).id)
        if rows:
            row, side = self.chance.choice(rows), self.chance.choice((0, 1, BOTH, None))
            matches.set_forfeit(night=self.night, match=row.public_id, side=side, device=DEVICE)

    def _forfeit_table(self) -> None:
        """Let a side forfeit the game of a table, or undo that."""
        if at := self._tables():
            table, side = self.chance.choice(at), self.chance.choice((0, 1, None))
            tables.forfeit_table(night=self.night, table=table.id, side=side, device=DEVICE)
            if table.forfeit != side:
                self._note_forfeit(table, side)

    def _note_forfeit(self, table: TableState, side: int | None) -> None:
        """Remember that a side forfeited. A game with hands keeps its score, which no other one has."""
        if not table.game:  # a table that was removed with its round can have had the same id
            self.told[table.id] = Told(table.sides)
        told = self.told[table.id]
        if told.hands or (side is None and told.final is None):
            told.conceded = None if side is None else 1 - side
        elif side is None:
            del self.told[table.id]
        else:
            night = night_at(db.session(), self.night)
            won = tables.forfeit_points(db.session.get_one(SeasonRow, night.season_id), night)
            told.final, told.winner = [0 if each == side else won for each in range(table.sides)], 1 - side

    def _correct(self) -> None:
        if begun := [table for table in self._tables() if table.game]:
            self._score([self.chance.choice(begun)], reason="Misread")

    def _at_home(self) -> None:
        """Do something that needs no open night: rename, merge or anonymize someone."""
        person, other = self.chance.sample(self.people, 2)
        change = self.chance.randrange(4)
        if change == 0:
            told = PersonData(name=f"Name {self.chance.randrange(10**6)}", nickname=self.chance.choice(("", "Ace")))
            self._try(lambda: people.change_person(person=person, told=told, device=DEVICE))
        elif change == 1:
            self._try(lambda: people.merge_people(person=person, into=other, device=DEVICE))
        elif change == 2:
            self._try(lambda: make_anonymous(person=person, reason="Asked", device=DEVICE, tap=f"gone-{person}"))
        elif self._try(lambda: money.settle_again(league=self.league)):
            for night in sorted(self.books.grew, key=lambda each: self.books.grew[each][0]):
                self._check_money(night)

    def _score(self, some: Sequence[TableState], reason: str = "") -> None:
        for table in some:
            told = self.told.get(table.id) if table.game else None
            if not reason and (table.done or self.chance.random() < 0.03):
                continue
            if (told is not None and told.final is None) or (not table.game and self._by_hand(table)):
                self._enter_hands(table)
                continue
            totals, won = self._any_result(table)
            if not self._try(
                lambda: tables.tell_result(
                    night=self.night,
                    table=table.id,  # noqa: B023
                    totals=totals,  # noqa: B023
                    winner=won,  # noqa: B023
                    ended_by="agreed",
                    reason=reason or "Again",
                    device=DEVICE,
                )
            ):
                continue
            told = self.told[table.id] = told or Told(table.sides)
            told.final, told.winner = totals, won
            if self.chance.random() < 0.5:
                sets = [self.chance.randint(0, 3) for _ in range(table.sides)]
                if self._try(
                    lambda: tables.tell_sets(night=self.night, table=table.id, sets=sets, device=DEVICE)  # noqa: B023
                ):
                    told.sets = sets

    def _any_result(self, table: TableState) -> tuple[list[int], int | None]:
        """Return a score for each side, and the winner, or None if two are tied and need not be parted."""
        needs_winner = self.plan.format in ("knockout", "progressive") or self.kind == "playoffs"
        totals = [self.chance.choice((21, 20, 22, 8, 8, 12, -3)) for _ in range(table.sides)]
        best = [side for side, points in enumerate(totals) if points == max(totals)]
        parted = len(best) == 1 or (needs_winner and self.chance.random() < 0.9)
        return totals, self.chance.choice(best) if parted else None

    def _by_hand(self, table: TableState) -> bool:
        often = 0.5 if self.plan.format in ("fixed_hands", "timed") or self.plan.options.get("hands") else 0.12
        return self.kind not in GAMES and len(table.seats) in (2, 3, 4) and self.chance.random() < often

    def _enter_hands(self, table: TableState) -> None:
        """Enter, correct, undo and redo a few hands on the director's phone, and perhaps end the game."""
        told: dict[str, str] = {}
        if not self._try(
            lambda: told.update(
                game=tables.start_table(night=self.night, table=table.id, device=DEVICE, client_id=self._tap())
            )
        ):
            return
        if table.fixed and self.chance.random() < 0.7:
            self._try(
                lambda: table_disputes.reopen_result(night=self.night, table=table.id, device=DEVICE, reason="Misread")
            )
        if not table.game:
            self.told[table.id] = Told(table.sides)
        its, game = self.told[table.id], told["game"]
        for _time in range(self.chance.randint(1, 5)):
            kind = self.chance.choice((EnterHand, EnterHand, EnterHand, EnterHand, Undo, Redo, CorrectHand))
            if kind is not EnterHand or len(its.hands) < 4:
                self._act(game, its, kind, len(table.seats))
        if its.hands and self.chance.random() < 0.85:
            self._act(game, its, Concede, len(table.seats))

    def _act(self, game: str, its: Told, kind: type, seats: int) -> None:
        """Carry out a command of this kind on a game with hands, and note what it should have done."""
        bidder = self.chance.randrange(seats)
        own, other = bidder % its.sides, (bidder + 1) % its.sides
        points = {point: self.chance.choice((own, own, own, other)) for point in POINTS}
        hand = Hand(bidder, self.chance.choice((2, 3, 4)), points)
        winner = self.chance.randrange(its.sides)
        if kind is CorrectHand and not its.hands:
            return
        seq = self.chance.choice(list(its.hands)) if its.hands else 0
        commands: dict[type, Callable[[], Command]] = {
            EnterHand: lambda: EnterHand(hand.data),
            CorrectHand: lambda: CorrectHand(seq, hand.data),
            Concede: lambda: Concede(winner),
            Undo: Undo,
            Redo: Redo,
        }
        try:
            state = scoring.act(public_id=game, command=commands[kind](), request=ClientRequest(DEVICE, self._tap()))
        except RuleViolation:
            return
        live = [line.entry.seq for line in state.lines]
        if kind is EnterHand:
            its.hands[live[-1]] = hand
        elif kind is CorrectHand:
            its.hands[seq] = hand
        elif kind is Undo and len(live) < len(its.hands):
            its.undone.append(its.hands.popitem())
        elif kind is Redo:
            its.hands |= [its.undone.pop()]
        its.hands = dict(sorted(its.hands.items()))
        its.conceded = winner if kind is Concede else its.conceded if state.over else None
        its.late = {line.entry.seq for line in state.lines if line.after_end}
        assert live == list(its.hands)
        assert list(state.tally.totals) == its.points()

    def _phone(self) -> None:
        """Enter a score on the phone at a table, and let the desk decide if it isn't the one that was told before."""
        session = db.session()
        night, key = night_at(session, self.night), str(current_app.secret_key)
        some = [table for table in self._tables() if table.dispute is None]
        table = self.chance.choice(some) if some else None
        if table is None or (table.id in self.told and table.game and self.told[table.id].final is None):
            return
        word = tables.card_word(night, table.number, key)
        tables.start_table(night=self.night, table=table.id, device=PHONE, client_id=self._tap(), word=word, key=key)
        if not table.game:
            self.told[table.id] = Told(table.sides)
        totals, won = self._any_result(table)
        sets = tuple(self.chance.randint(0, 3) for _ in totals) if self.chance.random() < 0.5 else None
        result = EnterResult(tuple(totals), won, "agreed")
        table_disputes.tell(night=self.night, table=table.id, result=result, device=PHONE, sets=sets, tap=self._tap())
        now = next(each for each in self._tables() if each.id == table.id)
        told = self.told[table.id]
        if now.dispute is None:
            told.final, told.winner = totals, won
            return
        how = self.chance.choice((table_disputes.KEEP, table_disputes.TAKE))
        table_disputes.settle(night=self.night, table=table.id, how=how, device=DEVICE, reason="Both were asked")
        if how == table_disputes.TAKE:
            told.final, told.winner, told.sets = totals, won, told.sets if sets is None else list(sets)

    def _confirm(self) -> None:
        for table in self._tables():
            if table.done and self.chance.random() < 0.5:
                for side in range(table.sides):
                    self._try(
                        lambda: table_disputes.confirm(
                            night=self.night,
                            table=table.id,  # noqa: B023
                            side=side,  # noqa: B023
                            points=table.points,  # noqa: B023
                            device=DEVICE,
                            seat=side,  # noqa: B023
                        )
                    )

    def _break_tie(self) -> None:
        """Say who won a table that is tied."""
        for table in self._tables():
            if table.tied:
                best = [side for side, points in enumerate(table.points) if points == max(table.points)]
                side = self.chance.choice(best)
                tables.settle_tie(night=self.night, table=table.id, side=side, points=table.points, device=DEVICE)
                told = self.told[table.id]
                told.winner = told.conceded = side

    def _reopen(self) -> bool:
        if not self._try(lambda: closing.reopen_night(night=self.night, device=DEVICE, reason="Wrong")):
            return False
        self.books.reopen(self.night)
        return True

    def _close(self) -> None:
        """Close the night. If the money of it or of an earlier night doesn't fit, mend that first."""
        self.check_rounds()
        try:
            closing.close_night(night=self.night, device=DEVICE, anyway=True)
        except RuleViolation as refused:
            evening = Evening(db.session(), self.night, self.told)
            early = self.books.overdrawn(evening.night.number)
            if early is not None:
                assert (refused.code, refused.message.values["number"]) == ("night_overpaid", self.books.grew[early][0])
                self.night, late = early, self.night
                assert self._reopen()
                self._close()
                self.night = late
            else:
                assert refused.code == "kitty_empty"
                assert self.books.kitty_tonight(evening) < 0
                money.note_amount(night=self.night, cents=1000, reason="From the bank", device=DEVICE)
                self.books.note(self.night, 1000)
            self._close()
            return
        self._check_money(self.night)

    def _check_money(self, night: str) -> None:
        """Compare the money that closing a night has saved with a second calculation."""
        self.closings += 1
        session = db.session()
        evening = Evening(session, night, self.told)
        rows = select(MoneyRow.kind, MoneyRow.person_id, MoneyRow.cents, MoneyRow.what)
        saved = session.execute(rows.where(MoneyRow.night_id == evening.night.id)).all()
        self.books.close(evening, saved, mixed=night in self.mixed)

    def all_nights(self) -> list[str]:
        """Return the public ids of the nights of the season, first night first."""
        session = db.session()
        season = night_at(session, self.night).season_id
        own = select(NightRow.public_id).where(NightRow.season_id == season, NightRow.number > 0)
        return list(session.scalars(own.order_by(NightRow.number)))

    def pages(self, of: str) -> list[str]:
        """Return the paths of all pages, files and feeds that show something of a night (its public id)."""
        session = db.session()
        night = night_at(session, of)
        own, club = f"/nights/{of}", f"/clubs/{self.slug}"
        api = f"/api/1{club}"
        table = [f"{own}/tables/{table.id}" for table in tables_of(session, night)[:1]]
        person = f"/people/{self.chance.choice(self.people)}"
        public = f"{club}/seasons/1/nights/{night.number}"
        return [
            own,
            *(f"{own}/{page}" for page in ("results", "results/games", "results.xlsx", "results.png", "money", "tv")),
            *(f"{own}/{page}" for page in ("results.csv", "desk", "cards", "rotation", "sheets")),
            *table,
            person,
            f"{person}/data.zip",
            f"/seasons/{self.season}",
            *(f"/seasons/{self.season}/{page}" for page in ("people.csv", "people/nights.csv", "money", "money.csv")),
            *(f"/seasons/{self.season}/{page}" for page in ("playoffs", "people.xlsx", "schedule", "other-rules")),
            *([f"/seasons/{self.season}/{page}" for page in TEAM_PAGES] if self.kind == "team_match" else []),
            f"/leagues/{self.league}",
            *(f"/leagues/{self.league}/{page}" for page in ("people", "log", "log.csv", "log.json", "archive.zip")),
            club,
            f"{club}/feed.atom",
            f"{club}/calendar.ics",
            f"{club}/seasons/1",
            f"{club}/seasons/1/picture.png",
            public,
            f"{public}/picture.png",
            *(f"/embed/{self.slug}/{part}" for part in ("last-night", "standings", "schedule")),
            f"{api}/seasons",
            f"{api}/seasons/1/standings",
            f"{api}/seasons/1/nights",
            f"{api}/seasons/1/nights/{night.number}",
            f"{api}/seasons/1/nights/{night.number}/games",
        ]
