/* The rules that the phone scores by without a signal: which hands are valid, and what they do to the score.

   Nothing here is specific to one game. Every game, option, bid and point is in the state, a plain JSON object that
   scorekeeper/games/presenters/client_state.py makes; hands and state are described there. No function here changes the
   state. tests/bench/client_rules.py plays the same games by these rules and by the server's.

   A refusal is {code, field} like the server's, with the values that sentenceOf needs; null if nothing is wrong. */

const no = (code, field, more) => ({ code, field, ...more });
const below = (end, value) => Number.isInteger(value) && value >= 0 && value < end;
const told = (value) => value !== undefined && value !== null;

/** Returns how many parties share the points of a hand: the sides, or the bidder's party and the others. */
export const parties = ({ called, sides }) => (called ? 2 : sides.length);

/** Returns the points of a hand with that bid: a pitch may have one more, all the tricks (options.py: points_of). */
export const pointsOf = ({ table: { slam }, categories }, bid) => (slam && bid === "pitch" ? [...categories, slam] : categories);

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
export function checkHand(state, entered) {
  if (state.outcome) return no("game_over", null);
  const { table, rules } = state;
  const wrongParts = entered.side_tricks && checkParts(table, entered);
  if (wrongParts) return wrongParts;
  const hand = summed(entered);
  const unknown = Object.keys(hand).find((key) => ![...table.fields, ...WITHOUT_BIDS].includes(key));
  if (unknown) return no("field_unknown", unknown);
  const { dealer = state.dealer, passed = false, ...rest } = completed(state, hand);
  if (!below(table.players, dealer)) return no("seat", "dealer");
  if (table.has_bids === false) return checkUnbid(state, { passed, ...rest });
  const wrong = WITHOUT_BIDS.find((key) => told(rest[key]));
  if (wrong) return no("no_auction_field", wrong);
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
    (rest.conceded === undefined || rest.conceded === false ? (checkRevoked(state, rest) ?? checkWon(state, rest)) : checkConceded(state, dealer, rest))
  );
}

/** Returns the hand with the points of each party; those of tricks and red cards are added up (hands.py: read_hand). */
export function summed({ side_tricks: tricks, side_red: red, ...hand }) {
  return tricks ? { ...hand, taken: tricks.map((won, party) => won + red[party]) } : hand;
}

/* Checks tricks and red cards by party (hands.py: _parts). */
function checkParts({ most, red_points: points }, hand) {
  const wanted = { side_tricks: most - points, side_red: points };
  for (const [key, number] of Object.entries(wanted)) {
    const total = hand[key].reduce((sum, each) => sum + each);
    if (total !== number) return no("parts_total", key, { total });
  }
  return hand.side_red.some((each, party) => each && !hand.side_tricks[party]) ? no("parts_total", "side_red", { why: "no_tricks" }) : null;
}

/* What a hand tells besides its bid and its points. */
const besides = ({ turned_up: card = null, jack_hung: hung = false, conceded, revoked }) => ({ ...((card || hung) && { turned_up: card, jack_hung: hung }), ...(conceded && { conceded }), ...(told(revoked) && { revoked }) });

/* Before the side that captured the jack which another side was dealt. */
const HUNG = "hung-";

/** Returns the hand in a form's fields, dealt and bid as in `bid` (forms/hand.py: hand_data). */
export function handIn(state, fields, bid) {
  const { table, categories } = state;
  const number = (text) => (/^\d+$/.test(text) ? Number(text) : undefined);
  const trump = fields.get("trump") || bid.trump;
  const hand = { ...bid, trump };
  if (!trump) delete hand.trump;
  const card = fields.get("turned_up") ?? "other";
  if (card !== "other") hand.turned_up = card;
  const captured = capturedIn(state, fields);
  if (captured) hand.captured = captured;
  if (fields.has("partner")) hand.partner = fields.get("partner") === "alone" ? null : number(fields.get("partner"));
  if (fields.get("revoked")) hand.revoked = number(fields.get("revoked"));
  if (fields.get("tricks")) hand.tricks = number(fields.get("tricks"));
  const bySide = (field, most) => {
    const told = Array.from({ length: parties(table) }, (_, side) => number(fields.get(`${field}-${side}`)));
    const open = told.flatMap((points, side) => (points === undefined ? [side] : []));
    const rest = most - told.reduce((sum, points) => sum + (points ?? 0), 0);
    if (open.length === 1 && table.least === table.most) told[open[0]] = Math.max(rest, 0);
    else if (open.length) return null;
    return told;
  };
  if (fields.get("mode") === "parts") {
    const [tricks, red] = [bySide("side_tricks", table.most - table.red_points), bySide("side_red", table.red_points)];
    return tricks && red ? { ...hand, side_tricks: tricks, side_red: red } : hand;
  }
  if (fields.get("mode") === "taken" || !categories.length) {
    const taken = bySide("taken", table.most);
    return taken ? { ...hand, taken } : hand;
  }
  const told = pointsOf(state, "pitch").filter(({ key }) => fields.get(key));
  const hung = fields.get("jack")?.startsWith(HUNG);
  const owner = (key) => number(fields.get(key).split("-").at(-1)) ?? null;
  const points = Object.fromEntries(told.map(({ key }) => [key, owner(key)]));
  return { ...hand, points, ...(hung && { jack_hung: true }) };
}

