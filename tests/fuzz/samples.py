"""Valid inputs, which `mutation` damages."""

from __future__ import annotations

from typing import Any

ALL = {"high": 0, "low": 0, "jack": 0, "game": 0}
SPLIT = {"high": 1, "low": 1, "jack": None, "game": 0}
_FOUR: dict[str, Any] = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
}
RECORDS: tuple[dict[str, Any], ...] = (
    {
        **_FOUR,
        "hands": [
            {"bidder": 0, "bid": 3, "trump": "H", "points": ALL | {"low": 1}},
            {"bidder": 1, "bid": 2, "taken": [1, 3]},
            {"calls": ["pass", 2, "pass", 3], "trump": "S", "captured": [["AS", "TS", "TH"], ["JS", "2S", "KD"]]},
        ],
        "x_adjustments": [{"after": 2, "side": 1, "points": -1, "reason": "a revoke"}],
        "x_table": {"no": [7, None, 1.5]},
        "x_house_rules": "At home",
        "name": "Final",
        "started": "2024-05-01T19:00:00Z",
        "abandoned": True,
    },
    {**_FOUR, "sides": [[0, 2], [1, 3]], "hands": [{"dealer": 3, "bidder": 0, "bid": 4, "points": ALL}] * 6},
    {**_FOUR, "final": [21, 14], "finished": "2024-05-01"},
    {
        **_FOUR,
        "ruleset": {"preset": "auction-pitch-7", "options": {"target": 9}},
        "hands": [{"bidder": 1, "bid": 2, "points": SPLIT}, {"passed": True}, {"bidder": 2, "bid": 4, "points": ALL}],
    },
    {
        **_FOUR,
        "ruleset": {"preset": "setback-7"},
        "players": ["Ann", "Bob", "Cid"],
        "first_dealer": 0,
        "hands": [{"bidder": 1, "bid": 2, "taken": [0, 3, 1]}],
    },
)
AUCTIONS: tuple[dict[str, Any], ...] = (
    {"ruleset": {"preset": "setback-21"}, "players": 4, "dealer": 3, "calls": ["pass", 2, "pass", 3]},
    {"ruleset": {"preset": "setback-7"}, "players": 3, "dealer": 0, "calls": [2, "pass", "pass"]},
)
COUNTS: tuple[dict[str, Any], ...] = (
    {
        "ruleset": {"preset": "setback-21"},
        "sides": [[0, 2], [1, 3]],
        "trump": "S",
        "captured": [["AS", "TS", "TH"], ["JS", "2S", "KD"]],
    },
)
TAILS: tuple[dict[str, Any], ...] = (
    {
        "version": 1,
        "hands": [
            {"id": "phone-made-1", "number": 1, "hand": {"dealer": 3, "bidder": 0, "bid": 4, "points": ALL}},
            {"id": "phone-made-2", "number": 2, "hand": {"dealer": 0, "bidder": 1, "bid": 2, "points": SPLIT}},
        ],
    },
    {
        "version": 3,
        "hands": [{"id": "phone-made-3", "number": 2, "hand": {"dealer": 0, "bidder": 1, "bid": 2, "taken": [2, 2]}}],
    },
    {
        "version": 1,
        "hands": [
            {"id": "phone-made-4", "number": 1, "hand": {"dealer": 3, "bidder": 0, "bid": 4, "points": SPLIT}},
            {"id": "phone-made-5", "number": 2, "hand": {"dealer": 0, "passed": True}},
        ],
    },
)
PEOPLE = (
    "name;nickname;guest;notes\nNan;Nanny;yes;\nANN;;;\nZoé;Zo;no;pays by the season\n",
    'name,nick,guest,notes\n"Nan, the elder",,x,"two\nlines"\nOle,,,\n',
    "Nan\nOle\nPia\n",
    "jugador\tapodo\tinvitado\tnota\nNan\tN\tsí\tla de siempre\n",
    "name\n'=Zed\n'+1\n",
)
RESULTS = (
    "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2\n"
    "2026-10-06,1,1,Ann,Bob,Cid,Dee,21,14\n"
    "2026-10-06,1,2,Eve,Fay,Gus,Nan,9,−3\n"
    "2026-10-13,1,1,Ann,Cid,Bob,Dee,21,20\n",
    "day;ronda;mesa;jugador 1;jugador 2;jugador 3;jugador 4;puntos 1;puntos 2\n06.10.2026;1;1;Ann;Bob;Zoé;Dee;21;14\n",
    "date\tround\ttable\tplayer\tplayer\tpoints\tpoints\n2026-10-06\t1\t1\tAnn\tBob\t21\t14\n",
    "Club,,,,\n\nPlayer,10/6/2026,10/13/2026,10/20/2026,Total\nAnn,63,,58,1\nNan (sub for Bob),5,0,–,5\nTotal,68,,,\n",
    "Name;06.10.2026;13.10.2026\nZoe Muller;21,0;\nBaker, Ann;3*;x\n",
    "Fecha;Jugador;Puntos;Jugadas;V;D\n06.10.2026;Ann;63;3;3;0\n06.10.2026;Bob;55;3;0;3\n",
    "date,team 1,team 2,score 1,score 2\n2026-10-06,Ann / Bob,Cid & Dee,21,14\n",
)
