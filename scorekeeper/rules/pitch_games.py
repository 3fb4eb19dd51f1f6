"""The games of the Pitch family from other publications (RULES 8), as data: a new game is one new entry here."""

from dataclasses import replace

from scorekeeper.rules.parts import (
    ACE,
    FIVE,
    FOUR_POINTS,
    GAME,
    HIGH,
    HIGH_JOKER,
    JACK,
    JOKER,
    LOW,
    LOW_JOKER,
    OFF_ACE,
    OFF_FIVE,
    OFF_JACK,
    OFF_THREE,
    TEN,
    THREE,
    TWO,
    Category,
    Play,
    alone,
    called,
    partners,
)
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.setback_games import LED, NAMED

TRUMP_FIRST = Phrase("The bidder names trump and leads a trump.")


DRAW = Phrase(
    "Once trump is named, everyone discards all but their trumps and is dealt new cards until they have 6, as long as "
    "the deck lasts. The bidder takes what is left of it and keeps 6 cards. With more than 6 trumps, discard some that "
    "score nothing, face up."
)


SHUFFLE_AGAIN = Phrase("If the deck runs out, shuffle the discarded cards that aren't trumps and go on dealing.")

TEAMS = partners(4, 6) + partners(6, teams=3) + partners(8) + partners(8, teams=4)
"""Teams of two for 4, 6 or 8 players, and every other way in which 6 or 8 players can make equal teams."""


def _always(*categories: Category) -> tuple[Category, ...]:
    return tuple(replace(category, always=True) for category in categories)


AUCTION_PITCH_7 = Ruleset(
    preset="auction-pitch-7",
    name=Phrase("Auction Pitch"),
    also=("Cutthroat Pitch", "High Low Jack", "Hi Lo Jack", "High Low Jack and the Game", "Setback"),
    seatings=alone(2, 3, 4, 5, 6, 7),
    usual_points=FOUR_POINTS,
    play=LED,
    low="dealt",
    bid_min=2,
    bid_max=4,
    stop_at_max=False,
    decided=frozenset(("all_pass", "winning", "ties")),
    dealer_privilege="match",
    target=7,
    finish="bidder_first",
    trump_any_time=True,
)

TEN_POINT_52 = Ruleset(
    preset="ten-point-52",
    name=Phrase("Ten-point Pitch"),
    also=(
        "Pitch31",
        "31-point Pitch",
        "Auction Pitch",
        "Six-handed Pitch",
        "Eight-handed Pitch",
        "2v2v2",
        Phrase("Pitch with the three worth three"),
        "Campbell Ten-point Pitch",
        "Colorado Ten-point Pitch",
        "Kansas Pitch",
        "Missouri Pitch",
        "Midwest Pitch",
        "Jick Pitch",
        Phrase("Pitch with jokers"),
        Phrase("Pitch with off jack"),
        Phrase("Partner Pitch"),
        Phrase("Ten-point Partner Pitch"),
        Phrase("Cutthroat Pitch"),
        Phrase("Widow Pitch"),
    ),
    seatings=TEAMS + alone(2, 3, 4, 5, 6, 7, 8) + called(5),
    usual_points=_always(ACE, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, TEN, TWO, THREE),
    cards_each=9,
    fewer_cards=((7, 6), (8, 6)),
    discard_to=6,
    play=Play(
        TRUMP_FIRST,
        after_deal=DRAW,
        call=Phrase("Call once everyone has discarded and drawn, before the first lead."),
        trumps_only=True,
    ),
    decided=frozenset(("discards", "special_bid", "moon_fails", "called", "plays_alone")),
    bid_min=4,
    bid_max=10,
    stop_at_max=False,
    forced_bid=4,
    special_bid="moon",
    target=52,
    finish="bidder_first",
)

