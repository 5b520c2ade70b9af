#!/usr/bin/env bash
# What hostile and large input costs: memory, growth, and the time of very many chunks and files. Prints the rows 19
# to 21 and 36 of docs/reliability.md. It takes awk, GNU time and valgrind. Fails if a hostile input that doubles costs more
# than 2.5 times the instructions, or if any run takes 10 seconds of a processor or 1 GB of memory.
#
#     cargo build --profile dist && benches/limits.sh [target/dist/apply-patch [memory | growth | placing | shapes | zeros | deep | many]]
#
# With `patch` or `git` for the program, GNU patch and git apply do the same, with the same changes as unified diffs.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(command -v "${1:-target/dist/apply-patch}")
program=$(realpath -s "$program")
part=${2:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CEILING_DIRECTORIES=$work
case ${program##*/} in
    patch) tool=patch ;;
    git) tool=git ;;
    *) tool=ours ;;
esac

# command_line FOLDER PATCH [OPTION ...]: sets `words`. The options are ours; the others know `--check` only.
command_line() {
    local dry=() option
    for option in "${@:3}"; do
        case $tool,$option in
            patch,--check) dry=(--dry-run) ;;
            git,--check) dry=(--check) ;;
        esac
    done
    case $tool in
        ours) words=("$program" -q "${@:3}" -C "$1" "$2") ;;
        patch) words=("$program" -s -t -N -p0 -d "$1" "${dry[@]}" -i "$2") ;;
        # Some chunks have no context.
        git) words=("$program" -C "$1" apply -p0 --unidiff-zero "${dry[@]}" "$2") ;;
    esac
}

# envelope NAME [FIRST [STEP]] < chunks: an update of the file. In a unified diff the chunks stand at line FIRST and every
# STEP lines from there.
envelope() {
    if [ $tool != ours ]; then
        unified "$@"
        return
    fi
    printf '*** Begin Patch\n*** Update File: %s\n' "$1"
    cat
    printf '*** End Patch\n'
}

unified() {
    awk -v name="$1" -v at="${2:-1}" -v step="${3:-0}" '
        function flush(i) {
            if (n) printf "@@ -%d,%d +%d,%d @@%s\n", at, old, at + grown, new, heading
            for (i = 0; i < n; i++) print held[i]
            if (n) { grown += new - old; at += step }
            n = old = new = 0
        }
        BEGIN { print "--- " name; print "+++ " name }
        /^@@/ { flush(); heading = substr($0, 3); next }
        { held[n++] = $0; old += !/^\+/; new += !/^-/ }
        END { flush() }'
}

# timed FORMAT: runs `words`; sets `taken` to what was measured, and `refused` to a word where the status was not 0.
timed() {
    refused=
    command time -f "$1" "${words[@]}" >/dev/null 2>"$work/said" || refused=' (refused)'
    taken=$(tail -n 1 "$work/said")
}

# The most that a doubling of the input may cost, the most seconds of a processor, and the most MiB of memory.
limit=2.5
most_seconds=10
most_memory=1000
over=0

# Peak memory, as a multiple of the larger of file and patch.
memory() {
    local size
    size=$(wc -c <"$3")
    command_line "$work" "$2" --no-sync --max-file-size 1000000000 --max-patch-size 1000000000
    timed %M
    awk -v n="$1$refused" -v p="$taken" -v s="$size" -v most=$most_memory 'BEGIN {
        wrong = p / 1024 > most
        printf "memory  %-34s %7.1f MiB, %.2f times the input%s\n", n, p / 1024, p * 1024 / s, wrong ? " TOO MUCH" : ""
        exit wrong }' || over=1
}

lines() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "line %d of the file, of some length or other\n", i }'; }

memories() {
    lines 1430000 >"$work/big"
    printf '@@\n-line 700000 of the file, of some length or other\n+new\n' | envelope big 700001 >"$work/exact"
    printf '@@\n line 699998 of the file, of some lenght or other\n line 699999 of the file, of some length or other\n-line 700000 of the file, of some length or other\n+new\n line 700001 of the file, of some length or other\n' |
        envelope big 699999 >"$work/inexact"
    memory "64 MiB file, exact chunk" "$work/exact" "$work/big"
    lines 1430000 >"$work/big"
    memory "64 MiB file, misspelt context" "$work/inexact" "$work/big"
    if [ $tool = ours ]; then
        { printf '*** Begin Patch\n*** Add File: added\n'; lines 1400000 | sed 's/^/+/'; printf '*** End Patch\n'; } >"$work/adds"
    else
        { printf -- '--- /dev/null\n+++ added\n@@ -0,0 +1,1400000 @@\n'; lines 1400000 | sed 's/^/+/'; } >"$work/adds"
    fi
    memory "64 MiB patch, one Add" "$work/adds" "$work/adds"
}

