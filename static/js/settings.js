/* Saves a setting as soon as it changes. Without JavaScript, or if saving fails, the Save button does it. */
const form = document.querySelector("[data-autosave]");
const status = form.querySelector("[role=status]");
const button = form.querySelector("button");
const { save, done } = Object.assign({ save: button.textContent }, button.dataset);
/* These change the page itself. */
const RELOAD = ["look", "language"];

document.querySelector("[data-no-wake-lock]").hidden = Boolean(navigator.wakeLock);

form.addEventListener("change", async ({ target }) => {
  status.textContent = "";
  try {
    const reply = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
    if (reply.type !== "opaqueredirect") throw new Error("refused");
    if (RELOAD.includes(target.name)) return location.reload();
    status.textContent = status.dataset.saved;
    button.textContent = done;
  } catch {
    button.textContent = save;
  }
});
button.textContent = done;
