#!/usr/bin/env bash
# The server under the official inspector's command line: inspector.sh FOLDER SERVER, where FOLDER/bin/node is Node 22.19 or later
# and FOLDER/node_modules has the inspector.
set -euo pipefail
folder=$1
server=$(realpath "$2")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
printf 'one\ntwo\n' >"$copy/a.txt"

inspect() {
    "$folder/bin/node" "$folder/node_modules/.bin/mcp-inspector" --cli "$server" -C "$copy" "$@"
}

inspect --method tools/list | grep -q '"name": "edit_file"'
inspect --method tools/call --tool-name apply_patch --tool-arg "patch=*** Begin Patch
*** Update File: a.txt
@@
-two
+2
*** End Patch" | grep -q 'Done: 1 file changed.'
[ "$(cat "$copy/a.txt")" = "$(printf 'one\n2')" ]
printf 'The inspector lists the tools and calls one.\n'
