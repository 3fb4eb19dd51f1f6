"""The API of open clubs, in which each response fits the API's description and has the same numbers as the pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.leagues.publishing.conftest import FIRST, PEOPLE
from tests.leagues.publishing.test_club_page import lines_of

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.leagues.publishing.conftest import Club

WAYS = {
    "/clubs": "/clubs",
    "/clubs/{club}": "/clubs/fire-hall",
    "/clubs/{club}/schedule": "/clubs/fire-hall/schedule",
    "/clubs/{club}/seasons": "/clubs/fire-hall/seasons",
    "/clubs/{club}/seasons/{season}/standings": "/clubs/fire-hall/seasons/1/standings",
    "/clubs/{club}/seasons/{season}/nights": "/clubs/fire-hall/seasons/1/nights",
    "/clubs/{club}/seasons/{season}/nights/{night}": "/clubs/fire-hall/seasons/1/nights/1",
    "/clubs/{club}/seasons/{season}/nights/{night}/games": "/clubs/fire-hall/seasons/1/nights/1/games",
}


def get(club: Club, path: str, status: int = 200, **headers: str) -> TestResponse:
    """Request a path of the API with a phone without any role, and return the response."""
    response = club.stranger.get(f"/api/1{path}", headers=headers)
    assert response.status_code == status, path
    return response


def answer(club: Club, path: str) -> Any:
    """Return the JSON at a path of the API."""
    return json.loads(get(club, path).text)


def described(club: Club) -> Any:
    """Return the OpenAPI description of the API."""
    return answer(club, "/openapi.json")


def check(description: Any, path: str, status: str, told: object) -> None:
    """Raise `ValidationError` unless the JSON `told` fits the schema in `description` for this path and status."""
    schema = description["paths"][path]["get"]["responses"][status]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": description["components"]}).validate(told)


def test_the_description_is_valid_and_has_every_path(club: Club) -> None:
    description = described(club)
    OpenAPIV31SpecValidator(description).validate()
    assert description["security"] == []  # No key. Without it, linters ask whether it was forgotten.
    assert description["paths"].keys() == WAYS.keys()
    routes = {rule.rule for rule in club.app.url_map.iter_rules() if rule.rule.startswith("/api/1/")}
    for path in WAYS:
        rule = path.replace("{club}", "<club>").replace("{season}", "<int:season>").replace("{night}", "<int:night>")
        routes.remove(f"/api/1{rule}")
    assert routes == {"/api/1/openapi.json"}


@pytest.mark.parametrize("closed", [True, False])
def test_every_answer_is_as_described(club: Club, *, closed: bool) -> None:
    club.night((PEOPLE, (9, 21)), close=closed)
    description = described(club)
    for path, way in WAYS.items():
        for each in (way, way.replace("/nights/1", "/nights/2")):
            response = get(club, each)
            assert response.mimetype == "application/json", each
            assert response.headers["Access-Control-Allow-Origin"] == "*", each
            assert "Set-Cookie" not in response.headers, each
            check(description, path, "200", response.json)


def test_what_is_not_open_is_not_found(club: Club) -> None:
    description = described(club)
    for path, way in list(WAYS.items())[1:]:
        for wrong in (way.replace("fire-hall", "nowhere"), way.replace("seasons/1", "seasons/7")):
            if wrong != way:
                check(description, path, "404", get(club, wrong, 404).json)
    club.open(is_open=False)
    for path, way in list(WAYS.items())[1:]:
        check(description, path, "404", get(club, way, 404).json)
    assert get(club, "/clubs").json == {"clubs": [], "count": 0, "next_page": None}


@pytest.mark.parametrize("page", ["0", "-1", "abc", "", "1.5", "10000"])
def test_a_page_that_is_no_number_is_refused(club: Club, page: str) -> None:
    description = described(club)
    for path in ("/clubs", "/clubs/{club}/seasons/{season}/nights"):
        response = get(club, f"{WAYS[path]}?page={page}", 400)
        check(description, path, "400", response.json)
        assert "whole number from 1" in response.text
        assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert answer(club, "/clubs?page=9999")["clubs"] == []


def test_unknown_paths_and_methods_are_answered_in_json(club: Club) -> None:
    for path in ("/api/1/nowhere", "/api/1/clubs/fire-hall/seasons/-1/standings", "/api/2/clubs", "/api/1/clubs/"):
        response = club.stranger.get(path)
        assert (response.status_code, response.mimetype) == (404, "application/json"), path
        assert response.json is not None
        assert response.json["error"]
        assert response.headers["Access-Control-Allow-Origin"] == "*"
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        response = club.stranger.open("/api/1/clubs", method=method)
        assert (response.status_code, response.mimetype) == (405, "application/json"), method
        assert "GET" in response.headers["Allow"]


def test_an_unchanged_answer_is_not_sent_again(club: Club) -> None:
    for way in WAYS.values():
        tag = get(club, way).headers["ETag"]
        again = get(club, way, 304, If_None_Match=tag)
        assert not again.data
        assert again.headers["Access-Control-Allow-Origin"] == "*"


def test_a_script_of_another_website_may_send_an_etag(club: Club) -> None:
    response = club.stranger.options(
        "/api/1/clubs/fire-hall", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    )
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Headers"] == "If-None-Match"
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Access-Control-Allow-Origin" not in club.stranger.options("/leagues").headers


def test_a_former_address_leads_on(club: Club) -> None:
    club.open(slug="thursday")
    response = get(club, "/clubs/fire-hall/seasons/1/nights?page=2", 301)
    assert response.location == "/api/1/clubs/thursday/seasons/1/nights?page=2"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_the_standings_are_those_of_the_page(club: Club) -> None:
    club.night((PEOPLE, (9, 21)))
    (table,) = answer(club, "/clubs/fire-hall/seasons/1/standings")["standings"]
    told = [[str(row["rank"]), row["people"][0]["name"], str(row["values"]["games"])] for row in table["rows"]]
    shown = lines_of(club.stranger.see(club.path))
    assert told == [[row[0].partition(" ")[0], row[1], row[4]] for row in shown]


@pytest.mark.parametrize("style", ["short", "initials"])
def test_shortened_names_are_in_every_answer(club: Club, style: str) -> None:
    club.open(style)
    for way in WAYS.values():
        text = get(club, way).text
        for name in PEOPLE:
            first, last = name.split()
            assert last not in text
            assert style == "short" or first not in text


def test_ids_of_people_stay_and_lead_nowhere(club: Club) -> None:
    def ids() -> set[str]:
        table = answer(club, "/clubs/fire-hall/seasons/1/standings")["standings"][0]
        return {person["id"] for row in table["rows"] for person in row["people"]}

    with club.book() as people:
        public = set(people.values())
    before = ids()
    club.open("initials")
    assert ids() == before
    assert len(before) == len(PEOPLE)
    assert not before & public


def test_lists_come_in_pages(club: Club) -> None:
    for path in ("/clubs", "/clubs/fire-hall/seasons/1/nights"):
        assert answer(club, path)["next_page"] is None
        assert not answer(club, f"{path}?page=2")[path.rpartition("/")[2]]


def test_games_have_their_scores(club: Club) -> None:
    club.night(FIRST)
    told = answer(club, "/clubs/fire-hall/seasons/1/nights/2/games")
    (game,) = told["rounds"][0]["games"]
    assert game["finished"]
    assert [(side["points"], side["won"]) for side in game["sides"]] == [(21, True), (13, False)]
    assert [[person["name"] for person in side["people"]] for side in game["sides"]] == [
        ["Ann Baker", "Cid Dorsey"],
        ["Bob Carter", "Dee Evans"],
    ]
