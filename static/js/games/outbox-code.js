/* Turns waiting hands into a QR code for another phone's camera: a link with the hands after the #, so that they appear in
   no server log. Loaded on demand. */
import { correction, generate, mode } from "../../vendor/lean-qr@2.7.4.js";
import { base64url, element, filled } from "../dom.js";
import { said } from "./outbox-sender.js";

/* The longest link, in characters, that a phone reads well off another phone; a QR code could hold 2,953. */
const MOST = 900;
const WHITE = [255, 255, 255, 255];

/** Returns a box with the QR code of the first hands, and a button to the next code if they do not all fit. */
export async function codeOf(words, { game, version, hands, start }) {
  const canvas = element("canvas", { role: "img", ariaLabel: words.code });
  const says = element("p");
  const next = element("button", { type: "button", className: "quiet", textContent: words.code_next });
  let from = 0;
  const draw = async () => {
    const { url, count } = await fitting(game, version, hands.slice(from), start);
    generate(url, { modes: [mode.ascii], maxCorrectionLevel: correction.M }).toCanvas(canvas, { off: WHITE });
    const [first, last] = [hands[from], hands[from + count - 1]].map(({ number }) => number);
    says.textContent = filled(count === 1 ? words.code_one : words.code_says, { first, last });
    says.dataset.url = url;
    next.hidden = count === hands.length;
    from = (from + count) % hands.length;
  };
  next.onclick = draw;
  await draw();
  return element("div", { className: "code" }, canvas, says, next);
}

/* Returns the link for as many hands as fit in one code, at least one. */
async function fitting(game, version, hands, start) {
  let best;
  for (let count = 1; count <= hands.length; count += 1) {
    const url = `${location.origin}/carry#${await pack(said(game, version, hands.slice(0, count), start))}`;
    if (best && url.length > MOST) break;
    best = { url, count };
  }
  return best;
}

async function pack(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  try {
    const small = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return `z${base64url(new Uint8Array(await new Response(small).arrayBuffer()))}`;
  } catch {
    return `j${base64url(bytes)}`;
  }
}
