/* Keeps a game going without a signal. Taps that the server did not answer are saved on this phone, scored by the same
   rules, drawn on the same board, and sent as soon as the server answers again. */
import { deadline, element, filled, hiddenForm, parsed, submitPast } from "../dom.js";
import * as outbox from "./outbox.js";
import { complain, show } from "./board.js";

const AGAIN = 15_000;
const SOON = 3_000;
const PATIENCE = 8_000;
const A_MOMENT = 200;
const STEP = /^\/games\/[^/]+\/(bid|bid\/void|hands|calls|calls\/void|undos|redos|reopening)$/;
const REMATCH = /^\/games\/[^/]+\/rematch$/;
const main = document.querySelector("main");
const voice = document.querySelector(".says");
const game = location.pathname.split("/")[2];
const board = `/games/${game}`;
const tabs = "BroadcastChannel" in window ? new BroadcastChannel(`game ${game}`) : null;
/* known: {kit, state, bid, heard}, the state last received from the server. now: that state plus the hands waiting here. */
let known, hands, now, trouble, sending;
/* {nodes}: the board, while offline-pages.js shows another page of the game in its place. */
let away;
/* The modules that only a game without a signal needs, once it does. secured: they can be loaded without a signal. */
let rules, drawing, badge, sender, secured;

async function load() {
  [rules, drawing, badge, sender] = await Promise.all(["rules", "offline-board", "outbox-badge", "outbox-sender"].map((name) => import(`./${name}.js`)));
  if (known) count();
}

/* Returns whether they are loaded now. */
const loaded = () => load().then(() => true, () => false);

/* Returns whether the service worker has the files of this page's version, all of which it stores at once. */
const isKept = async () => Boolean(navigator.serviceWorker?.controller && (await caches.match(new URL("./rules.js", import.meta.url))));

/* Makes sure that they can: the service worker has them, or this page loads them now. */
async function secure(worker, prepared) {
  const controls = async () => {
    await prepared;
    if (worker && !worker.controller) await new Promise((go) => worker.addEventListener("controllerchange", go, { once: true }));
  };
  await Promise.race([controls().catch(() => {}), new Promise((go) => setTimeout(go, SOON))]);
  if (!(await isKept())) await Promise.allSettled([load(), ...["pages", "auction", "count"].map((name) => import(`./offline-${name}.js`))]);
  secured = true;
}

const stateOnPage = () => JSON.parse(main.querySelector("[data-state]")?.dataset.state ?? "null");
const bidHere = () => known?.bid && known.bid.number === now.number;
const isLocal = () => Boolean(known && (hands.length || bidHere() || known.start));

/* Everything changes at once, because a tap may come while storage is being read. */
async function read() {
  const kept = await outbox.gameOf(game);
  const found = await outbox.waiting(game);
  if (found.length || kept?.bid || kept?.start) await load();
  hands = found;
  known = kept?.kit && kept.state ? kept : undefined;
  if (!known) return;
  count();
}

/* Without the rules, no hand is waiting. */
function count() {
  now = rules ? rules.replay(known, hands) : { ...known.kit.state, ...known.state };
  if (bidHere()) now = { ...now, bid: known.bid.bid, calls: known.bid.calls ?? [] };
}

/* The page's state is the newest, unless hands are waiting on top of an older one. */
async function learn() {
  const fresh = stateOnPage();
  const kept = await outbox.gameOf(game);
  if (!fresh || (await outbox.waiting(game)).length || fresh.version < kept?.state?.version) return;
  const same = kept?.state?.version === fresh.version;
  const bid = same && kept.bid?.number === fresh.number ? kept.bid : null;
  const since = same ? kept.since : Date.now();
  const heard = same || isLoss(kept?.heard) ? kept.heard : undefined;
  const [after, clock] = [".after", ".status .clock"].map((part) => main.querySelector(part)?.outerHTML);
  await outbox.keepGame(game, { state: fresh, bid, since, heard, after, clock });
}

/* The kit is fetched on every page load, because names and house rules may have changed. */
async function equip() {
  try {
    const reply = await fetch(`/games/${game}/kit.json`, { headers: { Accept: "application/json" }, signal: deadline(PATIENCE) });
    const kit = reply.ok && (await reply.json());
    if (kit?.words && !(await outbox.waiting(game)).length) await outbox.keepGame(game, { kit });
  } catch {
    /* Without a signal the stored kit is used. */
  }
}

