#!/usr/bin/env bash
# Does the verdict of a run agree with its table, and with the verdict of another run? Runs the bench `pairs` again and
# again, on an idle machine and beside a process that keeps a processor busy, in random order, and prints
#
#   * how often the ratio of the table's cycles (times, where there are none) and the interval of the verdict exclude each
#     other, the table's own intervals taken into account;
#   * how often the intervals of the same verdict of two runs exclude each other;
#   * how often a pair of the same code is called different;
#   * how many rows have a figure or a rough range, and how often the range lacks the median of the figures.
#
#   scripts/agree.sh [--bench EXECUTABLE] [RUNS] [FOLDER] [-- ARGUMENT..]
#
# RUNS (4) of each condition, of some 25 seconds each. Runs are added to those that FOLDER has: target/agree by default.
# CONDITIONS=quiet or CONDITIONS=busy is one of the two alone. Nothing else should run on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1

bench=
if [[ ${1-} == --bench ]]; then
    bench=$(realpath "$2")
    shift 2
fi
runs=4
folder=target/agree
if (($#)) && [[ $1 != -- ]]; then
    runs=$1
    shift
fi
if (($#)) && [[ $1 != -- ]]; then
    folder=$1
    shift
fi
if [[ ${1-} == -- ]]; then shift; fi
if [[ -z $bench ]]; then
    bench=$(cargo bench -q --no-run --message-format=json -p examples --bench pairs \
        | grep '"kind":\["bench"\]' | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
fi
mkdir -p "$folder"

burner=
stop() {
    if [[ $burner ]]; then kill "$burner" 2>/dev/null || true; fi
    burner=
}
trap stop EXIT

turns=()
for ((run = 0; run < runs; run++)); do
    for condition in ${CONDITIONS:-quiet busy}; do turns+=("$condition"); done
done
mapfile -t turns < <(printf '%s\n' "${turns[@]}" | shuf)
for condition in "${turns[@]}"; do
    arguments=("$@")
    if [[ $condition == busy ]]; then
        # Threads that wait for each other need both processors.
        arguments+=(--skip threads/)
        sh -c 'while :; do :; done' &
        burner=$!
    fi
    number=$(find "$folder" -name "$condition-*.jsonl" | wc -l)
    file=$folder/$condition-$number.jsonl
    "$bench" --bench --no-store --format jsonl "${arguments[@]}" >"$file.part" 2>"$file.txt"
    mv "$file.part" "$file"
    stop
    echo "$condition, run $number: $(tail -1 "$file.txt")" >&2
done
exec python3 scripts/agree.py "$folder"