# Runs a command, and prints the number of its instructions. A refusal is as good as any end. valgrind counts each byte of
# `rep movsb`, with which the C library copies long texts, as an instruction, so the C library copies in vectors.
instructions() {
    {
        GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=100000000 \
            valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 || true
    } | sed -n 's/.*Collected : //p'
}

# Instructions at n, 2n, 4n lines; the growth is the larger of the two ratios.
count() {
    command_line "$work" "$work/patch" --check
    instructions "${words[@]}"
}

growth() {
    local counts=() n
    for n in "$2" $(($2 * 2)) $(($2 * 4)); do
        "shape_$1" "$n"
        counts+=("$(count)")
    done
    rate "growth  $1" "$2" "${counts[@]}"
}

# rate NAME N COUNT COUNT COUNT: prints a row, and notes a growth over the limit.
rate() {
    awk -v name="$1" -v n="$2" -v a="$3" -v b="$4" -v c="$5" -v limit=$limit 'BEGIN {
        worst = b / a > c / b ? b / a : c / b
        wrong = worst > limit
        printf "%-42s n = %-7d %6.0f, %6.0f, %6.0f million instructions: %.2f a doubling%s\n",
            name, n, a / 1e6, b / 1e6, c / 1e6, worst, wrong ? " TOO MUCH" : ""
        exit wrong }' || over=1
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
# A long quote that matches at many positions.
shape_all_equal() {
    repeat "$(($1 * 3 / 2))" 'the same line' >"$work/f"
    { echo @@; repeat "$1" ' the same line'; echo +x; } | envelope f >"$work/patch"
}

growths() {
    growth identical 20000
    growth run_then_other 20000
    growth trimmed 20000
    # A unified diff has no headers.
    [ $tool != ours ] || growth headers 2500
    growth blank 20000
    growth long_line 20000
    growth alternating 20000
    growth all_but_last 5000
    growth all_equal 1000
}

# Shapes of placing. A rewritten block, a long word and many edits of a file grow as their input; chunks with dots, chunks that
# fit in many positions and alike blocks have bounds, so their cost is printed for a single size.
# `placed NAME N [OPTION ...]` reads an awk program that writes the patch for `n`, and writes
# the file `f`.
placed() {
    local program n counts=()
    program=$(cat)
    mkdir -p "$work/placed"
    for n in "$2" $(($2 * 2)) $(($2 * 4)); do
        (cd "$work/placed" && awk -v n="$n" "$program" >"$work/patch")
        counts+=("$(cd "$work/placed" && instructions "$program_path" "${@:3}" <"$work/patch")")
    done
    rate "placing $1" "$2" "${counts[@]}"
}

