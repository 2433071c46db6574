#!/usr/bin/env bash
# Counts on a virtual machine how often intervals and verdicts are right, 10 000 times in each cell, and
# prints the tables of docs/evidence: some minutes on two cores. Exit code 1 if a figure is not as
# required, which includes a negative control that does not fail.
#
#   scripts/sim.sh [--repeats N] [--threads N] [--seed N] [PART..]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo run -q --release -p sim --bin sim -- "$@"
