#!/usr/bin/env bash
# Loads reports in Chromium and checks what only a browser can: console, requests, text that overlaps, contrast
# in light, dark and forced colours, grey in print, keyboard, time to paint, size. Screenshots go to a folder, to be looked at.
#
#   scripts/browser.sh PAGE.html.. [--shots FOLDER]
#   scripts/browser.sh --sample     runs the benchmarks of sorting and looks at their report, and at a page with every
#                                   outcome: half a minute and the build of the subcommand, unless SUBCOMMAND is a built one
#
# Installs Debian's headless Chromium where it can, and prints SKIPPED with the reason where it cannot.
set -euo pipefail

here="$(dirname "${BASH_SOURCE[0]}")"

skip() {
    echo "SKIPPED: $1"
    exit 0
}

find_browser() {
    for name in chromium-headless-shell chromium chromium-browser google-chrome; do
        if command -v "$name"; then
            return 0
        fi
    done
    return 1
}

command -v python3 > /dev/null || skip "python3 is not here, which drives the browser"
if ! browser=$(find_browser); then
    command -v apt-get > /dev/null || skip "no Chromium, and no apt-get to install it"
    [ "$(id -u)" = 0 ] || skip "no Chromium, and only root may install it"
    apt-get update -qq > /dev/null 2>&1 || skip "no Chromium, and the package lists cannot be had"
    apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core \
        > /dev/null 2>&1 || skip "chromium-headless-shell cannot be installed"
    browser=$(find_browser) || skip "chromium-headless-shell was installed, and is not found"
fi
if [ "${1:-}" = --sample ]; then
    shift
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    read -ra program <<< "${SUBCOMMAND:-cargo run -q -p cargo-tourbillon --}"
    (cd "$here/.." && "${program[@]}" run -p examples --bench sort --quiet \
        --store "$folder/store" "--report=$folder/sort.html")
    set -- "$folder/sort.html" "$here/../crates/tourbillon-pictures/tests/golden/outcomes.html" "$@"
fi
python3 "$here/browser.py" "$browser" "$@"
