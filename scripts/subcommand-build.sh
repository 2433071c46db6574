#!/usr/bin/env bash
# How long the subcommand takes to build, with and without the databases of its history.
#
#   scripts/subcommand-build.sh [ROUNDS] [FEATURES..]     none, default and postgres; none is always one
#
# Each round builds cargo-tourbillon from nothing, optimised as `cargo install` does it, with each set of features. The
# order changes from round to round, so that a machine that slows down does not favour one of them. Prints the medians
# as a Markdown table. What has to be downloaded is downloaded before anything is timed. The crates of this workspace
# are built as from a registry: without lints.
set -euo pipefail

rounds=${1:-3}
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "subcommand-build.sh: ROUNDS is a whole number from 1, not \`$rounds\`" >&2
    exit 1
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Settings of the caller that would change what is built.
unset CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR CARGO_ENCODED_RUSTFLAGS CARGO_INCREMENTAL
export RUSTFLAGS='--cap-lints allow' CARGO_TARGET_DIR="$work/target"

sets=(none default postgres)
[[ $# -lt 2 ]] || sets=(none "${@:2}")
declare -A names=(
    [none]='without `sqlite`'
    [default]='default features'
    [postgres]='with `postgres`'
)
declare -A flags=(
    [none]='--no-default-features'
    [default]=''
    [postgres]='--features postgres'
)

# Appends the seconds that a build takes to the file of its features.
timed_build() { # SET
    local TIMEFORMAT=%R
    rm -rf "$work/target"
    # The flags are words.
    # shellcheck disable=SC2086
    { time cargo build --release --locked --offline -p cargo-tourbillon ${flags[$1]} >"$work/log" 2>&1; } \
        2>>"$work/seconds.$1" || {
        cat "$work/log" >&2
        exit 1
    }
}

# The middle of a file of numbers, or the mean of the two in the middle.
median() { # FILE
    sort -g "$1" | awk '{ x[NR] = $1 } END { printf "%.3f", (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
}

cargo fetch --locked >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
for ((round = 0; round < rounds; round++)); do
    for ((turn = 0; turn < ${#sets[@]}; turn++)); do
        timed_build "${sets[(round + turn) % ${#sets[@]}]}"
    done
    echo "subcommand-build.sh: round $((round + 1)) of $rounds done" >&2
done

without=$(median "$work/seconds.none")
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo '?')
echo "Medians of $rounds, $cores cores, $(rustc --version | cut -d ' ' -f 1,2)."
echo
echo '| features | clean build | more than without |'
echo '|---|--:|--:|'
for set in "${sets[@]}"; do
    awk -v name="${names[$set]}" -v seconds="$(median "$work/seconds.$set")" -v without="$without" \
        'BEGIN { printf "| %s | %.1f s | %+.1f s |\n", name, seconds, seconds - without }'
done
