/* The desk and the accounts of a season update in place: forms are sent in the background and the answer replaces the
   page content. The name filter works while typing. Without this script, every form is submitted as usual. */
import { fieldsOf } from "../dom.js";
import { ask, calm, complain, deliver, isLatest, isSilent, showLost } from "./delivery.js";
import { dismiss, holdRefusals } from "./refusals.js";
import { holdPlaces, placeOf } from "./rows.js";
import { fieldOf, heldBy, keepTyped, keyOf, recallTyped, refusedTyped, stillTyped, typeAgain, typedIn } from "./typed.js";

const CALM = 700;
const NEWS = 8_000;
const PRESS = 1_000;
const SETTLES = 300;
const TYPED = ".grid :is(.pair, .sets:not([hidden])) input:not([type])";
const COUNTS = ["#door h2", "#here summary", "#fees summary", "#owing"];
const LISTS = ["#unpaid", "#here details", "#fees details"];
const TO_PRESS = "a, button, summary";
const main = document.querySelector("main");
const marks = /\p{Mn}/gu;
const folded = (text) => text.trim().toLowerCase().normalize("NFD").replace(marks, "");

function filter() {
  const field = main.querySelector("[data-filter]");
  const wanted = folded(field?.value ?? "");
  for (const button of main.querySelectorAll(".door [data-name]")) {
    button.hidden = !folded(button.dataset.name).includes(wanted) || (wanted && button.matches("[aria-disabled]"));
  }
}

let shown = 0;

const actionOf = (form, button) => button?.getAttribute("formaction") || form.action;

/* The list whose value was chosen last. It keeps the focus, but is closed. */
let chosen;

/* Scores come in from the tables too. They don't replace the page while a form is being sent or a list is open. */
async function follow() {
  const choosing = document.activeElement.closest("select");
  const atWork = main.querySelector("[data-busy]") ?? (choosing !== chosen && choosing);
  const halves = main.querySelector(".halves");
  if (!halves || document.hidden || waiting || atWork) return;
  const { round } = halves.dataset;
  const answer = await ask(location.pathname + (round ? `?round=${round}` : ""));
  const { page, turn, status, isDesk } = answer;
  /* Signed out or role removed: nothing typed here can be saved. Text that is already typed stays readable. */
  if (status === 403) {
    if (!typedIn(main).length) location.reload();
    else complain(answer);
  }
  if (!isDesk) return;
  calm();
  const [now, then] = [page, document].map((each) => each.querySelector(".halves")?.dataset.version);
  if (now !== then && isLatest(turn) && !touching()) exchange(answer);
}

/* One lost request means little. */
let missed = 0;
async function lookAgain() {
  try {
    await follow();
    missed = 0;
  } catch {
    if (++missed > 1) complain();
  }
}

/* A finger that went down on one name must not come up on another: while it is down, nothing moves. Just after the
   lists have moved, a finger is still aimed at what stood there before, and its tap does nothing. */
let pressedUntil = 0;
const touching = () => performance.now() < pressedUntil;
const pause = () => new Promise((done) => setTimeout(done, 50));
let settling;

function settle() {
  clearTimeout(settling);
  main.dataset.moved = "";
  settling = setTimeout(() => delete main.dataset.moved, SETTLES);
}

const likeness = (thing) => (main.contains(thing) && thing.matches(TO_PRESS) ? [thing.name, thing.value, thing.textContent].join() : "");

const foldsOf = (root) => [...root.querySelectorAll("details")];
/* Counts in it change. */
const nameOf = (fold) => fold.id || fold.querySelector("summary").textContent.replace(/\d+/g, "");

/* Focus moves to the same control of the new page, or to the filter if a tapped name is gone. What is
   typed and not saved stays; `sent` is what the form held when it was sent, and `all` is what all forms held that were sent
   since the page was exchanged. An answer older than the page shown is dropped. */
