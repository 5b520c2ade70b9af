#!/usr/bin/env bash
# Makes the first inputs of every target from the fixtures: see src/lib.rs for how an input is built.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/parse corpus/stream corpus/grammar corpus/locate corpus/replace corpus/apply corpus/formats corpus/calls
for case in ../fixtures/*/*/*/*/; do
    case=${case%/}
    name=${case#../fixtures/}
    name=${name//\//-}
    # The bytes before it say how it is read: by what it shows.
    { printf '\0'; cat "$case/patch.txt"; } >"corpus/parse/$name"
    { printf '\100\0'; cat "$case/patch.txt"; } >"corpus/stream/$name"
    case $name in call-* | edit-*) { printf "\0"; cat "$case/patch.txt"; } >"corpus/calls/$name" ;; esac
    case $name in search-replace-*) format='\1' ;; *) format='\0' ;; esac
    # shellcheck disable=SC2059
    { printf "$format"; cat "$case/patch.txt"; } >"corpus/grammar/$name"
    # A NUL parts the sections.
    [ "$(tr -d '\0' <"$case/patch.txt" | wc -c)" -eq "$(wc -c <"$case/patch.txt")" ] || continue
    {
        printf '\1'
        cat "$case/patch.txt"
        while IFS= read -r file; do
            printf '\0%s\0' "${file#"$case/before/"}"
            cat "$file"
        done < <(find "$case/before" -type f 2>/dev/null || true)
    } >"corpus/apply/$name"
    { printf '\0'; tail -c +2 "corpus/apply/$name"; } >"corpus/formats/$name"
    file=$(find "$case/before" -type f -print -quit 2>/dev/null || true)
    [ -n "$file" ] || continue
    { printf '\1'; cat "$file"; printf '\0'; grep -v '^\*\*\*' "$case/patch.txt" || true; } >"corpus/locate/$name"
    {
        printf '\1'; cat "$file"
        printf '\0'; sed -n 's/^[ -]//p' "$case/patch.txt"
        printf '\0'; sed -n 's/^[ +]//p' "$case/patch.txt"
    } >"corpus/replace/$name"
done
