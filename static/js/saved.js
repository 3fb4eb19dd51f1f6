/* What a tap did comes as a new page, and of that a screen reader says nothing and a hand feels nothing. What was sent is
   noted on the way out; if the game has moved on when the next page is there, it is said, and a saved hand is felt. */
const voice = document.querySelector(".says");
const KEY = "sent";
/* Milliseconds. Words that stand in a live region from the start are read by nobody. */
const SETTLED = 300;
const SHORT = 40;
const game = location.pathname.split("/")[2];

function note(event) {
  if (event.defaultPrevented || event.target.method !== "post") return;
  const hand = new URL(event.submitter?.getAttribute("formaction") ?? event.target.action, location).pathname.endsWith("/hands");
  sessionStorage.setItem(KEY, JSON.stringify({ game, version: Number(voice.dataset.version), hand }));
}

function tell() {
  const sent = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  sessionStorage.removeItem(KEY);
  if (sent.game !== game || sent.version >= Number(voice.dataset.version)) return;
  setTimeout(() => (voice.textContent = voice.dataset.says), SETTLED);
  /* A browser complains of a page that vibrates before it was ever touched. */
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (sent.hand && touched && "buzz" in voice.dataset) navigator.vibrate?.(SHORT);
}

try {
  tell();
  addEventListener("submit", note);
} catch {
  /* No storage: then the page alone says it. */
}
