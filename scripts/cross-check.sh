#!/bin/sh
# Runs every package's tests, the examples in test mode, bench programs and the subcommand on Windows (under
# wine) and on 64-bit Arm (under qemu); macOS and 64-bit RISC-V are type-checked. For WebAssembly, targets without `std`
# and Miri, a package that has it as a dev-dependency (scripts/dev-dependency.sh). On Debian 12, as root for the packages.
#
# usage: scripts/cross-check.sh [--write] [--resume] [--only STEP].. [SYSTEM]..
#        systems: windows aarch64 macos riscv64 wasm no-std miri
#        scripts/cross-check.sh native      (this machine: any system, as it is)
#
#   --only STEP   only this step: types, the name of a package, test-mode or programs; may be repeated
#   --resume      only the steps that have not passed yet
#   --write       writes docs/evidence/platforms/SYSTEM.log, and the system's row in docs/evidence/platforms.md
#
# Without a system: all of them. The results of the last run of each step lie in
# target/cross-check/SYSTEM; the tables show them with date and commit. The exit code is 1 if a step failed.
# Tests that cannot hold there are skipped by name: scripts/cross-check-skipped.txt has the reasons.
# What wine and qemu cannot show: costs, resolutions, and figures of the real systems.
#
# The kernel starts programs for 64-bit Arm with qemu while tests run (binfmt_misc, as root), because tests
# start programs. Bench programs start their workers through cargo's runner.
set -eu
cd "$(dirname "$0")/.."

reasons=$PWD/scripts/cross-check-skipped.txt
work=$(mktemp -d)
failed=$work/failed
: >"$failed"

# The kernel's entry for programs of 64-bit Arm.
entry=/proc/sys/fs/binfmt_misc/tourbillon-aarch64
registered=

