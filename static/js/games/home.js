/* Shows on the home page what this phone still has to send, has it sent, and marks what needs a signal. */
import { element, filled, shown } from "../dom.js";
import { noWinnerText, scoreHand } from "./rules.js";
import { unsent } from "./outbox.js";
import "./prepare.js";

const AGAIN = 4_000;
const box = document.querySelector("[data-unsent]");
const stored = "stored" in document.documentElement.dataset;

const tag = (textContent) => element("b", { className: "tag", textContent });
const letterOf = (side) => "ABCDEFGH"[side];

/* Returns a game of this phone as the other games are listed. */
function card({ game, kit, state, hands }) {
  const now = hands.reduce((before, { hand }) => scoreHand(before, hand), { ...kit.state, ...state });
  const { words } = kit;
  const { outcome } = now;
  const scores = element("span", { className: "scores" });
  now.side_names.forEach((name, side) => {
    const badge = element("b", { className: `badge s${side}`, textContent: letterOf(side) });
    const total = element("b", { textContent: shown(now.totals[side]) });
    const won = outcome?.winner === side ? "won" : "";
    scores.append(element("span", { className: won }, badge, " ", element("bdi", { textContent: name }), " ", total));
  });
  const told = outcome ? (outcome.winner === null ? noWinnerText(words, now) : words.wins[outcome.winner]) : filled(words.hand, { n: now.number });
  const meta = element("span", { className: "meta" }, `${kit.name}. ${told}. `, tag(countOf(words, hands)));
  return element("li", {}, element("a", { className: "game", href: `/games/${game}` }, scores, meta));
}

const countOf = (words, hands) =>
  hands.length === 1 ? words.one : hands.length ? filled(words.many, { n: hands.length }) : words.begun;

let before;

async function tell() {
  const games = await unsent();
  /* The server lists them now. */
  if (before && !games.length && !stored) return location.reload();
  before = games.length;
  for (const old of document.querySelectorAll("a.game .tag:not(.needs)")) old.remove();
  const fresh = [];
  for (const each of games.sort((one, other) => (other.start?.at ?? 0) - (one.start?.at ?? 0))) {
    const listed = document.querySelector(`section:not([data-unsent]) a.game[href="/games/${each.game}"] .meta`);
    if (listed) listed.append(" ", tag(countOf(each.kit.words, each.hands)));
    else fresh.push(card(each));
  }
  box.replaceChildren(element("h2", { textContent: box.dataset.unsent }), element("ul", { className: "games" }, ...fresh));
  box.hidden = !fresh.length;
  if (!games.length) return;
  navigator.serviceWorker?.controller?.postMessage("send");
  setTimeout(() => tell().catch(() => {}), AGAIN);
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
