/* The desk stays where it is: a tap is sent, and what comes back takes the place of what was there. The filter sorts out
   names as they are typed. Without this, or where anything is not as expected, every form goes its usual way. */
const PATIENCE = 15_000;
const main = document.querySelector("main");
const marks = /\p{Mn}/gu;
const folded = (text) => text.trim().toLowerCase().normalize("NFD").replace(marks, "");

function filter() {
  const field = main.querySelector("[data-filter]");
  const wanted = folded(field?.value ?? "");
  for (const button of main.querySelectorAll(".door [data-name]")) button.hidden = !folded(button.dataset.name).includes(wanted);
}

/* Whoever stood on something stands on the same thing of the new page; a name that is gone leaves them at the filter. */
function exchange(fresh, from) {
  const { id, name } = document.activeElement;
  const at = scrollY;
  /* Several people leave one after another; what was unfolded otherwise was for one thing. */
  const unfolded = main.querySelector("#here details")?.open;
  main.replaceChildren(...fresh.childNodes);
  if (unfolded) main.querySelector("#here details")?.setAttribute("open", "");
  scrollTo(0, at);
  const place = main.querySelector("[role=alert]")
    ?? (from.closest(".door") ? main.querySelector(from.matches(".new-name") ? ".new-name [name=name]" : "[data-filter]") : null)
    ?? (id ? document.getElementById(id) : null)
    ?? (name ? main.querySelector(`[name="${CSS.escape(name)}"]`) : null);
  if (!place) return;
  if (place.matches("[role=alert]")) {
    place.tabIndex = -1;
    place.scrollIntoView({ block: "center" });
  }
  place.focus({ preventScroll: true });
}

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  form.dataset.busy = "";
  try {
    const reply = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout?.(PATIENCE) });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (!page.body.classList.contains("desk")) throw new Error("elsewhere");
    document.title = page.title;
    exchange(page.querySelector("main"), form);
  } catch {
    leave(form, button);
  }
}

/* Sent again the usual way: a tap at the desk does the same thing once or twice. */
function leave(form, button) {
  if (button?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value }));
  HTMLFormElement.prototype.submit.call(form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.matches(".start")) return;
  if (form.matches(".find")) {
    const left = [...main.querySelectorAll(".door [data-name]:not([hidden])")];
    if (!left.length) return;
    event.preventDefault();
    if (left.length === 1 && folded(form.elements.find.value)) left[0].click();
    return;
  }
  if (form.method !== "post") return;
  event.preventDefault();
  if (!("busy" in form.dataset)) send(form, event.submitter);
});

/* Sheets come in any order: up and down go from table to table, as in a spreadsheet. */
main.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const line = step && event.target.matches(".grid .pair input") ? event.target.closest(".line") : null;
  if (!line) return;
  const place = [...line.querySelectorAll(".pair input")].indexOf(event.target);
  const lines = [...main.querySelectorAll(".grid .line")].filter((each) => each.querySelector(".pair input"));
  const fields = lines[lines.indexOf(line) + step]?.querySelectorAll(".pair input");
  if (!fields) return;
  event.preventDefault();
  const field = fields[Math.min(place, fields.length - 1)];
  field.focus();
  field.select();
});

main.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter();
});
filter();
