/* Points are typed on a number pad, which may lack a minus key, so a button beside the field changes the sign. Without
   this script the full keyboard opens. The desk replaces its fields, so the listeners are on the page. */
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
