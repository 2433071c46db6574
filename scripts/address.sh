#!/usr/bin/env bash
# The address of the repository. It is set in one place, `repository` of the workspace's Cargo.toml; whatever names it
# takes it from there.
#
#   scripts/address.sh            writes it where it is named
#   scripts/address.sh --check    changes nothing; exit code 1, and the lines, if a place names another one or a registry
#
# Places are pages, documentation of crates, and the action; they name it in these forms, of which the last two are of
# jobs on GitHub:
#
#   [Tourbillon](ADDRESS)    git = "ADDRESS"    --git ADDRESS    uses: OWNER/NAME@main
#
# Crates have it from cargo. Where a page says that the address is a placeholder, these lines are between
# `<!-- no address -->` and `<!-- end -->`, and go when it is none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { # MESSAGE
    echo "address.sh: $1" >&2
    exit 1
}

check=
case "${1-}" in
--check) check=yes ;;
'') ;;
*) fail "unknown argument \`$1\`; there is --check" ;;
esac

address=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
[[ $address =~ ^https://[a-z0-9.-]+/[A-Za-z0-9_./-]+/[A-Za-z0-9_.-]+$ ]] \
    || fail "Cargo.toml: \`repository\` is no https address without an end such as .git: \`$address\`"
name=${address##*/}
owner=${address%/*}
owner=${owner##*/}
# A name that no repository can have, by RFC 2606.
without=
[[ $address == https://example.com/* ]] || without='/^<!-- no address -->$/,/^<!-- end -->$/d'

# As git lists them, with files that are new; the changelog tells of the past.
mapfile -t places < <(git ls-files --cached --others --exclude-standard -- \
    '*.md' 'crates/*/src/lib.rs' action.yml ':!CHANGELOG.md')

work=$(mktemp)
trap 'rm -f "$work"' EXIT
wrong=
for place in "${places[@]}"; do
    [[ -f $place ]] || continue
    sed -E \
        -e "s|(\[Tourbillon\]\()https?://[^)]*|\1$address|g" \
        -e "s|(\bgit = \")https?://[^\"]*|\1$address|g" \
        -e "s|(--git )https?://[^ \`]*|\1$address|g" \
        -e "s|(uses: )[^ @]+(@main\b)|\1$owner/$name\2|g" \
        -e "$without" "$place" >"$work"
    if ! cmp -s "$place" "$work"; then
        if [[ $check ]]; then
            diff -u --label "$place" --label "$place, with $address" "$place" "$work" || wrong=yes
        else
            cat "$work" >"$place"
            echo "$place"
        fi
    fi
done
if grep -nE 'crates\.io|docs\.rs|\btourbillon(-[a-z]+)?"?( =|, version =) "[0-9]|cargo install (cargo-)?tourbillon' "${places[@]}"; then
    fail 'these lines name a registry, and Tourbillon is in none: name the repository'
fi
[[ -z $wrong ]] || fail 'another address is named; run scripts/address.sh'
