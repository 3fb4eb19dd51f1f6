#!/usr/bin/env bash
# Dates that SheetJS writes are a few seconds before midnight of the day before, in zones with an odd old offset.
#
# SheetJS (xlsx 0.18.5 on npm) computes a cell's serial number from the local zone's offset in 1899. Zones whose clocks
# then differed by seconds (Halifax, Madrid, Mexico City) lose or gain them: new Date(2026, 8, 8) becomes the serial
# number of September 7, 2026, 23:59:36, and spreadsheet programs and openpyxl show the day before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python >/dev/null
python/bin/pip install -q openpyxl==3.1.5 2>/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat >write.cjs <<'JS'
const XLSX = require("xlsx");
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([[new Date(2026, 8, 8)]], { cellDates: false }));
XLSX.writeFile(book, process.argv[2]);
JS
seen=""
for zone in America/Halifax Europe/Madrid America/Mexico_City; do
    TZ=$zone node write.cjs night.xlsx
    read=$(python/bin/python -c "import openpyxl; print(openpyxl.load_workbook('night.xlsx').active['A1'].value)")
    echo "$zone: September 8, 2026 is read as $read"
    seen="$seen${read%% *} "
done
# Seen: 23:59:36 (Halifax), 23:59:16 (Madrid) and 23:59:24 (Mexico City) of September 7.
[ "$seen" = "2026-09-07 2026-09-07 2026-09-07 " ]