# Wine's server writes into its folder when its last program is over, however that ended.
clean() {
    if [ -n "$registered" ]; then
        echo -1 >"$entry"
    fi
    if [ -d "$work/wine" ]; then
        WINEPREFIX=$work/wine /usr/lib/wine/wineserver -w
    fi
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

fail() { # MESSAGE
    echo "cross-check: $1" >&2
    exit 1
}

packages() { # PACKAGE..
    missing=
    for package in "$@"; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        apt-get update
        # shellcheck disable=SC2086 # a list of words
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
    fi
}

# Names of the packages whose tests run, by their manifests.
packages_of_the_workspace() {
    for manifest in crates/*/Cargo.toml crates/tourbillon-criterion/suites/Cargo.toml \
        fixtures/Cargo.toml examples/Cargo.toml; do
        sed -n 's/^name = "\(.*\)"$/\1/p' "$manifest" | head -n 1
    done
}

steps_of() { # SYSTEM
    [ "$1" = miri ] || echo types
    case $1 in
        macos | riscv64 | no-std) ;;
        wasm | miri) echo test-mode ;;
        *)
            packages_of_the_workspace
            printf 'test-mode\nprograms\n'
            ;;
    esac
}

# Whether a step is to run: all are, those named with --only, with --resume those that have not passed.
selected() { # STEP
    case $only in
        '' | *" $1 "*) ;;
        *) return 1 ;;
    esac
    [ -z "$resume" ] || ! grep -qs '^passed ' "$results/$1.state"
}

# Runs a step, and writes how it ended. A failure is noted, and the next step runs.
step() { # STEP COMMAND..
    name=$1
    shift
    if ! selected "$name"; then
        return
    fi
    echo "-- $system: $name"
    state=passed
    rm -f "$results/$name".*
    : >"$results/$name.txt"
    : >"$work/failures"
    "$@"
    if [ -s "$work/failures" ]; then
        state=failed
        sed "s/^/$system: /" "$work/failures" >>"$failed"
    fi
    echo "$state $(date -u +%F) $(git describe --always --dirty --exclude '*')" >"$results/$name.state"
}

failure() { # WHAT
    echo "$1" >>"$work/failures"
}

# Installs the standard library for targets.
libraries() { # TARGET..
    for target in "$@"; do
        rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    done
}

# Type-checks everything for a target; a warning is an error.
types() { # TARGET CARGO_FLAGS..
    target=$1
    shift
    cargo check --quiet --all-targets --target "$target" "$@" >"$work/output" 2>&1 ||
        failure "errors for $target"
    if [ -s "$work/output" ]; then
        failure "warnings for $target"
    fi
    tee -a "$results/types.txt" <"$work/output"
}

# Runs the tests of one package.
suite() { # PACKAGE CARGO_FLAGS..
    package=$1
    shift
    skips=$(awk -v os="$system" -v package="$package" \
        '$1 == os && $2 == package { print "--skip", $3 }' "$reasons")
    output=$results/$package.txt
    # Now and then wine cannot start a process on a busy machine: "Internal error. (os error 1359)".
    for attempt in first second; do
        code=0
        # shellcheck disable=SC2086 # a list of words
        cargo test "$@" -p "$package" --tests --no-fail-fast -- $skips >"$output" 2>&1 || code=$?
        if [ "$code" -eq 0 ] || ! grep -q 'os error 1359' "$output"; then
            break
        fi
        echo "   wine could not start a process in the $attempt attempt"
    done
    if [ "$code" -ne 0 ]; then
        failure "$package"
        tail -n 60 "$output"
    fi
    grep -E '^test result|^error|FAILED|panicked at' "$output" || true
}

test_mode() { # CARGO_FLAGS..
    if ! cargo test --quiet "$@" -p examples -p evidence --bench '*' --features examples/memory >"$results/test-mode.txt" 2>&1; then
        failure 'examples in test mode'
        tail -n 60 "$results/test-mode.txt"
    fi
}

# The executable of a bench target.
bench_program() { # NAME CARGO_FLAGS..
    bench=$1
    shift
    cargo bench --no-run "$@" -p examples --bench "$bench" --message-format json |
        sed -n 's/.*"name":"'"$bench"'".*"executable":"\([^"]*\)".*/\1/p' | sed 's/\\\\/\//g'
}

# Runs a command and shows it with its output; after a failure the next one runs.
shown() { # HEADING COMMAND..
    heading=$1
    shift
    echo "   $heading"
    code=0
    "$@" >"$work/output" 2>&1 || code=$?
    # 5: a finding matters, as usual where others use the machine.
    if [ "$code" -ne 0 ] && { [ "$code" -ne 5 ] || [ "$heading" != doctor ]; }; then
        failure "$heading (exit code $code)"
    fi
    cat "$work/output"
    {
        printf '\n`%s`:\n\n```text\n' "$heading"
        tr -d '\r' <"$work/output" |
            sed "s|Z:.tmp.${work##*/}|..|g; s|$work|..|g; s|$target_folder|./target|g; s|$PWD|.|g; s|${work%/*}/[^ ]*…|…|g"
        printf '```\n'
    } >>"$results/programs.md"
}

# Bench programs as cargo starts them, and the subcommand.
programs() { # CARGO_FLAGS..
    : >"$results/programs.md"
    quick="--launches 3 --max-time 10ms --store $work/store"
    # shellcheck disable=SC2086 # lists of words
    {
        shown 'cargo bench --bench sort -- heap' \
            cargo bench --quiet "$@" -p examples --bench sort -- $quick heap
        shown 'cargo bench --bench landmarks' \
            cargo bench --quiet "$@" -p examples --bench landmarks -- $quick
    }
    program=$(bench_program sort "$@")
    if [ -z "$program" ]; then
        failure 'build of sort'
        return
    fi
    mkdir -p "$work/old"
    cp "$program" "$work/old/"
    set -- cargo run --quiet "$@" -p cargo-tourbillon --bin cargo-tourbillon --
    shown clocks "$@" clocks
    shown show "$@" show --store "$work/store"
    shown explain "$@" explain --store "$work/store" sort/heap/100
    shown doctor "$@" doctor
    shown 'compare --bin old/sort sort' "$@" compare --measure-unchanged --store "$work/store" \
        --bin "$work/old/$(basename "$program")" "$program" \
        -- --exact 'examples/sort::heap[n=100]' --max-time 1s
}

tests() { # CARGO_FLAGS..
    for package in $(packages_of_the_workspace); do
        step "$package" suite "$package" "$@"
    done
    step test-mode test_mode "$@"
}

# The rows of the table: how the last run of each step ended, and what its tests printed.
rows() {
    for name in $(steps_of "$system"); do
        [ -e "$results/$name.state" ] || continue
        awk '
            FNR == NR { state = $1; day = $2; commit = $3; next }
            /^test result:/ { tests = 1; passed += $4; bad += $6; ignored += $8; skipped += $12 }
            END {
                if (state == "passed") state = tests ? passed : "passed"
                else state = "**failed**" (bad ? " " bad " of " bad + passed : "")
                counts = tests ? skipped " | " ignored : "|"
                printf "| `%s` | %s | %s | %s | %s |\n", name, state, counts, day, commit
            }
        ' name="$name" "$results/$name.state" "$results/$name.txt"
    done
}

# Prints the results of a system; with --write puts their sum into the pages, and all of them into the file of the system,
# with the reasons of what is skipped and the output of programs.
report() { # NAME WHERE
    rows >"$work/rows"
    left=
    for name in $(steps_of "$system"); do
        grep -qs '^passed ' "$results/$name.state" || left="$left, \`$name\`"
    done
    sum=$(awk -F ' *\\| *' '
        { passed += $3; skipped += $4 }
        END { printf "%d tests passed, %d skipped", passed, skipped }
    ' "$work/rows")
    [ "$(steps_of "$system")" != types ] || sum='types only'
    {
        echo "$2, $(rustc --version): $sum.${left:+ Not passed: ${left#, }.}"
        printf '\n| step | passed | skipped | ignored | last run | commit |\n|---|--:|--:|--:|---|---|\n'
        cat "$work/rows"
        if grep -q "^$system " "$reasons"; then
            printf '\n| skipped | because |\n|---|---|\n'
            awk -v os="$system" '$1 == os {
                test = "`" $2 " " $3 "`"; $1 = $2 = $3 = ""; sub(/^ +/, ""); print "| " test " | " $0 " |"
            }' "$reasons"
        fi
        cat "$results/programs.md" 2>/dev/null || true
    } >"$work/result"
    head -n 1 "$work/result"
    cat "$work/rows"
    if [ -n "$write" ]; then
        page=docs/evidence/platforms.md
        cp "$work/result" "docs/evidence/platforms/$system.log"
        newest=$(cat "$results"/*.state | while read -r _ day commit; do
            echo "$(git log -1 --format=%ct "${commit%-dirty}" || echo 0) $day $commit"
        done | sort -n | tail -n 1 | cut -d ' ' -f 2-)
        day=${newest% *} commit=${newest#* }
        sed -i "s#^| $1 |.*#| $1 | $2 | $sum${left:+, incomplete} | $day | [$commit](platforms/$system.log) |#" "$page"
    fi
}

windows() {
    packages gcc-mingw-w64-x86-64-posix wine64
    target=x86_64-pc-windows-gnu
    libraries "$target"
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64
    # Without its debugger, which wine starts for each crash.
    export WINEDEBUG=-all WINEPREFIX="$work/wine" WINEDLLOVERRIDES=winedbg.exe=d
    step types types "$target" --workspace
    /usr/lib/wine/wine64 wineboot -i
    # The library of the standard library's random numbers, which wine 8 lacks.
    cat >"$work/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T bytes)
{
    return SystemFunction036(buffer, (ULONG)bytes);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" \
        "$work/prng.c" -ladvapi32
    tests --target "$target"
    step programs programs --target "$target"
    report 'Windows x86-64' "$(/usr/lib/wine/wine64 --version | sed 's/ .*//; s/-/ /')"
}

aarch64() {
    packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    target=aarch64-unknown-linux-gnu
    libraries "$target"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    folder=$(dirname "$entry")
    [ -e "$folder/register" ] || mount -t binfmt_misc binfmt_misc "$folder"
    zeros='\x00\x00\x00\x00\x00\x00\x00\x00\x00'
    magic='\x7fELF\x02\x01\x01'"$zeros"'\x02\x00\xb7\x00'
    # Any type of executable, whatever its system.
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    if [ ! -e "$entry" ]; then
        printf '%s' ":$(basename "$entry"):M::$magic:$mask:$(command -v qemu-aarch64):P" >"$folder/register"
        registered=yes
    fi
    step types types "$target" --workspace
    tests --target "$target"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
    step programs programs --target "$target"
    report 'Linux on 64-bit Arm' "$(qemu-aarch64 --version | sed -n 's/.*version \([0-9.]*\).*/qemu \1/p')"
}

macos() {
    # There is no compiler of C for macOS: SQLite is declared, and not compiled.
    export LIBSQLITE3_SYS_USE_PKG_CONFIG=1 SQLITE3_LIB_DIR=/nonexistent
    step types all_types aarch64-apple-darwin x86_64-apple-darwin
    report macOS 'not run'
}

# The processor stands for those whose counter and fences are not known here: times come from the clock of the system.
riscv64() {
    packages gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
    step types all_types riscv64gc-unknown-linux-gnu
    report 'Linux on 64-bit RISC-V' 'not run'
}

# With the features whose dependencies are in C, and without them.
all_types() { # TARGET..
    libraries "$@"
    for target in "$@"; do
        types "$target" --workspace
        types "$target" --no-default-features -p cargo-tourbillon -p tourbillon-history
    done
}

# A package with a dev-dependency.
dependency() { # WHAT
    scripts/dev-dependency.sh "$1" >"$work/output" 2>&1 || failure "a dev-dependency: $1"
    tee -a "$results/$name.txt" <"$work/output"
}

wasm() {
    step types dependency wasm
    step test-mode dependency wasi
    report WebAssembly "node $(node --version | tr -d v)"
}

no_std() {
    step types dependency no-std
    report 'Targets without `std`' 'not run'
}

miri() {
    step test-mode dependency miri
    where=$(cargo +nightly miri --version 2>/dev/null) || where='types only'
    report Miri "${where% (*}"
}

build() {
    cargo build --workspace --all-targets || failure 'types'
}

# This machine as it is: what hosted runners use.
native() {
    step types build
    tests
    step programs programs
    report native "$(uname -sr)"
}

write='' resume='' only=''
while [ $# -gt 0 ]; do
    case $1 in
        --write) write=yes ;;
        --resume) resume=yes ;;
        --only)
            shift
            only="$only ${1:?a step} "
            ;;
        *) break ;;
    esac
    shift
done
if [ $# -eq 0 ]; then
    set -- windows aarch64 macos riscv64 wasm no-std miri
fi
target_folder="${CROSS_TARGET_DIR:-${CARGO_TARGET_DIR:-$PWD/target}}"
export CARGO_TARGET_DIR="$target_folder"
for system in "$@"; do
    case $system in
        windows | aarch64 | macos | riscv64 | wasm | no-std | miri | native) ;;
        *) fail "no system is called $system; there are windows, aarch64, macos, riscv64, wasm, no-std, miri and native" ;;
    esac
    for name in $only; do
        steps_of "$system" | grep -qx "$name" ||
            fail "$system has no step $name; its steps are $(steps_of "$system" | paste -sd ' ')"
    done
done
for system in "$@"; do
    echo "== $system"
    results=$target_folder/cross-check/$system
    mkdir -p "$results"
    "$(echo "$system" | tr - _)"
done
if [ -s "$failed" ]; then
    echo '== failed'
    cat "$failed"
    exit 1
fi
echo '== all passed'
