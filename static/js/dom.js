/* Helpers for elements, forms and requests. */

/** Returns a new element with these properties and children. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Returns a fragment parsed from `html`. */
export const parsed = (html) => element("template", { innerHTML: html }).content;

const hidden = (name, value) => element("input", { type: "hidden", name, value });

/** Returns a hidden form that posts `fields` to `action`. */
export const hiddenForm = (action, fields) =>
  element("form", { method: "post", action, hidden: true }, ...Object.entries(fields).map(([name, value]) => hidden(name, value)));

/** Returns the form's fields as this button would submit them. */
export function fieldsOf(form, button) {
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  return fields;
}

/** Submits a form without running submit listeners, as if all these buttons had been pressed. */
export function submitPast(form, ...buttons) {
  for (const button of buttons) if (button?.name) form.append(hidden(button.name, button.value));
  HTMLFormElement.prototype.submit.call(form);
}

/** Returns a number as it is shown, with a real minus sign. */
export const shown = (number) => (number < 0 ? `−${-number}` : `${number}`);

/** Returns a sentence with its {placeholders} filled in. */
export const filled = (words, values) => words.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);

/** Returns bytes as base64url text. */
export function base64url(bytes) {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns a signal that aborts a request after `ms` milliseconds; not every browser has AbortSignal.timeout. */
export function deadline(ms) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return stop.signal;
}
