/* A form that is on its way is not sent again. The buttons stay enabled, because a disabled button would not be sent with
   the form; the id in the form keeps a repeated hand single in any case. */
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
