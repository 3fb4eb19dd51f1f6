/* Makes a photo smaller before it is sent, because a phone's photo takes a minute with bad signal. The server accepts the
   original too. */
const SIDE = 1280;
const QUALITY = 0.85;
const form = document.querySelector("[data-photo]");
const input = form.querySelector("[type=file]");

async function smaller(file) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  return blob && new File([blob], "photo.jpg", { type: blob.type });
}

input.addEventListener("change", async () => {
  const [file] = input.files;
  const photo = file && (await smaller(file).catch(() => undefined));
  if (!photo || photo.size > file.size || input.files[0] !== file) return;
  const chosen = new DataTransfer();
  chosen.items.add(photo);
  input.files = chosen.files;
});