function redraw() {
  if (away || !isLocal()) return tell();
  const loose = hands.some((hand) => hand.loose);
  const { words } = known.kit;
  const line = hands.length && (now.last || hands.at(-1).kind) ? lastLine() : "";
  const kept = line && (loose ? words.unkept : words.kept);
  drawing.draw(main, known.kit, now, line, line && drawing.briefOfLast(known.kit, now, doneLine()), kept);
  drawClock();
  drawing.addSteps(main, stepsNow());
  drawSheet();
  const calling = bidHere() ? known.bid.calls : now.calls.length || rules.wayBefore(now).called;
  if (calling && !now.bid && !now.outcome) import("./offline-auction.js").then(({ drawAuction }) => drawAuction(main, known.kit, now), () => {});
  if (line && !now.bid) voice.textContent = `${line} ${kept}`;
  document.dispatchEvent(new Event("board-replaced"));
  tell();
}

/* Says what the last waiting change did, in the words of the board. */
function lastLine() {
  const { kind } = hands.at(-1);
  const told = doneLine();
  if (!told) return now.last ? drawing.sentenceOfLast(known.kit, now) : "";
  return ["undo", "delete", "correct"].includes(kind) ? `${told} ${drawing.scoreOf(now)}.` : told;
}

/* Says that the last waiting change undid or corrected something; "" if it is a hand. */
function doneLine() {
  const { kind, number, dealer = now.dealer } = hands.at(-1) ?? {};
  const { done } = known.kit.words;
  const key = kind === "delete" ? "undo" : kind;
  if (!done?.[key]) return "";
  return filled(done[key === "undo" && !number ? "undo_line" : key], { n: number, name: now.names[dealer] });
}

const undoes = (change) => ["undo", "delete"].includes(change?.kind);
const stops = (change) => ["concede", "abandon"].includes(change?.kind);

/* Names what takes the last waiting change back, as the server's board would. */
function backLabel() {
  const { words } = known.kit;
  const { kind, number } = hands.at(-1);
  if (!kind) return filled(words.undo, { n: now.number - 1 });
  if (undoes({ kind }) && number) return filled(words.redo, { n: number });
  return stops({ kind }) ? words.resume : kind === "adjust" ? words.undo_line : words.undo_change;
}

/* Returns the buttons [label, address] that undo, redo or resume, as on the server's board. */
function stepsNow() {
  const { words } = known.kit;
  const last = hands.at(-1);
  const line = now.lines.at(-1);
  const steps = [];
  if (now.outcome && now.outcome.rule === now.stopped?.rule) steps.push([words.resume, `${board}/reopening`]);
  else if (line && (!last || undoes(last))) steps.push([line.hand ? filled(words.undo, { n: now.number - 1 }) : words.undo_line, `${board}/undos`]);
  if (last && !stops(last)) steps.push([backLabel(), `${board}/${undoes(last) ? "redos" : "undos"}`]);
  return steps;
}

/* The bell's time is not part of the game: it is that of the last board from the server. */
function drawClock() {
  if (known.clock) main.querySelector(".status")?.append(" ", parsed(known.clock));
}

/* Draws the waiting hands above the saved ones, or all of them, if a saved one was changed. */
function drawSheet() {
  const rows = rules.sheetOf(now);
  if (!hands.some(({ kind }) => kind)) return drawing.list(main, known.kit, now, rows.filter(({ seq }) => typeof seq === "string"));
  if (known.after) main.querySelector(".after").outerHTML = known.after;
  drawing.list(main, known.kit, now, rows, known.state.lines.length);
}

function tell() {
  if (!known || !badge) return;
  const last = hands.at(-1);
  badge.show({
    ...trouble,
    kit: known.kit,
    game,
    hands,
    start: known.start,
    text: asText(),
    loose: hands.some((hand) => hand.loose),
    undo: last ? backLabel() : "",
    actions: { send: flush, undo: takeBack, letGo, compare, code: plainHands().length && code },
  });
}

/* Returns each waiting hand with the state after it. */
function played() {
  let state = rules.lastState(known);
  return hands.map((change) => ({ ...change, before: state, state: (state = rules.scoreChange(state, change)) }));
}

function asText() {
  const { kit } = known;
  const lines = played().map((change) => {
    const { kind, number, hand, state } = change;
    if (kind) return drawing.changeText(kit, change, state);
    const took = hand.points
      ? rules.pointsOf(state, hand.bid).map(({ key, label }) => `${label} ${rules.sidesOf(state.table, hand, hand.points[key]).map((side) => state.side_names[side]).join(" + ") || "–"}`)
      : (rules.summed(hand).taken ?? []).map((points) => `${points}`);
    const told = [drawing.bidOfLast(kit, state), drawing.sentenceOfLast(kit, state), kit.suits[hand.trump], took.join(", ")].filter(Boolean).join(" ");
    return `${filled(kit.words.hand, { n: number })}: ${told}`;
  });
  return [...lines, drawing.scoreOf(now)].join("\n");
}

