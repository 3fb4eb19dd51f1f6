/* Keeps a watch page up to date. The server answers 304 for an unchanged game, and nothing moves. */
import { deadline } from "./dom.js";
import { poll } from "./polling.js";

/* A dead Wi-Fi connection never answers. */
const PATIENCE = 8_000;
const FOCUSABLE = "a[href], button, summary, [tabindex]";
const main = document.querySelector("main");
const voice = document.querySelector(".says");
/* Saved here because the page loses it while the game cannot be watched. A club's page, with many readers, asks less often. */
const { watch: address, every = 4 } = main.querySelector("[data-watch]")?.dataset ?? {};
const clock = () => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date());
let lastSeen = clock();
let assets;

/* The page's own text: "Last update: {}". */
function sayAsOf(time) {
  const place = main.querySelector("[data-as-of]");
  if (place) place.textContent = time && place.dataset.asOf.replace("{}", time);
}

/* Focus stays on the same element of the new page. */
const identity = (element) => element.href ?? `${element.tagName} ${element.className} ${element.id}`;

function exchange(fresh) {
  const focused = document.activeElement;
  const lost = focused !== main && main.contains(focused);
  main.replaceChildren(...fresh.querySelector("main").childNodes);
  document.title = fresh.title;
  document.dispatchEvent(new Event("board-replaced"));
  /* Screen readers announce each event once, not every redraw. */
  const says = fresh.querySelector(".says")?.dataset.says ?? "";
  if (says !== voice.dataset.says) voice.textContent = voice.dataset.says = says;
  if (!lost) return;
  const same = [...main.querySelectorAll(FOCUSABLE)].find((element) => identity(element) === identity(focused));
  (same ?? main).focus({ preventScroll: true });
}

async function look() {
  try {
    const reply = await fetch(address, { cache: "no-cache", credentials: "omit", signal: deadline(PATIENCE) });
    const gone = reply.status === 404;
    if (!reply.ok && !gone) throw new Error(String(reply.status));
    const text = await reply.text();
    const tag = gone ? "gone" : reply.headers.get("ETag");
    const newer = tag.slice(tag.lastIndexOf("-"));
    assets ??= newer;
    /* The server runs a new version: its pages may need other styles and scripts. */
    if (!gone && assets !== newer) location.reload();
    const version = main.querySelector("[data-watch]")?.dataset.version ?? "";
    const changed = gone ? version : !tag.includes(`"${version}-`);
    if (changed) exchange(new DOMParser().parseFromString(text, "text/html"));
    lastSeen = clock();
    sayAsOf("");
    return changed;
  } catch {
    sayAsOf(lastSeen);
  }
}

if (address) poll(every * 1000, look);
