#!/usr/bin/env bash
# Counts events of reference kernels by counters of the processor: k multiplications are k instructions. Prints the
# counts beside k and beside the stepped count, and the pages that an op without any touches. Exit code 1 if a count of
# instructions is off by more than half of one and a thousandth. SKIPPED where the machine has no counters; what the kernel
# counts by itself is checked there, too.
#
#   scripts/counters.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 scripts/counters.py