/* Returns the hand in a form's fields, dealt and bid as in `bid`. */
const handOf = (fields, bid = { dealer: now.dealer, ...now.bid, ...(now.calls.length && { calls: now.calls }) }) => rules.handIn(now, fields, bid);

/* The phone does not check calls and cards: the first were offered here, the second counted here. */
const check = ({ calls, captured, ...hand }) => rules.checkHand(now, hand);

/* Does on the phone what was tapped; returns a sentence if that is not possible. */
async function take(path, fields, form) {
  const step = path.match(STEP)?.[1];
  if (!step) return known.kit.words.signal_first;
  if (step === "hands") return askOrAdd(handOf(fields), fields, form);
  if (step === "undos" || step === "redos" || step === "reopening") return undo(step);
  if (step === "calls") return call(fields.get("call"));
  if (step !== "bid") return keepBid(null, now.calls.length ? now.calls.slice(0, -1) : undefined);
  if (fields.get("call") === "passed") return addHand({ dealer: now.dealer, passed: true });
  const { dealer, table } = now;
  const nothing = { taken: Array(rules.parties(table)).fill(0), ...(table.called && { partner: null }) };
  if (fields.get("call") === "conceded") return addHand({ dealer, bidder: dealer, bid: now.rules.forced_bid, ...nothing, conceded: true });
  const [seat, value] = (fields.get("call") ?? `${fields.get("bidder") ?? ""}:${fields.get("bid") ?? ""}`).split(":");
  const bid = { bidder: seat === "" ? -1 : Number(seat), bid: /^\d+$/.test(value) ? Number(value) : value };
  bid.trump = fields.get("trump") || null;
  const refusal = rules.checkBid(now, bid);
  return refusal ? rules.sentenceOf(now, refusal) : keepBid(bid);
}

/* `calls` are those of an auction that is entered here, call by call. */
async function keepBid(bid, calls) {
  await outbox.keepGame(game, { bid: { number: now.number, bid, calls } });
  await refresh();
}

function call(told) {
  const calls = [...now.calls, /^\d+$/.test(told) ? Number(told) : told];
  const { bidder, bid, turn } = rules.auctionOf(now, calls);
  if (turn !== null) return keepBid(null, calls);
  return bidder === null ? addHand({ dealer: now.dealer, passed: true, calls }) : keepBid({ bidder, bid, trump: null }, calls);
}

/* Takes the last waiting change back if that is what was tapped, else makes another change. */
async function undo(step) {
  const last = hands.at(-1);
  if (step === "reopening" ? stops(last) : last && (step === "redos" || !undoes(last))) return takeBack();
  if (step === "redos") return known.kit.words.signal_first;
  if (step === "reopening") return change({ kind: "reopen" });
  const { seq, hand } = now.lines.at(-1) ?? {};
  if (seq === undefined) return known.kit.words.signal_first;
  return change({ kind: "undo", of: seq, number: hand ? now.number - 1 : 0 });
}

/* Saves a change other than a new hand; a bid in play stays, unless the change ends its hand. */
async function change(made) {
  const bid = bidHere() && !["misdeal", "concede", "abandon"].includes(made.kind) ? known.bid : null;
  await outbox.add({ game, number: 0, ...made, at: Date.now() }, hands.length);
  await read();
  const calls = made.kind === "dealer" ? bid?.calls && [] : bid?.calls;
  await outbox.keepGame(game, { bid: bid && { ...bid, calls, number: now.number } });
  tabs?.postMessage("");
  await refresh();
  flush();
}

/* Asks about a hand that may be a mistake, as the server does (rules.js: oddities). */
async function askOrAdd(hand, fields, form) {
  const told = JSON.stringify(hand);
  const refused = check(hand);
  if (refused || fields.get("sure") === told || !known.kit.words.odd) return addHand(hand);
  const after = rules.scoreHand(now, hand);
  const since = hands.at(-1)?.at ?? known.since ?? 0;
  const keys = rules.oddities(now, after, Math.abs(Date.now() - since) / 1000);
  if (!keys.length) return addHand(hand);
  drawing.askFirst(form, known.kit, drawing.questionsOf(known.kit, now, after, keys), told, fields.get("mode") ?? "points");
}

