/* Keeps the page of a watcher up to date: asks every few seconds while somebody looks, seldom while nothing happens, not at
   all while hidden, and at once when shown again. An unchanged game is answered with 304 and nothing moves. */
const OFTEN = 4_000;
const SELDOM = 15_000;
const QUIET_AFTER = 300_000;
const FOCUSABLE = "a[href], button, summary, [tabindex]";
const main = document.querySelector("main");
const voice = document.querySelector(".says");
let changed = Date.now();
let timer = 0;
let asking = false;

/* A hall of phones must not ask all at the same moment. */
const pause = () => (Date.now() - changed > QUIET_AFTER ? SELDOM : OFTEN) * (0.8 + 0.4 * Math.random());

const clock = () => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date());

let lastSeen = clock();

function sayAsOf(text) {
  const place = main.querySelector("[data-as-of]");
  if (place) place.textContent = text;
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
  const watched = main.querySelector("[data-watch]");
  if (document.hidden || asking || !watched) return;
  asking = true;
  try {
    const reply = await fetch(watched.dataset.watch, { cache: "no-cache", credentials: "omit" });
    if (!reply.ok) throw new Error(String(reply.status));
    const text = await reply.text();
    if (!reply.headers.get("ETag").includes(`"${watched.dataset.version}-`)) {
      changed = Date.now();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      document.title = fresh.title;
      exchange(fresh.querySelector("main"));
      say(fresh.querySelector(".says").dataset.says);
    }
    lastSeen = clock();
    sayAsOf("");
  } catch {
    sayAsOf(`, as of ${lastSeen}`);
  } finally {
    asking = false;
    timer = setTimeout(look, pause());
  }
}

document.addEventListener("visibilitychange", look);
addEventListener("online", look);
look();
