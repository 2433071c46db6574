#!/usr/bin/env bash
# What does a reference cost that thirty functions are compared with? Runs them with it and without it, in random order,
# and prints how long either takes and the ratio of the medians.
#
#   scripts/members.sh [RUNS]     of either (5)
#
# Nothing else should run on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-5}
bench=$(cargo bench -q --no-run -p examples --bench members --message-format=json \
    | sed -n 's/.*"name":"members".*"executable":"\([^"]*\)".*/\1/p')
mapfile -t turns < <(for ((run = 0; run < runs; run++)); do printf '%s\n' alone compared; done | shuf)
for turn in "${turns[@]}"; do
    begin=$(date +%s%N)
    answer=$("$bench" --bench --no-store "$turn::" 2>/dev/null | tail -n 1)
    echo "$turn $((($(date +%s%N) - begin) / 1000000)) $answer"
done | tee >(cat >&2) | sort -k1,1 -k2,2n | awk '
    { values[$1] = values[$1] " " $2 }
    END {
        for (turn in values) {
            count = split(values[turn], sorted, " ")
            middle[turn] = (sorted[int((count + 1) / 2)] + sorted[int((count + 2) / 2)]) / 2000
            printf "%s: median %.1f s, %s ms\n", turn, middle[turn], values[turn]
        }
        printf "with a reference: %.2f times as long\n", middle["compared"] / middle["alone"]
    }'
