#!/usr/bin/env bash
# Whether benchmarks can tell that a meter is installed which does not count.
#
#   scripts/mem-off.sh FILE [ROUNDS [SECONDS [BENCH]..]]
#
# Builds the examples (all that do not count, unless some are named) twice, with the meter as their global
# allocator and without, and runs the processes of both in random order, and those
# without it a second time as a control. What is found is appended to FILE; after SECONDS (140) it stops,
# and the same command goes on until there are ROUNDS (24). Then it prints a Markdown table: for each
# case the ratios with intervals of which all hold together with 99 %.
set -euo pipefail

if [[ $# -eq 0 ]]; then
    echo "mem-off.sh: name the FILE that figures are appended to" >&2
    exit 1
fi
file=$(realpath -m "$1")
rounds=${2:-24}
seconds=${3:-140}
shift $(($# < 3 ? $# : 3))
for number in "$rounds" "$seconds"; do
    if ! [[ $number =~ ^[1-9][0-9]*$ ]]; then
        echo "mem-off.sh: ROUNDS and SECONDS are whole numbers from 1, not \`$number\`" >&2
        exit 1
    fi
done
[[ $# -gt 0 ]] || set -- landmarks math strings_and_maps programs sort search memory_levels

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
target=${CARGO_TARGET_DIR:-$root/target}

cargo build --quiet --release --manifest-path benches/mem-peers/Cargo.toml --bin mem-off \
    --target-dir "$target/mem-peers"

# The executable of one bench target.
executable() { # BENCH [CARGO-ARGUMENT..]
    local bench=$1 found
    shift
    found=$(cargo bench --no-run -p examples --bench "$bench" --target-dir "$target/mem-off" \
        --quiet --message-format=json-render-diagnostics "$@" \
        | sed -n "s/.*\"name\":\"$bench\".*\"executable\":\"\([^\"]*\)\".*/\1/p")
    if [[ -z $found ]]; then
        echo "mem-off.sh: there is no benchmark \`$bench\` in the examples" >&2
        exit 1
    fi
    echo "$found"
}

programs=()
for bench in "$@"; do
    plain=$(executable "$bench")
    metered=$(executable "$bench" --features metered)
    programs+=("$plain" "$metered")
done
"$target/mem-peers/release/mem-off" "$file" "$rounds" "$seconds" "$(date +%N)" "${programs[@]}"
