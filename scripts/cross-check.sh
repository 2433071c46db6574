#!/bin/sh
# Builds and runs the tests of tourbillon-clock, and the table of clocks, on Windows (under wine) and
# on 64-bit Arm (under qemu), and type-checks them for macOS. On Debian 12, as root for the packages.
#
# What wine and qemu cannot tell: costs and resolutions of the real systems. What they can: that the
# calls exist, that their values are sane, and that every absence is put into words.
#
# usage: scripts/cross-check.sh [windows] [aarch64] [macos]     (all three without a word)
set -eu
cd "$(dirname "$0")/.."

packages='rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64-posix wine64
          gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user'
missing=
for package in $packages; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
# The first compilers of Debian 12 are too old; those of its security updates are not.
if [ -n "$missing" ] || ! /usr/bin/rustc --print target-list | grep -q x86_64-win7-windows-gnu; then
    apt-get update
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
fi

# Debian's compiler comes with the source of the standard library, which is built for each target;
# a folder of its own, as its results are not those of the compiler that the project is built with.
export PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1
unset RUSTUP_TOOLCHAIN CARGO RUSTC 2>/dev/null || true
export CARGO_TARGET_DIR="${CROSS_TARGET_DIR:-${CARGO_TARGET_DIR:-target}/cross}"
work=$(mktemp -d)

# Wine's server writes into its folder when its last program is over, however that ended.
clean() {
    if [ -d "$work/wine" ]; then
        WINEPREFIX=$work/wine /usr/lib/wine/wineserver -w
    fi
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

# Tests, then the table; cargo starts them by the runner that is set for the target.
run_on() {
    target=$1
    cargo test -Z build-std=std,panic_abort,test --target "$target" -p tourbillon-clock -p tourbillon-timers --lib --tests
    cargo run -Z build-std=std,panic_abort --target "$target" -p cargo-tourbillon -- clocks
}

windows() {
    # The target for Windows 7 needs no library that wine lacks.
    export CARGO_TARGET_X86_64_WIN7_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CARGO_TARGET_X86_64_WIN7_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64
    export WINEDEBUG=-all WINEPREFIX="$work/wine"
    run_on x86_64-win7-windows-gnu
}

aarch64() {
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu'
    run_on aarch64-unknown-linux-gnu
}

macos() {
    cargo check -Z build-std=std,panic_abort,test --target aarch64-apple-darwin -p tourbillon-clock -p tourbillon-timers --tests
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
