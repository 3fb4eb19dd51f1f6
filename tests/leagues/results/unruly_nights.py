"""Random nights on which whatever a desk can do is done at random: people come, leave, are swapped, merged, renamed.

Everything is done by use cases, and what they refuse stays undone. Scores are corrected before and after closing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from random import Random

from sqlalchemy import select

from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at
from scorekeeper.leagues.core.models import PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.money import service as money
from scorekeeper.leagues.money.settings import MoneySettings, Pot, Share
from scorekeeper.leagues.nights import bell, closing, outdated, places, seating, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.schedule.formats import FORMATS
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
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.results.random_nights import NAMES
from tests.leagues.results.random_nights import PLANS as QUIET_PLANS
from tests.leagues.standings.random_seasons import any_settings
from tests.support.phone import device_word

PLANS = QUIET_PLANS | {
    "third_place": NightPlan(format="knockout", rounds=3, together="fixed", options={"third": 1, "reseed": 1}),
    "team_match": NightPlan(format="team_match", rounds=2, options={"tables": 1}),
    "playoffs": NightPlan(rounds=1),
}
WORD = device_word("the director")
"""The token in the cookie of the director's phone."""
DEVICE = hashlib.sha256(WORD.encode()).hexdigest()
REFUSED = (RuleViolation, NoSuchLeagueError)


