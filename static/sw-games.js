/* Starts games without a signal: answers the forms that start games as the server would, with the pages and bundles that it
   gave this phone earlier (scorekeeper/games/views/offline_kits.py). The server adds this file to sw.js.

   A game gets its id from the form, the same one that the server gives it (idOf). So a game that the server did start, but
   whose answer was lost, is the same game. */
const KITS = "kits";
const KITS_URL = "/games/kits.json";
const AN_HOUR = 3_600_000;
const SLOW = 8_000;
const GAME = "aeiouaeiou";
const CLIENT = "placeholder-for-an-id";
const MAIN = "<!--main-->";
const LETTERS = "23456789bcdfghjkmnpqrstvwxz";
const NAME_LENGTH = 40;
const STARTS = /^\/games(?:\/new|\/again|\/[^/]+\/rematch)?$/;

/* Whether a game was started since the kits were fetched: the next one is offered its players and house rules. */
let outdated = false;

/* As gzip, the kits take a tenth of the space. */
const GZIP = "X-Gzip";

async function kits() {
  const kept = await (await caches.open(KITS)).match(KITS_URL);
  const plain = kept?.headers.has(GZIP) ? new Response(kept.body.pipeThrough(new DecompressionStream("gzip"))) : kept;
  return plain?.json();
}

/* Fetches what games are started with, at most once an hour and after each start, and the home page. Only our server's answers are stored. */
async function prepare() {
  const store = await caches.open(KITS);
  const kept = await store.match(KITS_URL);
  const age = Date.now() - Date.parse(kept?.headers.get("Date") ?? 0);
  if (outdated || !(age < AN_HOUR) || kept.headers.get("X-Version") !== VERSION) {
    /* A game that is started from here on is not in these kits. */
    outdated = false;
    outdated = !(await fetched(store).catch(() => false)) || outdated;
  }
  const boards = await caches.open(BOARDS);
  if (await boards.match(location.origin + HOME)) return;
  const home = await fetch(HOME);
  if (isBoard(home)) await keep(location.origin + HOME, home);
}

/* Fetches and stores the kits, and returns whether the server sent them. */
async function fetched(store) {
  const reply = await fetch(KITS_URL);
  const headers = new Headers(reply.headers);
  headers.set("X-Version", VERSION);
  if (!reply.ok || headers.get("Content-Type") !== "application/json") return false;
  const gzip = globalThis.CompressionStream && new CompressionStream("gzip");
  if (gzip) headers.set(GZIP, "1");
  await store.put(KITS_URL, new Response(gzip ? reply.body.pipeThrough(gzip) : await reply.blob(), { headers }));
  return true;
}

/* Answers a form that starts a game. The server comes first, unless it cannot know the game before. */
async function submitted(request, path) {
  const fields = new URLSearchParams(await request.clone().text());
  const [, , before] = path.split("/");
  const pending = path === "/games/again" ? (await starts()).length : before !== "new" && before && ((await startOf(before)) || (await waiting(before)));
  const here = async () => (await started(path, fields)) ?? unsent(request);
  if (pending) return here();
  const asked = fetch(request);
  if (path === "/games") asked.then(() => (outdated = true), () => {});
  const late = new Promise((resolve) => setTimeout(resolve, SLOW)).then(() => started(path, fields));
  return Promise.race([asked, late.then((reply) => reply ?? asked)]).catch(here);
}

/* Returns the phone's own answer to the form, or nothing if it has none. A page gets an address of its own, as on the server. */
async function started(path, fields) {
  const reply = await replyTo(path, fields);
  if (reply?.status !== 200) return reply;
  const url = `${location.origin}${SETUP}?answer=${newKey()}`;
  return keepAnswer(url, reply.clone()).then(() => Response.redirect(url, 303), () => reply);
}

async function replyTo(path, fields) {
  if (path === "/games/new") return setup(fields);
  if (path === "/games") return begin(path, fields);
  return playAgain(path, fields, path === "/games/again" ? await latest() : path.split("/")[2]);
}

const startOf = async (game) => (await ask(["games"], "readonly", (games) => games.get(game)))?.start;
const allGames = async () => (await ask(["games"], "readonly", (games) => games.getAll())) ?? [];

