/* House rules: keeps the list of what differs from the usual rules current, and the links to pages about these rules, and
   finds a rule by its name.

   Everything it says comes with the page: each rule has its usual value and its words in data attributes. */
import { element } from "./dom.js";

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const controlOf = (field) => field.querySelector("input:checked, select, input:not([type=radio])");

/** Returns the value of a field, as it is sent; several choices with spaces between. */
function valueOf(field) {
  if (field.matches(".several")) return [...field.querySelectorAll(":checked")].map(({ value }) => value).join(" ");
  return controlOf(field)?.value.trim() ?? "";
}

/** Returns the house rule that a field states, a sentence; empty where it has the usual value or none. */
function ruleOf(field) {
  if (field.matches(".several")) {
    const told = valueOf(field);
    if (!told || told === field.dataset.usual) return "";
    const chosen = [...field.querySelectorAll(":checked")];
    return field.dataset.line.replace("{}", chosen.map(({ nextElementSibling: face }) => face.firstChild.data.trim()).join(", "));
  }
  const control = controlOf(field);
  const value = valueOf(field);
  if (!control || value === field.dataset.usual) return "";
  const choice = control.selectedOptions?.[0] ?? control;
  if (choice.dataset.says) return choice.dataset.says;
  const { line, off, offAt } = field.dataset;
  if (off && value === offAt) return off;
  return value ? line.replace("{}", value) : "";
}

for (const form of document.querySelectorAll("[data-house-rules]")) {
  const rules = [...form.querySelectorAll("[data-rule]")];
  const changed = form.querySelector("[data-changed]");
  const usual = form.querySelector("[data-usual-only]");
  const list = changed.querySelector("ul");

  const tell = () => {
    for (const link of document.querySelectorAll("a[data-with-rules]")) {
      const query = new URLSearchParams(link.search);
      for (const rule of rules) {
        query.delete(rule.dataset.rule);
        if (ruleOf(rule)) query.set(rule.dataset.rule, valueOf(rule));
      }
      link.search = query;
    }
    const lines = rules.map(ruleOf).filter(Boolean);
    if (lines.join() === [...list.children].map((line) => line.textContent).join()) return;
    list.replaceChildren(...lines.map((line) => element("li", { textContent: line })));
    changed.hidden = !lines.length;
    usual.hidden = lines.length > 0;
  };
  form.addEventListener("input", tell);
  // A browser that goes back puts the fields as they were left.
  addEventListener("pageshow", tell);

  const find = form.querySelector(".find");
  const search = find.querySelector("input");
  const groups = [...form.querySelectorAll("details.group")];
  const wasOpen = new Map();
  find.hidden = false;
  search.addEventListener("input", () => {
    const wanted = folded(search.value.trim());
    const found = new Set(rules.filter((rule) => folded(rule.textContent).includes(wanted)));
    for (const group of groups) {
      const members = [...group.querySelectorAll("[data-rule]")];
      for (const rule of members) rule.hidden = !found.has(rule);
      const some = members.some((rule) => found.has(rule));
      if (wanted && !wasOpen.has(group)) wasOpen.set(group, group.open);
      group.hidden = !some;
      group.open = wanted ? some : (wasOpen.get(group) ?? group.open);
    }
    if (!wanted) wasOpen.clear();
    find.querySelector(".none").hidden = found.size > 0;
  });
  // Enter looks for a rule; it must not start the game.
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}
