/* The rules that the phone scores by without a signal: which hands are valid, and what they do to the score.

   Nothing here is specific to one game. Every game, option, bid and point is in the state, a plain JSON object that
   scorekeeper/games/presenters/client_state.py makes; hands and state are described there. No function here changes the
   state. tests/bench/client_rules.py plays the same games by these rules and by the server's.

   A refusal is {code, field} like the server's, with the values that sentenceOf needs; null if nothing is wrong. */

const no = (code, field, more) => ({ code, field, ...more });
const below = (end, value) => Number.isInteger(value) && value >= 0 && value < end;
const told = (value) => value !== undefined && value !== null;

/** Returns the bids that a seat can win the bidding with, lowest first; `dealt` is the dealer's seat. */
export function allowedBids({ table, dealer }, seat, dealt = dealer) {
  return seat === dealt ? table.dealer_bids : table.bids;
}

/** Returns why this cannot be the bid of the hand in play, or null. */
export function checkBid(state, { bidder, bid, trump = null }) {
  if (state.outcome) return no("game_over", null);
  if (!below(state.table.players, bidder)) return no("seat", "bidder");
  return checkTrump(state, trump) ?? mayBid(state, bidder, bid, state.dealer);
}

/** Returns why the server would refuse this hand, or null. */
export function checkHand(state, hand) {
  if (state.outcome) return no("game_over", null);
  const { table, rules } = state;
  const unknown = Object.keys(hand).find((key) => !table.fields.includes(key));
  if (unknown) return no("field_unknown", unknown);
  const { dealer = state.dealer, passed = false, ...rest } = onStandingBid(state, hand);
  if (!below(table.players, dealer)) return no("seat", "dealer");
  if (typeof passed !== "boolean") return no("passed_value", "passed");
  if (passed) {
    if (told(rules.forced_bid)) return no("passed_forced", "passed");
    const left = table.fields.find((key) => told(rest[key]));
    return left ? no("passed_hand", left) : null;
  }
  const { bidder, bid } = rest;
  if (!told(bidder)) return no("bidder_missing", "bidder");
  if (!below(table.players, bidder)) return no("seat", "bidder");
  if (!told(bid)) return no("bid_missing", "bid");
  return (
    mayBid(state, bidder, bid, dealer) ??
    checkTrump(state, rest.trump ?? null) ??
    checkPartner(state, rest) ??
    checkTricks(state, rest) ??
    checkWon(state, rest)
  );
}

/** Returns the state after a hand that checkHand accepts. `agreed`: points by side that were added after it. */
export function scoreHand(state, hand, agreed = []) {
  const { table, rules } = state;
  const { dealer = state.dealer, ...played } = onStandingBid(state, hand);
  const thrownIn = played.passed === true;
  const { delta, made, ours, shares } = thrownIn ? nothing(state) : changes(state, played);
  const totals = state.totals.map((total, side) => total + delta[side] + (agreed[side] ?? 0));
  const next = {
    ...state,
    totals,
    number: state.number + 1,
    dealer: thrownIn && rules.redeal_by === "same" ? dealer : (dealer + 1) % table.players,
    bid: null,
    was: { bidder: played.bidder ?? null, bid: played.bid ?? null, taken: shares, points: played.points ?? null },
    last: { number: state.number, dealer, bidder: played.bidder ?? null, bid: played.bid ?? null, partner: played.partner ?? null, delta, made },
  };
  if (thrownIn) return next;
  next.hands = state.hands + 1;
  if (!made) next.sets = state.sets.map((count, side) => count + ours.includes(side));
  return { ...next, ...end(next, state, played.bid, ours) };
}

/** Returns the state after a waiting change, which the rules allow: {id, hand}, or {id, kind, …} with a key of CHANGES. */
export function scoreChange(state, { id, kind, hand, ...more }) {
  if (kind) return CHANGES[kind](state, { id, hand, ...more });
  const line = { seq: id, hand: { dealer: state.dealer, ...onStandingBid(state, hand) } };
  return { ...scoreHand(state, hand), calls: [], lines: [...(state.lines ?? []), line] };
}

const withoutBid = { bid: null, calls: [] };
const inPlay = ({ bid, calls = [] }) => bid || calls.length > 0;

/* The dealer after the last hand of these lines. */
function nextDealer({ table, rules }, lines) {
  const { hand } = lines.filter((line) => line.hand).at(-1);
  return hand.passed && rules.redeal_by === "same" ? hand.dealer : (hand.dealer + 1) % table.players;
}

function undo(state, { of }) {
  const lines = state.lines.filter(({ seq }) => seq !== of);
  const last = state.lines.at(-1);
  return counted(state, lines, last.seq === of && last.hand && !inPlay(state) ? last.hand.dealer : state.dealer);
}

