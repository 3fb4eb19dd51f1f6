/* Shows the other pages of a game without a signal: menu, rule card, history, corrections. The server rendered them
   (scorekeeper/games/views/offline_pages.py); here they get the hands and scores of this phone. */
import { element, fieldsOf, filled, parsed, shown } from "../dom.js";
import { cardText, changeText, headlineOf, joined, reasonOf, scoreOf } from "./offline-board.js";
import { biddingSides, checkHand, pointsOf, scoreChange, sentenceOf, sheetOf } from "./rules.js";
import { freshToken } from "./outbox-sender.js";

const styles = (name) => element("link", { rel: "stylesheet", href: new URL(`../../css/${name}.css`, import.meta.url) });
const SEQ = /^[0-9]+$/;
/* What the page was before: undone when the board comes back. */
let leave;

const PAGES = [
  [/^\/table$/, drawMenu],
  [/^\/rules$/, drawRules],
  [/^\/log$/, drawLog],
  [/^\/adjustments$/, drawAdjust],
  [/^\/hands\/([^/]+)\/correction$/, drawCorrection],
  [/^\/count$/, drawCount],
];

/** Returns what draws the page at this address; undefined if the phone has no such page now. */
export function pageOf(path, { board, kit, state }) {
  const rest = path.slice(board.length);
  const [pattern, draw] = PAGES.find(([each]) => each.test(rest)) ?? [];
  if (!draw || !kit.pages) return undefined;
  const [, seq] = rest.match(pattern);
  if (draw === drawCount) return (state.bid || state.table.has_bids === false) && !state.outcome && kit.pages.count ? draw : undefined;
  return seq && !lineOf(state, seq) ? undefined : (context) => draw(context, seq);
}

/** Shows the page at this address; false if the phone has none. */
export async function open(path, context) {
  const draw = pageOf(path, context);
  if (!draw) return false;
  leave?.();
  frame(context);
  await draw(context);
  mark(context);
  context.main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/* Gives the page the frame that it has online: its styles, and the way back in the header. */
function frame({ board, kit }) {
  const { title, body } = document;
  const { className } = body;
  const sheets = ["pages", "share", "number-pad"].map(styles);
  const nav = document.querySelector("header nav");
  const old = [...nav.childNodes];
  document.head.querySelector("link[rel=stylesheet]").after(...sheets);
  nav.replaceChildren(element("a", { href: board, textContent: kit.words.back }));
  body.className = "";
  leave = () => {
    for (const sheet of sheets) sheet.remove();
    nav.replaceChildren(...old);
    Object.assign(document, { title });
    body.className = className;
    leave = undefined;
  };
  const back = () => (location.pathname === board ? leave?.() : document.addEventListener("board-replaced", back, { once: true }));
  document.addEventListener("board-replaced", back, { once: true });
}

/* Draws the HTML; `send` gets path, fields and form of what is submitted, and returns false for what needs a signal. */
function draw({ main, board, sayAt, kit }, html, send = () => false) {
  const page = element("div", {}, parsed(html));
  const title = page.querySelector("title");
  if (title) document.title = title.textContent;
  title?.remove();
  page.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target, submitter } = event;
    const path = new URL(submitter?.getAttribute("formaction") ?? target.action).pathname.slice(board.length);
    if (send(path, fieldsOf(target, submitter), target) === false) needsSignal({ board, sayAt, kit }, target);
  });
  main.replaceChildren(page);
  return page;
}

/* A form rendered for another moment is not sent; with a signal, the server's own page opens. */
async function needsSignal({ board, sayAt, kit }, form) {
  const { trouble } = await freshToken(board.split("/")[2]);
  if (trouble) sayAt(form, kit.words.stay_here);
  else location.reload();
}

/* Says at each link and form that the phone has no page for that it needs a signal. */
function mark(context) {
  const { main, board, kit } = context;
  const note = () => element("small", { className: "needs", textContent: ` ${kit.words.needs_signal}` });
  for (const link of main.querySelectorAll("a[href]")) {
    const { origin, pathname } = new URL(link.href);
    if (origin !== location.origin || pathname === board || pageOf(pathname, context)) continue;
    link.append(note());
  }
  for (const form of main.querySelectorAll("form:not([data-works])")) form.append(note());
  for (const picture of main.querySelectorAll("img")) picture.remove();
}

const lineOf = ({ lines }, seq) => lines.find((line) => `${line.seq}` === seq);

const scoreText = ({ words }, totals) => {
  const told = totals.map(shown);
  if (told.length === 2) return filled(words.to, { ours: told[0], theirs: told[1] });
  return joined(words, told);
};

const resultText = (kit, state) =>
  state.outcome ? `${headlineOf(kit.words, state)}. ${reasonOf(kit, state)}` : filled(kit.words.goes_on, { score: scoreText(kit, state.totals) });