class UnrulyNight:
    """A night of the given kind, a key of `PLANS`. The same `kind` and `seed` always give the same night."""

    def __init__(self, kind: str, seed: int) -> None:
        """Make a public league with one season, and open the night."""
        self.kind, self.chance = kind, Random(f"{kind} {seed}")
        self.plan = PLANS[kind]
        self.slug = f"hall-{kind}-{seed}".replace("_", "-")
        self.mixed = False
        """True once people of different teams may have sat on one side, or a team has changed."""
        self.seated_from: dict[int, dict[int, int | None]] = {}
        """The winners of the round before, by table, when each round was seated or kept."""
        self.league = seasons.make_league(name=f"Hall {seed}", device=DEVICE, client_id=self.slug)
        told = [PersonData(name=name) for name in NAMES]
        self.people = list(people.add_people(league=self.league, people=told, device=DEVICE))
        shares = tuple(Share(percent=percent) for percent in (50, 30, 20))
        self.season = seasons.open_season(
            league=self.league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=any_settings(self.chance),
            plan=self.plan,
            money=MoneySettings(entry_fee=500, per_set=25, payout=shares, pots=(Pot("Big game", 100),)).to_json(),
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
        self.night = nights.open_night(season=self.season, day=date(2026, 9, 1), device=DEVICE)

    def live_through(self) -> None:
        """Play the night with everything that can happen, and close it."""
        self._gather()
        self._play()
        if self.kind == "playoffs":
            closing.close_night(night=self.night, device=DEVICE, anyway=True)
            with suppress(RuleViolation):
                self.first, self.seated_from = self.night, {}
                self.night = playoffs.start_playoffs(
                    season=self.season,
                    day=date(2026, 9, 8),
                    device=DEVICE,
                    reason="now",
                    pairs=self.chance.random() < 0.3,
                )
                self._play()
                if self.chance.random() < 0.5:
                    self._change_the_standings()
        if self.kind == "team_match":
            self._team_playoffs()
        self._close()
        while self.chance.random() < 0.5:
            self._try(lambda: closing.reopen_night(night=self.night, device=DEVICE, reason="Wrong"))
            for _time in range(self.chance.randint(0, 4)):
                self._something()
            self._score(self._tables())
            self._close()
        if self.chance.random() < 0.4:
            self._try(lambda: seasons.close_season(season=self.season, device=DEVICE))
        for _time in range(self.chance.randint(0, 3)):
            self._at_home()

    def _team_playoffs(self) -> None:
        """Play the rounds of teams, correct the semifinals after the final, and keep the final or play it again."""
        rounds: list[str] = []
        for day in (8, 15):
            closing.close_night(night=self.night, device=DEVICE, anyway=True)
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
        closing.reopen_night(night=self.night, device=DEVICE, reason="Wrong")
        for _time in range(4):
            self._correct()
        closing.close_night(night=self.night, device=DEVICE, anyway=True)
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
        here = self.people[:count]
        nights.check_in(night=self.night, people=here, device=DEVICE)
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
        before, is_final = self._results(), self._has_played_out()
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
                    self._substitute,
                    self._swap,
                    self._take_places,
                    self._undo_seating,
                    self._change_team,
                    self._correct,
                    self._correct,
                    self._correct,
                    self._decide,
                    self._stay,
                    self._pot,
                    self._ring,
                    self._pay,
                    self._begin,
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
            self.seated_from[first] = self._winners(first - 1)

    def _winners(self, number: int) -> dict[int, int | None]:
        """Return who has won each started table of a round by now."""
        tables = [table for table in self._tables() if table.round == number]
        return {table.number: table.verdict.winner for table in tables if table.verdict is not None}

    def check_rounds(self) -> int:
        """Check which round no longer fits the results before it, by what this night knows; return its number or 0."""
        at = seen(self.night)
        expected = 0
        for number, was in sorted(self.seated_from.items(), reverse=True):
            here = sum(table.round == number for table in at.tables)
            changed = any(
                was.get(table) not in (None, won) for table, won in self._winners(number - 1).items() if won is not None
            )
            if here > (at.plan.format == "progressive") and changed and FORMATS[at.plan.format].needs_winner:
                expected = number
        found = outdated.outdated_round(db.session(), at.night, at.tables)
        assert (found.number if found else 0) == expected
        return expected

    def _decide(self) -> None:
        """Keep a round that no longer fits, or take it back and seat it again."""
        number = self.check_rounds()
        if not number:
            return
        if self.chance.random() < 0.5:
            outdated.keep_round(night=self.night, number=number, reason="Too late", device=DEVICE)
            self.seated_from[number] = self._winners(number - 1)
            return
        gone = [table.id for table in self._tables() if table.round >= number and table.game]
        outdated.take_rounds_back(night=self.night, number=number, listed=gone, device=DEVICE)
        assert max((table.round for table in self._tables()), default=0) < number
        self._draw(number)

    def _change_the_standings(self) -> None:
        """Correct the night from which the playoffs were seeded, and keep the seeds or seed them again."""
        final, self.night = self.night, self.first
        closing.reopen_night(night=self.night, device=DEVICE, reason="Wrong")
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
            self.seated_from = {}
            self._play()
        db.session.expire_all()
        assert not moved_seeds(session, season)

    def _try(self, act: Callable[[], object]) -> None:
        with suppress(*REFUSED):
            act()

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

    def _swap(self) -> None:
        number = 1 + max((table.round for table in self._tables() if table.game), default=0)
        nights.swap(night=self.night, round_number=number, one=self._anyone(), other=self._anyone(), device=DEVICE)
        self.mixed = True

    def _take_places(self) -> None:
        self.mixed = True
        gone = self.chance.choice(self.people)
        places.take_places(night=self.night, gone=gone, came=self._anyone(), device=DEVICE)

    def _undo_seating(self) -> None:
        self.mixed = True
        places.undo_seating(night=self.night, device=DEVICE)

    def _pair(self, some: Sequence[str]) -> None:
        nights.set_team(night=self.night, people=some, device=DEVICE)

    def _change_team(self) -> None:
        self.mixed = True
        if self.chance.random() < 0.2:
            places.repeat_teams(night=self.night, device=DEVICE)
        here = self._here()
        self._pair(self.chance.sample(here, min(len(here), self.chance.choice((1, 2, 2, 2, 3)))))

    def _stay(self) -> None:
        seating.keep_table(night=self.night, person=self._anyone(), table=self.chance.choice((1, 2)), device=DEVICE)

    def _pot(self) -> None:
        here = self._here()
        entrants = self.chance.sample(here, len(here) // 2)
        money.save_pot(night=self.night, pot="Big game", entrants=entrants, winners=entrants[:1], device=DEVICE)

    def _ring(self) -> None:
        bell.ring(night=self.night, device=DEVICE, rung=self.chance.random() < 0.7)

    def _pay(self) -> None:
        payments.set_fees(night=self.night, people=self._here(), paid=self.chance.random() < 0.7, device=DEVICE)

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
        else:
            money.settle_again(league=self.league)

    def _score(self, some: Sequence[TableState], reason: str = "") -> None:
        needs_winner = self.plan.format in ("knockout", "progressive") or self.kind == "playoffs"
        for table in some:
            if not reason and (table.done or self.chance.random() < 0.03):
                continue
            totals = [self.chance.choice((21, 20, 22, 8, 8, 12, -3)) for _ in range(table.sides)]
            best = [side for side, points in enumerate(totals) if points == max(totals)]
            won = self.chance.choice(best) if len(best) == 1 or (needs_winner and self.chance.random() < 0.9) else None
            self._try(
                lambda: tables.tell_result(
                    night=self.night,
                    table=table.id,  # noqa: B023
                    totals=totals,  # noqa: B023
                    winner=won,  # noqa: B023
                    ended_by="agreed",
                    reason=reason or "Again",
                    device=DEVICE,
                )
            )
            if self.chance.random() < 0.5:
                sets = [self.chance.randint(0, 3) for _ in range(table.sides)]
                self._try(
                    lambda: tables.tell_sets(night=self.night, table=table.id, sets=sets, device=DEVICE)  # noqa: B023
                )

    def _close(self) -> None:
        self.check_rounds()
        closing.close_night(night=self.night, device=DEVICE, anyway=True)

    def pages(self) -> list[str]:
        """Return the paths of all pages, files and feeds that show something of the night."""
        session = db.session()
        night = night_at(session, self.night)
        own, club = f"/nights/{self.night}", f"/clubs/{self.slug}"
        api = f"/api/1{club}/seasons/1"
        table = [f"{own}/tables/{table.id}" for table in self._tables()[:1]]
        person = f"/people/{self.chance.choice(self.people)}"
        return [
            own,
            *(f"{own}/{page}" for page in ("results", "results/games", "results.csv", "results.png", "money", "tv")),
            *(f"{own}/{page}" for page in ("desk", "cards", "rotation", "sheets")),
            *table,
            person,
            f"/seasons/{self.season}",
            *(f"/seasons/{self.season}/{page}" for page in ("people.csv", "people/nights.csv", "money", "money.csv")),
            *(f"/seasons/{self.season}/{page}" for page in ("playoffs", "people.xlsx")),
            *([f"/seasons/{self.season}/teams"] if self.kind == "team_match" else []),
            f"/leagues/{self.league}",
            f"/leagues/{self.league}/log",
            club,
            f"{club}/feed.atom",
            f"{club}/seasons/1",
            f"{club}/seasons/1/nights/{night.number}",
            f"{club}/seasons/1/nights/{night.number}/picture.png",
            f"/embed/{self.slug}/last-night",
            f"/embed/{self.slug}/standings",
            f"{api}/standings",
            f"{api}/nights/{night.number}",
            f"{api}/nights/{night.number}/games",
        ]