const stop = (state, winner, rule) => counted({ ...state, ...withoutBid, stopped: { winner, rule } }, state.lines);

const CHANGES = {
  undo,
  delete: undo,
  correct(state, { of, hand }) {
    const lines = state.lines.map((line) => (line.seq === of ? { ...line, hand: { dealer: line.hand.dealer, ...hand }, corrected: true } : line));
    const dealer = nextDealer(state, lines);
    return counted(state, lines, dealer === nextDealer(state, state.lines) || inPlay(state) ? state.dealer : dealer);
  },
  dealer: (state, { dealer }) => (dealer === state.dealer ? state : { ...state, dealer, calls: [] }),
  misdeal: (state) => ({ ...state, ...withoutBid }),
  adjust: (state, { id, side, points, reason }) => counted(state, [...state.lines, { seq: id, side, points, reason }]),
  concede: (state, { winner }) => stop(state, winner, "conceded"),
  abandon: (state) => stop(state, null, "abandoned"),
  reopen: (state) => counted({ ...state, stopped: null }, state.lines),
};

function counted(state, lines, dealer = state.dealer) {
  const { score } = sheetOf(state, lines).at(-1) ?? { score: before(state) };
  const { bid, calls, stopped } = state;
  return { ...score, dealer, bid, calls, stopped, lines, outcome: score.outcome ?? stopped };
}

const before = (state) => ({ ...state, ...state.start, bid: null, was: null, last: null });

/** Returns the lines of the score sheet, each with its number, delta, made, totals, late (after the end of the game), and
    the score after it and the adjustments that follow it. */
export function sheetOf(state, lines = state.lines) {
  const rows = [];
  let score = before(state);
  let at = 0;
  while (at < lines.length) {
    const next = lines.findIndex((line, place) => place > at && line.hand);
    const group = lines.slice(at, next < 0 ? lines.length : next);
    at += group.length;
    const late = score.outcome !== null;
    const points = (line) => score.totals.map((_, side) => (line.side === side && !late ? line.points : 0));
    const agreed = group.reduce((sum, line) => sum.map((total, side) => total + points(line)[side]), score.totals.map(() => 0));
    const { number } = score;
    const [{ hand }] = group;
    let { totals } = score;
    if (!hand) score = { ...score, totals: totals.map((total, side) => total + agreed[side]) };
    else score = late ? { ...score, number: number + 1 } : scoreHand(score, hand, agreed);
    for (const line of group) {
      const { delta, made } = line.hand && !late ? score.last : { delta: points(line), made: null };
      totals = totals.map((total, side) => total + delta[side]);
      rows.push({ ...line, number: hand ? number : 0, delta, made, totals, late, score });
    }
  }
  return rows;
}

/** Returns the auction after these calls: bidder, bid, turn (null once it is over), and the legal calls. */
export function auctionOf({ table, rules, dealer }, calls) {
  const out = new Set();
  let turn = (dealer + 1) % table.players;
  let [bidder, bid] = [null, null];
  for (const call of calls) {
    if (call === "pass") out.add(turn);
    else [bidder, bid] = [turn, call];
    turn = nextTurn(table, rules, { turn, dealer, bidder, bid, out });
  }
  return { bidder, bid, turn, legal: turn === null ? [] : legalCalls(table, rules, { turn, dealer, bid, out }) };
}

function nextTurn({ players, bids, matches }, rules, { turn, dealer, bidder, bid, out }) {
  const highest = bids.at(-1);
  if ((rules.stop_at_max ?? true) && bid === highest && !matches.includes(highest)) return null;
  if ((rules.auction ?? "once_around") === "once_around") return turn === dealer ? null : (turn + 1) % players;
  const left = players - out.size;
  if (left === 0 || (left === 1 && bidder !== null)) return null;
  let seat = turn;
  do seat = (seat + 1) % players;
  while (out.has(seat));
  return seat;
}

function legalCalls({ players, bids, matches, forced_exactly: exactly, dealer_raises: raises }, rules, { turn, dealer, bid, out }) {
  if (bid === null) {
    if (!told(rules.forced_bid) || turn !== dealer || out.size < players - 1) return ["pass", ...bids];
    const stuck = bids.indexOf(rules.forced_bid);
    return bids.slice(stuck, exactly ? stuck + 1 : bids.length);
  }
  const higher = bids.slice(bids.indexOf(bid) + 1);
  if (turn !== dealer) return ["pass", ...higher];
  return ["pass", ...(matches.includes(bid) ? [bid] : []), ...(raises ? higher : [])];
}

