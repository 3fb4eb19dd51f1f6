/* Says how many hands wait, why, and what to do; stays in sight above the board for as long as any does. */
import { filled } from "./offline-board.js";

const SAVED_FOR = 6_000;
/* What the score book will never take: only then may the phone forget a hand that no log has. */
const HOPELESS = ["watching", "gone", "other", "refused", "unread"];
/* code: {ids, box} of the hands that are shown as one. */
let box, hiding, code;

function made(tag, more, ...children) {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...children);
  return element;
}

function build() {
  document.head.append(made("link", { rel: "stylesheet", href: new URL("../../css/games/outbox-badge.css", import.meta.url) }));
  box = made("aside", { className: "waiting", hidden: true });
  document.querySelector("main").before(box);
}

/** Shows what waits. `actions`: send, undo, letGo, compare, code; `text`: the hands, to be carried over by hand. */
export function show({ kit, hands, trouble, number, why, undo, text, actions, game, loose }) {
  if (!box) build();
  if (!hands.length) return box.querySelector(".saved") || clear();
  clearTimeout(hiding);
  box.hidden = false;
  const { words } = kit;
  const open = box.querySelector("details")?.open ?? false;
  const count = hands.length === 1 ? words.one : filled(words.many, { n: hands.length });
  const says = [trouble && filled(words.trouble[trouble] ?? "{why}", { n: number, why })];
  if (loose) says.push(words.trouble.full);
  else if (!isSecureContext) says.push(words.trouble.insecure);
  const button = (label, work, className = "quiet") => made("button", { type: "button", className, textContent: label, onclick: work });
  const field = made("textarea", { readOnly: true, rows: Math.min(hands.length + 1, 6), value: text, ariaLabel: words.copy });
  const copy = button(words.copy, async () => {
    field.select();
    await navigator.clipboard?.writeText(text).catch(() => document.execCommand("copy"));
    if (!navigator.clipboard) document.execCommand("copy");
    copy.textContent = words.copied;
  });
  const row = made("div", { className: "steps" }, button(words.retry, actions.send), copy);
  if (undo) row.append(button(filled(words.undo, { n: undo }), actions.undo));
  const ids = hands.map(({ id }) => id).join();
  if (code?.ids !== ids) code = undefined;
  const show = async () => {
    code = code ? undefined : { ids, box: await actions.code() };
    for (const old of box.querySelectorAll(".code")) old.remove();
    if (code) box.querySelector(".steps").after(code.box);
    code?.box.scrollIntoView({ block: "nearest" });
  };
  row.append(button(words.code, show));
  const more = made("details", { open }, made("summary", {}, made("b", { textContent: count })), row, ...(code ? [code.box] : []), field);
  if (trouble) more.append(made("a", { href: `/games/${game}/log`, textContent: words.look }));
  if (HOPELESS.includes(trouble)) {
    const sure = made("p", { textContent: words.sure });
    more.append(made("details", {}, made("summary", { textContent: words.let_go }), sure, button(words.yes, actions.letGo)));
  }
  box.replaceChildren(more, made("p", { role: "status", textContent: says.filter(Boolean).join(" ") }));
  if (trouble === "moved") box.append(button(words.compare, actions.compare, "main"));
}

/** Says what came of the hands that waited, for a moment. */
export function done(text) {
  if (!box) build();
  box.hidden = false;
  box.replaceChildren(made("p", { role: "status", className: "saved", textContent: text }));
  clearTimeout(hiding);
  hiding = setTimeout(clear, SAVED_FOR);
}

/** Says something beside what waits. */
export function say(text) {
  const place = box?.querySelector("[role=status]");
  if (!place) return done(text);
  place.textContent = text;
}

function clear() {
  box.hidden = true;
  box.replaceChildren();
}