async function addHand(hand) {
  const refusal = check(hand);
  if (refusal) return rules.sentenceOf(now, refusal);
  await outbox.add({ game, number: now.number, hand, at: Date.now() }, hands.length);
  await outbox.keepGame(game, { bid: null });
  tabs?.postMessage("");
  await refresh();
  flush();
}

/* Waits while the change is being sent; once it is sent, the server's board comes. */
async function takeBack() {
  const last = hands.at(-1);
  if (!last) return;
  const drop = () => outbox.drop([last]).then(() => true);
  while (!(await outbox.alone(`send ${game}`, AGAIN, drop))) await new Promise((go) => setTimeout(go, A_MOMENT));
  tabs?.postMessage("");
  await settle();
}

async function letGo() {
  await outbox.drop(hands);
  if (known.start) {
    await outbox.forget(game);
    await (await caches.open("boards")).delete(location.origin + board);
    return location.assign("/");
  }
  await outbox.keepGame(game, { bid: null });
  tabs?.postMessage("");
  await settle();
}

/* Opens the page that compares these hands with the server's, where the table decides. */
async function compare() {
  const { token, trouble: why = "portal" } = await sender.freshToken(game);
  if (!token) {
    trouble = { trouble: why };
    return tell();
  }
  const plain = plainHands();
  if (plain !== hands) {
    await outbox.swap(game, hands, [...plain, ...hands.filter(({ kind, number }) => kind && !number)]);
    await refresh();
    if (!plain.length) return badge.say(known.kit.words.trouble.moved);
  }
  const sent = JSON.stringify(sender.said(game, known.state.version, hands.filter(({ hand }) => hand)));
  const form = hiddenForm(`/games/${game}/tail`, { csrf_token: token, sent });
  document.body.append(form);
  form.submit();
}

/* Returns the hands as they are after all changes, from the first changed one on: two phones can compare those. */
function plainHands() {
  if (!hands.some(({ kind }) => kind)) return hands;
  const first = Math.min(...hands.flatMap(({ number }) => number || []));
  const own = new Map(hands.map((each) => [each.id, each]));
  const rows = rules.sheetOf(now).filter(({ hand, number }) => hand && number >= first);
  return rows.map(({ seq, number, hand, corrected }) => {
    const { at, hand: entered } = own.get(seq) ?? {};
    return { ...(!corrected && entered ? { id: seq, hand: entered } : { id: outbox.newId(), hand }), number, ...(at && { at }) };
  });
}

async function code() {
  const { codeOf } = await import("./outbox-code.js");
  return codeOf(known.kit.words, { game, version: known.state.version, hands: plainHands(), start: known.start });
}

async function refresh() {
  await read();
  redraw();
}

/* Shows the server's board again once nothing is waiting. */
async function settle() {
  await read();
  if (away || isLocal()) return redraw();
  tell();
  try {
    const reply = await fetch(board, { headers: { "X-Part": "main" }, signal: deadline(PATIENCE) });
    if (reply.headers.get("X-Part") !== "main") throw new Error("not ours");
    const text = await reply.text();
    /* Somebody may have gone on meanwhile. */
    if (!isLocal()) show(text);
  } catch {
    if (!known || !(await loaded())) return;
    drawing.draw(main, known.kit, now, "");
    drawClock();
    drawing.addSteps(main, stepsNow());
    if (known.after) main.querySelector(".after").outerHTML = known.after;
    document.dispatchEvent(new Event("board-replaced"));
  }
}

/* The service worker sent the hands first. */
async function sentElsewhere() {
  await settle();
  if (hands.length || !(await loaded())) return;
  await report(known.heard ?? { saved: [] });
}

/* Hands that don't count, for a reason that nobody at the table has seen yet. */
const isLoss = (heard) => Boolean(heard?.why && heard.set_aside?.length);

const forget = () => outbox.keepGame(game, { heard: undefined });

/* Says what became of the waiting hands: for a moment, or until it is tapped away if some don't count. */
async function report(heard) {
  const { words } = known.kit;
  if (isLoss(heard)) return badge.stay(heard.why, words, forget);
  badge.done(doneText(heard, words));
  if (known.heard) await forget();
}

