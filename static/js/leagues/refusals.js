/* The error of a refused form, and what only a refused form asks, stay beside their fields while the rest of the page is
   replaced, until they are edited or the form is sent again. */
import { element } from "../dom.js";

/* A dispute isn't a refusal: it stands until it is settled. */
const ALERT = "[role=alert]:not([data-stands])";
const called = (root, name) => root.querySelector(`[name="${CSS.escape(name)}"]`);

/* A table's row, a form or a section: the part of the page that a refusal is about. */
const partOf = (thing) => thing.closest(".line, form, [id]");

/* The same part of another page; nothing if it's gone, or if the table's score can no longer be typed there. */
function twinOf(page, part) {
  const field = part.matches(".line") && part.querySelector("[data-points]");
  if (field) return called(page, field.name)?.closest(".line");
  if (part.id) return page.querySelector(`#${CSS.escape(part.id)}`);
  return [...page.querySelectorAll("form")].find((form) => form.getAttribute("action") === part.getAttribute("action"));
}

function put(alert, part, twin) {
  for (const { name } of part.querySelectorAll("[aria-invalid]")) called(twin, name)?.setAttribute("aria-invalid", "true");
  for (let fold = twin.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (part.matches(".line")) {
    const says = twin.querySelector(".says") ?? twin.appendChild(element("p", { className: "says" }));
    says.classList.add("wide");
    return says.prepend(alert, " ");
  }
  const heading = twin.querySelector(":scope > :is(h1, h2, h3)");
  if (heading) heading.after(alert);
  else twin.prepend(alert);
}

/** Moves refusals to a new page, unless it answers `form`, which was sent again. */
export function holdRefusals(main, page, form) {
  const left = (thing) => {
    const part = partOf(thing.parentElement);
    const isSent = form && (part.contains(form) || form.contains(part));
    return isSent ? [] : [part, twinOf(page, part)];
  };
  for (const alert of main.querySelectorAll(ALERT)) {
    const [part, twin] = left(alert);
    if (twin && !twin.querySelector(ALERT)) put(alert, part, twin);
  }
  for (const question of main.querySelectorAll("[data-asks]")) {
    const [, twin] = left(question);
    if (twin && !called(twin, question.dataset.asks)) (twin.querySelector(":scope > button") ?? twin.lastChild).before(question);
  }
}

/** Takes the error of a field that is being corrected off the page. */
export function dismiss(main, field) {
  const part = field.closest(".line") ?? field.form?.closest("[id]");
  if (!part || field.type === "search") return;
  for (const alert of part.querySelectorAll(ALERT)) if (part.matches(".line") || !alert.closest(".line")) alert.remove();
  for (const each of part.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
  /* The message for all tables is about those that are marked. */
  if (part.matches(".line") && !main.querySelector(`.line ${ALERT}`)) main.querySelector(`#round > ${ALERT}`)?.remove();
}
