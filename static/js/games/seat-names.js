/* Enter moves to the next seat; in the last one it starts the game. */
const names = [...document.querySelectorAll(".seats .seat-name input")];

for (const [seat, name] of names.entries())
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    const next = names[seat + 1];
    if (next) next.focus();
    else document.querySelector(".bar .main").click();
  });
