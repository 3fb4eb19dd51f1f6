/* Enters a hand by keyboard: seat number and bid, then for each point its letter and the number of the side, Enter to save,
   Escape to take a choice back. Loaded by the first key. Typing in a field, and keys held with Ctrl, Alt or Meta, do nothing.
   The keyboard can be turned off in the settings. */
import { element } from "../dom.js";

const TYPING = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]";
const PRESSED = "a, button, summary";
const LETTER = /\p{L}/gu;
const main = document.querySelector("main");
/* entry: the form of the step. row: the row that digits are for. typed: the digits so far of a number that may go on.
   undo: functions that take the choices back, the latest last. */
let entry, row, typed, undo;

const shownIn = (form, what) => [...(form?.querySelectorAll(what) ?? [])].filter((each) => each.checkVisibility?.() ?? true);
const mode = () => entry.querySelector("details.mode[open]") ?? entry.querySelector(".mode");
const rows = () =>
  entry.matches(".took-what") ? [...entry.querySelectorAll(":scope > .people"), ...mode().querySelectorAll("fieldset:not(.trumps)")] : shownIn(entry, ".bid-row, .people");
const radios = (fieldset) => [...fieldset.querySelectorAll("[type=radio]")];
const chosen = (fieldset) => radios(fieldset).find((radio) => radio.checked);
const folded = (text) => text.normalize("NFD").toLowerCase();

/* Returns the keys of an answer: the number itself, or the first letter of a word; else the number of the seat or side, and 0
   for nobody or alone. */
function keysOf(choice) {
  if (choice.matches("button")) return choice.value.match(/\d+$/)?.[0] ?? folded(choice.lastChild.textContent.trim())[0];
  if (choice.closest(".rank")) return choice.value;
  if (choice.closest(".hung")) return `${Number(choice.value.slice(-1)) + choice.closest("fieldset").querySelectorAll(".hung").length + 1}`;
  return /^\d+$/.test(choice.value) ? `${Number(choice.value) + 1}` : "0";
}

/* Returns the letter of each point: the first of its name that no point above has. */
function letters() {
  const taken = new Map();
  for (const fieldset of entry.matches(".took-what") ? rows() : []) {
    const name = folded(fieldset.querySelector("legend").firstChild.textContent);
    const letter = fieldset.querySelector(".rank, .person") ? undefined : name.match(LETTER)?.find((each) => !taken.has(each));
    if (letter && !fieldset.matches(".people")) taken.set(letter, fieldset);
  }
  return taken;
}

/* Starts again when the board was drawn anew. */
function begin() {
  const form = main.querySelector("form.entry");
  if (form === entry && entry?.isConnected) return;
  entry = form;
  row = undefined;
  typed = "";
  undo = [];
  if (entry) hint();
}

/* Shows the key of each row. */
function hint() {
  for (const [letter, fieldset] of letters()) mark(fieldset, fieldset.querySelector("legend"), letter);
  if (entry.matches(".took-what")) return;
  const seats = entry.matches(".bid-pad") ? shownIn(entry, ".people .face") : shownIn(entry, ".bid-row .who");
  seats.forEach((seat, place) => mark(seat, seat, `${place + 1}`));
}

function mark(keyed, place, key) {
  keyed.setAttribute("aria-keyshortcuts", key);
  place.append(element("kbd", { textContent: key, ariaHidden: "true" }));
}

/* Chooses an answer as a tap does, and remembers how to take it back. */
function choose(radio) {
  const before = chosen(radio.closest("fieldset"));
  const guess = before?.closest(".likely");
  undo.push(() => {
    radio.checked = false;
    if (before) before.click();
    guess?.classList.add("likely");
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    radio.focus();
  });
  radio.focus();
  radio.click();
}

/* A row is asked for a number until it has one, in their order. */
const open = () => rows().find((fieldset) => !chosen(fieldset));

function digit(key) {
  if (entry.matches(".took-what")) return answer(row ?? open(), key);
  if (row) return bid(key);
  if (entry.matches(".bid-pad")) {
    const seat = shownIn(entry, ".people [type=radio]").find((each) => keysOf(each) === key);
    if (!seat) return false;
    choose(seat);
    row = entry;
    return true;
  }
  const seat = shownIn(entry, ".bid-row")[Number(key) - 1];
  seat?.querySelector("button").focus();
  row = seat;
  return Boolean(seat);
}

/* Returns the answers that begin with these keys. */
const beginning = (choices, keys) => choices.filter((choice) => keysOf(choice).startsWith(keys));

/* A bid is made as soon as no other bid begins with the same digits; else Enter makes it. */
function bid(key) {
  const choices = shownIn(row, "button[name=call], button[name=bid]");
  const found = beginning(choices, typed + key);
  if (!found.length) return false;
  typed += key;
  const [exact] = found.filter((button) => keysOf(button) === typed);
  exact?.focus();
  if (found.length === 1 && exact) exact.click();
  return true;
}

function answer(fieldset, key) {
  if (!fieldset) return false;
  const found = beginning(radios(fieldset), typed + key);
  if (!found.length) return typed ? next() || answer(open(), key) : false;
  const back = typed && undo.pop();
  typed += key;
  row = fieldset;
  choose(found.find((radio) => keysOf(radio) === typed));
  if (back) undo.splice(-1, 1, back);
  if (found.length === 1) next();
  return true;
}

/* A letter moves on to the next answer of its row, and digits are for that row. */
function letter(key) {
  const fieldset = letters().get(key);
  if (!fieldset) return row && !entry.matches(".took-what") ? bid(key) : false;
  next();
  row = fieldset;
  const answers = radios(fieldset);
  choose(answers[(answers.indexOf(chosen(fieldset)) + 1) % answers.length]);
  return true;
}

function next() {
  row = undefined;
  typed = "";
}

function enter(target) {
  if (target.closest(PRESSED) || !entry.matches(".took-what")) return false;
  if (typed) return next() ?? true;
  const [button] = shownIn(mode(), ".bar button.main");
  /* A question is answered by a second press, once it was read. */
  if (button?.closest(".asks")) button.focus();
  else button?.click();
  return Boolean(button);
}

/* Takes back the digits of a bid, the latest choice, or at last the bid itself. */
function escape() {
  const step = undo.pop();
  if (step) step();
  else if (entry.matches(".took-what")) main.querySelector(".in-play button")?.click();
  else if (!row) return false;
  if (!step) document.activeElement.blur();
  next();
  return true;
}

/** Does what the key of this event stands for. */
export function press(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented || event.repeat) return;
  if (target.closest?.(TYPING)) return;
  begin();
  if (!entry) return;
  const small = folded(key);
  const done = /^\d$/.test(key) ? digit(key) : key === "Enter" ? enter(target) : key === "Escape" ? escape() : key.length === 1 && letter(small);
  if (done) event.preventDefault();
}

document.head.append(element("link", { rel: "stylesheet", href: new URL("../../css/games/keyboard.css", import.meta.url) }));
document.addEventListener("board-replaced", begin);
begin();
