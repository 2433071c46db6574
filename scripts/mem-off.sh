#!/usr/bin/env bash
# Whether benchmarks can tell that a meter is installed which does not count.
#
#   scripts/mem-off.sh [ROUNDS] [BENCH]..
#
# Builds the examples (landmarks, math, strings_and_maps and programs unless others are named) twice, with the
# meter as their global allocator and without, and runs the processes of both beside each other in random
# order, and those without it a second time as a control. Prints a Markdown table: for each case the
# ratios with intervals of which all hold together with 99 %.
set -euo pipefail

rounds=${1:-24}
shift || true
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "mem-off.sh: ROUNDS is a whole number from 20, not \`$rounds\`" >&2
    exit 1
fi
[[ $# -gt 0 ]] || set -- landmarks math strings_and_maps programs

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
"$target/mem-peers/release/mem-off" "$rounds" "$(date +%N)" "${programs[@]}"
