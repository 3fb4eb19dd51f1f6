/* Lets a game that was open here open again without signal, and sends its hands where no page does. What cannot be had says
   so in our own words, in place of the browser's error page. VERSION, SHELL and AWAY stand above, written by the server.

   Only boards are kept, each as it was last seen; nothing that is sent, and no watch page. A new version waits as long as
   hands do: until then the page that wrote them, and every file it names, stay as they are. */
const FILES = "files-";
const BOARDS = "boards";
const PATIENCE = 4_000;
const MOST = 200;
const BOARD = /^\/games\/[^/]+$/;

/* What a request to the database of the hands gives; nothing where there is none. */
function ask(stores, mode, work) {
  return new Promise((resolve) => {
    const asked = indexedDB.open("scorekeeper");
    /* Not ours to make: the page makes it. */
    asked.onupgradeneeded = () => asked.transaction.abort();
    asked.onerror = () => resolve();
    asked.onsuccess = () => {
      const database = asked.result;
      try {
        const transaction = database.transaction(stores, mode, { durability: "strict" });
        const request = work(...stores.map((name) => transaction.objectStore(name)));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => resolve();
      } catch {
        resolve();
      }
      database.close();
    };
  });
}

/* How many hands wait here, of one game or of all; where nothing can be read, none do. */
const waiting = async (game) =>
  (await ask(["hands"], "readonly", (hands) => (game ? hands.index("game").count(game) : hands.count()))) ?? 0;

/* The signal is back, and perhaps no page is open any more. What the score book does not take is left to the page: it can
   say why. Throws where there was no answer: then the browser asks again. */
async function carry(game) {
  const address = `/games/${game}/waiting`;
  const hands = await ask(["hands"], "readonly", (store) => store.index("game").getAll(game, MOST));
  const { state } = (await ask(["games"], "readonly", (store) => store.get(game))) ?? {};
  if (!hands?.length || !state) return;
  const { token } = await (await fetch(address)).json();
  const body = { game, version: state.version, hands: hands.map(({ id, number, hand }) => ({ id, number, hand })) };
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  const reply = await fetch(address, { method: "POST", body: JSON.stringify(body), headers });
  const answer = await reply.json();
  if (!reply.ok || answer.trouble || !Array.isArray(answer.saved)) return;
  const saved = hands.filter(({ id }) => answer.saved.includes(id));
  await ask(["hands", "games"], "readwrite", (store, games) => {
    for (const { order } of saved) store.delete(order);
    const kept = games.get(game);
    kept.onsuccess = () => games.put({ ...kept.result, state: answer.state });
  });
  new BroadcastChannel(`game ${game}`).postMessage("saved");
}

async function carryAll() {
  const hands = (await ask(["hands"], "readonly", (store) => store.getAll())) ?? [];
  for (const game of new Set(hands.map((hand) => hand.game))) {
    /* The page sends under the same lock. */
    await navigator.locks.request(`send ${game}`, { ifAvailable: true }, (lock) => lock && carry(game));
  }
}

async function install() {
  if (registration.active && (await waiting())) throw new Error("hands are waiting");
  const files = await caches.open(FILES + VERSION);
  await files.addAll([...SHELL, AWAY]);
}

/* In the language that is read now, once in the life of a worker. */
let renewed;
const renew = () => (renewed ??= caches.open(FILES + VERSION).then((files) => files.add(AWAY)).catch(() => {}));

/* No network at all: our own page, which leads back to the game. */
async function away(error) {
  const told = await caches.match(AWAY);
  if (!told) throw error;
  return told;
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
  await renew();
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
  return pathname === "/" && last ? Response.redirect(last.url) : away(error);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("sync", (event) => event.waitUntil(carryAll()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (request.mode === "navigate") event.respondWith(fetch(request).catch(away));
    return;
  }
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});
