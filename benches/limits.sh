#!/usr/bin/env bash
# What hostile and large input costs: memory, growth, and the time of very many chunks and files. Prints the rows 19
# to 21 of docs/reliability.md. It takes awk, GNU time and valgrind.
#
#     cargo build --release && benches/limits.sh [target/release/apply-patch [memory | growth | many]]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/apply-patch}")
part=${2:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# envelope NAME < chunks: an update of the file.
envelope() {
    printf '*** Begin Patch\n*** Update File: %s\n' "$1"
    cat
    printf '*** End Patch\n'
}

# Peak memory, as a multiple of the larger of file and patch.
memory() {
    local size peak
    size=$(wc -c <"$3")
    peak=$(command time -f %M "$program" --no-sync -q --max-file-size 1000000000 --max-patch-size 1000000000 \
        -C "$work" "$2" 2>&1 >/dev/null | tail -n 1)
    awk -v n="$1" -v p="$peak" -v s="$size" 'BEGIN { printf "memory  %-34s %7.1f MiB, %.2f times the input\n", n, p / 1024, p * 1024 / s }'
}

lines() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "line %d of the file, of some length or other\n", i }'; }

memories() {
    lines 1430000 >"$work/big"
    printf '@@\n-line 700000 of the file, of some length or other\n+new\n' | envelope big >"$work/exact"
    printf '@@\n line 699998 of the file, of some lenght or other\n line 699999 of the file, of some length or other\n-line 700000 of the file, of some length or other\n+new\n line 700001 of the file, of some length or other\n' |
        envelope big >"$work/inexact"
    memory "64 MiB file, exact chunk" "$work/exact" "$work/big"
    lines 1430000 >"$work/big"
    memory "64 MiB file, misspelt context" "$work/inexact" "$work/big"
    { printf '*** Begin Patch\n*** Add File: added\n'; lines 1400000 | sed 's/^/+/'; printf '*** End Patch\n'; } >"$work/adds"
    memory "64 MiB patch, one Add" "$work/adds" "$work/adds"
}

# Instructions at n, 2n, 4n lines; the growth is the larger of the two ratios.
count() {
    # A refusal is as good as any end.
    { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --check -q -C "$work" "$work/patch" 2>&1 ||
        true; } | sed -n 's/.*Collected : //p'
}

growth() {
    local counts=() n
    for n in "$2" $(($2 * 2)) $(($2 * 4)); do
        "shape_$1" "$n"
        counts+=("$(count)")
    done
    awk -v name="$1" -v n="$2" -v a="${counts[0]}" -v b="${counts[1]}" -v c="${counts[2]}" 'BEGIN {
        worst = b / a > c / b ? b / a : c / b
        printf "growth  %-20s n = %-7d %6.0f, %6.0f, %6.0f million instructions: %.2f a doubling\n", name, n, a / 1e6, b / 1e6, c / 1e6, worst }'
}

repeat() { awk -v n="$1" -v t="$2" 'BEGIN { for (i = 0; i < n; i++) print t }'; }

shape_identical() { repeat "$1" same >"$work/f"; printf '@@\n same\n-same\n+x\n' | envelope f >"$work/patch"; }
shape_run_then_other() {
    { repeat "$1" same; echo end; } >"$work/f"
    { echo @@; repeat 200 ' same'; printf ' other\n-end\n+x\n'; } | envelope f >"$work/patch"
}
shape_trimmed() {
    repeat "$1" '  same   ' | awk '{ print $0 NR % 7 "  " }' >"$work/f"
    { echo @@; awk 'BEGIN { for (i = 0; i < 100; i++) print " same   " i % 7; print "-none"; print "+x" }'; } |
        envelope f >"$work/patch"
}
shape_headers() {
    lines 1000 >"$work/f"
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "@@ absent %d\n line %d of the file, of some length or other\n", i, i % 1000; print "-none"; print "+x" }' |
        envelope f >"$work/patch"
}
shape_blank() { repeat "$1" '' >"$work/f"; { echo @@; repeat 100 ' '; printf -- '-\n+x\n'; } | envelope f >"$work/patch"; }
shape_long_line() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "word%d ", i % 97; print "" ; print "end" }' >"$work/f"
    { echo @@; sed -n '1s/word5 /wrod5 /;1s/^/ /p' "$work/f"; printf -- '-end\n+x\n'; } | envelope f >"$work/patch"
}
shape_alternating() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print i % 2 ? "a" : "b" }' >"$work/f"
    { echo @@; awk 'BEGIN { for (i = 0; i < 100; i++) print i % 2 ? " a" : " b"; print "-c"; print "+x" }'; } |
        envelope f >"$work/patch"
}
shape_all_but_last() {
    lines "$1" >"$work/f"
    { echo @@; sed 's/^/ /' "$work/f" | sed '$d'; printf -- '-quite another line\n+x\n'; } | envelope f >"$work/patch"
}

growths() {
    growth identical 20000
    growth run_then_other 20000
    growth trimmed 20000
    growth headers 2500
    growth blank 20000
    growth long_line 20000
    growth alternating 20000
    growth all_but_last 5000
}

# Very many.
seconds() {
    local taken
    taken=$(command time -f '%e, of which %U and %S of a processor' "$program" -q "${@:3}" -C "$work/many" "$2" 2>&1 >/dev/null | tail -n 1)
    printf 'seconds %-34s %s\n' "$1" "$taken"
}
many() {
    mkdir "$work/many"
    lines 200000 >"$work/many/f"
    awk 'BEGIN { for (i = 0; i < 200000; i += 2) printf "@@\n-line %d of the file, of some length or other\n+%d\n", i, i }' | envelope f >"$work/chunks"
    seconds "100,000 chunks in one file" "$work/chunks"
    {
        printf '*** Begin Patch\n'
        for n in $(seq 10000); do
            printf 'old\n' >"$work/many/f$n"
            printf '*** Update File: f%d\n@@\n-old\n+new\n' "$n"
        done
        printf '*** End Patch\n'
    } >"$work/files"
    cp -R "$work/many" "$work/again"
    seconds "10,000 files, synced" "$work/files"
    rm -rf "$work/many" && mv "$work/again" "$work/many"
    seconds "10,000 files, without sync" "$work/files" --no-sync
}

for each in memory:memories growth:growths many:many; do
    case $part in all | "${each%%:*}") "${each#*:}" ;; esac
done
