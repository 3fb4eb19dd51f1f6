/* Draws the board of a game without a signal: the steps that the server rendered for an empty game, filled with this
   phone's score. The state is described in client_state.py. */
import { element, filled, parsed, shown } from "../dom.js";
import { guard } from "./board.js";
import { effects, likelyPoints, noWinnerText, pointsOf, sidesOf, wayBefore } from "./rules.js";

export const signed = (number) => (number > 0 ? `+${number}` : shown(number));

/* Returns "Ann and Cid +3, Bob and Dee +1", with only the sides whose score changed. */
function changeOf({ side_names: names, totals }, delta) {
  const moved = delta.flatMap((points, side) => (points ? [`${names[side]} ${signed(points)}`] : []));
  return moved.join(", ") || scoreOf({ side_names: names, totals });
}

/** Returns "Ann and Cid 12, Bob and Dee −3". */
export const scoreOf = ({ side_names: names, totals }) => totals.map((total, side) => `${names[side]} ${shown(total)}`).join(", ");

/** Returns what the last hand did, in sentences, starting with the result and `why` if it ended the game. */
export function sentenceOfLast({ words, labels }, state, why = "") {
  const { last, outcome, totals } = state;
  const names = { ...Object.fromEntries(state.categories.map(({ key, label }) => [key, label])), turned_up: words.turned_up, hung: words.hung };
  const said = effects(state).map(({ key, sides, points, what = [] }) => {
    const [side] = sides;
    const [change, total] = [points ?? last.delta[side], totals[side]];
    return filled(words.effects?.[key]?.[sides] ?? "", { points: Math.abs(change), was: shown(total - change), total: shown(total), call: labels[last.bid], what: what.map((each) => names[each]).join(", ") });
  });
  /* An older kit lacks these sentences. */
  const told = words.effects ? said.join(" ") : `${last.made === false ? `${words.was_set} ` : ""}${changeOf(state, last.delta)}.`;
  if (!outcome) return told;
  /* The reason already says that the pitch or the moon was made. */
  return why && ["pitch", "moon"].includes(outcome.rule) ? `${headlineOf(words, state)}. ${why.trim()}` : `${headlineOf(words, state)}. ${why}${told}`;
}

/** Returns what the last hand did, in short (presenters/summaries.py: latest_brief); `lead` is all that is said of another change. */
export function briefOfLast({ words }, { last, totals, side_names: names }, lead) {
  const moved = lead || !last ? [] : last.delta.flatMap((points, side) => (points ? [[names[side], `${signed(points)} → ${shown(totals[side])}`]] : []));
  const first = lead || (moved.length && last.made === false ? words.was_set : "");
  if (!first && !moved.length) return;
  const parts = moved.flatMap(([name, change]) => [" ", made("span", "", made("bdi", "name", name), " ", made("i", "", change))]);
  return made("span", "brief", made("b", "", first), ...parts);
}

/** Returns "Ann bid 3.", or "" for a hand that was thrown in. */
export const bidOfLast = ({ words, labels }, { last: { bidder, bid }, names }) =>
  bidder === null ? "" : `${filled(words.bid, { name: names[bidder], bid: words.said?.[bid] ?? labels[bid] })}.`;

/** Returns the questions about a hand that may be a mistake; `keys` come from rules.js. */
export function questionsOf({ words }, { number }, after, keys) {
  const { names, categories, was, outcome } = after;
  const out = was.taken.reduce((sum, points) => sum + points, 0);
  const absent = categories.filter(({ key }) => was.points?.[key] === null).map(({ label }) => label);
  const values = { bidder: names[was.bidder], bid: words.said[was.bid], out, absent: absent.join(", "), number: number - 1 };
  if (outcome) values.result = `${headlineOf(words, after)}.`;
  return keys.map((key) => filled(words.odd[key === "beyond" && out === 1 ? "beyond_one" : key], values));
}

/** Shows the questions in place of the Save bar; `told` is the hand that a yes saves. */
export function askFirst(form, { words }, questions, told, mode) {
  const bar = [...form.querySelectorAll(".bar")].find((each) => each.checkVisibility?.() ?? true);
  const onclick = () => {
    asks.remove();
    bar.hidden = false;
  };
  const asks = element(
    "div",
    { className: "bar asks", role: "alert" },
    ...questions.map((textContent) => element("p", { textContent })),
    element("input", { type: "hidden", name: "mode", value: mode }),
    element("button", { type: "button", textContent: words.again, onclick }),
    element("button", { className: "main", name: "sure", value: told, textContent: words.save_it }),
  );
  bar.before(asks);
  bar.hidden = true;
}

