/* Says what will happen as soon as a hand is complete, so that "Check" needs no page of its own.
   Whatever goes wrong, the button falls back to "Check" and the server says it instead. */
const LONG = 56;
const KEPT = "taps";
let asking = new AbortController();
let form, seen, taken, place;

const current = () => (taken?.open ? taken : form.querySelector(".mode"));

const complete = (mode) =>
  [...mode.querySelectorAll("fieldset:not(.trumps)")].every((row) => row.querySelector(":checked"));

function show(mode, text, checked, wrong = false) {
  const output = mode.querySelector(".preview");
  output.textContent = text || output.dataset.hint;
  output.classList.toggle("wrong", wrong);
  output.classList.toggle("long", output.textContent.length > LONG);
  const button = mode.querySelector(".bar:not(.asks) button");
  button.textContent = checked ? button.dataset.save : button.dataset.check;
  seen.value = checked;
}

async function ask() {
  asking.abort();
  const mode = current();
  if (!complete(mode)) return show(mode, "", "");
  const { signal } = (asking = new AbortController());
  show(mode, mode.querySelector(".preview").textContent, "");
  const fields = new URLSearchParams(new FormData(form));
  for (const secret of ["csrf_token", "client_id", "seen"]) fields.delete(secret);
  fields.set("mode", mode.dataset.mode);
  if (phoneSays(mode, fields)) return;
  try {
    const reply = await fetch(`${form.dataset.preview}?${fields}`, { signal, headers: { Accept: "application/json" } });
    const { text, ok, seen: choice = "1" } = await reply.json();
    show(mode, text, ok ? choice : "", !ok);
  } catch (error) {
    if (error.name !== "AbortError" && !phoneSays(mode, fields, true)) show(mode, "", "");
  }
}

/* Without signal the phone knows itself (offline.js); what it shows it needs no word for. */
function phoneSays(mode, fields, lost = false) {
  const detail = { fields, lost };
  document.dispatchEvent(new CustomEvent("hand-preview", { detail }));
  const { answer } = detail;
  if (answer) show(mode, answer.text, answer.ok ? "phone" : "", !answer.ok);
  return Boolean(answer);
}

/* A phone that slept may load the page anew: what was tapped for this hand is kept until the game moves on. */
function keep() {
  const taps = [...form.querySelectorAll("input:checked")].map(({ name, value }) => [name, value]);
  const sure = [...form.querySelectorAll("fieldset:not(:has(.likely)) :checked")].map(({ name }) => name);
  sessionStorage.setItem(KEPT, JSON.stringify({ place, taps, sure, only: taken?.open ?? false }));
}

function bringBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (kept.place !== place || form.querySelector("[data-mode] .pick:not(.likely) :checked, .wrong, .asks")) return;
  for (const [name, value] of kept.taps) {
    const radio = form.querySelector(`input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
    if (!radio) continue;
    radio.checked = true;
    if (kept.sure.includes(name)) confirm(radio);
  }
  if (taken) taken.open = kept.only;
}

/* What was likely is told as soon as it, or another in its row, is tapped. */
const confirm = (radio) => radio.closest("fieldset")?.querySelector(".likely")?.classList.remove("likely");

/* Where two long pads do not fit, one that was told shrinks to its number; tapped again, it opens. Keys only move. */
function shrink({ target, detail }) {
  const pad = target.closest("fieldset.long");
  if (detail && pad && target.type === "radio" && pad.parentElement.querySelectorAll("fieldset.long").length > 1)
    pad.classList.toggle("told-it");
}

/* Another choice than the one that was asked about is another hand. */
function unask() {
  const asks = form.querySelector(".asks");
  if (!asks) return;
  asks.nextElementSibling.hidden = false;
  asks.remove();
}

/* The cards are counted for the trump that is tapped here. */
function tellTrump({ target }) {
  const link = document.querySelector("[data-count]");
  if (link && target.name === "trump") link.search = new URLSearchParams({ trump: target.value });
}

/* What the server found wrong, or asked, or said already, stays in sight until something is changed. */
const changed = () => [...form.querySelectorAll("[type=radio]")].some((radio) => radio.checked !== radio.defaultChecked);
const refresh = () => form && !form.querySelector(".wrong, .asks") && (!seen.value || changed()) && ask();

function open() {
  form = document.querySelector("form[data-preview]");
  if (!form) return;
  seen = form.elements.namedItem("seen");
  taken = form.querySelector("details.mode");
  place = `${form.action} ${form.elements.namedItem("version").value}`;
  form.addEventListener("click", ({ target }) => target.type === "radio" && confirm(target));
  form.addEventListener("click", shrink);
  form.addEventListener("change", unask);
  form.addEventListener("change", tellTrump);
  form.addEventListener("change", ask);
  taken?.addEventListener("toggle", ask);
  try {
    bringBack();
    form.addEventListener("click", ({ target }) => target.type === "radio" && keep());
  } catch {
    /* No storage: then a tap is tapped again. */
  }
  /* Without a script "Check" shows what a changed hand does; with one, what is likely has been shown already. */
  if (seen.dataset.seen && !changed()) show(current(), current().querySelector(".preview").textContent, seen.dataset.seen);
  refresh();
}

document.addEventListener("board-replaced", open);
addEventListener("pageshow", refresh);
open();
