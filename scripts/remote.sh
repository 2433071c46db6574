#!/usr/bin/env bash
# Measures on another machine through `--runner`: a server of ssh on a port of the loopback interface, with keys and a
# configuration of its own in a temporary folder, and a package whose folder, filters and case have names that a shell
# would read. Then builds for 64-bit Arm, under qemu. Prints a line for each check; exit code 1 if one failed. About two
# minutes, most of it builds.
#
#   scripts/remote.sh [ssh] [arm]      both without a word
#   scripts/remote.sh around COMMAND.. runs a command while the server runs, with the words of a runner in RUNNER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
[[ $# -gt 0 ]] || set -- ssh arm
around=()
if [[ $1 == around ]]; then
    around=("${@:2}")
    set -- ssh
fi
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd || true)
if [[ " $* " == *' ssh '* ]]; then
    for program in "${sshd:-sshd}" ssh ssh-keygen tar git; do
        if ! command -v "$program" >/dev/null; then
            echo "SKIPPED: there is no ${program##*/}"
            exit 0
        fi
    done
fi
cargo build -q -p cargo-tourbillon
tool=$target/debug/cargo-tourbillon
folder=$(mktemp -d)
server=
finish() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
failed=0
export TOURBILLON_LOCK=none TOURBILLON_CACHE=$folder/cache TOURBILLON_STORE=$folder/store

check() { # WHAT, EXPECTED EXIT CODE, COMMAND..
    local what=$1 expected=$2 code=0 begin=$SECONDS
    shift 2
    "$@" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    if [[ $code == "$expected" ]]; then
        printf 'ok      %4s s  %s\n' $((SECONDS - begin)) "$what"
    else
        printf 'FAILED  %4s s  %s: exit code %s\n' $((SECONDS - begin)) "$what" "$code"
        tail -n 5 "$folder/out" "$folder/err"
        failed=1
    fi
}
holds() { # WHAT, COMMAND..
    local what=$1
    shift
    if "$@"; then
        printf 'ok              %s\n' "$what"
    else
        printf 'FAILED          %s\n' "$what"
        failed=1
    fi
}
# Nothing that a machine was sent is left: within twenty seconds.
nothing_left() {
    for _ in $(seq 20); do
        [[ -n $(find /tmp -maxdepth 1 -name 'tourbillon-????????????????????????????????' -user "$(id -un)") ]] || return 0
        sleep 1
    done
    return 1
}

# Starts the server, and sets the words of its runner.
serve() {
    ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
    ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
    cp "$folder/user.pub" "$folder/authorized"
    port=$((20000 + RANDOM))
    cat >"$folder/sshd_config" <<CONFIG
ListenAddress 127.0.0.1:$port
HostKey $folder/host
PidFile none
AuthorizedKeysFile $folder/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
CONFIG
    cat >"$folder/ssh_config" <<CONFIG
Host pi
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $folder/user
    IdentitiesOnly yes
    UserKnownHostsFile $folder/known
    StrictHostKeyChecking accept-new
    BatchMode yes
    LogLevel ERROR
CONFIG
    # The folder of the privilege separation, where the package has not made it.
    [[ $(id -u) != 0 ]] || mkdir -p /run/sshd
    "$sshd" -D -e -f "$folder/sshd_config" 2>"$folder/sshd.log" &
    server=$!
    for _ in $(seq 20); do
        ssh -F "$folder/ssh_config" pi true 2>/dev/null && break
        sleep 0.5
    done
    if ! ssh -F "$folder/ssh_config" pi true; then
        echo "SKIPPED: the server of ssh does not answer: $(tail -n 1 "$folder/sshd.log")"
        exit 0
    fi
    runner="ssh -F $folder/ssh_config pi"
}

if [[ ${#around[@]} -gt 0 ]]; then
    serve
    RUNNER=$runner PATH=$target/debug:$PATH "${around[@]}"
    exit
fi

shop="$folder/it's a \$(touch pwned) shop"
mkdir -p "$shop/benches" "$shop/src"
: >"$shop/src/lib.rs"
cat >"$shop/Cargo.toml" <<TOML
[package]
name = "shop"
version = "0.0.0"
edition = "2024"
[workspace]
[profile.dev]
debug = false
[[bench]]
name = "speed"
harness = false
[dev-dependencies]
tourbillon = { path = "$root/crates/tourbillon" }
TOML
cat >"$shop/benches/speed.rs" <<'RUST'
fn odd() -> [&'static str; 1] {
    ["it's `touch pwned`; \"$HOME\" *"]
}
#[tourbillon::bench]
fn sum() -> u64 {
    (0..tourbillon::hide(100_u64)).sum()
}
#[tourbillon::bench(args = odd())]
fn length(text: &str) -> usize {
    tourbillon::hide(text).len()
}
fn main() -> std::process::ExitCode {
    tourbillon::main()
}
RUST
cd "$shop"
git init -q
git add --all
git -c user.name=a -c user.email=a@b commit -q -m first
export CARGO_TARGET_DIR=$folder/target
brief=(--profile dev --launches 2 --max-time 5ms)

through_ssh() {
    serve
    odd="length[text=it's \`touch pwned\`; \"\$HOME\" *]"
    check 'run: one case' 0 "$tool" run "${brief[@]}" --runner "$runner" sum
    holds '  its record is here' test -n "$(find "$folder/store/runs/shop/speed" -name '*.jsonl')"
    check 'run: a filter that a shell would read' 0 "$tool" run "${brief[@]}" --runner "$runner" -- "$odd"
    holds '  it selects its case alone' grep -q '1 case' "$folder/out"
    check 'run: another one, which selects nothing' 4 "$tool" run "${brief[@]}" --runner "$runner" -- '$(touch pwned)'
    check 'compare: the commit and the tree' 0 "$tool" compare HEAD --profile dev --measure-unchanged --layouts 1 \
        --time 500ms --runner "$runner" -- sum
    holds '  its record is here' test -n "$(find "$folder/store/comparisons" -name '*.jsonl')"
    holds '  nothing is left there' nothing_left
    check 'a machine that is not there' 5 "$tool" run "${brief[@]}" --runner "ssh -F $folder/ssh_config -p 1 pi"
    long=(run --profile dev --launches 2000 --max-time 600s --runner "$runner" sum)
    check 'an interrupt' 130 timeout --preserve-status -s INT 20 "$tool" "${long[@]}"
    holds '  nothing is left there' nothing_left
    check 'killed' 137 timeout --preserve-status -s KILL 20 "$tool" "${long[@]}"
    holds '  nothing is left there' nothing_left
    holds 'no name was executed' test -z "$(find "$folder" "$HOME" /tmp -maxdepth 1 -name pwned)"
}

through_qemu() {
    local triple=aarch64-unknown-linux-gnu program
    for program in qemu-aarch64 aarch64-linux-gnu-gcc; do
        if ! command -v "$program" >/dev/null; then
            echo "SKIPPED: there is no $program"
            return
        fi
    done
    if [[ ! -d $(rustc --print sysroot)/lib/rustlib/$triple ]]; then
        echo "SKIPPED: rustup target add $triple"
        return
    fi
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    check 'bundle for 64-bit Arm' 0 "$tool" bundle "$folder/arm.tar.gz" HEAD --target "$triple" --profile dev
    holds '  it says so' grep -q 'for linux on aarch64' "$folder/out"
    check '  it is refused here' 5 "$tool" compare --bundle "$folder/arm.tar.gz"
    holds '  with the reason' grep -q 'is for linux on aarch64' "$folder/err"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu'
    check "run under cargo's runner of the target" 0 "$tool" run "${brief[@]}" --target "$triple" sum
    check 'linker by --config' 0 env -u CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER "$tool" run "${brief[@]}" \
        --target "$triple" --config "target.$triple.linker='aarch64-linux-gnu-gcc'" sum
}

[[ " $* " != *' ssh '* ]] || through_ssh
[[ " $* " != *' arm '* ]] || through_qemu
exit "$failed"
