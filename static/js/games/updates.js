/* Learns what another phone at the table wrote: asks every few seconds while somebody looks, seldom while nothing happens.
   The board is then drawn anew, unless something was begun here: then one line says what happened, and nothing is lost. */
import { show } from "./board.js";

const OFTEN = 5_000;
const SELDOM = 15_000;
const QUIET_AFTER = 300_000;
const PATIENCE = 8_000;
const main = document.querySelector("main");
const voice = document.querySelector(".says");
const board = location.pathname;
let changed = Date.now();
let timer, asking, touched, over;

/* Hands that wait, or a board that this phone drew: offline.js has the say. */
const isLocal = () => main.querySelector("[name=version][value^=phone]") || document.querySelector(".waiting:not([hidden])");
const isBegun = () =>
  touched || location.search || main.querySelector(".asks, [data-mode] .pick:not(.likely) :checked");
const pause = () => (Date.now() - changed > QUIET_AFTER ? SELDOM : OFTEN) * (0.8 + 0.4 * Math.random());

const ask = (url, headers) => fetch(url, { headers, cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE) });

async function look() {
  clearTimeout(timer);
  if (document.hidden || asking || over) return;
  asking = true;
  try {
    if (!isLocal()) await learn();
  } catch {
    /* No signal: the next time. */
  }
  asking = false;
  if (!over) timer = setTimeout(look, pause());
}

async function learn() {
  const { version } = voice.dataset;
  const reply = await ask(`${board}/news?version=${version}`, { Accept: "application/json" });
  if (reply.status === 204) return;
  if (reply.status === 403 || reply.status === 404) return leave(await reply.json());
  if (!reply.ok) return;
  const news = await reply.json();
  /* This page itself went on meanwhile, or is about to. */
  if (voice.dataset.version !== version || main.dataset.drawing === "" || main.querySelector("[data-busy]")) return;
  changed = Date.now();
  if (isBegun()) return tell(news);
  const part = await ask(board, { "X-Part": "main" });
  const text = await part.text();
  if (part.headers.get("X-Part") !== "main" || voice.dataset.version !== version || isLocal()) return;
  if (isBegun()) return tell(news);
  const place = scrollY;
  document.addEventListener("board-replaced", () => scrollTo(0, place), { once: true });
  show(text, false);
}

/* This phone was sent away: what is tapped on its board is saved nowhere, so the page must not look as if it were. */
function leave(news) {
  if (!news.says || isLocal() || main.dataset.drawing === "" || main.querySelector("[data-busy]")) return;
  over = true;
  if (isBegun()) tell(news);
  else location.reload();
}

function tell({ says, show: label }) {
  let line = main.querySelector(".news");
  if (line?.dataset.says === says) return;
  line?.remove();
  line = Object.assign(document.createElement("p"), { className: "notice news", role: "status", textContent: `${says} ` });
  line.dataset.says = says;
  line.append(Object.assign(document.createElement("a"), { href: board, textContent: label }));
  main.querySelector(".head").append(line);
}

main.addEventListener("input", () => (touched = true));
document.addEventListener("board-replaced", () => (touched = false));
document.addEventListener("visibilitychange", look);
addEventListener("online", look);
look();
