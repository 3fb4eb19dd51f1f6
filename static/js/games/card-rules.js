/* Counts the cards of a hand as scorekeeper/rules/cards.py does. `rules` comes from the server:
     worth        card points by rank
     trumps       the trump cards of each suit, lowest first
     carriers     the card that brings each point, by suit of trump and point; High, Low or Game may have none
     shown        the points whose winner the cards show, in order
     jack_counts  whether the jack of trump counts toward Game */

import { parties } from "./rules.js";

/** Returns {cardPoints, points, cards}: card points by side, the side that takes each point, or null, and the card that
    decides it, if one does. `owner` has the side of each card taken. */
export function countCards(state, rules, trump, owner, bidder) {
  const taken = Object.keys(owner);
  const worth = (card) => (card === `J${trump}` && !rules.jack_counts ? 0 : (rules.worth[card[0]] ?? 0));
  const cardPoints = Array.from({ length: parties(state.table) }, (_, side) => taken.reduce((sum, card) => sum + (owner[card] === side ? worth(card) : 0), 0));
  const played = rules.trumps[trump].filter((card) => card in owner);
  const cards = { high: played.at(-1), low: played[0], ...rules.carriers[trump] };
  const takes = (key) => (key === "game" && !cards.game ? gameOwner(state, cardPoints, bidder) : (owner[cards[key]] ?? null));
  const points = Object.fromEntries(rules.shown.map((key) => [key, takes(key)]));
  return { cardPoints, points, cards };
}

/** Returns the side that takes Game, or null; `bidder` is the bidding side, or null. */
export function gameOwner({ rules, table, dealer }, cardPoints, bidder) {
  const most = Math.max(...cardPoints);
  if (most < rules.game_minimum) return null;
  const leaders = cardPoints.flatMap((points, side) => (points === most ? [side] : []));
  if (leaders.length === 1) return leaders[0];
  if (rules.game_tie === "bidder" && leaders.includes(bidder)) return bidder;
  const deals = table.side_of[dealer];
  if (rules.game_tie === "dealer" && leaders.includes(deals)) return deals;
  return rules.game_tie === "defenders" && bidder !== null ? 1 - bidder : null;
}
