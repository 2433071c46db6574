#!/bin/sh
# Runs every package's tests, the examples in test mode, bench programs and the subcommand on Windows (under
# wine) and on 64-bit Arm (under qemu); macOS is type-checked. On Debian 12, as root for the packages.
#
# usage: scripts/cross-check.sh [--write] [windows] [aarch64] [macos]     (all three without a name)
#        scripts/cross-check.sh native                                    (this machine: any system, as it is)
#
# It prints a table; --write puts it into docs/evidence/platforms.md and its sum into README.md. The exit code is
# 1 if a test failed. Tests that cannot hold there are skipped by name: scripts/cross-check-skipped.txt has the
# reasons. PACKAGES='NAME ..' runs the tests of these only; the table takes the others' last results.
# What wine and qemu cannot show: costs, resolutions, and figures of the real systems.
#
# The kernel starts programs for 64-bit Arm with qemu while this runs (binfmt_misc, as root), because a
# bench program starts itself again.
set -eu
cd "$(dirname "$0")/.."

reasons=$PWD/scripts/cross-check-skipped.txt
work=$(mktemp -d)
failed=$work/failed

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

# Type-checks for a target; a warning is an error.
check() { # TARGET CARGO_FLAGS..
    target=$1
    shift
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    cargo check --quiet --all-targets --target "$target" "$@" 2>&1 | tee "$work/output"
    if [ -s "$work/output" ]; then
        echo "$target warnings or errors" >>"$failed"
    fi
}

# Names of the packages whose tests run, by their manifests. The simulations compute the same everywhere.
packages_of_the_workspace() {
    for manifest in crates/*/Cargo.toml crates/tourbillon-criterion/suites/Cargo.toml \
        fixtures/Cargo.toml examples/Cargo.toml; do
        sed -n 's/^name = "\(.*\)"$/\1/p' "$manifest" | head -n 1
    done
}

# Runs the tests of one package.
suite() { # SYSTEM PACKAGE CARGO_FLAGS..
    system=$1 package=$2
    shift 2
    skips=$(awk -v os="$system" -v package="$package" \
        '$1 == os && $2 == package { print "--skip", $3 }' "$reasons")
    output=$results/$package.txt
    echo "-- $package"
    # shellcheck disable=SC2086 # a list of words
    if ! cargo test "$@" -p "$package" --tests --no-fail-fast -- $skips >"$output" 2>&1; then
        echo "$system $package" >>"$failed"
        tail -n 60 "$output"
    fi
    grep -E '^test result|^error|FAILED|panicked at' "$output" || true
}

# The rows of the table: what each package's last run printed.
rows() {
    for package in $(packages_of_the_workspace) examples-in-test-mode; do
        [ -e "$results/$package.txt" ] || continue
        awk -v package="$package" '
            /^test result:/ { passed += $4; bad += $6; ignored += $8; skipped += $12 }
            /^error: could not compile/ { broken = 1 }
            END { printf "| `%s` | %d | %d | %d |%s\n", package, passed, skipped, ignored,
                  (broken || bad ? " **" bad " failed** |" : "") }
        ' "$results/$package.txt"
    done
}

# The executable of a bench target, built as tests are: figures are not judged here.
bench_program() { # NAME CARGO_FLAGS..
    name=$1
    shift
    cargo build "$@" -p examples --bench "$name" --message-format json |
        sed -n 's/.*"name":"'"$name"'".*"executable":"\([^"]*\)".*/\1/p' | sed 's/\\\\/\//g'
}

# Runs a command and shows it with its output; a failure is noted, and what follows still runs.
shown() { # SYSTEM HEADING COMMAND..
    system=$1 heading=$2
    shift 2
    echo "-- $heading"
    code=0
    "$@" >"$work/output" 2>&1 || code=$?
    # 5: a finding matters, as usual where others use the machine.
    if [ "$code" -ne 0 ] && { [ "$code" -ne 5 ] || [ "$heading" != doctor ]; }; then
        echo "$system $heading (exit code $code)" >>"$failed"
    fi
    cat "$work/output"
    {
        printf '\n`%s`:\n\n```text\n' "$heading"
        tr -d '\r' <"$work/output" | sed "s|Z:.tmp.${work##*/}|..|g; s|$work|..|g; s|$PWD|.|g"
        printf '```\n'
    } >>"$work/outputs"
}

