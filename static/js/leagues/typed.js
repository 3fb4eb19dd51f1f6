/* What is typed on a page that a script replaces stays until it is saved, and a value that someone else has saved in the
   meantime is named beside it. Fields are found again by the action of their form, their name and their place. */
import { element, filled } from "../dom.js";

const FIELDS = "input:not([type=hidden]), select, textarea";
/* Fields that make sense only together, such as the points of a table. */
const TOGETHER = "[data-together]";
const KEPT = `typed ${location.pathname}`;
const words = document.getElementById("unsaved").dataset;

const ticks = (field) => field.matches("[type=checkbox], [type=radio]");
const isText = (field) => !ticks(field) && !field.matches("select");
const valueOf = (field) => (ticks(field) ? field.checked : field.value);
const groupOf = (field) => field.closest(TOGETHER) ?? field;
const put = (field, value) => (field[ticks(field) ? "checked" : "value"] = value);

/* The value that the page came with. */
function ownValue(field) {
  if (ticks(field)) return field.defaultChecked;
  if (isText(field)) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
}

/* The saved value that was typed over, and the one that is saved now, where the page came with something else: with what
   someone else saved, or with a refused score. If the page was opened with it, the saved value is null: not known yet. */
const before = new WeakMap();
const saved = new WeakMap();
const typedOver = (field) => (before.has(field) ? before.get(field) : ownValue(field));
const savedValue = (field) => (saved.has(field) ? saved.get(field) : ownValue(field));
const isEdited = (field) => valueOf(field) !== ownValue(field) || valueOf(field) !== typedOver(field);

function fieldsIn(root) {
  const found = new Map();
  for (const field of root.querySelectorAll(FIELDS)) {
    const { form } = field;
    if (!form || !field.name) continue;
    const key = [form.getAttribute("action"), form.dataset.key, field.name, ticks(field) ? field.value : ""].join(" ");
    let place = 0;
    while (found.has(`${key} ${place}`)) place++;
    found.set(`${key} ${place}`, field);
  }
  return found;
}

/** Returns the key by which a field is found on the next page. */
export const keyOf = (main, field) => [...fieldsIn(main)].find(([, each]) => each === field)?.[0];

/** Returns the field of this key, or nothing. */
export const fieldOf = (main, key) => key && fieldsIn(main).get(key);

/** Returns what the fields of a form hold, by key, to tell later what has been typed since it was sent. */
export const heldBy = (main, form) =>
  new Map([...fieldsIn(main)].filter(([, field]) => field.form === form).map(([key, field]) => [key, { value: valueOf(field), was: typedOver(field), own: savedValue(field) }]));

/** Returns what is typed and not saved. `sent` is what a form that was just saved held. */
export function typedIn(main, sent = new Map()) {
  const all = [...fieldsIn(main)];
  const isNews = ([key, field]) => isEdited(field) && (!sent.has(key) || sent.get(key).value !== valueOf(field));
  const edited = new Set(all.filter(isNews).map(([, field]) => groupOf(field)));
  return all.filter(([, field]) => edited.has(groupOf(field))).map(([key, field]) => ({
    key,
    value: valueOf(field),
    was: sent.has(key) ? sent.get(key).value : typedOver(field),
    label: field.ariaLabel ?? field.getAttribute("aria-label") ?? field.labels[0]?.textContent.trim() ?? "",
    kept: isText(field) && !field.matches("[type=search]"),
  }));
}

/** Types it again on a new page. Returns the texts that have no field there anymore. */
export function typeAgain(main, typed) {
  const all = fieldsIn(main);
  const groups = new Map();
  const lost = [];
  for (const edit of typed) {
    const field = all.get(edit.key);
    const fits = field && (!field.matches("select") || [...field.options].some((option) => option.value === edit.value));
    if (fits) groups.set(groupOf(field), [...(groups.get(groupOf(field)) ?? []), [field, edit]]);
    else if (edit.kept && edit.value && edit.value !== edit.was) lost.push(edit);
  }
  for (const [group, pairs] of groups) {
    if (pairs.every(([field, { value }]) => ownValue(field) === value)) continue;
    for (const [field, { value, was }] of pairs) {
      put(field, value);
      before.set(field, was ?? ownValue(field));
      if (value === ownValue(field)) continue;
      field.closest("[hidden]")?.removeAttribute("hidden");
      for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    }
    sayTheirs(group, pairs.map(([field]) => field));
  }
  return lost;
}

/* What is typed stays on top, with what someone else saved under it beside the field. */
function sayTheirs(group, fields) {
  const shown = (field) => (isText(field) ? savedValue(field) : [...field.options].find(({ value }) => value === savedValue(field))?.text);
  const theirs = fields.filter((field) => !ticks(field) && ![null, savedValue(field)].includes(before.get(field))).map(shown);
  if (!theirs.length) return;
  const discard = element("button", { type: "button", className: "quiet", textContent: words.discard });
  const line = element("p", { className: "theirs", role: "status" }, filled(words.theirs, { saved: theirs.map((each) => each || "–").join(", ") }), " ", discard);
  discard.addEventListener("click", () => {
    for (const field of fields) {
      put(field, savedValue(field));
      before.delete(field);
    }
    line.remove();
    fields[0].focus();
  });
  if (group.matches(TOGETHER)) group.append(line);
  else (group.closest("label") ?? group).after(line);
}

/** Remembers that a form was refused: what its fields hold is on the page, but isn't saved. */
export function stillTyped(main, sent) {
  const all = fieldsIn(main);
  const groups = new Map();
  for (const [key, { was, own }] of sent) {
    const field = all.get(key);
    const together = field?.closest(TOGETHER);
    if (!field || before.has(field) || (together && !together.querySelector("[role=alert]"))) continue;
    before.set(field, was);
    saved.set(field, own);
    groups.set(groupOf(field), [...(groups.get(groupOf(field)) ?? []), field]);
  }
  for (const [group, fields] of groups) sayTheirs(group, fields);
}

/** Remembers that the page was opened with a refusal: what its forms hold is not what is saved. */
export function refusedTyped(main) {
  const refused = "[role=alert]";
  const isRefused = (field) => {
    const together = field.closest(TOGETHER);
    return together ? together.querySelector(refused) : field.form.closest("[id]").querySelector(refused);
  };
  for (const field of fieldsIn(main).values()) if (isText(field) && isRefused(field)) before.set(field, null);
}

/* Texts that belong to another page of the same address, such as another round. */
let elsewhere = [];

/** Keeps what is typed for when this tab opens the page again. */
export function keepTyped(main) {
  const typed = [...typedIn(main).filter(({ kept }) => kept), ...elsewhere];
  try {
    if (typed.length) sessionStorage.setItem(KEPT, JSON.stringify(typed));
    else sessionStorage.removeItem(KEPT);
  } catch {
    /* The browser stores nothing: the page in its memory for Back has to do. */
  }
}

/** Types again what was typed in this tab before the page was left. */
export function recallTyped(main) {
  try {
    const typed = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    const all = fieldsIn(main);
    elsewhere = typed.filter(({ key }) => !all.has(key));
    typeAgain(main, typed.filter(({ key }) => all.has(key)));
  } catch {
    elsewhere = [];
  }
}
