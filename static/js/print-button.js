/* Without a script a button could not print; then there is none. Nor is there one where nothing is to be printed yet. */
const button = document.querySelector("[data-print]");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
