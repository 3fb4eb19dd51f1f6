/* Sends waiting hands to the score book, in order, all of them or none; returns what came of it.

   Only an answer in our own words counts as one: a login page of the Wi-Fi answers too, and with any status. */
import { deadline } from "../dom.js";
import { alone, drop, keepGame, waiting } from "./outbox.js";

const PATIENCE = 12_000;
const MOST = 200;
/** What cannot go away by waiting: the table has to do something. */
export const STUCK = ["portal", "token", "watching", "gone", "moved", "other", "refused", "unread"];
let token;

/** {trouble: "" | "lost" | …, saved, set_aside, number, why}; undefined where another tab is at it or nothing waits.
    What is saved is in the log; with the trouble "differs" the last hand stands there beside another one. */
export function send(game, version) {
  return alone(`send ${game}`, 2 * PATIENCE, async () => {
    const hands = await waiting(game);
    if (!hands.length) return;
    const answer = await tell(`/games/${game}/waiting`, said(game, version, hands));
    if (!answer.saved) return answer;
    const saved = hands.filter(({ id }) => answer.saved.includes(id));
    await drop(saved);
    /* A bid that was taken after hands which do not count is none either. */
    const bid = answer.set_aside?.length ? { bid: null } : {};
    await keepGame(game, { state: answer.state, since: saved.at(-1)?.at, ...bid });
    return { trouble: "", ...answer, saved };
  });
}

/** A word that only our own pages can send, asked for just now: {token}, or {trouble}. */
export const freshToken = (game) => ask(`/games/${game}/waiting`);

/** What the score book is told of hands, ready for JSON. */
export const said = (game, version, hands) => ({
  game,
  version,
  hands: hands.slice(0, MOST).map(({ id, number, hand }) => ({ id, number, hand })),
});

async function tell(url, body) {
  token ??= document.querySelector("[name=csrf_token]")?.value;
  const first = await ask(url, body);
  if (first.trouble !== "token") return first;
  /* A page that lay about for days: its word is old, the phone is still known. */
  const fresh = await ask(url);
  /* Asking for a word needs none: who says that it does is not the score book. */
  if (!fresh.token) return { ...fresh, trouble: fresh.trouble === "token" ? "portal" : fresh.trouble || "portal" };
  token = fresh.token;
  return ask(url, body);
}

async function ask(url, body) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token ?? "" };
  try {
    const how = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
    const reply = await fetch(url, { ...how, cache: "no-store", signal: deadline(PATIENCE) });
    return judged(reply, await reply.json().catch(() => undefined));
  } catch {
    return { trouble: "lost" };
  }
}

function judged({ ok, status, redirected }, told) {
  if (status >= 500) return { trouble: "broken" };
  if (ok && !redirected && (Array.isArray(told?.saved) || told?.token)) return told;
  if (!ok && told?.trouble) return told;
  return { trouble: { 400: "token", 403: "watching", 404: "gone", 413: "broken", 429: "broken" }[status] ?? "portal" };
}
