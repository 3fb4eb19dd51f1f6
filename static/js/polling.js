/* Polls every few seconds while the page is visible, less often while nothing changes, never while it is hidden, and at
   once when it is shown again. */
const SELDOM = 15_000;
const QUIET_AFTER = 300_000;

/** Calls `look` about every `often` milliseconds. `look` returns (a promise of) whether anything changed. */
export function poll(often, look) {
  let changed = Date.now();
  let timer, asking;
  /* Spread out, so that a hall of phones does not ask at the same moment. */
  const pause = () => (Date.now() - changed > QUIET_AFTER ? Math.max(SELDOM, often) : often) * (0.8 + 0.4 * Math.random());

  async function ask() {
    clearTimeout(timer);
    if (document.hidden || asking) return;
    asking = true;
    /* Without a signal, try again next time. */
    if (await look().catch(() => false)) changed = Date.now();
    asking = false;
    timer = setTimeout(ask, pause());
  }

  document.addEventListener("visibilitychange", ask);
  addEventListener("online", ask);
  ask();
}
