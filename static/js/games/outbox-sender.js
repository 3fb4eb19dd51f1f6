/* Sends waiting hands to the server in order, all of them or none, and returns the result.

   Only an answer in our own format counts, because a Wi-Fi login page answers too, and with any status. */
import { deadline } from "../dom.js";
import { alone, drop, gameOf, keepGame, waiting } from "./outbox.js";
import { afterSending } from "./rules.js";

const PATIENCE = 12_000;
const MOST = 200;
/** Troubles that waiting does not solve: somebody at the table has to act. */
export const STUCK = ["portal", "token", "watching", "gone", "moved", "other", "refused", "unread", "start"];
let token;

/** Returns {trouble: "" | "lost" | …, saved, set_aside, number, why}, or undefined if another tab is sending or nothing is
    waiting. Saved hands are in the history; with the trouble "differs" the last one is there beside another phone's. */
export function send(game, version) {
  return alone(`send ${game}`, 2 * PATIENCE, async () => {
    const hands = await waiting(game);
    const { start } = (await gameOf(game)) ?? {};
    if (!hands.length && !start) return;
    const url = `/games/${game}/waiting`;
    const answer = await tell(url, said(game, version, hands, start), start ? "/games/token" : url);
    if (!answer.saved) return answer;
    const { saved, kept } = afterSending(answer, hands);
    await drop(saved);
    await keepGame(game, kept);
    return { trouble: "", ...answer, saved, started: Boolean(start) };
  });
}

/** Fetches a fresh CSRF token: {token}, or {trouble}. */
export const freshToken = (game) => ask(`/games/${game}/waiting`);

/** Returns the hands as sent to the server, ready for JSON; `start`: the game, if the server does not have it yet. */
export const said = (game, version, hands, start) => ({
  game,
  version,
  ...(start && { start }),
  hands: hands.slice(0, MOST).map(({ order, game: _game, loose, ...change }) => change),
});

async function tell(url, body, renewal) {
  token ??= document.querySelector("[name=csrf_token]")?.value;
  const first = await ask(url, body);
  if (first.trouble !== "token") return first;
  /* The page was open for days: its token is old, but the phone is still known. */
  const fresh = await ask(renewal);
  /* Fetching a token needs none: an answer that asks for one is not from our server. */
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
