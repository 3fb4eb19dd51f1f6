/* Waiting hands as a code that another phone's camera reads: an address of the score book with the hands behind the #, so
   that they reach no log on the way. Loaded when somebody asks for it. */
import { correction, generate, mode } from "../../vendor/lean-qr@2.7.4.js";
import { base64url, element } from "../dom.js";
import { filled } from "./offline-board.js";
import { said } from "./outbox-sender.js";

/* Characters of an address that a phone's camera still reads off another phone; a code could hold 2,953. */
const MOST = 900;
const WHITE = [255, 255, 255, 255];

/** A box with the code of the first hands, and with one button to the code of those that found no room in it. */
export async function codeOf(words, { game, version, hands }) {
  const canvas = element("canvas", { role: "img", ariaLabel: words.code });
  const says = element("p");
  const next = element("button", { type: "button", className: "quiet", textContent: words.code_next });
  let from = 0;
  const draw = async () => {
    const { url, count } = await fitting(game, version, hands.slice(from));
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

/* As many hands as one code holds, at least one. */
async function fitting(game, version, hands) {
  let best;
  for (let count = 1; count <= hands.length; count += 1) {
    const url = `${location.origin}/carry#${await pack(said(game, version, hands.slice(0, count)))}`;
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
