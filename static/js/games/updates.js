/* Shows what another phone at the table entered. The board is redrawn, unless somebody has begun to enter something here:
   then one line says what happened, and nothing is lost. */
import { deadline, element } from "../dom.js";
import { poll } from "../polling.js";
import { show } from "./board.js";

const OFTEN = 5_000;
const PATIENCE = 8_000;
const main = document.querySelector("main");
const voice = document.querySelector(".says");
const board = location.pathname.split("/", 3).join("/");
let touched, over;

/* offline.js is in charge while hands are waiting or this phone drew the board. */
const isLocal = () =>
  location.pathname !== board || main.querySelector("[name=version][value^=phone]") || document.querySelector(".waiting:not([hidden])");
const isBegun = () =>
  touched || location.search || main.querySelector(".asks, [data-mode] .pick:not(.likely) :checked");
const isBusy = () => main.dataset.drawing === "" || main.querySelector("[data-busy]");

const ask = (url, headers) => fetch(url, { headers, cache: "no-store", signal: deadline(PATIENCE) });

async function look() {
  if (over || isLocal()) return false;
  const { version } = voice.dataset;
  const reply = await ask(`${board}/news?version=${version}`, { Accept: "application/json" });
  if (reply.status === 403 || reply.status === 404) return leave(await reply.json());
  if (!reply.ok || reply.status === 204) return false;
  const news = await reply.json();
  /* This page has moved on, or is about to. */
  if (voice.dataset.version !== version || isBusy()) return false;
  if (isBegun()) return tell(news);
  const part = await ask(board, { "X-Part": "main" });
  const text = await part.text();
  if (part.headers.get("X-Part") !== "main" || voice.dataset.version !== version || isLocal()) return true;
  if (isBegun()) return tell(news);
  const place = scrollY;
  document.addEventListener("board-replaced", () => scrollTo(0, place), { once: true });
  show(text);
  return true;
}

/* This phone was removed. Nothing entered here would be saved, so the page must not look as if it could be. */
function leave(news) {
  if (!news.says || isLocal() || isBusy()) return;
  over = true;
  if (isBegun()) tell(news);
  else location.reload();
}

/* Returns true, because something changed. */
function tell({ says, show: textContent }) {
  const line = main.querySelector(".news");
  if (line?.dataset.says === says) return true;
  line?.remove();
  const link = element("a", { href: board, textContent });
  const fresh = element("p", { className: "notice news", role: "status" }, `${says} `, link);
  fresh.dataset.says = says;
  main.querySelector(".head").append(fresh);
  return true;
}

main.addEventListener("input", () => (touched = true));
document.addEventListener("board-replaced", () => (touched = false));
poll(OFTEN, look);