/* Returns the games that the server does not have yet, the first one first. */
const starts = async () => (await allGames()).filter(({ start }) => start).sort((one, other) => one.start.at - other.start.at);

async function latest() {
  const known = (await allGames()).filter(({ kit }) => kit?.record);
  return known.sort((one, other) => (one.since ?? 0) - (other.since ?? 0)).at(-1)?.game;
}

/* Returns the id of the game that a form starts (StartForm.game_id). */
async function idOf(path, fields) {
  const told = [...fields].filter(([key]) => key !== "csrf_token").map(([key, value]) => `${key}=${value}`);
  const bytes = new TextEncoder().encode([path, ...told.sort()].join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 10), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/* Returns the lines of these numbers; a negative one stands for as many lines after the one before. */
const linesOf = ({ lines }, numbers) =>
  numbers.flatMap((each, place) => (each < 0 ? lines.slice(numbers[place - 1] + 1, numbers[place - 1] + 1 - each) : lines[each]));

/* Returns a part of the kits with its lines, names and game in place (kit_packing.py). */
function filled(value, data, names, game) {
  const inner = (each) => filled(each, data, names, game);
  if (typeof value === "string") return named(value, data, names).replaceAll(GAME, game);
  if (Array.isArray(value)) return value.map(inner);
  if (value === null || typeof value !== "object") return value;
  if ("@" in value) return inner(data.shared[value["@"]]);
  if (value.$) return inner(linesOf(data, value.$).join("\n"));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]));
}

/* Puts the names in place. A short word before a name may change with it: "y Inés" is "e Inés" in Spanish. */
function named(text, { elisions }, names) {
  let told = text;
  for (const [word, other, sound] of elisions) {
    const fits = new RegExp(`^(?:${sound})`);
    const before = new RegExp(`(^|[^\\p{L}])${word}(?=\\ue000(\\d))`, "gu");
    told = told.replace(before, (all, first, seat) => (fits.test(plain(names[seat])) ? first + other : all));
  }
  const shown = text.includes("<") ? escaped : String;
  return told.replace(/\ue000(\d)\ue001/g, (_, seat) => shown(names[seat]));
}

const MADE_HERE = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY, "X-Part": "page" };
const html = (text) => new Response(text, { headers: MADE_HERE });

const allOf = (fields, key) => fields.getAll(key).join(" ");
const rulesIn = (fields) => [...fields.keys()].filter((key) => key.startsWith("rule-")).map((key) => [key, allOf(fields, key)]);

/* Returns the kit with exactly the rules in a form. */
const exactKit = (data, fields) =>
  data.kits.find(
    ({ preset, seating, rules, options }) =>
      preset === fields.get("preset") &&
      seating === fields.get("seating") &&
      rulesIn(fields).every(([key, value]) => rules[key] === value) &&
      Object.entries(options).every(([key, value]) => allOf(fields, key) === value),
  );

/* Returns the kit that a button of the new-game page chooses. */
function chosenKit(data, fields) {
  const use = fields.get("use_rules");
  const preset = fields.get("choose") ?? fields.get("preset");
  const wanted = preset === fields.get("preset") ? (fields.get("seating_choice") ?? fields.get("seating")) : "";
  const fits = data.kits.filter((kit) => (use ? `${kit.saved}` === use : kit.preset === preset && kit.saved === null));
  return fits.find(({ seating }) => seating === wanted) ?? fits[0] ?? data.kits[0];
}

const namesIn = (fields, seats) => Array.from({ length: seats }, (_, seat) => fields.get(`name-${seat}`) ?? "");

/* Returns the page that starts a game, for the choices made so far; without any, for the last table. */
async function setup(asked, error = "") {
  const data = await kits();
  if (!data) return;
  const fields = asked ?? new URLSearchParams(data.last);
  const kit = exactKit(data, fields) && error ? exactKit(data, fields) : chosenKit(data, fields);
  const dealer = Math.min(Number(fields.get("first_dealer")) || 0, kit.seats - 1);
  const main = filled(kit.setup, data, namesIn(fields, kit.seats), "")
    .replaceAll(CLIENT, newKey())
    .replace(/(name="first_dealer" value="\d+") checked/, "$1")
    .replace(`name="first_dealer" value="${dealer}"`, "$& checked")
    .replace("<!--error-->", error && `<p class="error" role="alert">${escaped(error)}</p>`);
  return html(data.page.replace(MAIN, () => main));
}

