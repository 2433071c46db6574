#!/usr/bin/env bash
# What counting costs for each call of an allocator, beside other allocators that count.
#
#   scripts/mem-cost.sh [ROUNDS]
#
# Prints two Markdown tables: over the system's allocator, and over one that does nothing, where what
# the counting takes is not hidden behind the allocator's own work. The allocators run in a new random
# order in each round; medians and quartiles of the differences to the one that does not count, in the
# same round. "Again" is that one a second time: what differs there is no difference. The others are
# downloaded and built in a workspace of their own.
set -euo pipefail

rounds=${1:-1000}
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "mem-cost.sh: ROUNDS is a whole number from 1, not \`$rounds\`" >&2
    exit 1
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}/mem-peers
cargo build --quiet --release --manifest-path "$root/benches/mem-peers/Cargo.toml" \
    --target-dir "$target"
"$target/release/mem-peers" "$rounds"