/** Returns why a hand may be a mistake, `seconds` after the last one: keys in the order of the questions. */
export function oddities(before, { table, moment, outcome, was }, seconds) {
  const { bidder, bid, taken, points } = was;
  if (bidder === null) return [];
  const out = taken.reduce((sum, points) => sum + points);
  const odd = {
    ends: outcome !== null,
    nothing: taken[table.called ? 0 : table.side_of[bidder]] === 0,
    beyond: points !== null && typeof bid === "number" && bid > out && Object.values(points).includes(null),
    same: before.was !== null && seconds <= moment && alike(before.was, was),
  };
  return Object.keys(odd).filter((key) => odd[key]);
}

function alike(one, other) {
  const keys = Object.keys(one.points ?? {});
  return (
    one.bidder === other.bidder &&
    one.bid === other.bid &&
    one.taken.join() === other.taken.join() &&
    (one.points === null) === (other.points === null) &&
    keys.every((key) => one.points[key] === other.points[key])
  );
}

/** Guesses who took each point, {key: side or null}. Points without a guess are left out. */
export function likelyPoints({ table, categories, guesses = {} }, bidder, bid) {
  const owners = {};
  categories.forEach(({ key }, place) => {
    const owner = guesses[bid]?.[place];
    if (owner === "n") owners[key] = null;
    else if (Number(owner) >= 0) owners[key] = (table.side_of[bidder] + Number(owner)) % table.sides.length;
  });
  return owners;
}

/** Returns the translated sentence for a refusal. */
export function sentenceOf({ says }, refusal) {
  const { code, field, why = field } = refusal;
  const words = says[`${code} ${why}`] ?? says[code] ?? says.other;
  return words.replace(/\{(total|bid)\}/, (_, name) => refusal[name]);
}

function onStandingBid({ bid: standing }, hand) {
  if (!standing || hand.bidder !== undefined || hand.passed !== undefined) return hand;
  return { bidder: standing.bidder, bid: standing.bid, trump: standing.trump, ...hand };
}

function mayBid(state, seat, bid, dealer) {
  if (allowedBids(state, seat, dealer).includes(bid)) return null;
  return no("bid_illegal", "bid", state.table.bids.includes(bid) && { why: "dealer", bid });
}

function checkTrump({ table }, trump) {
  return trump === null || table.trumps.includes(trump) ? null : no("trump", "trump");
}

function checkPartner({ table }, { bidder, partner }) {
  if (!table.called) return partner === undefined ? null : no("partner", "partner");
  if (partner === undefined) return no("partner_missing", "partner");
  if (partner === null) return null;
  if (!below(table.players, partner)) return no("seat", "partner");
  return partner === bidder ? no("partner", "partner") : null;
}

function checkTricks({ table }, { bid, tricks }) {
  if (!told(tricks)) return bid === "pitch" && table.pitch_tricks ? no("tricks_missing", "tricks") : null;
  return below(table.most_tricks + 1, tricks) ? null : no("tricks", "tricks");
}

function checkWon(state, { points, taken }) {
  if (taken !== undefined) return points === undefined ? checkTaken(state, taken) : no("points_twice", "taken");
  if (points === undefined) return no("points_missing", "points");
  return checkPoints(state, points);
}

function checkTaken({ table }, taken) {
  const wanted = table.called ? 2 : table.sides.length;
  if (!Array.isArray(taken) || !taken.every(Number.isInteger)) return no("points_shape", "taken");
  if (taken.length !== wanted) return no("points_shape", "taken");
  const total = taken.reduce((sum, points) => sum + points);
  if (total > table.most) return no("points_total", "taken", { why: "many", total });
  return total < table.least || Math.min(...taken) < 0 ? no("points_total", "taken", { why: "few", total }) : null;
}

function checkPoints({ table, categories }, points) {
  if (!categories.length) return no("points_kind", "points");
  if (points === null || typeof points !== "object" || Array.isArray(points)) return no("points_shape", "points");
  for (const [key, side] of Object.entries(points)) {
    if (!categories.some((category) => category.key === key)) return no("points_unknown", "points");
    if (side !== null && !below(table.sides.length, side)) return no("points_side", key);
  }
  for (const { key, always } of categories) {
    if (points[key] === undefined) return no("points_missing", key);
    if (points[key] === null && always) return no("points_nobody", key);
  }
  return null;
}

/* A pitch or a moon promises every point of the hand. */
const worthOf = (table, bid) => (typeof bid === "number" ? bid : table.most);

const biddingSides = ({ side_of: sides }, bidder, partner) => (told(partner) ? [bidder, partner] : [bidder]).map((seat) => sides[seat]);

