/* Finds a game while somebody types, by any of its names and by number of players. Without this script, the same fields ask
   the server (scorekeeper/games/logic/new_game.py, which says what counts as found). */
const box = document.querySelector(".find-game");
const [text, players] = box.querySelectorAll("input, select");
const [count, none] = box.querySelectorAll("p");
const own = box.querySelector(".own");
const place = document.querySelector(".picked");
const games = [...place.querySelectorAll("[data-names]")];
const others = new Map(Object.entries(JSON.parse(none.dataset.others)));
const [numbers, fillers] = [box.dataset.numbers.split(" "), box.dataset.fillers.split(" ")];

/** Returns a pattern for a word with one letter wrong, too many, missing, or swapped with the next. */
function nearly(word) {
  const slips = ([a, b, c]) => [`${a}[^ |]${c}`, a + c, `${a}[^ |]${b}${c}`, a + c.slice(0, 1) + b + c.slice(1)];
  const whole = word.length < 4 || word.length > 20;
  return whole ? word : [...word].flatMap((b, at) => slips([word.slice(0, at), b, word.slice(at + 1)])).join("|");
}

function find() {
  const words = (text.value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !fillers.includes(word))
    .map((word) => (numbers.includes(word) ? `${numbers.indexOf(word)}` : word));
  const asked = words.length > 0 || players.value !== "";
  const has = (name, fit) => words.every((word) => RegExp(`(^|[ |])(${fit(word)})${/^\d/.test(word) ? "\\b" : ""}`).test(name));
  const named = (name) => name.replaceAll(" ", "").startsWith(words.join("")) || has(name, String);
  const ways = [(names) => names.split("|").some(named), (names) => has(names, String), (names) => has(names, nearly)];
  const seated = games.filter(({ dataset }) => !players.value || dataset.players.split(" ").includes(players.value));
  const found = ways.map((fits) => seated.filter(({ dataset }) => fits(dataset.names))).find((some) => some.length) ?? [];
  for (const game of games) game.hidden = !found.includes(game);
  for (const group of place.querySelectorAll("[data-group]")) {
    group.hidden = !group.querySelector("[data-names]:not([hidden])");
    if (asked) group.open = true;
  }
  place.classList.toggle("finding", asked);
  const other = words.map((word) => others.get(word)).find(Boolean) ?? none.dataset[players.value ? "both" : "name"];
  none.textContent = found.length ? "" : other;
  count.textContent = asked && found.length ? count.dataset.says.replace("{}", found.length) : "";
  document.querySelector("[name=wanted_players]").value = players.value;
  own.hidden = !asked;
  own.querySelector("button").value = text.value;
}

// The button asks the server, and would lose the names that were typed.
box.querySelector("button").hidden = true;
text.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());

box.addEventListener("input", find);
// A browser that goes back puts the fields as they were left.
addEventListener("pageshow", () => (text.value || players.value) && find());
