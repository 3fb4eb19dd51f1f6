/* Enter moves to the next seat; in the last one to the first dealer, whom the names do not tell. */
const names = [...document.querySelectorAll(".seats .seat-name input")];

for (const [seat, name] of names.entries())
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    (names[seat + 1] ?? document.querySelector("[name=first_dealer]:checked")).focus();
  });

/* A seat that got its name is no longer marked as wrong; other scripts fill in names as well. */
const wrong = names.filter((name) => name.ariaInvalid === "true");

function clear() {
  for (const name of wrong.filter(({ value }) => value.trim())) {
    document.getElementById(name.getAttribute("aria-describedby"))?.remove();
    name.ariaInvalid = null;
  }
  if (!wrong.some((name) => name.ariaInvalid)) document.querySelector("form.setup > .error")?.remove();
}

if (wrong.length) for (const kind of ["input", "click"]) document.addEventListener(kind, () => setTimeout(clear));
