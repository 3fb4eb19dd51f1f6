/* Shows above the board how many hands are waiting, why, and what to do, for as long as any are. */
import { element, filled } from "../dom.js";
import { copy } from "../share.js";
import { waitingText } from "./outbox.js";

const SAVED_FOR = 6_000;
/* Reasons for which the server will never accept the hands; only then may the phone discard them. */
const HOPELESS = ["watching", "gone", "other", "refused", "unread", "start"];
/* code: {ids, box} of the hands shown as a QR code. */
let hiding, code;
/* What stays below everything else until it is tapped away. */
let lasting;

/* Loaded at once, because a style sheet cannot be loaded without a signal. */
document.head.append(element("link", { rel: "stylesheet", href: new URL("../../css/games/outbox-badge.css", import.meta.url) }));
const box = element("aside", { className: "waiting", hidden: true });
document.querySelector("main").before(box);

function open(...parts) {
  clearTimeout(hiding);
  box.hidden = !parts.length && !lasting;
  box.replaceChildren(...parts, ...(lasting ? [lasting] : []));
}

const clear = () => open();

const button = (textContent, onclick, className = "quiet") => element("button", { type: "button", className, textContent, onclick });

/* Returns the buttons, the QR code if it is open, and the hands as text. */
function waysOut({ kit: { words }, hands, undo, text, actions }) {
  const field = element("textarea", { readOnly: true, rows: Math.min(hands.length + 2, 6), value: text, ariaLabel: words.copy });
  const copying = button(words.copy, () => copy(text, field).then(() => (copying.textContent = words.copied), () => {}));
  const row = element("div", { className: "steps" }, button(words.retry, actions.send), copying);
  if (undo) row.append(button(undo, actions.undo));
  const ids = hands.map(({ id }) => id).join();
  if (code?.ids !== ids) code = undefined;
  const showCode = async () => {
    code = code ? undefined : { ids, box: await actions.code() };
    for (const old of box.querySelectorAll(".code")) old.remove();
    if (code) box.querySelector(".steps").after(code.box);
    code?.box.scrollIntoView({ block: "nearest" });
  };
  /* A code carries hands; an undone hand leaves none to carry. */
  if (actions.code) row.append(button(words.code, showCode));
  return [row, ...(code ? [code.box] : []), field];
}

/** Shows the waiting hands. `actions`: send, undo, letGo, compare, code; `text`: the hands as text to copy. */
export function show(waiting) {
  const { kit, hands, start, trouble, number, why, actions, game, loose } = waiting;
  if (!hands.length && !start) return box.querySelector(".saved") || (lasting && box.firstChild === lasting) || clear();
  const { words } = kit;
  const summary = element("summary", {}, element("b", { textContent: waitingText(words, hands) }));
  const wasOpen = box.querySelector("details")?.open ?? false;
  const more = element("details", { open: wasOpen }, summary, ...waysOut(waiting));
  more.append(element("a", { href: `/games/${game}/log`, textContent: words.look }));
  if (HOPELESS.includes(trouble)) {
    const sure = element("p", { textContent: words.sure });
    more.append(element("details", {}, element("summary", { textContent: words.let_go }), sure, button(words.yes, actions.letGo)));
  }
  const says = [trouble && filled(words.trouble[trouble] ?? "{why}", { n: number, why })];
  if (loose) says.push(words.trouble.full);
  /* A phone that skipped the warning about a certificate has HTTPS, but no service worker. */
  else if (!navigator.serviceWorker?.controller) says.push(words.trouble.insecure);
  open(more, element("p", { role: "status", textContent: says.filter(Boolean).join(" ") }));
  if (trouble === "moved") box.append(button(words.compare, actions.compare, "main"));
}

/** Shows for a moment what became of the waiting hands. */
export function done(textContent) {
  open(element("p", { role: "status", className: "saved", textContent }));
  hiding = setTimeout(clear, SAVED_FOR);
}

/** Shows a message until it is tapped away. */
export function stay(text, { got_it = "OK" }, onclose) {
  if (lasting?.dataset.says === text) return;
  const close = button(got_it, () => {
    lasting.remove();
    lasting = undefined;
    box.hidden = !box.firstChild;
    onclose();
  });
  lasting = element("div", { className: "lasting" }, element("p", { role: "status", textContent: text }), close);
  lasting.dataset.says = text;
  box.querySelector(".lasting")?.remove();
  box.append(lasting);
  box.hidden = false;
}

/** Shows a message beside the waiting hands. */
export function say(text) {
  const place = box.querySelector(":scope > [role=status]");
  if (!place) return done(text);
  place.textContent = text;
}
