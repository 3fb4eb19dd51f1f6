"""A game is found by the names that people use for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.forms.house_rules import findable_games
from scorekeeper.games.logic.new_game import Findable, find_games, folded, nearest_game
from scorekeeper.rules.presets import PRESETS, SAME_GAME
from tests.support.each import for_each

if TYPE_CHECKING:
    from flask import Flask

FAMILY = Path(__file__).parents[2] / "rules" / "family"


def names_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name that people use for a game, key of the game) for each line of a `names.md` file.

    Names of games that the app doesn't have are left out.
    """
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line[3:].strip("` ")
        if not line.startswith("- ") or heading.startswith("Words"):
            continue
        name, _arrow, meant = line[2:].partition("→")
        keys = re.findall(r"[a-z]+(?:-[a-z]+)?-\d+|[a-z]+-point", meant.split("; not")[0]) if meant else [heading]
        names = re.sub(r"\(.*?\)", "", name.replace("*", "")).split("," if heading.startswith("Not") else "\n")
        yield from (
            (each.strip(), SAME_GAME.get(k, k)) for each in names for k in keys if SAME_GAME.get(k, k) in PRESETS
        )


NAMES = sorted({pair for path in FAMILY.glob("*/names.md") for pair in names_of(path.read_text("utf-8"))})


@pytest.fixture(scope="module")
def games() -> tuple[Findable, ...]:
    """Return all games with their English names, in the form that the search needs."""
    return tuple(
        Findable(key, (rules.name, *rules.also, str(rules.target)), frozenset(s.players for s in rules.seatings), 4)
        for key, rules in PRESETS.items()
    )


def test_the_collected_names_are_read() -> None:
    assert len(NAMES) > 90
    assert {"smear-6", "pedro-62", "ten-point-52", "five-point"} <= {key for _name, key in NAMES}


@for_each(("name", "key"), NAMES)
def test_each_collected_name_finds_its_game(games: tuple[Findable, ...], name: str, key: str) -> None:
    assert key in find_games(name, games)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("setback", "setback-21"),
        ("PIDRO", "pedro-62"),
        ("pídro", "pedro-62"),
        ("high-five", "cinch-51"),
        ("hilojack", "setback-21"),
        ("setback to 7", "setback-7"),
        ("smear 52", "smear-52"),
        ("st paul", "smear-6"),
        ("10 point pitch", "ten-point-52"),
        ("ten-point", "ten-point-52"),
        ("somerset", "somerset-66"),
        ("some'r'set", "somerset-66"),
        ("five point pi", "five-point"),
    ],
)
def test_the_best_match_comes_first(games: tuple[Findable, ...], typed: str, key: str) -> None:
    """The search lists the best match first, regardless of case, accents and hyphens in the typed name.

    Numbers can be typed as digits or words, and the beginning of a name is enough.
    """
    assert find_games(typed, games)[0] == key


@pytest.mark.parametrize("typed", ["schmeir", "shcmier", "schmir", "schmmier", "xchmier", "razle", "cnich"])
def test_one_slip_in_a_word_is_forgiven(games: tuple[Findable, ...], typed: str) -> None:
    assert find_games(typed, games)[0] in {"smear-6", "smear-52", "cinch-51"}


def test_slips_are_forgiven_only_where_nothing_is_spelled_so(games: tuple[Findable, ...]) -> None:
    """The search forgives a spelling mistake only if no game has a name with the words exactly as typed.

    For example, "pedro" finds only Pedro, and Cinch, which is also called "Double Pedro".
    """
    assert find_games("pedro", games) == ("pedro-62", "cinch-51")
    assert "pedro-62" not in find_games("smear", games)


@pytest.mark.parametrize("typed", ["canasta", "don", "ptch pdro", "zz"])
def test_nothing_is_found_for_other_games(games: tuple[Findable, ...], typed: str) -> None:
    assert find_games(typed, games) == ()


def test_a_name_of_several_games_finds_all_of_them(games: tuple[Findable, ...]) -> None:
    found = find_games("High Low Jack", games)
    assert {"setback-21", "pitch-11", "auction-pitch-7", "smudge"} <= set(found)
    assert len(found) == len(set(found))


def test_the_number_of_players_narrows_what_is_found(games: tuple[Findable, ...]) -> None:
    assert set(find_games("setback", games, 8)) == set()
    assert set(find_games("", games, 8)) == {"ten-point-52", "smear-52", "smear-4", "smear-5", "smear-6"}
    assert find_games("", games) == tuple(PRESETS)


def test_every_game_is_found_by_its_name(games: tuple[Findable, ...]) -> None:
    for key, rules in PRESETS.items():
        assert find_games(rules.name, games)[0] == key
        assert key in find_games(rules.name, games, rules.seatings[-1].players)


@pytest.mark.parametrize(
    ("typed", "players", "key"),
    [
        ("eight point pitch", None, "seven-point"),
        ("12 point pedro", 4, "eleven-point"),
        ("14 point game", 4, "pedro-62"),
        ("don", None, "setback-21"),
        ("don", 8, "ten-point-52"),
        ("smeer of four", 6, "smear-4"),
        ("", 5, "setback-21"),
    ],
)
def test_the_nearest_game(app: Flask, typed: str, players: int | None, key: str) -> None:
    """If no game has the typed name, the search offers the most similar game.

    It compares first the number of players, then the number of points, and then the words in the name. If two games are
    equally similar, the search picks the earlier one in `PRESETS`.
    """
    with app.test_request_context():
        assert nearest_game(typed, findable_games(), players) == key


def test_folded_texts() -> None:
    assert folded("  Ál-Fours: Ten  point, U.P. ") == "al fours 10 point u p"


def test_no_game_has_the_list_of_names_of_another() -> None:
    """No two games have the same list of alternative names.

    The rules of some games are copies of another game's rules, made with `replace`. Such a copy must set its own list,
    or else it has the other game's names by mistake.
    """
    lists = [rules.also for rules in PRESETS.values() if rules.also]
    assert len(set(lists)) == len(lists)
