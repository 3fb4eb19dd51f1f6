/* The phone lies on the table between two hands, and nobody wants to unlock it for each. The lock is gone as soon as the
   page is hidden, so it is asked for again when the page is seen again. Where a browser has none, or refuses for a low
   battery or plain http, the screen goes dark as usual. */
async function stayOn() {
  if (document.visibilityState !== "visible") return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    /* Then not. */
  }
}

document.addEventListener("visibilitychange", stayOn);
stayOn();
