/* Keeps the page of a watcher up to date. An unchanged game is answered with 304 and nothing moves. */
import { deadline } from "./dom.js";
import { poll } from "./polling.js";

const OFTEN = 4_000;
/* A Wi-Fi that died answers nothing at all. */
const PATIENCE = 8_000;
const FOCUSABLE = "a[href], button, summary, [tabindex]";
const main = document.querySelector("main");
const voice = document.querySelector(".says");
/* Kept for when the game cannot be watched for a while: then the page says that, and nothing else. */
const address = main.querySelector("[data-watch]")?.dataset.watch;
const clock = () => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date());
let lastSeen = clock();
let assets;

/* The page says how: "as of {}". */
function sayAsOf(time) {
  const place = main.querySelector("[data-as-of]");
  if (place) place.textContent = time && place.dataset.asOf.replace("{}", time);
}

/* Whoever stood on something stands on the same thing of the new page. */
const identity = (element) => element.href ?? `${element.tagName} ${element.className} ${element.id}`;

function exchange(fresh) {
  const focused = document.activeElement;
  const lost = focused !== main && main.contains(focused);
  main.replaceChildren(...fresh.querySelector("main").childNodes);
  document.title = fresh.title;
  /* A screen reader hears what happened, once; not what merely was written anew. */
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
    /* Another score book runs there now: its page may not fit to the styles and scripts of this one. */
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

if (address) poll(OFTEN, look);