/* Returns the party that takes a tied Game (cards.py: taker_of_tie, game_owner). */
function tiedGameOwner(table, { bidder }, dealer) {
  if (table.tied_game === "dealer") return table.side_of[dealer];
  const ours = partyOf(table, bidder);
  return table.tied_game === "bidder" ? ours : 1 - ours;
}

/* Returns the cards of each side, from the count. */
function capturedIn(state, fields) {
  const cards = [...fields].filter(([name, value]) => name.startsWith("card-") && value !== "none");
  return cards.length ? Array.from({ length: parties(state.table) }, (_, side) => cards.flatMap(([name, value]) => (value === `${side}` ? [name.slice(5)] : []))) : undefined;
}

const WITHOUT_BIDS = ["turned_up", "jack_hung"];
const WITH_BIDS = ["bidder", "bid", "passed", "partner", "tricks", "conceded", "revoked"];

/* Checks a hand of a game in which nobody bids. */
function checkUnbid(state, hand) {
  const { points, trump = null, turned_up: card = null, jack_hung: hung = false } = hand;
  const { cards } = state.table;
  const bid = WITH_BIDS.find((key) => told(hand[key]) && hand[key] !== false);
  if (bid) return no("no_bids", bid);
  if (typeof hung !== "boolean") return no("jack_hung", "jack_hung");
  if (card !== null && !cards.includes(card)) return no("turned_up", "turned_up");
  const refused = checkTrump(state, trump);
  if (refused) return refused;
  if (trump !== null && card?.[1] && card[1] !== trump) return no("trump", "turned_up", { why: "suit" });
  const wrong = checkWon(state, hand);
  if (wrong) return wrong;
  const jack = points?.jack;
  if (hung && !told(jack)) return no("jack_hung", "jack_hung", { why: "nobody" });
  const lost = state.table.carried[card?.[0]];
  return lost && told(points?.[lost]) ? no("jack_turned_up", lost) : null;
}

/** Returns the state after a hand that checkHand accepts. `agreed`: points by side that were added after it. */
export function scoreHand(state, hand, agreed = []) {
  const { table, rules } = state;
  const { dealer = state.dealer, ...played } = completed(state, hand);
  const thrownIn = played.passed === true;
  const counts = table.has_bids === false;
  const { delta, made, ours, shares, counted, out } = thrownIn ? nothing(state) : counts ? countOut(state, { dealer, ...played }, agreed) : changes(state, played);
  const totals = state.totals.map((total, side) => total + delta[side] + (agreed[side] ?? 0));
  const points = played.points && Object.fromEntries(pointsOf(state, played.bid).map(({ key }) => [key, played.points[key]]));
  const next = {
    ...state,
    totals,
    number: state.number + 1,
    dealer: thrownIn && rules.redeal_by === "same" ? dealer : (dealer + 1) % table.players,
    bid: null,
    was: { bidder: played.bidder ?? null, bid: played.bid ?? null, taken: shares, points: points ?? null, ...besides(played) },
    last: { number: state.number, dealer, bidder: played.bidder ?? null, bid: played.bid ?? null, partner: played.partner ?? null, delta, made, ...(counts && { counted }) },
  };
  if (thrownIn) return next;
  next.hands = state.hands + 1;
  if (counts) return { ...next, ...leader(next, out) };
  if (!made) next.sets = state.sets.map((count, side) => count + ours.includes(side));
  return { ...next, ...end(next, state, played.bid, ours) };
}

