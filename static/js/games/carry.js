/* Sends the part of the link after the # to the server, because browsers do not. */
const form = document.querySelector("[data-carry]");
const [, packed = ""] = location.hash.match(/^#([zj][\w-]+)$/) ?? [];
const says = form.querySelector("[data-empty]");

form.elements.namedItem("sent").value = packed;
form.querySelector("button").hidden = !packed;
says.hidden = Boolean(packed);
if (packed) form.requestSubmit?.();
else says.textContent = says.dataset.empty;
