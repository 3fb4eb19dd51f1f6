/* Counts the cards without a signal, on the page that the server rendered with every card, each suit as if it were trump. */
import { element, filled, parsed } from "../dom.js";
import { countCards, gameOwner } from "./card-rules.js";
import { parties, partyOf } from "./rules.js";
import { start } from "./count.js";
import { joined } from "./offline-board.js";
import { putBelow, refuse } from "./offline-pages.js";

const COUNTED = "TAKQJ";
const INTRODUCTION = "h1 + p";
const NAMED = 8;
const JOKERS = ["RJ", "BJ"];

const nameOf = (card) => card.querySelector("input").name.slice(5);

/** Shows the count page; `fields` are the choices made before, `draw` draws it (offline-pages.js). */
export function drawCards(context, draw, fields = new URLSearchParams(location.search)) {
  const { kit, state, follow, board } = context;
  const { count } = kit.pages;
  const quick = fields.get("quick") === "1";
  const trump = fields.get("trump") || state.bid?.trump || "";
  const bidder = state.bid ? partyOf(state.table, state.bid.bidder) : null;
  const page = draw(context, quick ? count.quick : count.cards, async (_path, sent) => {
    if (quick) sent.set("quick", "1");
    if (sent.has("show")) return drawCards(context, draw, sent);
    const counted = quick ? byRank(context, sent, bidder) : byCard(context, sent, trump, bidder);
    if (counted.error) return refuse(page, counted.error, INTRODUCTION);
    if (!sent.has("use")) return show(page, count.counted, counted);
    await follow(board);
    fill(context.main, counted);
  });
  const form = page.querySelector("form");
  form.dataset.works = "";
  if (!quick) dress(page, kit, state, trump);
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
  }
  for (const radio of form.querySelectorAll("[name=trump]")) radio.checked = radio.value === trump;
  start(form);
}

/* Leaves out the cards that count only as trump, and says which cards are trump. */
function dress(page, { pages: { count } }, state, trump) {
  const { trumps, worth, jack_counts: counts } = count.rules;
  for (const card of page.querySelectorAll(".card")) {
    const name = nameOf(card);
    const isTrump = trumps[trump]?.includes(name) ?? false;
    if (!isTrump && !(name[0] in worth) && !JOKERS.includes(name)) {
      card.remove();
      continue;
    }
    const points = (name === `J${trump}` && !counts) || JOKERS.includes(name) ? 0 : (worth[name[0]] ?? 0);
    const mark = card.querySelector("legend small span");
    const spoken = card.querySelector("legend .vh");
    card.classList.toggle("trump", isTrump);
    card.dataset.points = points;
    if (!isTrump) spoken.textContent = spoken.textContent.split(",")[0];
    const small = card.querySelector("legend small");
    if (small) small.replaceChildren(...(isTrump && mark ? [mark, " "] : []), points ? `${points}` : "");
  }
  const label = page.querySelector(`[name=trump][value="${CSS.escape(trump)}"]`)?.closest("label").querySelector(".vh");
  if (!label) return;
  page.querySelector(".trumped").open = false;
  page.querySelector(".trumped summary").textContent = filled(count.words.trump, { suit: label.textContent });
}

/* An older kit has no names of its own for those who share the cards. */
const wordsOf = ({ kit, state }) => ({ owners: state.side_names, ...kit.pages.count.words });