/* Says what a hand was, as hand_text does on the server. */
function handText(kit, { names, side_names: sides, table, categories }, hand) {
  const { words } = kit;
  const { told } = words;
  const dealer = names[hand.dealer];
  if (hand.passed) return filled(told.passed, { dealer });
  const suit = hand.trump === "none" ? "" : (hand.trump ?? "");
  let bid = told.bids[suit]?.[hand.bid];
  if (table.called) bid = hand.partner === null ? filled(told.alone, { bid }) : filled(told.with, { bid, partner: names[hand.partner] });
  const unbid = table.has_bids === false && (hand.turned_up ? filled(told.turned_up, { dealer, card: cardText(kit, hand.turned_up) }) : filled(told.dealt_only, { dealer }));
  const dealt = unbid || filled(told.dealt, { dealer, bidder: names[hand.bidder], bid });
  const { points, taken } = hand;
  if (table.called && !points) {
    const [ours, theirs] = taken ?? [];
    return `${dealt} ${filled(told.called, { ours, theirs })}`;
  }
  const owners = table.called ? [joined(words, biddingSides(table, hand.bidder, hand.partner).map((side) => sides[side])), told.others] : sides;
  const took = (side, what) => filled(told.took, { side: owners[side], points: what });
  if (!points) return [dealt, ...sides.map((_, side) => took(side, `${taken[side]}`))].join(" ");
  const of = (side, keys = pointsOf({ table, categories }, hand.bid)) => keys.filter(({ key }) => points[key] === side).map(({ key, label }) => (hand.jack_hung && key === "jack" ? words.hung : label)).join(", ");
  const parts = owners.flatMap((_, side) => (of(side) ? [took(side, of(side))] : []));
  const [cards, others] = [true, false].map((card) => of(null, categories.filter(({ key }) => told.card.includes(key) === card)));
  if (cards) parts.push(filled(told.absent, { points: cards }));
  if (others) parts.push(filled(told.unscored, { points: others }));
  return [dealt, ...parts].join(" ");
}

const lineText = (kit, state, line) => (line.hand ? handText(kit, state, line.hand) : adjustText(kit, line));

const adjustText = ({ words: { told } }, { side, points, reason }) =>
  filled(told[points < 0 ? "loses" : "gets"][side], { points: Math.abs(points), reason });

function drawMenu(context) {
  const { kit, state, board } = context;
  const page = draw(context, kit.pages.table, (path, fields, form) => {
    if (path === "/misdeal") return done(context, { kind: "misdeal" });
    if (path === "/dealer") return done(context, { kind: "dealer", dealer: Number(fields.get("dealer")) });
    if (["/concession", "/abandonment"].includes(path)) return drawEnd(context, fields.get("winner") ?? "");
    return false;
  });
  for (const path of ["misdeal", "dealer", "concession", "abandonment"]) {
    const form = page.querySelector(`form[action="${board}/${path}"]`);
    if (state.outcome) form?.closest("details").remove();
    else if (form) form.dataset.works = "";
  }
  for (const radio of page.querySelectorAll("[name=dealer]")) radio.checked = radio.value === `${state.dealer}`;
  for (const share of page.querySelectorAll("#send .share")) {
    const score = scoreOf(state);
    share.querySelector("textarea").textContent = score;
    share.querySelector("[data-share]").dataset.text = score;
  }
  document.dispatchEvent(new Event("board-replaced"));
}

async function done({ change, follow, board }, made) {
  await change(made);
  await follow(board);
}

function drawEnd(context, winner) {
  const { kit, state } = context;
  const page = draw(context, filledIn(kit.pages.end[winner], { score: scoreOf(state) }), () => done(context, winner === "" ? { kind: "abandon" } : { kind: "concede", winner: Number(winner) }));
  page.querySelector("form").dataset.works = "";
  mark(context);
}

/* Fills words into HTML. */
const escaped = (text) => element("i", { textContent: text }).innerHTML;
const filledIn = (html, values) => filled(html, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, escaped(value)])));

function drawRules(context) {
  document.body.className = "rule-card";
  document.head.append(styles("games/rules"));
  draw(context, context.kit.pages.rules);
}

