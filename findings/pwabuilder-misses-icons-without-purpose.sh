#!/usr/bin/env bash
# A web app for phones is told that it has no icon for any purpose, if its icons leave out the default.
#
# In a web app manifest, an icon without a "purpose" has the purpose "any" (W3C, Manifest Image Resource, "purpose").
# @pwabuilder/manifest-validation 0.0.9 looks only for the text "any": with icons of 192 and 512 pixels without a
# purpose, "Icons have at least one icon with purpose any" fails, and holds as soon as one of them says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @pwabuilder/manifest-validation@0.0.9
cat >check.mjs <<'JS'
import { validateManifest } from "@pwabuilder/manifest-validation";
const icon = (size, more) => ({ src: `/${size}.png`, sizes: `${size}x${size}`, type: "image/png", ...more });
for (const more of [{}, { purpose: "any" }]) {
  const icons = [icon(192, {}), icon(512, more)];
  const told = await validateManifest({ name: "Cards", short_name: "Cards", start_url: "/", icons }, true);
  const { valid } = told.find((one) => one.displayString === "Icons have at least one icon with purpose any");
  console.log(JSON.stringify(icons[1]), valid);
}
JS
node check.mjs | tee seen.txt
# Seen: false, then true.
[ "$(sed 's/.* //' seen.txt | tr '\n' ' ')" = "false true " ]