SMEAR_52 = Ruleset(
    preset="smear-52",
    name=Phrase("Smear"),
    also=(
        "Ten-point Smear",
        "Schmier",
        Phrase("Partnership Smear"),
        "Michigan Smear",
        "Minnesota Smear",
        "U.P. Smear",
        "Upper Midwest Smear",
        Phrase("Smear with jokers"),
    ),
    seatings=partners(4) + partners(6, teams=3) + alone(3, 4, 5, 6, 7, 8) + called(5),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, GAME, THREE),
    play=Play(
        TRUMP_FIRST,
        deal=Phrase(
            "Deal 10 cards to each player, 8 with six players, or 6 with seven or eight. The rest of the deck stays "
            "out of play."
        ),
        after_deal=Phrase(
            "Once trump is named, everyone discards down to 6 cards. Discard a trump only if you have nothing else to "
            "discard."
        ),
        call=Phrase("Call once everyone has discarded, before the first lead."),
        leaves_trumps=True,
    ),
    discard_to=6,
    decided=frozenset(("pack", "deal", "discards", "follow", "called", "plays_alone")),
    low="dealt",
    bid_min=2,
    bid_max=10,
    stop_at_max=False,
    target=52,
    finish="highest",
    tie="bidder",
)

FOUR_POINT_SMEAR = Ruleset(
    preset="smear-4",
    name=Phrase("Four-point Smear"),
    also=(
        "Schmier",
        "Wisconsin Smear",
        "Four-point Northeastern Wisconsin Smear",
        "Minnesota Smear",
        "Canadian Smear",
        "Cutthroat Canadian Smear",
    ),
    seatings=TEAMS + alone(2, 3, 4, 5, 6, 7, 8),
    usual_points=FOUR_POINTS,
    play=replace(NAMED, batch=0),
    decided=frozenset(("pack", "dealer", "all_pass", "follow", "winning", "ties")),
    low="dealt",
    bid_min=2,
    bid_max=4,
    target=15,
    finish="highest",
    tie="bidder",
)

FIVE_POINT_SMEAR = Ruleset(
    preset="smear-5",
    name=Phrase("Five-point Smear"),
    also=("Schmier", "Shmear", "Smear with jick", Phrase("Smear with off jack")),
    seatings=TEAMS + alone(2, 3, 4, 5, 6, 7, 8),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, GAME),
    play=replace(NAMED, batch=0),
    decided=frozenset(("all_pass", "ties")),
    low="dealt",
    bid_min=2,
    bid_max=5,
    target=11,
    finish="bidder_first",
    trump_any_time=True,
)

SIX_POINT_SMEAR = Ruleset(
    preset="smear-6",
    name=Phrase("Six-point Smear"),
    also=(
        "Schmier",
        "Schmear",
        "Schmeir",
        "Schmeer",
        "St. Paul Schmier",
        "Six-handed Smear",
        "Wisconsin Smear",
        "Six-point Northeastern Wisconsin Smear",
        "Canadian Smear",
        "Prairie Smear",
        "Ontario Smear",
        "Fort Frances Smear",
        Phrase("Smear with a joker"),
    ),
    seatings=partners(6, 4) + partners(6, teams=3) + alone(3, 4, 5, 6, 7, 8),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, JOKER, GAME),
    play=replace(
        NAMED,
        batch=0,
        after_deal=Phrase(
            "Once trump is named, everyone but the dealer may swap up to 3 cards that aren't trumps, for as long as "
            "the deck lasts. The dealer takes the rest of the deck and keeps 6 cards, among them every trump that "
            "scores."
        ),
        dealer_takes_rest=True,
        cards=Phrase("The joker is the lowest trump, but it never counts as Low."),
        cards_of="joker",
    ),
    decided=frozenset(("game", "follow", "ties")),
    low="dealt",
    bid_min=3,
    bid_max=6,
    redeal_by="same",
    target=21,
    finish="highest",
    tie="bidder",
)

