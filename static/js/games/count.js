/* A tap gives a card to the next side; after the last side it belongs to nobody again. The radio buttons stay, so that
   keyboards and screen readers work as usual. Only card points are shown here: the server's rules decide who gets what. */
import { element } from "../dom.js";

const NAMED = 5;

const owner = (card) => card.querySelector(":checked").value;

/** Makes the form of a count work by taps. */
export function start(form) {
  const cards = [...form.querySelectorAll(".card")];
  const running = form.querySelector(".running");
  const missing = form.querySelector(".missing");

  function show() {
    const points = {};
    const left = [];
    const counting = cards.filter(({ dataset }) => dataset.points !== "0");
    const add = (side, count) => (points[side] = (points[side] ?? 0) + count);
    for (const card of cards) {
      if (owner(card) !== "none") add(owner(card), Number(card.dataset.points));
      else if (card.dataset.points !== "0") left.push(card.dataset.card);
      card.dataset.owner = owner(card);
    }
    for (const field of form.querySelectorAll("[data-side]"))
      add(field.dataset.side, Number(field.value) * field.dataset.points);
    for (const total of form.querySelectorAll("[data-total]")) total.textContent = points[total.dataset.total] ?? 0;
    if (!missing) return;
    const more = left.length > NAMED ? ` +${left.length - NAMED}` : "";
    /* Many cards may not have been dealt. */
    missing.textContent = left.length && left.length < counting.length ? `${missing.dataset.words} ${left.slice(0, NAMED).join(" ")}${more}` : "";
  }

  /* Arrow keys click the radio they move to, so only a click on the chosen radio counts as a tap. */
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

  /* Another trump means other cards. If no card is assigned yet, the page is simply loaded again. */
  form.addEventListener("change", ({ target }) => {
    if (target.name !== "trump") return;
    if (cards.some((card) => owner(card) !== "none")) form.requestSubmit(form.querySelector(".trumped button"));
    else location.replace(`?trump=${encodeURIComponent(target.value)}`);
  });
  /* Typing needs the keyboard, so each number gets a minus and a plus button; five or more sides leave no room for them. */
  function addSteps(field) {
    const step = (label, change) => {
      const button = element("button", { type: "button", className: "step", textContent: label, ariaLabel: `${label} ${field.ariaLabel}` });
      button.onclick = () => {
        const value = Number(field.value) + change;
        field.value = Math.min(Math.max(value, field.min), field.max);
        show();
      };
      return button;
    };
    field.before(step("−", -1));
    field.after(step("+", 1));
  }

  if (!form.matches(".of-sides-5, .of-sides-6, .of-sides-7")) form.querySelectorAll("[data-side]").forEach(addSteps);
  form.classList.add("taps");
  if (running) running.hidden = false;
  addEventListener("pageshow", show);
  show();
}

const there = document.querySelector("form.count");
if (there) start(there);