export function headlineOf(words, state) {
  const { winner, rule } = state.outcome;
  const stopped = words.stopped?.[winner];
  if (stopped && ["conceded", "abandoned"].includes(rule)) return stopped[0];
  return winner === null ? noWinnerText(words, state) : words.wins[winner];
}

/** Draws the board of `state`, with `line` as the sentence on the last hand, `brief` as its short form and `kept` after it. */
export function draw(main, kit, state, line, brief, kept) {
  const fresh = parsed(stepOf(kit, state));
  for (const part of fresh.querySelectorAll("title, .says, .need, .needs, .to-win, .aside.way:not([data-count], [href*=entry])")) part.remove();
  score(fresh, kit, state);
  const { words } = kit;
  const status = fresh.querySelector(".status");
  if (status) {
    status.innerHTML = parsed(kit.bids[state.dealer]).querySelector(".status").innerHTML;
    status.querySelector("b").textContent = filled(words.hand, { n: state.number });
  }
  const last = fresh.querySelector(".last p");
  if (last) last.replaceChildren(brief || line, " ", kept);
  const full = fresh.querySelector(".in-full");
  if (full) full.textContent = brief ? line : "";
  if (state.outcome) end(fresh, kit, state);
  else if (state.bid) points(fresh, kit, state);
  if (!state.outcome) openWay(fresh, state);
  for (const version of fresh.querySelectorAll("[name=version]")) version.value = `phone-${state.number}`;
  const above = document.createRange();
  above.setStart(main, 0);
  above.setEndBefore(main.querySelector(".after"));
  above.deleteContents();
  main.prepend(fresh);
  scrollTo(0, 0);
  guard();
}

function stepOf({ bids, points }, { bid, dealer }) {
  return bid ? (points[`${bid.bidder}:${bid.bid}`] ?? points[bid.bidder]) : bids[dealer];
}

function score(fresh, { words }, { totals, sets, outcome, bid, last, side_names: names }) {
  const best = Math.max(...totals);
  const leads = !outcome && totals.filter((total) => total === best).length === 1;
  fresh.querySelector("h1").textContent = totals.map((total, side) => `${names[side]} ${total}`).join(", ");
  fresh.querySelectorAll(".total").forEach((card, side) => {
    const won = outcome?.winner === side;
    const first = leads && totals[side] === best;
    card.classList.toggle("leads", first);
    card.classList.toggle("won", won);
    card.classList.toggle("fell", !bid && last?.made === false && last.delta[side] < 0);
    card.querySelector(".score").textContent = shown(totals[side]);
    const flags = card.querySelector(".flags");
    flags.textContent = "";
    const flag = won ? words.won : first && totals.length > 2 ? words.leads : "";
    if (flag) flags.append(made("span", "flag", flag), " ");
    if (sets[side]) flags.append(filled(sets[side] === 1 ? words.set : (words.sets ?? words.set), { n: sets[side] }));
  });
}

function end(fresh, kit, state) {
  const { words } = kit;
  const { outcome } = state;
  for (const part of fresh.querySelectorAll(".status, .entry, .auction, .steps")) part.remove();
  const box = made("div", `outcome end${outcome.winner === null ? "" : ` s${outcome.winner}`}`);
  const headline = headlineOf(words, state);
  box.append(made("h2", "", headline), made("p", "", reasonOf(kit, state)), parsed(kit.end ?? ""));
  const why = outcome.rule === "conceded" ? ` ${reasonOf(kit, state)}` : "";
  const text = filled(words.sent ?? "", { winner: headline, score: finalScoreOf(words, state), why });
  for (const field of box.querySelectorAll(".share textarea")) field.textContent = text;
  for (const button of box.querySelectorAll("[data-share]")) button.dataset.text = text;
  fresh.querySelector(".totals").before(box);
}

