/* One tap hands a card to the next side, the one after the last takes it back. The radios stay what they are, so that
   a keyboard and a screen reader find them where they expect them. Shown are points only: who owns what, the rules say. */
const form = document.querySelector("form.count");
const cards = [...form.querySelectorAll(".card")];
const running = form.querySelector(".running");
const missing = form.querySelector(".missing");
const NAMED = 5;

const owner = (card) => card.querySelector(":checked").value;

function show() {
  const points = {};
  const left = [];
  const add = (side, count) => (points[side] = (points[side] ?? 0) + count);
  for (const card of cards) {
    if (owner(card) !== "none") add(owner(card), Number(card.dataset.points));
    else if (card.dataset.points !== "0") left.push(card.dataset.card);
    card.dataset.owner = owner(card);
  }
  for (const field of form.querySelectorAll("[data-side]"))
    add(field.dataset.side, Number(field.value) * field.dataset.points);
  for (const total of running.querySelectorAll("[data-total]")) total.textContent = points[total.dataset.total] ?? 0;
  if (!missing) return;
  const more = left.length > NAMED ? ` +${left.length - NAMED}` : "";
  missing.textContent = left.length ? `${missing.dataset.words} ${left.slice(0, NAMED).join(" ")}${more}` : "";
}

/* Arrow keys click the radio they move to: only a click on the one that was chosen already is a tap. */
form.addEventListener("click", ({ target }) => {
  const card = target.closest?.(".card");
  if (!card || target.type !== "radio" || target.value !== card.dataset.owner) return;
  const radios = [...card.querySelectorAll("input")];
  const next = radios[(radios.indexOf(target) + 1) % radios.length];
  next.checked = true;
  next.focus();
  show();
});
form.addEventListener("input", show);

/* Another trump, other cards. Where none was handed out yet there is nothing to count: the page is asked for afresh. */
form.addEventListener("change", ({ target }) => {
  if (target.name !== "trump") return;
  if (cards.some((card) => owner(card) !== "none")) form.requestSubmit(form.querySelector(".trumped button"));
  else location.replace(`?trump=${encodeURIComponent(target.value)}`);
});
form.classList.add("taps");
running.hidden = false;
addEventListener("pageshow", show);
show();
