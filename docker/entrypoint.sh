#!/bin/sh
# Checks what a container gets wrong most often, then becomes memwiki, so that signals reach it.
set -eu

data_dir="${MEMWIKI_DATA_DIR:-/data}"

if [ "${1:-serve}" = serve ]; then
    if [ ! -d "$data_dir" ] || [ ! -w "$data_dir" ]; then
        owner=$(stat -c %u "$data_dir" 2>/dev/null || echo "?")
        echo "memwiki: $data_dir belongs to uid $owner and cannot be written by uid $(id -u); give it to that uid," >&2
        echo "memwiki: for example: docker run --rm -u 0 -v VOLUME:/data --entrypoint chown IMAGE -R $(id -u) /data" >&2
        exit 3
    fi
    if [ -n "${MEMWIKI_ACCESS_TOKEN_FILE:-}" ] && [ ! -r "$MEMWIKI_ACCESS_TOKEN_FILE" ]; then
        echo "memwiki: MEMWIKI_ACCESS_TOKEN_FILE names a file that uid $(id -u) cannot read" >&2
        exit 3
    fi
fi

exec memwiki "${@:-serve}"