/** Chooses the reason for the win, as explain.py does. */
export function reasonOf({ words, labels }, { outcome: { winner, rule }, rules, table, totals, sets, hands, last, side_names: names }) {
  if (["conceded", "abandoned"].includes(rule) || !last) return words.stopped?.[winner]?.[1] ?? "";
  const total = totals[winner];
  const rest = Math.max(...totals.filter((_, side) => side !== winner));
  const best = winner === null ? ".tied" : totals.length > 2 && ".best";
  const shades = {
    bid_out: rules.go_out === "take" && ".take",
    bidder_first: rest >= total && ".against",
    highest: rules.win_by > 1 && ".lead",
    moon_failed: best,
    lose_at: best,
  };
  const values = { total, rest, lead: total - rest, was: total - last.delta[winner], sets: sets[1 - winner], hands };
  const told = Object.entries(values).map(([key, value]) => [key, shown(value)]);
  const sentence = words.reasons?.[rule + (shades[rule] || "")]?.[winner ?? 0] ?? "";
  const result = filled(words.to, { ours: shown(total), theirs: shown(rest) });
  return filled(sentence, { ...Object.fromEntries(told), bid: labels[last.bid], other: names[table.side_of[last.bidder]], result });
}

function finalScoreOf({ to }, state) {
  const { outcome: { winner }, totals } = state;
  if (totals.length !== 2 || winner === null) return scoreOf(state);
  return filled(to, { ours: shown(totals[winner]), theirs: shown(totals[1 - winner]) });
}

const made = (tag, className, ...children) => element(tag, { className }, ...children);

const letterOf = (side) => "ABCDEFGH"[side] ?? "–";

/** Adds rows of the score sheet (rules.js: sheetOf) above the saved ones, in place of the newest `replaced` of them. */
export function list(main, kit, state, rows, replaced = 0) {
  const pad = main.querySelector(".pad");
  for (const row of pad.querySelectorAll("[data-kept]")) row.remove();
  const noted = new Map();
  for (const row of [...pad.querySelectorAll(".sheet tbody tr")].slice(0, replaced)) {
    noted.set(row.querySelector("th a")?.pathname, [...row.querySelectorAll(".what > bdi.took, .what > a[href*=photo]")]);
    row.remove();
  }
  const none = pad.querySelector(".none-yet");
  if (none) none.hidden = rows.length > 0;
  if (!rows.length || !kit.sheet) return;
  if (!pad.querySelector(".sheet")) {
    none.after(parsed(kit.sheet));
    pad.querySelector(".scroll").dataset.kept = "";
  }
  const sheet = pad.querySelector(".sheet tbody");
  for (const row of rows) {
    const made = rowOf(kit, state, row);
    made.querySelector(".what").append(...(noted.get(made.querySelector("th a")?.pathname) ?? []));
    sheet.prepend(made);
  }
}

const linkTo = (seq, className, ...children) =>
  element("a", { href: `${location.pathname.split("/", 3).join("/")}/hands/${seq}/correction`, className }, ...children);

function rowOf({ words, labels, suits }, { names, table, categories }, { seq, number, hand, side, reason, delta, made: bidMade, totals, late, corrected, score }) {
  const what = made("td", "what");
  const heading = element("th", { scope: "row" });
  if (!hand) {
    heading.append(element("span", { ariaHidden: "true", textContent: "±" }), made("span", "vh", words.adjusted_row));
    what.append(made("b", `badge s${side}`, letterOf(side)), " ", made("bdi", "name", reason), " ", linkTo(seq, "strike", words.delete));
  } else {
    heading.append(words.correct ? linkTo(seq, "", made("span", "vh", `${words.correct} `), `${number}`) : `${number}`);
    what.append(...bidOf({ words, labels, suits }, { names, table }, hand));
    if (bidMade === false) what.append(" ", made("span", "stamp", words.set_stamp));
    const took = pointsOf({ table, categories }, hand.bid).map(({ key, label }) => filled(words.point, { point: hand.jack_hung && key === "jack" ? words.hung : label, side: sidesOf(table, hand, hand.points?.[key]).map(letterOf).join("") || "–" }));
    if (hand.points) what.append(made("span", "took", took.join(", ")));
  }
  const tags = { late_tag: late, last_tag: hand && !late && score.outcome, corrected_tag: corrected, kept_tag: typeof seq === "string" || corrected === "here" };
  for (const [tag, shows] of Object.entries(tags)) if (shows && words[tag]) what.append(" ", made("span", "tag", words[tag]));
  const row = made("tr", [late && "late", bidMade === false && "was-set", !hand && "adjusted"].filter(Boolean).join(" "), heading, what);
  totals.forEach((total, each) => row.append(made("td", "n", made("small", "", signed(delta[each])), " ", made("b", "", shown(total)))));
  row.dataset.kept = "";
  return row;
}