async function flush() {
  if (!known || sending) return;
  if (!hands.length && !known.start) return bidHere() && !known.bid.bid && !known.bid.calls ? giveUpBid() : undefined;
  sending = true;
  try {
    const answer = await sender.send(game, known.state.version);
    /* Another tab is sending; it may also have been closed halfway. */
    if (!answer) setTimeout(flush, SOON);
    else trouble = { trouble: answer.trouble, number: answer.number ?? "", why: answer.why ?? "" };
    if (!answer?.saved) {
      await read();
      /* Another tab or the service worker has sent them all. */
      return hands.length || known.start ? undefined : await sentElsewhere();
    }
    /* The signal is back, so the other games of this phone go, too. */
    navigator.serviceWorker?.controller?.postMessage("send");
    if (answer.started) await equip();
    tabs?.postMessage("");
    await settle();
    if (answer.started) await keepBoard();
    if (!hands.length) await report(answer);
  } catch {
    trouble = { trouble: "lost" };
  } finally {
    sending = false;
    if (hands.length || known?.start) tell();
  }
}

function doneText({ saved, set_aside: aside = [], why }, words) {
  if (why) return why;
  return aside.length && saved.every(({ id }) => aside.includes(id)) ? (words.aside ?? words.saved) : words.saved;
}

/* A bid that was undone only here: with a signal, the server's board applies. */
async function giveUpBid() {
  if (!navigator.onLine) return;
  await outbox.keepGame(game, { bid: null });
  await settle();
}

/* board.js asks before it sends, and again when the server did not answer. */
async function onBoardSubmit(event) {
  const { form, url, body, lost } = event.detail;
  if (REMATCH.test(url) && navigator.serviceWorker?.controller) {
    event.preventDefault();
    /* The service worker starts the next game, if need be without the server. */
    return submitPast(form);
  }
  if (!known || !(isLocal() || (lost && secured && STEP.test(url)))) return;
  event.preventDefault();
  if (!(await loaded())) return complain(form);
  const sentence = await take(url, body, form).catch(() => known.kit.words.trouble.full);
  if (sentence) complain(form, sentence);
}

/* Tells preview.js what a hand would do. With a signal, the server compares the sentence with its own before it saves. */
function onHandPreview({ detail }) {
  if (!known) return;
  const local = isLocal() || (detail.lost && secured);
  if (local || (secured && known.state.version === stateOnPage()?.version))
    detail.answer = loaded().then((is) => (is ? answerTo(detail.fields, local) : undefined));
}

function answerTo(fields, local) {
  const hand = handOf(fields);
  const refusal = check(hand);
  if (refusal) return local && { ok: false, text: rules.sentenceOf(now, refusal) };
  const after = rules.scoreHand(now, hand);
  /* The server has more to say about a game that goes on although somebody has enough points. */
  const plain = after.outcome || !(after.level || after.rules.hands_limit || Math.max(...after.totals) >= after.rules.target);
  if (!local && !plain) return undefined;
  const { kit } = known;
  const text = drawing.sentenceOfLast(kit, after, after.outcome ? `${drawing.reasonOf(kit, after)} ` : "");
  return { ok: true, text, seen: local ? "phone" : text };
}

/* The board arrived without its lower half; the upper half has the state. */
async function onBoardIncomplete(event) {
  if (!known) return;
  event.preventDefault();
  await learn();
  await settle();
}

/* Opens the pages that the phone has. Another link leads to the browser's error page if there is no signal, and without a
   service worker the game is gone from the screen. So this asks first whether the server answers. */
async function onLeaving(event) {
  const { target, submitter } = event;
  const way = event.type === "submit" ? target : target.closest("a[href]");
  const { href } = way ?? {};
  const elsewhere = href && (!href.startsWith(location.origin) || href.startsWith(`${location.href.split("#")[0]}#`));
  if (!way || event.defaultPrevented || !known || elsewhere || "asked" in way.dataset) return;
  const { pathname, searchParams } = new URL(href ?? way.action);
  const lost = isLocal() || !navigator.onLine;
  const served = !lost || [board, "/", "/games/new"].includes(pathname) || REMATCH.test(pathname);
  if (href && lost && pathname === board && searchParams.has("entry")) {
    event.preventDefault();
    return keepBid(null, searchParams.get("entry") === "auction" ? now.calls : undefined);
  }
  if (away && pathname === board) {
    event.preventDefault();
    return follow(board);
  }
  if (served && navigator.serviceWorker?.controller) return;
  event.preventDefault();
  const inGame = href && pathname.startsWith(board);
  if (inGame && lost && (await pageFor(pathname))) return follow(href);
  if (!(await loaded()) || (await sender.freshToken(game)).trouble === "lost") {
    if (inGame && (await pageFor(pathname))) return follow(href);
    return sayAt(way, known.kit.words.stay_here);
  }
  if (href) return location.assign(href);
  way.dataset.asked = "";
  way.requestSubmit(submitter);
}

