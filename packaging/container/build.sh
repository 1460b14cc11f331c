#!/bin/sh
# Builds what the image holds and lays it out as it will stand there: build.sh FOLDER. Run at the root of the repository; `cargo xtask`
# sets up what is missing (a C++ compiler, CMake, libclang, the tools of the page).
set -eu
to="$1"
cargo xtask setup
cargo xtask web
cargo build --release --locked
install -D -m 0755 "${CARGO_TARGET_DIR:-target}/release/lookalike" "$to/usr/local/bin/lookalike"
mkdir -p "$to/usr/local/bin/web"
cp -R "${CARGO_TARGET_DIR:-target}/web/dist/." "$to/usr/local/bin/web/"
