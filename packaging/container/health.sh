#!/bin/sh
# Whether the container does its work. `serve` is asked; `work` opens no port, and ends when it cannot go on: it is well while it runs. The
# argument is the process to look at, 1 in a container, then the address.
set -eu
if tr '\0' '\n' < "/proc/${1:-1}/cmdline" | sed -n 2p | grep -qx work; then
    exit 0
fi
exec lookalike health "${2:-https://127.0.0.1:8443}"
