#!/usr/bin/env bash
# How long the index of a history takes: 500 cases, 10 000 runs, two metrics each. Needs some gigabytes in the
# folder of temporary files.
#
#   scripts/history.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo test -q --release -p tourbillon-index --test it -- --ignored --nocapture five_hundred