/** Returns the state after a waiting change, which the rules allow: {id, hand}, or {id, kind, …} with a key of CHANGES. */
export function scoreChange(state, { id, kind, hand, ...more }) {
  if (kind) return CHANGES[kind](state, { id, hand, ...more });
  const line = { seq: id, hand: { dealer: state.dealer, ...completed(state, hand) }, ...(hand.calls && { called: true }), ...(hand.side_tricks && { parts: true }) };
  return { ...scoreHand(state, hand), calls: [], lines: [...(state.lines ?? []), line] };
}

/** Returns the last state that the server gave of a game {kit, state}. One that an older version stored has no lines. */
export function lastState({ kit, state: newer }) {
  const state = { ...kit.state, ...newer };
  const { totals, sets, hands, level, outcome, number } = state;
  return { calls: [], lines: [], stopped: null, start: { totals, sets, hands, level, outcome, number }, ...state };
}

/** Returns the state of a game {kit, state} after the changes that wait for it on this phone. */
export const replay = (game, changes) => changes.reduce((state, change) => scoreChange(state, change), lastState(game));

/** Returns {saved, kept} after the server's answer to waiting changes: those that it has now, and what is new in the stored
    game. A bid made after hands that do not count does not count either. `heard` is what the page has yet to say. */
export function afterSending({ saved: ids, state, set_aside: aside = [], why }, changes) {
  const saved = changes.filter(({ id }) => ids.includes(id));
  const since = saved.length ? { since: saved.at(-1).at } : {};
  const heard = (why || aside.length) && { heard: { saved, set_aside: aside, why } };
  return { saved, kept: { state, start: undefined, ...since, ...(aside.length && { bid: null }), ...heard } };
}

/** Returns the seat that deals first in a rematch of this game (scoring.py: _rematch_dealer). */
export function rematchDealer(game, changes) {
  const state = replay(game, changes);
  const last = sheetOf(state).filter(({ hand, late }) => hand && !late).at(-1);
  if (last) return (last.hand.dealer + 1) % state.table.players;
  return state.number > 1 ? state.dealer : game.kit.record.first_dealer;
}

/** Returns how the hand before was entered, as the next one is: {called: whether player by player, mode} (hand_form.py:
    way_before). */
