#!/bin/sh
# Builds the workspace for Windows, 64-bit Arm and macOS. Runs tests, bench programs and the subcommand
# on Windows (under wine) and on 64-bit Arm (under qemu); macOS is type-checked. On Debian 12, as root for
# the packages.
#
# What wine and qemu cannot tell: costs, resolutions, and figures of the real systems. What they can: that
# programs run to their end, that every fault loses one result, and that every absence is put into words.
#
# The kernel starts programs for 64-bit Arm with qemu while this runs (binfmt_misc, as root), because a
# bench program starts itself again.
#
# usage: scripts/cross-check.sh [windows] [aarch64] [macos]     (all three without a word)
set -eu
cd "$(dirname "$0")/.."

packages='gcc-mingw-w64-x86-64-posix wine64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user'
missing=
for package in $packages; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
if [ -n "$missing" ]; then
    apt-get update
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
fi

export CARGO_TARGET_DIR="${CROSS_TARGET_DIR:-${CARGO_TARGET_DIR:-$PWD/target}}"
work=$(mktemp -d)

# The kernel's entry for programs of 64-bit Arm.
entry=/proc/sys/fs/binfmt_misc/tourbillon-aarch64

# Wine's server writes into its folder when its last program is over, however that ended.
clean() {
    if [ -e "$entry" ]; then
        echo -1 >"$entry"
    fi
    if [ -d "$work/wine" ]; then
        WINEPREFIX=$work/wine /usr/lib/wine/wineserver -w
    fi
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

check() {
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
    cargo check --quiet --workspace --all-targets --target "$1"
}

# The executable of a bench target, built as tests are: figures are not judged here.
bench_program() {
    cargo build --target "$1" -p examples --bench "$2" --message-format json |
        sed -n 's/.*"name":"'"$2"'".*"executable":"\([^"]*\)".*/\1/p'
}

# Runs the subcommand.
subcommand() {
    target=$1
    shift
    cargo run --quiet --target "$target" -p cargo-tourbillon -- "$@"
}

# Bench programs measure, the subcommand reads what they stored and compares two of them.
bench_programs() {
    target=$1
    runner=$2
    for name in sort landmarks; do
        program=$(bench_program "$target" "$name")
        echo "-- $name"
        # shellcheck disable=SC2086 # the runner and its arguments
        $runner "$program" --bench --launches 3 --max-time 10ms --store "$work/store" "$3"
    done
    echo '-- subcommand'
    subcommand "$target" clocks
    subcommand "$target" show --store "$work/store"
    subcommand "$target" explain --store "$work/store" sort/heap/100
    # 5: a finding matters, as usual where others use the machine.
    subcommand "$target" doctor || [ $? -eq 5 ]
    program=$(bench_program "$target" sort)
    mkdir -p "$work/old"
    cp "$program" "$work/old/"
    subcommand "$target" compare --store "$work/store" --bin "$work/old/$(basename "$program")" "$program" \
        -- --exact examples/sort::heap[n=100] --max-time 1s
}

windows() {
    target=x86_64-pc-windows-gnu
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64
    # Without its debugger, which wine starts for each crash.
    export WINEDEBUG=-all WINEPREFIX="$work/wine" WINEDLLOVERRIDES=winedbg.exe=d
    check "$target"
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
    cargo test --target "$target" -p tourbillon-clock -p tourbillon-timers --lib --tests
    # Wine calls no function of a program when that ends.
    cargo test --target "$target" -p tourbillon-os --lib --tests -- \
        --skip the_last_function_decides_the_exit_code
    # Wine ends a process whose stack overflowed with 0.
    cargo test --target "$target" -p tourbillon-fixtures --tests -- faults:: terminals:: list_mode:: \
        --skip a_stack_overflow_is_one_line
    bench_programs "$target" /usr/lib/wine/wine64 heap
}

aarch64() {
    target=aarch64-unknown-linux-gnu
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    folder=$(dirname "$entry")
    [ -e "$folder/register" ] || mount -t binfmt_misc binfmt_misc "$folder"
    zeros='\x00\x00\x00\x00\x00\x00\x00\x00\x00'
    magic='\x7fELF\x02\x01\x01'"$zeros"'\x02\x00\xb7\x00'
    # Any type of executable, whatever its system.
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":$(basename "$entry"):M::$magic:$mask:$(command -v qemu-aarch64):P" >"$folder/register"
    check "$target"
    cargo test --target "$target" -p tourbillon-clock -p tourbillon-timers --lib --tests
    # The loops, as this architecture has them.
    cargo test --target "$target" -p tourbillon-engine --lib
    # The kernel counts the threads of qemu, too, and qemu does not keep to a limit of memory. Figures of
    # terminals depend on the time of translated code.
    cargo test --target "$target" -p tourbillon-fixtures --tests -- faults:: list_mode:: \
        --skip threads_that_are_left_running --skip faults::memory
    bench_programs "$target" '' heap
}

macos() {
    # There is no C compiler for macOS: SQLite is declared, and not compiled.
    export LIBSQLITE3_SYS_USE_PKG_CONFIG=1 SQLITE3_LIB_DIR=/nonexistent
    check aarch64-apple-darwin
}

if [ $# -eq 0 ]; then
    set -- windows aarch64 macos
fi
for system in "$@"; do
    case $system in
        windows | aarch64 | macos) ;;
        *)
            echo "cross-check: no system is called $system; there are windows, aarch64 and macos" >&2
            exit 1
            ;;
    esac
    echo "== $system"
    "$system"
done
