/* Counts the cards of a hand as scorekeeper/rules/cards.py does. `rules` comes from the server:
     worth        card points by rank
     trumps       the trump cards of each suit, lowest first
     carriers     the card that brings each other point, by suit of trump and point
     shown        the points whose winner the cards show, in order
     jack_counts  whether the jack of trump counts toward Game */

/** Returns {cardPoints, points}: card points by side, and the side that takes each point, or null. `owner` has the side of
    each card taken. */
export function countCards(state, rules, trump, owner, bidder) {
  const cards = Object.keys(owner);
  const worth = (card) => (card === `J${trump}` && !rules.jack_counts ? 0 : (rules.worth[card[0]] ?? 0));
  const cardPoints = state.table.sides.map((_, side) => cards.reduce((sum, card) => sum + (owner[card] === side ? worth(card) : 0), 0));
  const played = rules.trumps[trump].filter((card) => card in owner);
  const takers = { high: owner[played.at(-1)] ?? null, low: owner[played[0]] ?? null, game: gameOwner(state, cardPoints, bidder) };
  const points = {};
  for (const key of rules.shown) points[key] = key in takers ? takers[key] : (owner[rules.carriers[trump][key]] ?? null);
  return { cardPoints, points };
}

/** Returns the side that takes Game, or null; `bidder` is the bidding side, or null. */
export function gameOwner({ rules }, cardPoints, bidder) {
  const most = Math.max(...cardPoints);
  if (most < rules.game_minimum) return null;
  const leaders = cardPoints.flatMap((points, side) => (points === most ? [side] : []));
  if (leaders.length === 1) return leaders[0];
  if (rules.game_tie === "bidder" && leaders.includes(bidder)) return bidder;
  return rules.game_tie === "defenders" && bidder !== null ? 1 - bidder : null;
}
