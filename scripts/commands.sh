#!/usr/bin/env bash
# Measures `tourbillon commands` on programs whose truth is known, a step for each word, and prints a row of
# docs/evidence/commands.md for each:
#
#   scripts/commands.sh overhead    a bare loop of posix_spawn and wait4 in C, in turns with `commands`
#   scripts/commands.sh memory      100 MB and 2 MB, in random order
#   scripts/commands.sh same [N]    copies of a program of 1 ms: how often they are called different [3000]
#   scripts/commands.sh redrawn [N] N times 1,500 rounds of the copies; which is which drawn anew 20,000 times [30]
#   scripts/commands.sh two [N]     2 % more at 10 ms, 15 s each [100]
#   scripts/commands.sh one [N]     1 % more at 10 ms with --margin 0.5%, 60 s each [40]
#   scripts/commands.sh load [N]    5 % more at 10 ms while load doubles half-way [200]
#   scripts/commands.sh beside [N]  5 % more at 10 ms beside a busy process on each processor [100]
#   scripts/commands.sh doubles [N] N times the copies while load doubles; which is which drawn anew 20,000 times [30]
#   scripts/commands.sh peers [N]   copies, and 5 % more at 10 ms, by hyperfine 1.20 and 2.0, poop's rule, and here [40]
#   scripts/commands.sh             all of them
#
# BEFORE='PROGRAM..' has `overhead` measure other builds in turns, too.
#
# The machine should have nothing else to do. Needs a C compiler and Python 3; for `peers` cargo installs hyperfine. The
# longest steps append to target/commands/*.tsv: stopped and started again, they go on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
folder=$target/commands
mkdir -p "$folder"
for program in work memory spawn; do
    cc -O2 -o "$folder/$program" "scripts/commands/$program.c"
done
cp "$folder/work" "$folder/copy"
cargo build -q --release -p cargo-tourbillon --bin tourbillon
cargo build -q --release -p sim --bin commands
steps=("${@:1:1}")
if [ $# -eq 0 ]; then steps=(overhead memory same two one load beside peers redrawn doubles); fi
if [[ " ${steps[*]} " = *' peers '* ]]; then
    for version in 1.20.0 2.0.0; do
        install=(install -q --target-dir "$folder/hyperfine" --root "$folder/hyperfine-$version" --version "$version" hyperfine)
        # hyperfine 2.0 needs a compiler that may be newer than the stable one here.
        cargo "${install[@]}" || cargo +nightly "${install[@]}"
    done
fi
if [[ ${steps[*]} != redrawn && ${steps[*]} != doubles ]]; then printf '| what | measured |\n|---|---|\n'; fi
for step in "${steps[@]}"; do
    python3 scripts/commands.py "$folder" "$target/release/tourbillon" "$step" "${@:2}"
done
