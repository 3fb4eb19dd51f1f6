/* The phone lies on the table between two hands, and nobody wants to unlock it for each. The lock is gone as soon as the
   page is hidden, so it is asked for again when the page is seen again. Where a browser has none, or refuses for a low
   battery or plain http, the screen goes dark as usual. */
let lock;

async function stayOn() {
  if (document.visibilityState !== "visible") return;
  if (document.querySelector(".outcome")) return lock?.release();
  try {
    if (lock?.released ?? true) lock = await navigator.wakeLock?.request("screen");
  } catch {
    /* Then not. */
  }
}

for (const change of ["visibilitychange", "board-replaced"]) document.addEventListener(change, stayOn);
stayOn();
