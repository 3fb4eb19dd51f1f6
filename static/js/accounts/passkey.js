/* Signs in with a passkey, adds one, and shows a password while it is typed. None of it works without JavaScript, so this
   script also makes its controls visible. The server sends the challenge to sign and checks the answer. */
import { base64url } from "../dom.js";

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const text = (buffer) => base64url(new Uint8Array(buffer));

for (const place of document.querySelectorAll("[data-reveal]")) {
  const fields = place.closest("form").querySelectorAll("[type=password]");
  place.hidden = false;
  place.addEventListener("change", (event) => {
    for (const field of fields) field.type = event.target.checked ? "text" : "password";
  });
}

const ASK = {
  async create({ challenge, user, excludeCredentials = [], ...rest }) {
    const made = await navigator.credentials.create({
      publicKey: {
        ...rest,
        challenge: bytes(challenge),
        user: { ...user, id: bytes(user.id) },
        excludeCredentials: excludeCredentials.map((each) => ({ ...each, id: bytes(each.id) })),
      },
    });
    const { clientDataJSON, attestationObject } = made.response;
    return answer(made, { clientDataJSON, attestationObject });
  },
  async get({ challenge, allowCredentials, ...rest }) {
    const used = await navigator.credentials.get({ publicKey: { ...rest, challenge: bytes(challenge) } });
    const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
    return answer(used, { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) });
  },
};

function answer({ id, rawId, type }, response) {
  const told = Object.entries(response).map(([name, value]) => [name, text(value)]);
  return JSON.stringify({ id, rawId: text(rawId), type, response: Object.fromEntries(told), clientExtensionResults: {} });
}

async function send(url, form, more = {}) {
  const fields = new FormData(form);
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  const response = await fetch(url, { method: "POST", body: fields, headers: { Accept: "application/json" } });
  if (response.redirected) {
    location.assign(response.url);
    return null;
  }
  return response.headers.get("Content-Type")?.startsWith("application/json") ? response.json() : {};
}

async function use(form) {
  const says = form.querySelector(".error");
  says.hidden = true;
  try {
    const options = await send(form.dataset.options, form);
    if (!options) return;
    if (!options.challenge) throw new Error(options.says);
    const told = await send(form.action, form, { answer: await ASK[form.dataset.passkey](options) });
    if (!told) return;
    if (told.to) location.assign(told.to);
    else throw new Error(told.says);
  } catch (error) {
    /* The browser's own messages don't help users. A dialog that the user closed needs no message at all. */
    says.textContent = error.constructor === Error && error.message ? error.message : form.dataset.failed;
    says.hidden = error.name === "AbortError";
  }
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      use(form);
    });
  }
  for (const other of document.querySelectorAll("[data-without]")) other.hidden = true;
  for (const or of document.querySelectorAll(".or")) or.hidden = false;
}
