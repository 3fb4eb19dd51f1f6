"""The games of the first five published texts (RULES 2 to 6), as data."""

from dataclasses import replace

from scorekeeper.rules.parts import FOUR_POINTS, GAME, HIGH, LEFT, LOW, RIGHT, Play, alone, called, partners
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset

NAMED = Play(Phrase("The bidder names trump and leads any card."), batch=3)
LED = Play(Phrase("The bidder leads first, and the suit of that card is trump."), batch=3)

SETBACK_21 = Ruleset(
    preset="setback-21",
    name=Phrase("Setback"),
    also=("Setback to 21", "Auction Pitch", "Pitch", "High Low Jack", "Hi Lo Jack"),
    seatings=partners(4) + alone(2, 3, 4, 5, 6, 7),
    usual_points=FOUR_POINTS,
    play=NAMED,
    decided=frozenset(("deal_passes", "all_pass", "low")),
    bid_min=2,
    bid_max=4,
    forced_bid=2,
    target=21,
    finish="bid_out",
    win_by=2,
    redeal="ten_or_two",
)

BOWERS_12 = Ruleset(
    preset="bowers-12",
    name=Phrase("Setback with bowers"),
    also=(Phrase("Five-point Setback"), Phrase("Pitch with bowers")),
    seatings=partners(4),
    usual_points=(HIGH, LOW, RIGHT, LEFT, GAME),
    ranks="29TJQKA",
    play=replace(
        NAMED,
        pack=Phrase("28 cards: the ace, king, queen, jack, ten, nine and two of each suit."),
        after_deal=Phrase("Bury the last 4 cards face down. They're out of play."),
        cards=Phrase("The other jack of the same color is a trump too. It ranks between the jack and the ten."),
        cards_of="left",
    ),
    decided=frozenset(("deal_passes", "bids", "higher", "all_pass", "low", "winning", "ties")),
    game_minimum=41,
    bid_min=1,
    bid_max=5,
    auction="until_passed",
    target=12,
    finish="bidder_first",
    trump_any_time=True,
)

SETBACK_7 = Ruleset(
    preset="setback-7",
    name=Phrase("Setback to 7"),
    also=("Pitch", "Auction Pitch", "High Low Jack"),
    seatings=alone(2, 3, 4, 5, 6, 7),
    usual_points=FOUR_POINTS,
    play=LED,
    decided=frozenset(("higher", "dealer", "all_pass", "special_bid", "pitch_fails", "winning", "ties")),
    trump_jack_counts=False,
    bid_min=1,
    bid_max=4,
    stop_at_max=False,
    target=7,
    finish="bidder_first",
    trump_any_time=True,
)

SETBACK_7_PITCH = replace(
    SETBACK_7,
    preset="setback-7-pitch",
    name=Phrase("Setback to 7 with a pitch"),
    also=(Phrase("Setback with smudge"), "Smudge", "Shoot the moon", "High Low Jack"),
    special_bid="pitch",
)

PITCH_11 = Ruleset(
    preset="pitch-11",
    name=Phrase("Pitch"),
    also=("High Low Jack", "Hi Lo Jack", "High Low Jack and the Game", "Auction Pitch", "Setback"),
    seatings=alone(3) + partners(4),
    usual_points=FOUR_POINTS,
    play=replace(LED, batch=0),
    decided=frozenset(("low",)),
    bid_min=2,
    bid_max=4,
    stop_at_max=False,
    dealer_privilege="match",
    dealer_may_match_max=True,
    dealer_may_raise=False,
    forced_bid=2,
    target=11,
    finish="bidder_first",
    trump_any_time=True,
)

SOMERSET_66 = Ruleset(
    preset="somerset-66",
    name=Phrase("Some'R'Set"),
    also=("Somerset",),
    seatings=alone(3) + partners(4) + called(5) + partners(6),
    cards_each=0,
    hand_totals=((3, 28), (4, 24), (5, 22), (6, 20)),
    ranks="",
    play=Play(
        Phrase(
            "The bidder names trump and leads a trump. The winner of that first trick also takes the cards in the "
            "middle."
        ),
        pack=Phrase(
            "The Some'R'Set deck has 50 cards: 49 in seven suits (0, 2, 4, 6, 8, 10 and 12), and the S/S card."
        ),
        deal=Phrase(
            "Deal 16 cards to each of three players, 12 to each of four, or 8 to each of six, and 2 to the middle. "
            "With five players, deal 10 to each and none to the middle."
        ),
        cards=Phrase(
            "On each card, the lower number is its suit and the upper number its rank. S/S is worth 3 points and is "
            "always the lowest trump. A double is a card with the same number "
            "twice, such as 12/12 or 0/0. When 0/0 is played, the highest double in the trick wins it, unless "
            "someone plays a trump."
        ),
    ),
    decided=frozenset(("deal_passes", "bids", "auction", "all_pass", "no_trump", "plays_alone")),
    bid_min=1,
    bid_max=None,
    auction="until_passed",
    set_penalty="double_shortfall",
    target=66,
    finish="highest",
    tie="one_more_hand",
    no_trump=True,
)

HORSLEY_66 = replace(
    SOMERSET_66,
    preset="horsley-66",
    name=Phrase("Some'R'Set, Horsley Rules"),
    also=("Somerset, Horsley Rules",),
    set_penalty="bid",
    no_trump=False,
)

GAMES = (SETBACK_21, BOWERS_12, SETBACK_7, SETBACK_7_PITCH, PITCH_11, SOMERSET_66, HORSLEY_66)
