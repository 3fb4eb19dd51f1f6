/* Shows what a hand will do as soon as it is complete, so that "Review" needs no page of its own. If anything fails, the
   button stays "Review" and the server shows the result instead. */
const LONG = 56;
const KEPT = "taps";
const PATIENCE = 4_000;
let asking = new AbortController();
let form, seen, taken, place;
/* A promise, while the result of the chosen hand is not known yet. */
let answering;

const current = () => (taken?.open ? taken : form.querySelector(".mode"));

const complete = (mode) =>
  [...form.querySelectorAll(":scope > .people"), ...mode.querySelectorAll("fieldset:not(.trumps)")].every((row) => row.querySelector(":checked"));

function show(mode, text, checked, wrong = false) {
  const output = mode.querySelector(".preview");
  output.textContent = text || output.dataset.hint;
  output.classList.toggle("wrong", wrong);
  output.classList.toggle("long", output.textContent.length > LONG);
  output.classList.remove("stale");
  name(mode, checked ? "save" : "check");
  seen.value = checked;
}

function name(mode, word) {
  const button = mode.querySelector(".bar:not(.asks) button");
  button.textContent = button.dataset[word];
}

function ask() {
  asking.abort();
  answering = undefined;
  const mode = current();
  if (!complete(mode)) return show(mode, "", "");
  const { signal } = (asking = new AbortController());
  mode.querySelector(".preview").classList.add("stale");
  name(mode, "save");
  seen.value = "";
  const told = answer(mode, signal).finally(() => {
    if (answering === told) answering = undefined;
  });
  answering = told;
}

/* A tap on Save that is quicker than the result waits for it. Another choice, or a refusal, takes the tap back. */
async function hold(event) {
  const { currentTarget: held, submitter } = event;
  if (!answering || !submitter?.matches(".bar:not(.asks) .main")) return;
  event.preventDefault();
  if ("busy" in held.dataset) return;
  held.dataset.busy = "";
  const { signal } = asking;
  await Promise.race([answering, new Promise((go) => setTimeout(go, PATIENCE))]);
  delete held.dataset.busy;
  answering = undefined;
  if (held.isConnected && !signal.aborted && !held.querySelector(".wrong")) held.requestSubmit(submitter);
}

async function answer(mode, signal) {
  const fields = new URLSearchParams(new FormData(form));
  for (const secret of ["csrf_token", "client_id", "seen"]) fields.delete(secret);
  fields.set("mode", mode.dataset.mode);
  if (await phoneSays(mode, fields, signal)) return;
  try {
    const reply = await fetch(`${form.dataset.preview}?${fields}`, { signal, headers: { Accept: "application/json" } });
    const { text, ok, seen: choice = "1" } = await reply.json();
    show(mode, text, ok ? choice : "", !ok);
  } catch (error) {
    if (error.name !== "AbortError" && !(await phoneSays(mode, fields, signal, true))) show(mode, "", "");
  }
}

/* Once offline.js knows the game, it works out the result without asking the server. */
async function phoneSays(mode, fields, signal, lost = false) {
  const detail = { fields, lost };
  document.dispatchEvent(new CustomEvent("hand-preview", { detail }));
  const answer = await detail.answer;
  if (signal.aborted) return true;
  if (answer) show(mode, answer.text, answer.ok ? answer.seen : "", !answer.ok);
  return Boolean(answer);
}

/* A phone that slept may reload the page, so the taps for this hand are saved until the game moves on. */
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

/* A guess is confirmed as soon as any choice in its row is tapped. */
const confirm = (radio) => radio.closest("fieldset")?.querySelector(".likely")?.classList.remove("likely");

/* Two long number pads do not fit, so an answered one shrinks to its number and opens again on a tap. Arrow keys only move. */
function shrink({ target, detail }) {
  const pad = target.closest("fieldset.long");
  if (detail && pad && target.type === "radio" && pad.parentElement.querySelectorAll("fieldset.long").length > 1)
    pad.classList.toggle("told-it");
}

/* The bidder's party is named after the partner that is chosen. */
function nameParty() {
  const words = form.querySelector("[data-with]")?.dataset;
  const partner = form.querySelector("[name=partner]:checked");
  if (!words || !partner) return;
  const name = partner.closest(".pick").querySelector(".name").textContent;
  for (const party of form.querySelectorAll(".party .name"))
    party.textContent = partner.value === "alone" ? words.alone : words.with.replace("{partner}", () => name);
}

/* A changed choice makes it another hand, so the question no longer applies. */
function unask() {
  const asks = form.querySelector(".asks");
  if (!asks) return;
  asks.nextElementSibling.hidden = false;
  asks.remove();
}

/* The card count uses the trump chosen here. */
function tellTrump({ target }) {
  const link = document.querySelector("[data-count]");
  if (link && target.name === "trump") link.search = new URLSearchParams({ trump: target.value });
}

/* Errors, questions and answers from the server stay visible until a choice changes. */
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
  form.addEventListener("change", nameParty);
  form.addEventListener("change", ask);
  form.addEventListener("submit", hold);
  taken?.addEventListener("toggle", ask);
  try {
    bringBack();
    form.addEventListener("click", ({ target }) => target.type === "radio" && keep());
  } catch {
    /* Without storage the choices are made again. */
  }
  nameParty();
  /* With JavaScript the result of the guess is already shown, so there is nothing to review. */
  if (seen.dataset.seen && !changed()) show(current(), current().querySelector(".preview").textContent, seen.dataset.seen);
  refresh();
}

document.addEventListener("board-replaced", open);
addEventListener("pageshow", refresh);
open();
