/* Hands the address on in the phone's own way, or copies it; where neither can be, there is no button. */
const button = document.querySelector("[data-share]");
const url = button?.dataset.share;

async function copy() {
  await navigator.clipboard.writeText(url);
  button.textContent = "Copied";
}

const way = navigator.share ? () => navigator.share({ title: document.title, url }) : navigator.clipboard && copy;

if (button && way) {
  if (way === copy) button.textContent = "Copy the address";
  button.hidden = false;
  button.addEventListener("click", () => way().catch(() => {}));
}
