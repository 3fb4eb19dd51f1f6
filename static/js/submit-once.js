/* Blocks a second submit while a form is being sent. The buttons stay enabled, because a disabled button would not be sent
   with the form. The request key in the form keeps a repeated hand from counting twice in any case. */
const PATIENCE = 10_000;

addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const form = event.target;
  if ("busy" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.busy = "";
  setTimeout(() => delete form.dataset.busy, PATIENCE);
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-busy]")) delete form.dataset.busy;
});
