#!/usr/bin/env bash
# Finds a commit by the history: in a repository of forty commits, of which one makes a case 2 % slower and two do not
# build, measures all commits (interrupted once), nominates the change, confirms it and bisects. Exit code 1 if the
# change is not nominated or the commit not found. Needs git; the machine should have nothing else to do. About two minutes.
#
#   scripts/bisect.sh [COMMITS]     40 by default; fewer than 30 show that it works, and may nominate nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
work=$target/bisect
tourbillon=${TOURBILLON:-$target/release/cargo-tourbillon}
commits=${1:-40}
# The commit with the change, and two that do not build.
slow=$((commits * 26 / 40))
broken=($((commits * 13 / 40)) $((commits * 23 / 40)))
export TOURBILLON_CACHE=$work/cache
export TOURBILLON_HISTORY=$work/history

[[ -n ${TOURBILLON:-} ]] || cargo build --quiet --release -p cargo-tourbillon
rm -rf "$work/repository" "$TOURBILLON_HISTORY"
mkdir -p "$work/repository/src" "$work/repository/benches"
cd "$work/repository"

git init --quiet -b main
git config user.name pace
git config user.email pace@example.invalid
cat > Cargo.toml <<TOML
[package]
name = "pace"
version = "0.0.0"
edition = "2024"
[[bench]]
name = "pace"
harness = false
[dev-dependencies]
tourbillon = { path = "$root/crates/tourbillon" }
[workspace]
TOML
printf 'target\nCargo.lock\n' > .gitignore
cat > benches/pace.rs <<'RUST'
#[tourbillon::bench]
fn steps() -> u64 {
    pace::steps(tourbillon::hide(7))
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
RUST

# Each commit has another function, so that code lies at other addresses.
for commit in $(seq 1 $commits); do
    count=$((commit < slow ? 2000 : 2040))
    {
        printf 'pub fn steps(mut x: u64) -> u64 {\n    for _ in 0..%s {\n' "$count"
        printf '        x ^= x << 13;\n        x ^= x >> 7;\n        x ^= x << 17;\n    }\n    x\n}\n'
        printf 'pub fn other(x: u64) -> u64 {\n    x.rotate_left(%s)\n}\n' "$commit"
        [[ " ${broken[*]} " != *" $commit "* ]] || printf 'compile_error!("broken");\n'
    } > src/lib.rs
    git add --all
    git commit --quiet -m "commit $commit"
done
expected=$(git rev-parse "main~$((commits - slow))")
first=$(git rev-list --max-parents=0 main)

history() { "$tourbillon" tourbillon history "$@"; }
timed() {
    local start=$SECONDS
    "$@"
    printf -- '-- %s s: %s\n\n' $((SECONDS - start)) "${*:1:2}"
}

# An interrupt costs the commit that is being measured.
timeout --foreground --signal INT 45 "$tourbillon" tourbillon history backfill main -- --max-time 500ms ||
    printf -- '-- interrupted\n\n'
timed history backfill main -- --max-time 500ms
timed history changes
nominated=$(history changes --format jsonl | grep -c '"type":"nomination"' || true)
timed history confirm
timed history bisect steps "$first" main
found=$(history bisect steps "$first" main --dry-run --format jsonl)
history report -o "$work/history.html"
if [[ $nominated != 1 ]]; then
    printf '%s changes nominated, expected 1\n' "$nominated"
    exit 1
fi
case $found in
    *"\"commit\":\"$expected\""*) printf 'found commit %s\n' $slow ;;
    *) printf 'not found: %s\n' "$found"; exit 1 ;;
esac
