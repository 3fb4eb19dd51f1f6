/* Asks every few seconds while somebody looks, seldom while nothing happens, not at all while hidden, and at once when the
   page is shown again. */
const SELDOM = 15_000;
const QUIET_AFTER = 300_000;

/** Calls `look` about every `often` milliseconds; it returns, or promises, whether something changed. */
export function poll(often, look) {
  let changed = Date.now();
  let timer, asking;
  /* A hall of phones must not ask all at the same moment. */
  const pause = () => (Date.now() - changed > QUIET_AFTER ? SELDOM : often) * (0.8 + 0.4 * Math.random());

  async function ask() {
    clearTimeout(timer);
    if (document.hidden || asking) return;
    asking = true;
    /* No signal: the next time. */
    if (await look().catch(() => false)) changed = Date.now();
    asking = false;
    timer = setTimeout(ask, pause());
  }

  document.addEventListener("visibilitychange", ask);
  addEventListener("online", ask);
  ask();
}