/* Starts a game with the choices in a form. */
async function begin(path, fields) {
  const data = await kits();
  if (!data) return;
  const { words } = data;
  const kit = exactKit(data, fields);
  if (!kit) return setup(fields, words.rules);
  const names = namesIn(fields, kit.seats).map((name) => Array.from(name.replace(/\p{C}/gu, " ").trim()).slice(0, NAME_LENGTH).join(""));
  const twin = names.find((name, seat) => names.some((other, at) => at < seat && plain(other) === plain(name)));
  if (names.includes("")) return setup(fields, words.missing);
  if (twin) return setup(fields, words.twice.replace("{name}", twin));
  const game = await idOf(path, fields);
  const key = fields.get("client_id") ?? newKey();
  const own = JSON.parse(JSON.stringify(filled(kit.kit, data, names, game)).replaceAll(CLIENT, key));
  const dealer = Number(fields.get("first_dealer")) || 0;
  return (await saved(game, own, dealer, fields, data.board)) ?? setup(fields, words.full);
}

/* Starts another game like `before`, dealt by the next dealer. */
async function playAgain(path, fields, before) {
  const [kept, hands] = await Promise.all([
    ask(["games"], "readonly", (games) => games.get(before ?? "")),
    ask(["hands"], "readonly", (store) => store.index("game").getAll(before ?? "")),
  ]);
  if (!kept?.kit?.record) return;
  const { version } = { ...kept.kit.state, ...kept.state };
  if (path === "/games/again" && version === 1 && !hands.length) return Response.redirect(`/games/${before}`, 303);
  const dealer = RULES.rematchDealer(kept, hands);
  const game = await idOf(path, fields);
  const kit = JSON.parse(JSON.stringify(kept.kit).replaceAll(before, game));
  const data = await kits();
  const page = await (await caches.open(BOARDS)).match(`${location.origin}/games/${before}`);
  const shell = page ? (await page.text()).replaceAll(before, game) : data?.board;
  return shell && ((await saved(game, kit, dealer, fields, shell, before)) ?? setup(undefined, data?.words.full));
}

/* Saves a new game and its board on this phone, and opens it; returns nothing if storage is full. */
async function saved(game, kit, dealer, fields, shell, after) {
  const address = `/games/${game}`;
  const none = kit.state.totals.map(() => 0);
  const fresh = { version: 1, number: 1, dealer, bid: null, totals: none, sets: none, hands: 0, level: false };
  const start = { totals: none, sets: none, hands: 0, level: false, outcome: null, number: 1 };
  const state = { ...kit.state, ...fresh, outcome: null, was: null, last: null, calls: [], stopped: null, lines: [], start };
  const record = { ...kit.record, players: state.names, first_dealer: dealer };
  const now = Date.now();
  const begun = { id: fields.get("client_id") ?? newKey(), at: now, record, ...(after && { after }) };
  const boards = await caches.open(BOARDS);
  try {
    await boards.put(location.origin + address, html(boardOf(shell, game, kit, dealer)));
    const put = (games) => {
      const asked = games.get(game);
      /* The same form again starts nothing new. */
      asked.onsuccess = () => asked.result || games.put({ game, kit: { ...kit, record, state }, state, bid: null, since: now, start: begun });
      return asked;
    };
    await ask(["games"], "readwrite", put);
    if (!(await ask(["games"], "readonly", (games) => games.get(game)))) throw new Error("full");
  } catch {
    await boards.delete(location.origin + address);
    return;
  }
  registration.sync?.register("hands").catch(() => {});
  return Response.redirect(address, 303);
}

/* Returns the page of a game before its first hand. */
function boardOf(shell, game, kit, dealer) {
  const top = kit.bids[dealer];
  const main = `${top.slice(top.indexOf("<h1"))}${kit.after}`;
  return shell
    .replaceAll(GAME, game)
    .replace(/<title>[^]*?<\/title>/, "<title>Scorekeeper</title>")
    .replace(/ data-says="[^"]*" data-version="[^"]*"/, ' data-says="" data-version="1"')
    .replace(/(<main[^>]*>)[^]*<\/main>/, (_, tag) => `${tag}${main}</main>`);
}
