/* A number pad may have no minus key, so a button beside the field changes the sign. Without JavaScript, phones show the
   full keyboard. Listens on the page, because the desk replaces its fields. */
addEventListener("pointerdown", ({ target }) => {
  if (target.matches?.("[data-points]")) target.inputMode = "numeric";
});

addEventListener("click", ({ target }) => {
  const field = target.closest?.("[data-sign]")?.parentElement.querySelector("[data-points]");
  if (!field) return;
  field.value = /^[-−]/.test(field.value) ? field.value.slice(1) : `-${field.value}`;
  field.inputMode = "numeric";
  field.focus();
});
