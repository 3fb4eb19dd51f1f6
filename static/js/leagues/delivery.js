/* Sends forms without leaving the page. While the server doesn't answer, or this device is signed out, a line says so, and
   the form is sent again and again. */
import { deadline, element, filled } from "../dom.js";

const PATIENCE = 15_000;
const AGAIN = 4_000;
const BUSY = [429, 502, 503, 504];
const place = document.getElementById("unsaved");
const [trouble, lost] = place.querySelectorAll("p");
let asked = 0;

/** Asks the server, and returns its answer with the number of the request. */
export async function ask(url, options) {
  const turn = ++asked;
  const reply = await fetch(url, { ...options, signal: deadline(PATIENCE) });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  /* The login page of a Wi-Fi network and the error page of a proxy are not ours. */
  const isOurs = page.querySelector(".brand") !== null;
  if (!isOurs) throw new Error("no answer");
  return { page, turn, url: reply.url, status: reply.status, isDesk: page.body.className === document.body.className };
}

/** Returns whether no other request was made since. */
export const isLatest = (turn) => turn === asked;

const signIn = ({ status, page }) => status === 403 && page.querySelector("main .button.main");

/** Says why nothing was saved: in the words of the answer's page, or that there is no answer. */
export function complain(answer, tries = true) {
  const why = answer?.page.querySelector("main h1 + p")?.textContent ?? place.dataset.silent;
  const says = [why, place.dataset.stays, ...(tries ? [place.dataset.tries] : [])].join(" ");
  trouble.hidden = false;
  if (trouble.dataset.says === says) return;
  trouble.dataset.says = says;
  const link = answer && signIn(answer);
  if (link) link.target = "_blank";
  trouble.replaceChildren(says, " ", link ?? "");
}

/** Returns whether that is on the page. */
export const isSilent = () => !trouble.hidden;

/** Takes that back: the server has answered. */
export function calm() {
  trouble.hidden = true;
  delete trouble.dataset.says;
}

/* The page was open for so long, or signed in again elsewhere, that the tokens of its forms are no longer valid. */
async function renewTokens(form) {
  const answer = await ask(location.pathname + location.search);
  const token = answer.page.querySelector("[name=csrf_token]")?.value;
  const fields = answer.isDesk && token ? [...document.querySelectorAll("[name=csrf_token]"), form.elements.csrf_token] : [];
  for (const field of fields) field.value = token;
  return answer;
}

/** Sends a form until the server answers with this page, and returns the answer; nothing if that won't help. `bodyOf` returns
    what to send, so that what is typed while there is no answer goes along. A repeated request has no further effect. */
export async function deliver(form, action, bodyOf) {
  let renewed = false;
  for (;;) {
    let answer = await ask(action, { method: "POST", body: bodyOf() }).catch(() => undefined);
    if (answer?.status === 400 && !renewed) {
      answer = await renewTokens(form).catch(() => undefined);
      renewed = answer?.isDesk;
      if (renewed) continue;
    }
    renewed = false;
    if (answer?.isDesk) {
      calm();
      return answer;
    }
    if (answer?.status < 400) {
      location.assign(answer.url);
      return undefined;
    }
    const tries = !answer || BUSY.includes(answer.status) || Boolean(signIn(answer));
    complain(answer, tries);
    if (!tries) return undefined;
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

const gone = [];

/** Shows what was typed into fields that the page no longer has. */
export function showLost(edits) {
  if (!edits.length) return;
  gone.push(...edits.map(({ label, value }) => `${label}: ${value}`));
  const close = element("button", { type: "button", className: "quiet", textContent: place.dataset.close });
  close.addEventListener("click", () => {
    gone.length = 0;
    lost.hidden = true;
  });
  lost.hidden = false;
  lost.replaceChildren(filled(place.dataset.lost, { what: gone.join("; ") }), " ", close);
}
