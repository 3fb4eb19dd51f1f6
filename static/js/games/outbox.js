/* Stores hands on this phone until the server has them, in the order they were played, and what each game needs to go on.
   If storage is full, hands stay in memory only, and the scorer is told. */
import { filled } from "../dom.js";

const STORES = { hands: { keyPath: "order", autoIncrement: true }, games: { keyPath: "game" }, leases: { keyPath: "name" } };
const held = [];
/* States that did not fit into storage; newer than the stored ones. */
const games = new Map();
const me = crypto.getRandomValues(new Uint32Array(2)).join("-");
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("scorekeeper", 1);
    asked.onupgradeneeded = () => {
      for (const [name, options] of Object.entries(STORES)) asked.result.createObjectStore(name, options);
      asked.transaction.objectStore("hands").createIndex("game", "game");
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

/* Runs `work` in one transaction, and returns the result of its request once all of it is on the disk. */
async function inOne(name, mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

function then(request, work) {
  request.onsuccess = () => {
    try {
      work(request.result);
    } catch {
      request.transaction.abort();
    }
  };
  return request;
}

/** Returns the stored game, {game, kit, state, bid, since, heard} (`since`: when the state was learned; `heard`: the
    answer to hands that the service worker sent), or undefined. */
export async function gameOf(game) {
  const loose = games.get(game);
  const kept = await inOne("games", "readonly", (store) => store.get(game)).catch(() => undefined);
  return kept || loose ? { ...kept, ...loose } : undefined;
}

/** Adds `more` to the stored game; it survives a restart if storage has room. */
export async function keepGame(game, more) {
  const loose = { ...games.get(game), game, ...more };
  games.set(game, loose);
  const put = (store) => then(store.get(game), (kept) => store.put({ ...kept, ...loose }));
  await inOne("games", "readwrite", put).then(() => games.get(game) === loose && games.delete(game), () => {});
}

/** Returns the waiting hands of a game, oldest first; `loose` marks those in memory only. */
export async function waiting(game) {
  const loose = held.filter((hand) => hand.game === game);
  try {
    return [...(await inOne("hands", "readonly", (store) => store.index("game").getAll(game))), ...loose];
  } catch {
    return loose;
  }
}

/** Returns the games that the server does not have yet, or whose hands wait, each with its `hands`. */
export async function unsent() {
  const [kept, all] = await Promise.all(["games", "hands"].map((name) => inOne(name, "readonly", (store) => store.getAll())));
  const own = kept.map((each) => ({ ...each, hands: all.filter(({ game }) => game === each.game) }));
  return own.filter(({ start, hands, kit }) => kit && (start || hands.length));
}

/** Says how many changes of a game are waiting: "2 hands waiting", or "Game waiting" if only its start is. */
export function waitingText(words, hands) {
  const [one, many] = hands.some(({ kind }) => kind) ? [words.change, words.changes] : [words.one, words.many];
  return hands.length === 1 ? one : hands.length ? filled(many, { n: hands.length }) : words.begun;
}

/** Removes a game that the server will never accept. */
export const forget = (game) => inOne("games", "readwrite", (store) => store.delete(game)).then(() => games.delete(game));

/** Adds a hand after the `before` hands that are waiting already, unless another tab was first. */
export async function add(hand, before) {
  const own = { ...hand, id: newId() };
  try {
    /* After a hand in memory only, none may be stored: a restart would leave a gap. */
    if (held.some(({ game }) => game === hand.game)) throw new Error("no room");
    const addLast = (store) => then(store.index("game").count(hand.game), (count) => count === before && store.add(own));
    await inOne("hands", "readwrite", addLast);
    /* Browsers that can do so wake the service worker when the signal is back, even with the page closed. */
    navigator.serviceWorker?.ready.then(({ sync }) => sync?.register("hands")).catch(() => {});
  } catch {
    held.push({ ...own, loose: true });
  }
}

/** Replaces these waiting changes by others, all at once. */
export async function swap(game, old, changes) {
  const own = changes.map((change) => ({ game, at: Date.now(), ...change, id: change.id ?? newId() }));
  await inOne("hands", "readwrite", (store) => {
    old.forEach(({ order }) => order && store.delete(order));
    own.forEach((change) => store.add(change));
  });
}

/** Removes these hands. */
export async function drop(hands) {
  for (const { id } of hands) {
    const place = held.findIndex((hand) => hand.id === id);
    if (place >= 0) held.splice(place, 1);
  }
  const kept = hands.filter(({ loose }) => !loose);
  if (kept.length) await inOne("hands", "readwrite", (store) => kept.forEach(({ order }) => store.delete(order)));
}

/** Runs `work` unless another tab of this phone is running it. Without locks, a tab that was closed blocks it for `ms`. */
export async function alone(name, ms, work) {
  if (navigator.locks) return navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
  let free = true;
  const take = (store) =>
    then(store.get(name), (lease) => {
      const left = lease ? lease.until - Date.now() : 0;
      /* A clock that was set back must not block it for a day. */
      free = lease?.owner === me || left <= 0 || left > ms;
      if (free) store.put({ name, owner: me, until: Date.now() + ms });
    });
  await inOne("leases", "readwrite", take).catch(() => (free = true));
  if (!free) return;
  try {
    return await work();
  } finally {
    await inOne("leases", "readwrite", (store) => store.delete(name)).catch(() => {});
  }
}

/* Not randomUUID, which plain HTTP does not have. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
