/* Points are typed on a number pad, which may have no minus: a button beside the field changes the sign. Whoever has no
   script keeps the full keyboard. The desk exchanges its fields, so it is the page that listens. */
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
