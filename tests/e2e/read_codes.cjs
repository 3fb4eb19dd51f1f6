// Prints what jsQR and @zxing/library read in each PNG file: one line of JSON per file, with null for nothing.
const { readFileSync } = require("node:fs");
const { PNG } = require("pngjs");
const jsQR = require("jsqr");
const zxing = require("@zxing/library");

/* The two ways of the library to tell dark from light, of which programs try one after the other. */
const WAYS = [zxing.HybridBinarizer, zxing.GlobalHistogramBinarizer];

function read(gray, width, height) {
  for (const Way of WAYS) {
    try {
      const bitmap = new zxing.BinaryBitmap(new Way(new zxing.RGBLuminanceSource(gray, width, height)));
      return new zxing.QRCodeReader().decode(bitmap).getText();
    } catch {
      // Nothing was found this way.
    }
  }
  return null;
}

for (const file of process.argv.slice(2)) {
  const { data, width, height } = PNG.sync.read(readFileSync(file));
  const gray = Uint8ClampedArray.from({ length: width * height }, (_, at) => data[4 * at]);
  const found = jsQR(new Uint8ClampedArray(data), width, height);
  console.log(JSON.stringify([found && found.data, read(gray, width, height)]));
}
