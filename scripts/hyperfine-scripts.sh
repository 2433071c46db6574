#!/usr/bin/env bash
# Has hyperfine's own scripts read what `tourbillon commands` exports: those of hyperfine 2 the default form, those of
# 1.20 that of `--export-schema 1`. Prints a row for each script.
#
#   scripts/hyperfine-scripts.sh [RUNS]    runs of each command [20]
#
# cargo gets the sources of hyperfine, pip the libraries of its scripts, into target/hyperfine-scripts. What cannot be had
# is skipped with the reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
folder=$target/hyperfine-scripts
mkdir -p "$folder/sources/src"
cargo build -q --release -p cargo-tourbillon --bin tourbillon

cat >"$folder/sources/Cargo.toml" <<'TOML'
[package]
name = "sources"
version = "0.0.0"
edition = "2021"

[dependencies]
one = { package = "hyperfine", version = "=1.20.0" }
two = { package = "hyperfine", version = "=2.0.0" }

[workspace]
TOML
: >"$folder/sources/src/lib.rs"
if ! cargo fetch -q --manifest-path "$folder/sources/Cargo.toml" 2>"$folder/errors"; then
    echo "skipped: cargo cannot get hyperfine: $(tail -n 1 "$folder/errors")"
    exit 0
fi
python=python3
if ! python3 -c 'import matplotlib, numpy, scipy' 2>/dev/null; then
    python=$folder/python/bin/python3
    if ! { [ -x "$python" ] || python3 -m venv "$folder/python"; } >"$folder/errors" 2>&1 ||
        ! "$python" -m pip install -q matplotlib numpy scipy >"$folder/errors" 2>&1; then
        echo "skipped: pip cannot install matplotlib, numpy and scipy: $(tail -n 1 "$folder/errors")"
        exit 0
    fi
fi

measured() { # SCHEMA FILE ARGUMENTS..
    "$target/release/tourbillon" commands --store "$folder/store" --runs "${runs}" --export-schema "$1" \
        --export-json "$2" "${@:3}" >/dev/null 2>"$folder/errors"
}

runs=${1:-20}
code=0
export MPLBACKEND=Agg
printf '| hyperfine | script | reads it |\n|---|---|---|\n'
for version in 1.20.0 2.0.0; do
    schema=${version%%.*}
    # A package without a library is in no list of dependencies.
    scripts=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -maxdepth 2 -name "hyperfine-$version" -print -quit)/scripts
    two=$folder/two-$schema.json scan=$folder/scan-$schema.json
    measured "$schema" "$two" true 'sleep 0.001'
    measured "$schema" "$scan" -P ms 1 3 'sleep 0.00{ms}'
    for script in "$scripts"/*.py; do
        name=$(basename "$script" .py)
        picture=$folder/$name-$schema.png
        case $name in
            plot_utils) continue ;;
            plot_parametrized) arguments=("$scan" -o "$picture") ;;
            plot_benchmark_comparison) arguments=("$two" "$two" -o "$picture") ;;
            plot_*) arguments=("$two" -o "$picture") ;;
            *) arguments=("$two") ;;
        esac
        read=yes
        if ! "$python" "$script" "${arguments[@]}" >"$folder/output" 2>&1; then
            read="**no**: $(tail -n 1 "$folder/output")"
            code=1
        fi
        echo "| $version | \`$name\` | $read |"
    done
done
exit "$code"