function byCard({ kit, state }, sent, trump, bidder) {
  const { rules } = kit.pages.count;
  const words = wordsOf({ kit, state });
  const chosen = sent.get("trump") || trump;
  if (!rules.trumps[chosen]) return { error: words.needed };
  const taken = [...sent].filter(([name, value]) => name.startsWith("card-") && value !== "none");
  const owner = Object.fromEntries(taken.map(([name, value]) => [name.slice(5), Number(value)]));
  const { cardPoints, points, cards } = countCards(state, rules, chosen, owner, bidder);
  const labels = state.categories;
  const cardOf = Object.fromEntries(labels.map(({ key }) => [key, textOf(kit, cards[key], rules.carriers[chosen][key])]));
  const told = labels.flatMap(({ key, label }) => (key in points ? [owned(words, cardOf[key] ? `${label} (${cardOf[key]})` : label, points[key])] : []));
  const untold = labels.flatMap(({ key, label }) => (key in points ? [] : [filled(words.untold, { point: label })]));
  const values = Object.entries(points).map(([key, side]) => [key, side === null ? "none" : `${side}`]);
  const compared = Object.keys(rules.worth).length > 0;
  const sentences = [...(compared ? [pointsText(words, cardPoints)] : []), told.join(" "), ...untold];
  return { sentences, missing: compared ? missing(words, taken.length) : "", fields: [...values, ...taken, ["trump", chosen]], cardOf };
}

/* Returns a card as the page writes it, or undefined for none, or if the point is named after its joker. */
const textOf = ({ pages }, card, named) =>
  !JOKERS.includes(named) && parsed(pages.count.cards).querySelector(`[name="card-${card}"]`)?.closest(".card").dataset.card;

/* Names the cards that count toward Game and have no owner yet. */
function missing(words, taken) {
  const open = [...document.querySelectorAll("form.count .card")].filter((card) => card.querySelector(":checked")?.value === "none");
  const left = [...COUNTED].flatMap((rank) => open.filter((card) => nameOf(card)[0] === rank && nameOf(card).length === 2));
  if (!left.length || !taken) return "";
  return left.length > NAMED ? filled(words.many, { n: left.length }) : filled(words.few, { cards: left.map(({ dataset }) => dataset.card).join(", ") });
}

function byRank({ kit, state }, sent, bidder) {
  const { rules } = kit.pages.count;
  const words = wordsOf({ kit, state });
  const cardPoints = Array(parties(state.table)).fill(0);
  for (const rank of COUNTED) {
    const counts = cardPoints.map((_, side) => sent.get(`rank-${rank}-${side}`) || "0");
    if (!counts.every((text) => /^[0-4]$/.test(text))) return { error: words.number };
    if (counts.reduce((sum, text) => sum + Number(text), 0) > 4) return { error: words.four[rank] };
    counts.forEach((text, side) => (cardPoints[side] += rules.worth[rank] * Number(text)));
  }
  const side = gameOwner(state, cardPoints, bidder);
  const label = state.categories.find(({ key }) => key === "game")?.label ?? "";
  return { sentences: [pointsText(words, cardPoints), owned(words, label, side)], fields: [["game", side === null ? "none" : `${side}`]] };
}

const pointsText = (words, points) =>
  filled(words.points, { points: points.map((count, side) => `${words.owners[side]} ${count}`).join(", ") });

const owned = (words, point, side) => filled(words.owned, { point, owner: side === null ? words.nobody : words.owners[side] });

function show(page, html, { sentences, missing: left }) {
  const section = parsed(html).querySelector("section");
  const lines = sentences.map((textContent) => element("p", { textContent }));
  if (left) lines.push(element("p", {}, element("b", { textContent: left })));
  section.querySelector("p").replaceWith(...lines);
  putBelow(page, INTRODUCTION, section);
}

/* Carries the count to the points step, with the card that decides each point. */
function fill(main, { fields, cardOf = {} }) {
  const form = main.querySelector("form[data-preview]");
  for (const old of form?.querySelectorAll("[type=hidden][name^=card-]") ?? []) old.remove();
  for (const [name, value] of form ? fields : []) {
    const radio = form.querySelector(`[type=radio][name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
    if (radio) radio.click();
    else if (name.startsWith("card-")) form.append(element("input", { type: "hidden", name, value }));
    const legend = radio?.closest("fieldset").querySelector("legend");
    legend?.querySelector("small")?.remove();
    if (cardOf[name]) legend?.append(" ", element("small", { textContent: cardOf[name] }));
  }
}
