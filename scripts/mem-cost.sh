#!/usr/bin/env bash
# What counting costs for each call of an allocator, next to other allocators that count.
#
#   scripts/mem-cost.sh [LAUNCHES]
#
# Prints Markdown tables: over the system's allocator, and over one that does nothing, where what the
# counting takes is not hidden behind the allocator's own work. A launch is a process of its own, with
# memory laid out anew; in it the allocators run in a new random order in each of 400 rounds, and from
# each figure that of the allocator which does not count is subtracted, in the same round. The tables give
# medians of the launches and their intervals. "Again" is the one that does not count a second time: what
# differs there is no difference. The others are downloaded and built in a workspace of their own.
set -euo pipefail

launches=${1:-40}
if ! [[ $launches =~ ^[1-9][0-9]*$ ]]; then
    echo "mem-cost.sh: LAUNCHES is a whole number from 8, not \`$launches\`" >&2
    exit 1
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}/mem-peers
cargo build --quiet --release --manifest-path "$root/benches/mem-peers/Cargo.toml" \
    --target-dir "$target"
"$target/release/mem-peers" "$launches"
