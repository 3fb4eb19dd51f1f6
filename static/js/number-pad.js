/* Numbers are entered with a finger on a pad of big digits, which opens under the field in place of the phone's keyboard. The
   pad has a minus key for fields with points, which can be negative. On the desk, where fields are many and small, a button
   beside each one changes the sign, because the phone's own number pad may lack a minus key. Without this script the full
   keyboard opens. Scripts replace the fields of the desk, and the pad without a signal, so the listeners are on the page. */
const PAD = ".number-pad";
const KEY = `${PAD} button`;
const POINTS = "[data-points]";
const MINUS = /^[-−]/;
const currentPad = () => document.querySelector(PAD);
let field;

function open() {
  const pad = currentPad();
  pad.querySelector("[value=minus]").disabled = !field.matches(POINTS);
  (field.closest(".final, .sets") ?? field.closest(".field")).after(pad);
  pad.hidden = false;
  pad.scrollIntoView({ block: "nearest" });
}

/* As many digits as the field takes. */
const most = () => (field.max ? field.max.length : field.maxLength - field.matches(POINTS));

const signed = (value) => (MINUS.test(value) ? value.slice(1) : `-${value}`);

function press(key) {
  const { value } = field;
  const digits = value.replace(MINUS, "");
  if (key === "minus") field.value = signed(value);
  else if (key === "delete") field.value = digits ? value.slice(0, -1) : "";
  else if (digits.length < most()) field.value += key;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/* The keyboard is chosen before the field has the focus; the pad, which moves the page, is shown once the tap is over. */
addEventListener("pointerdown", ({ target, pointerType }) => {
  if (!target.matches?.(`${POINTS}, [data-pad]`)) return;
  const ours = currentPad() && pointerType !== "mouse" && target.matches("[data-pad]");
  target.inputMode = ours ? "none" : "numeric";
  if (ours) field = target;
});

addEventListener("click", ({ target }) => {
  if (target === field && field.inputMode === "none") open();
});

addEventListener("click", ({ target }) => {
  const near = target.closest?.("[data-sign]")?.parentElement.querySelector(POINTS);
  if (!near) return;
  near.value = signed(near.value);
  near.inputMode = "numeric";
  near.focus();
});

/* The field stays in focus while the pad is used. */
addEventListener("mousedown", (event) => event.target.closest?.(PAD) && event.preventDefault());
addEventListener("click", ({ target }) => {
  const key = target.closest?.(KEY);
  if (key) press(key.value);
});
/* It stays open when a button is tapped, which would move from under the finger. */
addEventListener("focusin", ({ target }) => {
  const pad = currentPad();
  if (pad && target.matches("input:not([data-pad]), textarea")) pad.hidden = true;
});
