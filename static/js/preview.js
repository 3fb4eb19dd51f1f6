/* Says what will happen as soon as a hand is complete, so that "Check" needs no page of its own.
   Whatever goes wrong, the button falls back to "Check" and the server says it instead. */
const form = document.querySelector("form[data-preview]");
const seen = form.elements.namedItem("seen");
const taken = form.querySelector("details.mode");
const LONG = 84;
const KEPT = "taps";
let asking = new AbortController();

const current = () => (taken?.open ? taken : form.querySelector(".mode"));

const complete = (mode) =>
  [...mode.querySelectorAll("fieldset:not(.trumps)")].every((row) => row.querySelector(":checked"));

function show(mode, text, checked, wrong = false) {
  const output = mode.querySelector(".preview");
  output.textContent = text || output.dataset.hint;
  output.classList.toggle("wrong", wrong);
  output.classList.toggle("long", output.textContent.length > LONG);
  mode.querySelector(".bar button").textContent = checked ? "Save" : "Check";
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
  try {
    const reply = await fetch(`${form.dataset.preview}?${fields}`, { signal, headers: { Accept: "application/json" } });
    const { text, ok, seen: choice = "1" } = await reply.json();
    show(mode, text, ok ? choice : "", !ok);
  } catch (error) {
    if (error.name !== "AbortError") show(mode, "", "");
  }
}

/* A phone that slept may load the page anew: what was tapped for this hand is kept until the game moves on. */
const place = `${form.action} ${form.elements.namedItem("version").value}`;

function keep() {
  const taps = [...form.querySelectorAll("input:checked")].map(({ name, value }) => [name, value]);
  sessionStorage.setItem(KEPT, JSON.stringify({ place, taps, only: taken?.open ?? false }));
}

function bringBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (kept.place !== place || form.querySelector("[data-mode] :checked, .wrong")) return;
  for (const [name, value] of kept.taps) {
    const radio = form.querySelector(`input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
    if (radio) radio.checked = true;
  }
  if (taken) taken.open = kept.only;
}

/* The cards are counted for the trump that is tapped here. */
function tellTrump({ target }) {
  const link = document.querySelector("[data-count]");
  if (link && target.name === "trump") link.search = new URLSearchParams({ trump: target.value });
}

form.addEventListener("change", tellTrump);
form.addEventListener("change", ask);
/* What the server found wrong stays in sight until something is changed. */
const refresh = () => form.querySelector(".wrong") || ask();
taken?.addEventListener("toggle", refresh);
try {
  bringBack();
  form.addEventListener("change", keep);
} catch {
  /* No storage: then a tap is tapped again. */
}
addEventListener("pageshow", refresh);