export function wayBefore({ lines, categories }) {
  const before = lines.filter(({ hand }) => hand);
  const scored = before.filter(({ hand: { passed, conceded } }) => !passed && !conceded).at(-1);
  const mode = !scored || scored.hand.points ? "points" : categories.length || !scored.parts ? "taken" : "parts";
  return { called: before.at(-1)?.called ?? false, mode };
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

/* A form asks for the rank of the turned-up card, so a correction keeps the suit. */
const cardOf = ({ turned_up: old }, { turned_up: rank }) => (old && old[0] === rank ? { turned_up: old } : {});

const CHANGES = {
  undo,
  delete: undo,
  correct(state, { of, hand }) {
    const lines = state.lines.map((line) => (line.seq === of ? { ...line, hand: { dealer: line.hand.dealer, ...summed(hand), ...cardOf(line.hand, hand) }, corrected: "here" } : line));
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
  if (bidder === null && table.has_bids !== false) return [];
  const out = taken.reduce((sum, points) => sum + points);
  const odd = {
    ends: outcome !== null,
    nothing: bidder !== null && !was.conceded && taken[partyOf(table, bidder)] === 0,
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
    (one.turned_up?.[0] ?? null) === (other.turned_up?.[0] ?? null) &&
    (one.revoked ?? null) === (other.revoked ?? null) &&
    (one.jack_hung ?? false) === (other.jack_hung ?? false) &&
    (one.points === null) === (other.points === null) &&
    keys.every((key) => one.points[key] === other.points[key])
  );
}

/** Returns the party of the seat that won the bid: its side, or 0 if a partner is called. */
export const partyOf = ({ called, side_of: sides }, bidder) => (called ? 0 : sides[bidder]);

/** Guesses who took each point, {key: side or null}. Points without a guess are left out. */
export function likelyPoints({ table, categories, guesses = {} }, bidder, bid) {
  const owners = {};
  pointsOf({ table, categories }, bid).forEach(({ key }, place) => {
    const owner = guesses[bid]?.[place];
    if (owner === "n") owners[key] = null;
    else if (Number(owner) >= 0) owners[key] = (partyOf(table, bidder) + Number(owner)) % parties(table);
  });
  return owners;
}

/** Returns the translated sentence for a refusal. */
export function sentenceOf({ says }, refusal) {
  const { code, field, why = field } = refusal;
  const words = says[`${code} ${why}`] ?? says[code] ?? says.other;
  return words.replace(/\{(total|bid)\}/, (_, name) => refusal[name]);
}

/* Returns a hand with the bid that stands, and with the owner of a tied Game. */
function completed({ table, bid: standing, dealer }, entered) {
  const told = summed(entered);
  const open = standing && told.bidder === undefined && told.passed === undefined;
  const hand = open ? { bidder: standing.bidder, bid: standing.bid, trump: standing.trump, ...told } : told;
  if (!table.tied_game || hand.points?.game !== null) return hand;
  return { ...hand, points: { ...hand.points, game: tiedGameOwner(table, hand, hand.dealer ?? dealer) ?? null } };
}

function mayBid(state, seat, bid, dealer) {
  if (state.table.has_bids === false) return no("no_bids", "bid");
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

function checkRevoked({ table, rules }, { revoked = null }) {
  if (revoked === null) return null;
  return !rules.revoke_costs_bid ? no("revoked", "revoked") : below(table.players, revoked) ? null : no("seat", "revoked");
}

function checkConceded({ table, rules }, dealer, { bidder, bid, taken, points, conceded, revoked }) {
  if (conceded !== true || bidder !== dealer || bid !== rules.forced_bid || !rules.forced_concede) return no("conceded", "conceded");
  const nothing = Array.isArray(taken) && taken.length === parties(table) && taken.every((count) => count === 0);
  return nothing && points === undefined && !told(revoked) ? null : no("conceded", "taken");
}

function checkWon(state, { points, taken, bidder, bid }) {
  const party = told(bidder) ? partyOf(state.table, bidder) : null;
  if (taken !== undefined) return points === undefined ? checkTaken(state, taken, bid, party) : no("points_twice", "taken");
  if (points === undefined) return no("points_missing", "points");
  return checkPoints(state, points, bid, party);
}

function checkTaken({ table }, taken, bid, party) {
  const wanted = parties(table);
  if (!Array.isArray(taken) || !taken.every(Number.isInteger)) return no("points_shape", "taken");
  if (taken.length !== wanted) return no("points_shape", "taken");
  const slam = bid === "pitch" ? (table.slam?.value ?? 0) : 0;
  if (slam && Math.min(...taken) >= 0 && taken[party] >= slam) {
    const rest = taken.reduce((sum, points) => sum + points) - slam;
    if (table.sums.includes(rest)) return null;
  }
  const total = taken.reduce((sum, points) => sum + points);
  if (total > table.most) return no("points_total", "taken", { why: "many", total });
  if (total < table.least || Math.min(...taken) < 0) return no("points_total", "taken", { why: "few", total });
  return table.sums?.includes(total) === false ? no("points_total", "taken", { why: "gap", total }) : null;
}

function checkPoints({ table, categories }, points, bid, party) {
  if (!categories.length) return no("points_kind", "points");
  if (points === null || typeof points !== "object" || Array.isArray(points)) return no("points_shape", "points");
  for (const [key, side] of Object.entries(points)) {
    if (!pointsOf({ table, categories }, "pitch").some((category) => category.key === key)) return no("points_unknown", "points");
    if (side !== null && !below(parties(table), side)) return no("points_side", key);
  }
  if (told(points.slam) && bid !== "pitch") return no("slam", "slam", { why: "bid" });
  if (told(points.slam) && points.slam !== party) return no("slam", "slam", { why: "side" });
  for (const { key, always } of pointsOf({ table, categories }, bid)) {
    if (points[key] === undefined) return no("points_missing", key);
    if (points[key] === null && always) return no("points_nobody", key);
  }
  return null;
}

/* A pitch or a moon promises every point of the hand; all the tricks may be one of a pitch. */
const worthOf = ({ most, slam }, bid) => (typeof bid === "number" ? bid : most + (bid === "pitch" && slam ? slam.value : 0));

export const biddingSides = ({ side_of: sides }, bidder, partner) => (told(partner) ? [bidder, partner] : [bidder]).map((seat) => sides[seat]);

/** Returns the sides of a party of a hand, lowest first; none for nobody. */
export function sidesOf(table, { bidder, partner }, party) {
  if (!told(party)) return [];
  if (!table.called) return [party];
  const ours = biddingSides(table, bidder, partner);
  return [...table.sides.keys()].filter((side) => ours.includes(side) === (party === 0));
}

/** Returns what the last hand did to the score, as explain.py does: [{key, sides}], the bidder's side first. */
export function effects({ last: { bidder, bid, partner, made, delta, counted }, table, rules, was }) {
  if (counted) return counts(counted, delta);
  if (made === null) return [{ key: "thrown_in", sides: [] }];
  const ours = biddingSides(table, bidder, partner);
  const [us] = ours;
  const verdict = made ? "made" : "set";
  const first = { key: typeof bid === "string" ? `${verdict}_call` : verdict, sides: [us] };
  if (made && bid === "moon") first.key = "made_moon";
  if (was.conceded) first.key = "gave_up";
  if (!made && delta[us] === 0) first.key = "set_nothing";
  else if (ours.length > 1 && ours.every((side) => delta[side] === delta[us])) Object.assign(first, { key: `both_${verdict}`, sides: ours });
  const moved = (table.called ? [...new Set([...ours, ...offenders(table, ours, was.revoked)])] : [...table.sides.keys()]).filter((side) => delta[side] && !first.sides.includes(side));
  const took = was.taken[partyOf(table, bidder)];
  const only = made && rules.made_scores === "bid" && took > bid ? [{ key: "only_bid", sides: [], points: took }] : [];
  const none = rules.defenders_score === false;
  if (none && was.taken.some((points, party) => points && party !== partyOf(table, bidder))) only.push({ key: "no_defense", sides: [] });
  if (Number.isInteger(was.revoked)) only.push({ key: "revoked", sides: [table.side_of[was.revoked]] });
  const told = [first, ...only, ...moved.map((side) => ({ key: delta[side] > 0 ? "scores" : "loses", sides: [side] }))];
  /* All of them get the same. */
  if (table.called && was.taken[1] && !none) told.push({ key: "others", sides: [], points: was.taken[1] });
  return table.game_needs && was.points?.game === null ? [...told, { key: "no_game", sides: [] }] : told;
}

/* Returns the effects of a hand without bids: each side that scores, with the points that it scored for; `what` is missing
   where only sums are known. */
function counts(counted, delta) {
  const left = [...delta];
  const found = new Map();
  const missed = counted.some(([key, side, points]) => {
    if (points > left[side]) return true;
    left[side] -= points;
    found.set(side, [...(found.get(side) ?? []), key]);
    return false;
  });
  const said = [...found].map(([side, what]) => (what.includes("taken") ? { key: "scores", sides: [side] } : { key: "counts", sides: [side], what }));
  return missed ? [...said, { key: "out", sides: [] }] : said;
}

/* Scores a hand without bids, point by point until a side is out (scoring.py: put_up, _add_counted). `counted` are all points
   as [key, side, points]. */
function countOut({ table, rules, totals, categories }, { dealer, points, taken, turned_up: card, jack_hung: hung }, agreed) {
  const counted = [];
  const worth = table.turned_up[card?.[0]];
  if (worth) counted.push(["turned_up", table.side_of[dealer], worth]);
  const shares = taken ? [...taken] : table.sides.map(() => 0);
  const add = (key, side, value) => {
    shares[side] += value;
    counted.push([key, side, value]);
  };
  if (taken) taken.forEach((value, side) => value && counted.push(["taken", side, value]));
  else
    for (const { key, value } of categories) {
      const isHung = hung && key === "jack";
      if (told(points[key])) add(isHung ? "hung" : key, points[key], isHung ? (rules.hang_jack ?? 1) : value);
    }
  const delta = totals.map(() => 0);
  const out = counted.find(([key, side, value]) => {
    delta[side] += value;
    return key !== "taken" && totals[side] + Math.min(agreed[side] ?? 0, 0) + delta[side] >= rules.target;
  });
  return { delta, made: null, ours: [], shares, counted, out: out?.[1] };
}

/* Returns {outcome} after such a hand: the side that was out first, else the one highest at the target. */
function leader({ rules, totals }, out) {
  const [first, ...level] = leaders(totals);
  if (out !== undefined) return wins(out, "count_out");
  return !level.length && totals[first] >= rules.target ? wins(first, "count_out") : playOn();
}

const nothing = (state) => ({ delta: state.totals.map(() => 0), made: null, shares: [] });

/* The sides that lose the bid for a revoke. */
const offenders = ({ side_of: sides }, ours, revoked) => (!told(revoked) ? [] : ours.includes(sides[revoked]) ? ours : [sides[revoked]]);

function changes(state, { bidder, bid, partner, taken, points, tricks, revoked }) {
  const { table, rules, totals } = state;
  const ours = biddingSides(table, bidder, partner);
  const worth = (side) => pointsOf(state, bid).reduce((sum, { key, value }) => sum + (points[key] === side ? value : 0), 0);
  const shares = taken ?? Array.from({ length: parties(table) }, (_, party) => worth(party));
  const took = shares[partyOf(table, bidder)];
  const byTricks = bid === "pitch" && table.pitch_tricks;
  const lost = offenders(table, ours, revoked);
  const made = lost.length ? !ours.includes(lost[0]) : byTricks ? tricks >= table.pitch_tricks : took >= worthOf(table, bid);
  const delta = totals.map((total, side) => {
    if (lost.includes(side)) return 0 - cost(rules, total, worthOf(table, bid));
    if (!ours.includes(side)) return rules.defenders_score === false ? 0 : table.called ? shares[1] : shares[side];
    return made ? reward(state, total, bid, took) : 0 - penalty(state, total, bid, took);
  });
  return { delta, made, ours, shares };
}

function reward({ table, rules }, total, bid, took) {
  if (bid === "moon") return total >= 0 ? Math.max(rules.target - total, 0) : 0 - total;
  return bid === "pitch" ? worthOf(table, bid) : rules.made_scores === "bid" ? bid : took;
}

function penalty({ table, rules }, total, bid, took) {
  const doubled = rules.set_penalty === "double_shortfall" && typeof bid === "number";
  const full = doubled ? 2 * (bid - took) : worthOf(table, bid);
  return cost(rules, total, full);
}

const cost = (rules, total, full) => (rules.negative === "floor_zero" ? Math.min(full, Math.max(total, 0)) : full);

/* Returns {outcome, level} after a hand that was bid. `next` has the new score, `before` the old one. */
function end(next, before, bid, ours) {
  const { rules, sets } = next;
  const { made } = next.last;
  const [us] = ours;
  if (typeof bid === "string" && made && before.totals[us] >= 0) return wins(us, bid);
  if (bid === "moon" && !made) return wins(bestOfOthers(next.totals, ours), "moon_failed");
  if (told(rules.max_sets) && sets[us] >= rules.max_sets) return wins(1 - us, "max_sets");
  const ended = FINISHES[rules.finish](next, ours, before.level);
  const lost = told(rules.lose_at_minus) ? [...next.totals.keys()].filter((side) => next.totals[side] <= -rules.lose_at_minus) : [];
  return ended.outcome || !lost.length ? ended : wins(bestOfOthers(next.totals, lost), "lose_at");
}

const wins = (winner, rule) => ({ outcome: { winner, rule }, level: false });
const playOn = (level = false) => ({ outcome: null, level });

function leaders(totals) {
  const best = Math.max(...totals);
  return totals.flatMap((total, side) => (total === best ? [side] : []));
}

/** Returns the result of a finished game that nobody won, as vocabulary.py does: "Tied game", or "No winner". */
export function noWinnerText(words, { outcome: { rule }, totals }) {
  const tied = rule !== "abandoned" && leaders(totals).length > 1;
  /* An older kit lacks the word for it. */
  return (tied && words.tied) || words.nobody;
}

function bestOfOthers(totals, lost) {
  const [first, ...level] = leaders(totals.map((total, side) => (lost.includes(side) ? -Infinity : total)));
  return level.length ? null : first;
}

const lead = (totals, side) => totals[side] - Math.max(...totals.filter((_, other) => other !== side));

const FINISHES = {
  bid_out({ rules, categories, totals, last }, ours) {
    const bidding = categories.length ? ours.slice(0, 1) : ours;
    const able = last.made || rules.go_out === "take" ? bidding : [];
    const out = able.find((side) => totals[side] >= rules.target && lead(totals, side) >= (rules.win_by ?? 1));
    return out === undefined ? playOn() : wins(out, "bid_out");
  },
  bidder_first({ rules, totals, last }, [bidder]) {
    const by = rules.bidder_lead ?? 0;
    if (last.made && totals[bidder] >= rules.target) return !by || lead(totals, bidder) >= by ? wins(bidder, "bidder_first") : playOn();
    const [first, ...level] = leaders(totals);
    return !level.length && totals[first] >= rules.target && lead(totals, first) >= by ? wins(first, "most") : playOn();
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
