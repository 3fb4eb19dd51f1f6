/* Lists whose buttons change their rows, such as the people who can still be checked in. A row keeps its place until the
   page is opened again, whatever was tapped in the meantime on this device or another. */

import { element } from "../dom.js";

/** Returns a row of a list. */
export const placeOf = (main, list, row) => (row ? main.querySelector(`[data-rows="${list}"] [data-row="${row}"]`) : null);

/** Moves the rows in the lists of a new page to the places that they have now. Rows that are gone stay, marked as done. */
export function holdPlaces(main, page) {
  for (const list of main.querySelectorAll("[data-rows]")) {
    const news = page.querySelector(`[data-rows="${list.dataset.rows}"]`);
    const rows = [...list.querySelectorAll("[data-row]")];
    /* Nobody is left on the list: it stays with its heading. */
    if (!news) page.querySelector(`[data-list="${list.dataset.rows}"]`)?.append(...list.parentNode.childNodes);
    if (!news) rows.forEach(gone);
    news?.append(
      ...rows.map((row) => placeOf(page, list.dataset.rows, row.dataset.row) ?? gone(row)),
      ...[...news.querySelectorAll("[data-row]")].filter((row) => !placeOf(main, list.dataset.rows, row.dataset.row)),
    );
  }
}

/* The row's template holds the button that takes the change back. */
function gone(row) {
  const undo = row.querySelector("template");
  if (!undo) return row;
  const taken = row.querySelector("[aria-disabled]");
  const [first, ...others] = row.querySelectorAll("button");
  const paid = taken?.name === "paying";
  if (paid) first.append(" ", element("small", { textContent: taken.lastChild.textContent }));
  for (const button of others) button.remove();
  first.setAttribute("aria-disabled", "true");
  row.classList.add("done");
  row.append(undo.content);
  undo.remove();
  /* Undoing a check-in with the fee gives the fee back, too. */
  if (paid) row.querySelector("[formaction]").name = "paying";
  return row;
}
