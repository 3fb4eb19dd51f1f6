/* A tap on the board is sent without leaving the page, and what comes back takes the place of what was there: that is the
   difference between feeling a tap and waiting for it. Where anything is not as expected, the form goes its usual way; it
   carries the id of the tap, so that arriving twice does no harm. */
import { deadline, element, fieldsOf, parsed, submitPast } from "../dom.js";

const PART = "X-Part";
const PATIENCE = 15_000;
/* Longer than the pause in a double tap: its second half must not hit what has just appeared under the finger. */
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

/* What the score book did not answer, or what comes after such a thing, may be kept on the phone (offline.js). */
function phoneTakes(form, url, body, lost = false) {
  return !document.dispatchEvent(new CustomEvent("board-submit", { cancelable: true, detail: { form, url, body, lost } }));
}

/* The score of the next board as soon as it has come, and a promise of all below it: that is still being made. */
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

/** Shows another board in the place of this one: `text` is all of it. */
export const show = (text) => put(...text.split(REST));

/* First the score and its Undo; when they have been drawn, the rest. Till then nothing asks for the layout of the page, and
   what is to go is not drawn once more in its new place. */
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
    /* Another board came in between, and brings its own rest. */
    if (!head.isConnected) return;
    if (parts.length < 2) return cut();
    const [rest, after] = parts;
    for (const node of [...main.childNodes]) if (node !== head && node !== sheet) node.remove();
    delete main.dataset.drawing;
    head.before(top);
    head.after(parsed(rest));
    sheet.outerHTML = after;
    scrollTo(0, 0);
    document.title = title.textContent;
    if (held && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    tell(says.dataset, hand);
    document.dispatchEvent(new Event("board-replaced"));
  }));
}

/** Lets no tap through for a moment: what is below the finger is another thing now. */
export function guard() {
  main.dataset.fresh = "";
  setTimeout(() => delete main.dataset.fresh, SETTLE);
}

/* The signal went below the score: what was saved is saved, and what is not here is drawn by the phone (offline.js). */
function cut() {
  delete main.dataset.drawing;
  if (document.dispatchEvent(new Event("board-incomplete", { cancelable: true }))) location.reload();
}

/* A screen reader hears what a tap did, and a hand feels that a hand was saved. */
function tell({ says, version }, hand) {
  if (Number(version) > Number(voice.dataset.version)) {
    voice.textContent = says;
    if (hand && "buzz" in voice.dataset) navigator.vibrate?.(SHORT);
  }
  Object.assign(voice.dataset, { says, version });
}

/** Says at a form why nothing came of a tap: that there was no answer, or another sentence. */
export function complain(form, sentence = voice.dataset.lost) {
  const place = [...form.querySelectorAll(".preview")].find((output) => output.checkVisibility?.() ?? true);
  const words = place ?? form.querySelector(".error") ?? element("p");
  words.textContent = sentence;
  words.classList.add(place ? "wrong" : "error");
  words.role = "alert";
  if (!words.isConnected) form.prepend(words);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !("stay" in form.dataset)) return;
  event.preventDefault();
  if (!("busy" in form.dataset)) send(form, event.submitter);
});

/* Not before the page can be used: only what comes later needs it. */
const later = () => setTimeout(() => ["./offline.js", "./updates.js"].forEach((name) => import(name).catch(() => {})), 300);
if (document.readyState === "complete") later();
else addEventListener("load", later);
