/* Makes a set and a win felt: motion by moments.css and end.css, and here sound and vibration, if the settings say so. Nothing
   waits for them, and each is felt once, however often the board is drawn. */
import { element } from "../dom.js";

const SHEETS = ["css/share.css", "css/games/end.css", "css/games/moments.css"];
const PULSES = { set: [80, 60, 160], win: [50, 60, 50, 60, 220] };
/* Frequencies in hertz, each after `STEP` seconds: two steps down for a set, a chord for a win. */
const NOTES = { set: [220, 165], win: [523, 659, 784, 1047] };
const STEP = 0.14;
const LOUDNESS = 0.2;
const main = document.querySelector("main");
const { dataset } = document.querySelector(".says");
let last = state();
let audio;

for (const name of SHEETS) document.head.append(element("link", { rel: "stylesheet", href: new URL(`../../${name}`, import.meta.url) }));

/* The moment on the board, with the score by which it is recognized. */
function state() {
  const moment = main.querySelector(".end .fan, .total.won") ? "win" : main.querySelector(".total.fell") ? "set" : "";
  return { moment, key: `${moment} ${main.querySelector("h1")?.textContent}` };
}

function play(notes) {
  /* Like a ringtone: the phone's silent switch turns it off, and music goes on. */
  if (navigator.audioSession) navigator.audioSession.type = "ambient";
  audio ??= new AudioContext();
  audio.resume();
  notes.forEach((frequency, place) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + place * STEP;
    Object.assign(tone, { type: "triangle" }).frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 3 * STEP);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 3 * STEP);
  });
}

document.addEventListener("board-replaced", () => {
  const now = state();
  const felt = now.moment && now.key !== last.key;
  last = now;
  if (!felt) return;
  if ("buzz" in dataset) navigator.vibrate?.(PULSES[now.moment]);
  if ("sound" in dataset && window.AudioContext) play(NOTES[now.moment]);
});
