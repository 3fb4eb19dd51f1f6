/* Shows the hint for the first hand in the first game on this phone, until it is dismissed. Without JavaScript the page shows
   it as a plain line. */
const KEY = "hinted";
const hint = document.querySelector(".hint");

function start() {
  const seen = localStorage.getItem(KEY);
  if (seen && seen !== location.pathname) return;
  localStorage.setItem(KEY, location.pathname);
  hint.hidden = false;
  hint.querySelector("button").onclick = () => {
    localStorage.setItem(KEY, "dismissed");
    hint.hidden = true;
  };
}

try {
  if (hint) start();
} catch {
  /* Without storage there is no way to show it only once. */
}