FIVE_POINT = Ruleset(
    preset="five-point",
    name=Phrase("Five-point Pitch"),
    also=("Pitch with jick", "High Low Jack Jick Game", Phrase("Pitch with off jack"), "Off-Jack Pitch"),
    seatings=partners(4) + partners(6, teams=3) + alone(2, 3, 4),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, GAME),
    play=replace(LED, batch=0),
    decided=frozenset(("all_pass", "follow", "winning", "ties")),
    bid_min=2,
    bid_max=5,
    forced_bid=2,
    target=11,
    finish="bidder_first",
    trump_any_time=True,
)

SIX_POINT = replace(
    FIVE_POINT,
    preset="six-point",
    name=Phrase("Six-point Pitch"),
    also=(
        "Six-point Setback",
        "Six and Out",
        Phrase("Pitch with a joker"),
        Phrase("Setback with a joker"),
        Phrase("Pitch with off jack"),
    ),
    seatings=partners(4) + alone(2, 3, 4),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, JOKER, GAME),
    play=replace(
        FIVE_POINT.play,
        cards=Phrase(
            "The joker is a trump. It ranks between the off jack and the ten. You may not lead it while you have "
            "another card."
        ),
        cards_of="joker",
    ),
    decided=frozenset(("auction", "all_pass", "winning", "ties")),
    bid_max=6,
    target=21,
    trump_any_time=False,
)

SEVEN_POINT = replace(
    FIVE_POINT,
    preset="seven-point",
    name=Phrase("Seven-point Pitch"),
    also=(
        "West Michigan Setback",
        "Whirled Seven-point Pitch",
        Phrase("Pitch with jokers"),
        Phrase("Setback with jokers"),
        Phrase("Pitch with two jokers"),
        Phrase("Pitch with off jack"),
    ),
    seatings=partners(4, 6) + partners(6, teams=3) + alone(2, 3, 4) + called(5),
    usual_points=(HIGH, LOW, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, GAME),
    play=replace(
        FIVE_POINT.play,
        cards=Phrase(
            "If the first card is a joker, the bidder names any suit as trump. If it's a jack, the bidder names either "
            "suit of its color."
        ),
        cards_of="high_joker",
        call=Phrase("Call together with the first lead."),
    ),
    decided=frozenset(("all_pass", "game", "ties", "called", "plays_alone")),
    low="dealt",
    bid_max=7,
    target=21,
)

NINE_POINT = replace(
    FIVE_POINT,
    preset="nine-point",
    name=Phrase("Nine-point Pitch"),
    also=(Phrase("Pitch with the five"),),
    seatings=partners(4) + alone(4),
    usual_points=(HIGH, LOW, JACK, FIVE, GAME),
    decided=frozenset(("deal", "bids", "all_pass", "low", "winning", "ties")),
    low="dealt",
    bid_min=3,
    bid_max=9,
    forced_bid=3,
    target=31,
)

ELEVEN_POINT = replace(
    TEN_POINT_52,
    preset="eleven-point",
    name=Phrase("Eleven-point Pitch"),
    also=("Off-Ace Pitch", Phrase("Pitch with jokers")),
    seatings=partners(4, 6) + partners(6, teams=3) + called(5),
    usual_points=_always(ACE, OFF_ACE, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, TEN, TWO, THREE),
    decided=frozenset(("discards", "bids", "all_pass", "called", "plays_alone", "winning", "ties")),
    fewer_cards=(),
    bid_max=11,
    special_bid="none",
)

THIRTEEN_POINT = replace(
    ELEVEN_POINT,
    preset="thirteen-point",
    name=Phrase("Thirteen-point Pitch"),
    also=("Off-Three Pitch", Phrase("Pitch with jokers")),
    usual_points=_always(ACE, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, TEN, TWO, THREE, OFF_THREE),
    bid_max=13,
)