/** Returns what the last hand did to the score, as explain.py does: [{key, sides}], the bidder's side first. */
export function effects({ last: { bidder, bid, partner, made, delta }, table, was }) {
  if (made === null) return [{ key: "thrown_in", sides: [] }];
  const ours = biddingSides(table, bidder, partner);
  const [us] = ours;
  const verdict = made ? "made" : "set";
  const first = { key: typeof bid === "string" ? `${verdict}_call` : verdict, sides: [us] };
  if (!made && delta[us] === 0) first.key = "set_nothing";
  else if (ours.length > 1 && ours.every((side) => delta[side] === delta[us])) Object.assign(first, { key: `both_${verdict}`, sides: ours });
  const others = new Set([...ours, ...table.sides.keys()]);
  const moved = [...others].filter((side) => delta[side] && !first.sides.includes(side));
  const told = [first, ...moved.map((side) => ({ key: delta[side] > 0 ? "scores" : "loses", sides: [side] }))];
  return table.game_needs && was.points?.game === null ? [...told, { key: "no_game", sides: [] }] : told;
}

const nothing = (state) => ({ delta: state.totals.map(() => 0), made: null, shares: [] });

function changes(state, { bidder, bid, partner, taken, points, tricks }) {
  const { table, rules, totals, categories } = state;
  const ours = biddingSides(table, bidder, partner);
  const worth = (side) => categories.reduce((sum, { key, value }) => sum + (points[key] === side ? value : 0), 0);
  const shares = taken ?? table.sides.map((_, side) => worth(side));
  const took = table.called ? shares[0] : shares[ours[0]];
  const byTricks = bid === "pitch" && table.pitch_tricks;
  const made = byTricks ? tricks >= table.pitch_tricks : took >= worthOf(table, bid);
  const delta = totals.map((total, side) => {
    if (!ours.includes(side)) return table.called ? shares[1] : shares[side];
    return made ? reward(state, total, bid, took) : 0 - penalty(state, total, bid, took);
  });
  return { delta, made, ours, shares };
}

function reward({ table, rules }, total, bid, took) {
  if (bid === "moon") return total >= 0 ? Math.max(rules.target - total, 0) : 0 - total;
  return bid === "pitch" ? table.most : took;
}

function penalty({ table, rules }, total, bid, took) {
  const doubled = rules.set_penalty === "double_shortfall" && typeof bid === "number";
  const full = doubled ? 2 * (bid - took) : worthOf(table, bid);
  return rules.negative === "floor_zero" ? Math.min(full, Math.max(total, 0)) : full;
}

/* Returns {outcome, level} after a hand that was bid. `next` has the new score, `before` the old one. */
function end(next, before, bid, ours) {
  const { rules, sets } = next;
  const { made } = next.last;
  const [us] = ours;
  if (typeof bid === "string" && made && before.totals[us] >= 0) return wins(us, bid);
  if (bid === "moon" && !made) return wins(1 - us, "moon_failed");
  if (told(rules.max_sets) && sets[us] >= rules.max_sets) return wins(1 - us, "max_sets");
  return FINISHES[rules.finish](next, ours, before.level);
}

const wins = (winner, rule) => ({ outcome: { winner, rule }, level: false });
const playOn = (level = false) => ({ outcome: null, level });

function leaders(totals) {
  const best = Math.max(...totals);
  return totals.flatMap((total, side) => (total === best ? [side] : []));
}

const lead = (totals, side) => totals[side] - Math.max(...totals.filter((_, other) => other !== side));

const FINISHES = {
  bid_out({ rules, totals, last }, ours) {
    const able = last.made || rules.go_out === "take" ? ours : [];
    const out = able.find((side) => totals[side] >= rules.target && lead(totals, side) >= (rules.win_by ?? 1));
    return out === undefined ? playOn() : wins(out, "bid_out");
  },
  bidder_first({ rules, totals, last }, [bidder]) {
    if (last.made && totals[bidder] >= rules.target) return wins(bidder, "bidder_first");
    const [first, ...level] = leaders(totals);
    return !level.length && totals[first] >= rules.target ? wins(first, "most") : playOn();
  },
  highest({ rules, totals }, [bidder], settles) {
    const first = leaders(totals);
    const alone = first.length === 1;
    if (settles && rules.tie_break_round !== "threshold") return alone ? wins(first[0], "tie_break") : playOn(true);
    if (totals[first[0]] < rules.target) return playOn();
    if (alone) return lead(totals, first[0]) >= (rules.win_by ?? 1) ? wins(first[0], "highest") : playOn();
    if (rules.tie === "bidder" && first.includes(bidder)) return wins(bidder, "tie_bidder");
    return playOn(rules.tie === "one_more_hand");
  },
  fixed_hands({ rules, totals, hands }) {
    const [first, ...level] = leaders(totals);
    return hands < rules.hands_limit || level.length ? playOn() : wins(first, "fixed_hands");
  },
};
