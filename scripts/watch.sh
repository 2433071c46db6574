#!/usr/bin/env bash
# How long `cargo tourbillon watch` takes from the end of cargo's build to its verdicts: a package whose cases take 1 us
# to 100 us is saved again and again with the work of all cases changed by some per cent, and by none. Prints a row for
# three cases and one for ten: medians of the saves, and what was found.
#
#   scripts/watch.sh [SAVES]        30 saves of each; some five minutes
#
# The machine should have nothing else to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1
cargo build -q --release -p cargo-tourbillon --bin cargo-tourbillon
exec python3 scripts/watch "${CARGO_TARGET_DIR:-target}/release/cargo-tourbillon" "$@"
