/* Hands something on in the phone's own way, or copies it. In a hall without https a browser has neither for us: then the
   field is marked and copied the old way. Without a script it can still be copied by hand. */
export async function copy(text, field) {
  field.select();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!document.execCommand("copy")) throw new Error("not copied");
  }
}

async function hand(button) {
  const { share: url, text, copied } = button.dataset;
  const field = button.parentElement.querySelector("input, textarea");
  try {
    if (navigator.share) return await navigator.share(text ? { text } : { title: document.title, url });
    await copy(text || url, field);
    button.textContent = copied;
  } catch (error) {
    if (error.name !== "AbortError") field.select();
  }
}

/* A picture goes to the group chat as a picture where the phone can; else the link brings it as a file. */
async function handPicture(link) {
  try {
    const picture = await (await fetch(link.href)).blob();
    const files = [new File([picture], link.download, { type: picture.type })];
    if (!navigator.canShare({ files })) location.assign(link.href);
    else await navigator.share({ files });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
  }
}

function reveal() {
  for (const button of document.querySelectorAll("[data-share][hidden]")) {
    if (!navigator.share) button.textContent = button.dataset.copy;
    button.hidden = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  const link = event.target.closest("[data-picture]");
  if (button) hand(button);
  if (!link || !navigator.canShare) return;
  event.preventDefault();
  handPicture(link);
});
/* A page that stays exchanges its board. */
document.addEventListener("board-replaced", reveal);
reveal();
