#!/bin/sh
# The echo in shell: the protocol needs no library.
#
# It reads no JSON, it cuts out what it needs: the first "id" and the first "text". A quote inside a string
# is written \" in JSON, so neither can be found inside one. The text goes back as it came, still escaped.
LC_ALL=C
export LC_ALL
count=0
while IFS= read -r line; do
    case $line in
        *'"type":"shutdown"'*) exit 0 ;;
        *'"type":"user_input"'*) ;;
        *) echo "dropped: this agent knows user_input only" >&2; continue ;;
    esac
    count=$((count + 1))
    id=${line#*\"id\":\"}
    id=${id%%\"*}
    text=$(printf '%s\n' "${line#*\"text\":\"}" | sed -E 's/^(([^"\\]|\\.)*)".*/\1/')
    printf '{"type":"agent_response","id":"%s","text":"%s: %s"}\n' "$id" "$count" "$text"
done
