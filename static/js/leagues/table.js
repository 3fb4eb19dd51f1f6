/* Keeps the page of a table up to date, such as with another phone's dispute. What is typed there and not saved stays. */
import { poll } from "../polling.js";
import { ask, showLost } from "./delivery.js";
import { dismiss, holdRefusals } from "./refusals.js";
import { fieldOf, keyOf, refusedTyped, typeAgain, typedIn } from "./typed.js";

const OFTEN = 5_000;
const SETTLES = 300;
const main = document.querySelector("main");
const versionOf = (page) => page.querySelector("[data-version]")?.dataset.version;

function exchange(page) {
  const focused = document.activeElement;
  const key = keyOf(main, focused);
  const typed = typedIn(main);
  const unfolded = [...main.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent);
  holdRefusals(main, page);
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = page.title;
  showLost(typeAgain(main, typed));
  for (const summary of main.querySelectorAll("summary")) if (unfolded.includes(summary.textContent)) summary.parentElement.open = true;
  fieldOf(main, key)?.focus({ preventScroll: true });
  /* A finger that is coming down was aimed at what stood there before. */
  main.style.pointerEvents = "none";
  setTimeout(() => (main.style.pointerEvents = ""), SETTLES);
}

async function look() {
  const { page, status } = await ask(location.pathname);
  const changed = status === 200 && versionOf(page) !== versionOf(document);
  /* While a finger or a list is down, nothing moves. */
  if (changed && !main.matches(":active") && !document.activeElement.closest("select")) exchange(page);
  return changed;
}

main.addEventListener("input", ({ target }) => dismiss(main, target));
refusedTyped(main);
poll(OFTEN, look);
