#!/usr/bin/env bash
# Measures with a bench program under valgrind, qemu-user, a debugger and a tracer, which must be installed.
#
# Where an aarch64 compiler is installed, also with a program of that processor that qemu-user starts by hand: without
# cargo's runner, and without an entry in the kernel.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
for program in valgrind qemu-x86_64 gdb strace; do
    command -v "$program" >/dev/null || {
        echo "SKIPPED: there is no $program"
        exit 0
    }
done
cargo test -p tourbillon-fixtures --test it -- --ignored --exact emulators::workers_start_under_each

if command -v aarch64-linux-gnu-gcc >/dev/null && rustup target list --installed | grep -qx aarch64-unknown-linux-gnu; then
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    cargo build -p tourbillon-fixtures --bin plain --target aarch64-unknown-linux-gnu
    program=${CARGO_TARGET_DIR:-target}/aarch64-unknown-linux-gnu/debug/plain
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$program" --bench --no-store --launches 1 --max-time 5ms multiply
fi
