/* Without a script a button could not print; then there is none. */
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