/* Adds what happened since the server's history: hands saved later, and the changes that wait here. */
function drawLog(context) {
  const { kit, state, saved, hands } = context;
  const { words } = kit;
  const list = draw(context, kit.pages.log).querySelector("ol");
  const add = (meta, what, was, then) => {
    const parts = element("dl");
    if (was) parts.append(element("dt", { textContent: words.before }), element("dd", { textContent: was }));
    if (then) parts.append(element("dt", { textContent: words.after }), element("dd", { textContent: then }));
    list.prepend(element("li", {}, element("p", { className: "meta", textContent: meta }), element("p", {}, element("b", { textContent: what })), ...(was || then ? [parts] : [])));
  };
  const since = sheetOf({ ...state, ...saved }).filter(({ seq }) => seq > kit.state.version);
  for (const row of since) add(words.saved, entryText(kit, state, row), ...moved(kit, row));
  for (const each of hands) {
    const time = new Date(each.at).toLocaleTimeString([], { timeStyle: "short" });
    add(`${time} · ${words.kept_tag}`, ...entryOf(kit, each));
  }
}

const setText = (kit, made) => (made === false ? ` ${kit.words.was_set}` : "");

const entryText = (kit, state, { hand, number, made, ...line }) =>
  hand ? `${filled(kit.words.log.hand, { n: number })} ${handText(kit, state, hand)}${setText(kit, made)}` : `${kit.words.log.adjust} ${adjustText(kit, line)}`;

/* The score before and after a line of the sheet. */
function moved(kit, { totals, delta, late }) {
  if (late || !delta.some(Boolean)) return [];
  return [scoreText(kit, totals.map((total, side) => total - delta[side])), scoreText(kit, totals)];
}

/* Returns what a waiting change did, with before and after, as the server's history tells it. */
function entryOf(kit, made) {
  const { words } = kit;
  const { before, state, kind, of, number } = made;
  const scores = [before, state].map(({ totals }) => scoreText(kit, totals));
  const ended = state.outcome && !before.outcome ? resultText(kit, state) : scores[1];
  const change = scores[0] !== scores[1] || Boolean(before.outcome) !== Boolean(state.outcome) ? [scores[0], ended] : [];
  if (!kind || kind === "adjust") return [entryText(kit, state, sheetOf(state).at(-1)), ...change];
  const told = changeText(kit, made, state);
  const line = of === undefined ? undefined : lineOf(before, `${of}`);
  if (kind === "correct") {
    const was = `${handText(kit, before, line.hand)} ${filled(words.log.score, { score: scores[0] })}`;
    return [told, was, `${handText(kit, state, lineOf(state, `${of}`).hand)} ${resultText(kit, state)}`];
  }
  if (kind === "dealer") return [told, ...[before, state].map(({ dealer, names }) => filled(words.log.to_deal, { name: names[dealer] }))];
  return [line ? `${told} ${lineText(kit, before, line)}` : told, ...change];
}

/* Shows in `section` what the totals would be after a change, hand by hand. */
function fillEffect(kit, section, before, after) {
  const standing = (rows) => {
    const ends = new Map(rows.map((row) => [row.number, row]));
    const text = ({ number }) => (ends.get(number).late ? kit.words.late : scoreText(kit, ends.get(number).totals));
    return new Map(rows.filter(({ hand }) => hand).map((row) => [row.seq, [row.number, text(row)]]));
  };
  const [was, then] = [before, after].map((state) => standing(sheetOf(state)));
  const rows = [...was].flatMap(([seq, [number, text]]) => {
    const next = then.has(seq) ? then.get(seq)[1] : kit.words.deleted;
    return next === text ? [] : [element("tr", {}, element("th", { scope: "row", textContent: number }), element("td", { textContent: text }), element("td", {}, element("b", { textContent: next })))];
  });
  const table = section.querySelector("table");
  table.tBodies[0].replaceChildren(...rows);
  if (!rows.length) table.replaceWith(element("p", { textContent: kit.words.unchanged }));
  const same = !rows.length && !after.outcome && `${before.totals}` === `${after.totals}`;
  section.querySelector("p b").textContent = same ? filled(kit.words.goes_on_unchanged ?? kit.words.goes_on, { score: scoreText(kit, after.totals) }) : resultText(kit, after);
}

/* Puts the effect of a change above the form; its button saves the change. */
function review(context, page, html, made, number) {
  const { kit, state } = context;
  const section = parsed(filledIn(html, { n: `${number ?? ""}` })).querySelector("section");
  fillEffect(kit, section, state, scoreChange(state, made));
  const save = section.querySelector("button");
  save.type = "button";
  save.removeAttribute("form");
  save.onclick = () => done(context, made);
  putBelow(page, "h1", section);
}

/** Shows the effect of a form, or why it has none, below the part of the page that `place` selects. */
export function putBelow(page, place, part) {
  page.querySelector(".effect, .error")?.remove();
  page.querySelector(place).after(part);
  scrollTo(0, 0);
}

export const refuse = (page, textContent, place = "h1") => putBelow(page, place, element("p", { className: "error", role: "alert", textContent }));

