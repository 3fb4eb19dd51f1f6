/* The desk and the accounts of a season update in place: forms are sent in the background and the answer replaces the
   page content. The name filter works while typing. Without this script, every form is submitted as usual. */
import { fieldsOf } from "../dom.js";
import { ask, calm, complain, deliver, isLatest, showLost } from "./delivery.js";
import { holdPlaces, placeOf } from "./rows.js";
import { fieldOf, heldBy, keepTyped, keyOf, recallTyped, stillTyped, typeAgain, typedIn } from "./typed.js";

const CALM = 700;
const NEWS = 8_000;
const PRESS = 1_000;
const SETTLES = 300;
const TYPED = ".grid :is(.pair, .sets:not([hidden])) input:not([type])";
const COUNTS = ["#door h2", "#here summary", "#fees summary", "#owing"];
const LISTS = ["#here details", "#fees details"];
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

/* Scores come in from the tables too, but never replace the page while someone is using it. */
async function follow() {
  const atWork = main.querySelector("[role=alert], [data-busy], .act[open]:not(#here *, #fees *)") ?? document.activeElement.closest("select");
  const halves = main.querySelector(".halves");
  if (!halves || document.hidden || underWay || atWork) return;
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

/* Focus moves to the same control of the new page, or to the filter if a tapped name is gone. What is
   typed and not saved stays; `sent` is what the form held when it was sent. An answer older than the page shown is dropped. */
function exchange({ page, turn, status }, form, sent) {
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
  const typed = typedIn(main, sent);
  /* These lists stay open, since several people may leave or pay in a row; other sections close. */
  const unfolded = LISTS.filter((list) => main.querySelector(list)?.open);
  holdPlaces(main, page);
  main.replaceChildren(...page.querySelector("main").childNodes);
  settle();
  showLost(typeAgain(main, typed));
  if (status === 422 && sent) stillTyped(main, sent);
  filter();
  for (const list of unfolded) main.querySelector(list)?.setAttribute("open", "");
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
  const place = main.querySelector(".line [role=alert]")
    || main.querySelector("[role=alert]")
    || (form?.closest(".door") && main.querySelector(atDoor))
    || fieldOf(main, key)
    || (id && document.getElementById(id))
    || (stoodOn && [...main.querySelectorAll(TO_PRESS)].find((each) => likeness(each) === stoodOn));
  if (!place) return;
  if (place.matches("[role=alert], h2")) place.tabIndex = -1;
  if (place.matches("[role=alert]")) place.scrollIntoView({ block: "center" });
  place.focus({ preventScroll: true });
  /* Where the next digit goes. */
  if (start !== undefined && place === fieldOf(main, key)) place.setSelectionRange(start, end);
}

async function send(form, button) {
  form.dataset.busy = "";
  let sent;
  const answer = await deliver(form, actionOf(form, button), () => {
    sent = heldBy(main, form);
    return fieldsOf(form, button);
  });
  delete form.dataset.busy;
  while (touching()) await pause();
  if (answer) exchange(answer, form, sent);
}

/* Rows are tapped faster than answers arrive. A tapped row is marked and stays put, so that no other row moves under the
   finger; rows of one list are sent together, and what became of them appears after a pause. */
let tapped = [];
let underWay = false;
let lastTap = 0;
let lastTapped;
let fingers = false;

function tap(button) {
  if (button.matches("[aria-disabled]")) return;
  button.setAttribute("aria-disabled", "true");
  tapped.push(button);
  lastTap = performance.now();
  lastTapped = button;
  if (!underWay) sendTaps();
}

async function sendTaps() {
  underWay = true;
  let form, answer;
  while (tapped.length) {
    form = tapped[0].form;
    const action = actionOf(form, tapped[0]);
    const sent = tapped.filter((button) => button.form === form && actionOf(form, button) === action);
    tapped = tapped.filter((button) => !sent.includes(button));
    const reply = await deliver(form, action, () => {
      const body = fieldsOf(form);
      for (const { name, value } of sent) if (name) body.append(name, value);
      return body;
    });
    if (!reply) {
      for (const button of [...sent, ...tapped]) button.removeAttribute("aria-disabled");
      tapped = [];
      break;
    }
    answer = reply;
    for (const count of answer.turn > shown ? COUNTS : []) {
      const news = answer.page.querySelector(count)?.cloneNode(true);
      if (news) main.querySelector(count)?.replaceChildren(...news.childNodes);
    }
    if (answer.page.querySelector("[role=alert]")) tapped = [];
    while (!tapped.length && (touching() || performance.now() < lastTap + CALM)) await pause();
  }
  underWay = false;
  if (answer) exchange(answer, form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.matches(".find")) {
    const left = [...main.querySelectorAll(".door [data-name]:not([hidden])")];
    if (!left.length) return;
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
  if (!("busy" in form.dataset)) send(form, event.submitter);
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

main.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter();
});
filter();
recallTyped(main);
addEventListener("pagehide", () => keepTyped(main));
setInterval(lookAgain, NEWS);
