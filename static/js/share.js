/* Shares with the phone's share sheet, or copies. Without HTTPS a browser offers neither, so the field is selected and
   copied the old way. Without JavaScript people can still copy by hand, and open the picture. */
const PATIENCE = 5_000;
/* Each picture is fetched once: a browser opens its share sheet only shortly after a tap. */
const pictures = new Map();

export async function copy(text, field) {
  field.select();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!document.execCommand("copy")) throw new Error("not copied");
  }
}

function pictureAt(url, name = "score.png") {
  if (!pictures.has(url)) pictures.set(url, fetched(url, name).catch(() => void pictures.delete(url)));
  return pictures.get(url);
}

async function fetched(url, name) {
  const reply = await fetch(url, { signal: AbortSignal.timeout?.(PATIENCE) });
  if (!reply.ok) throw new Error(reply.status);
  const picture = await reply.blob();
  return new File([picture], name, { type: picture.type });
}

const relabel = (button, words) => ((button.querySelector("span") ?? button).textContent = words);

async function share(button) {
  const { share: url, text, copied, again } = button.dataset;
  const field = button.closest(".outcome, .share").querySelector("input, textarea");
  try {
    const file = button.href && navigator.canShare ? await pictureAt(button.href) : undefined;
    const files = file && { text, files: [file] };
    if (files && navigator.canShare(files)) return await navigator.share(files);
    if (navigator.share) return await navigator.share(text ? { text } : { title: document.title, url });
    /* Text in a closed section cannot be selected. */
    field.closest("details:not(.act)")?.setAttribute("open", "");
    await copy(text || url, field);
    relabel(button, copied);
  } catch (error) {
    if (error.name === "NotAllowedError" && again) relabel(button, again);
    else if (error.name !== "AbortError") field.select();
  }
}

/* Shares the picture itself where the phone can; otherwise the link downloads it. */
async function sharePicture(link) {
  try {
    const files = [await pictureAt(link.href, link.download)];
    if (!files[0] || !navigator.canShare({ files })) location.assign(link.href);
    else await navigator.share({ files });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
  }
}

function reveal() {
  for (const button of document.querySelectorAll("[data-share]")) {
    const { label, copy } = button.dataset;
    if (!navigator.share) relabel(button, copy);
    else if (label) relabel(button, label);
    button.hidden = false;
  }
}

document.addEventListener("pointerdown", ({ target }) => {
  const button = target.closest("a[data-share]");
  if (button && navigator.canShare) pictureAt(button.href);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  const link = event.target.closest("[data-picture]");
  if (button) share(button);
  if (!button && !(link && navigator.canShare)) return;
  event.preventDefault();
  if (!button) sharePicture(link);
});
/* The board replaces its content without leaving the page. */
document.addEventListener("board-replaced", reveal);
reveal();
