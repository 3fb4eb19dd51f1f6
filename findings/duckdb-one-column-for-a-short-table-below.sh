#!/usr/bin/env bash
# DuckDB reads a CSV file with a second, narrower table below the first as one column of text, without an error.
#
# A results file has a ranking with six columns, an empty line, and honors with two cells to a line. RFC 4180 (2.4) wants
# as many fields in each line, but says "should", and such files are common. DuckDB 2.0.1's sniffer then finds no
# delimiter that fits all lines and takes each line for one text: no number and no column name is left, and nothing warns.
# If each line is filled up with empty cells, it finds six columns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python >/dev/null
python/bin/pip install -q duckdb==2.0.1 2>/dev/null
cat >read.py <<'PY'
import duckdb

ranking = ["Rank,Name,Points,Games,Wins,Sets", "1,Ann,68,3,3,0", "2,Bob,61,3,2,1", "3,Cid,40,3,1,2", "4,Dee,12,3,0,4"]
honors = ["Biggest set,Dee", "Best partners,Ann and Bob"]
seen = []
for fill in (0, 4):
    with open("results.csv", "w") as file:
        file.write("\n".join([*ranking, "," * (5 if fill else 0), *(line + "," * fill for line in honors), ""]))
    read = duckdb.sql("from 'results.csv'")
    print(duckdb.__version__, "filled" if fill else "short lines", read.columns, read.types)
    seen.append(len(read.columns))
# Seen: one column, then six.
raise SystemExit(seen != [1, 6])
PY
python/bin/python read.py
