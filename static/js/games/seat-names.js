/* Enter moves to the next name or score; in the last one to the first dealer, whom the names do not tell, or to the button. */
const form = document.querySelector("form.setup");
const typed = [...form.querySelectorAll("[name^=name-], [name^=points-]")];
const last = form.querySelector("[name=first_dealer]:checked") ?? form.querySelector(".bar button");

for (const [place, field] of typed.entries())
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    (typed[place + 1] ?? last).focus();
  });

/* A seat that got its name, or a side that got its points, is no longer marked as wrong; other scripts fill in names as well. */
const wrong = typed.filter((field) => field.ariaInvalid === "true");
const errorOf = (field) => field.getAttribute("aria-describedby");

function clear() {
  for (const field of wrong.filter((each) => each.value.trim() && each.checkValidity())) field.ariaInvalid = null;
  const left = wrong.filter((field) => field.ariaInvalid);
  for (const error of wrong.map(errorOf)) if (!left.some((field) => errorOf(field) === error)) document.getElementById(error)?.remove();
  if (!left.length) form.querySelector(":scope > .error")?.remove();
}

if (wrong.length) for (const kind of ["input", "click"]) document.addEventListener(kind, () => setTimeout(clear));
