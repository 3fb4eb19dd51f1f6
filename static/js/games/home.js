/* Shows on the home page what this phone still has to send, has it sent, and marks what needs a signal. */
import { element, filled, shown } from "../dom.js";
import { unsent, waitingText } from "./outbox.js";
import "./prepare.js";

const AGAIN = 4_000;
const UNSENT = "unsent";
const box = document.querySelector("[data-unsent]");
const stored = "stored" in document.documentElement.dataset;
/* The phone's rules, loaded only if a game waits: they weigh almost as much as the rest of the page. */
let rules;

const tag = (textContent) => element("b", { className: "tag", textContent });
const letterOf = (side) => "ABCDEFGH"[side];

/* Returns the state of a game as its board has it; nothing if this page can't read one of its changes. */
function stateOf(game) {
  try {
    return rules.replay(game, game.hands);
  } catch {
    return undefined;
  }
}

const totalOf = (state, side) => (state ? [" ", element("b", { textContent: shown(state.totals[side]) })] : []);

/* Returns the sides of a game, with their scores if they are known. */
function scoresOf({ kit }, state) {
  const { side_names: names } = state ?? kit.state;
  const sides = names.map((name, side) => {
    const badge = element("b", { className: `badge s${side}`, textContent: letterOf(side) });
    const className = state?.outcome?.winner === side ? "won" : "";
    return element("span", { className }, badge, " ", element("bdi", { textContent: name }), ...totalOf(state, side), " ");
  });
  return element("span", { className: "scores" }, ...sides);
}

/* Returns the status of a game as the server lists it (list_queries.py: _card); an older kit lacks the words. */
function statusOf({ kit: { words } }, state) {
  const { outcome, number, dealer, names } = state;
  const { hand, won, conceded } = words.listed ?? { hand: words.hand, won: words.wins, conceded: words.wins };
  if (!outcome) return filled(hand, { n: number, name: names[dealer] });
  return outcome.winner === null ? rules.noWinnerText(words, state) : (outcome.rule === "conceded" ? conceded : won)[outcome.winner];
}

/* Returns a game of this phone as the other games are listed. */
function card(game) {
  const { kit, hands } = game;
  const state = stateOf(game);
  const meta = element("span", { className: "meta" }, `${kit.name}. ${state ? `${statusOf(game, state)}. ` : ""}`, tag(waitingText(kit.words, hands)));
  return element("li", {}, element("a", { className: "game", href: `/games/${game.game}` }, scoresOf(game, state), meta));
}

/* Shows the waiting changes of a game that the server listed. */
function renew(listed, game) {
  const state = stateOf(game);
  if (state) {
    listed.querySelector(".scores").replaceWith(scoresOf(game, state));
    listed.querySelector(".meta > bdi").textContent = statusOf(game, state);
    const resume = document.querySelector(`.starts a[href="/games/${game.game}"] small`);
    if (resume) resume.textContent = state.side_names.map((name, side) => `${name} ${shown(state.totals[side])}`).join(", ");
  }
  listed.querySelector(".meta").append(" ", tag(waitingText(game.kit.words, game.hands)));
}

/* Has all games sent, by the service worker if there is one. */
async function send(games) {
  const worker = navigator.serviceWorker?.controller;
  if (worker) return worker.postMessage("send");
  const sender = await import("./outbox-sender.js");
  for (const { game, kit, state } of games) await sender.send(game, { ...kit.state, ...state }.version);
}

async function tell() {
  const games = await unsent();
  /* The server lists them now. They may have been sent while it was drawing this page. */
  if (!games.length && sessionStorage.getItem(UNSENT)) {
    sessionStorage.removeItem(UNSENT);
    return location.reload();
  }
  if (games.length) {
    rules ??= await import("./rules.js");
    sessionStorage.setItem(UNSENT, "1");
    send(games).catch(() => {});
    setTimeout(() => tell().catch(() => {}), AGAIN);
  }
  for (const old of document.querySelectorAll("a.game .tag:not(.needs)")) old.remove();
  const fresh = [];
  for (const each of games.sort((one, other) => (other.start?.at ?? 0) - (one.start?.at ?? 0))) {
    const listed = document.querySelector(`section:not([data-unsent]) a.game[href="/games/${each.game}"]`);
    if (listed) renew(listed, each);
    else fresh.push(card(each));
  }
  box.replaceChildren(element("h2", { textContent: box.dataset.unsent }), element("ul", { className: "games" }, ...fresh));
  box.hidden = !fresh.length;
}

/* Says at each link and button of the stored page that it needs a signal, unless it works without one. */
async function mark() {
  const boards = await caches.open("boards");
  const works = new Set((await boards.keys()).map(({ url }) => new URL(url).pathname));
  for (const path of ["/games/new", "/games/again", "/"]) works.add(path);
  /* There is no room for words in the header. */
  for (const link of document.querySelectorAll("header .ways a[href]")) link.hidden = true;
  for (const way of document.querySelectorAll("main a[href], main form, .foot a[href]")) {
    const { pathname } = new URL(way.href ?? way.action);
    if (works.has(pathname)) continue;
    const place = way.tagName === "FORM" ? way.querySelector("button:not(.vh)") : way;
    place?.append(" ", element("small", { className: "tag needs", textContent: box.dataset.needs }));
  }
}

tell().catch(() => {});
if (stored) {
  mark().catch(() => {});
  /* The stored page is replaced as soon as there is a signal. */
  addEventListener("online", () => location.reload());
}
