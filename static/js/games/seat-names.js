/* Enter moves to the next name or score; in the last one to the first dealer, whom the names do not tell, or to the button. */
const form = document.querySelector("form.setup");
const names = [...form.querySelectorAll("[name^=name-]")];
const typed = [...form.querySelectorAll("[name^=name-], [name^=points-]")];
const last = form.querySelector("[name=first_dealer]:checked") ?? form.querySelector(".bar button");

for (const [place, field] of typed.entries())
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    (typed[place + 1] ?? last).focus();
  });

/* A seat that got its name is no longer marked as wrong; other scripts fill in names as well. */
const wrong = names.filter((name) => name.ariaInvalid === "true");

function clear() {
  for (const name of wrong.filter(({ value }) => value.trim())) {
    document.getElementById(name.getAttribute("aria-describedby"))?.remove();
    name.ariaInvalid = null;
  }
  if (!wrong.some((name) => name.ariaInvalid)) form.querySelector(":scope > .error")?.remove();
}

if (wrong.length) for (const kind of ["input", "click"]) document.addEventListener(kind, () => setTimeout(clear));
