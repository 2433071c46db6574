#!/usr/bin/env bash
# Does the verdict of a run agree with its table, and with the verdict of another run? Runs the bench `pairs` again and
# again, on an idle machine and beside a process that keeps a processor busy, in random order, and prints
#
#   * how often the ratio of the table's cycles (times, where there are none) and the interval of the verdict exclude each
#     other, the table's own intervals taken into account;
#   * how often the intervals of the same verdict of two runs exclude each other;
#   * how often a pair of the same code is called different;
#   * how many rows have a figure or a rough range, and how often the range lacks the median of the figures;
#   * of bodies that time themselves, next to the same work timed by the harness: how many intervals lack the ratio 1,
#     and which figures are off by more than 5 % without a mark.
#
#   scripts/agree.sh [--bench EXECUTABLE] [RUNS] [FOLDER] [-- ARGUMENT..]
#   scripts/agree.sh --peers [RUNS] [FOLDER]
#                                 the same pairs in other harnesses, next to this one: by what factor the ratio of a pair
#                                 differs between two runs
#
# RUNS (4) of each condition, of some two minutes each, a third of it for the bodies that time themselves (-- --skip
# self_timed). Runs are added to those that FOLDER has: target/agree by default. CONDITIONS="quiet busy5 busy10" are other
# conditions than `quiet busy`: busy5 is beside five processes that never rest.
#
# With --peers, a run of all harnesses takes some three minutes, half of which are criterion's, in target/agree-peers by
# default. HARNESSES="tourbillon divan" are some of them: tourbillon, criterion, divan, zenbench.
#
# Nothing else should run on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1

bench=
harnesses=tourbillon
runs=4
folder=target/agree
if [[ ${1-} == --peers ]]; then
    harnesses=${HARNESSES:-tourbillon criterion divan zenbench}
    folder=target/agree-peers
    # Only what they measure too.
    set -- "${@:2}" -- --skip self_timed --skip stable --skip threads=
elif [[ ${1-} == --bench ]]; then
    bench=$(realpath "$2")
    shift 2
fi
if (($#)) && [[ $1 != -- ]]; then
    runs=$1
    shift
fi
if (($#)) && [[ $1 != -- ]]; then
    folder=$1
    shift
fi
if [[ ${1-} == -- ]]; then shift; fi

executable() { # NAME ARGUMENT..
    cargo "${@:2}" -q --message-format=json \
        | sed -n 's/.*"name":"'"$1"'".*"executable":"\([^"]*\)".*/\1/p'
}
# Everything is built before the first run.
declare -A executables settings=(
    [criterion]='--noplot --nresamples 10000 --warm-up-time 0.3 --measurement-time 0.8'
    [zenbench]=--format=csv
)
for harness in $harnesses; do
    if [[ $harness == tourbillon ]]; then
        executables[tourbillon]=${bench:-$(executable pairs bench --no-run -p examples --bench pairs)}
    else
        workspace=(--manifest-path benches/peers/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/peers")
        repeat=$(executable peers build --release "${workspace[@]}" --bin peers)
        executables[$harness]=$(executable "pairs_$harness" bench --no-run "${workspace[@]}" --bench "pairs_$harness")
    fi
done
mkdir -p "$folder"
folder=$(realpath "$folder")

burners=()
stop() {
    if ((${#burners[@]})); then kill "${burners[@]}" 2>/dev/null || true; fi
    burners=()
}
trap stop EXIT

turns=()
for ((run = 0; run < runs; run++)); do
    for condition in ${CONDITIONS:-quiet busy}; do
        for harness in $harnesses; do turns+=("$harness $condition"); done
    done
done
mapfile -t turns < <(printf '%s\n' "${turns[@]}" | shuf)
for turn in "${turns[@]}"; do
    read -r harness condition <<<"$turn"
    begin=$SECONDS
    if [[ $harness == tourbillon ]]; then
        name=$condition
        command=("${executables[tourbillon]}" --bench --no-store --format jsonl "$@")
        # Threads that wait for each other need both processors.
        if [[ $condition == busy* ]]; then command+=(--skip threads=); fi
    else
        name=$harness-$condition
        read -ra words <<<"${settings[$harness]-}"
        command=("$repeat" repeat pairs "$harness" "${executables[$harness]}" "$folder/running" "${words[@]}")
    fi
    if [[ $condition == busy* ]]; then
        count=${condition#busy}
        for ((burner = 0; burner < ${count:-1}; burner++)); do
            sh -c 'while :; do :; done' &
            burners+=($!)
        done
    fi
    number=$(find "$folder" -name "$name-*.jsonl" | wc -l)
    file=$folder/$name-$number.jsonl
    echo "$harness ${settings[$harness]-}" >"$file.txt"
    "${command[@]}" >"$file.part" 2>>"$file.txt"
    mv "$file.part" "$file"
    stop
    echo "$harness, $condition, run $number: $((SECONDS - begin)) s, $(tail -1 "$file.txt")" >&2
done
exec python3 scripts/agree.py "$folder"