placings() {
    program_path=$program
    placed 'a rewritten block' 2000 --check <<<'BEGIN {
        print "--- a/f\n+++ b/f\n@@ -1 +1 @@"
        for (i = 0; i < n; i++) { printf "old line %d\n", i >"f"; printf "-old line %d\n", i }
        for (i = 0; i < n; i++) printf "+new line %d\n", i }'
    placed 'a long word' 10000 --check <<<'BEGIN {
        for (i = 0; i < n; i++) { c = sprintf("%c", 97 + i * i % 26); word = word c; back = c back }
        printf "a\n%s\nb\nc\nd\n", word >"f"
        printf "*** Begin Patch\n*** Update File: f\n@@\n a\n %s\n b\n-c\n+q\n d\n*** End Patch\n", back }'
    placed 'old/new edits of a file' 1000 --check <<<'BEGIN {
        printf "["
        for (i = 0; i < n; i++) {
            printf "line %d\n", i >"f"
            printf "%s{\"file_path\":\"f\",\"old_string\":\"line %d\\n\",\"new_string\":\"new %d\\n\"}", i ? "," : "", i, i
        }
        print "]" }'
    # Each edit replaces what the edit before wrote.
    placed 'edits that need the edit before' 500 --check <<<'BEGIN {
        print "v10000" >"f"
        printf "["
        for (i = 0; i < n; i++) {
            print "x" >"f"
            printf "%s{\"file_path\":\"f\",\"old_string\":\"v%d\\n\",\"new_string\":\"v%d\\n\"}", (i ? "," : ""), i + 10000, i + 10001
        }
        print "]" }'
    placed 'edits not in a file' 1000 --check <<<'BEGIN {
        printf "["
        for (i = 10000; i < n + 10000; i++) {
            printf "line %d\n", i >"f"
            printf "%s{\"file_path\":\"f\",\"old_string\":\"lone %d q\\n\",\"new_string\":\"new %d\\n\"}", (i > 10000 ? "," : ""), i, i
        }
        print "]" }'
    placed 'a long misspelt old text' 500 --check <<<'BEGIN {
        printf "{\"file_path\":\"f\",\"old_string\":\""
        for (i = 10000; i < n + 10000; i++) { printf "line %d of the text\n", i >"f"; printf "line %d of teh text\\n", i }
        print "\",\"new_string\":\"q\\n\"}" }'
    placed 'SEARCH/REPLACE blocks of a file' 2500 --check <<<'BEGIN {
        for (i = 0; i < n; i++) {
            printf "line %d\n", i >"f"
            printf "f\n<<<<<<< SEARCH\nline %d\n=======\nnew %d\n>>>>>>> REPLACE\n", i, i
        } }'
    placed 'SEARCH/REPLACE blocks not in a file' 500 --check <<<'BEGIN {
        for (i = 10000; i < n + 10000; i++) {
            printf "line %d\n", i >"f"
            printf "f\n<<<<<<< SEARCH\nlone %d x\n=======\nnew %d\n>>>>>>> REPLACE\n", i, i
        } }'
    placed 'Updates of one file' 500 --check <<<'BEGIN {
        print "*** Begin Patch"
        for (i = 0; i < n; i++) {
            printf "line %d\n", i >"f"
            printf "*** Update File: f\n@@\n-line %d\n+new %d\n", i, i
        }
        print "*** End Patch" }'
    placed 'additions under one header' 500 --check <<<'BEGIN {
        print "class A:\n    pass" >"f"
        for (i = 0; i < n; i++) print "y" >"f"
        print "*** Begin Patch\n*** Update File: f"
        for (i = 0; i < n; i++) print "@@ class A:\n+    q"
        print "*** End Patch" }'
    placed 'different additions under one header' 500 --check <<<'BEGIN {
        print "class A:\n    pass\nz" >"f"
        print "*** Begin Patch\n*** Update File: f"
        for (i = 0; i < n; i++) printf "@@ class A:\n+    q%d\n", i
        print "*** End Patch" }'
    placed 'chunks with an absent header' 500 --check <<<'BEGIN {
        print "*** Begin Patch\n*** Update File: f"
        for (i = 0; i < n; i++) {
            printf "def f%d():\n    pass %d\n", i, i >"f"
            printf "@@ def g%d():\n-    pass %d\n+    x\n", i, i
        }
        print "*** End Patch" }'
    placed 'the same chunk again and again' 500 --check <<<'BEGIN {
        print "*** Begin Patch\n*** Update File: f"
        for (i = 0; i < n; i++) { printf "line %d\n", i >"f"; print "@@\n line 3\n-line 4\n+new" }
        print "*** End Patch" }'
    placed 'an edit of every position' 10000 --check <<<'BEGIN {
        for (i = 0; i < n; i++) print "a b" >"f"
        print "{\"file_path\":\"f\",\"old_string\":\"a\",\"new_string\":\"c\",\"replace_all\":true}" }'
    placed 'make of one long line' 250000 make a b <<<'BEGIN {
        for (i = 0; i < n; i++) printf "x " >"a"
        for (i = 0; i < n; i++) printf "x " >"b"
        printf "y" >"b" }'
    mkdir -p "$work/tree"
    awk -v f="$work/tree/f" -v n=2000 'BEGIN {
        for (i = 0; i < n * 5; i++) printf "line %d\n", i >f
        print "*** Begin Patch\n*** Update File: f\n@@"
        for (i = 0; i < n; i++) printf " line %d\n ...\n", i * 5
        printf "-line %d\n+z\n*** End Patch\n", n * 5 - 1 }' | measured 'a chunk with 2,000 lines of dots' --check
    awk -v f="$work/tree/f" -v n=2000 'BEGIN {
        for (i = 0; i < n * 10; i++) print "x" >f
        print "*** Begin Patch\n*** Update File: f"
        for (i = 0; i < n; i++) print "@@\n x\n-x\n+y"
        print "*** End Patch" }' | measured '2,000 ambiguous chunks' --check
    awk -v a="$work/tree/a" -v b="$work/tree/b" -v n=8000 'BEGIN {
        for (i = 0; i < n; i++) {
            print "if a {\n    go();\n}" >a
            print "if a {\n    " (i % 10 ? "go" : "stop") "();\n}" >b
        } }'
    words=("$program" make "$work/tree/a" "$work/tree/b")
    cost 'make of 8,000 alike blocks'
    awk -v f="$work/tree/f" -v n=3000 'BEGIN {
        print "*** Begin Patch\n*** Update File: f\n@@"
        for (i = 0; i < n; i++) { printf "%" i "sx%d\n", "", i >f; if (i < n - 1) printf " x%d\n", i }
        printf "-x%d\n+y\n*** End Patch\n", n - 1 }' | measured '3,000 lines, each a column deeper (4.5 MB)' --check
}

