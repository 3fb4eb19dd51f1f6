/* Shows a password while it is typed. That doesn't work without JavaScript, so this script also makes its checkbox visible. */
for (const place of document.querySelectorAll("[data-reveal]")) {
  const fields = place.closest("form").querySelectorAll("[type=password]");
  place.hidden = false;
  place.addEventListener("change", (event) => {
    for (const field of fields) field.type = event.target.checked ? "text" : "password";
  });
}
