"""View models of the pages of a game: frozen and made of plain values.

`queries.py` and the presenters build them from a replayed log, and templates only read them, so no template can run a
query or compute a score. Seats and sides count from 0, hand numbers from 1, times are aware datetimes in UTC. Sentences
are complete and translated; nothing is escaped (the templates do that).
"""

from __future__ import annotations

from scorekeeper.games.pages.agreements import (
    EndingPage,
    HouseRuleLine,
    Payment,
    RuleCardPage,
    RuleLine,
    RuleSection,
    SettlementPage,
)
from scorekeeper.games.pages.board import (
    AuctionView,
    BidRow,
    BoardPage,
    BriefView,
    CallView,
    DisputeView,
    HandEntry,
    NeedLine,
    OpenBidView,
    OutcomeView,
    PointRow,
    PointView,
    RacePage,
    SheetRow,
    Step,
    TakenRow,
    VersionView,
)
from scorekeeper.games.pages.card_count import CardCell, CardRow, CountPage, RankRow
from scorekeeper.games.pages.common import (
    ChangeRow,
    Choice,
    Effect,
    Face,
    Moment,
    OptionField,
    RaceView,
    SeatView,
    SideView,
)
from scorekeeper.games.pages.corrections import (
    AdjustPage,
    ChangeRulesPage,
    CorrectionPage,
    LogEntry,
    LogPage,
    TablePage,
)
from scorekeeper.games.pages.divergence import TailPage, TailRow
from scorekeeper.games.pages.evening import EveningGame, EveningPage
from scorekeeper.games.pages.hand_note import HandNotePage
from scorekeeper.games.pages.odds import OddsChart, OddsPage, OddsRow
from scorekeeper.games.pages.score_sheet import PaperPage, PaperRow, PaperSide
from scorekeeper.games.pages.sharing import HandedOn, JoinPage, OtherPhone, ScoreLinkPage, Sharing
from scorekeeper.games.pages.start import (
    GameCard,
    GameChoice,
    GameGroup,
    GameSearch,
    HomePage,
    NewGamePage,
    PersonChip,
    SavedRules,
    ScoreView,
    SeatField,
    TeamField,
    UnusedPage,
)
from scorekeeper.games.pages.tv import WallChoicePage, WallPage, WallTable
from scorekeeper.games.pages.what_if import OtherEnd, WhatIfPage

__all__ = [
    "AdjustPage",
    "AuctionView",
    "BidRow",
    "BoardPage",
    "BriefView",
    "CallView",
    "CardCell",
    "CardRow",
    "ChangeRow",
    "ChangeRulesPage",
    "Choice",
    "CorrectionPage",
    "CountPage",
    "DisputeView",
    "Effect",
    "EndingPage",
    "EveningGame",
    "EveningPage",
    "Face",
    "GameCard",
    "GameChoice",
    "GameGroup",
    "GameSearch",
    "HandEntry",
    "HandNotePage",
    "HandedOn",
    "HomePage",
    "HouseRuleLine",
    "JoinPage",
    "LogEntry",
    "LogPage",
    "Moment",
    "NeedLine",
    "NewGamePage",
    "OddsChart",
    "OddsPage",
    "OddsRow",
    "OpenBidView",
    "OptionField",
    "OtherEnd",
    "OtherPhone",
    "OutcomeView",
    "PaperPage",
    "PaperRow",
    "PaperSide",
    "Payment",
    "PersonChip",
    "PointRow",
    "PointView",
    "RacePage",
    "RaceView",
    "RankRow",
    "RuleCardPage",
    "RuleLine",
    "RuleSection",
    "SavedRules",
    "ScoreLinkPage",
    "ScoreView",
    "SeatField",
    "SeatView",
    "SettlementPage",
    "Sharing",
    "SheetRow",
    "SideView",
    "Step",
    "TablePage",
    "TailPage",
    "TailRow",
    "TakenRow",
    "TeamField",
    "UnusedPage",
    "VersionView",
    "WallChoicePage",
    "WallPage",
    "WallTable",
    "WhatIfPage",
]
