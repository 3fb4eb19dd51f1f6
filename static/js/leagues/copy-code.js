/* Copies the code of an embed. Without JavaScript it is copied by hand. */
import { copy } from "../share.js";

for (const button of document.querySelectorAll("[data-copy-code]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = button.parentElement.querySelector("textarea");
    try {
      await copy(field.value, field);
      button.textContent = button.dataset.copied;
    } catch {
      field.select();
    }
  });
}
