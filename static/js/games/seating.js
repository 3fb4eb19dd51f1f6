/* The seats of a new game: seat people by tapping their names, swap seats by tap or drag, and draw by lot. Without this
   script, the same buttons ask the server. */
const form = document.querySelector("form.setup");
const seats = [...form.querySelectorAll(".seats > .seat")];
const inputs = seats.map((seat) => seat.querySelector("input:not([type=radio])"));
const dealers = seats.map((seat) => seat.querySelector("[name=first_dealer]"));
const grips = seats.map((seat) => seat.querySelector(".grip"));
const chips = [...form.querySelectorAll("[name=sit]")];
const told = form.querySelector(".drawn");

const folded = (name) => name.trim().normalize("NFD").toLowerCase();
const names = () => inputs.map((input) => input.value.trim());
const joined = (list) => new Intl.ListFormat(document.documentElement.lang).format(list);
const label = (seat) => names()[seat] || seats[seat].querySelector("label").textContent.replace(/ \(.*/, "");
const press = (button, pressed) => button.setAttribute("aria-pressed", String(pressed));

/** Returns a random whole number below `limit`, each as likely. */
function below(limit) {
  const most = 2 ** 32 - (2 ** 32 % limit);
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return number < most ? number % limit : below(limit);
}

/** Returns the items in random order. */
function shuffled(items) {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0]);
}

function showSeated() {
  const seated = names().map(folded);
  for (const chip of chips) press(chip, seated.includes(folded(chip.value)));
}

function flash(changed) {
  for (const seat of changed) {
    seats[seat].classList.remove("fresh");
    void seats[seat].offsetWidth; // starts the animation anew
    seats[seat].classList.add("fresh");
  }
}

/** Moves the player of seat `places[i]` to seat i; the first dealer is the same person as before. */
function move(places) {
  const before = names();
  const dealer = dealers.findIndex((radio) => radio.checked);
  places.forEach((place, seat) => { inputs[seat].value = before[place]; });
  if (dealer >= 0) dealers[places.indexOf(dealer)].checked = true;
  flash([...places.keys()].filter((seat) => places[seat] !== seat));
  showSeated();
}

function swap(one, other) {
  const places = [...seats.keys()];
  [places[one], places[other]] = [other, one];
  move(places);
}

const draws = {
  seats() {
    move(shuffled([...seats.keys()]));
    return seats.map((_seat, number) => label(number)).join(", ");
  },
  partners() {
    move([0, ...shuffled([...seats.keys()].slice(1))]);
    const sides = new Map();
    for (const [seat, grip] of grips.entries()) {
      const letter = grip.querySelector(".badge").textContent;
      sides.set(letter, [...(sides.get(letter) ?? []), label(seat)]);
    }
    return [...sides.values()].map(joined).join("; ");
  },
  dealer() {
    const seat = below(seats.length);
    dealers[seat].checked = true;
    flash([seat]);
    return label(seat);
  },
};

function sit(name) {
  const seated = names().map(folded).indexOf(folded(name));
  const seat = seated < 0 ? names().indexOf("") : seated;
  if (seat < 0) return;
  inputs[seat].value = seated < 0 ? name : "";
  if (seated < 0) flash([seat]);
  showSeated();
}

function tapGrip(seat) {
  const first = grips.findIndex((grip) => grip.getAttribute("aria-pressed") === "true");
  for (const grip of grips) press(grip, false);
  if (first < 0) press(grips[seat], true);
  else if (first !== seat) swap(first, seat);
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("[name=sit], [name=draw], [name=swap]");
  if (!button) return;
  event.preventDefault();
  if (button.name === "sit") sit(button.value);
  else if (button.name === "draw") told.textContent = button.dataset.says.replace("{}", () => draws[button.value]());
  else if (!dragged || event.detail === 0) tapGrip(Number(button.value)); // 0: by keyboard
});
form.addEventListener("input", showSeated);

/* Dragging: the pointer must move a little first, so that a tap stays a tap. */
let dragged = false;

for (const [seat, grip] of grips.entries())
  grip.addEventListener("pointerdown", (down) => {
    dragged = false;
    grip.setPointerCapture(down.pointerId);
    const under = (event) => seats.findIndex((each) => each.contains(document.elementFromPoint(event.clientX, event.clientY)));
    const drag = (event) => {
      dragged ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 8;
      for (const [other, each] of seats.entries()) {
        each.classList.toggle("dragged", dragged && other === seat);
        each.classList.toggle("over", dragged && other !== seat && other === under(event));
      }
    };
    const drop = (event) => {
      grip.removeEventListener("pointermove", drag);
      for (const each of seats) each.classList.remove("dragged", "over");
      const target = under(event);
      if (dragged && event.type === "pointerup" && target >= 0 && target !== seat) swap(seat, target);
      setTimeout(() => { dragged = false; });
    };
    grip.addEventListener("pointermove", drag);
    grip.addEventListener("pointerup", drop, { once: true });
    grip.addEventListener("pointercancel", drop, { once: true });
  });