function drawAdjust(context) {
  const { kit } = context;
  import("../number-pad.js").catch(() => {});
  const page = draw(context, kit.pages.adjust, (_path, fields) => {
    const points = Number(fields.get("points")) * (fields.get("sign") === "-" ? -1 : 1);
    const made = { kind: "adjust", side: Number(fields.get("side")), points, reason: fields.get("reason").trim() };
    const wrong = kit.words.adjusting;
    if (!fields.get("side")) return refuse(page, wrong.side);
    if (!Number.isInteger(points) || !points || Math.abs(points) > 99) return refuse(page, wrong.points);
    if (!made.reason) return refuse(page, wrong.reason);
    review(context, page, kit.pages.adjusting, { id: "new", ...made });
  });
  page.querySelector("form").dataset.works = "";
}

function drawCorrection(context, seq) {
  const { kit, state } = context;
  const line = lineOf(state, seq);
  const of = SEQ.test(seq) ? Number(seq) : seq;
  const row = sheetOf(state).find((each) => each.seq === of);
  const drop = (page) => review(context, page, kit.pages.strike, { kind: "delete", of, number: row.number }, row.number);
  if (!line.hand) return drawDrop(context, line, of);
  const show = (fields) => {
    const html = filledIn(kit.pages.correct[fields.bidder ?? 0], { n: `${row.number}` });
    const page = draw(context, html, (path, sent) => (path.endsWith("/void") ? drop(page) : correct(context, page, { line, of, number: row.number }, sent)));
    page.querySelector(".said").textContent = handText(kit, state, line.hand);
    for (const form of page.querySelectorAll("form")) form.dataset.works = "";
    for (const radio of page.querySelectorAll("[type=radio]")) radio.checked = radio.defaultChecked = fields[radio.name] === radio.value;
    if (fields.mode === "taken") page.querySelector("details[data-mode=taken]")?.setAttribute("open", "");
    /* Another bidder's side is asked for its points. */
    page.addEventListener("change", ({ target }) => target.name === "bidder" && show(Object.fromEntries(new FormData(target.form))));
    return page;
  };
  show(fieldsOfHand(state, line.hand));
}

function drawDrop(context, line, of) {
  const { kit } = context;
  const page = draw(context, kit.pages.drop);
  const section = page.querySelector("section").outerHTML;
  page.querySelector(".said").textContent = adjustText(kit, line);
  review(context, page, section, { kind: "delete", of, number: 0 });
}

function unbidFields({ points, card, hung }) {
  const fields = Object.fromEntries(Object.entries(points ?? {}).map(([key, side]) => [key, side === null ? "none" : `${side}`]));
  if (hung) fields.jack = `hung-${fields.jack}`;
  return { ...fields, turned_up: card?.[0] ?? "other" };
}

/* The form's fields for a hand (presenters/correction.py: hand_fields). */
function fieldsOfHand({ table, categories }, { dealer, bidder, bid, trump, partner, tricks, points, taken, turned_up: card, jack_hung: hung, revoked = "" }) {
  const fields = { dealer: `${dealer}`, trump: trump ?? "", mode: points ? "points" : "taken" };
  if (table.has_bids === false) return { ...fields, ...unbidFields({ points, card, hung }) };
  if (bidder === undefined || bidder === null) return fields;
  Object.assign(fields, { bidder: `${bidder}`, bid: `${bid}`, partner: partner === null || partner === undefined ? "alone" : `${partner}` });
  fields.revoked = `${revoked}`;
  if (tricks !== undefined && tricks !== null) fields.tricks = `${tricks}`;
  const worth = (side) => pointsOf({ table, categories }, bid).reduce((sum, { key, value }) => sum + (points[key] === side ? value : 0), 0);
  (taken ?? table.sides.map((_, side) => worth(side))).forEach((count, side) => (fields[`taken-${side}`] = `${count}`));
  for (const [key, side] of Object.entries(points ?? {})) fields[key] = side === null ? "none" : `${side}`;
  return fields;
}

function correct(context, page, { line, of, number }, fields) {
  const { kit, state, handOf } = context;
  const value = (name) => (fields.get(name) ? Number(fields.get(name)) : undefined);
  const dealer = value("dealer") ?? line.hand.dealer;
  const bid = /^\d+$/.test(fields.get("bid") ?? "") ? Number(fields.get("bid")) : fields.get("bid");
  const made = { bidder: value("bidder"), ...((bid || bid === 0) && { bid }) };
  const hand = fields.get("mode") === "passed" ? { dealer, passed: true } : handOf(fields, { dealer, ...made });
  const refusal = checkHand({ ...state, outcome: null, bid: null }, hand);
  if (refusal) return refuse(page, sentenceOf(state, refusal));
  review(context, page, kit.pages.effect, { kind: "correct", of, number, hand });
}

async function drawCount(context) {
  document.head.append(styles("games/count"));
  const { drawCards } = await import("./offline-count.js");
  drawCards(context, draw);
}
