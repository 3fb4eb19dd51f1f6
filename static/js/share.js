/* Shares with the phone's share sheet, or copies. Without HTTPS a browser offers neither, so the field is selected and
   copied the old way. Without JavaScript people can still copy by hand. */
export async function copy(text, field) {
  field.select();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!document.execCommand("copy")) throw new Error("not copied");
  }
}

async function shareText(button) {
  const { share: url, text, copied } = button.dataset;
  const field = button.parentElement.querySelector("input, textarea");
  try {
    if (navigator.share) return await navigator.share(text ? { text } : { title: document.title, url });
    /* Text in a closed section cannot be selected. */
    field.closest("details:not(.act)")?.setAttribute("open", "");
    await copy(text || url, field);
    button.textContent = copied;
  } catch (error) {
    if (error.name !== "AbortError") field.select();
  }
}

/* Shares the picture itself where the phone can; otherwise the link downloads it. */
async function sharePicture(link) {
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
  if (button) shareText(button);
  if (!link || !navigator.canShare) return;
  event.preventDefault();
  sharePicture(link);
});
/* The board replaces its content without leaving the page. */
document.addEventListener("board-replaced", reveal);
reveal();
