#!/usr/bin/env bash
# QR codes of text with accents: without ECI, readers see nothing or Chinese.
#
# segno 1.6.6 writes "é" as one byte of ISO 8859-1 and says so only if eci=True. jsQR 1.4.0, which takes bytes for UTF-8,
# returns an empty text. zbar 0.23.92 (pyzbar 0.1.9) guesses: a Wi-Fi named "Salle Évangéline" becomes "Salle 屴ang幨ine".
# zxing-cpp 3.1.1 guesses right. With encoding="utf-8" and eci=True, all three read both texts. Needs libzbar (Debian:
# libzbar0).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python >/dev/null
python/bin/pip install -q segno==1.6.6 pyzbar==0.1.9 zxing-cpp==3.1.1 pillow==11.3.0 2>/dev/null
npm install --silent --no-audit --no-fund jsqr@1.4.0 pngjs@7.0.0
cat >read.cjs <<'JS'
const { PNG } = require("pngjs");
const { data, width, height } = PNG.sync.read(require("fs").readFileSync("code.png"));
const found = require("jsqr")(new Uint8ClampedArray(data), width, height);
process.stdout.write(found ? found.data : "none");
JS
cat >read.py <<'PY'
import subprocess

import segno
import zxingcpp
from PIL import Image
from pyzbar.pyzbar import decode

seen = []
for options in ({}, {"encoding": "utf-8", "eci": True}):
    for text in ("WIFI:T:WPA;S:Café;P:12345678;;", "WIFI:T:WPA;S:Salle Évangéline;P:x;;"):
        segno.make(text, micro=False, **options).save("code.png", scale=4, border=4)
        picture = Image.open("code.png").convert("L")
        readers = {
            "jsQR": subprocess.run(["node", "read.cjs"], capture_output=True, text=True, check=True).stdout,
            "zbar": decode(picture)[0].data.decode(),
            "zxing-cpp": zxingcpp.read_barcodes(picture)[0].text,
        }
        print(options or "default", "|", text, "|", readers)
        seen.append([got == text for got in readers.values()])
# Seen by default: jsQR reads both as empty, zbar the second one wrong; with ECI, all are right.
raise SystemExit(seen != [[False, True, True], [False, False, True], [True] * 3, [True] * 3])
PY
python/bin/python read.py
