/* Reopens a game without a signal if it was open here before, and sends its hands when no page is open. Shows our own page
   in place of the browser's error page. The server adds VERSION, SHELL, AWAY and RULES (rules.js) above, and sw-games.js
   below, which starts games.

   Only boards and the home page are stored, each as last seen, and the latest answers to forms; never anything that is sent,
   and no watch pages. A new version is not installed while hands are waiting, so that the page they were entered on, and
   every file it uses, stay the same. */
const FILES = "files-";
const BOARDS = "boards";
const ANSWERS = "answers";
const LATEST = 20;
const PATIENCE = 4_000;
const MOST = 200;
const HOME = "/";
/* Leads back to the last open game. */
const LAST = "?last";
const SETUP = "/games/new";
const BOARD = /^\/games\/[^/]+$/;
/* A page below a game's board: its menu, its history. */
const BELOW = /^(\/games\/[^/]+)\/./;
/* Pages whose forms may be answered with a page that is stored here; boards have their own way. */
const FORMS = /^\/(?:games\/(?:new|[^/]+\/.+))?$/;

/* Returns the result of a request to the database of hands, or nothing if there is no database. */
function ask(stores, mode, work) {
  return new Promise((resolve) => {
    const asked = indexedDB.open("scorekeeper", 1);
    /* As in outbox.js. */
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("hands", { keyPath: "order", autoIncrement: true }).createIndex("game", "game");
      asked.result.createObjectStore("games", { keyPath: "game" });
      asked.result.createObjectStore("leases", { keyPath: "name" });
    };
    asked.onerror = () => resolve();
    asked.onsuccess = () => {
      const database = asked.result;
      database.onversionchange = () => database.close();
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

/* Returns how many hands are waiting, of one game or of all; 0 if storage cannot be read. */
const waiting = async (game) =>
  (await ask(["hands"], "readonly", (hands) => (game ? hands.index("game").count(game) : hands.count()))) ?? 0;

/* Sends a game that was started here and its waiting hands, because no page may be open when the signal is back. Hands that the server refuses are
   left to the page, which can say why. Throws if there was no answer, so that the browser tries again. */
async function carry(game) {
  const address = `/games/${game}/waiting`;
  const hands = await ask(["hands"], "readonly", (store) => store.index("game").getAll(game, MOST));
  const { state, start } = (await ask(["games"], "readonly", (store) => store.get(game))) ?? {};
  if (!state || !(start || hands?.length)) return;
  const { token } = await (await fetch(start ? "/games/token" : address)).json();
  const body = { game, version: state.version, ...(start && { start }), hands: hands.map(({ order, game: _game, ...change }) => change) };
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  const reply = await fetch(address, { method: "POST", body: JSON.stringify(body), headers });
  const answer = await reply.json();
  if (!Array.isArray(answer.saved)) return;
  const { saved, kept: news } = RULES.afterSending(answer, hands);
  await ask(["hands", "games"], "readwrite", (store, games) => {
    for (const { order } of saved) store.delete(order);
    const kept = games.get(game);
    kept.onsuccess = () => games.put({ ...kept.result, ...news });
  });
  new BroadcastChannel(`game ${game}`).postMessage("saved");
  if (start) await keepBoard(game);
}

async function carryAll() {
  const hands = (await ask(["hands"], "readonly", (store) => store.getAll())) ?? [];
  const begun = (await starts()).map(({ game }) => game);
  let failed;
  for (const game of new Set([...begun, ...hands.map((hand) => hand.game)])) {
    /* The page uses the same lock to send. */
    const sent = navigator.locks.request(`send ${game}`, { ifAvailable: true }, (lock) => lock && carry(game));
    /* The next game may be sent nevertheless. */
    await sent.catch((error) => (failed = error));
  }
  if (failed) throw failed;
}

async function install() {
  if (registration.active && ((await waiting()) || (await starts()).length)) throw new Error("hands are waiting");
  const files = await caches.open(FILES + VERSION);
  await files.addAll([...SHELL, AWAY]);
}

/* Stores the page in the current language, once in the life of a worker. */
let renewed;
const renew = () => (renewed ??= caches.open(FILES + VERSION).then((files) => files.add(AWAY)).catch(() => {}));

/* Without a network, shows our own page, which leads back to the game. */
async function away(error) {
  const told = await caches.match(AWAY);
  if (!told) throw error;
  return told;
}

/* Leads a form that could not be sent to a page of its own, because Back can't open the answer of a form. */
function unsent({ referrer }) {
  const { pathname, search } = new URL(referrer || HOME, location.origin);
  return Response.redirect(`${AWAY}?back=${encodeURIComponent(pathname + search)}`, 303);
}

/* In place of an error page that answered a form. A redirect would be looked up only in the browser's cache. */
const toForm = ({ referrer }) => `<!doctype html><meta http-equiv="refresh" content="0; url=${escaped(referrer || HOME)}">`;

/* With a signal, that page leads back to the form. */
async function tryAgain(request, back) {
  const { origin, href } = new URL(back, location.origin);
  return fetch(request).then((reply) => (origin === location.origin ? Response.redirect(href) : reply), away);
}

/* Returns the page that answered a form (web/form_answers.py and error_answers.py), or nothing if it is gone. It never
   changes. */
async function answer(request, pathname) {
  const kept = await (await caches.open(ANSWERS)).match(request.url);
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.headers.get("X-Part") !== "answer") return;
  if (FORMS.test(pathname) && reply.headers.get("Cache-Control") !== "no-store") await keepAnswer(request.url, reply.clone()).catch(() => {});
  return reply;
}

async function keepAnswer(url, reply) {
  const answers = await caches.open(ANSWERS);
  await answers.put(url, reply);
  for (const old of (await answers.keys()).slice(0, -LATEST)) await answers.delete(old);
}

async function activate() {
  await clients.claim();
  if ((await waiting()) || (await starts()).length) return;
  for (const name of await caches.keys()) if (name.startsWith(FILES) && name !== FILES + VERSION) await caches.delete(name);
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/* A Wi-Fi login page answers 200 too, and must not replace the stored game. */
const isBoard = ({ ok, redirected, headers }) => ok && !redirected && headers.get("X-Part") === "page";

/* Stores the server's board of a game that was started here in place of the one made here. */
async function keepBoard(game) {
  const reply = await fetch(`/games/${game}`);
  if (isBoard(reply)) await keep(`${location.origin}/games/${game}`, reply);
}

async function keep(url, reply) {
  const boards = await caches.open(BOARDS);
  /* The latest one comes last. */
  await boards.delete(url);
  await boards.put(url, reply);
  await renew();
}

async function page(event, { origin, pathname, search }) {
  const address = origin + pathname;
  const boards = await caches.open(BOARDS);
  const query = new URLSearchParams(search);
  if (search === LAST) return backToGame(boards, origin);
  if (pathname === AWAY && query.has("back")) return tryAgain(event.request, query.get("back"));
  if (query.has("answer") || query.has("problem")) {
    const answered = await answer(event.request, pathname).catch(() => {});
    if (answered) return answered;
  }
  const [, , game] = pathname.split("/");
  const [, below] = pathname.match(BELOW) ?? [];
  const isKept = pathname === HOME || (BOARD.test(pathname) && pathname !== SETUP);
  const kept = isKept ? await boards.match(address) : undefined;
  if (kept && game && (await waiting(game))) return kept;
  const instead = () => (pathname === HOME ? stored(kept) : kept);
  /* The server does not know this game yet. */
  if (game && (await startOf(game))) return kept ?? (await boards.match(location.origin + below)) ?? away();
  const asked = fetch(event.request).then((reply) => {
    if (isKept && isBoard(reply)) event.waitUntil(keep(address, reply.clone()).catch(() => {}));
    return reply;
  });
  if (!kept) return asked.catch((error) => resume(boards, pathname, error));
  asked.catch(() => {});
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  return Promise.race([asked, late]).catch(() => {}).then((reply) => reply ?? instead());
}

/* The home page with "data-stored", so that its script can mark what needs a signal (home.js). */
async function stored(home) {
  const text = (await home.text()).replace("<html", "<html data-stored");
  return new Response(text, { headers: home.headers });
}

/* Without a home page, the last open game is shown instead. For a page below a board its
   stored board is the answer, whose scripts show that page if the phone has it (offline.js: onPath). */
async function resume(boards, pathname, error) {
  const [, board] = pathname.match(BELOW) ?? [];
  const shell = board && (await boards.match(location.origin + board));
  if (shell) return shell;
  if (pathname === SETUP) return (await setup()) ?? away(error);
  return pathname === HOME ? backToGame(boards, location.origin, error) : away(error);
}

async function backToGame(boards, origin, error) {
  const last = (await boards.keys()).filter(({ url }) => BOARD.test(new URL(url).pathname)).at(-1);
  if (last) return Response.redirect(last.url);
  return error ? away(error) : Response.redirect(origin + HOME);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("sync", (event) => event.waitUntil(carryAll()));
/* What pages ask for. */
addEventListener("message", (event) => {
  const work = { prepare: () => carryAll().finally(prepare), send: carryAll }[event.data];
  if (work) event.waitUntil(work().catch(() => {}));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (request.mode !== "navigate") return;
    if (request.isHistoryNavigation) return event.respondWith(html(toForm(request)));
    event.respondWith(STARTS.test(url.pathname) ? submitted(request, url.pathname) : fetch(request).catch(() => unsent(request)));
    return;
  }
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});
