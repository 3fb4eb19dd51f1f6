/* Hands something on in the phone's own way, or copies it. In a hall without https a browser has neither for us: then the
   field is marked and copied the old way. Without a script it can still be copied by hand. */
async function copy(text, field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  field.select();
  if (!document.execCommand("copy")) throw new Error("not copied");
}

for (const button of document.querySelectorAll("[data-share]")) {
  const { share: url, text, copied } = button.dataset;
  const field = button.parentElement.querySelector("input, textarea");
  const sent = text ? { text } : { title: document.title, url };
  if (!navigator.share) button.textContent = button.dataset.copy;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (navigator.share) return await navigator.share(sent);
      await copy(text || url, field);
      button.textContent = copied;
    } catch {
      field.select();
    }
  });
}

/* A picture goes to the group chat as a picture where the phone can; else the link brings it as a file. */
for (const link of document.querySelectorAll("[data-picture]")) {
  link.addEventListener("click", async (event) => {
    if (!navigator.canShare) return;
    event.preventDefault();
    try {
      const picture = await (await fetch(link.href)).blob();
      const files = [new File([picture], "score.png", { type: picture.type })];
      if (!navigator.canShare({ files })) location.assign(link.href);
      else await navigator.share({ files });
    } catch (error) {
      if (error.name !== "AbortError") location.assign(link.href);
    }
  });
}
