#!/usr/bin/env bash
# Measures a suite in shards, each on a processor of its own as far as there are enough, and again in one run. Merges the
# shards and compares: the merged file has every line of every shard and no other, and except for headers and ends the
# lines of one run: the same cases, byte by byte, and the same kinds of lines for each. Figures differ, because they were
# measured. Exit code 1 if anything else does. About two minutes.
#
#   scripts/shards.sh [SHARDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

shards=${1:-4}
if ! command -v taskset >/dev/null; then
    echo "SKIPPED: there is no taskset, which keeps a process on a processor"
    exit 0
fi
cargo build -q -p cargo-tourbillon
tool=${CARGO_TARGET_DIR:-target}/debug/cargo-tourbillon
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
suite=(run --profile dev -p examples --bench sort --bench math --no-store --format jsonl --launches 4 --max-time 10ms)
"$tool" "${suite[@]}" --list >/dev/null

IFS=, read -ra processors <<<"$(python3 -c '
import os
print(",".join(str(one) for one in sorted(os.sched_getaffinity(0))))')"

# Shards on one processor wait for each other, those on others do not.
shard() { # NUMBER
    local processor=${processors[$((($1 - 1) % ${#processors[@]}))]}
    mkdir -p "$folder/lock-$processor" "$folder/shard-$1"
    TOURBILLON_LOCK=$folder/lock-$processor taskset -c "$processor" \
        "$tool" "${suite[@]}" --partition "hash:$1/$shards" >"$folder/shard-$1/run.jsonl" 2>"$folder/shard-$1/log"
}
running=()
for number in $(seq "$shards"); do
    shard "$number" &
    running+=($!)
done
for process in "${running[@]}"; do
    wait "$process" || { cat "$folder"/shard-*/log >&2; exit 1; }
done
"$tool" merge "$folder"/shard-*/ -o "$folder/merged.jsonl"
"$tool" "${suite[@]}" >"$folder/one.jsonl" 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }

python3 - "$folder" <<'PY'
import collections, glob, json, sys

folder = sys.argv[1]


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def is_of_run(line):
    return json.loads(line)["type"] in ("header", "end")


def kinds(all_lines):
    """The types of lines of each case."""
    found = collections.defaultdict(set)
    for line in all_lines:
        line = json.loads(line)
        case = line.get("case") or line.get("id")
        if case:
            found[case].add(line["type"])
    return found


merged, one = lines(f"{folder}/merged.jsonl"), lines(f"{folder}/one.jsonl")
shards = [line for path in glob.glob(f"{folder}/shard-*/run.jsonl") for line in lines(path)]
cases = [sorted(line for line in file if json.loads(line)["type"] == "case") for file in (merged, one)]
checks = {
    "every line of every shard, and no other": sorted(merged) == sorted(shards),
    "the cases of one run, byte by byte": bool(cases[0]) and cases[0] == cases[1],
    "the kinds of lines of one run for each case": kinds(merged) == kinds(one),
}
of_run = sum(map(is_of_run, merged))
print(f"{len(cases[0])} cases; {len(merged)} lines merged, {of_run} of them headers and ends; {len(one)} lines in one run")
for what, holds in checks.items():
    print(f"{'holds' if holds else 'FAILS'}: {what}")
sys.exit(not all(checks.values()))
PY
