/* Lets a game that was open here open again without signal. VERSION and SHELL stand above, written by the server.

   Only boards are kept, each as it was last seen; nothing that is sent, and no watch page. A new version waits as long as
   hands do: until then the page that wrote them, and every file it names, stay as they are. */
const FILES = "files-";
const BOARDS = "boards";
const PATIENCE = 4_000;
const BOARD = /^\/games\/[^/]+$/;

/* The hands that wait here, of one game or of all; where nothing can be read, none do. */
function waiting(game) {
  return new Promise((resolve) => {
    const asked = indexedDB.open("scorekeeper");
    /* Not ours to make: the page makes it. */
    asked.onupgradeneeded = () => asked.transaction.abort();
    asked.onerror = () => resolve(0);
    asked.onsuccess = () => {
      const database = asked.result;
      try {
        const hands = database.transaction("hands").objectStore("hands");
        const count = game ? hands.index("game").count(game) : hands.count();
        count.onsuccess = () => resolve(count.result);
        count.onerror = () => resolve(0);
      } catch {
        resolve(0);
      }
      database.close();
    };
  });
}

async function install() {
  if (registration.active && (await waiting())) throw new Error("hands are waiting");
  const files = await caches.open(FILES + VERSION);
  await files.addAll(SHELL);
}

async function activate() {
  await clients.claim();
  if (await waiting()) return;
  for (const name of await caches.keys()) if (name.startsWith(FILES) && name !== FILES + VERSION) await caches.delete(name);
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/* A login page of the Wi-Fi answers with 200 too, and must not stand in the game's place from then on. */
const isBoard = ({ ok, redirected, headers }) => ok && !redirected && headers.get("X-Part") === "page";

async function keep(url, reply) {
  const boards = await caches.open(BOARDS);
  /* The latest stands last. */
  await boards.delete(url);
  await boards.put(url, reply);
}

async function page(event, { origin, pathname }) {
  const address = origin + pathname;
  const boards = await caches.open(BOARDS);
  const kept = BOARD.test(pathname) ? await boards.match(address) : undefined;
  if (kept && (await waiting(pathname.split("/")[2]))) return kept;
  const asked = fetch(event.request).then((reply) => {
    if (BOARD.test(pathname) && isBoard(reply)) event.waitUntil(keep(address, reply.clone()).catch(() => {}));
    return reply;
  });
  if (!kept) return asked.catch((error) => resume(boards, pathname, error));
  asked.catch(() => {});
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  return Promise.race([asked, late]).catch(() => kept);
}

/* The phone was started anew, and its first page is not to be had: then the game that was open last. */
async function resume(boards, pathname, error) {
  const last = (await boards.keys()).at(-1);
  if (pathname === "/" && last) return Response.redirect(last.url);
  throw error;
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});
