/* Counts down to the bell of a timed round. Without this script, the page says at what time it rings. */
const ownTime = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

function tick() {
  for (const time of document.querySelectorAll("time[data-left]")) {
    const ends = new Date(time.dateTime);
    const seconds = Math.ceil((ends - Date.now()) / 1000);
    const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const says = seconds > 0 ? time.dataset.left.replace("{time}", ownTime.format(ends)).replace("{left}", left) : time.dataset.up;
    if (time.textContent !== says) time.textContent = says;
  }
}

tick();
setInterval(tick, 1_000);