# Shapes that are not about the position of a chunk. The whole report is made, as a harness gets it.

# shape NAME N [OPTION ...] < an awk program that prints the patch for `n`: the growth of a run in "$work/tree".
shape() {
    local program n counts=()
    program=$(cat)
    for n in "$2" $(($2 * 2)) $(($2 * 4)); do
        awk -v n="$n" "$program" >"$work/patch"
        counts+=("$(cd "$work/tree" && instructions "$program_path" "${@:3}" <"$work/patch")")
    done
    rate "shapes  $1" "$2" "${counts[@]}"
}

# Lines that may make a parser look back or ahead; the patch is one of them, again and again.
hostile_lines() {
    cat <<'LINES'
```
*** Begin Patch
*** End Patch
apply_patch <<'EOF'
*** Update File: f
*** Add File: f
*** Delete File: f
*** Move to: f
*** End of File
@@
@@ class A
<<<<<<< SEARCH
=======
>>>>>>> REPLACE
--- a/f
+++ b/f
diff --git a/f b/f
@@ -1,999999999 +1,999999999 @@
\ No newline at end of file
index 123456..654321 100644
{"edits":
[
{}
<path>f</path>
...
cd a &&
> 
1| a
LINES
}

shapes() {
    local line
    program_path=$program
    mkdir -p "$work/tree"
    while IFS= read -r line; do
        export line
        shape "lines of $line" 2000 --check <<<'BEGIN { for (i = 0; i < n; i++) print ENVIRON["line"] }'
    done < <(hostile_lines)
    shape 'new files' 1000 --check <<<'BEGIN {
        print "*** Begin Patch"
        for (i = 0; i < n; i++) printf "*** Add File: d%d/f%d\n+x\n", i % 50, i
        print "*** End Patch" }'
    shape 'new files in a deep folder' 20 --no-sync <<<'BEGIN {
        for (i = 0; i < 300; i++) deep = deep "d/"
        print "*** Begin Patch"
        for (i = 0; i < n; i++) printf "*** Add File: n%d/%sf%d\n+x\n", n, deep, i
        print "*** End Patch" }'
    shape 'zeros for edits' 5000 --json <<<'BEGIN {
        printf "{\"old_string\":\"a\",\"edits\":["
        for (i = 0; i < n; i++) printf "0,"
        print "0]}" }'
    shape 'depth of a list' 5000 --check <<<'BEGIN {
        for (i = 0; i < n; i++) printf "["
        printf "{\"old_string\":\"a\"}"
        for (i = 0; i < n; i++) printf "]" }'
    shape 'depth of an object' 5000 --check <<<'BEGIN { for (i = 0; i < n; i++) printf "{\"old_string\":" }'
    shape 'a key again and again' 5000 --check <<<'BEGIN {
        printf "{"
        for (i = 0; i < n; i++) printf "\"old_string\":\"a\","
        printf "\"new_string\":\"b\"}" }'
    shape 'unknown keys' 2000 --check <<<'BEGIN {
        printf "{\"old_string\":\"a\""
        for (i = 0; i < n; i++) printf ",\"k%d\":1", i
        printf "}" }'
    shape 'blocks without names' 500 --check <<<'BEGIN {
        for (i = 0; i < n; i++) print "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE" }'
    shape 'dividers in a block' 1000 --check <<<'BEGIN {
        print "f\n<<<<<<< SEARCH"
        for (i = 0; i < n; i++) print "a\n======="
        print ">>>>>>> REPLACE" }'
    shape 'a quoted name' 5000 --check <<<'BEGIN {
        printf "--- \""
        for (i = 0; i < n; i++) printf "\\303\\251"
        print "\"\n+++ b/f\n@@ -1 +1 @@\n-x\n+y" }'
    shape 'huge counts' 5000 --check <<<'BEGIN {
        print "--- a/f\n+++ b/f\n@@ -1,99999999999999999999999999 +1,4294967296 @@"
        for (i = 0; i < n; i++) print " x" }'
    repeat 20000 'line of a file that is copied' >"$work/tree/f"
    shape 'copies of a file' 50 --check <<<'BEGIN {
        for (i = 0; i < n; i++) printf "diff --git a/f b/g%d\nsimilarity index 100%%\ncopy from f\ncopy to g%d\n", i, i }'
    shape 'missing files' 100 --check <<<'BEGIN {
        for (i = 0; i < n; i++) printf "--- a/miss%d\n+++ b/miss%d\n@@ -1 +1 @@\n-x\n+y\n", i, i }'
    shape 'fmt of a diff' 2000 fmt <<<'BEGIN {
        print "--- a/f\n+++ b/f"
        for (i = 0; i < n; i++) printf "@@ -%d +%d @@\n-line %d\n+new %d\n", i + 1, i + 1, i, i }'
}

# measured NAME [OPTION ...] < patch: seconds of a processor and peak memory of a run in "$work/tree".
measured() {
    local name=$1
    mkdir -p "$work/tree"
    cat >"$work/patch"
    words=("$program" "${@:2}" -C "$work/tree" "$work/patch")
    cost "$name"
}

# cost NAME: runs `words`, and prints seconds of a processor and peak memory.
cost() {
    timed '%U %S %M'
    awk -v name="$1" -v taken="$taken" -v seconds=$most_seconds -v memory=$most_memory 'BEGIN {
        split(taken, part, " ")
        wrong = part[1] + part[2] > seconds || part[3] / 1024 > memory
        printf "cost    %-42s %.2f seconds of a processor, %.0f MB%s\n",
            name, part[1] + part[2], part[3] / 1024, wrong ? " TOO MUCH" : ""
        exit wrong }' || over=1
}

zeros() {
    awk 'BEGIN { printf "{\"old_string\":\"a\",\"edits\":["; for (i = 0; i < 4900000; i++) printf "0,"; print "0]}" }' |
        measured '4,900,000 zeros for edits' --json
}

deep() {
    awk 'BEGIN {
        for (i = 0; i < 1500; i++) deep = deep "d/"
        print "*** Begin Patch"
        for (i = 0; i < 400; i++) printf "*** Add File: %sf%d\n+x\n", deep, i
        print "*** End Patch" }' | measured '400 new files 1,500 directories deep' --no-sync
}

# Very many.
seconds() {
    command_line "$work/many" "$2" "${@:3}"
    timed '%e, of which %U and %S of a processor'
    awk -v name="$1$refused" -v taken="$taken" -v seconds=$most_seconds 'BEGIN {
        split(taken, part, " ")
        wrong = part[4] + part[6] > seconds
        printf "seconds %-34s %s%s\n", name, taken, wrong ? " TOO MUCH" : ""
        exit wrong }' || over=1
}
many() {
    mkdir "$work/many"
    lines 200000 >"$work/many/f"
    awk 'BEGIN { for (i = 0; i < 200000; i += 2) printf "@@\n-line %d of the file, of some length or other\n+%d\n", i, i }' | envelope f 1 2 >"$work/chunks"
    seconds "100,000 chunks in one file" "$work/chunks"
    {
        [ $tool != ours ] || printf '*** Begin Patch\n'
        for n in $(seq 10000); do
            printf 'old\n' >"$work/many/f$n"
            case $tool in
                ours) printf '*** Update File: f%d\n@@\n-old\n+new\n' "$n" ;;
                *) printf -- '--- f%d\n+++ f%d\n@@ -1 +1 @@\n-old\n+new\n' "$n" "$n" ;;
            esac
        done
        [ $tool != ours ] || printf '*** End Patch\n'
    } >"$work/files"
    if [ $tool != ours ]; then
        # They never sync.
        seconds "10,000 files" "$work/files"
        return
    fi
    cp -R "$work/many" "$work/again"
    seconds "10,000 files, synced" "$work/files"
    rm -rf "$work/many" && mv "$work/again" "$work/many"
    seconds "10,000 files, without sync" "$work/files" --no-sync
}

if [ "$tool" != ours ]; then
    placings() { :; }
    shapes() { :; }
    zeros() { :; }
    deep() { :; }
fi
for each in memory:memories growth:growths placing:placings shapes:shapes zeros:zeros deep:deep many:many; do
    case $part in all | "${each%%:*}") "${each#*:}" ;; esac
done
exit $over