const pages = () => load().then(() => import("./offline-pages.js"));

const pageFor = (pathname) => pathname === board || pages().then(({ pageOf }) => pageOf(pathname, context), () => undefined);

/* Says below a link or form why it does not work now; for one in the header, at the top of the page. */
function sayAt(way, text) {
  if (!main.contains(way)) return badge?.say(text);
  main.querySelector("[data-why]")?.remove();
  const why = element("p", { className: "notice", role: "status", textContent: text });
  why.dataset.why = "";
  way.after(why);
}

/* Opens a page of this game without leaving the page of the board. */
async function follow(href) {
  history.pushState(null, "", href);
  await onPath();
}

/* Shows the page of the address: the board, or what offline-pages.js makes of it. */
async function onPath() {
  const { pathname } = location;
  if (pathname === board) return back();
  away = { nodes: away?.nodes ?? [...main.childNodes] };
  const opened = await pages().then(({ open }) => open(pathname, context)).catch(() => false);
  if (opened !== false) return;
  history.replaceState(null, "", board);
  back();
  main.querySelector(".head").append(element("p", { className: "notice", role: "status", textContent: known.kit.words.stay_here }));
}

function back() {
  if (!away) return;
  main.replaceChildren(...away.nodes);
  away = undefined;
  redraw();
  document.dispatchEvent(new Event("board-replaced"));
}

/* What offline-pages.js works with. `state` includes the waiting hands, `saved` is the last state from the server, and
   `hands` are the waiting ones, each {id, number, hand, state} with the state after it. */
const context = {
  game,
  board,
  main,
  get kit() {
    return known.kit;
  },
  get state() {
    return now;
  },
  get saved() {
    return known.state;
  },
  get hands() {
    return played();
  },
  addHand,
  change,
  handOf,
  keepBid,
  refresh,
  follow,
  sayAt,
};

async function onBoardReplaced() {
  if (!stateOnPage()) return;
  await learn();
  await read();
  tell();
}

async function open() {
  document.addEventListener("board-submit", onBoardSubmit);
  document.addEventListener("hand-preview", onHandPreview);
  document.addEventListener("board-replaced", onBoardReplaced);
  document.addEventListener("board-incomplete", onBoardIncomplete);
  document.addEventListener("click", onLeaving);
  document.addEventListener("submit", onLeaving);
  addEventListener("popstate", onPath);
  await learn();
  await read();
  /* The service worker stored the page as it was opened, without later hands. */
  if (known?.after && stateOnPage()?.version < known.state.version) main.querySelector(".after").outerHTML = known.after;
  if (known && location.pathname !== board && (await pageFor(location.pathname))) await onPath();
  if (known?.heard && !away) await sentElsewhere();
  else if (isLocal()) redraw();
  /* The page was made on this phone or is an older one, and the service worker has sent what waited. */
  else if (known && !away && !(stateOnPage()?.version >= known.state.version)) await settle();
  /* The server has no kit for a game that it does not have. */
  if (!known?.start) await equip();
  await read();
  if (isLocal() && !main.querySelector("[name=version][value^=phone]")) redraw();
  if (known && !away && location.pathname !== board) await onPath();
}

async function start() {
  /* A game that can't be drawn is sent nevertheless. */
  await open().catch(() => {});
  addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => document.hidden || flush());
  addEventListener("pageshow", flush);
  addEventListener("offline", loaded);
  setInterval(() => !sender?.STUCK.includes(trouble?.trouble) && flush(), AGAIN);
  if (tabs) tabs.onmessage = ({ data }) => !sending && (data === "saved" ? sentElsewhere() : settle());
  flush();
  const worker = navigator.serviceWorker;
  const prepared = worker && import("./prepare.js").then(({ prepare }) => prepare());
  await secure(worker, prepared);
  document.documentElement.dataset.offline = known ? "ready" : "none";
  if (!worker) return;
  await prepared;
  /* This page was loaded before the service worker started. */
  if (!(await (await caches.open("boards")).match(location.origin + board))) await keepBoard();
}

async function keepBoard() {
  const reply = await fetch(board);
  /* Not a Wi-Fi login page. */
  if (reply.headers.get("X-Part") === "page") await (await caches.open("boards")).put(board, reply);
}

start().catch(() => {});