/** Returns a card as the sheet shows it: "6♣", or its rank alone. */
export const cardText = ({ suits }, [rank, suit]) => `${rank === "T" ? 10 : rank}${suits[suit] ?? ""}`;

function bidOf({ words, labels, suits }, { names, table }, { passed, bidder, bid, partner, trump, turned_up: card }) {
  if (passed) return [words.thrown_in];
  if (!told(bidder)) return card ? [made("b", "bid", cardText({ suits }, card))] : [];
  const side = table.side_of[bidder];
  const parts = [made("b", `badge s${side}`, letterOf(side)), " ", made("bdi", "name", names[bidder])];
  if (table.called) parts.push(told(partner) ? ` + ${names[partner]}` : ` ${words.alone}`);
  parts.push(" ", made("b", "bid", labels[bid]), " ");
  if (trump) parts.push(made("span", `suit${"DH".includes(trump) ? " red" : ""}`, suits[trump]));
  return parts;
}

/** Returns "Ann, Bob and Cid". */
export const joined = ({ and }, [first, ...more]) =>
  first + more.map((each, at) => (at === more.length - 1 ? and.replace("{a}", "").replace("{b}", each) : `, ${each}`)).join("");

const told = (value) => value !== undefined && value !== null;

/** Returns what a waiting change did, as in the history: "Undid hand 3.". */
export function changeText({ words }, { kind, number, reason }, { names, dealer }) {
  const hand = number ? filled(words.log.a_hand, { n: number }) : words.log.an_adjustment;
  return [filled(words.log[kind === "delete" ? "undo" : kind] ?? "", { hand, name: names[dealer] }), reason].filter(Boolean).join(" ");
}

/** Adds the buttons [label, address] that undo, redo or resume. */
export function addSteps(main, steps) {
  const place = main.querySelector(".outcome, .last");
  if (!place || !steps.length) return;
  place.querySelector(":scope > .steps")?.remove();
  const forms = steps.map(([textContent, action]) => element("form", { method: "post", action }, element("button", { className: "quiet", textContent })));
  for (const form of forms) form.dataset.stay = "";
  place.append(made("div", "steps", ...forms));
}

function points(fresh, kit, state) {
  const { bidder, bid, trump } = state.bid;
  const chip = fresh.querySelector(".in-play .chip");
  if (chip) chip.textContent = [kit.labels[bid], kit.suits[trump]].filter(Boolean).join(" ");
  const form = fresh.querySelector("form[data-preview]");
  const seen = form.querySelector("[name=seen]");
  seen.value = "";
  delete seen.dataset.seen;
  for (const output of form.querySelectorAll(".preview")) output.textContent = output.dataset.hint;
  for (const button of form.querySelectorAll(".bar button.main")) button.textContent = button.dataset.check;
  check(form, "trump", trump);
  const note = form.querySelector("#likely");
  if (!note) return;
  const likely = likelyPoints(state, bidder, bid);
  note.textContent = Object.keys(likely).length < pointsOf(state, bid).length ? kit.words.guess_part : kit.words.guess;
  for (const { key } of pointsOf(state, bid)) {
    const owner = likely[key];
    for (const face of form.querySelectorAll(`.pick:has([name="${CSS.escape(key)}"])`)) face.classList.remove("likely");
    check(form, key, owner === null ? "none" : owner)?.closest(".pick").classList.add("likely");
  }
}

/* Opens the part of the form that the hand before was entered in, without guesses. */
function openWay(fresh, state) {
  const part = fresh.querySelector(`.took-what details[data-mode="${wayBefore(state).mode}"]`);
  if (!part) return;
  part.open = true;
  const form = part.closest("form");
  form.querySelector("#likely")?.remove();
  for (const { key } of pointsOf(state, state.bid?.bid)) check(form, key);
  for (const face of form.querySelectorAll(".likely")) face.classList.remove("likely");
}

function check(form, name, value) {
  const radios = form.querySelectorAll(`[name="${CSS.escape(name)}"]`);
  for (const radio of radios) radio.checked = radio.defaultChecked = radio.value === String(value);
  return [...radios].find((radio) => radio.checked);
}
