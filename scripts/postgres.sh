#!/usr/bin/env bash
# Runs a command beside a PostgreSQL server of its own, which ends with it however it ends.
#
#   scripts/postgres.sh COMMAND..
#   scripts/postgres.sh --tests       the tests that need a server
#
# The server is in a temporary folder and runs as an ordinary user, because it refuses root. The command finds in its
# environment
#   TEST_POSTGRES      the address by a socket, as a role that may do everything
#   TEST_POSTGRES_TLS  the address by TCP on this machine, encrypted, without a user
#
# Installs Debian's PostgreSQL where it can, and prints SKIPPED with the reason where it cannot.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "SKIPPED: $1"
    exit 0
}

find_programs() { # prints the folder of the newest version
    local folder
    folder=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -n 1)
    [ -n "$folder" ] && [ -x "$folder/initdb" ] && echo "$folder"
}

if [ "${1:-}" = --tests ]; then
    set -- cargo test -p tourbillon-history -p cargo-tourbillon --features postgres --lib --test it -- \
        --include-ignored postgres
fi
[ $# -gt 0 ] || {
    echo "no command; see the head of scripts/postgres.sh" >&2
    exit 1
}
command -v setpriv > /dev/null || skip "setpriv is not here (util-linux)"
if ! programs=$(find_programs); then
    command -v apt-get > /dev/null || skip "no PostgreSQL, and no apt-get to install it"
    [ "$(id -u)" = 0 ] || skip "no PostgreSQL, and only root may install it"
    apt-get update -qq > /dev/null 2>&1 || skip "no PostgreSQL, and the package lists cannot be had"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql openssl \
        > /dev/null 2>&1 || skip "the package postgresql cannot be installed"
    programs=$(find_programs) || skip "postgresql was installed, and is not found"
fi
command -v openssl > /dev/null || skip "openssl is not here, which makes certificates"

folder=$(mktemp -d)
server=
stop() {
    if [ -n "$server" ]; then
        kill -INT "$server" 2> /dev/null || true
        wait "$server" 2> /dev/null || true
    fi
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

as_user=()
if [ "$(id -u)" = 0 ]; then
    user=nobody
    as_user=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups --)
    chown "$user" "$folder"
fi
in_folder() { # COMMAND..
    (cd "$folder" && "${as_user[@]}" "$@")
}

# An authority, and a certificate of it for the server.
ec=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
{
    in_folder openssl req -x509 "${ec[@]}" -keyout ca.key -out ca.crt -subj "/CN=tests" -days 2
    in_folder openssl req "${ec[@]}" -keyout server.key -out server.csr -subj "/CN=localhost"
    in_folder sh -c 'echo subjectAltName=DNS:localhost > names'
    in_folder openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial \
        -extfile names -out server.crt -days 2
} > "$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}

# Texts are ordered by a language, as on a server of a team.
in_folder "$programs/initdb" -D data -U postgres --no-sync --encoding=UTF8 \
    --locale-provider=icu --icu-locale=en-US > "$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
in_folder tee data/pg_hba.conf > /dev/null << 'EOF'
local all all trust
hostssl all all 127.0.0.1/32 scram-sha-256
EOF

started=
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    # The signal ends the server if this script is killed.
    (cd "$folder" && exec "${as_user[@]}" setpriv --pdeathsig INT "$programs/postgres" -D data -p "$port" \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories="$folder" \
        -c ssl=on -c ssl_cert_file=../server.crt -c ssl_key_file=../server.key \
        -c fsync=off -c max_connections=100) > "$folder/log" 2>&1 &
    server=$!
    for _ in $(seq 300); do
        if "$programs/pg_isready" -q -h "$folder" -p "$port"; then
            started=yes
            break 2
        fi
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    kill -INT "$server" 2> /dev/null || true
    wait "$server" || true
    server=
    grep -q 'could not bind' "$folder/log" || break
done
[ -n "$started" ] || {
    cat "$folder/log" >&2
    exit 1
}

PATH="$programs:$PATH"
export TEST_POSTGRES="postgres://postgres@${folder//\//%2F}:$port/postgres"
export TEST_POSTGRES_TLS="postgres://localhost:$port/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=$folder/ca.crt"
"$@"
