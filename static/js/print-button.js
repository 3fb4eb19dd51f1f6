/* Shows the print button, which works only with JavaScript. Pages with nothing to print have none. */
const button = document.querySelector("[data-print]");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
