#!/usr/bin/env bash
# Ratings after a tie depend on the order of the players, or give a third place as much as the winners.
#
# Four players with equal ratings (25) play one game. openskill 5.0.1 on npm, with bradleyTerryPart, compares each player
# only with the neighbors in the list: if the first two tie for first, one stays at 25.0 and the other gets 27.6, and if
# the second and third tie, the third gets as much as the winner. The package openskill 6.2.0 for Python has the same
# model, and gives tied players the same. In plackettLuce, the default of both packages, players who tie for first get
# 25.9, and the third place gets 25.9, too. bradleyTerryFull does neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python >/dev/null
python/bin/pip install -q openskill==6.2.0 2>/dev/null
npm install --silent --no-audit --no-fund openskill@5.0.1
cat >rate.mjs <<'JS'
import { rate, rating } from "openskill";
import { bradleyTerryFull, bradleyTerryPart, plackettLuce } from "openskill/models";
const models = { bradleyTerryPart, plackettLuce, bradleyTerryFull };
for (const rank of [[1, 1, 3, 4], [1, 2, 2, 4]]) {
  for (const [name, model] of Object.entries(models)) {
    const rated = rate([[rating()], [rating()], [rating()], [rating()]], { model, rank });
    console.log("npm", name, rank.join(), rated.map(([one]) => one.mu.toFixed(1)).join(" "));
  }
}
JS
cat >rate.py <<'PY'
from openskill.models import BradleyTerryFull, BradleyTerryPart, PlackettLuce

for ranks in ([1, 1, 3, 4], [1, 2, 2, 4]):
    for model in (BradleyTerryPart(), PlackettLuce(), BradleyTerryFull()):
        rated = model.rate([[model.rating()] for _ in ranks], ranks=ranks)
        print("Python", type(model).__name__, ",".join(map(str, ranks)), *(f"{one.mu:.1f}" for [one] in rated))
PY
cat >expected.txt <<'SEEN'
npm bradleyTerryPart 1,1,3,4 25.0 27.6 25.0 22.4
npm plackettLuce 1,1,3,4 25.9 25.9 25.9 22.2
npm bradleyTerryFull 1,1,3,4 30.3 30.3 22.4 17.1
npm bradleyTerryPart 1,2,2,4 27.6 22.4 27.6 22.4
npm plackettLuce 1,2,2,4 27.8 24.7 24.7 22.8
npm bradleyTerryFull 1,2,2,4 32.9 25.0 25.0 17.1
Python BradleyTerryPart 1,1,3,4 26.8 26.8 24.1 22.4
Python PlackettLuce 1,1,3,4 25.9 25.9 25.9 22.2
Python BradleyTerryFull 1,1,3,4 30.3 30.3 22.4 17.1
Python BradleyTerryPart 1,2,2,4 27.6 25.0 25.0 22.4
Python PlackettLuce 1,2,2,4 27.8 24.7 24.7 22.8
Python BradleyTerryFull 1,2,2,4 32.9 25.0 25.0 17.1
SEEN
{ node rate.mjs; python/bin/python rate.py; } | tee seen.txt
cmp seen.txt expected.txt
