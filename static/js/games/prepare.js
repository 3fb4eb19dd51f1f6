/* Lets this phone start games without a signal: has the service worker fetch what it starts them with. */

/** Starts the service worker and tells it to fetch that, in the background. */
export async function prepare() {
  if (!navigator.serviceWorker) return;
  /* The browser looks for a new version by itself. */
  if (!navigator.serviceWorker.controller) await navigator.serviceWorker.register("/sw.js");
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage("prepare");
}

/* Pages that start games load this as a script of its own; the board waits until its first tap is possible. */
if (!document.body.classList.contains("board")) {
  const later = () => setTimeout(() => prepare().catch(() => {}), 500);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
