/* Draws the bidding player by player without a signal: the part that the server rendered, with the calls of this phone. */
import { element, filled, parsed } from "../dom.js";
import { auctionOf } from "./rules.js";

/* Only the newest calls are shown, so that a long auction does not push the buttons off the screen. */
const SHOWN = 8;

const badgeOf = (side) => element("b", { className: `badge s${side}`, textContent: "ABCDEFGH"[side] });

/** Shows the auction of `state` in place of the bid step. */
export function drawAuction(main, kit, state) {
  const step = main.querySelector("form.bids, form.bid-pad");
  if (!step || !kit.pages) return;
  const { words, labels } = kit;
  const { calls, names, table, dealer } = state;
  const { turn, legal, bidder, bid } = auctionOf(state, calls);
  const box = parsed(kit.pages.auction).querySelector("section");
  const other = box.querySelector(".turn bdi").textContent;
  box.className = `auction s${table.side_of[turn]}`;
  const heard = calls.map((call, at) => callOf(words, labels, names, table, call, auctionOf(state, calls.slice(0, at)).turn));
  const list = box.querySelector("ol");
  list.start = Math.max(calls.length - SHOWN, 0) + 1;
  list.replaceChildren(...heard.slice(-SHOWN));
  const standing = bidder === null ? words.no_bids : filled(words.standing, { bid: labels[bid], bidder: names[bidder] });
  box.querySelector(".turn .badge").replaceWith(badgeOf(table.side_of[turn]));
  box.querySelector(".turn bdi").textContent = names[turn];
  box.querySelector(".turn small").textContent = turn === dealer ? `${standing} ${filled(words.deals, { name: names[dealer] })}` : standing;
  for (const button of box.querySelectorAll("[name=call]")) offer(button, words, { legal, bid, rules: state.rules }, other, names[turn]);
  if (!calls.length) box.querySelector(".steps form").remove();
  for (const link of main.querySelectorAll(".way[href*=entry]")) link.remove();
  step.replaceWith(box);
}

function callOf(words, labels, names, table, call, seat) {
  const says = element("b", { className: "bid", textContent: call === "pass" ? words.pass : labels[call] });
  const name = element("bdi", { className: "name", textContent: names[seat] });
  return element("li", { className: call === "pass" ? "passed" : "" }, badgeOf(table.side_of[seat]), " ", name, " ", says);
}

/* Leaves a call that is no longer legal in its place, grayed out. */
function offer(button, words, { legal, bid, rules }, other, name) {
  const call = /^\d+$/.test(button.value) ? Number(button.value) : button.value;
  const hidden = button.querySelector(".vh");
  hidden.textContent = hidden.textContent.replace(other, name);
  if (!legal.includes(call)) {
    if (call === "pass") return button.remove();
    hidden.remove();
    return button.replaceWith(element("span", { className: `${button.className} out`, ariaHidden: "true", textContent: button.textContent }));
  }
  const stuck = bid === null && !legal.includes("pass") && call === rules.forced_bid;
  const hint = stuck ? words.stuck : call === bid ? words.take_it : "";
  button.querySelector("small")?.remove();
  if (hint) button.append(" ", element("small", { textContent: hint }));
}
