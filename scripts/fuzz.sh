#!/usr/bin/env bash
# Runs the fuzz targets of fuzz/ for a time each, one after the other, and fails at the first finding.
#
#   scripts/fuzz.sh [TARGET..] [--seconds N]    records, bundles, configuration, protocol; 60 s each
#   scripts/fuzz.sh --build [TARGET..]          builds them and their seeds, and runs nothing
#
# Seeds are the inputs of fuzz/seeds, the repository's golden records and the inputs of fixtures/hostile. What a target
# finds beyond them is in fuzz/corpus, and inputs that break it in fuzz/artifacts: give one to the executable to see it
# again, and put it into fuzz/seeds when it is mended. An input may take 10 s and 2 GiB.
#
# The executables are in fuzz/target/TRIPLE/release and need no file beside them. They are built by the stable compiler
# with the address sanitizer; prints SKIPPED with the reason where that cannot be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "SKIPPED: $1"
    exit 0
}

seconds=60
runs=yes
targets=()
while [ $# -gt 0 ]; do
    case $1 in
        --seconds)
            seconds=$2
            shift
            ;;
        --build) runs= ;;
        -*)
            echo "$1 is not known; see the head of scripts/fuzz.sh" >&2
            exit 1
            ;;
        *) targets+=("$1") ;;
    esac
    shift
done
[ ${#targets[@]} -gt 0 ] || targets=(records bundles configuration protocol)

[ "$(uname -s)" = Linux ] || skip "the sanitizer is used on Linux only"
command -v c++ > /dev/null || skip "there is no C++ compiler, which libFuzzer needs"
triple=$(rustc -vV | sed -n 's/^host: //p')
runtime=$(rustc --print sysroot)/lib/rustlib/$triple/lib
compgen -G "$runtime/librustc*_rt.asan.a" > /dev/null || skip "rustc has no address sanitizer for $triple"

# What cargo-fuzz sets. Build scripts and macros are for the host and get none of it.
flags=(
    -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares
    --cfg fuzzing
    -Zsanitizer=address
    -Ccodegen-units=1
)
# libFuzzer is C++: with its library inside, the executables run on machines without a compiler.
library=$(c++ -print-file-name=libstdc++.a)
if [ -f "$library" ]; then
    flags+=("-Lnative=$(dirname "$library")")
    export CXXSTDLIB=static=stdc++
fi
folder=${CARGO_TARGET_DIR:-fuzz/target}
bins=()
for target in "${targets[@]}"; do
    bins+=(--bin "$target")
done
RUSTC_BOOTSTRAP=1 CARGO_ENCODED_RUSTFLAGS=$(printf '%s\x1f' "${flags[@]}" | sed 's/\x1f$//') \
    cargo build -q --release --locked --manifest-path fuzz/Cargo.toml --target "$triple" --target-dir "$folder" "${bins[@]}"

seeds=$folder/seeds
python3 fuzz/seeds.py "$seeds" "${targets[@]}"
[ -n "$runs" ] || exit 0

for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    echo "== $target, $seconds s"
    "$folder/$triple/release/$target" "fuzz/corpus/$target" "$seeds/$target" -max_total_time="$seconds" \
        -rss_limit_mb=2048 -timeout=10 -max_len=65536 -artifact_prefix="fuzz/artifacts/$target/" -print_final_stats=1
done