CALL_PARTNER_PITCH = replace(
    TEN_POINT_52,
    preset="call-partner-pitch",
    name=Phrase("Call-partner Pitch"),
    also=(
        "Call-your-partner Pitch",
        "Called-partner Pitch",
        "Pawnee Ten-point Call-your-partner Pitch",
        Phrase("Pitch with changing partners"),
        Phrase("Five-player Ten-point Pitch"),
        Phrase("Five-handed Pitch"),
    ),
    seatings=called(5, 6),
    play=replace(
        TEN_POINT_52.play,
        after_deal=Phrase(
            "Once trump is named, everyone discards all but their trumps. With five players, the bidder first takes "
            "the 4 cards that are left. Nobody else draws. With more than 6 trumps, discard some that score nothing, "
            "face up."
        ),
        call=Phrase("Call when you name trump, before you take cards or anyone discards."),
    ),
    decided=frozenset(("after_deal", "discards", "bids", "higher", "auction", "all_pass", "winning", "ties")),
    fewer_cards=((5, 10),),
    special_bid="none",
    target=42,
)

PEDRO_62 = Ruleset(
    preset="pedro-62",
    name=Phrase("Pedro"),
    also=(
        "Pidro",
        "Pidron",
        "Petro",
        "Piedro",
        "Pede",
        "Double Pedro",
        "Cajun Pedro",
        "Louisiana Pedro",
        "Finnish Pidro",
    ),
    seatings=partners(4),
    usual_points=(replace(HIGH, card="A"), replace(LOW, card="2"), JACK, replace(GAME, card="T"), FIVE, OFF_FIVE),
    cards_each=9,
    discard_to=6,
    play=Play(
        TRUMP_FIRST,
        batch=3,
        after_deal=Phrase(
            "Once trump is named, everyone discards all but their trumps and is dealt new cards until they have 6. The "
            "dealer takes the rest of the deck and keeps 6 cards. With more than 6 trumps, discard some that score "
            "nothing, face up."
        ),
        deck_runs_out=SHUFFLE_AGAIN,
        dealer_takes_rest=True,
        trumps_only=True,
    ),
    decided=frozenset(("deck_runs_out", "higher", "auction", "dealer", "all_pass", "trick", "winning")),
    low="dealt",
    bid_min=6,
    bid_max=14,
    forced_bid=6,
    target=62,
    finish="bid_out",
)

CINCH_51 = Ruleset(
    preset="cinch-51",
    name=Phrase("Cinch"),
    also=("High Five", "Double Pedro", "Left Pedro", "Auction Cinch", "Progressive Cinch", "Razzle Dazzle"),
    seatings=partners(4) + alone(2, 3, 4, 5, 6),
    usual_points=(
        *(replace(HIGH, card="A", always=False), replace(LOW, card="2", always=False), JACK),
        *(replace(GAME, card="T"), FIVE, OFF_FIVE),
    ),
    cards_each=9,
    fewer_cards=((5, 6), (6, 6)),
    discard_to=6,
    play=replace(
        NAMED,
        after_deal=Phrase(
            "Once trump is named, everyone discards all but their trumps and is dealt new cards until they have 6. "
            "With four players, the dealer takes the rest of the deck and keeps 6 cards. With more than 6 trumps, show "
            "those that you discard; they're out of play."
        ),
        deck_runs_out=SHUFFLE_AGAIN,
        leaves_trumps=True,
        dealer_takes_rest=True,
    ),
    decided=frozenset(("deck_runs_out", "all_pass", "made", "set", "winning", "ties")),
    bid_min=1,
    bid_max=14,
    forced_bid=1,
    forced_bid_exact=True,
    target=51,
    finish="bidder_first",
    trump_any_time=True,
)

