/* Submits the board's forms without leaving the page and replaces the board with the answer, so that a tap feels instant.
   After an unexpected answer the form is submitted the usual way; its request key makes a repeat harmless. */
import { deadline, element, fieldsOf, parsed, submitPast } from "../dom.js";

const PART = "X-Part";
const PATIENCE = 15_000;
/* Longer than a double tap, whose second half must not hit a button that has just appeared. */
const SETTLE = 350;
const SHORT = 40;
const REST = "<!--rest-->";
const LATER = "<!--later-->";
const main = document.querySelector("main");
const voice = document.querySelector(".says");

async function send(form, button) {
  const body = fieldsOf(form, button);
  const url = button?.getAttribute("formaction") ?? form.getAttribute("action");
  if (phoneTakes(form, url, body)) return;
  form.dataset.busy = "";
  try {
    const reply = await fetch(url, { method: "POST", body, headers: { [PART]: "main" }, signal: deadline(PATIENCE) });
    if (reply.headers.get(PART) === "main") return put(...(await partsOf(reply)), url.endsWith("/hands"));
    if (!phoneTakes(form, url, body, true)) {
      form.setAttribute("action", url);
      submitPast(form, button);
    }
  } catch {
    if (!phoneTakes(form, url, body, true)) complain(form);
  }
  delete form.dataset.busy;
}

/* Offers a request without an answer, or one that follows it, to offline.js, which may save it on the phone. */
function phoneTakes(form, url, body, lost = false) {
  return !document.dispatchEvent(new CustomEvent("board-submit", { cancelable: true, detail: { form, url, body, lost } }));
}

/* Returns the top of the next board as soon as it arrives, and a promise of the rest, which the server is still rendering. */
async function partsOf(reply) {
  const reader = reply.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const more = async () => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    return !done;
  };
  while (!text.includes(REST)) if (!(await more())) throw new Error("cut off");
  const score = text.slice(0, text.indexOf(REST));
  const below = async () => {
    while (await more());
    return text.slice(score.length + REST.length);
  };
  return [score, below()];
}

/** Replaces the board with a whole new one. */
export const show = (text) => put(...text.split(REST));

/* Draws the score and Undo first, then the rest. Nothing reads the layout in between, and the old content is not drawn again
   in a new place. */
function put(score, below, hand = false) {
  const top = parsed(score);
  const [title, says, head] = ["title", ".says", ".head"].map((part) => top.querySelector(part));
  for (const part of [title, says]) part.remove();
  const sheet = main.querySelector(".after");
  const held = main.contains(document.activeElement);
  main.querySelector(".head").replaceWith(head);
  main.dataset.drawing = "";
  guard();
  requestAnimationFrame(() => setTimeout(async () => {
    const parts = (await Promise.resolve(below).catch(() => "")).split(LATER);
    /* A newer board arrived in between, with its own rest. */
    if (!head.isConnected) return;
    if (parts.length < 2) return cut();
    const [rest, after] = parts;
    for (const node of [...main.childNodes]) if (node !== head && node !== sheet) node.remove();
    delete main.dataset.drawing;
    head.before(top);
    head.after(parsed(rest));
    sheet.outerHTML = after;
    scrollTo(0, 0);
    /* In large text the points are far below the score, and after a bid they are what comes next. */
    const points = main.querySelector(".took-what");
    if (points?.getBoundingClientRect().top > innerHeight * 0.75) main.querySelector(".in-play")?.scrollIntoView();
    else if (points) showLastRow(points);
    /* A reload must not show the answer to an earlier form (web/form_answers.py). */
    if (location.search.startsWith("?answer=")) history.replaceState(null, "", location.pathname);
    document.title = title.textContent;
    if (held && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    tell(says.dataset, hand);
    document.dispatchEvent(new Event("board-replaced"));
  }));
}

/* With long names the last point would be half under the bar with Save, and easily missed. */
function showLastRow(points) {
  const bar = [...points.querySelectorAll(".bar")].find((each) => each.offsetHeight);
  const hidden = bar?.previousElementSibling?.getBoundingClientRect().bottom - bar?.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, hidden);
}

/** Blocks taps for a moment, because there is now another button below the finger. */
export function guard() {
  main.dataset.fresh = "";
  setTimeout(() => delete main.dataset.fresh, SETTLE);
}

/* The connection broke below the score. The hand is saved, and offline.js draws the rest. */
function cut() {
  delete main.dataset.drawing;
  if (document.dispatchEvent(new Event("board-incomplete", { cancelable: true }))) location.reload();
}

/* Announces the result to screen readers, and vibrates when a hand was saved. */
function tell({ says, version }, hand) {
  if (Number(version) > Number(voice.dataset.version)) {
    voice.textContent = says;
    if (hand && "buzz" in voice.dataset) navigator.vibrate?.(SHORT);
  }
  Object.assign(voice.dataset, { says, version });
}

/** Shows at a form why a tap did nothing: no answer, or another sentence. */
export function complain(form, sentence = voice.dataset.lost) {
  const place = [...form.querySelectorAll(".preview")].find((output) => output.checkVisibility?.() ?? true);
  const words = place ?? form.querySelector(".error") ?? element("p");
  words.textContent = sentence;
  words.classList.add(place ? "wrong" : "error");
  words.role = "alert";
  if (!words.isConnected) form.prepend(words);
}

/* On a number pad the bid may be tapped before the bidder: it stays pressed, and is sent with the bidder. */
function bidWaits(form, button) {
  if (button?.name !== "bid" || !("bidderNext" in form.dataset) || form.elements.bidder.value) return false;
  for (const each of form.querySelectorAll("[name=bid]")) each.setAttribute("aria-pressed", String(each === button));
  const words = form.querySelector("[role=status]") ?? element("p", { className: "aside", role: "status" });
  form.prepend(words);
  words.textContent = form.dataset.bidderNext;
  return true;
}

document.addEventListener("change", ({ target }) => {
  const bid = target.name === "bidder" && target.form?.querySelector("[name=bid][aria-pressed=true]");
  if (bid) target.form.requestSubmit(bid);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !("stay" in form.dataset)) return;
  event.preventDefault();
  if (bidWaits(form, event.submitter)) return;
  if (!("busy" in form.dataset)) send(form, event.submitter);
});

/* The keyboard's script is loaded by the first key, because most phones have none; keys pressed meanwhile are kept. */
const early = [];
let onKey = (key) => {
  early.push(key);
  import("./keyboard.js").then(({ press }) => early.splice(0).forEach((onKey = press))).catch(() => {});
};
if ("keys" in voice.dataset) addEventListener("keydown", (event) => onKey(event));

/* Loaded once the page is usable, because the first tap does not need these. */
const later = () => setTimeout(() => ["./offline.js", "./updates.js", "./first-hint.js", "./moments.js"].forEach((name) => import(name).catch(() => {})), 300);
if (document.readyState === "complete") later();
else {
  addEventListener("load", later);
  /* On a network that never answers, the page never ends loading. */
  setTimeout(later, 3_000);
}
