#!/usr/bin/env bash
# What syncing costs: the time of a whole run, process start included, with and without it. docs/reliability.md quotes
# the differences.
#
#     cargo build --profile dist && benches/sync.sh [folder on the disk to measure]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/target/dist/apply-patch
work=$(mktemp -d -p "${1:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$work"' EXIT
runs=${RUNS:-100}

# patch FILES OLD NEW: changes one line in the middle of each file.
patch() {
    printf '*** Begin Patch\n'
    for n in $(seq "$1"); do printf '*** Update File: f%s\n@@\n-%s\n+%s\n' "$n" "$2" "$3"; done
    printf '*** End Patch\n'
}

# each OPTION: microseconds a run, there and back again.
each() {
    local start end
    start=$(date +%s%N)
    for _ in $(seq "$runs"); do
        "$program" -q "$1" -C "$work/root" "$work/there"
        "$program" -q "$1" -C "$work/root" "$work/back"
    done
    end=$(date +%s%N)
    echo $(((end - start) / 2000 / runs))
}

for files in 1 5 20; do
    mkdir "$work/root"
    for n in $(seq "$files"); do seq 200 >"$work/root/f$n"; done
    patch "$files" 100 x100 >"$work/there"
    patch "$files" x100 100 >"$work/back"
    without=$(each --no-sync)
    with=$(each --sync)
    printf '%2d files: %6d µs a run with sync, %6d µs without: syncing costs %d µs\n' \
        "$files" "$with" "$without" $((with - without))
    rm -rf "$work/root"
done
