/* Keeps the page of a watcher up to date: asks every few seconds while somebody looks, seldom while nothing happens, not at
   all while hidden, and at once when shown again. An unchanged game is answered with 304 and nothing moves. */
const OFTEN = 4_000;
const SELDOM = 15_000;
const QUIET_AFTER = 300_000;
/* A Wi-Fi that died answers nothing at all. */
const PATIENCE = 8_000;
const FOCUSABLE = "a[href], button, summary, [tabindex]";
const main = document.querySelector("main");
const voice = document.querySelector(".says");
let changed = Date.now();
let timer = 0;
let asking = false;
let assets;
/* Kept for when the game cannot be watched for a while: then the page says that, and nothing else. */
const address = main.querySelector("[data-watch]")?.dataset.watch;

/* A hall of phones must not ask all at the same moment. */
const pause = () => (Date.now() - changed > QUIET_AFTER ? SELDOM : OFTEN) * (0.8 + 0.4 * Math.random());

const clock = () => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date());

let lastSeen = clock();

/* The page says how: "as of {}". */
function sayAsOf(time) {
  const place = main.querySelector("[data-as-of]");
  if (place) place.textContent = time && place.dataset.asOf.replace("{}", time);
}

/* A screen reader hears what happened, once; not what merely was written anew. */
function say(text) {
  if (text !== voice.dataset.says) voice.textContent = voice.dataset.says = text;
}

/* Whoever stood on something stands on the same thing of the new page. */
const identity = (element) => element.href ?? `${element.tagName} ${element.className} ${element.id}`;

function exchange(fresh) {
  const focused = document.activeElement;
  const lost = focused !== main && main.contains(focused);
  main.replaceChildren(...fresh.childNodes);
  if (!lost) return;
  const same = [...main.querySelectorAll(FOCUSABLE)].find((element) => identity(element) === identity(focused));
  (same ?? main).focus({ preventScroll: true });
}

async function look() {
  clearTimeout(timer);
  if (document.hidden || asking || !address) return;
  asking = true;
  const patience = new AbortController();
  const given = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const reply = await fetch(address, { cache: "no-cache", credentials: "omit", signal: patience.signal });
    const gone = reply.status === 404;
    if (!reply.ok && !gone) throw new Error(String(reply.status));
    const text = await reply.text();
    const tag = gone ? "gone" : reply.headers.get("ETag");
    const newer = tag.slice(tag.lastIndexOf("-"));
    assets ??= newer;
    /* Another score book runs there now: its page may not fit to the styles and scripts of this one. */
    if (!gone && assets !== newer) location.reload();
    const version = main.querySelector("[data-watch]")?.dataset.version ?? "";
    if (gone ? version : !tag.includes(`"${version}-`)) {
      changed = Date.now();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      document.title = fresh.title;
      exchange(fresh.querySelector("main"));
      say(fresh.querySelector(".says")?.dataset.says ?? "");
    }
    lastSeen = clock();
    sayAsOf("");
  } catch {
    sayAsOf(lastSeen);
  } finally {
    clearTimeout(given);
    asking = false;
    timer = setTimeout(look, pause());
  }
}

document.addEventListener("visibilitychange", look);
addEventListener("online", look);
look();
