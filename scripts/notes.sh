#!/usr/bin/env bash
# Measures bodies with which nothing is wrong (evidence/benches/innocent.rs), N times on the machine as it is and N times
# beside a busy loop, and counts the runs in which a note spoke of one of them. Exit code 1 if a note did in more than
# one of a hundred runs. A line that the machine was busy is counted too, and no failure.
#
#   scripts/notes.sh [N] [FLAG..]      100 runs and short times by default; the flags are for the bench program
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-100}
shift || true
flags=("$@")
[[ ${#flags[@]} != 0 ]] || flags=(--max-time 100ms)
work=$(mktemp -d)
load=
ended() {
    [[ -z $load ]] || kill "$load" 2>/dev/null || true
    rm -rf "$work"
}
trap ended EXIT

bench=$(cargo bench -q --no-run -p evidence --bench innocent --message-format=json |
    grep '"kind":\["bench"\]' | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')

for beside in idle load; do
    if [[ $beside == load ]]; then
        while :; do :; done &
        load=$!
    fi
    for run in $(seq "$runs"); do
        "$bench" --bench --store "$work/store" "${flags[@]}" >"$work/$beside-$run.txt" 2>"$work/errors" || {
            cat "$work/errors" >&2
            exit 1
        }
        rm -rf "$work/store"
    done
done
kill "$load"
load=

# A note is `! CASE, CASE and 2 more: TEXT`, on as many lines as it needs.
python3 - "$work" "$runs" <<'PYTHON'
import collections
import pathlib
import re
import sys

folder, runs = pathlib.Path(sys.argv[1]), int(sys.argv[2])
BUSY = "busy machine"
spoken = collections.defaultdict(lambda: collections.defaultdict(int))
cases = collections.defaultdict(collections.Counter)
for file in folder.glob("*-*.txt"):
    kinds = set()
    # What is above the table warns of the machine.
    for line in re.sub(r"\n  +(?=\S)", " ", re.split(r"±[0-9.]+ %", file.read_text(), maxsplit=1)[-1]).splitlines():
        if not line.startswith("! "):
            continue
        names, _, text = line[2:].partition(": ")
        if names == BUSY:
            kinds.add(BUSY)
            continue
        kind = re.sub(r"[\d.,]+", "N", text.split(";")[0])[:60]
        kinds.add(kind)
        cases[kind].update(re.split(", | and ", names))
    for kind in kinds:
        spoken[kind][file.name.split("-")[0]] += 1
print(f"{'note':62} {'idle':>6} {'load':>6}  of {runs} runs each")
failed = False
for kind in sorted(spoken, key=lambda kind: (kind == BUSY, kind)):
    idle, load = spoken[kind]["idle"], spoken[kind]["load"]
    print(f"{kind:62} {idle:6} {load:6}  {', '.join(name for name, _ in cases[kind].most_common(3))}")
    failed |= kind != BUSY and max(idle, load) * 100 > max(runs, 100)
print("a note spoke of innocent bodies" if failed else "no note spoke of innocent bodies in more than one of 100 runs")
sys.exit(failed)
PYTHON