function exchange({ page, turn, status }, form, sent, all = sent) {
  if (turn < shown) return;
  shown = turn;
  document.title = page.title;
  const focused = document.activeElement;
  const { id } = focused;
  const key = keyOf(main, focused);
  const [start, end] = key && focused.selectionStart !== null ? [focused.selectionStart, focused.selectionEnd] : [];
  const stoodOn = likeness(focused);
  const at = scrollY;
  const [list, row] = [lastTapped?.closest("[data-rows]")?.dataset.rows, lastTapped?.closest("[data-row]")?.dataset.row];
  const height = placeOf(main, list, row)?.getBoundingClientRect().top;
  const typed = typedIn(main, all);
  /* These lists stay open, since several people may leave or pay in a row; other sections close once their form is sent. */
  const unfolded = LISTS.filter((list) => main.querySelector(list)?.open);
  const inUse = form ? [] : foldsOf(main).filter(({ open }) => open).map(nameOf);
  const refusal = form && (page.querySelector(".line [role=alert]") ?? page.querySelector("[role=alert]"));
  holdPlaces(main, page);
  holdRefusals(main, page, form);
  main.replaceChildren(...page.querySelector("main").childNodes);
  settle();
  showLost(typeAgain(main, typed));
  if (status === 422 && sent) stillTyped(main, sent);
  filter();
  for (const list of unfolded) main.querySelector(list)?.setAttribute("open", "");
  for (const fold of foldsOf(main)) fold.open ||= inUse.includes(nameOf(fold));
  scrollTo(0, at);
  /* Lists above may have grown: the row that was tapped last stays under the finger. */
  const now = placeOf(main, list, row)?.getBoundingClientRect().top;
  if (height !== undefined && now !== undefined) scrollBy(0, now - height);
  const atDoor = form?.matches(".new-name") ? ".new-name [name=name]" : fingers ? "#door h2" : "[data-filter]";
  /* What was done starts there. */
  const done = form && main.querySelector("[data-land]");
  if (done) {
    done.tabIndex = -1;
    done.closest("section").scrollIntoView();
    return done.focus({ preventScroll: true });
  }
  /* A wrong score says so at its table, which may be far below the message for all of them. */
  const place = refusal
    || (form?.closest(".door") && main.querySelector(atDoor))
    || fieldOf(main, key)
    || (id && document.getElementById(id))
    || (stoodOn && [...main.querySelectorAll(TO_PRESS)].find((each) => likeness(each) === stoodOn));
  if (!place) return;
  if (focused === chosen) chosen = place;
  if (place.matches("[role=alert], h2")) place.tabIndex = -1;
  if (place.matches("[role=alert]")) place.scrollIntoView({ block: "center" });
  place.focus({ preventScroll: true });
  /* Where the next digit goes. */
  if (start !== undefined && place === fieldOf(main, key)) place.setSelectionRange(start, end);
}

/* Requests go one after the other, in the order of the taps: a seating includes everyone who was tapped before it. The
   page changes once nothing waits. If something is refused, what waits behind it is dropped, since nobody saw why. */
let line = Promise.resolve();
let waiting = 0;
let collected;
let refusals = 0;
/* The last answer that isn't on the page yet, and what was sent with it and with those before it. */
let newest;

function inTurn(work) {
  const before = refusals;
  collected = undefined;
  waiting++;
  line = line.then(() => work(before !== refusals)).catch((error) => setTimeout(() => { throw error; })).then(() => waiting--);
}

function show(refused, answer, form, sent) {
  if (refused) refusals++;
  if (answer) newest = { answer, form, sent, all: new Map([...(newest?.all ?? []), ...(sent ?? [])]) };
  if (!newest || (waiting > 1 && !refused)) return;
  const { all } = newest;
  exchange(newest.answer, newest.form, newest.sent, all);
  newest = undefined;
}

async function send(form, button, isDropped) {
  let sent, answer;
  if (!isDropped) {
    answer = await deliver(form, actionOf(form, button), () => {
      sent = heldBy(main, form);
      return fieldsOf(form, button);
    });
  }
  delete form.dataset.busy;
  while (touching()) await pause();
  if (!isDropped) show(answer?.status !== 200, answer, form, sent);
}

/* Rows are tapped faster than answers arrive. A tapped row is marked and stays put, so that no other row moves under the
   finger; rows of one list are sent together, and what became of them appears after a pause. */
