/* Keeps the screen on, so that nobody has to unlock the phone for each hand. The lock ends when the page is hidden, so it is
   requested again when the page is shown. If a browser has no wake lock, or refuses it because of a low battery or plain
   HTTP, the screen turns off as usual. */
let lock;

async function stayOn() {
  if (document.visibilityState !== "visible") return;
  if (document.querySelector(".outcome")) return lock?.release();
  try {
    if (lock?.released ?? true) lock = await navigator.wakeLock?.request("screen");
  } catch {
    /* The screen turns off as usual. */
  }
}

for (const change of ["visibilitychange", "board-replaced"]) document.addEventListener(change, stayOn);
stayOn();
