#!/usr/bin/env bash
# Repeats real runs at default settings and prints how far their estimates are apart from run to run, in
# nanoseconds and in cycles. Appends to the log: stopped and started again, on the same machine, it goes
# on.
#
#   scripts/steadier.sh [RUNS] [LOG]
#
# RUNS is 20 by default: so many more, a few seconds each. Cases that wait for no memory (a
# chain of multiplications, sorting, a hash map, formatting), and two that do, for which cycles are not
# expected to be steadier. Below the table stands what the program itself held each run against the one
# before in. The machine should have nothing else to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-20}
if ! [[ $runs =~ ^[1-9][0-9]*$ ]]; then
    echo "steadier.sh: RUNS is a whole number from 1, not \`$runs\`" >&2
    exit 1
fi
log=${2:-target/steadier/log.tsv}
wanted='.*::(lat\[k=100\]|std_unstable\[n=3200\]|format_number|remove_restored\[M=HashMap.*\]|chase\[bytes=(1048576|16777216)\])'
folder=$(dirname "$log")
words=${log%.tsv}.words
mkdir -p "$folder/store"
touch "$words"

# The executables, built before the first run: nothing is compiled beside a measurement.
built() {
    local kind=$1
    shift
    "$@" --message-format=json | grep "\"kind\":\[\"$kind\"\]" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}
benches=$(built bench cargo bench -q --no-run -p examples --bench landmarks --bench sort \
    --bench strings_and_maps --bench memory_levels)
coverage=$(built bin cargo build -q --release -p sim --bin coverage)
steadiness=$(built bin cargo build -q --release -p sim --bin steadiness)

for ((run = 0; run < runs; run++)); do
    touch "$folder/begun"
    for bench in $benches; do
        "$bench" --bench --list --format terse | sed -n 's/: benchmark$//p' | grep -Ex "$wanted" >"$folder/ids"
        while read -r id; do
            # One case in a run, so that the line about the run before is about this one.
            NO_COLOR=1 "$bench" --bench --quiet --exact --store "$folder/store" "$id" >"$folder/text"
            word=$(sed -n 's/^last run  change of the \([a-z]*\) since.*/\1/p' "$folder/text")
            if [[ -n $word ]]; then
                printf '%s\t%s\n' "$id" "$word" >>"$words"
            fi
        done <"$folder/ids"
    done
    find "$folder/store" -name '*.jsonl' -newer "$folder/begun" -print0 \
        | xargs -0 "$coverage" "$log" >/dev/null
done
"$steadiness" "$log"
echo 'Held against the run before:'
sort "$words" | uniq -c | sed -E 's/^ *([0-9]+) (.*)\t(.*)$/* \2: in \3, \1 times/'
