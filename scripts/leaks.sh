#!/usr/bin/env bash
# Looks for leaks of ours in bench programs: a leak sanitizer should report the leaks of a user's
# benchmarks only.
#
#   scripts/leaks.sh
#
# What we keep for as long as a process lives can be reached from a static
# (crates/tourbillon/src/lasting.rs); here programs say at their end whether that is so: coordinators of
# runs with and without a store, with a comparison and a panic, of a list and of one call of each
# benchmark, and workers.
# Needs a nightly compiler, for the sanitizer. It is skipped, and says so, where there is none.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
rustc +nightly --version >/dev/null 2>&1 || {
    echo 'leaks.sh: skipped: there is no nightly compiler' >&2
    exit 0
}
target=${CARGO_TARGET_DIR:-$root/target}/leaks
host=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS=-Zsanitizer=leak RUSTDOCFLAGS='' cargo +nightly build --quiet -p tourbillon-fixtures \
    --bin plain --bin candidates --target "$host" --target-dir "$target"
programs=$target/$host/debug
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/reports"
# In files: what workers say on stderr is shown only where they fail.
export LSAN_OPTIONS="log_path=$folder/reports/leak:exitcode=0"

run() { # CODE PROGRAM ARGUMENT..
    local code=$1 program=$2
    shift 2
    echo "== $program $*"
    local ended=0
    "$programs/$program" "$@" >"$folder/output" 2>&1 || ended=$?
    [[ $ended == "$code" ]] || {
        cat "$folder/output" >&2
        echo "leaks.sh: $program $* ended with $ended, not with $code" >&2
        exit 1
    }
}

brief=(--launches 2 --max-time 5ms)
run 0 plain --bench "${brief[@]}" --store "$folder/store"
run 0 plain --bench "${brief[@]}" --no-store
# One of its cases panics.
run 3 candidates --bench "${brief[@]}" --no-store
run 0 plain --bench --list
run 0 plain --test

# A coordinator ends its workers as soon as they have sent their results; this one waits.
work() { # PROGRAM CASE
    echo "== $1, a worker for $2"
    local plan frame
    plan=$(printf '{"type":"plan","schema":2,"case":"%s","launch":0,"seed":7,"clock":"monotonic",' "$2")
    plan+='"tick_hz":1000000000,"budget_ns":2000000,"batch_ns":100000,"min_iterations":1,'
    plan+='"window_items":1024,"window_bytes":262144,"memory":false}'
    coproc WORKER { exec "$programs/$1" --tourbillon-worker 2>"$folder/output"; }
    local worker=$WORKER_PID
    echo "$plan" >&"${WORKER[1]}"
    while read -r frame <&"${WORKER[0]}"; do
        [[ $frame == *'"type":"bye"'* ]] && break
    done
    wait "$worker" || { cat "$folder/output" >&2; echo "leaks.sh: the worker failed" >&2; exit 1; }
}
work plain tourbillon-fixtures/plain::multiply
work candidates 'tourbillon-fixtures/candidates::broken[n=2]'

reports=("$folder"/reports/*)
if [[ -e ${reports[0]} ]]; then
    cat "${reports[@]}" >&2
    echo "leaks.sh: ${#reports[@]} processes leaked" >&2
    exit 1
fi
echo '== nothing leaked'
