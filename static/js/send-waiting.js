/* Has the service worker send what waits on this phone, from whatever page is open: not every browser wakes it when the
   signal is back. */
const send = () => navigator.serviceWorker?.controller?.postMessage("send");

addEventListener("pageshow", send);
addEventListener("online", send);
document.addEventListener("visibilitychange", () => document.hidden || send());