SMUDGE = Ruleset(
    preset="smudge",
    name=Phrase("Smudge"),
    also=(
        "Smush",
        Phrase("Pitch with smudge"),
        Phrase("Setback with smudge"),
        "Auction Pitch with smudge",
        "Cutthroat Pitch",
        "High Low Jack",
        "Hi Lo Jack",
        "Four smudge",
        "Five-point smudge",
    ),
    seatings=alone(2, 3, 4, 5, 6, 7),
    usual_points=FOUR_POINTS,
    play=replace(LED, special=Phrase("Scorekeeper calls a smudge a pitch.")),
    decided=frozenset(("all_pass", "special_bid", "pitch_fails", "winning", "ties")),
    bid_min=2,
    bid_max=4,
    stop_at_max=False,
    special_bid="pitch",
    target=7,
    finish="bidder_first",
    trump_any_time=True,
)

ALL_FOURS_14 = Ruleset(
    preset="all-fours-14",
    name=Phrase("All Fours"),
    also=(
        "All Foes",
        "Caribbean All Fours",
        "Trinidad All Fours",
        "Trini All Fours",
        "Tobago All Fours",
        "All Twos",
        "Bring Ten",
        "Hang Jack",
        "Seven Up",
        "Old Sledge",
        "High Low Jack",
        "High Low Jack and the Game",
        "All 4s",
    ),
    seatings=partners(4) + alone(2),
    usual_points=FOUR_POINTS,
    play=Play(
        Phrase("The player on the dealer's left leads any card."),
        deal=Phrase(
            "Deal 6 cards to each player, one at a time or three at a time. In Trinidad, deal and play go "
            "counterclockwise, so “left” on this card means “right” there."
        ),
        after_deal=Phrase(
            "Turn up the next card: its suit is trump. The player on the dealer's left may beg for another: the dealer "
            "gives that player's side a point, or deals 3 more cards to each player and turns up the next card, again "
            "and again until the suit changes. Agree whether you then discard down to 6 cards."
        ),
        deck_runs_out=Phrase(
            "If the deck runs out before the suit changes, shuffle all the cards. The same dealer deals again, and "
            "points for turned-up cards stand."
        ),
        more=Phrase("Agree whether you may play a lower trump on a trick that has been trumped."),
    ),
    decided=frozenset(("deck_runs_out", "winning")),
    low="dealt",
    bid_max=None,
    auction="none",
    target=14,
    finish="count_out",
    trump_any_time=True,
    hang_jack=3,
    turned_up_points="six",
)

OKLAHOMA_21 = replace(
    SMEAR_52,
    preset="oklahoma-21",
    name=Phrase("Oklahoma Ten-point Pitch"),
    also=("Oklahoma Pitch", Phrase("Widow Pitch"), Phrase("Pitch with jokers"), Phrase("Pitch with off jack")),
    seatings=partners(4) + partners(6, teams=3),
    cards_each=9,
    fewer_cards=((6, 8),),
    play=Play(
        TRUMP_FIRST,
        after_deal=Phrase(
            "The cards left over are the widow. The bidder takes it before naming trump. Then everyone discards down "
            "to 6 cards. Discard a trump only if you have nothing else to discard."
        ),
    ),
    decided=frozenset(
        (
            *(
                "after_deal",
                "discards",
                "bids",
                "higher",
                "auction",
                "dealer",
                "all_pass",
                "follow",
                "points",
                "low",
                "set",
            ),
            *("winning", "ties"),
        )
    ),
    bid_min=4,
    forced_bid=4,
    target=21,
    finish="bidder_first",
    tie="play_on",
)

GAMES = (
    *(AUCTION_PITCH_7, TEN_POINT_52, SMEAR_52),
    *(FOUR_POINT_SMEAR, FIVE_POINT_SMEAR, SIX_POINT_SMEAR),
    *(FIVE_POINT, SIX_POINT, SEVEN_POINT, NINE_POINT, ELEVEN_POINT, THIRTEEN_POINT),
    CALL_PARTNER_PITCH,
    *(PEDRO_62, CINCH_51, SMUDGE, ALL_FOURS_14),
    OKLAHOMA_21,
)