let lastTap = 0;
let lastTapped;
let fingers = false;

function tap(button) {
  if (button.matches("[aria-disabled]")) return;
  button.setAttribute("aria-disabled", "true");
  lastTap = performance.now();
  lastTapped = button;
  if (collected) return collected.push(button);
  const taps = [button];
  inTurn((isDropped) => sendTaps(taps, isDropped));
  collected = taps;
}

async function sendTaps(taps, isDropped) {
  let form, answer, refused;
  while (taps.length && !isDropped) {
    form = taps[0].form;
    const action = actionOf(form, taps[0]);
    const sent = taps.filter((button) => button.form === form && actionOf(form, button) === action);
    for (const button of sent) taps.splice(taps.indexOf(button), 1);
    const reply = await deliver(form, action, () => {
      const body = fieldsOf(form);
      for (const { name, value } of sent) if (name) body.append(name, value);
      return body;
    });
    answer = reply ?? answer;
    refused = !reply || reply.page.querySelector("[role=alert]") !== null;
    if (!reply) taps.unshift(...sent);
    if (refused) break;
    for (const count of answer.turn > shown ? COUNTS : []) {
      const news = answer.page.querySelector(count)?.cloneNode(true);
      if (news) main.querySelector(count)?.replaceChildren(...news.childNodes);
    }
    while (!taps.length && collected === taps && (touching() || performance.now() < lastTap + CALM)) await pause();
  }
  if (collected === taps) collected = undefined;
  for (const button of taps) button.removeAttribute("aria-disabled");
  if (!isDropped) show(refused, answer, form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.matches(".find")) {
    const left = [...main.querySelectorAll(".door [data-name]:not([hidden])")];
    if (!left.length) return leave(event, () => form.submit());
    event.preventDefault();
    if (left.length === 1 && folded(form.elements.find.value)) {
      left[0].click();
      form.elements.find.value = "";
      filter();
    }
    return;
  }
  if (form.method !== "post") return;
  event.preventDefault();
  if (form.closest("[data-rows]") && event.submitter?.closest("[data-row]")) return tap(event.submitter);
  if ("busy" in form.dataset) return;
  form.dataset.busy = "";
  inTurn((isDropped) => send(form, event.submitter, isDropped));
});

/* Another page is opened once everything is sent. Without an answer, this can be left. */
function leave(event, go) {
  if (!waiting || isSilent()) return;
  event.preventDefault();
  inTurn((isDropped) => isDropped || go());
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const stays = !link || link.target || link.getAttribute("href").startsWith("#") || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!stays && !event.defaultPrevented) leave(event, () => location.assign(link.href));
});

/* Score sheets come in any order: the up and down keys move between tables, as in a spreadsheet. */
main.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const line = step && event.target.matches(TYPED) ? event.target.closest(".line") : null;
  if (!line) return;
  const place = [...line.querySelectorAll(TYPED)].indexOf(event.target);
  const lines = [...main.querySelectorAll(".grid .line")].filter((each) => each.querySelector(TYPED));
  const fields = lines[lines.indexOf(line) + step]?.querySelectorAll(TYPED);
  if (!fields) return;
  event.preventDefault();
  const field = fields[Math.min(place, fields.length - 1)];
  field.focus();
  field.select();
});

const everywhere = { capture: true, passive: true };
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (fingers = kind === "pointerdown"), everywhere);
addEventListener("pointerdown", () => (pressedUntil = performance.now() + PRESS), everywhere);
/* The click follows a moment later. */
for (const kind of ["pointerup", "pointercancel"])
  addEventListener(kind, () => (pressedUntil = performance.now() + 100), everywhere);

addEventListener("pointerdown", () => (chosen = undefined), everywhere);
addEventListener("keydown", () => (chosen = undefined), everywhere);
main.addEventListener("change", (event) => (chosen = event.target));
main.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter();
  dismiss(main, event.target);
});
filter();
refusedTyped(main);
recallTyped(main);
addEventListener("pagehide", () => keepTyped(main));
setInterval(lookAgain, NEWS);
