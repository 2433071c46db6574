#!/usr/bin/env bash
# Measures the benchmarks that are there to show something, and says whether they show it: about
# forty seconds. No test does this, for timing decides no test.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build -q --profile bench -p evidence --bin findings
for bench in search strings_and_maps memory_levels; do
    cargo bench -q -p examples --bench "$bench" -- --quiet --format jsonl
done | cargo run -q --profile bench -p evidence --bin findings
