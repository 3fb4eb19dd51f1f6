/* What this phone keeps until the score book has it: hands in the order they were played, and of each game what is needed
   to play on. Where there is no room, hands are held on this screen only, and whoever adds one is told. */
const STORES = { hands: { keyPath: "order", autoIncrement: true }, games: { keyPath: "game" }, leases: { keyPath: "name" } };
const held = [];
/* What there was no room for: newer than what is kept. */
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

/* Does `work` in one transaction; returns the result of the request that `work` returns once all of it is on the disk. */
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

/** What is kept of a game: {game, kit, state, bid, since}, since when the state is known; undefined where nothing is. */
export async function gameOf(game) {
  const loose = games.get(game);
  const kept = await inOne("games", "readonly", (store) => store.get(game)).catch(() => undefined);
  return kept || loose ? { ...kept, ...loose } : undefined;
}

/** Keeps more of a game: over a restart too, where there is room. */
export async function keepGame(game, more) {
  const loose = { ...games.get(game), game, ...more };
  games.set(game, loose);
  const put = (store) => then(store.get(game), (kept) => store.put({ ...kept, ...loose }));
  await inOne("games", "readwrite", put).then(() => games.get(game) === loose && games.delete(game), () => {});
}

/** The hands of a game that wait, the first one first; `loose` where only this screen has them. */
export async function waiting(game) {
  const loose = held.filter((hand) => hand.game === game);
  try {
    return [...(await inOne("hands", "readonly", (store) => store.index("game").getAll(game))), ...loose];
  } catch {
    return loose;
  }
}

/** Adds a hand after the `before` that wait already, unless another tab was first. */
export async function add(hand, before) {
  const own = { ...hand, id: newId() };
  try {
    /* After one that only this screen has, none may be kept: a restart would leave a gap. */
    if (held.some(({ game }) => game === hand.game)) throw new Error("no room");
    const addLast = (store) => then(store.index("game").count(hand.game), (count) => count === before && store.add(own));
    await inOne("hands", "readwrite", addLast);
    /* Where the browser can, it wakes the worker when the signal is back, also with the page closed. */
    navigator.serviceWorker?.ready.then(({ sync }) => sync?.register("hands")).catch(() => {});
  } catch {
    held.push({ ...own, loose: true });
  }
}

/** Lets go of these hands. */
export async function drop(hands) {
  for (const { id } of hands) {
    const place = held.findIndex((hand) => hand.id === id);
    if (place >= 0) held.splice(place, 1);
  }
  const kept = hands.filter(({ loose }) => !loose);
  if (kept.length) await inOne("hands", "readwrite", (store) => kept.forEach(({ order }) => store.delete(order)));
}

/** Does `work` where no other tab of this phone is at it. Without locks, a tab that was closed meanwhile blocks it for `ms`. */
export async function alone(name, ms, work) {
  if (navigator.locks) return navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
  let free = true;
  const take = (store) =>
    then(store.get(name), (lease) => {
      const left = lease ? lease.until - Date.now() : 0;
      /* A clock that was put back must not lock the door for a day. */
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

/* Not randomUUID: on plain http there is none. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