# Everything that runs: tests, examples in test mode, bench programs, the subcommand.
everything() { # SYSTEM RUNNER CARGO_FLAGS..
    system=$1 runner=$2
    shift 2
    results=$CARGO_TARGET_DIR/cross-check/$system
    mkdir -p "$results"
    : >"$work/outputs"
    for package in ${PACKAGES:-$(packages_of_the_workspace)}; do
        suite "$system" "$package" "$@"
    done
    echo '-- examples in test mode'
    if ! cargo test --quiet "$@" -p examples --benches >"$results/examples-in-test-mode.txt" 2>&1; then
        echo "$system examples in test mode" >>"$failed"
        tail -n 60 "$results/examples-in-test-mode.txt"
    fi
    for filter in sort:heap landmarks:; do
        program=$(bench_program "${filter%:*}" "$@")
        # shellcheck disable=SC2086 # the runner and its arguments
        shown "$system" "${filter%:*} ${filter#*:}" \
            $runner "$program" --bench --launches 3 --max-time 10ms --store "$work/store" ${filter#*:}
    done
    program=$(bench_program sort "$@")
    mkdir -p "$work/old"
    cp "$program" "$work/old/"
    subcommand="cargo run --quiet $* -p cargo-tourbillon --bin cargo-tourbillon --"
    # shellcheck disable=SC2086 # a command
    {
        shown "$system" clocks $subcommand clocks
        shown "$system" show $subcommand show --store "$work/store"
        shown "$system" explain $subcommand explain --store "$work/store" sort/heap/100
        shown "$system" doctor $subcommand doctor
        shown "$system" 'compare --bin old/sort sort' $subcommand compare --store "$work/store" \
            --bin "$work/old/$(basename "$program")" "$program" \
            -- --exact 'examples/sort::heap[n=100]' --max-time 1s
    }
}

# Prints the table of a system; with --write also puts it into the pages.
report() { # SYSTEM NAME WHERE
    system=$1 name=$2 where=$3
    rows >"$work/rows"
    sum=$(awk -F '|' '{ passed += $3; out += $4 } END { printf "%d tests passed, %d skipped", passed, out }' \
        "$work/rows")
    {
        echo "$(date -u +%F), $where, $(rustc --version): $sum."
        printf '\n| package | passed | skipped | ignored |\n|---|--:|--:|--:|\n'
        cat "$work/rows"
        printf '\n| skipped | because |\n|---|---|\n'
        awk -v os="$system" '$1 == os {
            test = "`" $2 " " $3 "`"; $1 = $2 = $3 = ""; sub(/^ +/, ""); print "| " test " | " $0 " |"
        }' "$reasons"
        if [ -s "$work/outputs" ]; then
            cat "$work/outputs"
        fi
    } >"$work/result"
    cat "$work/result"
    if [ -n "$write" ]; then
        put "$system" docs/evidence/platforms.md
        sed -i "s#^\(| $name |[^|]*|\)[^|]*|#\1 $where, $(date -u +%F): $sum |#" README.md
    fi
}

# Replaces a block of a page by the result.
put() { # SYSTEM PAGE
    awk -v begin="<!-- result: $1 -->" -v result="$work/result" '
        $0 == begin { print; while ((getline line < result) > 0) print line; inside = 1 }
        inside && $0 == "<!-- end -->" { inside = 0 }
        !inside { print }
    ' "$2" >"$work/page"
    cp "$work/page" "$2"
}

windows() {
    packages gcc-mingw-w64-x86-64-posix wine64
    target=x86_64-pc-windows-gnu
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64
    # Without its debugger, which wine starts for each crash.
    export WINEDEBUG=-all WINEPREFIX="$work/wine" WINEDLLOVERRIDES=winedbg.exe=d
    check "$target" --workspace
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
    everything windows /usr/lib/wine/wine64 --target "$target"
    report windows 'Windows x86-64' "$(/usr/lib/wine/wine64 --version | sed 's/ .*//; s/-/ /')"
}

aarch64() {
    packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    target=aarch64-unknown-linux-gnu
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
    check "$target" --workspace
    everything aarch64 '' --target "$target"
    report aarch64 'Linux on 64-bit Arm' "$(qemu-aarch64 --version | sed -n 's/.*version \([0-9.]*\).*/qemu \1/p')"
}

macos() {
    # There is no C compiler for macOS: SQLite is declared, and not compiled.
    export LIBSQLITE3_SYS_USE_PKG_CONFIG=1 SQLITE3_LIB_DIR=/nonexistent
    for target in aarch64-apple-darwin x86_64-apple-darwin; do
        # There is no compiler of C for macOS: features that need one are off.
        check "$target" --workspace --exclude cargo-tourbillon --exclude tourbillon-index
        check "$target" --no-default-features -p cargo-tourbillon -p tourbillon-index
        echo "-- $target: types and warnings are checked, with tests"
    done
}

# This machine as it is: what hosted runners use.
native() {
    cargo build --workspace --all-targets
    everything native ''
    report native "$(uname -s)" "$(uname -sr)"
}

write=
if [ "${1:-}" = --write ]; then
    write=yes
    shift
fi
if [ $# -eq 0 ]; then
    set -- windows aarch64 macos
fi
export CARGO_TARGET_DIR="${CROSS_TARGET_DIR:-${CARGO_TARGET_DIR:-$PWD/target}}"
for system in "$@"; do
    case $system in
        windows | aarch64 | macos | native) ;;
        *)
            echo "cross-check: no system is called $system; there are windows, aarch64, macos and native" >&2
            exit 1
            ;;
    esac
    echo "== $system"
    "$system"
done
if [ -e "$failed" ]; then
    echo '== failed'
    cat "$failed"
    exit 1
fi
echo '== all passed'
